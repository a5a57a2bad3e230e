//! A program on a thread of its own, with a VM and a loop of its own. In: what it is, and a parcel
//! for it. Out: a [`Worker`], by which the loop that started it ends it, and how it ended, told
//! once. Whoever goes, a worker or the process, takes along the workers that it started. Absent:
//! what the two say to each other; that goes by ports.

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

/// How long the end of a program waits for its workers. One that is in a call of the kernel's is
/// left to the end of the process.
const PATIENCE: Duration = Duration::from_secs(2);
const LOOK_AGAIN: Duration = Duration::from_micros(200);

/// What a worker ends with that others end.
const ENDED: i32 = 1;

/// Threads that did not end in time.
static HAS_LEFT: AtomicBool = AtomicBool::new(false);

/// The main thread's is 0.
static LAST_ID: AtomicU32 = AtomicU32::new(0);

/// What a worker is to be.
pub struct Start {
    pub id: u32,
    pub program: Program,
    pub extensions: &'static [&'static Extension],
    pub parcel: Packet,
    pub codes: Option<Arc<BuiltinBytecode>>,
    pub name: String,
    pub stack_bytes: usize,
    /// The variables of the one who starts it; `None`: it has its own.
    pub environment: Option<Arc<SharedEnvironment>>,
    /// Whether files that it leaves open are closed.
    pub closes_files: bool,
}

/// A worker as the loop that started it sees it.
pub struct Worker {
    control: Arc<Control>,
    pending: Pending,
    handle: LoopHandle,
}

/// What both threads have.
pub struct Control {
    state: Mutex<State>,
    is_ending: AtomicBool,
    /// The kernel's number of the thread; 0: it does not run.
    thread: AtomicI32,
    pub times: Arc<LoopTimes>,
}

#[derive(Default)]
struct State {
    /// Ends what the VM runs; there is one once there is a VM.
    termination: Option<TerminationHandle>,
    /// Ends a wait of the loop; gone when the loop is.
    waker: Option<OwnedFd>,
    code: Option<i32>,
    said: Option<String>,
}

/// How a worker ended.
pub struct Ended {
    pub code: i32,
    /// What it could not tell by its ports.
    pub said: Option<String>,
}

/// What the runtime of a worker knows of its being one.
pub struct WorkerContext {
    pub control: Arc<Control>,
    pub id: u32,
    pub parcel: Cell<Option<Packet>>,
    /// What the engine made of our own files, where it is kept.
    pub codes: Option<Arc<BuiltinBytecode>>,
    pub environment: Option<Arc<SharedEnvironment>>,
    pub closes_files: bool,
}

/// The workers that a loop has started, as long as they run.
#[derive(Default)]
pub struct Workers(RefCell<Vec<Running>>);

struct Running {
    control: Arc<Control>,
    thread: JoinHandle<()>,
}

/// A number for a worker that is to be started.
pub fn next_id() -> u32 {
    LAST_ID.fetch_add(1, Ordering::Relaxed) + 1
}

/// Whether a worker still runs that could not be ended: then the process ends without taking
/// anything apart that it may use.
pub fn leaves_threads() -> bool {
    HAS_LEFT.load(Ordering::Relaxed)
}

impl LoopHandle {
    /// Starts a worker. `then` is called when its thread has ended and all of it is given back.
    pub fn start_worker(
        &self,
        start: Start,
        then: impl for<'s> FnOnce(&'s Scope, Ended) -> Result<(), Exception<'s>> + 'static,
    ) -> sys::Result<Worker> {
        if RuntimeState::current().worker.is_none() {
            ORPHAN_REAPER.attach(self.reactor())?;
        }
        let control = Arc::new(Control::new()?);
        let (own, handle) = (Arc::clone(&control), self.clone());
        let (pending, completer) = self.thread_pool().pending(Box::new(move |scope, ended| {
            handle.workers().join(&own);
            let ended = ended.downcast::<Ended>().expect("the thread gives what was said");
            then(scope, *ended)
        }));
        let own = Arc::clone(&control);
        let started = thread::Builder::new()
            .name(thread_name(&start.name))
            .stack_size(start.stack_bytes)
            .spawn(move || serve(start, &own, completer));
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

/// As much of it as the kernel shows.
fn thread_name(name: &str) -> String {
    let shown: String = name.chars().filter(|letter| *letter != '\0').take(15).collect();
    if shown.is_empty() { "rusk-worker".to_owned() } else { shown }
}

/// All of a worker's thread. What it held is given back before that is told.
fn serve(start: Start, control: &Arc<Control>, completer: Completer) {
    control.thread.store(sys::process::thread_id(), Ordering::Relaxed);
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| run(start, control))) {
        control.fail(panic_text(&*panic));
    }
    control.thread.store(0, Ordering::Relaxed);
    idle::give_back_of_worker();
    completer.send(Box::new(control.leave()));
}

fn panic_text(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a mistake of the runtime's").to_owned()
}

/// A loop and a VM have about so many descriptors. GLib ends the process where it gets none.
const DESCRIPTORS: usize = 16;

fn has_descriptors() -> bool {
    let taken: Result<Vec<OwnedFd>, _> = (0..DESCRIPTORS).map(|_| epoll::waker()).collect();
    taken.is_ok()
}

fn run(start: Start, control: &Arc<Control>) {
    if !has_descriptors() {
        return control.fail("EMFILE: no descriptors are left for a loop".to_owned());
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
        parcel: Cell::new(Some(start.parcel)),
        codes: start.codes,
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

impl Control {
    fn new() -> sys::Result<Control> {
        let state = State { waker: Some(epoll::waker()?), ..State::default() };
        Ok(Control {
            state: Mutex::new(state),
            is_ending: AtomicBool::new(false),
            thread: AtomicI32::new(0),
            times: LoopTimes::new(Instant::now()),
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the worker from outside, whatever it does; the first code counts.
    pub fn end(&self) {
        self.exit(ENDED);
    }

    /// It ends with this code: nothing of its program runs any more.
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

    /// The code that it ends with; `None`: it goes on.
    pub fn ending(&self) -> Option<i32> {
        if !self.is_ending.load(Ordering::Acquire) {
            return None;
        }
        Some(self.lock().code.unwrap_or(ENDED))
    }

    /// Gives the loop what ends its wait.
    pub fn with_waker<R>(&self, body: impl FnOnce(&OwnedFd) -> R) -> R {
        body(self.lock().waker.as_ref().expect("it is there until the loop is gone"))
    }

    fn fail(&self, said: String) {
        let mut state = self.lock();
        state.said.get_or_insert(said);
        state.code.get_or_insert(ENDED);
    }

    /// False: it was ended before it began.
    fn attach(&self, termination: TerminationHandle) -> bool {
        let mut state = self.lock();
        state.termination = Some(termination);
        state.code.is_none()
    }

    fn leave(&self) -> Ended {
        let mut state = self.lock();
        (state.termination, state.waker) = (None, None);
        Ended { code: state.code.unwrap_or(0), said: state.said.take() }
    }
}

impl Worker {
    pub fn end(&self) {
        self.control.end();
    }

    /// Whether its thread is done with all that it had, also while the loop has not been told.
    pub fn has_ended(&self) -> bool {
        self.control.lock().waker.is_none()
    }

    /// Whether the loop that started it goes on for it.
    pub fn set_ref(&self, is_ref: bool) {
        self.handle.thread_pool().set_ref(&self.pending, is_ref);
    }

    /// As [`LoopTimes::read`].
    pub fn times(&self) -> [f64; 6] {
        self.control.times.read()
    }

    /// Processor time of user and system, in microseconds. `ESRCH`: it does not run.
    pub fn processor_times(&self) -> sys::Result<[f64; 2]> {
        match self.control.thread.load(Ordering::Relaxed) {
            0 => Err(Errno::SRCH),
            number => sys::process::thread_cpu_micros(number),
        }
    }
}

impl Workers {
    /// One has told that it ended: its thread is at its last line.
    fn join(&self, control: &Arc<Control>) {
        let mut running = self.0.borrow_mut();
        let place = running.iter().position(|running| Arc::ptr_eq(&running.control, control));
        let ended = place.map(|place| running.swap_remove(place));
        drop(running);
        if let Some(ended) = ended {
            // What it panicked with was told already.
            let _ = ended.thread.join();
        }
    }

    /// Ends all, and waits until they have ended.
    pub fn stop(&self) {
        let running = self.0.take();
        for worker in &running {
            worker.control.end();
        }
        let until = Instant::now() + PATIENCE;
        for worker in running {
            while !worker.thread.is_finished() && Instant::now() < until {
                thread::sleep(LOOK_AGAIN);
            }
            match worker.thread.is_finished() {
                true => drop(worker.thread.join()),
                false => HAS_LEFT.store(true, Ordering::Relaxed),
            }
        }
    }
}
