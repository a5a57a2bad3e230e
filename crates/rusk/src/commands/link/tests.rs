//! Tests of paths between directories.

use std::path::Path;

use super::relative;

fn check(from: &str, to: &str, expected: &str) {
    assert_eq!(relative(Path::new(from), Path::new(to)), expected);
}

#[test]
fn a_path_leads_from_one_directory_to_another() {
    check("/a/app", "/a/left", "../left");
    check("/a/app", "/a/app/packages/left", "./packages/left");
    check("/a/app/b", "/", "../../..");
}
