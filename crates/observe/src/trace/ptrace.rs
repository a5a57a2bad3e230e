//! Collector by `ptrace(2)`, which needs no privileges: every thread of the tree stops at entry to
//! and exit from each system call. In: what to start. Out: a ledger. A stop costs three system
//! calls of ours. Tracer and program share a CPU by default, so that a stop wakes no other CPU.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::time::Duration;

use rusk_base::Result;
use rusk_base::sys::Errno;
use rusk_base::sys::alarm::Alarm;
use rusk_base::sys::ptrace::{self, CpuPin, Stop};
use rusk_base::sys::stopped_child::now_ns;

use super::{CollectorOutput, CpuAffinity, Program, StopCondition, TraceOptions, TraceTarget, TraceWindow};
use crate::ledger::{ExitStatus, Ledger, Record};
use crate::problem;
use crate::report::TraceInfo;
use crate::syscalls::{Arch, PathOperation, Syscall};

/// Probe calls before the program starts; they take half a millisecond.
const PROBE_CALLS: u32 = 32;

/// Longest recorded path; the kernel's limit is 4096.
const PATH_BYTES_MAX: usize = 512;

/// How often the time limit is checked while nothing happens.
const CHECK_INTERVAL: Duration = Duration::from_millis(50);

pub fn trace(target: &TraceTarget<'_>) -> Result<CollectorOutput> {
    let TraceTarget { options, relay, .. } = *target;
    let stopped = target.spawn(PROBE_CALLS)?;
    let root = stopped.process;
    ptrace::seize(root, ptrace::Orphan::Continues).map_err(|error| refusal(root, error))?;
    // Without pinning, a stop only costs more.
    let pin = (options.affinity == CpuAffinity::Single).then(|| CpuPin::new(root).ok()).flatten();
    let is_pinned = pin.is_some();
    let lost = |error| problem::lost("ptrace was refused", error);
    ptrace::interrupt(root).map_err(lost)?;
    let running = stopped.resume().map_err(lost)?;
    relay.forward_to(root as u32);
    let alarm = matches!(options.stop, StopCondition::After(_)).then(|| Alarm::every(CHECK_INTERVAL));
    let mut tracer = Tracer::new(root, options, pin);
    let ended = tracer.follow().map_err(lost)?;
    drop(alarm);
    let overhead_ns = target.overhead(&running, PROBE_CALLS)?;
    let info = TraceInfo {
        collector: "ptrace",
        is_pinned,
        until: tracer.window.condition_text(),
        is_condition_met: tracer.window.is_over,
        wall_ns: tracer.stop_ns.saturating_sub(tracer.window.start_ns),
        overhead_ns,
        lost: 0,
    };
    let program = ended.map_or(Program::Runs(running), Program::Ended);
    Ok(CollectorOutput { ledger: tracer.ledger, info, program })
}

fn refusal(process: i32, error: Errno) -> rusk_base::Problem {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let tracer = status.lines().find_map(|line| line.strip_prefix("TracerPid:")).unwrap_or_default();
    match tracer.trim().parse() {
        Ok(tracer) if tracer != 0 => problem::already_traced(tracer),
        _ => problem::no_ptrace(error),
    }
}

/// A traced thread.
struct Thread {
    process: i32,
    call: Option<PendingSyscall>,
    /// The path of that call; its buffer is reused.
    path: Vec<u8>,
}

/// A system call that has not returned.
struct PendingSyscall {
    call: Syscall,
    arguments: [u64; 4],
    at_ns: u64,
}

struct Tracer {
    root: i32,
    pin: Option<CpuPin>,
    threads: HashMap<i32, Thread>,
    /// Threads that stopped before their parent's stop announced them.
    early: HashSet<i32>,
    ledger: Ledger,
    window: TraceWindow,
    current_dir: String,
    /// Before that, the child makes probe calls.
    has_begun: bool,
    /// The shortest probe call, which is the cost of tracing.
    tracing_ns: u64,
    stop_ns: u64,
}

impl Tracer {
    fn new(root: i32, options: &TraceOptions, pin: Option<CpuPin>) -> Tracer {
        let current_dir = options.current_dir.to_string_lossy().into_owned();
        Tracer {
            root,
            pin,
            threads: HashMap::from([(root, Thread::new(root))]),
            early: HashSet::new(),
            ledger: Ledger::new(root, &current_dir, now_ns()),
            window: TraceWindow::new(options.stop),
            current_dir,
            has_begun: false,
            tracing_ns: u64::MAX,
            stop_ns: 0,
        }
    }

    /// Runs until the trace is over: returns the program's exit status, or `None` if it still runs.
    fn follow(&mut self) -> Result<Option<ExitStatus>, Errno> {
        loop {
            let (thread, stop) = match ptrace::wait_any() {
                Ok(Some(stopped)) => stopped,
                Ok(None) => return Err(Errno::CHILD),
                Err(Errno::INTR) => {
                    self.window.check_time(now_ns());
                    if self.window.is_over {
                        return self.detach_all(None);
                    }
                    continue;
                }
                Err(error) => return Err(error),
            };
            let ended = self.apply(thread, stop);
            if ended.is_some() {
                // Its descendants run on without tracing.
                self.detach_all(None)?;
                return Ok(ended);
            }
            if self.window.is_over {
                return self.detach_all(Some((thread, stop)));
            }
            self.resume(thread, stop);
        }
    }

    /// Applies a stop. Returns the exit status if the program has ended.
    fn apply(&mut self, thread: i32, stop: Stop) -> Option<ExitStatus> {
        match stop {
            Stop::Syscall => self.on_syscall_stop(thread),
            Stop::Clone(child) => self.on_clone(thread, child),
            Stop::Exec(former) if former != thread => {
                // The thread that called execve(2) takes the thread group leader's id.
                if let Some(state) = self.threads.remove(&former) {
                    self.threads.insert(thread, state);
                }
            }
            Stop::Exited(code) => return self.on_thread_exit(thread, ExitStatus::Code(code)),
            Stop::Killed(signal) => return self.on_thread_exit(thread, ExitStatus::Signal(signal)),
            Stop::Exec(_) | Stop::Group | Stop::Attached | Stop::Signal(_) => {}
        }
        None
    }

    fn resume(&mut self, thread: i32, stop: Stop) {
        // A thread that was killed meanwhile reports that by its next stop.
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

    fn on_syscall_stop(&mut self, thread: i32) {
        let now = now_ns();
        match ptrace::syscall_info(thread) {
            Ok(ptrace::SyscallStop::Entry { arch, number, arguments }) => {
                self.on_syscall_entry(thread, arch, number, arguments)
            }
            Ok(ptrace::SyscallStop::Exit { result }) => self.on_syscall_exit(thread, result, now),
            Ok(ptrace::SyscallStop::None) | Err(_) => {}
        }
    }

    fn on_syscall_entry(&mut self, thread: i32, arch: u32, number: u64, arguments: [u64; 6]) {
        let (Some(state), Some(arch)) = (self.threads.get_mut(&thread), Arch::from_audit(arch)) else {
            return;
        };
        let call = Syscall { arch, number: number as u32 };
        let [first, second, third, fourth, ..] = arguments;
        state.path.clear();
        if let Some(path) = call.traits().path {
            state.read_path(thread, arguments[path.index]);
            if path.operation == PathOperation::Exec && !self.has_begun {
                self.has_begun = true;
                let now = now_ns();
                self.ledger = Ledger::new(self.root, &self.current_dir, now);
                self.window.begin(now);
            }
        }
        state.call =
            Some(PendingSyscall { call, arguments: [first, second, third, fourth], at_ns: now_ns() });
    }

    fn on_syscall_exit(&mut self, thread: i32, result: i64, now: u64) {
        let Some(state) = self.threads.get_mut(&thread) else { return };
        let Some(pending) = state.call.take() else { return };
        let elapsed_ns = now.saturating_sub(pending.at_ns);
        if !self.has_begun {
            self.tracing_ns = self.tracing_ns.min(elapsed_ns);
            return;
        }
        let record = Record {
            process: state.process,
            thread,
            call: pending.call,
            duration_ns: elapsed_ns.saturating_sub(self.tracing_ns),
            result,
            arguments: pending.arguments,
            path: &state.path,
        };
        self.ledger.call(&record, now);
        self.window.call(&record);
        self.window.check_time(now);
    }

    /// A thread has created a thread or process.
    fn on_clone(&mut self, parent: i32, child: i32) {
        let Some(process) = self.threads.get(&parent).map(|state| state.process) else { return };
        if Path::new(&format!("/proc/{process}/task/{child}")).exists() {
            self.threads.insert(child, Thread::new(process));
            self.ledger.on_new_thread(process);
        } else {
            self.threads.insert(child, Thread::new(child));
            self.ledger.on_fork(child, process, now_ns());
        }
        if self.early.remove(&child) {
            self.resume(child, Stop::Attached);
        }
    }

    fn on_thread_exit(&mut self, thread: i32, end: ExitStatus) -> Option<ExitStatus> {
        let state = self.threads.remove(&thread)?;
        if state.call.is_some() {
            self.ledger.unfinished(state.process);
        }
        if state.process == thread {
            self.ledger.on_exit(thread, now_ns(), end);
        }
        (thread == self.root).then_some(end)
    }

    /// Stops tracing while the program runs on. `stopped`: the thread that is stopped now.
    fn detach_all(&mut self, stopped: Option<(i32, Stop)>) -> Result<Option<ExitStatus>, Errno> {
        self.stop_ns = now_ns();
        let mut traced: HashSet<i32> = self.threads.keys().copied().collect();
        for thread in
            std::mem::take(&mut self.early).into_iter().chain(stopped.iter().map(|(thread, _)| *thread))
        {
            traced.remove(&thread);
            self.detach(thread, stopped.filter(|(other, _)| *other == thread).map(|(_, stop)| stop));
        }
        traced.retain(|thread| ptrace::interrupt(*thread).is_ok() && !is_over(*thread));
        while !traced.is_empty() {
            let (thread, stop) = match ptrace::wait_any() {
                Ok(Some(stopped)) => stopped,
                Ok(None) => break,
                Err(Errno::INTR) => continue,
                Err(error) => return Err(error),
            };
            traced.remove(&thread);
            match stop {
                Stop::Exited(code) if thread == self.root => return Ok(Some(ExitStatus::Code(code))),
                Stop::Killed(signal) if thread == self.root => return Ok(Some(ExitStatus::Signal(signal))),
                Stop::Exited(_) | Stop::Killed(_) => {}
                Stop::Clone(child) => {
                    // It is traced from its start, and stops by itself.
                    traced.insert(child);
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

    /// Detaches a stopped thread, with the signal that was about to be delivered. Fails if the
    /// thread has ended, which needs no action.
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

/// Whether a thread has ended without being reported yet; a thread group leader is reported later.
fn is_over(thread: i32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{thread}/stat")).unwrap_or_default();
    // The name, in parentheses, may contain any character.
    stat.rsplit_once(") ").is_none_or(|(_, rest)| rest.starts_with(['Z', 'X']))
}

impl Thread {
    fn new(process: i32) -> Thread {
        Thread { process, call: None, path: Vec::new() }
    }

    /// Reads up to the NUL; an unreadable path is empty.
    fn read_path(&mut self, thread: i32, address: u64) {
        self.path.resize(PATH_BYTES_MAX, 0);
        let read = ptrace::read_memory(thread, address, &mut self.path);
        self.path.truncate(read);
        if let Some(end) = self.path.iter().position(|byte| *byte == 0) {
            self.path.truncate(end);
        }
    }
}
