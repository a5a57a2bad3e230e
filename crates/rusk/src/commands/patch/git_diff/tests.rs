//! Tests of the headers of a diff.

use super::with_both_prefixes;

fn check(line: &str, expected: &str) {
    let found = with_both_prefixes(format!("{line}\n").as_bytes());
    assert_eq!(String::from_utf8_lossy(&found), format!("{expected}\n"));
}

#[test]
fn both_sides_of_a_file_are_named() {
    check("diff --git b/new.js b/new.js", "diff --git a/new.js b/new.js");
    check("diff --git a/old b c.js a/old b c.js", "diff --git a/old b c.js b/old b c.js");
    check("diff --git a/x b/x", "diff --git a/x b/x");
}

#[test]
fn lines_of_files_stay() {
    check("+diff --git b/x b/x", "+diff --git b/x b/x");
    check("diff --git odd", "diff --git odd");
}
