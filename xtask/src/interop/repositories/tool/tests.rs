//! What a tool may add to a lockfile that it accepts.

use super::*;

#[test]
fn a_checksum_that_yarn_adds_is_no_difference() {
    let (before, after) = ("a:\n  checksum: 1\nb:\n", "a:\n  checksum: 1\nb:\n  checksum: 2\n");
    for (tool, expected) in [("yarn@4.1.0", before), ("yarn@1.22.0", after), ("npm@11.0.0", after)] {
        assert_eq!(Kind::parse(tool).unwrap().without_added(before, after), expected, "{tool}");
    }
}

#[test]
fn a_tool_without_a_version_is_an_error() {
    assert!(Kind::parse("pnpm").is_err() && Kind::parse("deno@2").is_err());
}
