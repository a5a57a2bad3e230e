//! Braces that close nothing are found, others are not. In: stylesheets. Out: offsets.

use super::find_stray;

#[test]
fn a_brace_that_closes_nothing_is_found() {
    for (source, expected) in [
        ("a { b: c }", None),
        ("@media print { a { b: c } }", None),
        ("a { b: c } }", Some(11)),
        ("a } b { c: d }", Some(2)),
        ("}", Some(0)),
        ("/* } */ a { b: \"}\" }", None),
        ("a { b: url(}) }", None),
        ("a { b: url( \"}\" ) } }", Some(20)),
        ("a\\} { b: c }", None),
        ("a { b: '\n} }", Some(11)),
        ("a { b: 'c\\'}' }", None),
        ("/* }", None),
        ("a {", None),
        ("a { b: url(", None),
        ("\\", None),
    ] {
        assert_eq!(find_stray(source), expected, "{source}");
    }
}
