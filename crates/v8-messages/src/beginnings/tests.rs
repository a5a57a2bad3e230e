//! What no table has is told at once, and nothing that one has.

use super::{beginnings, is_known};

#[test]
fn what_a_table_has_is_looked_for() {
    for beginning in beginnings() {
        assert!(is_known(beginning) && is_known(&format!("{beginning} and more")), "{beginning}");
    }
}

#[test]
fn most_messages_of_programs_are_not_looked_for() {
    for message in [
        "",
        "boom",
        "ENOENT: no such file or directory, open 'x'",
        "Cannot find module 'x'",
        "expected 1 to be 2",
    ] {
        assert!(!is_known(message), "{message}");
    }
}
