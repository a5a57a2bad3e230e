//! Tests of the names of dist-tags.

use super::is_valid;

#[test]
fn a_version_range_is_no_tag() {
    for tag in ["latest", "next", "beta-1", "canary.2024"] {
        assert!(is_valid(tag), "{tag}");
    }
    for tag in ["1.0.0", "1", "x", "v2", "", "a/b", "a b", "^1", "../x"] {
        assert!(!is_valid(tag), "{tag}");
    }
}
