//! Protocol between the process that schedules test files and its worker processes: lines on a
//! socket, and a pipe for each slot. In: lines. Out: commands and notices. A slot runs one request
//! at a time; its pipe has the output of tests, and events between it ([`crate::frame`]).

use std::os::fd::RawFd;

/// The worker's end of the control socket, above the descriptors that programs usually inherit.
pub const CONTROL_FD: RawFd = 60;

/// The pipe of the first slot.
const SLOTS_FD: RawFd = 64;

/// The variable that makes a process a worker.
pub const WORKER_VARIABLE: &str = "RUSK_TEST_WORKER";

/// Limit of slots: more processes at a time would only wait for each other.
pub const SLOTS_MAX: usize = 256;

/// The write end of a slot's pipe in a worker.
pub fn slot_fd(slot: usize) -> RawFd {
    SLOTS_FD + slot as RawFd
}

/// What a worker is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkerCommand<'a> {
    /// The mark of event frames, and JSON: settings of all requests that follow.
    Settings { token: &'a str, settings: &'a str },
    /// JSON: files to run, in a child or in the worker itself.
    Run { slot: usize, forks: bool, request: &'a str },
    /// End the child of a slot.
    Kill { slot: usize },
}

/// What a worker reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// A child has ended.
    Ended { slot: usize, end: RequestEnd },
    /// There is another thread in the worker, so a child could wait for its locks for ever.
    CannotFork { slot: usize },
}

/// How the process of a request has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestEnd {
    Code(i32),
    Signal(i32),
}

impl<'a> WorkerCommand<'a> {
    pub fn parse(line: &'a str) -> Option<WorkerCommand<'a>> {
        let (word, rest) = line.split_once(' ')?;
        match word {
            "settings" => {
                let (token, settings) = rest.split_once(' ')?;
                Some(WorkerCommand::Settings { token, settings })
            }
            "kill" => Some(WorkerCommand::Kill { slot: rest.parse().ok()? }),
            "fork" | "run" => {
                let (slot, request) = rest.split_once(' ')?;
                Some(WorkerCommand::Run { slot: slot.parse().ok()?, forks: word == "fork", request })
            }
            _ => None,
        }
    }

    /// The line, with its end.
    pub fn line(&self) -> String {
        match self {
            WorkerCommand::Settings { token, settings } => format!("settings {token} {settings}\n"),
            WorkerCommand::Run { slot, forks: true, request } => format!("fork {slot} {request}\n"),
            WorkerCommand::Run { slot, forks: false, request } => format!("run {slot} {request}\n"),
            WorkerCommand::Kill { slot } => format!("kill {slot}\n"),
        }
    }
}

impl Notice {
    pub fn parse(line: &str) -> Option<Notice> {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["ended", slot, "code", code] => {
                Some(Notice::Ended { slot: slot.parse().ok()?, end: RequestEnd::Code(code.parse().ok()?) })
            }
            ["ended", slot, "signal", signal] => Some(Notice::Ended {
                slot: slot.parse().ok()?,
                end: RequestEnd::Signal(signal.parse().ok()?),
            }),
            ["cannot-fork", slot] => Some(Notice::CannotFork { slot: slot.parse().ok()? }),
            _ => None,
        }
    }

    /// The line, with its end.
    pub fn line(&self) -> String {
        match self {
            Notice::Ended { slot, end: RequestEnd::Code(code) } => format!("ended {slot} code {code}\n"),
            Notice::Ended { slot, end: RequestEnd::Signal(signal) } => {
                format!("ended {slot} signal {signal}\n")
            }
            Notice::CannotFork { slot } => format!("cannot-fork {slot}\n"),
        }
    }
}

#[cfg(test)]
mod tests;
