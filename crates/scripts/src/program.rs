//! From a command to a process. In: a script's command with the user's arguments, or a program's
//! file; the environment. Out: a [`Job`], which begins as a child or in our place. A command of
//! plain words starts its program without a shell; where that cannot be done (no such program, a
//! file without `#!`), the shell has the last word, and the message.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use rusk_base::sys::Errno;

use crate::environment::Environment;
use crate::start::{Child, Start, Streams};
use crate::words;

/// The shell that reads what plain words cannot say.
const SHELL: &str = "/bin/sh";

/// A script of package.json, and the arguments after its name.
#[derive(Clone, Copy, Debug)]
pub struct Script<'a> {
    pub name: &'a str,
    pub command: &'a str,
    pub arguments: &'a [OsString],
}

/// What is to be started, and what is tried when that cannot be.
pub struct Job<'a> {
    direct: Option<Way>,
    shell: Way,
    fallback: Fallback,
    environment: &'a Environment,
    directory: &'a Path,
    streams: Streams<'a>,
}

/// When the shell's turn comes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fallback {
    Always,
    /// The kernel does not know the file's format: a script without `#!`.
    Formless,
}

struct Way {
    file: PathBuf,
    words: Vec<OsString>,
}

impl<'a> Job<'a> {
    /// A script in its package's directory.
    pub fn script(
        script: Script<'_>,
        environment: &'a mut Environment,
        directory: &'a Path,
        streams: Streams<'a>,
    ) -> Job<'a> {
        environment.enter(script.name, script.command);
        let direct = words::plain(script.command).and_then(|words| {
            // A path is relative to the directory that the program starts in, and `#!` hands it on
            // as it was written.
            let is_path = words[0].contains('/');
            let file =
                if is_path { (&words[0]).into() } else { environment.find_program(words[0].as_ref())? };
            let words = words.into_iter().map(OsString::from);
            Some(Way { file, words: words.chain(script.arguments.iter().cloned()).collect() })
        });
        let line = words::line(script.command, script.arguments);
        let shell = Way { file: SHELL.into(), words: vec!["sh".into(), "-c".into(), line] };
        Job { direct, shell, fallback: Fallback::Always, environment, directory, streams }
    }

    /// A program by its file; `words` begin with its name.
    pub fn program(
        file: PathBuf,
        words: Vec<OsString>,
        environment: &'a Environment,
        directory: &'a Path,
        streams: Streams<'a>,
    ) -> Job<'a> {
        let arguments = words.iter().skip(1).cloned();
        let read = ["sh".into(), file.clone().into_os_string()].into_iter().chain(arguments).collect();
        let shell = Way { file: SHELL.into(), words: read };
        let direct = Some(Way { file, words });
        Job { direct, shell, fallback: Fallback::Formless, environment, directory, streams }
    }

    /// Starts it beside us.
    pub fn child(&self) -> io::Result<Child> {
        self.first(|start| start.child())
    }

    /// Becomes it; returns only why that could not be done.
    pub fn replace(&self) -> io::Error {
        let outcome = self.first(|start| Err::<(), io::Error>(start.replace()));
        outcome.expect_err("a process that was replaced is not here")
    }

    fn first<T>(&self, begin: impl Fn(&Start<'_>) -> io::Result<T>) -> io::Result<T> {
        if let Some(direct) = &self.direct {
            match begin(&self.start(direct)) {
                Err(error) if self.fallback == Fallback::Always || is_formless(&error) => {}
                outcome => return outcome,
            }
        }
        begin(&self.start(&self.shell))
    }

    fn start<'b>(&'b self, way: &'b Way) -> Start<'b> {
        let variables = self.environment.variables();
        Start {
            file: &way.file,
            words: &way.words,
            variables,
            directory: self.directory,
            streams: self.streams,
        }
    }
}

fn is_formless(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::NOEXEC.raw_os_error())
}
