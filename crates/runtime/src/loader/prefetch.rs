//! Prefetch of modules: a thread reads and transpiles modules that will be loaded soon. In: the
//! imports of a module, when they are known. Out: source and script of a module, ready when it is
//! loaded, or soon after. A module that the thread has not begun is loaded by the caller itself.
//! Absent: errors; the loader reads such a file again and reports them.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use rusk_transpile::{AsyncContext, ImportPhase, Options, Script, SourceKind, Tables};

use super::{kept_modules, read_source, resolution, scripts, transpile_options, unchanged_files};
use crate::state::RuntimeState;

/// A module graph with a shorter queue is loaded before a thread has started; for fewer modules the
/// thread is not woken.
const QUEUE_MIN: usize = 8;

/// Modules that are known and not loaded yet. Their sources are in memory anyway when the program
/// begins.
const PREFETCHED_MAX: usize = 4096;

/// Requests that are known; at the limit all are forgotten.
const REQUESTS_MAX: usize = 100_000;

/// A source, its script, and the options that the program may change meanwhile.
struct Module {
    source: String,
    script: Script,
    made_for: (Option<SourceKind>, AsyncContext),
}

enum ModuleState {
    Waiting(Options),
    InProgress,
    /// `None`: reading or parsing failed.
    Done(Option<Box<Module>>),
}

#[derive(Default)]
struct Queue {
    slots: HashMap<String, ModuleState>,
    /// Paths of waiting modules, and of some that are no longer waiting.
    order: VecDeque<String>,
    /// Number of waiting modules.
    waiting: usize,
    is_closed: bool,
    /// Which threads sleep; only these are woken, because a wake-up is a system call.
    sleeping: Sleeping,
}

#[derive(Default)]
struct Sleeping {
    /// The prefetch thread, for more work.
    thread: bool,
    /// The program's thread, for a module that is in progress.
    program: bool,
}

#[derive(Default)]
struct SharedQueue {
    queue: Mutex<Queue>,
    added: Condvar,
    done: Condvar,
}

/// Prefetch state of one runtime.
#[derive(Default)]
struct Prefetch {
    shared: Arc<SharedQueue>,
    has_thread: bool,
    /// All paths that were prefetched or loaded.
    seen: HashSet<String>,
    /// Directories of importers, with specifiers, where modules are kept: most files of tests
    /// import what others have imported.
    requests: HashSet<String>,
}

thread_local! {
    static PREFETCH: RefCell<Prefetch> = RefCell::default();
}

/// Prefetches the imports of `importer`. Called while the module graph is loaded, before any of the
/// program runs.
pub fn prefetch_imports(importer: &str, tables: &Tables) {
    PREFETCH.with_borrow_mut(|prefetch| {
        prefetch.seen.insert(importer.to_owned());
        for request in tables.requests.iter().filter(|request| request.phase == ImportPhase::Evaluation) {
            let specifier = &tables.names[request.specifier as usize];
            if !request.attributes.is_empty() || !is_path(specifier) {
                continue;
            }
            if kept_modules::has_started() && !prefetch.is_first(importer, specifier) {
                continue;
            }
            let Some((path, is_module)) = resolution::resolve_import_early(specifier, Path::new(importer))
            else {
                continue;
            };
            // What is known of a file is used again if it is unchanged.
            let is_known = unchanged_files::has(&path) || kept_modules::has(&path);
            if !prefetch.seen.insert(path.clone()) || is_known {
                continue;
            }
            let Ok(options) = transpile_options::options(&path, is_module.then_some(SourceKind::Module))
            else {
                continue;
            };
            (RuntimeState::current().on_read)(&path);
            prefetch.push(path, options);
        }
        prefetch.shared.wake_thread();
    });
}

/// Source and script of a file, if they were prefetched with the same options.
pub fn take(path: &str, options: &Options) -> Option<(String, Script)> {
    let shared = PREFETCH.with_borrow(|prefetch| Arc::clone(&prefetch.shared));
    let mut queue = shared.lock();
    loop {
        match queue.slots.get(path)? {
            ModuleState::InProgress => {
                queue.sleeping.program = true;
                queue = shared.done.wait(queue).unwrap_or_else(PoisonError::into_inner);
                queue.sleeping.program = false;
            }
            ModuleState::Done(_) => break,
            ModuleState::Waiting(_) => {
                queue.slots.remove(path);
                queue.waiting -= 1;
                return None;
            }
        }
    }
    let Some(ModuleState::Done(made)) = queue.slots.remove(path) else { return None };
    // A module that ran meanwhile may have turned async context tracking on.
    let module = made.filter(|module| module.made_for == (options.kind, options.async_context))?;
    Some((module.source, module.script))
}

/// Clears all that was prefetched: loading is done or has failed.
pub fn clear() {
    resolution::clear_early();
    PREFETCH.with_borrow_mut(|prefetch| {
        prefetch.seen.clear();
        let mut queue = prefetch.shared.lock();
        queue.slots.clear();
        queue.order.clear();
        queue.waiting = 0;
    });
}

/// Whether it is a path. Packages are not prefetched: most of them are CommonJS.
fn is_path(specifier: &str) -> bool {
    specifier.starts_with("./") || specifier.starts_with("../") || specifier.starts_with('/')
}

impl Prefetch {
    /// Whether no module of this directory has had this specifier.
    fn is_first(&mut self, importer: &str, specifier: &str) -> bool {
        let directory = importer.rfind('/').map_or("", |end| &importer[..=end]);
        let request = [directory, "\0", specifier].concat();
        if self.requests.len() >= REQUESTS_MAX {
            self.requests.clear();
        }
        self.requests.insert(request)
    }

    fn push(&mut self, path: String, options: Options) {
        let mut queue = self.shared.lock();
        if queue.slots.len() >= PREFETCHED_MAX {
            return;
        }
        queue.order.push_back(path.clone());
        queue.slots.insert(path, ModuleState::Waiting(options));
        queue.waiting += 1;
        if !self.has_thread && queue.waiting >= QUEUE_MIN {
            self.has_thread = true;
            let (shared, caches) =
                (Arc::clone(&self.shared), scripts::ScriptCaches::of(&RuntimeState::current()));
            // Without a thread nothing is prefetched.
            let _ = thread::Builder::new().name("rusk-modules".to_owned()).spawn(move || shared.run(&caches));
        }
    }
}

impl Drop for Prefetch {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.added.notify_one();
    }
}

impl SharedQueue {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake_thread(&self) {
        let queue = self.lock();
        if queue.sleeping.thread && queue.waiting >= QUEUE_MIN {
            self.added.notify_one();
        }
    }

    /// Main function of the thread, until the runtime is dropped.
    fn run(&self, caches: &scripts::ScriptCaches) {
        let mut queue = self.lock();
        while !queue.is_closed {
            let Some(path) = queue.order.pop_front() else {
                queue.sleeping.thread = true;
                queue = self.added.wait(queue).unwrap_or_else(PoisonError::into_inner);
                queue.sleeping.thread = false;
                continue;
            };
            let Some(slot) = queue.slots.get_mut(&path) else { continue };
            let ModuleState::Waiting(options) = std::mem::replace(slot, ModuleState::InProgress) else {
                continue;
            };
            queue.waiting -= 1;
            drop(queue);
            let made = make(&path, &options, caches);
            queue = self.lock();
            // If it was cleared meanwhile, the result is dropped; if it was requested again since,
            // it is made again.
            if let Some(slot @ ModuleState::InProgress) = queue.slots.get_mut(&path) {
                *slot = ModuleState::Done(made);
            }
            if queue.sleeping.program {
                self.done.notify_one();
            }
        }
    }
}

fn make(path: &str, options: &Options, caches: &scripts::ScriptCaches) -> Option<Box<Module>> {
    let source = read_source(path).ok()?;
    let script = scripts::module_of(&source, path, options, caches).ok()?;
    Some(Box::new(Module { source, script, made_for: (options.kind, options.async_context) }))
}
