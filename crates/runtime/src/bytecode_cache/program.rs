//! The pack of one program, which the thread that transpiles ahead uses too. In: names. Out: code,
//! scripts; and what was used of them, for the pack that is written next: what a program no longer
//! has is not in it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use rusk_jsc::CodeCacheKey;
use rusk_transpile::{Script, cache};

use super::pack::Pack;

/// A program of less text is not worth a file.
const TEXT_BYTES_MIN: usize = 16 << 10;

/// A pack is written again when so many of the scripts were not in it: one in eight.
const MISSED_PARTS: usize = 8;

pub struct ProgramPack {
    file: PathBuf,
    pack: Pack,
    /// How long all texts of the program are.
    text_bytes: AtomicUsize,
    used: Mutex<Vec<CodeCacheKey>>,
    made: Mutex<BTreeMap<CodeCacheKey, Vec<u8>>>,
}

impl ProgramPack {
    pub fn open(file: PathBuf, maker: &CodeCacheKey) -> ProgramPack {
        let pack = Pack::open(&file, maker);
        let (used, made) = (Mutex::default(), Mutex::default());
        ProgramPack { file, pack, text_bytes: AtomicUsize::new(0), used, made }
    }

    pub fn file(&self) -> &Path {
        &self.file
    }

    /// The code of a text, and how long that is.
    pub fn find_code(&self, name: &CodeCacheKey, text_bytes: usize) -> Option<&'static [u8]> {
        self.text_bytes.fetch_add(text_bytes, Ordering::Relaxed);
        self.find(name)
    }

    pub fn find_script(&self, name: &CodeCacheKey) -> Option<Script> {
        cache::parse(self.find(name)?)
    }

    fn find(&self, name: &CodeCacheKey) -> Option<&'static [u8]> {
        let found = self.pack.find(name)?;
        self.used.lock().unwrap_or_else(PoisonError::into_inner).push(*name);
        Some(found)
    }

    pub fn keep_script(&self, name: CodeCacheKey, script: &Script) {
        self.made.lock().unwrap_or_else(PoisonError::into_inner).insert(name, cache::render(script));
    }

    pub fn take_scripts(&self) -> BTreeMap<CodeCacheKey, Vec<u8>> {
        std::mem::take(&mut *self.made.lock().unwrap_or_else(PoisonError::into_inner))
    }

    pub fn used(&self) -> Vec<(CodeCacheKey, &'static [u8])> {
        let used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.iter().filter_map(|name| Some((*name, self.pack.find(name)?))).collect()
    }

    /// `missed`: scripts whose code was not there.
    pub fn is_worth_writing(&self, missed: usize) -> bool {
        self.text_bytes.load(Ordering::Relaxed) >= TEXT_BYTES_MIN && missed * MISSED_PARTS >= self.pack.len()
    }
}
