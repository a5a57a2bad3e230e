//! The code of our own files, which all threads share. In: a script's name. Out: its code. The pack
//! has what main threads of before have run. Where workers come and go, what some of them have run
//! is recorded in memory, for those behind them: the engine keeps the name of each field of a class
//! that it compiles, in every VM anew, and nothing of one whose code it is given. Absent: writing.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusk_jsc::{CodeCache, CodeCacheKey};

use super::pack::Pack;

/// A program of so few workers is not slowed by records.
const WORKERS_MIN: usize = 8;

/// Of a script. They run different functions of it, and the longest record has the most of them.
const RECORDS_MAX: usize = 8;

/// Workers that are ended from outside leave no record.
const BEGUN_MAX: usize = 64;

pub struct BuiltinBytecode {
    pub folder: PathBuf,
    /// The engine and we, as packs are marked.
    pub maker: CodeCacheKey,
    pub pack: Pack,
    workers: AtomicUsize,
    records: Mutex<BTreeMap<CodeCacheKey, Records>>,
}

/// Of one script.
#[derive(Default)]
struct Records {
    begun: usize,
    ended: usize,
    /// Shorter ones before it stay where they are: VMs may run them.
    longest: Option<&'static [u8]>,
}

impl BuiltinBytecode {
    pub fn new(folder: PathBuf, maker: CodeCacheKey, pack: Pack) -> BuiltinBytecode {
        BuiltinBytecode { folder, maker, pack, workers: AtomicUsize::new(0), records: Mutex::default() }
    }

    pub fn begin_worker(&self) {
        self.workers.fetch_add(1, Ordering::Relaxed);
    }

    /// For a worker. `None`: it is parsed, and nobody wants to know what it becomes.
    pub fn for_worker(&self, name: CodeCacheKey) -> Option<CodeCache> {
        if self.workers.load(Ordering::Relaxed) > WORKERS_MIN {
            let mut records = self.records();
            let records = records.entry(name).or_default();
            if records.ended < RECORDS_MAX && records.begun < BEGUN_MAX {
                records.begun += 1;
                return Some(CodeCache::Produce(name));
            }
            if let Some(code) = records.longest {
                return Some(CodeCache::Consume(code));
            }
        }
        self.pack.find(&name).map(CodeCache::Consume)
    }

    pub fn record(&self, name: CodeCacheKey, code: Vec<u8>) {
        let mut records = self.records();
        let records = records.entry(name).or_default();
        records.ended += 1;
        if records.longest.is_none_or(|longest| longest.len() < code.len()) {
            records.longest = Some(code.leak());
        }
    }

    fn records(&self) -> MutexGuard<'_, BTreeMap<CodeCacheKey, Records>> {
        self.records.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests;
