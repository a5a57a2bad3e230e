//! Cached bytecode and transpiled sources of one program, or of all test files of a project; the
//! thread that transpiles in advance uses it too. In: keys. Out: bytecode, scripts, and what the
//! file that is written next consists of.

use std::collections::{BTreeMap, BTreeSet};
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

/// Worker processes of tests that write a file of their own; further ones replace those of others.
const TEST_FILES_MAX: usize = 16;

/// A larger file of tests is replaced by one of what this run has used.
const TEST_FILE_BYTES_MAX: usize = 32 << 20;

/// Sources without bytecode of which one test worker produces some.
const NEW_SOURCE_BYTES_MAX: usize = 4 << 20;

/// Bytecode is about so many times as long as its source.
const BYTECODE_FACTOR: usize = 16;

/// Whose scripts they are.
enum Scripts {
    /// A file holds those of the last start. Scripts that the program no longer has are not in it.
    OfProgram,
    /// Each worker process has a file, and reads those of the others. Which of them runs a test
    /// differs from run to run, so earlier scripts stay.
    OfTests,
}

pub struct ProgramCache {
    file: PathBuf,
    scripts: Scripts,
    /// The one that is replaced, and others that are read.
    cache_files: Vec<CacheFile>,
    /// Scripts whose bytecode was looked up, and length of their sources.
    looked_up: Mutex<BTreeSet<CodeCacheKey>>,
    source_bytes: AtomicUsize,
    /// Length of the sources whose bytecode was not found.
    new_source_bytes: AtomicUsize,
    used: Mutex<BTreeMap<CodeCacheKey, &'static [u8]>>,
    made: Mutex<BTreeMap<CodeCacheKey, Vec<u8>>>,
}

impl ProgramCache {
    pub fn open(file: PathBuf, version_key: &CodeCacheKey) -> ProgramCache {
        let cache_file = CacheFile::open(&file, version_key);
        ProgramCache::new(file, Scripts::OfProgram, vec![cache_file])
    }

    /// `prefix`: of the files of a project. `worker`: the number of a worker process, from 1.
    pub fn open_tests(prefix: &Path, worker: usize, version_key: &CodeCacheKey) -> ProgramCache {
        let own = worker.saturating_sub(1) % TEST_FILES_MAX;
        let file = |number: usize| prefix.with_extension(number.to_string());
        let mut cache_files = vec![CacheFile::open(&file(own), version_key)];
        // The first worker of a run writes the first file, and so on.
        let others = (0..TEST_FILES_MAX).map(|number| match number == own {
            true => None,
            false => Some(CacheFile::open(&file(number), version_key)),
        });
        let are_there = others.take_while(|file| file.as_ref().is_none_or(|file| file.len() > 0));
        cache_files.extend(are_there.flatten());
        ProgramCache::new(file(own), Scripts::OfTests, cache_files)
    }

    fn new(file: PathBuf, scripts: Scripts, cache_files: Vec<CacheFile>) -> ProgramCache {
        let (looked_up, source_bytes, new_source_bytes) = Default::default();
        let (used, made) = Default::default();
        ProgramCache { file, scripts, cache_files, looked_up, source_bytes, new_source_bytes, used, made }
    }

    pub fn is_of_tests(&self) -> bool {
        matches!(self.scripts, Scripts::OfTests)
    }

    pub fn mapped(&self) -> impl Iterator<Item = &'static [u8]> {
        self.cache_files.iter().map(CacheFile::bytes)
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The bytecode of a source of this length.
    pub fn find_code(&self, name: &CodeCacheKey, source_bytes: usize) -> FoundCode {
        let is_first = self.looked_up.lock().unwrap_or_else(PoisonError::into_inner).insert(*name);
        if let Some(code) = self.find(name) {
            self.source_bytes.fetch_add(source_bytes, Ordering::Relaxed);
            return FoundCode::Some(code);
        }
        if !is_first {
            // It is produced already, or too much is. Files of tests are evaluated again and again.
            return FoundCode::NotWorth;
        }
        self.source_bytes.fetch_add(source_bytes, Ordering::Relaxed);
        let before = self.new_source_bytes.fetch_add(source_bytes, Ordering::Relaxed);
        match self.is_of_tests() && before + source_bytes > NEW_SOURCE_BYTES_MAX {
            true => FoundCode::NotWorth,
            false => FoundCode::None,
        }
    }

    pub fn find_script(&self, name: &CodeCacheKey) -> Option<Script> {
        cache::parse(self.find(name)?)
    }

    fn find(&self, name: &CodeCacheKey) -> Option<&'static [u8]> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = used.get(name) {
            // Its hash was compared the first time.
            return Some(found);
        }
        let found = self.cache_files.iter().find_map(|file| file.find(name))?;
        used.insert(*name, found);
        Some(found)
    }

    pub fn add_script(&self, name: CodeCacheKey, script: &Script) {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).insert(name, cache::render(script));
    }

    pub fn take_scripts(&self) -> BTreeMap<CodeCacheKey, Vec<u8>> {
        std::mem::take(&mut *self.made.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// What the next file has of earlier ones.
    pub fn kept(&self) -> Vec<(CodeCacheKey, &'static [u8])> {
        let own = &self.cache_files[0];
        if self.is_of_tests() && own.bytes().len() <= TEST_FILE_BYTES_MAX {
            return own.all();
        }
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.iter().map(|(name, code)| (*name, *code)).collect()
    }

    /// `misses`: number of scripts whose bytecode was not found.
    pub fn is_worth_writing(&self, misses: usize) -> bool {
        let own = &self.cache_files[0];
        let is_much = match self.scripts {
            Scripts::OfProgram => misses * MISSES_PER_FILE >= own.len(),
            // One test that is edited and run again is not worth a file of all tests.
            Scripts::OfTests => {
                let looked_up = self.looked_up.lock().unwrap_or_else(PoisonError::into_inner).len();
                let bytes = self.new_source_bytes.load(Ordering::Relaxed) * BYTECODE_FACTOR;
                misses * MISSES_PER_FILE >= looked_up && bytes * MISSES_PER_FILE >= own.bytes().len()
            }
        };
        self.source_bytes.load(Ordering::Relaxed) >= SOURCE_BYTES_MIN && is_much
    }
}

/// The bytecode of a script of a program.
pub enum FoundCode {
    Some(&'static [u8]),
    None,
    /// There is none, and none is produced: it is already, or so much is new.
    NotWorth,
}

#[cfg(test)]
mod tests;
