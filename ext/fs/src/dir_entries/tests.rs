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
        let found = parent(&CString::new(path).expect("no null"));
        let found = found.as_deref().map(|found| found.to_str().expect("ASCII"));
        assert_eq!(found, expected, "{path}");
    }
}
