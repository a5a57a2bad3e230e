//! Transpiled files, kept on disk so that the next start need not make them again. In: a folder, a
//! text, how it is to be read. Out: the `Script`, made now or then. An entry is named by a digest
//! of all that decides it and begins with a digest of itself, so two programs that write one at
//! once do no harm, nor does a damaged one: it is made again. Absent: what is made in less time
//! than a file takes to be found.

mod codec;

use std::fmt::Write;
use std::path::PathBuf;

use rusk_base::files;
use rusk_base::sys;
use sha2::{Digest, Sha256};

use crate::options::{Jsx, Options};
use crate::script::Script;
use crate::syntax_error::SyntaxErrors;
use crate::transpile::{is_passthrough, transpile};

/// What comes out has another form: entries of before are not found. With every change of what is
/// emitted.
const FORMAT_VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), ".8");

/// Shorter texts are made in the time that it takes to find an entry: see
/// docs/contributing/transpile.md.
const SOURCE_BYTES_MIN: usize = 4 << 10;

/// One entry; larger ones would push out everything else.
const ENTRY_BYTES_MAX: u64 = 64 << 20;

/// All entries. A large project with its packages takes some 20 MiB.
const CACHE_BYTES_MAX: u64 = 512 << 20;

/// One in so many entries written has the folder looked through, which takes milliseconds.
const WRITES_PER_PRUNE: u8 = 64;

const DIGEST_BYTES: usize = 16;

/// A folder of transpiled files.
#[derive(Clone)]
pub struct Cache {
    directory: PathBuf,
    bytes_max: u64,
}

impl Cache {
    /// The folder need not be there.
    pub fn new(directory: PathBuf) -> Cache {
        Cache { directory, bytes_max: CACHE_BYTES_MAX }
    }

    /// As `transpile`. What cannot be read or written is as if it were not there.
    pub fn transpile(&self, source: &str, path: &str, options: &Options) -> Result<Script, SyntaxErrors> {
        if source.len() < SOURCE_BYTES_MIN || is_passthrough(source, options) {
            return transpile(source, path, options);
        }
        let key = key(source, path, options);
        if let Some(script) = self.find(&key) {
            return Ok(script);
        }
        let script = transpile(source, path, options)?;
        self.write(&key, &script);
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
            || (files::make_folders(&self.directory).is_ok()
                && files::write_atomically(&path, &bytes).is_ok());
        if is_written && key[0].is_multiple_of(WRITES_PER_PRUNE) {
            _ = self.prune();
        }
    }

    /// Where there is too much, the half that was written first goes.
    fn prune(&self) -> sys::Result<()> {
        files::remove_oldest(&self.directory, self.bytes_max)
    }
}

fn truncated(digest: &[u8]) -> [u8; DIGEST_BYTES] {
    let mut short = [0; DIGEST_BYTES];
    short.copy_from_slice(&digest[..DIGEST_BYTES]);
    short
}

/// What names the script of a text for whoever keeps many of them in one place; `None`: it is made
/// in less time than it is found.
pub fn entry_name(source: &str, path: &str, options: &Options) -> Option<[u8; DIGEST_BYTES]> {
    (!is_passthrough(source, options)).then(|| key(source, path, options))
}

/// A script as bytes.
pub fn render(script: &Script) -> Vec<u8> {
    codec::render(script)
}

/// The script of such bytes, if they are those of one.
pub fn parse(bytes: &[u8]) -> Option<Script> {
    codec::parse(bytes)
}

/// All that decides what comes out. SHA-256, because what one project's file became must not be had
/// by another file that was made to look like it.
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
        prefix,
        defines,
    } = options;
    let has_path = matches!(jsx, Jsx::Automatic { is_development: true, .. });
    let path = if has_path { path } else { "" };
    let settings = format!(
        "{FORMAT_VERSION}\n{language:?} {kind:?} {jsx:?} {decorators:?} {fields:?} {imports:?} {cjs_globals:?} {strictness:?} {async_context:?} {prefix} {defines:?}\n{path:?}\n"
    );
    truncated(Sha256::new().chain_update(settings).chain_update(source).finalize().as_slice())
}

#[cfg(test)]
mod tests;
