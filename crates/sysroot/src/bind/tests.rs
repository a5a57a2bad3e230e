//! Parsing of `--bind`.

use super::*;

fn check(arguments: &str, expected: Option<(&str, &str, Access)>) {
    let found = Bind::parse(arguments.as_ref(), Path::new("/usr")).ok();
    let expected = expected.map(|(source, target, access)| Bind {
        source: source.into(),
        target: target.into(),
        access,
    });
    assert_eq!(found, expected, "{arguments}");
}

#[test]
fn binds_are_parsed() {
    check("/usr:/a", Some(("/usr", "/a", Access::Write)));
    check("lib:/a/b", Some(("/usr/lib", "/a/b", Access::Write)));
    check("lib:/a:ro", Some(("/usr/lib", "/a", Access::Read)));
    check("/usr:/a:rw", Some(("/usr", "/a", Access::Write)));
    check("/usr", Some(("/usr", "/usr", Access::Write)));
}

#[test]
fn invalid_binds_are_refused() {
    for arguments in
        ["", ":/a", "/usr:", "/usr:a", "/usr:/", "/usr:/a/../b", "/usr:/a:x", "/usr:/a:ro:ro", "none:/a"]
    {
        check(arguments, None);
    }
}
