//! Tests of ignore rules.

use super::{EntryKind, IgnoreRules};

#[test]
fn later_rules_win() {
    let rules = IgnoreRules::parse("*.js\n# not this\n\n!keep.js\n");
    assert!(!rules.apply(true, "a.js", None, EntryKind::File));
    assert!(rules.apply(true, "keep.js", None, EntryKind::File));
    assert!(rules.apply(true, "# not this", None, EntryKind::File));
}

#[test]
fn a_slash_at_the_end_means_directories() {
    let rules = IgnoreRules::parse("build/\n");
    assert!(!rules.apply(true, "build", None, EntryKind::Directory));
    assert!(rules.apply(true, "build", None, EntryKind::File));
    assert!(!rules.apply(true, "a/build", Some("build"), EntryKind::Directory));
}

#[test]
fn a_directory_is_included_for_what_it_may_hold() {
    let rules = IgnoreRules::of(["*", "!src/lib/**"]);
    assert!(rules.apply(true, "src", None, EntryKind::Directory));
    assert!(!rules.apply(true, "docs", None, EntryKind::Directory));
}
