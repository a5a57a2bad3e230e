//! Worker: a program on its own thread, with its own VM and event loop. In: options and an initial
//! message. Out: a [`Worker`], by which the loop that started it terminates it, and its exit,
//! reported once. A worker or a process that ends terminates the workers that it started. Absent:
//! messages between the two; they go through message ports.

use std::any::Any;
use std::cell::{Cell, RefCell};
use std::os::fd::{AsFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rusk_base::sys::{self, Errno, epoll};
use rusk_jsc::{Exception, Scope, TerminationHandle};
use rusk_messages::Packet;

use crate::bytecode_cache::BuiltinBytecode;
use crate::environment::SharedEnvironment;
use crate::extension::Extension;
use crate::handle::{Completer, LoopHandle, Pending};
use crate::idle;
use crate::program::{Main, Program};
use crate::runtime::{Runtime, Stop};
use crate::settings::Settings;
use crate::state::RuntimeState;
use crate::times::LoopTimes;
use rusk_event_loop::ORPHAN_REAPER;

/// How long the end of a program waits for its workers. One that is blocked in a system call runs
/// until the process ends.
const EXIT_TIMEOUT: Duration = Duration::from_secs(2);
const POLL_INTERVAL: Duration = Duration::from_micros(200);

/// Exit code of a worker that is terminated.
const TERMINATED: i32 = 1;

/// Whether a thread did not end in time.
static HAS_RUNNING_THREADS: AtomicBool = AtomicBool::new(false);

/// The main thread's is 0.
static LAST_ID: AtomicU32 = AtomicU32::new(0);

/// Options of a worker.
pub struct WorkerOptions {
    pub id: u32,
    pub program: Program,
    pub extensions: &'static [&'static Extension],
    /// The initial message.
    pub packet: Packet,
    pub bytecode: Option<Arc<BuiltinBytecode>>,
    pub name: String,
    pub stack_bytes: usize,
    /// Environment variables shared with the thread that starts it; `None`: it has its own.
    pub environment: Option<Arc<SharedEnvironment>>,
    /// Whether file descriptors that it leaves open are closed.
    pub closes_files: bool,
}

/// Handle of a worker for the loop that started it.
pub struct Worker {
    control: Arc<WorkerHandle>,
    pending: Pending,
    handle: LoopHandle,
}

/// State that both threads share.
pub struct WorkerHandle {
    state: Mutex<HandleState>,
    is_ending: AtomicBool,
    /// Thread id of the kernel; 0: it does not run.
    thread_id: AtomicI32,
    pub times: Arc<LoopTimes>,
}

#[derive(Default)]
struct HandleState {
    /// Terminates what the VM runs; present once there is a VM.
    termination: Option<TerminationHandle>,
    /// Ends a wait of the loop; absent when the loop is gone.
    waker: Option<OwnedFd>,
    code: Option<i32>,
    error: Option<String>,
}

/// How a worker ended.
pub struct WorkerExit {
    pub code: i32,
    /// An error that it could not send as a message.
    pub error: Option<String>,
}

/// What a runtime holds if it is a worker's.
pub struct WorkerContext {
    pub control: Arc<WorkerHandle>,
    pub id: u32,
    pub packet: Cell<Option<Packet>>,
    /// Bytecode of our builtins, if it is cached.
    pub bytecode: Option<Arc<BuiltinBytecode>>,
    pub environment: Option<Arc<SharedEnvironment>>,
    pub closes_files: bool,
}

/// The running workers that a loop has started.
#[derive(Default)]
pub struct Workers(RefCell<Vec<Running>>);

struct Running {
    control: Arc<WorkerHandle>,
    thread: JoinHandle<()>,
}

/// An id for a new worker.
pub fn next_id() -> u32 {
    LAST_ID.fetch_add(1, Ordering::Relaxed) + 1
}

/// Whether a worker still runs that could not be terminated: then the process ends without freeing
/// anything that it may use.
pub fn has_running_threads() -> bool {
    HAS_RUNNING_THREADS.load(Ordering::Relaxed)
}

impl LoopHandle {
    /// Starts a worker. `on_exit` is called when its thread has ended and its memory is freed.
    pub fn start_worker(
        &self,
        start: WorkerOptions,
        on_exit: impl for<'s> FnOnce(&'s Scope, WorkerExit) -> Result<(), Exception<'s>> + 'static,
    ) -> sys::Result<Worker> {
        if RuntimeState::current().worker.is_none() {
            ORPHAN_REAPER.attach(self.reactor())?;
        }
        let control = Arc::new(WorkerHandle::new()?);
        let (own, handle) = (Arc::clone(&control), self.clone());
        let (pending, completer) = self.thread_pool().pending(Box::new(move |scope, ended| {
            handle.workers().join(&own);
            let ended = ended.downcast::<WorkerExit>().expect("the thread sends this type");
            on_exit(scope, *ended)
        }));
        let own = Arc::clone(&control);
        let started = thread::Builder::new()
            .name(thread_name(&start.name))
            .stack_size(start.stack_bytes)
            .spawn(move || run_thread(start, &own, completer));
        match started {
            Ok(thread) => {
                self.workers().0.borrow_mut().push(Running { control: Arc::clone(&control), thread });
                Ok(Worker { control, pending, handle: self.clone() })
            }
            Err(error) => {
                self.thread_pool().cancel(pending);
                Err(Errno::from_io_error(&error).unwrap_or(Errno::AGAIN))
            }
        }
    }
}

/// Cut to the length that the kernel allows.
fn thread_name(name: &str) -> String {
    let shown: String = name.chars().filter(|character| *character != '\0').take(15).collect();
    if shown.is_empty() { "rusk-worker".to_owned() } else { shown }
}

/// Runs the thread of a worker. Its memory is freed before its exit is reported.
fn run_thread(start: WorkerOptions, control: &Arc<WorkerHandle>, completer: Completer) {
    control.thread_id.store(sys::process::thread_id(), Ordering::Relaxed);
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(start, control))) {
        control.fail(panic_text(&*panic));
    }
    control.thread_id.store(0, Ordering::Relaxed);
    idle::trim_after_worker();
    completer.send(Box::new(control.leave()));
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("an internal error of the runtime").to_owned()
}

/// File descriptors that a loop and a VM need, about. GLib aborts the process if it gets none.
const FDS: usize = 16;

fn has_free_fds() -> bool {
    let taken: Result<Vec<OwnedFd>, _> = (0..FDS).map(|_| epoll::waker()).collect();
    taken.is_ok()
}

fn run(start: WorkerOptions, control: &Arc<WorkerHandle>) {
    if !has_free_fds() {
        return control.fail("EMFILE: no file descriptors are left for an event loop".to_owned());
    }
    let (failed, exited) = (Arc::clone(control), Arc::clone(control));
    let settings = Settings {
        program: start.program,
        extensions: start.extensions,
        on_failure: Box::new(move |failure| {
            failed.fail(failure.to_string());
            failed.exit(failure.code);
        }),
        on_exit: Box::new(move |code| exited.exit(code)),
        ..Settings::default()
    };
    let context = WorkerContext {
        control: Arc::clone(control),
        id: start.id,
        packet: Cell::new(Some(start.packet)),
        bytecode: start.bytecode,
        environment: start.environment,
        closes_files: start.closes_files,
    };
    match Runtime::of_worker(settings, context) {
        Ok(runtime) => {
            if control.attach(runtime.termination_handle()) {
                match runtime.run_main(&Main::Worker) {
                    Ok(()) | Err(Stop::Exited(_)) => {}
                    Err(Stop::Failure(failure)) => control.exit(failure.code),
                    Err(Stop::Problem(problem)) => control.fail(problem.to_string()),
                }
            }
        }
        Err(problem) => control.fail(problem.to_string()),
    }
}

impl WorkerHandle {
    fn new() -> sys::Result<WorkerHandle> {
        let state = HandleState { waker: Some(epoll::waker()?), ..HandleState::default() };
        Ok(WorkerHandle {
            state: Mutex::new(state),
            is_ending: AtomicBool::new(false),
            thread_id: AtomicI32::new(0),
            times: LoopTimes::new(Instant::now()),
        })
    }

    fn lock(&self) -> MutexGuard<'_, HandleState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Terminates the worker from another thread, whatever it does; the first code counts.
    pub fn terminate(&self) {
        self.exit(TERMINATED);
    }

    /// Ends it with this code: nothing of its program runs any more.
    pub fn exit(&self, code: i32) {
        let mut state = self.lock();
        state.code.get_or_insert(code);
        self.is_ending.store(true, Ordering::Release);
        if let Some(termination) = &state.termination {
            termination.terminate();
        }
        if let Some(waker) = &state.waker {
            // Its counter is far from full.
            let _ = epoll::wake(waker.as_fd());
        }
    }

    /// The exit code if it is ending; `None`: it runs on.
    pub fn ending(&self) -> Option<i32> {
        if !self.is_ending.load(Ordering::Acquire) {
            return None;
        }
        Some(self.lock().code.unwrap_or(TERMINATED))
    }

    /// The eventfd that ends a wait of its loop.
    pub fn with_waker<R>(&self, body: impl FnOnce(&OwnedFd) -> R) -> R {
        body(self.lock().waker.as_ref().expect("it is present until the loop is gone"))
    }

    fn fail(&self, error: String) {
        let mut state = self.lock();
        state.error.get_or_insert(error);
        state.code.get_or_insert(TERMINATED);
    }

    /// False: it was terminated before it began.
    fn attach(&self, termination: TerminationHandle) -> bool {
        let mut state = self.lock();
        state.termination = Some(termination);
        state.code.is_none()
    }

    fn leave(&self) -> WorkerExit {
        let mut state = self.lock();
        (state.termination, state.waker) = (None, None);
        WorkerExit { code: state.code.unwrap_or(0), error: state.error.take() }
    }
}

impl Worker {
    pub fn terminate(&self) {
        self.control.terminate();
    }

    /// Whether its thread has freed all, even if its exit was not reported yet.
    pub fn has_ended(&self) -> bool {
        self.control.lock().waker.is_none()
    }

    /// Sets whether it keeps the loop that started it alive.
    pub fn set_ref(&self, is_ref: bool) {
        self.handle.thread_pool().set_ref(&self.pending, is_ref);
    }

    /// See [`LoopTimes::read`].
    pub fn times(&self) -> [f64; 6] {
        self.control.times.read()
    }

    /// CPU time in user and kernel mode, in microseconds. `ESRCH`: it does not run.
    pub fn cpu_times(&self) -> sys::Result<[f64; 2]> {
        match self.control.thread_id.load(Ordering::Relaxed) {
            0 => Err(Errno::SRCH),
            number => sys::process::thread_cpu_micros(number),
        }
    }
}

impl Workers {
    /// Joins a worker that has reported its exit: its thread is at its last line.
    fn join(&self, control: &Arc<WorkerHandle>) {
        let mut running = self.0.borrow_mut();
        let index = running.iter().position(|running| Arc::ptr_eq(&running.control, control));
        let ended = index.map(|index| running.swap_remove(index));
        drop(running);
        if let Some(ended) = ended {
            // A panic was reported already.
            let _ = ended.thread.join();
        }
    }

    /// Those that have not ended.
    pub fn count(&self) -> usize {
        self.0.borrow().len()
    }

    /// Terminates all and waits until they have ended.
    pub fn terminate_all(&self) {
        let running = self.0.take();
        for worker in &running {
            worker.control.terminate();
        }
        let until = Instant::now() + EXIT_TIMEOUT;
        for worker in running {
            while !worker.thread.is_finished() && Instant::now() < until {
                thread::sleep(POLL_INTERVAL);
            }
            match worker.thread.is_finished() {
                true => drop(worker.thread.join()),
                false => HAS_RUNNING_THREADS.store(true, Ordering::Relaxed),
            }
        }
    }
}
