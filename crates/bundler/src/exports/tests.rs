//! Paths relative to directories. In: two paths. Out: the path from one to the other.

use std::path::Path;

use super::relative_path;

#[test]
fn paths_are_relative_to_directories() {
    let check = |from: &str, to: &str, expected: &str| {
        assert_eq!(relative_path(Path::new(from), Path::new(to)), expected, "{from} {to}");
        let slow = relative_path(&Path::new(from).join("./."), Path::new(to));
        assert_eq!(slow, expected, "{from} {to}, by components");
    };
    check("/a/b", "/a/b/c.js", "c.js");
    check("/a/b/", "/a/b/c.js", "c.js");
    check("/a/b", "/a/bc/d.js", "../bc/d.js");
    check("/a/bc", "/a/b", "../b");
    check("/a/b/c", "/a", "../..");
    check("/a/b", "/a/b", "");
    check("/", "/a.js", "a.js");
    check("/x/y", "/a.js", "../../a.js");
    check("/a/ü", "/a/ö/é.js", "../ö/é.js");
    check("/a", "b.js", "b.js");
}
