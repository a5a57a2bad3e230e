//! Jobs: how a script's command or a program is executed. In: a command with the user's arguments,
//! or a program's file; the environment. Out: a [`Job`], which starts a child or replaces this
//! process. A command without shell syntax starts its program directly; if that fails (no such
//! program, a file without `#!`), the shell runs the command and prints the error.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

use rusk_base::sys::Errno;

use crate::command_line;
use crate::environment::Environment;
use crate::start::{Child, Start, Streams};

/// The shell that runs commands with shell syntax.
const SHELL: &str = "/bin/sh";

/// A script of package.json, and the arguments after its name.
#[derive(Clone, Copy, Debug)]
pub struct Script<'a> {
    pub name: &'a str,
    pub command: &'a str,
    pub arguments: &'a [OsString],
}

/// A program to execute, and the shell as its fallback.
pub struct Job<'a> {
    direct: Option<Execution>,
    shell: Execution,
    fallback: Fallback,
    environment: &'a Environment,
    directory: &'a Path,
    streams: Streams<'a>,
}

/// When the shell is used after the program could not be started.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fallback {
    Always,
    /// If the kernel does not know the file's format (`ENOEXEC`): a script without `#!`.
    NoFormat,
}

/// A file and its arguments.
struct Execution {
    file: PathBuf,
    argv: Vec<OsString>,
}

impl<'a> Job<'a> {
    /// A script in its package's directory.
    pub fn script(
        script: Script<'_>,
        environment: &'a mut Environment,
        directory: &'a Path,
        streams: Streams<'a>,
    ) -> Job<'a> {
        environment.set_script(script.name, script.command);
        let direct = command_line::split_simple(script.command).and_then(|argv| {
            // A path is relative to the directory in which the program starts; an interpreter of
            // `#!` gets it unchanged.
            let is_path = argv[0].contains('/');
            let file =
                if is_path { (&argv[0]).into() } else { environment.find_program(argv[0].as_ref())? };
            let argv = argv.into_iter().map(OsString::from);
            Some(Execution { file, argv: argv.chain(script.arguments.iter().cloned()).collect() })
        });
        let line = command_line::shell_line(script.command, script.arguments);
        let shell = Execution { file: SHELL.into(), argv: vec!["sh".into(), "-c".into(), line] };
        Job { direct, shell, fallback: Fallback::Always, environment, directory, streams }
    }

    /// A program by its file; `argv` begins with its name.
    pub fn program(
        file: PathBuf,
        argv: Vec<OsString>,
        environment: &'a Environment,
        directory: &'a Path,
        streams: Streams<'a>,
    ) -> Job<'a> {
        let arguments = argv.iter().skip(1).cloned();
        let shell_argv = ["sh".into(), file.clone().into_os_string()].into_iter().chain(arguments).collect();
        let shell = Execution { file: SHELL.into(), argv: shell_argv };
        let direct = Some(Execution { file, argv });
        Job { direct, shell, fallback: Fallback::NoFormat, environment, directory, streams }
    }

    /// Starts the job as a child process.
    pub fn child(&self) -> io::Result<Child> {
        self.try_in_order(|start| start.child(), |start| start.child())
    }

    /// As [`Job::child`], but the shell may still be starting.
    pub(crate) fn starting_child(&self) -> io::Result<Child> {
        self.try_in_order(|start| start.child(), |start| start.starting_child())
    }

    /// Replaces this process (execve); returns only on an error.
    pub fn replace(&self) -> io::Error {
        let replace = |start: &Start<'_>| Err::<(), io::Error>(start.replace());
        let outcome = self.try_in_order(replace, replace);
        outcome.expect_err("execve returns only on errors")
    }

    fn try_in_order<T>(
        &self,
        begin_direct: impl Fn(&Start<'_>) -> io::Result<T>,
        begin_shell: impl Fn(&Start<'_>) -> io::Result<T>,
    ) -> io::Result<T> {
        if let Some(direct) = &self.direct {
            match begin_direct(&self.start(direct)) {
                Err(error) if self.fallback == Fallback::Always || is_no_format(&error) => {}
                outcome => return outcome,
            }
        }
        begin_shell(&self.start(&self.shell))
    }

    fn start<'b>(&'b self, execution: &'b Execution) -> Start<'b> {
        let variables = self.environment.variables();
        Start {
            file: &execution.file,
            argv: &execution.argv,
            variables,
            directory: self.directory,
            streams: self.streams,
        }
    }
}

fn is_no_format(error: &io::Error) -> bool {
    error.raw_os_error() == Some(Errno::NOEXEC.raw_os_error())
}
