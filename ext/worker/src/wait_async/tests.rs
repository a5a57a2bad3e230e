//! Waiters on one and two event loops.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::*;

fn waiter(waiters: &Waiters, pool: &ThreadPool, address: usize) -> Option<usize> {
    waiters.add(address, || true, |id| (id, pool.pending(Box::new(|_, _| Ok(()))).1))
}

#[test]
fn the_oldest_waiters_are_notified_first() {
    let (waiters, pool) = (Waiters::new(), ThreadPool::new().expect("an eventfd"));
    let next_id: Vec<_> = (0..4).filter_map(|_| waiter(&waiters, &pool, 8)).collect();
    assert_eq!(waiters.notify(&pool, 16, usize::MAX), 0);
    assert_eq!(waiters.notify(&pool, 8, 2), 2);
    assert!(!waiters.remove(8, next_id[1]), "it was notified");
    assert!(waiters.remove(8, next_id[2]));
    assert!(waiters.has_waiters());
    assert_eq!(waiters.notify(&pool, 8, usize::MAX), 1);
    assert!(!waiters.has_waiters());
    assert_eq!(pool.take_completed().len(), 3);
}

#[test]
fn an_unexpected_value_adds_no_waiter() {
    let (waiters, pool) = (Waiters::new(), ThreadPool::new().expect("an eventfd"));
    let added = waiters.add(8, || false, |id| (id, pool.pending(Box::new(|_, _| Ok(()))).1));
    assert_eq!(added, None);
    assert!(!waiters.has_waiters());
}

#[test]
fn a_closed_loop_removes_its_waiters() {
    let waiters = Waiters::new();
    let (closed, other) = (ThreadPool::new().expect("an eventfd"), ThreadPool::new().expect("an eventfd"));
    for pool in [&closed, &other, &closed] {
        waiter(&waiters, pool, 8);
    }
    waiters.remove_loop(&closed);
    assert_eq!(waiters.notify(&other, 8, usize::MAX), 1);
    assert_eq!((closed.take_completed().len(), other.take_completed().len()), (0, 1));
}

/// A thread that changes the value and then notifies reaches every waiter that saw the old value.
#[test]
fn no_waiter_is_missed() {
    for _ in 0..if cfg!(miri) { 5 } else { 500 } {
        let waiters = Arc::new(Waiters::new());
        let word = Arc::new(AtomicI32::new(0));
        let (their_waiters, their_word) = (Arc::clone(&waiters), Arc::clone(&word));
        let notifier = thread::spawn(move || {
            let pool = ThreadPool::new().expect("an eventfd");
            their_word.store(1, Ordering::SeqCst);
            if their_waiters.has_waiters() { their_waiters.notify(&pool, 8, usize::MAX) } else { 0 }
        });
        let pool = ThreadPool::new().expect("an eventfd");
        let waiter = waiters.add(
            8,
            || word.load(Ordering::SeqCst) == 0,
            |id| (id, pool.pending(Box::new(|_, _| Ok(()))).1),
        );
        let notified = notifier.join().expect("it ends");
        assert_eq!(notified, usize::from(waiter.is_some()));
        let deadline = Instant::now() + Duration::from_secs(10);
        while waiter.is_some() && pool.take_completed().is_empty() {
            assert!(Instant::now() < deadline, "it was notified without a completion");
        }
    }
}
