//! Parser of the command line that runs a program: flags, the program's name, its arguments. In:
//! the arguments. Out: a [`ProgramInvocation`]; `None` if the command line names a command of rusk.
//! Names are Node's and bun's. Absent: what a flag does.

mod node_options;
mod table;

use std::ffi::OsString;
use std::path::Path;

use rusk_base::Result;
use rusk_runtime::{Preload, PreloadKind};

use crate::flags::parse;
use crate::problem;
pub use node_options::NodeOptions;
use table::{
    ABSENT_FLAGS, Action, CONFLICTS, IGNORED_FLAGS, IGNORED_PREFIXES, PERMISSION_FLAGS, UNUSED_FLAGS,
};
pub use table::{PROGRAM_FLAGS, ProgramFlag};

/// A program to run, and how to run it.
#[derive(Debug, PartialEq, Eq)]
pub struct ProgramInvocation {
    pub entry_point: EntryPoint,
    pub arguments: Vec<String>,
    /// The flags as written (`process.execArgv`).
    pub exec_arguments: Vec<String>,
    pub conditions: Vec<String>,
    pub preloads: Vec<Preload>,
    /// `NAME=VALUE` as written.
    pub defines: Vec<String>,
    pub env_files: EnvFiles,
    /// Whether bunfig.toml of the current directory applies.
    pub reads_bunfig: bool,
    /// Watch mode: restart the program when a file changes.
    pub watch: Option<WatchOptions>,
}

/// The `.env` files to load.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct EnvFiles {
    /// Files named by flags; if there are any, the default files are not read.
    pub files: Vec<EnvFile>,
    /// `--no-env-file`
    pub is_off: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub struct EnvFile {
    pub path: String,
    pub must_exist: bool,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub struct WatchOptions {
    /// Watched recursively, instead of the files that the program loads.
    pub paths: Vec<String>,
    pub keeps_screen: bool,
}

/// Where the code of a program comes from.
#[derive(Debug, PartialEq, Eq)]
pub enum EntryPoint {
    File(String),
    Code {
        source: String,
        is_printed: bool,
        is_module: Option<bool>,
    },
    Stdin {
        is_printed: bool,
        is_module: Option<bool>,
    },
    /// The arguments are test files of `node:test`.
    Tests,
}

/// What `--v8-options` runs: programs such as gulp look for flags in its output.
const V8_OPTIONS: &str = "console.log('JavaScriptCore is the engine: there are no options of V8')";

/// Only V8 spells its flags with underscores.
fn is_v8_flag(name: &str) -> bool {
    let name = name.strip_prefix("--").unwrap_or_default();
    name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.contains('_')
        && name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'))
}

/// What to do instead of a flag of Node that rusk does not have. `flag`: with its dashes.
pub fn absent(flag: &str) -> Option<&'static str> {
    let name = name_of(flag);
    ABSENT_FLAGS.iter().find(|(names, _)| names.contains(&name)).map(|(_, advice)| *advice)
}

/// Extensions that make a name a program, whether or not the file exists.
const PROGRAM_EXTENSIONS: &[&str] =
    &[".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json", ".wasm"];

/// Extensions that may be omitted.
const OPTIONAL_EXTENSIONS: &[&str] = &[".js", ".ts", ".tsx", ".jsx"];

impl ProgramInvocation {
    /// Runs a file, without flags.
    pub fn file(name: &str, arguments: Vec<String>) -> ProgramInvocation {
        ProgramInvocation { arguments, ..ProgramInvocation::of(EntryPoint::File(name.to_owned())) }
    }

    fn of(entry_point: EntryPoint) -> ProgramInvocation {
        ProgramInvocation {
            entry_point,
            arguments: Vec::new(),
            exec_arguments: Vec::new(),
            conditions: Vec::new(),
            preloads: Vec::new(),
            defines: Vec::new(),
            env_files: EnvFiles::default(),
            reads_bunfig: true,
            watch: None,
        }
    }
}

struct Parser {
    rest: std::vec::IntoIter<String>,
    /// Everything except the entry point and its arguments.
    invocation: ProgramInvocation,
    code: Option<String>,
    is_printed: bool,
    is_module: Option<bool>,
    keeps_screen: bool,
    runs_tests: bool,
    /// A flag that only programs have was found.
    is_program: bool,
}

/// `None`: not a program. `reads_stdin`: whether standard input is the program if none is named.
pub fn parse(arguments: &[OsString], reads_stdin: impl Fn() -> bool) -> Option<Result<ProgramInvocation>> {
    let invocation = parse_arguments(arguments, reads_stdin)?;
    Some(invocation.and_then(|invocation| {
        check_companions(&invocation.exec_arguments)?;
        match &invocation.entry_point {
            EntryPoint::File(name) if name.ends_with(".sh") => Err(problem::shell_script(name)),
            _ => Ok(invocation),
        }
    }))
}

fn parse_arguments(
    arguments: &[OsString],
    reads_stdin: impl Fn() -> bool,
) -> Option<Result<ProgramInvocation>> {
    let arguments: Vec<String> =
        arguments.iter().map(|argument| argument.to_string_lossy().into_owned()).collect();
    let mut parser = Parser {
        rest: arguments.into_iter(),
        invocation: ProgramInvocation::of(EntryPoint::Stdin { is_printed: false, is_module: None }),
        code: None,
        is_printed: false,
        is_module: None,
        keeps_screen: false,
        runs_tests: false,
        is_program: false,
    };
    loop {
        let Some(argument) = parser.rest.next() else {
            let runs_program = parser.code.is_some() || parser.is_program || reads_stdin();
            return runs_program.then(|| Ok(parser.without_file()));
        };
        if argument == "--" {
            return parser.after_double_dash();
        }
        if argument == "-" {
            let mut invocation = parser.without_file();
            invocation.arguments.insert(0, argument);
            return Some(Ok(invocation));
        }
        if !argument.starts_with('-') {
            if parser.code.is_some() {
                let mut invocation = parser.without_file();
                invocation.arguments.insert(0, argument);
                return Some(Ok(invocation));
            }
            let runs_program =
                parser.is_program || (parse::find_command(&argument).is_none() && names_file(&argument));
            return runs_program.then(|| Ok(parser.with_file(argument)));
        }
        match parser.flag(&argument) {
            Ok(true) => {}
            Ok(false) if parser.is_program || parser.is_before_file(&argument) => {
                return Some(Err(problem::unknown_program_flag(&argument)));
            }
            Ok(false) => return None,
            Err(problem) => return Some(Err(problem)),
        }
    }
}

/// A flag without its value.
fn name_of(argument: &str) -> &str {
    argument.split('=').next().unwrap_or_default()
}

/// Whether an argument names a program rather than a command.
fn names_file(argument: &str) -> bool {
    argument.contains('/') || is_file(argument)
}

/// Whether a name is that of a program's file, existing or not. A name without a program's
/// extension must exist, or Node must find a file or directory by it.
pub fn is_file(name: &str) -> bool {
    has_program_extension(name)
        || matches!(name, "." | "..")
        || Path::new(name).is_file()
        || has_program(name)
}

/// Whether a name with an extension added is a file, or the name is a directory with a program.
fn has_program(name: &str) -> bool {
    let exists = |name: &str| {
        OPTIONAL_EXTENSIONS.iter().any(|extension| Path::new(&format!("{name}{extension}")).is_file())
    };
    exists(name) || exists(&format!("{name}/index")) || Path::new(name).join("package.json").is_file()
}

/// Whether a name has the extension of a program.
pub fn has_program_extension(name: &str) -> bool {
    PROGRAM_EXTENSIONS.iter().any(|extension| name.ends_with(extension))
}

/// Refuses a value that is not among the choices of a flag.
fn check_choice(name: &str, choices: &[&str], value: &str) -> Result<()> {
    if choices.contains(&value) { Ok(()) } else { Err(problem::unknown_program_choice(name, choices, value)) }
}

/// Refuses flags that exclude each other.
fn check_conflicts(flags: &[String]) -> Result<()> {
    let has = |name: &str| flags.iter().any(|flag| flag == name);
    let conflict = CONFLICTS.iter().find(|(one, other)| has(one) && has(other));
    conflict.map_or(Ok(()), |(one, other)| Err(problem::program_flags_conflict(one, other)))
}

/// Refuses flags that mean nothing without another one.
fn check_companions(flags: &[String]) -> Result<()> {
    let has = |name: &str| flags.iter().any(|flag| name_of(flag) == name);
    for flag in PROGRAM_FLAGS {
        if let Action::With(other) = flag.action
            && has(flag.names[0])
            && !has(other)
        {
            return Err(problem::program_flag_alone(flag.names[0], other));
        }
    }
    Ok(())
}

impl Parser {
    /// Whether a flag that programs do not have is before a file: with another name after it, it
    /// belongs to a command.
    fn is_before_file(&self, flag: &str) -> bool {
        absent(name_of(flag)).is_some() && !self.is_command_next()
    }

    /// Whether the next name is that of a command, or there is none.
    fn is_command_next(&self) -> bool {
        let mut names = self.rest.as_slice().iter().filter(|argument| !argument.starts_with('-'));
        !names.next().is_some_and(|name| parse::find_command(name).is_none() && names_file(name))
    }

    /// Whether the argument was a known flag.
    fn flag(&mut self, argument: &str) -> Result<bool> {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) if argument.starts_with("--") => (name, Some(value.to_owned())),
            _ => (argument, None),
        };
        if PERMISSION_FLAGS.contains(&name) {
            return Err(problem::no_permissions(argument));
        }
        let Some(flag) = PROGRAM_FLAGS.iter().find(|flag| flag.names.contains(&name)) else {
            let is_ignored = IGNORED_FLAGS.contains(&argument)
                || IGNORED_PREFIXES.iter().any(|prefix| argument.starts_with(prefix))
                || is_v8_flag(name);
            if is_ignored {
                self.invocation.exec_arguments.push(argument.to_owned());
                self.is_program = true;
            }
            if UNUSED_FLAGS.contains(&argument) && !self.is_command_next() {
                self.invocation.exec_arguments.push(argument.to_owned());
                return Ok(true);
            }
            return Ok(is_ignored);
        };
        self.is_program = true;
        let flags_before = self.invocation.exec_arguments.len();
        if flag.action == Action::Print {
            self.print(argument, value);
            return Ok(true);
        }
        let value = match (flag.value_name, value) {
            (None, Some(_)) => return Err(problem::unknown_program_flag(argument)),
            (None, None) => {
                self.invocation.exec_arguments.push(argument.to_owned());
                String::new()
            }
            (Some(_), value) => self.value(argument, value)?,
        };
        let invocation = &mut self.invocation;
        match flag.action {
            Action::Eval | Action::Print => self.code = Some(value),
            Action::Preload(PreloadKind::Hooks) if value.starts_with('.') && value.contains(':') => {
                return Err(problem::loader_of_extension(&value));
            }
            Action::Preload(way) => invocation.preloads.push(Preload::new(way, value)),
            Action::PreloadInternal(module) => {
                invocation.preloads.push(Preload::new(PreloadKind::Internal, module))
            }
            Action::Condition => invocation.conditions.push(value),
            Action::InputType => self.is_module = Some(value.starts_with("module")),
            Action::Define => invocation.defines.push(value),
            Action::EnvFile { must_exist } => {
                invocation.env_files.files.push(EnvFile { path: value, must_exist })
            }
            Action::NoEnvFile => invocation.env_files.is_off = true,
            Action::RunTests => self.runs_tests = true,
            Action::Watch => drop(invocation.watch.get_or_insert_default()),
            Action::WatchPath => invocation.watch.get_or_insert_default().paths.push(value),
            Action::KeepScreen => self.keeps_screen = true,
            Action::V8Options => self.code = Some(V8_OPTIONS.to_owned()),
            Action::Choose(choices) => check_choice(name, choices, &value)?,
            Action::Pass | Action::With(_) => check_conflicts(&invocation.exec_arguments)?,
        }
        // Programs that this one forks are not watched on their own.
        if matches!(flag.action, Action::Watch | Action::WatchPath | Action::KeepScreen) {
            self.invocation.exec_arguments.truncate(flags_before);
        }
        Ok(true)
    }

    /// `-p` without a value prints the result of standard input.
    fn print(&mut self, argument: &str, value: Option<String>) {
        self.is_printed = true;
        self.invocation.exec_arguments.push(argument.to_owned());
        if let Some(code) = value.or_else(|| self.rest.next()) {
            self.invocation.exec_arguments.push(code.clone());
            self.code = Some(code);
        }
    }

    fn value(&mut self, argument: &str, value: Option<String>) -> Result<String> {
        self.invocation.exec_arguments.push(argument.to_owned());
        if let Some(value) = value {
            return Ok(value);
        }
        let value = self.rest.next().ok_or_else(|| problem::program_value_missing(argument))?;
        self.invocation.exec_arguments.push(value.clone());
        Ok(value)
    }

    /// After `--`: the arguments of `--eval` code, otherwise the program's name, whatever it looks
    /// like.
    fn after_double_dash(mut self) -> Option<Result<ProgramInvocation>> {
        if self.code.is_some() {
            return Some(Ok(self.without_file()));
        }
        match self.rest.next() {
            Some(name) if self.is_program || names_file(&name) => Some(Ok(self.with_file(name))),
            None if self.is_program => Some(Ok(self.without_file())),
            _ => None,
        }
    }

    fn with_file(self, name: String) -> ProgramInvocation {
        if self.runs_tests {
            return self.with_tests(Some(name));
        }
        self.with(EntryPoint::File(name))
    }

    fn without_file(mut self) -> ProgramInvocation {
        let (is_printed, is_module) = (self.is_printed, self.is_module);
        let entry_point = match self.code.take() {
            Some(source) => EntryPoint::Code { source, is_printed, is_module },
            None if self.runs_tests => return self.with_tests(None),
            None => EntryPoint::Stdin { is_printed, is_module },
        };
        self.with(entry_point)
    }

    /// The test runner watches the files of its tests itself.
    fn with_tests(mut self, name: Option<String>) -> ProgramInvocation {
        if self.invocation.watch.take().is_some() {
            self.invocation.exec_arguments.push("--watch".to_owned());
        }
        let mut invocation = self.with(EntryPoint::Tests);
        invocation.arguments.splice(0..0, name);
        invocation
    }

    fn with(self, entry_point: EntryPoint) -> ProgramInvocation {
        let mut invocation =
            ProgramInvocation { entry_point, arguments: self.rest.collect(), ..self.invocation };
        if let Some(watch) = &mut invocation.watch {
            watch.keeps_screen = self.keeps_screen;
        }
        invocation
    }
}

#[cfg(test)]
mod tests;
