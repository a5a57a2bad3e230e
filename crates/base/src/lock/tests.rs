//! File locks: exclusion and timeouts.

use super::*;
use crate::files::tests::scratch;

#[test]
fn a_lock_has_one_holder() {
    let directory = scratch();
    let path = directory.path().join("lock");
    let held = FileLock::try_acquire(&path).expect("lockable").expect("free");
    assert!(FileLock::try_acquire(&path).expect("lockable").is_none());
    drop(held);
    assert!(FileLock::try_acquire(&path).expect("lockable").is_some());
}

#[test]
fn a_timeout_names_the_subject() {
    let directory = scratch();
    let path = directory.path().join("lock");
    let _held = FileLock::try_acquire(&path).expect("lockable").expect("free");
    let mut tries = 0;
    let wait = LockWait { subject: "another install", limit: Duration::from_millis(1) };
    let problem = FileLock::acquire(&path, wait, &mut |_| tries += 1).expect_err("held");
    assert_eq!(problem.message(), "waited 0 s for another install");
    assert!(tries >= 1);
}
