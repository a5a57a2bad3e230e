//! A program started and watched. In: what to start, how long to watch, by which means. Out: a
//! [`Report`] as soon as the watch is over, and the program, which may run on. Absent: what is
//! counted, and how it looks.

mod bpf;
mod ptrace;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use rusk_base::sys::Errno;
use rusk_base::sys::signal_relay::SignalRelay;
use rusk_base::sys::stopped_child::{PreExec, RunningChild, SpawnError, SpawnOptions, StoppedChild, now_ns};
use rusk_base::{Problem, Result};

use crate::calls::{Aim, Effect};
use crate::ledger::{ExitStatus, Ledger, Record};
use crate::problem;
use crate::report::{Report, Watch};

/// What is to be started and watched.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Absolute.
    pub file: PathBuf,
    /// The first one is what the program calls itself.
    pub words: Vec<OsString>,
    /// All of them.
    pub variables: Vec<(OsString, OsString)>,
    pub current_dir: PathBuf,
    pub until: Until,
    pub collector: Collector,
    pub processors: Processors,
}

/// Where the program runs, if not where we are.
#[derive(Clone, Copy)]
pub struct Elsewhere<'a> {
    /// What the program's process does first: it goes there, and says which file is to be run.
    pub way_in: PreExec<'a>,
    /// Why it could not.
    pub explain: &'a dyn Fn(Obstacle) -> Problem,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// What the way in said.
    Way(Vec<u8>),
    /// The kernel did not run the file.
    Program(Errno),
}

/// When the watch ends, if the program has not ended before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    Exit,
    /// Any process of the tree becomes another program.
    Exec,
    /// Any process of the tree listens on a socket.
    Listen,
    After(Duration),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Collector {
    /// BPF where the rights are there, else ptrace.
    Chosen,
    Bpf,
    Ptrace,
}

/// Where the program runs while ptrace watches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Processors {
    /// Where the tracer runs: a stop is then a tenth as dear.
    One,
    All,
}

/// What was seen, and a program that may still run.
pub struct Observed {
    pub report: Report,
    program: Program,
    relay: SignalRelay,
}

/// The program.
enum Program {
    Ended(ExitStatus),
    Runs(RunningChild),
}

/// Starts the program and watches it. Signals that are meant for it reach it until what comes back
/// is gone.
pub fn observe(asked: &Asked, elsewhere: Option<Elsewhere<'_>>) -> Result<Observed> {
    let relay = SignalRelay::install();
    let subject = Subject { asked, elsewhere, relay: &relay };
    let watched = match asked.collector {
        Collector::Bpf => bpf::watch(&subject)?,
        Collector::Ptrace => ptrace::watch(&subject)?,
        Collector::Chosen => match bpf::watch(&subject) {
            Err(problem) if problem.code() == "no-bpf" => ptrace::watch(&subject)?,
            watched => watched?,
        },
    };
    let command = asked.words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let report = Report::new(command, watched.watch, &watched.ledger);
    Ok(Observed { report, program: watched.program, relay })
}

impl Observed {
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

/// What a collector gives.
struct Watched {
    ledger: Ledger,
    watch: Watch,
    program: Program,
}

/// The time that is watched.
struct Window {
    until: Until,
    begun_ns: u64,
    /// The command itself was begun by the first one.
    programs: u32,
    is_over: bool,
}

impl Window {
    fn new(until: Until) -> Window {
        Window { until, begun_ns: now_ns(), programs: 0, is_over: false }
    }

    /// The program begins now.
    fn begin(&mut self, at_ns: u64) {
        self.begun_ns = at_ns;
    }

    /// Whether a call ends it.
    fn call(&mut self, record: &Record<'_>) {
        let traits = record.call.traits();
        if record.result == 0 && traits.path.is_some_and(|path| path.aim == Aim::Exec) {
            self.programs += 1;
            self.is_over |= self.until == Until::Exec && self.programs > 1;
        }
        let listens = record.result == 0 && traits.effect == Effect::Listens;
        self.is_over |= self.until == Until::Listen && listens;
    }

    /// Whether the time ends it.
    fn look(&mut self, at_ns: u64) {
        if let Until::After(limit) = self.until {
            self.is_over |= u128::from(at_ns.saturating_sub(self.begun_ns)) >= limit.as_nanos();
        }
    }

    fn words(&self) -> String {
        match self.until {
            Until::Exit => "exit".to_owned(),
            Until::Exec => "exec".to_owned(),
            Until::Listen => "listen".to_owned(),
            Until::After(limit) => format!("{} s", limit.as_secs_f64()),
        }
    }
}

/// What a collector is given.
struct Subject<'a> {
    asked: &'a Asked,
    elsewhere: Option<Elsewhere<'a>>,
    relay: &'a SignalRelay,
}

impl Subject<'_> {
    fn hold(&self, calls: u32) -> Result<StoppedChild> {
        let Asked { file, words, variables, current_dir: folder, .. } = self.asked;
        let way_in = self.elsewhere.map(|elsewhere| elsewhere.way_in);
        StoppedChild::spawn(SpawnOptions {
            file,
            arguments: words,
            environment: variables,
            directory: folder,
            pre_exec: way_in,
            probe_calls: calls,
        })
        .map_err(|not| match (not, self.elsewhere) {
            (SpawnError::PreExec(said), Some(elsewhere)) => (elsewhere.explain)(Obstacle::Way(said)),
            (SpawnError::System(errno), _) => problem::not_started(file, errno),
            (SpawnError::PreExec(_), None) => problem::not_started(file, Errno::CHILD),
        })
    }

    /// Nanoseconds that observing added to each of the test calls; the error is of a program that
    /// was not run.
    fn overhead(&self, released: &RunningChild, calls: u32) -> Result<u64, Problem> {
        let started = released.probe_times().map_err(|errno| match self.elsewhere {
            Some(elsewhere) => (elsewhere.explain)(Obstacle::Program(errno)),
            None => problem::not_started(&self.asked.file, errno),
        })?;
        Ok(started.traced_ns.saturating_sub(started.untraced_ns) / u64::from(calls))
    }
}
