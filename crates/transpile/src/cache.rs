//! Transpile cache: transpiled files on disk, so that the next start need not transpile them again.
//! In: a directory, the source text, options. Out: the `Script`, from the cache or transpiled now.
//!
//! An entry's name is a digest of everything that determines it, and it begins with a digest of its
//! content. So two programs may write one at the same time, and a damaged one is transpiled again.
//! Absent: files that are transpiled faster than a cache entry is found.

mod codec;
mod recent;

use std::fmt::Write;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use rusk_base::files;
use rusk_base::sys;
use sha2::{Digest, Sha256};

use crate::options::{Jsx, Options};
use crate::script::Script;
use crate::syntax_error::SyntaxErrors;
use crate::transpile::{is_passthrough, transpile};
use recent::Recent;

/// Version of the output. To be increased with every change of the emitted code: older entries are
/// then not found.
const FORMAT_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), ".15");

/// Shorter files are transpiled in the time that it takes to find an entry: see
/// docs/contributing/transpile.md.
const SOURCE_BYTES_MIN: usize = 4 << 10;

/// Limit of one entry; larger ones would evict everything else.
const ENTRY_BYTES_MAX: u64 = 64 << 20;

/// Limit of all entries. A large project with its packages takes some 20 MiB.
const CACHE_BYTES_MAX: u64 = 512 << 20;

/// One write in this many prunes the directory, which takes milliseconds.
const WRITES_PER_PRUNE: u8 = 64;

const DIGEST_BYTES: usize = 16;

/// A directory of transpiled files.
#[derive(Clone)]
pub struct Cache {
    directory: PathBuf,
    bytes_max: u64,
    recent: Arc<OnceLock<Mutex<Recent>>>,
}

impl Cache {
    /// The directory need not exist.
    pub fn new(directory: PathBuf) -> Cache {
        Cache { directory, bytes_max: CACHE_BYTES_MAX, recent: Arc::default() }
    }

    /// From now on also keeps in memory what is transpiled more than once: in a process that loads
    /// the same files again and again.
    pub fn keep_recent(&self) {
        self.recent.get_or_init(Mutex::default);
    }

    /// Like `transpile`. I/O errors count as cache misses.
    pub fn transpile(&self, source: &str, path: &str, options: &Options) -> Result<Script, SyntaxErrors> {
        let recent = self.recent.get();
        let is_on_disk = source.len() >= SOURCE_BYTES_MIN;
        if !(is_on_disk || recent.is_some()) || is_passthrough(source, options) {
            return transpile(source, path, options);
        }
        let key = key(source, path, options);
        if let Some(script) = recent.and_then(|recent| lock(recent).find(&key)) {
            return Ok(script);
        }
        let found = if is_on_disk { self.find(&key) } else { None };
        let script = match found {
            Some(script) => script,
            None => {
                let script = transpile(source, path, options)?;
                if is_on_disk {
                    self.write(&key, &script);
                }
                script
            }
        };
        if let Some(recent) = recent {
            lock(recent).add(key, &script);
        }
        Ok(script)
    }

    fn path(&self, key: &[u8; DIGEST_BYTES]) -> PathBuf {
        let mut name = String::with_capacity(2 * DIGEST_BYTES);
        for byte in key {
            _ = write!(name, "{byte:02x}");
        }
        self.directory.join(name)
    }

    fn find(&self, key: &[u8; DIGEST_BYTES]) -> Option<Script> {
        let bytes = files::find_bytes(&self.path(key), ENTRY_BYTES_MAX).ok()??;
        let (digest, body) = bytes.split_at_checked(DIGEST_BYTES)?;
        if digest != truncated(Sha256::digest(body).as_slice()) {
            return None;
        }
        codec::parse(body)
    }

    fn write(&self, key: &[u8; DIGEST_BYTES], script: &Script) {
        let body = codec::render(script);
        let bytes = [&truncated(Sha256::digest(&body).as_slice())[..], &body].concat();
        if bytes.len() as u64 > ENTRY_BYTES_MAX {
            return;
        }
        let path = self.path(key);
        let is_written = files::write_atomically(&path, &bytes).is_ok()
            || (files::create_directories(&self.directory).is_ok()
                && files::write_atomically(&path, &bytes).is_ok());
        if is_written && key[0].is_multiple_of(WRITES_PER_PRUNE) {
            _ = self.prune();
        }
    }

    /// Above the limit, removes the older half.
    fn prune(&self) -> sys::Result<()> {
        files::remove_oldest(&self.directory, self.bytes_max)
    }
}

fn lock(recent: &Mutex<Recent>) -> MutexGuard<'_, Recent> {
    recent.lock().unwrap_or_else(PoisonError::into_inner)
}

fn truncated(digest: &[u8]) -> [u8; DIGEST_BYTES] {
    let mut short = [0; DIGEST_BYTES];
    short.copy_from_slice(&digest[..DIGEST_BYTES]);
    short
}

/// Cache key of a script, for a caller that stores many in one file. None if it is transpiled in
/// less time than it is found.
pub fn entry_name(source: &str, path: &str, options: &Options) -> Option<[u8; DIGEST_BYTES]> {
    (!is_passthrough(source, options)).then(|| key(source, path, options))
}

/// Serializes a script.
pub fn render(script: &Script) -> Vec<u8> {
    codec::render(script)
}

/// Deserializes a script; None for invalid bytes.
pub fn parse(bytes: &[u8]) -> Option<Script> {
    codec::parse(bytes)
}

/// Digest of everything that determines the output. SHA-256, so that no file can be
/// crafted that has the digest of another project's file.
fn key(source: &str, path: &str, options: &Options) -> [u8; DIGEST_BYTES] {
    let Options {
        language,
        kind,
        jsx,
        decorators,
        fields,
        imports,
        cjs_globals,
        strictness,
        async_context,
        module_state,
        prefix,
        defines,
    } = options;
    let has_path = matches!(jsx, Jsx::Automatic { is_development: true, .. });
    let path = if has_path { path } else { "" };
    let settings = format!(
        "{FORMAT_VERSION}\n{language:?} {kind:?} {jsx:?} {decorators:?} {fields:?} {imports:?} {cjs_globals:?} {strictness:?} {async_context:?} {module_state:?} {prefix} {defines:?}\n{path:?}\n"
    );
    truncated(Sha256::new().chain_update(settings).chain_update(source).finalize().as_slice())
}

#[cfg(test)]
mod tests;
