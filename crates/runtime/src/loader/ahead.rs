//! Modules that will be asked for soon, read and transpiled by a thread beside the program's own.
//! In: what a module imports, when its tables are known. Out: a module's text and script, made by
//! the time they are asked for, or soon. Of what nobody has begun, whoever asks takes the work
//! back. Absent: what is wrong with a file; who asks for it looks again and says so.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::path::Path;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use rusk_transpile::{AsyncContext, ImportPhase, Options, Script, SourceKind, Tables};

use super::{find, language, scripts, text_of};
use crate::state::RuntimeState;

/// A graph whose queue was never so long is loaded before a thread has begun; for fewer it is not
/// woken.
const QUEUE_MIN: usize = 8;

/// Modules that are known and not yet asked for. Their texts are in memory either way when the
/// program begins.
const AHEAD_MAX: usize = 4096;

/// A text, what became of it, and by which options that the program may change meanwhile.
struct Module {
    source: String,
    script: Script,
    made_for: (Option<SourceKind>, AsyncContext),
}

enum Slot {
    Waiting(Options),
    Begun,
    /// `None`: something is wrong with it.
    Made(Option<Box<Module>>),
}

#[derive(Default)]
struct Queue {
    slots: HashMap<String, Slot>,
    /// Paths of those that wait, and of some that no longer do.
    order: VecDeque<String>,
    /// How many wait.
    waiting: usize,
    is_over: bool,
    /// Who waits; nobody else is woken, for that is a system call.
    waits: Waits,
}

#[derive(Default)]
struct Waits {
    /// The thread, for more.
    thread: bool,
    /// The program, for what is begun.
    program: bool,
}

#[derive(Default)]
struct Shared {
    queue: Mutex<Queue>,
    added: Condvar,
    made: Condvar,
}

/// What one runtime's thread has of it.
#[derive(Default)]
struct Ahead {
    shared: Arc<Shared>,
    has_thread: bool,
    /// What was ever asked for, here or by the program.
    seen: HashSet<String>,
}

thread_local! {
    static AHEAD: RefCell<Ahead> = RefCell::default();
}

/// `importer` imports these. Told as the program's own loading goes on, without a line of the
/// program in between.
pub fn want(importer: &str, tables: &Tables) {
    AHEAD.with_borrow_mut(|ahead| {
        ahead.seen.insert(importer.to_owned());
        for request in tables.requests.iter().filter(|request| request.phase == ImportPhase::Evaluation) {
            let specifier = &tables.names[request.specifier as usize];
            if !request.attributes.is_empty() || !is_path(specifier) {
                continue;
            }
            let Some((path, is_module)) = find::find_ahead(specifier, Path::new(importer)) else { continue };
            if !ahead.seen.insert(path.clone()) {
                continue;
            }
            let Ok(options) = language::options(&path, is_module.then_some(SourceKind::Module)) else {
                continue;
            };
            (RuntimeState::current().on_read)(&path);
            ahead.push(path, options);
        }
        ahead.shared.wake_thread();
    });
}

/// The file's text and script, if they were made as they are to be.
pub fn take(path: &str, options: &Options) -> Option<(String, Script)> {
    let shared = AHEAD.with_borrow(|ahead| Arc::clone(&ahead.shared));
    let mut queue = shared.lock();
    loop {
        match queue.slots.get(path)? {
            Slot::Begun => {
                queue.waits.program = true;
                queue = shared.made.wait(queue).unwrap_or_else(PoisonError::into_inner);
                queue.waits.program = false;
            }
            Slot::Made(_) => break,
            Slot::Waiting(_) => {
                queue.slots.remove(path);
                queue.waiting -= 1;
                return None;
            }
        }
    }
    let Some(Slot::Made(made)) = queue.slots.remove(path) else { return None };
    // A module on the way may have asked for contexts to be kept.
    let module = made.filter(|module| module.made_for == (options.kind, options.async_context))?;
    Some((module.source, module.script))
}

/// Loading has failed, or is done: what was found for it holds no longer.
pub fn forget() {
    find::forget_ahead();
    AHEAD.with_borrow_mut(|ahead| {
        ahead.seen.clear();
        let mut queue = ahead.shared.lock();
        queue.slots.clear();
        queue.order.clear();
        queue.waiting = 0;
    });
}

/// Whether it says where a file is. What stands in packages is loaded when it is asked for: most of
/// it is CommonJS.
fn is_path(specifier: &str) -> bool {
    specifier.starts_with("./") || specifier.starts_with("../") || specifier.starts_with('/')
}

impl Ahead {
    fn push(&mut self, path: String, options: Options) {
        let mut queue = self.shared.lock();
        if queue.slots.len() >= AHEAD_MAX {
            return;
        }
        queue.order.push_back(path.clone());
        queue.slots.insert(path, Slot::Waiting(options));
        queue.waiting += 1;
        if !self.has_thread && queue.waiting >= QUEUE_MIN {
            self.has_thread = true;
            let (shared, kept) =
                (Arc::clone(&self.shared), scripts::ScriptCaches::of(&RuntimeState::current()));
            // Without a thread, nothing is made ahead.
            let _ = thread::Builder::new().name("rusk-modules".to_owned()).spawn(move || shared.work(&kept));
        }
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        self.shared.lock().is_over = true;
        self.shared.added.notify_one();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wake_thread(&self) {
        let queue = self.lock();
        if queue.waits.thread && queue.waiting >= QUEUE_MIN {
            self.added.notify_one();
        }
    }

    /// Of the thread, until the runtime is over.
    fn work(&self, kept: &scripts::ScriptCaches) {
        let mut queue = self.lock();
        while !queue.is_over {
            let Some(path) = queue.order.pop_front() else {
                queue.waits.thread = true;
                queue = self.added.wait(queue).unwrap_or_else(PoisonError::into_inner);
                queue.waits.thread = false;
                continue;
            };
            let Some(slot) = queue.slots.get_mut(&path) else { continue };
            let Slot::Waiting(options) = std::mem::replace(slot, Slot::Begun) else { continue };
            queue.waiting -= 1;
            drop(queue);
            let made = make(&path, &options, kept);
            queue = self.lock();
            // Forgotten meanwhile, nobody waits for it; wanted again since then, it is made again.
            if let Some(slot @ Slot::Begun) = queue.slots.get_mut(&path) {
                *slot = Slot::Made(made);
            }
            if queue.waits.program {
                self.made.notify_one();
            }
        }
    }
}

fn make(path: &str, options: &Options, kept: &scripts::ScriptCaches) -> Option<Box<Module>> {
    let source = text_of(path).ok()?;
    let script = scripts::module_of(&source, path, options, kept).ok()?;
    Some(Box::new(Module { source, script, made_for: (options.kind, options.async_context) }))
}
