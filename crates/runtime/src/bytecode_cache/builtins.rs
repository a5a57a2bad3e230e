//! Bytecode of our builtins, which all threads share. In: the key of a script. Out: its bytecode.
//! The cache file has what main threads of earlier starts have run. Where many workers start and
//! end, what some of them have run is recorded in memory for later ones: the engine retains the
//! name of each field of a class that it compiles, in every VM again, but nothing of a class whose
//! bytecode it is given. Absent: writing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusk_jsc::{CodeCache, CodeCacheKey};

use super::cache_file::CacheFile;

/// A program with fewer workers is not slowed down by recording.
const WORKERS_MIN: usize = 8;

/// Records of one script. Workers run different functions of it, and the longest record has the
/// most of them.
const RECORDS_MAX: usize = 8;

/// Recordings that are begun: workers that are terminated leave no record.
const BEGUN_MAX: usize = 64;

pub struct BuiltinBytecode {
    pub file: PathBuf,
    /// Identifies the versions of the engine and of rusk that can read a cache file.
    pub version_key: CodeCacheKey,
    pub cache_file: CacheFile,
    workers: AtomicUsize,
    records: Mutex<BTreeMap<CodeCacheKey, Records>>,
}

/// Recorded bytecode of one script.
#[derive(Default)]
struct Records {
    begun: usize,
    ended: usize,
    /// Shorter ones before it are leaked: VMs may run them.
    longest: Option<&'static [u8]>,
}

impl BuiltinBytecode {
    pub fn new(file: PathBuf, version_key: CodeCacheKey, cache_file: CacheFile) -> BuiltinBytecode {
        BuiltinBytecode {
            file,
            version_key,
            cache_file,
            workers: AtomicUsize::new(0),
            records: Mutex::default(),
        }
    }

    /// That of all cache files.
    pub fn directory(&self) -> &Path {
        self.file.parent().unwrap_or(&self.file)
    }

    pub fn begin_worker(&self) {
        self.workers.fetch_add(1, Ordering::Relaxed);
    }

    /// The bytecode for a worker. `None`: it parses the script and records nothing.
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
        self.cache_file.find(&name).map(CodeCache::Consume)
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
