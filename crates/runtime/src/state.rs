//! Runtime state: what one runtime holds for its core and its extensions (Node's `Environment`,
//! Deno's `OpState`). In: settings. Out: the state of the runtime on this thread, for bindings.
//! State of an extension is found by its type. Absent: the VM; a scope of it is passed to every
//! binding.

use std::any::Any;
use std::cell::{Cell, OnceCell, RefCell};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use rusk_base::sys;
use rusk_base::timeline::process_phases::PhaseGuard;
use rusk_jsc::Scope;
use rusk_transpile::Cache;

use crate::builtins::Builtins;
use crate::bytecode_cache::BytecodeCache;
use crate::environment::SharedEnvironment;
use crate::extension::Extension;
use crate::handle::LoopHandle;
use crate::lifecycle::LifecycleHooks;
use crate::program::Program;
use crate::queues::LoopCounters;
use crate::times::Times;
use crate::worker::WorkerContext;

/// In: the path and the source of a file. Out: the source that is transpiled.
pub type SourceHook = fn(&Scope, &str, String) -> String;

/// What one runtime holds.
pub struct RuntimeState {
    pub handle: LoopHandle,
    pub program: Program,
    pub builtins: Rc<Builtins>,
    pub extensions: &'static [&'static Extension],
    /// Files that were transpiled in earlier starts.
    pub transpile_cache: Option<Cache>,
    /// Bytecode of earlier starts.
    pub bytecode_cache: Option<Rc<BytecodeCache>>,
    /// The program's current directory.
    pub current_dir: RefCell<PathBuf>,
    /// Whether AsyncLocalStorage was loaded: files that are read from then on keep their context
    /// across `await`.
    pub tracks_async_context: Cell<bool>,
    pub lifecycle: LifecycleHooks,
    /// Ends the process, or the worker.
    pub on_exit: Rc<dyn Fn(i32)>,
    pub on_begin: Cell<Option<Box<dyn Fn()>>>,
    /// Until the program begins.
    pub loading: Cell<Option<PhaseGuard>>,
    /// Changes the source of a file before it is transpiled: counters of coverage.
    pub instrument: Cell<Option<SourceHook>>,
    /// Called with each file that the program consists of.
    pub on_read: Rc<dyn Fn(&str)>,
    pub times: Times,
    /// Counters by which JavaScript and the loop share what is ref'd.
    pub loop_counters: OnceCell<LoopCounters>,
    /// Environment variables that other threads see too (`SHARE_ENV`).
    pub environment: RefCell<Option<Arc<SharedEnvironment>>>,
    /// The process goes on with another runtime after this one ([`crate::Runtime::renew`]).
    pub shares_process: bool,
    /// Something of the process was changed that [`crate::Runtime::renew`] does not restore.
    pub(crate) has_changed_process: Cell<bool>,
    /// `Some` in a worker.
    pub worker: Option<WorkerContext>,
    /// State of extensions, at most one value of a type. There are few, so a search by type is
    /// fast.
    pub(crate) of_extensions: RefCell<Vec<Rc<dyn Any>>>,
    /// [`Extension::after_callback`] of those that have one.
    pub(crate) after_callback: Vec<fn()>,
}

thread_local! {
    /// A VM belongs to one thread, so its state is the thread's; functions that capture nothing are
    /// the cheap ones.
    static STATE: RefCell<Option<Rc<RuntimeState>>> = const { RefCell::new(None) };
}

impl RuntimeState {
    pub(crate) fn enter(state: RuntimeState) -> Rc<RuntimeState> {
        let state = Rc::new(state);
        STATE.set(Some(Rc::clone(&state)));
        state
    }

    /// The state of the runtime on this thread.
    pub fn current() -> Rc<RuntimeState> {
        STATE.with_borrow(|state| state.clone()).expect("bindings are called in a runtime")
    }

    pub(crate) fn leave() {
        STATE.set(None);
    }

    /// The state of an extension, by its type; made when it is first used.
    pub fn extension<T: 'static>(&self, make: impl FnOnce(&RuntimeState) -> T) -> Rc<T> {
        let find = |all: &Vec<Rc<dyn Any>>| all.iter().find_map(|one| Rc::clone(one).downcast::<T>().ok());
        let found = find(&self.of_extensions.borrow());
        found.unwrap_or_else(|| {
            let made = Rc::new(make(self));
            self.of_extensions.borrow_mut().push(Rc::clone(&made) as Rc<dyn Any>);
            made
        })
    }

    /// Notes a change of the process that outlives the program: a loaded library, its user, its
    /// time zone.
    pub fn change_process(&self) {
        self.has_changed_process.set(true);
    }

    /// Whether anything that the program has started keeps its event loop alive.
    pub fn is_loop_alive(&self) -> bool {
        let counters = self.loop_counters.get().map(LoopCounters::counts);
        counters.is_some_and(|counts| counts != (0, 0)) || self.handle.0.event_loop.is_alive()
    }

    /// Runs what extensions do after each callback.
    pub fn after_callback(&self) {
        self.after_callback.iter().for_each(|run| run());
    }

    /// The program is at its end; nothing of it runs any more.
    pub fn end(&self, scope: &Scope, code: i32) {
        self.write_bytecode_cache(scope);
        self.extensions.iter().filter_map(|one| one.on_end).for_each(|on_end| on_end(scope));
        self.exit(code);
    }

    /// Ends the program now.
    pub fn exit(&self, code: i32) {
        self.after_callback();
        self.stop_workers();
        (self.on_exit)(code);
    }

    /// Writes the bytecode of scripts that were compiled since the last time.
    pub fn write_bytecode_cache(&self, scope: &Scope) {
        if let Some(codes) = &self.bytecode_cache {
            codes.write_new(scope);
        }
    }

    /// Workers that this thread has started and that have not ended.
    pub fn worker_count(&self) -> usize {
        self.handle.workers().count()
    }

    /// Opens the bytecode of a project's tests. `worker`: the number of the process, from 1.
    pub fn open_test_bytecode(&self, root: &Path, worker: usize) {
        if let Some(codes) = &self.bytecode_cache {
            codes.open_tests(root, worker);
        }
    }

    /// Whether tests were compiled whose bytecode is worth writing.
    pub fn has_new_test_bytecode(&self) -> bool {
        self.bytecode_cache.as_ref().is_some_and(|codes| codes.has_new_tests())
    }

    /// Writes the bytecode of tests, when all have run.
    pub fn write_test_bytecode(&self, scope: &Scope) {
        if let Some(codes) = &self.bytecode_cache {
            codes.write_tests(scope);
        }
    }

    /// Nothing of the program runs after its failure.
    pub(crate) fn before_failure(&self) {
        self.stop_workers();
        self.after_callback();
    }

    /// The main thread takes its workers along and restores the terminal.
    fn stop_workers(&self) {
        if self.worker.is_none() {
            self.handle.workers().terminate_all();
            sys::terminal::restore();
        }
    }

    /// The exit code of a worker that is being terminated; `None`: it runs on, or this is the main
    /// thread.
    pub fn ending(&self) -> Option<i32> {
        self.worker.as_ref().and_then(|worker| worker.control.ending())
    }

    /// The program's first line runs next.
    pub fn begin(&self) {
        if let Some(on_begin) = self.on_begin.take() {
            self.loading.take();
            on_begin();
        }
    }

    pub(crate) fn close_extensions(&self) {
        for extension in self.extensions {
            if let Some(on_close) = extension.on_close {
                on_close(self);
            }
        }
    }
}
