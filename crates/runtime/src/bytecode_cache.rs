//! Bytecode cache (V8's code cache, Node's compile cache): bytecode of a program's files and of our
//! builtins, and transpiled sources, stored for the next start. In: the source of a script. Out:
//! its value, evaluated from cached bytecode if there is some. New bytecode is written when the
//! program ends or is idle, of tests when all have run. Absent: scripts that are no files, and a
//! program's files in workers; both are parsed.

mod builtins;
mod cache_file;
mod program;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_base::files;
use rusk_jsc::{CodeCache, CodeCacheKey, Engine, KeptScript, Outcome, Scope};
use sha2::{Digest, Sha256};

use crate::program::Program;
use crate::settings::Settings;
use crate::state::RuntimeState;
use crate::worker::WorkerContext;
pub use builtins::BuiltinBytecode;
use cache_file::CacheFile;
use program::FoundCode;
pub use program::ProgramCache;
use rusk_hashes::xx3;

/// Changes with the format of the files: those of an earlier format are not read.
const FORMAT: &str = concat!(env!("CARGO_PKG_VERSION"), ".2");

/// Prefix of the file of the bytecode of our builtins, which all programs share. Builds of rusk
/// with other builtins have other files: the bytecode that a start reads lies close together then,
/// and the kernel maps neighbours of each page that is read. Other files are named by a digest of
/// the path of the program.
const BUILTINS_FILE: &str = "own-";

/// Distinguishes the tests of a project from a program at its path.
const TESTS: &[u8] = b"\0tests";

/// A shorter source is parsed as fast as its bytecode is found.
const SOURCE_BYTES_MIN: usize = 256;

/// Versions of our builtins that are cached at the same time, while they are being edited. There
/// are about 500 files.
const BUILTINS_MAX: usize = 1500;

/// Prefix of environment variables that set options of the engine: other options may give other
/// bytecode.
const ENGINE_VARIABLES: &str = "JSC_";

/// Environment variable that turns Node's compile cache off.
const OFF_VARIABLE: &str = "NODE_DISABLE_COMPILE_CACHE";

/// Whose script it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ScriptOwner {
    Builtin,
    Program,
}

/// Whose runtime it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thread {
    Main,
    Worker,
}

/// The bytecode cache of one runtime.
pub struct BytecodeCache {
    builtins: Arc<BuiltinBytecode>,
    thread: Thread,
    program: OnceCell<Arc<ProgramCache>>,
    /// Keys that were looked up and not found.
    misses: RefCell<BTreeMap<CodeCacheKey, ScriptOwner>>,
}

impl BytecodeCache {
    /// `None`: nothing is cached. A worker shares the cache of the thread that started it.
    pub fn of(engine: &Engine, settings: &Settings, worker: Option<&WorkerContext>) -> Option<BytecodeCache> {
        match worker {
            Some(worker) => worker.bytecode.clone().map(BytecodeCache::of_worker),
            None => {
                BytecodeCache::open(engine, &settings.program, crate::builtins::digest(settings.extensions))
            }
        }
    }

    /// `builtins`: [`crate::builtins::digest`].
    fn open(engine: &Engine, program: &Program, builtins: u64) -> Option<BytecodeCache> {
        let (directory, variables) = (program.code.as_deref(), &program.environment);
        let has_options = variables.keys().any(|name| name.starts_with(ENGINE_VARIABLES));
        let is_off = variables.get(OFF_VARIABLE).is_some_and(|value| !value.is_empty());
        let (directory, identity) = (directory.filter(|_| !has_options && !is_off)?, engine.identity()?);
        let version_key = key_of(&[FORMAT.as_bytes(), b"\n", identity.as_bytes()]);
        let file = directory.join(format!("{BUILTINS_FILE}{builtins:016x}"));
        let cache_file = CacheFile::open(&file, &version_key);
        let builtins = BuiltinBytecode::new(file, version_key, cache_file);
        Some(BytecodeCache::new(Arc::new(builtins), Thread::Main))
    }

    fn of_worker(builtins: Arc<BuiltinBytecode>) -> BytecodeCache {
        builtins.begin_worker();
        BytecodeCache::new(builtins, Thread::Worker)
    }

    fn new(builtins: Arc<BuiltinBytecode>, thread: Thread) -> BytecodeCache {
        BytecodeCache { builtins, thread, program: OnceCell::new(), misses: RefCell::default() }
    }

    pub fn builtins(&self) -> &Arc<BuiltinBytecode> {
        &self.builtins
    }

    /// Opens the cache of the program that is run.
    pub fn open_program(&self, path: &Path) {
        self.program.get_or_init(|| {
            let file = self.file_of(&[path.as_os_str().as_encoded_bytes()]);
            Arc::new(ProgramCache::open(file, &self.builtins.version_key))
        });
    }

    /// Opens the cache of all test files of a project, for a worker process.
    pub fn open_tests(&self, root: &Path, worker: usize) {
        self.program.get_or_init(|| {
            let prefix = self.file_of(&[root.as_os_str().as_encoded_bytes(), TESTS]);
            Arc::new(ProgramCache::open_tests(&prefix, worker, &self.builtins.version_key))
        });
    }

    fn file_of(&self, parts: &[&[u8]]) -> PathBuf {
        let name: String = key_of(parts).iter().map(|byte| format!("{byte:02x}")).collect();
        self.builtins.file.with_file_name(name)
    }

    /// The files that are mapped.
    pub fn mapped(&self) -> Vec<&'static [u8]> {
        let program = self.program.get().into_iter().flat_map(|program| program.mapped());
        std::iter::once(self.builtins.cache_file.bytes()).chain(program).collect()
    }

    pub fn program(&self) -> Option<&Arc<ProgramCache>> {
        self.program.get()
    }

    fn code(&self, owner: ScriptOwner, source: &str) -> Option<CodeCache> {
        if source.len() < SOURCE_BYTES_MIN {
            return None;
        }
        let (name, found) = match (owner, self.thread) {
            (ScriptOwner::Builtin, Thread::Worker) => {
                return self.builtins.for_worker(key_of_builtin(source));
            }
            (ScriptOwner::Builtin, Thread::Main) => {
                let name = key_of_builtin(source);
                (name, self.builtins.cache_file.find(&name))
            }
            (ScriptOwner::Program, _) => {
                let program = self.program.get()?;
                let name = key_of(&[source.as_bytes()]);
                let found = match program.find_code(&name, source.len()) {
                    FoundCode::Some(code) => Some(code),
                    FoundCode::None => None,
                    FoundCode::NotWorth => return None,
                };
                (name, found)
            }
        };
        if found.is_none() {
            self.misses.borrow_mut().insert(name, owner);
        }
        Some(found.map_or(CodeCache::Produce(name), CodeCache::Consume))
    }

    /// Writes bytecode that was generated since the last time; that of a worker is for other
    /// workers, and that of tests is written later.
    pub fn write_new(&self, scope: &Scope) {
        if self.thread == Thread::Worker {
            return scope
                .take_code_caches(|_| true)
                .into_iter()
                .for_each(|(name, code)| self.builtins.record(name, code));
        }
        self.write_builtins(scope);
        if let Some(program) = self.program.get().filter(|program| !program.is_of_tests()) {
            self.write_program(program, scope);
        }
    }

    /// Whether test files have been compiled of which enough had no bytecode.
    pub fn has_new_tests(&self) -> bool {
        let misses = self.program_misses();
        let program = self.program.get().filter(|program| program.is_of_tests());
        misses > 0 && program.is_some_and(|program| program.is_worth_writing(misses))
    }

    /// Writes bytecode of test files.
    pub fn write_tests(&self, scope: &Scope) {
        if let Some(program) = self.program.get().filter(|program| program.is_of_tests()) {
            self.write_program(program, scope);
        }
    }

    fn write_builtins(&self, scope: &Scope) {
        let made = self.take_new(ScriptOwner::Builtin, scope);
        if made.is_empty() {
            return;
        }
        let cache_file = &self.builtins.cache_file;
        let before = if cache_file.len() < BUILTINS_MAX { cache_file.all() } else { Vec::new() };
        self.write(&self.builtins.file, &before, &made);
    }

    fn write_program(&self, program: &ProgramCache, scope: &Scope) {
        let misses = self.program_misses();
        let mut made = self.take_new(ScriptOwner::Program, scope);
        if made.is_empty() || !program.is_worth_writing(misses) {
            return;
        }
        made.extend(program.take_scripts());
        self.write(program.file(), &program.kept(), &made);
    }

    /// Scripts of the program that were looked up and not found.
    fn program_misses(&self) -> usize {
        self.misses.borrow().values().filter(|owner| **owner == ScriptOwner::Program).count()
    }

    /// Bytecode of scripts that were looked up and not found; each is returned once.
    fn take_new(&self, owner: ScriptOwner, scope: &Scope) -> BTreeMap<CodeCacheKey, Vec<u8>> {
        let is_new = |_: &CodeCacheKey, of: &mut ScriptOwner| *of == owner;
        let names: BTreeMap<_, _> = self.misses.borrow_mut().extract_if(.., is_new).collect();
        match names.is_empty() {
            true => BTreeMap::new(),
            false => scope.take_code_caches(|name| names.contains_key(name)).into_iter().collect(),
        }
    }

    /// An error is ignored: the bytecode is generated again in the next start.
    fn write(&self, file: &Path, before: &[(CodeCacheKey, &[u8])], made: &BTreeMap<CodeCacheKey, Vec<u8>>) {
        let made = made.iter().map(|(name, code)| (*name, code.as_slice()));
        let all: BTreeMap<CodeCacheKey, &[u8]> = before.iter().copied().chain(made).collect();
        let Some(bytes) = cache_file::render(&self.builtins.version_key, &all) else { return };
        let is_there = cache_file::write(file, &bytes);
        let Some(directory) = file.parent() else { return };
        if is_there || (files::create_directories(directory).is_ok() && cache_file::write(file, &bytes)) {
            cache_file::prune(directory);
        }
    }
}

/// Like [`Scope::evaluate`], from line 1, for a file of the program.
pub fn evaluate<'s>(scope: &'s Scope, source: &str, url: &str) -> Outcome<'s> {
    match find(scope, ScriptOwner::Program, source) {
        Some(code) => scope.evaluate_with_code_cache(source, url, code),
        None => scope.evaluate(source, url, 1),
    }
}

/// Like [`Scope::keep_script`], for a file of the program. Out: also its bytecode, for the first
/// evaluation.
pub fn keep_script(scope: &Scope, source: &str, url: &str) -> Option<(KeptScript, Option<CodeCache>)> {
    let script = scope.keep_script(source, url)?;
    Some((script, find(scope, ScriptOwner::Program, source)))
}

/// Like [`Scope::evaluate_static`], for a builtin.
pub fn evaluate_builtin<'s>(scope: &'s Scope, source: &'static str, url: &str) -> Outcome<'s> {
    if let Some(outcome) = scope.evaluate_kept(source) {
        return outcome;
    }
    match find(scope, ScriptOwner::Builtin, source) {
        Some(code) => scope.evaluate_static_with_code_cache(source, url, code),
        None => scope.evaluate_static(source, url),
    }
}

fn find(scope: &Scope, owner: ScriptOwner, source: &str) -> Option<CodeCache> {
    let state = RuntimeState::current();
    state.bytecode_cache.as_ref().filter(|_| scope.has_code_cache())?.code(owner, source)
}

/// A fast hash: the sources of our builtins are trusted, and it is computed at every
/// start.
fn key_of_builtin(source: &str) -> CodeCacheKey {
    let words = [0, 1].map(|seed| xx3(source.as_bytes(), seed).to_le_bytes());
    let mut name = CodeCacheKey::default();
    name.copy_from_slice(words.as_flattened());
    name
}

/// SHA-256, so that no file can be made that gets the bytecode of another one.
fn key_of(parts: &[&[u8]]) -> CodeCacheKey {
    let mut digest = Sha256::new();
    parts.iter().for_each(|part| digest.update(part));
    let mut name = CodeCacheKey::default();
    let count = name.len();
    name.copy_from_slice(&digest.finalize().as_slice()[..count]);
    name
}
