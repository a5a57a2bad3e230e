//! Cached bytecode and transpiled sources of one program; the thread that transpiles in advance
//! uses it too. In: keys. Out: bytecode, scripts, and which of them were used, for the file that is
//! written next: scripts that a program no longer has are not in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rusk_jsc::CodeCacheKey;
use rusk_transpile::{Script, cache};

use super::cache_file::CacheFile;

/// A smaller program is not worth a file.
const SOURCE_BYTES_MIN: usize = 16 << 10;

/// The file is written again when one script in so many was not in it.
const MISSES_PER_FILE: usize = 8;

pub struct ProgramCache {
    file: PathBuf,
    cache_file: CacheFile,
    /// Length of all sources of the program.
    source_bytes: AtomicUsize,
    used: Mutex<Vec<CodeCacheKey>>,
    made: Mutex<BTreeMap<CodeCacheKey, Vec<u8>>>,
}

impl ProgramCache {
    pub fn open(file: PathBuf, version_key: &CodeCacheKey) -> ProgramCache {
        let cache_file = CacheFile::open(&file, version_key);
        let (used, made) = (Mutex::default(), Mutex::default());
        ProgramCache { file, cache_file, source_bytes: AtomicUsize::new(0), used, made }
    }

    pub fn cache_file(&self) -> &CacheFile {
        &self.cache_file
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The bytecode of a source of this length.
    pub fn find_code(&self, name: &CodeCacheKey, source_bytes: usize) -> Option<&'static [u8]> {
        self.source_bytes.fetch_add(source_bytes, Ordering::Relaxed);
        self.find(name)
    }

    pub fn find_script(&self, name: &CodeCacheKey) -> Option<Script> {
        cache::parse(self.find(name)?)
    }

    fn find(&self, name: &CodeCacheKey) -> Option<&'static [u8]> {
        let found = self.cache_file.find(name)?;
        self.used.lock().unwrap_or_else(PoisonError::into_inner).push(*name);
        Some(found)
    }

    pub fn add_script(&self, name: CodeCacheKey, script: &Script) {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).insert(name, cache::render(script));
    }

    pub fn take_scripts(&self) -> BTreeMap<CodeCacheKey, Vec<u8>> {
        std::mem::take(&mut *self.made.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn used(&self) -> Vec<(CodeCacheKey, &'static [u8])> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.iter().filter_map(|name| Some((*name, self.cache_file.find(name)?))).collect()
    }

    /// `misses`: number of scripts whose bytecode was not found.
    pub fn is_worth_writing(&self, misses: usize) -> bool {
        self.source_bytes.load(Ordering::Relaxed) >= SOURCE_BYTES_MIN
            && misses * MISSES_PER_FILE >= self.cache_file.len()
    }
}
