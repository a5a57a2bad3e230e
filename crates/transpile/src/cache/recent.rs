//! Transpiled files in memory, of a process that loads some of them again and again. In: keys,
//! scripts. Out: scripts. Those that come only once are not kept.

use std::collections::{HashMap, HashSet};

use super::DIGEST_BYTES;
use crate::script::Script;

/// Limit of the code that is kept; at the limit all is forgotten. A large project without its
/// packages has some 5 MiB.
const BYTES_MAX: usize = 32 << 20;

/// Limit of the keys that came once.
const ONCE_MAX: usize = 100_000;

type Key = [u8; DIGEST_BYTES];

#[derive(Default)]
pub struct Recent {
    scripts: HashMap<Key, Script>,
    bytes: usize,
    /// Of scripts that came once.
    once: HashSet<Key>,
}

impl Recent {
    pub fn find(&self, key: &Key) -> Option<Script> {
        self.scripts.get(key).cloned()
    }

    /// Keeps a script that was not found, if it comes for the second time.
    pub fn add(&mut self, key: Key, script: &Script) {
        if !self.once.remove(&key) {
            if self.once.len() >= ONCE_MAX {
                self.once.clear();
            }
            self.once.insert(key);
            return;
        }
        let bytes = script.text.as_ref().map_or(0, String::len);
        if self.bytes + bytes > BYTES_MAX {
            self.scripts.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.scripts.insert(key, script.clone());
    }
}

#[cfg(test)]
mod tests;
