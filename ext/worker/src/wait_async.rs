//! Who waits for a word of memory that threads share without holding its thread up: promises of
//! `Atomics.waitAsync`, of all threads. The engine has its own list of threads that wait, and
//! offers no promises to programs like this one. In: where a word lies, and how whoever waits is
//! told. Out: how many were told. Absent: what a word is and whether it may be waited for; threads
//! of the engine's list, who are told first.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusk_runtime::{Completer, ThreadPool};

#[cfg(test)]
mod tests;

/// Of the process: a word is the same for all threads.
pub(crate) static WAITERS: Waiters = Waiters::new();

pub(crate) struct Waiters {
    by_address: Mutex<Option<HashMap<usize, VecDeque<Waiter>>>>,
    /// As many as are in there: most programs have none, and ask often.
    count: AtomicUsize,
    numbers: AtomicUsize,
}

struct Waiter {
    number: usize,
    completer: Completer,
}

impl Waiters {
    const fn new() -> Waiters {
        Waiters { by_address: Mutex::new(None), count: AtomicUsize::new(0), numbers: AtomicUsize::new(1) }
    }

    pub fn is_any(&self) -> bool {
        self.count.load(Ordering::SeqCst) != 0
    }

    /// Adds one if the word is as it expects; nobody is told between the look and that. Its number
    /// is given to the maker of its completer.
    pub fn wait<T>(
        &self,
        address: usize,
        is_expected: impl FnOnce() -> bool,
        make: impl FnOnce(usize) -> (T, Completer),
    ) -> Option<T> {
        let mut lists = self.lock();
        // Counted before the look: who changes the word and finds nobody did so before the look,
        // which sees it.
        self.count.fetch_add(1, Ordering::SeqCst);
        if !is_expected() {
            self.count.fetch_sub(1, Ordering::SeqCst);
            return None;
        }
        let number = self.numbers.fetch_add(1, Ordering::Relaxed);
        let (made, completer) = make(number);
        lists.get_or_insert_default().entry(address).or_default().push_back(Waiter { number, completer });
        Some(made)
    }

    /// Tells those who have waited longest, and takes them out.
    pub fn notify(&self, pool: &ThreadPool, address: usize, count_max: usize) -> usize {
        let told = self.take(address, |list| {
            let count = list.len().min(count_max);
            list.drain(..count).collect()
        });
        let count = told.len();
        for waiter in told {
            pool.ref_for(&waiter.completer);
            waiter.completer.send(Box::new(()));
        }
        count
    }

    /// It waits no more; false: it was told before.
    pub fn forget(&self, address: usize, number: usize) -> bool {
        let found = self.take(address, |list| {
            let place = list.iter().position(|waiter| waiter.number == number);
            place.and_then(|place| list.remove(place)).into_iter().collect()
        });
        !found.is_empty()
    }

    /// Those of a loop that goes.
    pub fn leave(&self, pool: &ThreadPool) {
        if !self.is_any() {
            return;
        }
        let addresses: Vec<usize> = self.lock().iter().flat_map(HashMap::keys).copied().collect();
        for address in addresses {
            let gone: Vec<Waiter> = self.take(address, |list| {
                let (own, others): (Vec<_>, Vec<_>) =
                    list.drain(..).partition(|waiter| pool.owns(&waiter.completer));
                list.extend(others);
                own
            });
            drop(gone);
        }
    }

    fn take(&self, address: usize, choose: impl FnOnce(&mut VecDeque<Waiter>) -> Vec<Waiter>) -> Vec<Waiter> {
        let mut lists = self.lock();
        let Some(lists) = lists.as_mut() else { return Vec::new() };
        let Some(list) = lists.get_mut(&address) else { return Vec::new() };
        let taken = choose(list);
        if list.is_empty() {
            lists.remove(&address);
        }
        self.count.fetch_sub(taken.len(), Ordering::SeqCst);
        taken
    }

    fn lock(&self) -> MutexGuard<'_, Option<HashMap<usize, VecDeque<Waiter>>>> {
        self.by_address.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
