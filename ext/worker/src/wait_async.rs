//! Waiter lists of `Atomics.waitAsync`, for all threads of the process. The engine's own lists have
//! only blocked threads: it does not offer `waitAsync` to embedders. In: addresses, completers.
//! Out: how many waiters were notified. Absent: validation; blocked threads, which the engine
//! notifies first.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusk_runtime::{Completer, ThreadPool};

#[cfg(test)]
mod tests;

/// Of the process: all threads share the memory.
pub(crate) static WAITERS: Waiters = Waiters::new();

pub(crate) struct Waiters {
    by_address: Mutex<Option<HashMap<usize, VecDeque<Waiter>>>>,
    /// The number of waiters: most programs have none, and `Atomics.notify` must stay fast.
    count: AtomicUsize,
    next_id: AtomicUsize,
}

struct Waiter {
    id: usize,
    completer: Completer,
}

impl Waiters {
    const fn new() -> Waiters {
        Waiters { by_address: Mutex::new(None), count: AtomicUsize::new(0), next_id: AtomicUsize::new(1) }
    }

    pub fn has_waiters(&self) -> bool {
        self.count.load(Ordering::SeqCst) != 0
    }

    /// Adds a waiter if the memory has the expected value. No notification is possible between the
    /// comparison and that. `make` gets the waiter's id and creates its completer.
    pub fn add<T>(
        &self,
        address: usize,
        is_expected: impl FnOnce() -> bool,
        make: impl FnOnce(usize) -> (T, Completer),
    ) -> Option<T> {
        let mut lists = self.lock();
        // Counted before the comparison: a thread that changes the value and sees no waiter has
        // changed it before the comparison, which then sees the new value.
        self.count.fetch_add(1, Ordering::SeqCst);
        if !is_expected() {
            self.count.fetch_sub(1, Ordering::SeqCst);
            return None;
        }
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        let (value, completer) = make(id);
        lists.get_or_insert_default().entry(address).or_default().push_back(Waiter { id, completer });
        Some(value)
    }

    /// Notifies and removes up to `count_max` waiters, the oldest first.
    pub fn notify(&self, pool: &ThreadPool, address: usize, count_max: usize) -> usize {
        let notified = self.take(address, |list| {
            let count = list.len().min(count_max);
            list.drain(..count).collect()
        });
        let count = notified.len();
        for waiter in notified {
            pool.ref_for(&waiter.completer);
            waiter.completer.send(Box::new(()));
        }
        count
    }

    /// Removes a waiter; false: it was notified already.
    pub fn remove(&self, address: usize, id: usize) -> bool {
        let removed = self.take(address, |list| {
            let index = list.iter().position(|waiter| waiter.id == id);
            index.and_then(|index| list.remove(index)).into_iter().collect()
        });
        !removed.is_empty()
    }

    /// Removes the waiters of an event loop that is closed.
    pub fn remove_loop(&self, pool: &ThreadPool) {
        if !self.has_waiters() {
            return;
        }
        let addresses: Vec<usize> = self.lock().iter().flat_map(HashMap::keys).copied().collect();
        for address in addresses {
            let removed: Vec<Waiter> = self.take(address, |list| {
                let (own, others): (Vec<_>, Vec<_>) =
                    list.drain(..).partition(|waiter| pool.owns(&waiter.completer));
                list.extend(others);
                own
            });
            drop(removed);
        }
    }

    fn take(&self, address: usize, choose: impl FnOnce(&mut VecDeque<Waiter>) -> Vec<Waiter>) -> Vec<Waiter> {
        let mut lists = self.lock();
        let Some(lists) = lists.as_mut() else { return Vec::new() };
        let Some(list) = lists.get_mut(&address) else { return Vec::new() };
        let removed = choose(list);
        if list.is_empty() {
            lists.remove(&address);
        }
        self.count.fetch_sub(removed.len(), Ordering::SeqCst);
        removed
    }

    fn lock(&self) -> MutexGuard<'_, Option<HashMap<usize, VecDeque<Waiter>>>> {
        self.by_address.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
