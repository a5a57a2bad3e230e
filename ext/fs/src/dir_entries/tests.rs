//! Lexical parent of a path.

use std::ffi::CString;

use super::parent;

#[test]
fn parent_of_a_path() {
    let cases = [
        ("a/b", Some("a")),
        ("/a", Some("/")),
        ("a//b//", Some("a")),
        ("a", None),
        ("/", None),
        ("//a", Some("/")),
    ];
    for (path, expected) in cases {
        let actual = parent(&CString::new(path).expect("no null"));
        let actual = actual.as_deref().map(|actual| actual.to_str().expect("ASCII"));
        assert_eq!(actual, expected, "{path}");
    }
}
