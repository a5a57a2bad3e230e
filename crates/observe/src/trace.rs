//! Tracing of a program: starts it and collects its system calls. In: what to start, when to stop,
//! the collector. Out: a [`Report`] when the trace is over, and the program, which may still run.
//! Absent: counting, rendering.

mod bpf;
mod ptrace;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use rusk_base::sys::Errno;
use rusk_base::sys::signal_relay::SignalRelay;
use rusk_base::sys::stopped_child::{PreExec, RunningChild, SpawnError, SpawnOptions, StoppedChild, now_ns};
use rusk_base::{Problem, Result};

use crate::ledger::{ExitStatus, Ledger, Record};
use crate::problem;
use crate::report::{Report, TraceInfo};
use crate::syscalls::{FdEffect, PathOperation};

/// What to start and how to trace it.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// Absolute.
    pub file: PathBuf,
    /// The argv of the program.
    pub arguments: Vec<OsString>,
    /// The complete environment.
    pub environment: Vec<(OsString, OsString)>,
    pub current_dir: PathBuf,
    pub stop: StopCondition,
    pub collector: Collector,
    pub affinity: CpuAffinity,
}

/// Another root file system for the program.
#[derive(Clone, Copy)]
pub struct Chroot<'a> {
    /// The pre-exec hook: it enters the root and returns the program's path there.
    pub pre_exec: PreExec<'a>,
    /// Makes the error of a failed start.
    pub explain: &'a dyn Fn(StartError) -> Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StartError {
    /// The error of the pre-exec hook.
    PreExec(Vec<u8>),
    /// The errno of execve(2).
    Exec(Errno),
}

/// When the trace stops, unless the program ends before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopCondition {
    Exit,
    /// Any process of the tree executes another program.
    Exec,
    /// Any process of the tree listens on a socket.
    Listen,
    After(Duration),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collector {
    /// BPF if this process has the privileges, otherwise ptrace.
    Chosen,
    Bpf,
    Ptrace,
}

/// The CPUs of the program while ptrace traces it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CpuAffinity {
    /// The tracer's CPU: a stop then costs a tenth.
    Single,
    All,
}

/// A report, and a program that may still run.
pub struct Observation {
    pub report: Report,
    program: Program,
    relay: SignalRelay,
}

/// The traced program.
enum Program {
    Ended(ExitStatus),
    Runs(RunningChild),
}

/// Starts and traces the program. While the result lives, signals are forwarded to the program.
pub fn observe(options: &TraceOptions, chroot: Option<Chroot<'_>>) -> Result<Observation> {
    let relay = SignalRelay::install();
    let target = TraceTarget { options, chroot, relay: &relay };
    let output = match options.collector {
        Collector::Bpf => bpf::trace(&target)?,
        Collector::Ptrace => ptrace::trace(&target)?,
        Collector::Chosen => match bpf::trace(&target) {
            Err(problem) if problem.code() == "no-bpf" => ptrace::trace(&target)?,
            output => output?,
        },
    };
    let command = options.arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let report = Report::new(command, output.info, &output.ledger);
    Ok(Observation { report, program: output.program, relay })
}

impl Observation {
    /// Waits for the program's end.
    pub fn wait(self) -> Result<ExitStatus> {
        match self.program {
            Program::Ended(end) => Ok(end),
            Program::Runs(program) => {
                self.relay.wait_for_end();
                program.wait().map_err(|error| problem::lost("its end", error))
            }
        }
    }
}

/// The result of a collector.
struct CollectorOutput {
    ledger: Ledger,
    info: TraceInfo,
    program: Program,
}

/// The traced period, from the program's start to the stop condition.
struct TraceWindow {
    stop: StopCondition,
    start_ns: u64,
    /// Successful execve(2) calls, including the first one, of the command itself.
    programs: u32,
    is_over: bool,
}

impl TraceWindow {
    fn new(stop: StopCondition) -> TraceWindow {
        TraceWindow { stop, start_ns: now_ns(), programs: 0, is_over: false }
    }

    /// The program starts now.
    fn begin(&mut self, at_ns: u64) {
        self.start_ns = at_ns;
    }

    /// Checks the stop condition after a system call.
    fn call(&mut self, record: &Record<'_>) {
        let traits = record.call.traits();
        if record.result == 0 && traits.path.is_some_and(|path| path.operation == PathOperation::Exec) {
            self.programs += 1;
            self.is_over |= self.stop == StopCondition::Exec && self.programs > 1;
        }
        let listens = record.result == 0 && traits.effect == FdEffect::Listen;
        self.is_over |= self.stop == StopCondition::Listen && listens;
    }

    /// Checks the time limit.
    fn check_time(&mut self, at_ns: u64) {
        if let StopCondition::After(limit) = self.stop {
            self.is_over |= u128::from(at_ns.saturating_sub(self.start_ns)) >= limit.as_nanos();
        }
    }

    fn condition_text(&self) -> String {
        match self.stop {
            StopCondition::Exit => "exit".to_owned(),
            StopCondition::Exec => "exec".to_owned(),
            StopCondition::Listen => "listen".to_owned(),
            StopCondition::After(limit) => format!("{} s", limit.as_secs_f64()),
        }
    }
}

/// The input of a collector.
struct TraceTarget<'a> {
    options: &'a TraceOptions,
    chroot: Option<Chroot<'a>>,
    relay: &'a SignalRelay,
}

impl TraceTarget<'_> {
    fn spawn(&self, probe_calls: u32) -> Result<StoppedChild> {
        let TraceOptions { file, arguments, environment, current_dir: directory, .. } = self.options;
        let pre_exec = self.chroot.map(|chroot| chroot.pre_exec);
        StoppedChild::spawn(SpawnOptions { file, arguments, environment, directory, pre_exec, probe_calls })
            .map_err(|error| match (error, self.chroot) {
                (SpawnError::PreExec(message), Some(chroot)) => {
                    (chroot.explain)(StartError::PreExec(message))
                }
                (SpawnError::System(errno), _) => problem::not_started(file, errno),
                (SpawnError::PreExec(_), None) => problem::not_started(file, Errno::CHILD),
            })
    }

    /// Nanoseconds that tracing added to each probe call. Fails if the program was not executed.
    fn overhead(&self, running: &RunningChild, calls: u32) -> Result<u64, Problem> {
        let times = running.probe_times().map_err(|errno| match self.chroot {
            Some(chroot) => (chroot.explain)(StartError::Exec(errno)),
            None => problem::not_started(&self.options.file, errno),
        })?;
        Ok(times.traced_ns.saturating_sub(times.untraced_ns) / u64::from(calls))
    }
}
