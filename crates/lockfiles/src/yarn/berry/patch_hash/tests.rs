//! Hashes of Yarn's patches, as it writes them.

use super::{KnownPatch, ToolVersion};

fn of<'t>(name: &str, version: &str, known: &[KnownPatch<'t>]) -> Option<&'t str> {
    super::of(name, version, known, ToolVersion::NEWEST)
}

#[test]
fn a_patch_that_the_lockfile_has_comes_first() {
    let known = [("5.6.1-rc", "old"), ("5.8.2", "new")];
    for (version, hash) in [("5.9.3", "new"), ("6.0.3", "new"), ("5.6.3", "old"), ("5.4.5", "5adc0c")] {
        assert_eq!(of("typescript", version, &known), Some(hash), "{version}");
    }
    // Yarn 4.4.1 has one patch for all of these.
    assert_eq!(of("typescript", "5.9.3", &[("5.7.2", "8c6c40")]), Some("8c6c40"));
}

#[test]
fn without_one_the_listed_hash_is_taken() {
    for (name, version, hash) in [
        ("typescript", "4.8.4", Some("1a91c8")),
        ("typescript", "5.5.4", Some("379a07")),
        ("typescript", "5.9.3", Some("5786d5")),
        ("typescript", "4.0.2", None),
        ("fsevents", "2.3.3", Some("df0bf1")),
        ("resolve", "1.22.10", Some("9bd1a5")),
    ] {
        assert_eq!(of(name, version, &[]), hash, "{name} {version}");
    }
    assert_eq!(of("resolve", "1.22.10", &[("1.0.0", "c3c19d")]), Some("c3c19d"));
    assert_eq!(of("typescript", "4.0.2", &[("5.8.2", "5786d5")]), Some("5786d5"));
}
