//! The process that evaluates macros: rusk with a script, started by the first macro of a build.
//! In: calls as source text. Out: values as source text, or why there are none.

use std::io::{BufRead, BufReader, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rusk_npm::json::{self, Dialect};

const SCRIPT: &str = include_str!("host.js");

/// No macro takes longer; one that does hangs, and the build must not.
const ANSWER_SECONDS_MAX: u64 = 120;

/// The call of a macro.
#[derive(Clone, Debug)]
pub(crate) struct MacroCall {
    pub(crate) specifier: String,
    pub(crate) name: String,
    /// Source text of the arguments, which are constants.
    pub(crate) values: String,
}

/// A macro's value as source text, or an error's message.
pub(crate) type MacroAnswer = Result<String, String>;

#[derive(Debug)]
pub(crate) struct MacroHost {
    program: PathBuf,
    current_dir: PathBuf,
    process: Mutex<Option<HostProcess>>,
}

#[derive(Debug)]
struct HostProcess {
    child: Child,
    socket: BufReader<UnixStream>,
}

impl Drop for HostProcess {
    fn drop(&mut self) {
        // It has no state that would be lost.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl MacroHost {
    pub(crate) fn new(program: PathBuf, current_dir: PathBuf) -> MacroHost {
        MacroHost { program, current_dir, process: Mutex::new(None) }
    }

    /// Evaluates the calls of a module in order.
    pub(crate) fn evaluate(&self, importer: &Path, calls: &[MacroCall]) -> Result<Vec<MacroAnswer>, String> {
        let mut process = self.process.lock().unwrap_or_else(PoisonError::into_inner);
        let started = match process.take() {
            Some(started) => started,
            None => self.start().map_err(|error| format!("{}: {error}", self.program.display()))?,
        };
        let mut line = String::new();
        let started = process.insert(started);
        let exchange = started
            .socket
            .get_mut()
            .write_all(request(importer, calls).as_bytes())
            .and_then(|()| started.socket.read_line(&mut line));
        let answers = match exchange {
            Ok(0) => Err("it ended the process that evaluates macros".to_owned()),
            Ok(_) => parse(&line),
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                Err(format!("it did not return within {ANSWER_SECONDS_MAX} seconds"))
            }
            Err(error) => Err(error.to_string()),
        };
        if answers.is_err() {
            *process = None;
        }
        answers
    }

    fn start(&self) -> std::io::Result<HostProcess> {
        let (own, other) = UnixStream::pair()?;
        own.set_read_timeout(Some(Duration::from_secs(ANSWER_SECONDS_MAX)))?;
        // What macros print must not be in the output of the build.
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "exec \"$0\" \"$@\" >&2"]).arg(&self.program);
        command.args(["--conditions=macro", "-e", SCRIPT]).current_dir(&self.current_dir);
        command.env("BUN_BE_BUN", "1").stdin(Stdio::from(OwnedFd::from(other)));
        Ok(HostProcess { child: command.spawn()?, socket: BufReader::new(own) })
    }
}

fn request(importer: &Path, calls: &[MacroCall]) -> String {
    let mut text = "{\"importer\":".to_owned();
    json::quote_into(&mut text, &importer.to_string_lossy());
    text.push_str(",\"calls\":[");
    for (index, call) in calls.iter().enumerate() {
        text.push_str(if index > 0 { "," } else { "" });
        text.push_str("{\"specifier\":");
        json::quote_into(&mut text, &call.specifier);
        text.push_str(",\"name\":");
        json::quote_into(&mut text, &call.name);
        text.push_str(",\"values\":");
        json::quote_into(&mut text, &call.values);
        text.push('}');
    }
    text.push_str("]}\n");
    text
}

fn parse(line: &str) -> Result<Vec<MacroAnswer>, String> {
    let root = json::parse(line, Dialect::Strict).map_err(|error| error.to_string())?;
    let answer = |node: &json::Node<'_>| {
        let part = |key: &str| node.find(key).and_then(json::Node::as_str).map(str::to_owned);
        part("text").ok_or_else(|| part("error").unwrap_or_default())
    };
    Ok(root.elements().iter().map(answer).collect())
}
