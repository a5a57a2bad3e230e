//! Lane: what runs one request at a time, and what its process has sent so far. In: bytes of a
//! slot's pipe. Out: items of the file that runs, and its report.

use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::time::{Duration, Instant};

use crate::event::{ErrorReport, TestEvent};
use crate::frame::{FrameReader, Piece};
use crate::pool::WorkerProcess;
use crate::protocol::RequestEnd;
use crate::report::{FileError, FileErrorKind, FileReport};
use crate::reporter::{Item, full_name};

/// How much longer than its limit a test may block the event loop: twice the limit, within bounds.
/// One that works for long fails by its limit when it ends, and the tests after it run; to end the
/// process ends the whole file.
const GRACE_MIN: Duration = Duration::from_secs(2);
const GRACE_MAX: Duration = Duration::from_secs(30);

/// How long a file may block the event loop while it is loaded: so many times the limit of a test,
/// because modules are read and compiled, within bounds.
const LOAD_FACTOR: f64 = 10.0;
const LOAD_LIMIT_MIN: Duration = Duration::from_secs(5);
const LOAD_LIMIT_MAX: Duration = Duration::from_secs(60);

/// `timeout_ms`: the limit of tests; without one files have the longest time.
pub fn load_limit(timeout_ms: f64) -> Duration {
    let limit = Duration::try_from_secs_f64(timeout_ms * LOAD_FACTOR / 1000.0).unwrap_or(LOAD_LIMIT_MAX);
    if limit.is_zero() { LOAD_LIMIT_MAX } else { limit.clamp(LOAD_LIMIT_MIN, LOAD_LIMIT_MAX) }
}

/// A request that runs, and the one after it.
pub struct Running {
    /// Indexes of its files that have not ended, the current one first.
    pub files: Vec<usize>,
    pub report: FileReport,
    /// The file has begun.
    pub has_begun: bool,
    pub started: Instant,
    /// The test that runs.
    pub test: Option<Vec<String>>,
    /// The test's limit; zero: none.
    limit: Duration,
    /// The limit while a file is loaded.
    load_limit: Duration,
    last_event: Instant,
    /// The runner has ended the process, because it blocked.
    pub was_stopped: bool,
    /// Requests that the process has not ended: the next one is sent before it is needed.
    pub requests: usize,
    /// The process ends by itself, before the other files.
    is_retired: bool,
    /// The process has bytecode to write when there are no other files.
    pub has_bytecode: bool,
}

pub struct Lane {
    pub process: WorkerProcess,
    pub pipe: OwnedFd,
    pub reader: FrameReader,
    pub running: Option<Running>,
    /// The process writes its bytecode, and ends.
    pub is_finishing: bool,
}

/// What happened in a lane.
pub enum LaneEvent {
    /// A file begins.
    Begin(String),
    Item(Item),
    /// The current file has ended.
    FileEnd(Box<FileReport>),
    /// A file that has ended has changed its global object.
    Changed(String),
}

impl Running {
    pub fn new(files: Vec<usize>, shown: &str, load_limit: Duration) -> Running {
        let now = Instant::now();
        Running {
            files,
            report: FileReport { path: shown.to_owned(), ..FileReport::default() },
            has_begun: false,
            started: now,
            test: None,
            limit: load_limit,
            load_limit,
            last_event: now,
            was_stopped: false,
            requests: 1,
            is_retired: false,
            has_bytecode: false,
        }
    }

    /// Until when the process must send something; `None`: it may block for ever.
    pub fn deadline(&self) -> Option<Instant> {
        (!self.limit.is_zero() && !self.was_stopped).then(|| self.last_event + self.blocked_max())
    }

    fn blocked_max(&self) -> Duration {
        let grace = if self.test.is_some() { 2 * self.limit } else { GRACE_MIN };
        self.limit + grace.clamp(GRACE_MIN, GRACE_MAX)
    }

    /// Whether all files have run.
    pub fn is_done(&self) -> bool {
        self.requests == 0
    }

    /// The process runs further files when it has run these.
    pub fn add(&mut self, files: Vec<usize>) {
        self.files.extend(files);
        self.requests += 1;
    }

    /// What an event means for this request. `name`: the shown path of a file.
    pub fn event(&mut self, event: TestEvent, name: &dyn Fn(usize) -> String) -> Option<LaneEvent> {
        self.last_event = Instant::now();
        match event {
            TestEvent::FileBegin { index } => {
                self.report = FileReport { path: name(index), ..FileReport::default() };
                (self.has_begun, self.started, self.limit) = (true, Instant::now(), self.load_limit);
                Some(LaneEvent::Begin(self.report.path.clone()))
            }
            TestEvent::TestBegin { path, limit_ms } => {
                self.limit = Duration::try_from_secs_f64(limit_ms / 1000.0).unwrap_or_default();
                self.test = Some(path);
                None
            }
            TestEvent::TestEnd(mut result) => {
                if result.path.is_empty() {
                    result.path = self.test.take().unwrap_or_default();
                } else if self.test.as_ref() == Some(&result.path) {
                    self.test = None;
                }
                let result = Rc::new(result);
                self.report.tests.push(Rc::clone(&result));
                Some(LaneEvent::Item(Item::Test(result)))
            }
            TestEvent::Error { error, is_load, place } => {
                let kind = if is_load { FileErrorKind::Load } else { FileErrorKind::Uncaught };
                Some(self.error(FileError { error, place, kind, test: None }))
            }
            TestEvent::FileEnd(summary) => {
                self.report.summary = summary;
                if !self.files.is_empty() {
                    self.files.remove(0);
                }
                Some(self.file_end())
            }
            TestEvent::Changed { index } => Some(LaneEvent::Changed(name(index))),
            TestEvent::Done { has_bytecode } => {
                self.requests = self.requests.saturating_sub(1);
                self.has_bytecode = has_bytecode;
                None
            }
            TestEvent::Retired => {
                self.is_retired = true;
                None
            }
            TestEvent::Alive | TestEvent::Module { .. } => None,
        }
    }

    /// What the file has done that runs; none if none does.
    pub fn unfinished(mut self) -> Option<Box<FileReport>> {
        if !self.has_begun {
            return None;
        }
        self.report.summary.assertions = self.report.tests.iter().map(|result| result.assertions).sum();
        self.report.duration = self.started.elapsed();
        (self.report.is_unfinished, self.report.running) = (true, self.test);
        Some(Box::new(self.report))
    }

    fn error(&mut self, error: FileError) -> LaneEvent {
        self.report.errors.push(error.clone());
        LaneEvent::Item(Item::Error(error))
    }

    fn file_end(&mut self) -> LaneEvent {
        (self.test, self.has_begun) = (None, false);
        let mut report = std::mem::take(&mut self.report);
        report.duration = match report.summary.duration {
            // The process has ended before.
            Duration::ZERO => self.started.elapsed(),
            duration => duration,
        };
        LaneEvent::FileEnd(Box::new(report))
    }

    /// The process has ended. Out: if it was to do more, the error of the file that ran. Its
    /// process may have ended before it could say that the file begins.
    pub fn process_end(&mut self, end: RequestEnd, name: &dyn Fn(usize) -> String) -> Vec<LaneEvent> {
        if self.is_done() || self.is_retired || self.files.is_empty() {
            return Vec::new();
        }
        let file = self.files.remove(0);
        if !self.has_begun {
            self.report.path = name(file);
        }
        let place = match &self.test {
            Some(path) => format!("while `{}` ran", full_name(path)),
            None if self.report.tests.is_empty() => "before its first test".to_owned(),
            None => "between tests".to_owned(),
        };
        let message = match end {
            _ if self.was_stopped => format!(
                "the event loop was blocked for more than {} ms {place}, so the runner ended the process",
                self.blocked_max().as_millis()
            ),
            RequestEnd::Code(code) => format!("the process exited with code {code} {place}"),
            RequestEnd::Signal(signal) => format!("{} ended the process {place}", signal_name(signal)),
        };
        let begin = (!self.has_begun).then(|| LaneEvent::Begin(self.report.path.clone()));
        let error = ErrorReport { message, ..ErrorReport::default() };
        let test = self.test.take();
        let error = self.error(FileError { error, place: None, kind: FileErrorKind::Crash, test });
        begin.into_iter().chain([error, self.file_end()]).collect()
    }
}

impl Lane {
    /// Pieces of bytes that were read, as items and file ends.
    pub fn take(&mut self, pieces: Vec<Piece>, name: &dyn Fn(usize) -> String) -> Vec<LaneEvent> {
        let Some(running) = &mut self.running else { return Vec::new() };
        let piece = |piece| match piece {
            Piece::Output(bytes) => Some(LaneEvent::Item(Item::Output(bytes))),
            Piece::Line(line) => TestEvent::parse(&line).and_then(|event| running.event(event, name)),
        };
        pieces.into_iter().filter_map(piece).collect()
    }
}

fn signal_name(number: i32) -> String {
    let name = match number {
        libc_signal::ABRT => "SIGABRT",
        libc_signal::BUS => "SIGBUS",
        libc_signal::FPE => "SIGFPE",
        libc_signal::ILL => "SIGILL",
        libc_signal::INT => "SIGINT",
        libc_signal::KILL => "SIGKILL",
        libc_signal::SEGV => "SIGSEGV",
        libc_signal::TERM => "SIGTERM",
        libc_signal::TRAP => "SIGTRAP",
        _ => return format!("signal {number}"),
    };
    name.to_owned()
}

/// Numbers of signals, the same on all architectures of Linux that rusk runs on.
mod libc_signal {
    use rustix::process::Signal;

    pub const ABRT: i32 = Signal::ABORT.as_raw();
    pub const BUS: i32 = Signal::BUS.as_raw();
    pub const FPE: i32 = Signal::FPE.as_raw();
    pub const ILL: i32 = Signal::ILL.as_raw();
    pub const INT: i32 = Signal::INT.as_raw();
    pub const KILL: i32 = Signal::KILL.as_raw();
    pub const SEGV: i32 = Signal::SEGV.as_raw();
    pub const TERM: i32 = Signal::TERM.as_raw();
    pub const TRAP: i32 = Signal::TRAP.as_raw();
}

#[cfg(test)]
mod tests;
