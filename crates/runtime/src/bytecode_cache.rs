//! What becomes of scripts, kept for the next start: what the transpiler made of a program's files,
//! and the engine of those and of our own. In: a text that is to be evaluated. Out: its value, by
//! code of before where there is some. What a start makes anew is written when the program ends or
//! rests. Absent: code of texts that are no files, and of a program's files in workers; both are
//! parsed.

mod own;
mod pack;
mod program;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use rusk_base::files;
use rusk_jsc::{CodeCache, CodeCacheKey, Engine, Outcome, Scope};
use sha2::{Digest, Sha256};

use crate::program::Program;
use crate::state::RuntimeState;
use crate::worker::WorkerContext;
pub use own::BuiltinBytecode;
use pack::Pack;
pub use program::ProgramPack;
use rusk_hashes::xx3;

/// What is written has another form: packs of before are not read.
const FORM: &str = concat!(env!("CARGO_PKG_VERSION"), ".2");

/// In the folder: the code of our own files, which all programs share. Others are named by a digest
/// of the program's path.
const OWN: &str = "own";

/// A shorter text is parsed in the time that it takes to find its code.
const TEXT_BYTES_MIN: usize = 256;

/// Versions of our own files that are kept beside each other, while we are worked on. All files are
/// some 400.
const OWN_SCRIPTS_MAX: usize = 1500;

/// Variables by which the engine's options are set: code made with others may be other code.
const ENGINE_VARIABLES: &str = "JSC_";

/// By which programs say to Node that nothing is to be kept of them.
const OFF_VARIABLE: &str = "NODE_DISABLE_COMPILE_CACHE";

/// Whose code it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shelf {
    Own,
    Program,
}

/// Whose runtime it is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thread {
    Main,
    Worker,
}

/// What one runtime keeps.
pub struct BytecodeCache {
    own: Arc<BuiltinBytecode>,
    thread: Thread,
    program: OnceCell<Arc<ProgramPack>>,
    /// What was asked for and was not there.
    missed: RefCell<BTreeMap<CodeCacheKey, Shelf>>,
}

impl BytecodeCache {
    /// `None`: nothing is kept here. A worker has those of who started it.
    pub fn of(engine: &Engine, program: &Program, seat: Option<&WorkerContext>) -> Option<BytecodeCache> {
        match seat {
            Some(seat) => seat.codes.clone().map(BytecodeCache::of_worker),
            None => BytecodeCache::open(engine, program),
        }
    }

    fn open(engine: &Engine, program: &Program) -> Option<BytecodeCache> {
        let (folder, variables) = (program.code.as_deref(), &program.environment);
        let has_options = variables.keys().any(|name| name.starts_with(ENGINE_VARIABLES));
        let is_off = variables.get(OFF_VARIABLE).is_some_and(|value| !value.is_empty());
        let (folder, identity) = (folder.filter(|_| !has_options && !is_off)?, engine.identity()?);
        let maker = name_of(&[FORM.as_bytes(), b"\n", identity.as_bytes()]);
        let own = BuiltinBytecode::new(folder.to_owned(), maker, Pack::open(&folder.join(OWN), &maker));
        Some(BytecodeCache::new(Arc::new(own), Thread::Main))
    }

    fn of_worker(own: Arc<BuiltinBytecode>) -> BytecodeCache {
        own.begin_worker();
        BytecodeCache::new(own, Thread::Worker)
    }

    fn new(own: Arc<BuiltinBytecode>, thread: Thread) -> BytecodeCache {
        BytecodeCache { own, thread, program: OnceCell::new(), missed: RefCell::default() }
    }

    pub fn own(&self) -> &Arc<BuiltinBytecode> {
        &self.own
    }

    /// The file that is run.
    pub fn open_program(&self, path: &Path) {
        self.program.get_or_init(|| {
            let name = name_of(&[path.as_os_str().as_encoded_bytes()]);
            let name: String = name.iter().map(|byte| format!("{byte:02x}")).collect();
            Arc::new(ProgramPack::open(self.own.folder.join(name), &self.own.maker))
        });
    }

    pub fn program(&self) -> Option<&Arc<ProgramPack>> {
        self.program.get()
    }

    fn code(&self, shelf: Shelf, source: &str) -> Option<CodeCache> {
        if source.len() < TEXT_BYTES_MIN {
            return None;
        }
        let (name, found) = match (shelf, self.thread) {
            (Shelf::Own, Thread::Worker) => return self.own.for_worker(name_of_own(source)),
            (Shelf::Own, Thread::Main) => {
                let name = name_of_own(source);
                (name, self.own.pack.find(&name))
            }
            (Shelf::Program, _) => {
                let program = self.program.get()?;
                let name = name_of(&[source.as_bytes()]);
                (name, program.find_code(&name, source.len()))
            }
        };
        if found.is_none() {
            self.missed.borrow_mut().insert(name, shelf);
        }
        Some(found.map_or(CodeCache::Produce(name), CodeCache::Consume))
    }

    /// Writes down what was made since the last time; a worker's is for workers.
    pub fn keep(&self, scope: &Scope) {
        if self.thread == Thread::Worker {
            return scope.take_code_caches().into_iter().for_each(|(name, code)| self.own.record(name, code));
        }
        let missed = self.missed.take();
        if missed.is_empty() {
            return;
        }
        let of_program = missed.values().filter(|shelf| **shelf == Shelf::Program).count();
        let program = self.program.get().filter(|program| program.is_worth_writing(of_program));
        let (mut own, mut others) = (BTreeMap::new(), BTreeMap::new());
        for (name, code) in scope.take_code_caches() {
            match missed.get(&name) {
                Some(Shelf::Own) => own.insert(name, code),
                Some(Shelf::Program) if program.is_some() => others.insert(name, code),
                _ => None,
            };
        }
        if !own.is_empty() {
            let pack = &self.own.pack;
            let before = if pack.len() < OWN_SCRIPTS_MAX { pack.all() } else { Vec::new() };
            self.write(&self.own.folder.join(OWN), &before, &own);
        }
        if let Some(program) = program.filter(|_| !others.is_empty()) {
            others.extend(program.take_scripts());
            self.write(program.file(), &program.used(), &others);
        }
    }

    /// What cannot be written is made again.
    fn write(&self, file: &Path, before: &[(CodeCacheKey, &[u8])], made: &BTreeMap<CodeCacheKey, Vec<u8>>) {
        let made = made.iter().map(|(name, code)| (*name, code.as_slice()));
        let all: BTreeMap<CodeCacheKey, &[u8]> = before.iter().copied().chain(made).collect();
        let Some(bytes) = pack::render(&self.own.maker, &all) else { return };
        let is_there = pack::write(file, &bytes);
        if is_there || (files::create_directories(&self.own.folder).is_ok() && pack::write(file, &bytes)) {
            pack::prune(&self.own.folder);
        }
    }
}

/// As [`Scope::evaluate`], from line 1, for a file of the program's.
pub fn evaluate<'s>(scope: &'s Scope, source: &str, url: &str) -> Outcome<'s> {
    match find(scope, Shelf::Program, source) {
        Some(code) => scope.evaluate_with_code_cache(source, url, code),
        None => scope.evaluate(source, url, 1),
    }
}

/// As [`Scope::evaluate_static`], for a file of our own.
pub fn evaluate_builtin<'s>(scope: &'s Scope, source: &'static str, url: &str) -> Outcome<'s> {
    match find(scope, Shelf::Own, source) {
        Some(code) => scope.evaluate_static_with_code_cache(source, url, code),
        None => scope.evaluate_static(source, url),
    }
}

fn find(scope: &Scope, shelf: Shelf, source: &str) -> Option<CodeCache> {
    let state = RuntimeState::current();
    state.bytecode_cache.as_ref().filter(|_| scope.has_code_cache())?.code(shelf, source)
}

/// Our own files are nobody's to make alike, and are named at every start.
fn name_of_own(source: &str) -> CodeCacheKey {
    let words = [0, 1].map(|seed| xx3(source.as_bytes(), seed).to_le_bytes());
    let mut name = CodeCacheKey::default();
    name.copy_from_slice(words.as_flattened());
    name
}

/// SHA-256, because nobody is to have a file run by the code of another one that was made to look
/// like it.
fn name_of(parts: &[&[u8]]) -> CodeCacheKey {
    let mut digest = Sha256::new();
    parts.iter().for_each(|part| digest.update(part));
    let mut name = CodeCacheKey::default();
    let count = name.len();
    name.copy_from_slice(&digest.finalize().as_slice()[..count]);
    name
}
