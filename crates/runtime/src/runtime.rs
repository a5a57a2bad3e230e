//! Runtime: a VM with an event loop on one thread. In: settings, and a script or a program. Out:
//! its end, when nothing keeps the loop alive, or what ended it before. The phases of the loop are
//! in [`crate::phases`].

use std::cell::{Cell, OnceCell, RefCell};
use std::os::fd::AsFd;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use rusk_base::Problem;
use rusk_base::sys::{self, allocator};
use rusk_base::timeline::{phase, process_phases};
use rusk_event_loop::{Clock, EventLoop, LoopToken, Spin};
use rusk_jsc::{Engine, Exception, Function, Root, Scope, TerminationHandle, Vm};
use rusk_transpile::Cache;

use crate::bootstrap;
use crate::builtins::Builtins;
use crate::bytecode_cache::BytecodeCache;
use crate::check_hooks::CheckHooks;
use crate::extension::Extension;
use crate::failure::Failure;
use crate::handle::{Inner, LoopHandle, Reactor, ThreadPool, VmContext};
use crate::idle::Idle;
use crate::inbox::Inbox;
use crate::lifecycle::LifecycleHooks;
use crate::loader;
use crate::problem;
use crate::program::{Main, Program};
use crate::queues::Queues;
use crate::settings::Settings;
use crate::state::RuntimeState;
use crate::times::{LoopTimes, Times};
use crate::unhandled_errors::UnhandledErrors;
use crate::worker::{WorkerContext, Workers};

/// What ended a program before its time.
#[derive(Debug)]
pub enum Stop {
    /// An uncaught error or an unhandled rejection.
    Failure(Box<Failure>),
    /// An error of the runtime itself.
    Problem(Problem),
    /// It was terminated, or has ended itself, with this exit code.
    Exited(i32),
}

/// What runtimes of one VM share, one after another.
struct RealmParts {
    builtins: Rc<Builtins>,
    extensions: &'static [&'static Extension],
    transpile_cache: Option<Cache>,
    bytecode_cache: Option<Rc<BytecodeCache>>,
    on_exit: Rc<dyn Fn(i32)>,
    on_failure: Rc<dyn Fn(&Failure)>,
    on_read: Rc<dyn Fn(&str)>,
    program: Program,
    shares_process: bool,
}

impl RealmParts {
    /// Makes the state of the runtime that begins on this thread.
    fn enter(
        self,
        handle: &LoopHandle,
        times: Times,
        on_begin: Option<Box<dyn Fn()>>,
        worker: Option<WorkerContext>,
    ) -> Rc<RuntimeState> {
        RuntimeState::enter(RuntimeState {
            handle: handle.clone(),
            builtins: self.builtins,
            extensions: self.extensions,
            transpile_cache: self.transpile_cache,
            bytecode_cache: self.bytecode_cache,
            current_dir: RefCell::new(self.program.current_dir.clone()),
            lifecycle: LifecycleHooks::default(),
            on_exit: self.on_exit,
            on_begin: Cell::new(on_begin),
            loading: Cell::default(),
            instrument: Cell::default(),
            on_read: self.on_read,
            times,
            loop_counters: OnceCell::new(),
            tracks_async_context: Cell::default(),
            environment: RefCell::new(worker.as_ref().and_then(|worker| worker.environment.clone())),
            shares_process: self.shares_process,
            has_changed_process: Cell::default(),
            worker,
            of_extensions: RefCell::default(),
            after_callback: self.extensions.iter().filter_map(|one| one.after_callback).collect(),
            program: self.program,
        })
    }
}

/// A VM with its event loop, on the thread that made it.
pub struct Runtime {
    pub(crate) vm: Rc<Vm>,
    pub(crate) handle: LoopHandle,
    pub(crate) queues: Queues,
    /// `require` of our own files.
    pub(crate) require: Root,
    pub(crate) errors: Rc<UnhandledErrors>,
    pub(crate) clock: Clock,
    pub(crate) idle: Idle,
    pub(crate) spin: Spin,
    pub(crate) state: Rc<RuntimeState>,
    is_closed: Cell<bool>,
}

impl Runtime {
    /// A runtime for the calling thread, which has no other VM.
    pub fn new(settings: Settings) -> rusk_base::Result<Runtime> {
        allocator::limit_retained();
        Runtime::build(settings, None)
    }

    /// A runtime for the thread of a worker.
    pub(crate) fn of_worker(settings: Settings, worker: WorkerContext) -> rusk_base::Result<Runtime> {
        Runtime::build(settings, Some(worker))
    }

    fn build(settings: Settings, worker: Option<WorkerContext>) -> rusk_base::Result<Runtime> {
        let loop_times = match &worker {
            Some(worker) => Arc::clone(&worker.control.times),
            None => LoopTimes::new(Instant::now()),
        };
        let engine = phase("open the engine", || Engine::load(&settings.engine))
            .map_err(|unusable| problem::no_engine(&unusable))?;
        let reactor = Reactor::new().map_err(|error| problem::no_loop("epoll_create", error))?;
        let thread_pool = ThreadPool::new().map_err(|error| problem::no_loop("eventfd", error))?;
        let vm = Rc::new(phase("make a VM", || Vm::new(engine)));
        let times = Times::new(loop_times);
        times.engine(Instant::now());
        let bytecode_cache = BytecodeCache::of(engine, &settings, worker.as_ref()).map(Rc::new);
        let parts = RealmParts {
            builtins: Rc::new(Builtins::new(settings.program.builtins.clone(), settings.extensions)),
            extensions: settings.extensions,
            transpile_cache: settings.program.scripts.clone().map(Cache::new),
            bytecode_cache,
            on_exit: Rc::from(settings.on_exit),
            on_failure: Rc::from(settings.on_failure),
            on_read: Rc::from(settings.on_read),
            program: settings.program,
            shares_process: settings.shares_process,
        };
        register_own(&reactor, &vm, &thread_pool, worker.as_ref())
            .map_err(|error| problem::no_loop("epoll_ctl", error))?;
        let handle = loop_handle(reactor, thread_pool);
        let errors = Rc::new(UnhandledErrors::new(Rc::clone(&parts.on_failure)));
        let state = parts.enter(&handle, times, Some(settings.on_begin), worker);
        if settings.shares_process {
            keep_scripts(&vm, &state);
            // The engine keeps objects of a VM's first global object. Ours are of the second one.
            vm.replace_global();
        }
        Ok(Runtime::begin(vm, handle, errors, state))
    }

    /// Ends what runs here, and makes a runtime with a new global object in the same VM: nothing
    /// that JavaScript can reach stays, no descriptor is watched, no worker runs. Compiled code and
    /// caches are shared.
    pub fn renew(self) -> Runtime {
        let vm = Rc::clone(&self.vm);
        let parts = RealmParts {
            builtins: Rc::clone(&self.state.builtins),
            extensions: self.state.extensions,
            transpile_cache: self.state.transpile_cache.clone(),
            bytecode_cache: self.state.bytecode_cache.clone(),
            on_exit: Rc::clone(&self.state.on_exit),
            on_failure: Rc::clone(&self.errors.on_failure),
            on_read: Rc::clone(&self.state.on_read),
            program: self.state.program.clone(),
            shares_process: self.state.shares_process,
        };
        let directory = &parts.program.current_dir;
        if *self.state.current_dir.borrow() != *directory {
            // Where it is gone, programs find out as they use it.
            let _ = sys::chdir(directory.as_path());
        }
        let handle = self.handle.clone();
        self.close();
        self.is_closed.set(true);
        // Values that JavaScript holds have descriptors, and roots of its objects.
        vm.clear_natives();
        drop(self);
        let errors = Rc::new(UnhandledErrors::new(Rc::clone(&parts.on_failure)));
        let state = parts.enter(&handle, Times::new(LoopTimes::new(Instant::now())), None, None);
        vm.replace_global();
        Runtime::begin(vm, handle, errors, state)
    }

    /// Runs our own scripts in the VM's first context.
    fn begin(
        vm: Rc<Vm>,
        handle: LoopHandle,
        errors: Rc<UnhandledErrors>,
        state: Rc<RuntimeState>,
    ) -> Runtime {
        let clock = Clock::start();
        let begun = phase("run our own scripts", || vm.turn(|scope| bootstrap::begin(scope, clock, &errors)));
        let (queues, require) =
            begun.unwrap_or_else(|thrown| panic!("our own scripts run in a new context: {thrown}"));
        let _ = state.loop_counters.set(queues.counters());
        errors.set_counters(queues.counters());
        state.times.globals();
        let (idle, spin, is_closed) = (Idle::new(), Spin::default(), Cell::default());
        Runtime { vm, handle, queues, require, errors, clock, idle, spin, state, is_closed }
    }

    /// Terminates all that it runs, from any thread.
    pub(crate) fn termination_handle(&self) -> TerminationHandle {
        self.vm.termination_handle()
    }

    pub fn handle(&self) -> LoopHandle {
        self.handle.clone()
    }

    /// Runs `body` outside of the loop: to add globals before a script runs.
    pub fn turn<R>(&self, body: impl for<'s> FnOnce(&'s Scope) -> R) -> R {
        self.vm.turn(body)
    }

    /// The function that becomes `process.nextTick`.
    pub fn next_tick<'s>(&self, scope: &'s Scope) -> Function<'s> {
        self.queues.next_tick(scope)
    }

    /// Runs a script, and the loop until nothing keeps it alive.
    pub fn run(&self, url: &str, source: &str) -> Result<(), Stop> {
        self.errors.set_source(url, source);
        self.run_from(|scope| scope.evaluate(source, url, 1).map(|_| ()))
    }

    /// Runs a program, and the loop until nothing keeps it alive.
    pub fn run_main(&self, main: &Main) -> Result<(), Stop> {
        if let Main::Text { source, name, .. } = main {
            self.errors.set_source(name, source);
        }
        self.state.loading.set(Some(process_phases::begin("load the program")));
        if let (Main::File(name), Some(codes)) = (main, &self.state.bytecode_cache) {
            codes.open_program(&self.state.current_dir.borrow().join(name));
        }
        self.run_from(|scope| self.begin_main(scope, main))
    }

    /// Requires what comes before the program, then calls the function of `internal/main` for it.
    fn begin_main<'s>(&self, scope: &'s Scope, main: &Main) -> Result<(), Exception<'s>> {
        let require = self.require.value(scope).as_function(scope).expect("it is one");
        let program = &self.state.program;
        if self.state.worker.is_none() && program.environment.contains_key("NODE_CHANNEL_FD") {
            require.call(scope, &[scope.string("internal/process/ipc_setup")])?;
        }
        for file in program.builtins_of_flags() {
            require.call(scope, &[scope.string(file)])?;
        }
        let file = if let Main::Builtin { id, .. } = main { id } else { "internal/main" };
        let entry_points = require.call(scope, &[scope.string(file)])?;
        let entry_points = entry_points.as_object(scope).expect("the file exports an object");
        let (name, arguments) = match main {
            Main::Builtin { function, .. } => (*function, Vec::new()),
            Main::File(name) => (program.entry_point_of_files(), vec![scope.string(name)]),
            Main::Text { source, name, is_printed, is_module } => (
                "runSource",
                vec![
                    scope.string(source),
                    scope.string(name),
                    scope.boolean(*is_printed),
                    is_module.map_or(scope.undefined(), |is_module| scope.boolean(is_module)),
                ],
            ),
            Main::Worker => ("runWorker", Vec::new()),
        };
        let function = entry_points.property(scope, name)?.as_function(scope);
        function.expect("the file exports it").call(scope, &arguments).map(|_| ())
    }

    /// Calls a function that a builtin exports, as a callback of the event loop, which is not run.
    pub fn call_builtin(&self, id: &'static str, function: &'static str) -> Result<(), Stop> {
        self.run_callback(|scope| self.begin_main(scope, &Main::Builtin { id, function }))
    }

    /// As [`Runtime::call_builtin`], then runs the event loop until nothing keeps it alive. The
    /// program has not ended then: no event is emitted.
    pub fn run_builtin(&self, id: &'static str, function: &'static str) -> Result<(), Stop> {
        self.call_builtin(id, function)?;
        self.run_until_idle()
    }

    /// As [`Runtime::call_builtin`], then runs the event loop until `is_done`, or until nothing
    /// keeps it alive.
    pub fn run_builtin_until(
        &self,
        id: &'static str,
        function: &'static str,
        is_done: impl Fn() -> bool,
    ) -> Result<(), Stop> {
        self.call_builtin(id, function)?;
        self.run_until(is_done)
    }

    /// Whether the program has changed something of the process that [`Runtime::renew`] does not
    /// restore.
    pub fn has_changed_process(&self) -> bool {
        self.state.has_changed_process.get()
    }

    fn run_from(
        &self,
        body: impl for<'s> FnOnce(&'s Scope) -> Result<(), Exception<'s>>,
    ) -> Result<(), Stop> {
        let outcome = self.run_loop(body);
        self.handle.workers().terminate_all();
        outcome
    }
}

/// Later runtimes of a VM ([`Runtime::renew`]) evaluate our own scripts without compiling them, and
/// share the compiled functions of some ([`Builtins::share_code`]). Modules that they load again
/// are kept, too.
fn keep_scripts(vm: &Vm, state: &RuntimeState) {
    loader::keep_modules();
    if let Some(cache) = &state.transpile_cache {
        cache.keep_recent();
    }
    vm.turn(|scope| {
        scope.keep_static_scripts();
        state.builtins.share_code(scope);
    });
}

/// The descriptors of the loop itself: the engine's, the thread pool's, and in a worker the one by
/// which it is terminated.
fn register_own(
    reactor: &Reactor,
    vm: &Vm,
    thread_pool: &ThreadPool,
    worker: Option<&WorkerContext>,
) -> sys::Result<()> {
    reactor.add_own(vm.waker(), LoopToken::ENGINE)?;
    reactor.add_waker(thread_pool.waker(), LoopToken::THREAD_POOL)?;
    worker.map_or(Ok(()), |worker| {
        worker.control.with_waker(|waker| reactor.add_own(waker.as_fd(), LoopToken::TERMINATE))
    })
}

fn loop_handle(reactor: Reactor, thread_pool: ThreadPool) -> LoopHandle {
    let inbox = Inbox::new(thread_pool.wake());
    let event_loop = EventLoop::<VmContext>::new(reactor, thread_pool);
    LoopHandle(Rc::new(Inner {
        event_loop,
        inbox,
        workers: Workers::default(),
        check_hooks: CheckHooks::default(),
    }))
}

impl Runtime {
    /// Ends workers, removes handles and callbacks. What is left in the loop may hold handles of
    /// the loop.
    fn close(&self) {
        self.handle.workers().terminate_all();
        self.state.close_extensions();
        let event_loop = &self.handle.0.event_loop;
        event_loop.reactor.clear();
        event_loop.thread_pool.clear();
        event_loop.signals.clear();
        self.handle.0.check_hooks.clear();
        self.handle.inbox().clear();
        self.state.lifecycle.clear();
        loader::clear();
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        if !self.is_closed.get() {
            self.close();
        }
        // The process closes them for the main thread.
        if self.state.worker.is_some() {
            loader::release_directories();
        }
        RuntimeState::leave();
    }
}
