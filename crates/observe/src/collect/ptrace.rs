//! Watching by `ptrace(2)`, which needs no rights: every thread of the tree stops where a call
//! begins and where it ends. In: what to start. Out: a ledger. Three calls of ours a stop; tracer
//! and program share a processor unless that is not wanted, so that a stop wakes nobody elsewhere.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use rusk_base::Result;
use rusk_base::sys::Errno;
use rusk_base::sys::alarm::Alarm;
use rusk_base::sys::ptrace::{self, CpuPin, Stop};
use rusk_base::sys::stopped_child::now_ns;

use super::{Asked, Processors, Program, Subject, Until, Watched, Window};
use crate::calls::{Aim, Arch, Call};
use crate::ledger::{ExitStatus, Ledger, Record};
use crate::problem;
use crate::report::Watch;

/// Test calls before the program begins: half a millisecond of them.
const TEST_CALLS: u32 = 32;

/// The longest path that is kept; the kernel's limit is 4096.
const PATH_BYTES_MAX: usize = 512;

/// How often a watch with a limit looks at the clock while nothing happens.
const LOOK_EVERY: Duration = Duration::from_millis(50);

pub fn watch(subject: &Subject<'_>) -> Result<Watched> {
    let Subject { asked, relay, .. } = *subject;
    let held = subject.hold(TEST_CALLS)?;
    let root = held.process;
    ptrace::seize(root).map_err(|error| refusal(root, error))?;
    // Where it is refused, a stop is dearer, no more.
    let pin = (asked.processors == Processors::One).then(|| CpuPin::new(root).ok()).flatten();
    let on_one_processor = pin.is_some();
    let lost = |error| problem::lost("ptrace was refused", error);
    ptrace::interrupt(root).map_err(lost)?;
    let released = held.resume().map_err(lost)?;
    relay.forward_to(root as u32);
    let alarm = matches!(asked.until, Until::After(_)).then(|| Alarm::every(LOOK_EVERY));
    let mut tracer = Tracer::new(root, asked, pin);
    let ended = tracer.follow().map_err(lost)?;
    drop(alarm);
    let overhead_ns = subject.overhead(&released, TEST_CALLS)?;
    let watch = Watch {
        collector: "ptrace",
        on_one_processor,
        until: tracer.window.words(),
        is_reached: tracer.window.is_over,
        wall_ns: tracer.over_ns.saturating_sub(tracer.window.begun_ns),
        overhead_ns,
        lost: 0,
    };
    let program = ended.map_or(Program::Runs(released), Program::Ended);
    Ok(Watched { ledger: tracer.ledger, watch, program })
}

fn refusal(process: i32, error: Errno) -> rusk_base::Problem {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:")).unwrap_or_default();
    match tracer.trim().parse() {
        Ok(tracer) if tracer != 0 => problem::already_traced(tracer),
        _ => problem::no_ptrace(error),
    }
}

/// A thread that is traced.
struct Thread {
    process: i32,
    call: Option<Begun>,
    /// The path of that call; kept for the room it has.
    path: Vec<u8>,
}

/// A call that has not returned.
struct Begun {
    call: Call,
    arguments: [u64; 4],
    at_ns: u64,
}

struct Tracer {
    root: i32,
    pin: Option<CpuPin>,
    threads: HashMap<i32, Thread>,
    /// Threads that stopped before their maker's stop said what they are.
    early: HashSet<i32>,
    ledger: Ledger,
    window: Window,
    current_dir: String,
    /// Before it, the child makes test calls.
    has_begun: bool,
    /// What a call takes at least that does nothing: that is the tracing.
    floor_ns: u64,
    over_ns: u64,
}

impl Tracer {
    fn new(root: i32, asked: &Asked, pin: Option<CpuPin>) -> Tracer {
        let current_dir = asked.current_dir.to_string_lossy().into_owned();
        Tracer {
            root,
            pin,
            threads: HashMap::from([(root, Thread::of(root))]),
            early: HashSet::new(),
            ledger: Ledger::new(root, &current_dir, now_ns()),
            window: Window::new(asked.until),
            current_dir,
            has_begun: false,
            floor_ns: u64::MAX,
            over_ns: 0,
        }
    }

    /// Until the watch is over: the program's end, or `None` where it runs on.
    fn follow(&mut self) -> Result<Option<ExitStatus>, Errno> {
        loop {
            let (thread, stop) = match ptrace::wait_any() {
                Ok(Some(stopped)) => stopped,
                Ok(None) => return Err(Errno::CHILD),
                Err(Errno::INTR) => {
                    self.window.look(now_ns());
                    if self.window.is_over {
                        return self.let_go(None);
                    }
                    continue;
                }
                Err(error) => return Err(error),
            };
            let ended = self.apply(thread, stop);
            if ended.is_some() {
                // What it leaves behind goes on unwatched.
                self.let_go(None)?;
                return Ok(ended);
            }
            if self.window.is_over {
                return self.let_go(Some((thread, stop)));
            }
            self.resume(thread, stop);
        }
    }

    /// What a stop says. The program's end, when that is it.
    fn apply(&mut self, thread: i32, stop: Stop) -> Option<ExitStatus> {
        match stop {
            Stop::Syscall => self.at_call(thread),
            Stop::Clone(made) => self.adopt(thread, made),
            Stop::Exec(former) if former != thread => {
                // The thread that made the call has taken the first one's number.
                if let Some(state) = self.threads.remove(&former) {
                    self.threads.insert(thread, state);
                }
            }
            Stop::Exited(code) => return self.gone(thread, ExitStatus::Code(code)),
            Stop::Killed(signal) => return self.gone(thread, ExitStatus::Signal(signal)),
            Stop::Exec(_) | Stop::Group | Stop::Attached | Stop::Signal(_) => {}
        }
        None
    }

    fn resume(&mut self, thread: i32, stop: Stop) {
        // One that was killed meanwhile tells so by its next stop.
        let _ = match stop {
            Stop::Exited(_) | Stop::Killed(_) => Ok(()),
            Stop::Attached if !self.threads.contains_key(&thread) => {
                self.early.insert(thread);
                Ok(())
            }
            Stop::Group => ptrace::listen(thread),
            Stop::Signal(signal) => ptrace::resume_to_syscall(thread, signal),
            Stop::Syscall | Stop::Clone(_) | Stop::Exec(_) | Stop::Attached => {
                ptrace::resume_to_syscall(thread, 0)
            }
        };
    }

    fn at_call(&mut self, thread: i32) {
        let now = now_ns();
        match ptrace::syscall_info(thread) {
            Ok(ptrace::SyscallStop::Entry { arch, number, arguments }) => {
                self.enter(thread, arch, number, arguments)
            }
            Ok(ptrace::SyscallStop::Exit { result }) => self.leave(thread, result, now),
            Ok(ptrace::SyscallStop::None) | Err(_) => {}
        }
    }

    fn enter(&mut self, thread: i32, arch: u32, number: u64, arguments: [u64; 6]) {
        let (Some(state), Some(arch)) = (self.threads.get_mut(&thread), Arch::of_audit(arch)) else { return };
        let call = Call { arch, number: number as u32 };
        let [first, second, third, fourth, ..] = arguments;
        state.path.clear();
        if let Some(path) = call.traits().path {
            state.read_path(thread, arguments[path.index]);
            if path.aim == Aim::Exec && !self.has_begun {
                self.has_begun = true;
                let now = now_ns();
                self.ledger = Ledger::new(self.root, &self.current_dir, now);
                self.window.begin(now);
            }
        }
        state.call = Some(Begun { call, arguments: [first, second, third, fourth], at_ns: now_ns() });
    }

    fn leave(&mut self, thread: i32, result: i64, now: u64) {
        let Some(state) = self.threads.get_mut(&thread) else { return };
        let Some(begun) = state.call.take() else { return };
        let took = now.saturating_sub(begun.at_ns);
        if !self.has_begun {
            self.floor_ns = self.floor_ns.min(took);
            return;
        }
        let record = Record {
            process: state.process,
            thread,
            call: begun.call,
            duration_ns: took.saturating_sub(self.floor_ns),
            result,
            arguments: begun.arguments,
            path: &state.path,
        };
        self.ledger.call(&record, now);
        self.window.call(&record);
        self.window.look(now);
    }

    /// A thread or a process that another has made.
    fn adopt(&mut self, maker: i32, made: i32) {
        let Some(process) = self.threads.get(&maker).map(|state| state.process) else { return };
        if Path::new(&format!("/proc/{process}/task/{made}")).exists() {
            self.threads.insert(made, Thread::of(process));
            self.ledger.thread(process);
        } else {
            self.threads.insert(made, Thread::of(made));
            self.ledger.begin(made, process, now_ns());
        }
        if self.early.remove(&made) {
            self.resume(made, Stop::Attached);
        }
    }

    fn gone(&mut self, thread: i32, end: ExitStatus) -> Option<ExitStatus> {
        let state = self.threads.remove(&thread)?;
        if state.call.is_some() {
            self.ledger.unfinished(state.process);
        }
        if state.process == thread {
            self.ledger.end(thread, now_ns(), end);
        }
        (thread == self.root).then_some(end)
    }

    /// Ends the watch while the program runs on. `stopped`: the thread that stands still now.
    fn let_go(&mut self, stopped: Option<(i32, Stop)>) -> Result<Option<ExitStatus>, Errno> {
        self.over_ns = now_ns();
        let mut held: HashSet<i32> = self.threads.keys().copied().collect();
        for thread in
            std::mem::take(&mut self.early).into_iter().chain(stopped.iter().map(|(thread, _)| *thread))
        {
            held.remove(&thread);
            self.detach(thread, stopped.filter(|(other, _)| *other == thread).map(|(_, stop)| stop));
        }
        held.retain(|thread| ptrace::interrupt(*thread).is_ok() && !is_over(*thread));
        while !held.is_empty() {
            let (thread, stop) = match ptrace::wait_any() {
                Ok(Some(stopped)) => stopped,
                Ok(None) => break,
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error),
            };
            held.remove(&thread);
            match stop {
                Stop::Exited(code) if thread == self.root => return Ok(Some(ExitStatus::Code(code))),
                Stop::Killed(signal) if thread == self.root => return Ok(Some(ExitStatus::Signal(signal))),
                Stop::Exited(_) | Stop::Killed(_) => {}
                Stop::Clone(made) => {
                    // It is traced from birth, and stops by itself.
                    held.insert(made);
                    self.detach(thread, Some(stop));
                }
                stop => self.detach(thread, Some(stop)),
            }
        }
        if let Some(pin) = &self.pin {
            pin.undo(0);
        }
        Ok(None)
    }

    /// Lets a thread run where it wants to, with the signal that it was about to get. Who is gone
    /// needs nothing.
    fn detach(&self, thread: i32, stop: Option<Stop>) {
        if let Some(pin) = &self.pin {
            pin.undo(thread);
        }
        let signal = match stop {
            Some(Stop::Signal(signal)) => signal,
            _ => 0,
        };
        let _ = ptrace::detach(thread, signal);
    }
}

/// Whether a thread has ended and is still to be heard of, which is later, if it is a process's
/// first one.
fn is_over(thread: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{thread}/stat")).unwrap_or_default();
    // The name stands in parentheses and may hold any character.
    stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['Z', 'X']))
}

impl Thread {
    fn of(process: i32) -> Thread {
        Thread { process, call: None, path: Vec::new() }
    }

    /// Up to its NUL; what cannot be read stays empty.
    fn read_path(&mut self, thread: i32, address: u64) {
        self.path.resize(PATH_BYTES_MAX, 0);
        let read = ptrace::read_memory(thread, address, &mut self.path);
        self.path.truncate(read);
        if let Some(end) = self.path.iter().position(|byte| *byte == 0) {
            self.path.truncate(end);
        }
    }
}
