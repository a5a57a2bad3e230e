//! Who gets a lock, and how the wait for it ends.

use super::*;
use crate::files::tests::scratch;

#[test]
fn a_lock_has_one_holder() {
    let folder = scratch();
    let path = folder.path().join("lock");
    let held = FileLock::try_acquire(&path).expect("lockable").expect("free");
    assert!(FileLock::try_acquire(&path).expect("lockable").is_none());
    drop(held);
    assert!(FileLock::try_acquire(&path).expect("lockable").is_some());
}

#[test]
fn waiting_ends_and_says_what_for() {
    let folder = scratch();
    let path = folder.path().join("lock");
    let _held = FileLock::try_acquire(&path).expect("lockable").expect("free");
    let mut tries = 0;
    let wait = LockWait { subject: "another install", limit: Duration::from_millis(1) };
    let problem = FileLock::acquire(&path, wait, &mut |_| tries += 1).expect_err("held");
    assert_eq!(problem.message(), "waited 0 s for another install");
    assert!(tries >= 1);
}
