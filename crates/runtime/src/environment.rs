//! Environment variables that several threads share: those of a worker with `SHARE_ENV` and of the
//! thread that started it. In: names and values. Out: the same for all. Absent: variables of one
//! thread; JavaScript holds those.

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
