//! The child process of watch mode, and the pipe through which it reports the files it loads. In:
//! our executable and its command line. Out: a child; for each file its fingerprint, a blank, its
//! name and NUL. Absent: watching the files.

use std::ffi::OsStr;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rusk_base::Result;
use rusk_base::sys::epoll::Epoll;
use rusk_base::sys::{self, Errno, fd};
use rusk_spawn::{Child, Command, Exit, KillScope, Termination};
use rustix::process::Signal;

use crate::problem::no_watch;

/// The file descriptor of the pipe in the child; after `@`, when the child before it was started,
/// in milliseconds of Unix time; after `,`, the descriptor at whose end the child begins.
pub const VARIABLE: &str = "RUSK_WATCHED";

/// The file descriptor in the child, above those that programs usually inherit.
const REPORT_FD: i32 = 63;
const GATE_FD: i32 = 62;

/// How long a program may take to exit before it is killed.
const EXIT_TIMEOUT: Duration = Duration::from_secs(5);

/// A signal from the terminal reaches the program too; we wait this long before we send it again.
const TERMINAL_SIGNAL_WAIT: Duration = Duration::from_millis(500);

/// Bytes of reports per read.
const REPORTS_BYTES: usize = 64 * 1024;

pub struct WatchedChild {
    child: Child,
    pub report: OwnedFd,
    /// The beginning of a report whose end has not been read.
    partial_report: Vec<u8>,
    exit: Option<Exit>,
    /// The child waits for its end.
    gate: Option<OwnedFd>,
}

/// A file that the program loads.
pub struct LoadedFile {
    pub path: PathBuf,
    fingerprint: String,
}

impl LoadedFile {
    /// Parses what [`report`] has written.
    fn parse(text: &[u8]) -> Option<LoadedFile> {
        let blank = text.iter().position(|byte| *byte == b' ')?;
        let fingerprint = String::from_utf8(text[..blank].to_vec()).ok()?;
        Some(LoadedFile { path: PathBuf::from(OsStr::from_bytes(&text[blank + 1..])), fingerprint })
    }

    /// Whether it was written or replaced since the program loaded it.
    pub fn has_changed(&self) -> bool {
        fingerprint(&self.path) != self.fingerprint
    }
}

/// Without a blank.
fn fingerprint(path: &Path) -> String {
    std::fs::metadata(path).map_or_else(
        |_| "absent".to_owned(),
        |data| format!("{}:{}:{}:{}", data.ino(), data.size(), data.mtime(), data.mtime_nsec()),
    )
}

/// When a child begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Begin {
    Now,
    /// When it is released: it prepares itself until then.
    Later,
}

impl WatchedChild {
    /// Starts our own executable again, with the pipe: the child runs the program.
    pub fn start(rusk: &Path, before: Option<SystemTime>, begin: Begin) -> Result<WatchedChild> {
        let failed = |error: std::io::Error| no_watch("start the program", error);
        let (report, report_end) = std::io::pipe().map_err(failed)?;
        let report = OwnedFd::from(report);
        fd::set_nonblocking(rustix::fd::AsFd::as_fd(&report)).map_err(|error| failed(error.into()))?;
        let mut arguments = std::env::args_os();
        let mut command = Command::new(rusk);
        command.arg0(arguments.next().unwrap_or_else(|| "rusk".into())).args(arguments);
        let before = before.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let before = before.map_or_else(String::new, |time| format!("@{}", time.as_millis()));
        let (mut gate, mut waits) = (None, String::new());
        if begin == Begin::Later {
            let (end, own) = std::io::pipe().map_err(failed)?;
            (gate, waits) = (Some(OwnedFd::from(own)), format!(",{GATE_FD}"));
            command.fd(OwnedFd::from(end), GATE_FD);
        }
        command.env(VARIABLE, format!("{REPORT_FD}{before}{waits}"));
        command.fd(OwnedFd::from(report_end), REPORT_FD);
        command.keep_other_fds(true).parent_death_signal(Signal::TERM.as_raw());
        let child =
            command.spawn().map_err(|error| failed(std::io::Error::from_raw_os_error(error.errno())))?;
        Ok(WatchedChild { child, report, partial_report: Vec::new(), exit: None, gate })
    }

    /// Lets a child begin that waits.
    pub fn release(&mut self) {
        drop(self.gate.take());
    }

    pub fn pidfd(&self) -> Option<BorrowedFd<'_>> {
        self.child.pidfd()
    }

    pub fn has_failed(&self) -> bool {
        self.exit.is_some_and(|exit| !exit.is_success())
    }

    /// The files that were reported since the last call.
    pub fn read_files(&mut self, epoll: &Epoll) -> Vec<LoadedFile> {
        let mut buffer = vec![0; REPORTS_BYTES];
        let report = rustix::fd::AsFd::as_fd(&self.report);
        let count = match sys::read(report, &mut buffer) {
            Ok(0) => {
                // All writers are gone, and the pipe would stay readable.
                let _ = epoll.remove(report);
                return Vec::new();
            }
            Ok(count) => count,
            Err(Errno::AGAIN | Errno::INTR) => return Vec::new(),
            Err(_) => 0,
        };
        self.partial_report.extend_from_slice(&buffer[..count]);
        let Some(end) = self.partial_report.iter().rposition(|byte| *byte == 0) else { return Vec::new() };
        let rest = self.partial_report.split_off(end + 1);
        let reports = std::mem::replace(&mut self.partial_report, rest);
        reports[..end].split(|byte| *byte == 0).filter_map(LoadedFile::parse).collect()
    }

    /// Waits for the child and describes how it ended.
    pub fn take_exit(&mut self, epoll: &Epoll) -> Result<String> {
        if let Some(pidfd) = self.child.pidfd() {
            let _ = epoll.remove(pidfd);
        }
        let exit = self.child.wait().map_err(wait_error)?;
        self.exit = Some(exit);
        Ok(match exit {
            Exit::Status(code) => format!("ended with {code}"),
            Exit::Signal { number, .. } => format!("was ended by signal {number}"),
        })
    }

    /// Ends the child if it still runs.
    pub fn stop(&mut self, signal: i32) -> Result<()> {
        if self.exit.is_some() {
            return Ok(());
        }
        if signal == Signal::INT.as_raw()
            && self.child.wait_for(TERMINAL_SIGNAL_WAIT).map_err(wait_error)?.is_some()
        {
            return Ok(());
        }
        let ending = Termination { signal, limit: EXIT_TIMEOUT, scope: KillScope::Process };
        self.child.terminate(ending).map(drop).map_err(wait_error)
    }
}

fn wait_error(error: rusk_spawn::Error) -> rusk_base::Problem {
    no_watch("wait for the program", std::io::Error::from_raw_os_error(error.errno()))
}

/// When the child before this one was started; `None`: this is the first.
pub fn previous_start(value: &str) -> Option<SystemTime> {
    let (_, rest) = value.split_once('@')?;
    let milliseconds = rest.split(',').next()?;
    Some(UNIX_EPOCH + Duration::from_millis(milliseconds.parse().ok()?))
}

/// In a child that was started to begin later: waits until it is released.
pub fn wait_for_release(value: &str) {
    let Some(gate) = value.rsplit_once(',').and_then(|(_, fd)| fd.parse().ok()) else { return };
    // A pipe that nothing is written to: its end is the signal.
    let _ = fd::borrow(gate, |gate| sys::read(gate, &mut [0]));
    let _ = fd::close(gate);
}

/// In the program: a function that reports a file; does nothing outside of watch mode. `fd`: the
/// value of the variable.
pub fn report(fd: Option<&str>) -> impl Fn(&str) + 'static + use<> {
    // Programs that this one starts must not inherit the pipe.
    let pipe = fd
        .map(|value| value.split(['@', ',']).next().unwrap_or(value))
        .and_then(|fd| fd.parse().ok())
        .and_then(|fd| {
            let pipe = fd::duplicate(fd).ok();
            let _ = fd::close(fd);
            pipe
        });
    move |path| {
        if let Some(pipe) = &pipe {
            let report = format!("{} {path}\0", fingerprint(Path::new(path)));
            // If the watching process is gone, reports are no longer needed.
            let _ = fd::write_all(rustix::fd::AsFd::as_fd(pipe), report.as_bytes());
        }
    }
}
