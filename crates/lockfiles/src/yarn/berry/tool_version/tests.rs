//! What versions of Yarn begin a lockfile with.

use super::*;

#[test]
fn the_format_follows_the_version_of_yarn() {
    let begun = |named: &str| ToolVersion::of(Some(named)).and_then(begin);
    for (named, expected) in [
        ("yarn@4.4.1", Some("  version: 8\n  cacheKey: 10c0\n")),
        ("yarn@4.14.1", Some("  version: 9\n  cacheKey: 10c0\n")),
        ("yarn@4.18.1+sha512.abc", Some("  version: 10\n  cacheKey: 10c0\n")),
        ("yarn@3.8.7", Some("  version: 6\n  cacheKey: 8\n")),
        ("yarn@1.22.22", None),
        ("npm@11.0.0", None),
    ] {
        let text = begun(named);
        assert_eq!(text.is_some(), expected.is_some(), "{named}");
        assert!(text.unwrap_or_default().ends_with(expected.unwrap_or_default()), "{named}");
    }
}

#[test]
fn the_patch_of_resolve_changed_in_4_17() {
    let hash = |named: &str| ToolVersion::of(Some(named)).map(ToolVersion::resolve_patch);
    assert_eq!(hash("yarn@3.8.7"), Some("c3c19d"));
    assert_eq!(hash("yarn@4.16.0"), Some("c3c19d"));
    assert_eq!(hash("yarn@4.17.0"), Some("9bd1a5"));
}
