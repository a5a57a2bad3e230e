//! The program while it is watched, and the pipe by which it tells of its files. In: our own
//! command line. Out: a child; names of files, each with a zero behind it. Absent: what is made of
//! them.

use std::ffi::OsStr;
use std::os::fd::{BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::time::Duration;

use rusk_base::Result;
use rusk_base::sys::epoll::Epoll;
use rusk_base::sys::{self, Errno, descriptor};
use rusk_spawn::{Child, Command, Ending, Exit, Whom};
use rustix::process::Signal;

use crate::{host, problem};

/// What a watched program finds the number of the pipe in.
pub const VARIABLE: &str = "RUSK_WATCHED";

/// The number in the program, far from those that programs are handed.
const NUMBER: i32 = 63;

/// How long a program may take to end before it is killed.
const POLITE: Duration = Duration::from_secs(5);

/// A signal from the terminal reaches the program too; so long it has before it is told by us.
const FROM_TERMINAL: Duration = Duration::from_millis(500);

/// Bytes of names that are read at once.
const NAMES_BYTES: usize = 64 * 1024;

pub struct Running {
    child: Child,
    pub report: OwnedFd,
    /// The beginning of a name.
    unfinished: Vec<u8>,
    exit: Option<Exit>,
}

impl Running {
    /// Starts ourselves again, with a pipe: then we are the program.
    pub fn start() -> Result<Running> {
        let refused = |error: std::io::Error| problem::no_watch("start the program", error);
        let (report, told) = std::io::pipe().map_err(refused)?;
        let report = OwnedFd::from(report);
        descriptor::unblock(rustix::fd::AsFd::as_fd(&report)).map_err(|error| refused(error.into()))?;
        let mut words = std::env::args_os();
        let mut command = Command::new(host::program()?);
        command.arg0(words.next().unwrap_or_else(|| "rusk".into())).args(words);
        command.env(VARIABLE, NUMBER.to_string()).descriptor(OwnedFd::from(told), NUMBER);
        command.keep_other_descriptors(true).parent_death_signal(Signal::TERM.as_raw());
        let child =
            command.spawn().map_err(|error| refused(std::io::Error::from_raw_os_error(error.errno())))?;
        Ok(Running { child, report, unfinished: Vec::new(), exit: None })
    }

    pub fn pidfd(&self) -> Option<BorrowedFd<'_>> {
        self.child.pidfd()
    }

    pub fn has_failed(&self) -> bool {
        self.exit.is_some_and(|exit| !exit.is_success())
    }

    /// The files that were told since the last call.
    pub fn read_names(&mut self, epoll: &Epoll) -> Vec<PathBuf> {
        let mut buffer = vec![0; NAMES_BYTES];
        let report = rustix::fd::AsFd::as_fd(&self.report);
        let count = match sys::read(report, &mut buffer) {
            Ok(0) => {
                // Everybody who could tell has gone; it would be ready for ever.
                let _ = epoll.remove(report);
                return Vec::new();
            }
            Ok(count) => count,
            Err(Errno::AGAIN | Errno::INTR) => return Vec::new(),
            Err(_) => 0,
        };
        self.unfinished.extend_from_slice(&buffer[..count]);
        let Some(end) = self.unfinished.iter().rposition(|byte| *byte == 0) else { return Vec::new() };
        let rest = self.unfinished.split_off(end + 1);
        let names = std::mem::replace(&mut self.unfinished, rest);
        let names = names[..end].split(|byte| *byte == 0).filter(|name| !name.is_empty());
        names.map(|name| PathBuf::from(OsStr::from_bytes(name))).collect()
    }

    /// How it ended, as words.
    pub fn take_exit(&mut self, epoll: &Epoll) -> Result<String> {
        if let Some(pidfd) = self.child.pidfd() {
            let _ = epoll.remove(pidfd);
        }
        let exit = self.child.wait().map_err(lost)?;
        self.exit = Some(exit);
        Ok(match exit {
            Exit::Status(code) => format!("ended with {code}"),
            Exit::Signal { number, .. } => format!("was ended by signal {number}"),
        })
    }

    /// Ends it, if it has not.
    pub fn stop(&mut self, signal: i32) -> Result<()> {
        if self.exit.is_some() {
            return Ok(());
        }
        if signal == Signal::INT.as_raw() && self.child.wait_for(FROM_TERMINAL).map_err(lost)?.is_some() {
            return Ok(());
        }
        let ending = Ending { signal, limit: POLITE, whom: Whom::Process };
        self.child.end(ending).map(drop).map_err(lost)
    }
}

fn lost(error: rusk_spawn::Error) -> rusk_base::Problem {
    problem::no_watch("wait for the program", std::io::Error::from_raw_os_error(error.errno()))
}

/// In the program: tells of a file; nothing where nobody watches. `number`: what stood in the
/// variable.
pub fn report(number: Option<&str>) -> impl Fn(&str) + 'static + use<> {
    // Programs that this one starts are not to have it.
    let pipe = number.and_then(|number| number.parse().ok()).and_then(|number| {
        let pipe = descriptor::copy(number).ok();
        let _ = descriptor::close(number);
        pipe
    });
    move |path| {
        if let Some(pipe) = &pipe {
            let mut name = path.as_bytes().to_vec();
            name.push(0);
            // Who watched is gone, and so is the reason to tell.
            let _ = descriptor::write_all(rustix::fd::AsFd::as_fd(pipe), &name);
        }
    }
}
