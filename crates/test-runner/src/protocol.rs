//! Protocol between the process that schedules test files and its worker processes: lines on a
//! socket, and a pipe. In: lines. Out: commands. A worker runs one request at a time; its pipe has
//! the output of tests, and events between it ([`crate::frame`]).

use std::os::fd::RawFd;

use rusk_npm::json::{self, Dialect, text};

/// The worker's end of the control socket, above the descriptors that programs usually inherit.
pub const CONTROL_FD: RawFd = 60;

/// The write end of the worker's pipe.
pub const PIPE_FD: RawFd = 61;

/// The variable that makes a process a worker.
pub const WORKER_VARIABLE: &str = "RUSK_TEST_WORKER";

/// Limit of workers: more processes at a time would only wait for each other.
pub const WORKERS_MAX: usize = 256;

/// What a worker is to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorkerCommand<'a> {
    /// The mark of event frames, and JSON: settings of all requests that follow.
    Settings { token: &'a str, settings: &'a str },
    /// Run files, each with its number; with isolation each has a global object of its own.
    Run { is_isolated: bool, files: Vec<(usize, String)> },
    /// Use the bytecode of earlier runs of the tests of this project. `number`: of the worker, from
    /// 1.
    Bytecode { number: usize, root: &'a str },
    /// There are no other files: write the bytecode of those that ran, and end.
    Finish,
}

/// How the process of a request has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestEnd {
    Code(i32),
    Signal(i32),
}

impl<'a> WorkerCommand<'a> {
    pub fn parse(line: &'a str) -> Option<WorkerCommand<'a>> {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "finish" => Some(WorkerCommand::Finish),
            "bytecode" => {
                let (number, root) = rest.split_once(' ')?;
                Some(WorkerCommand::Bytecode { number: number.parse().ok()?, root })
            }
            "settings" => {
                let (token, settings) = rest.split_once(' ')?;
                Some(WorkerCommand::Settings { token, settings })
            }
            "isolate" | "share" => {
                let list = json::parse(rest, Dialect::Strict).ok()?;
                let file = |file: &json::Node<'_>| {
                    let [index, path] = file.elements() else { return None };
                    let json::Value::Number(index) = &index.value else { return None };
                    Some((index.parse().ok()?, path.as_str()?.to_owned()))
                };
                let files = list.elements().iter().map(file).collect::<Option<Vec<_>>>()?;
                Some(WorkerCommand::Run { is_isolated: word == "isolate", files })
            }
            _ => None,
        }
    }

    /// The line, with its end.
    pub fn line(&self) -> String {
        match self {
            WorkerCommand::Settings { token, settings } => format!("settings {token} {settings}\n"),
            WorkerCommand::Bytecode { number, root } => format!("bytecode {number} {root}\n"),
            WorkerCommand::Finish => "finish\n".to_owned(),
            WorkerCommand::Run { is_isolated, files } => {
                let word = if *is_isolated { "isolate" } else { "share" };
                let file = |(index, path): &(usize, String)| format!("[{index},{}]", text::string(path));
                format!("{word} {}\n", text::array(files.iter().map(file)))
            }
        }
    }
}

#[cfg(test)]
mod tests;
