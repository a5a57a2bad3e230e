//! The filter passes every message of the tables, and rejects usual messages of programs.

use super::{may_be_known, prefixes};

#[test]
fn messages_of_the_tables_pass() {
    for prefix in prefixes() {
        assert!(may_be_known(prefix) && may_be_known(&format!("{prefix} and more")), "{prefix}");
    }
}

#[test]
fn most_messages_of_programs_are_rejected() {
    for message in [
        "",
        "boom",
        "ENOENT: no such file or directory, open 'x'",
        "Cannot find module 'x'",
        "expected 1 to be 2",
    ] {
        assert!(!may_be_known(message), "{message}");
    }
}
