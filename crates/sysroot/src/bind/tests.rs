//! What `--bind` understands.

use super::*;

fn check(words: &str, expected: Option<(&str, &str, Access)>) {
    let found = Bind::parse(words.as_ref(), Path::new("/usr")).ok();
    let expected = expected.map(|(source, target, access)| Bind {
        source: source.into(),
        target: target.into(),
        access,
    });
    assert_eq!(found, expected, "{words}");
}

#[test]
fn binds_are_read() {
    check("/usr:/a", Some(("/usr", "/a", Access::Write)));
    check("lib:/a/b", Some(("/usr/lib", "/a/b", Access::Write)));
    check("lib:/a:ro", Some(("/usr/lib", "/a", Access::Read)));
    check("/usr:/a:rw", Some(("/usr", "/a", Access::Write)));
    check("/usr", Some(("/usr", "/usr", Access::Write)));
}

#[test]
fn what_is_no_bind_is_refused() {
    for words in
        ["", ":/a", "/usr:", "/usr:a", "/usr:/", "/usr:/a/../b", "/usr:/a:x", "/usr:/a:ro:ro", "none:/a"]
    {
        check(words, None);
    }
}
