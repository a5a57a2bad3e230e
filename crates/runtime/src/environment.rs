//! Variables that several threads see: those of a worker that shares them with the one who started
//! it (`SHARE_ENV`). In: names and values. Out: the same to all. Absent: variables of one thread;
//! JavaScript keeps those.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

pub struct SharedEnvironment(Mutex<BTreeMap<String, String>>);

impl SharedEnvironment {
    pub fn new(variables: BTreeMap<String, String>) -> SharedEnvironment {
        SharedEnvironment(Mutex::new(variables))
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, String>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn find(&self, name: &str) -> Option<String> {
        self.lock().get(name).cloned()
    }

    pub fn set(&self, name: String, value: String) {
        self.lock().insert(name, value);
    }

    pub fn remove(&self, name: &str) {
        self.lock().remove(name);
    }

    pub fn names(&self) -> Vec<String> {
        self.lock().keys().cloned().collect()
    }
}
