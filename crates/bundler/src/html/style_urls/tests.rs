//! URLs of styles and what becomes of them.

use super::rewrite;

#[test]
fn urls_are_found_in_all_forms() {
    let check = |text: &str, expected: &[&str]| {
        let mut found = Vec::new();
        rewrite(text, &mut |url| {
            found.push(url.to_owned());
            None
        });
        assert_eq!(found, expected, "{text}");
    };
    check("a{b:url(c.png)}", &["c.png"]);
    check("a:url( 'b c.png' ), URL(\"d)e\")", &["b c.png", "d)e"]);
    check("a: my-url(b); c: url(d)", &["d"]);
    check("a: url(", &[]);
    check("a: url('b", &[]);
    check("a: url()", &[""]);
}

#[test]
fn only_changed_urls_are_written_again() {
    let changed = rewrite("a:url(b),url( c )", &mut |url| (url == "c").then(|| "it's".to_owned()));
    assert_eq!(changed.as_deref(), Some("a:url(b),url('it\\'s')"));
    assert_eq!(rewrite("a:url(b)", &mut |_| None), None);
}
