//! Who waits for words, on the loops of one thread and of two.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use super::*;

fn waiter(waiters: &Waiters, pool: &ThreadPool, address: usize) -> Option<usize> {
    waiters.wait(address, || true, |number| (number, pool.pending(Box::new(|_, _| Ok(()))).1))
}

#[test]
fn those_who_have_waited_longest_are_told_first() {
    let (waiters, pool) = (Waiters::new(), ThreadPool::new().expect("an eventfd"));
    let numbers: Vec<_> = (0..4).filter_map(|_| waiter(&waiters, &pool, 8)).collect();
    assert_eq!(waiters.notify(&pool, 16, usize::MAX), 0);
    assert_eq!(waiters.notify(&pool, 8, 2), 2);
    assert!(!waiters.forget(8, numbers[1]), "it was told");
    assert!(waiters.forget(8, numbers[2]));
    assert!(waiters.is_any());
    assert_eq!(waiters.notify(&pool, 8, usize::MAX), 1);
    assert!(!waiters.is_any());
    assert_eq!(pool.take_completed().len(), 3);
}

#[test]
fn a_word_that_is_not_as_expected_is_not_waited_for() {
    let (waiters, pool) = (Waiters::new(), ThreadPool::new().expect("an eventfd"));
    let refused = waiters.wait(8, || false, |number| (number, pool.pending(Box::new(|_, _| Ok(()))).1));
    assert_eq!(refused, None);
    assert!(!waiters.is_any());
}

#[test]
fn a_loop_that_goes_takes_its_own_along() {
    let waiters = Waiters::new();
    let (gone, other) = (ThreadPool::new().expect("an eventfd"), ThreadPool::new().expect("an eventfd"));
    for pool in [&gone, &other, &gone] {
        waiter(&waiters, pool, 8);
    }
    waiters.leave(&gone);
    assert_eq!(waiters.notify(&other, 8, usize::MAX), 1);
    assert_eq!((gone.take_completed().len(), other.take_completed().len()), (0, 1));
}

/// Who changes the word and then tells misses nobody who saw it unchanged.
#[test]
fn nobody_is_missed() {
    for _ in 0..if cfg!(miri) { 5 } else { 500 } {
        let waiters = Arc::new(Waiters::new());
        let word = Arc::new(AtomicI32::new(0));
        let (their_waiters, their_word) = (Arc::clone(&waiters), Arc::clone(&word));
        let teller = thread::spawn(move || {
            let pool = ThreadPool::new().expect("an eventfd");
            their_word.store(1, Ordering::SeqCst);
            if their_waiters.is_any() { their_waiters.notify(&pool, 8, usize::MAX) } else { 0 }
        });
        let pool = ThreadPool::new().expect("an eventfd");
        let waits = waiters.wait(
            8,
            || word.load(Ordering::SeqCst) == 0,
            |number| (number, pool.pending(Box::new(|_, _| Ok(()))).1),
        );
        let told = teller.join().expect("it ends");
        assert_eq!(told, usize::from(waits.is_some()));
        let until = Instant::now() + Duration::from_secs(10);
        while waits.is_some() && pool.take_completed().is_empty() {
            assert!(Instant::now() < until, "it was told and does not hear of it");
        }
    }
}
