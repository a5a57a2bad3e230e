//! Tests of Landlock rulesets.

use std::os::fd::AsFd;

use super::super::{CWD, open_directory};
use super::*;

#[test]
fn a_ruleset_takes_rules() {
    let Some(abi) = abi() else {
        // A kernel without Landlock rejects rulesets.
        assert!(Ruleset::new(Restrictions::default(), 1).is_err());
        return;
    };
    let restrictions = Restrictions { files: READ_FILE | WRITE_FILE | READ_DIR, ..Restrictions::default() };
    let ruleset = Ruleset::new(restrictions, abi).unwrap();
    let root = open_directory(CWD, "/").unwrap();
    ruleset.allow(root.as_fd(), READ_FILE | READ_DIR).unwrap();
    assert_eq!(
        ruleset.allow(root.as_fd(), MAKE_REG).err(),
        Some(Errno::INVAL),
        "a right it does not restrict"
    );
    assert_eq!(Ruleset::new(Restrictions::default(), abi).err(), Some(Errno::NOMSG), "no restriction");
}
