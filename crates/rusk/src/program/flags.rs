//! The command line of a program: flags of ours, then its name, then words of its own. In: the
//! arguments. Out: what is wanted; or nothing, where a command of ours is meant. Names are Node's
//! and bun's. Absent: what a flag does.

mod options;
mod table;

use std::ffi::OsString;
use std::path::Path;

use rusk_base::Result;
use rusk_runtime::Preload;

use crate::flags::parse;
use crate::problem;
pub use options::Options;
use table::{ACCEPTED, ACCEPTED_BEGINNINGS, Does, LIMITS};
pub use table::{ROWS, Row};

/// What a program is to be, and how.
#[derive(Debug, PartialEq, Eq)]
pub struct Wanted {
    pub source: Source,
    pub arguments: Vec<String>,
    /// The flags, as they stood.
    pub exec_arguments: Vec<String>,
    pub conditions: Vec<String>,
    pub preloads: Vec<Preload>,
    /// `NAME=VALUE`, as they stood.
    pub defines: Vec<String>,
    pub env: Env,
    /// Whether and how the program begins again when a file of it changes.
    pub watch: Option<Watch>,
}

/// Files of variables.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Env {
    /// Named; then no others are read.
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
pub struct Watch {
    /// Watched with all that is below, instead of what the program loads.
    pub paths: Vec<String>,
    pub keeps_screen: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Source {
    File(String),
    Text { source: String, is_printed: bool, is_module: Option<bool> },
    Stdin { is_printed: bool, is_module: Option<bool> },
}

/// V8 writes its flags with underscores, which nobody else does.
fn is_of_v8(name: &str) -> bool {
    let words = name.strip_prefix("--").unwrap_or_default();
    words.starts_with(|first: char| first.is_ascii_lowercase())
        && words.contains('_')
        && words.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'))
}

/// Endings that name a file to be run, whether it is there or not.
const ENDINGS: &[&str] = &[".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json", ".wasm"];

/// Endings that may be left away.
const SCRIPTS: &[&str] = &[".js", ".ts", ".tsx", ".jsx"];

impl Wanted {
    /// A file without any flag.
    pub fn file(name: &str, arguments: Vec<String>) -> Wanted {
        Wanted { arguments, ..Wanted::of(Source::File(name.to_owned())) }
    }

    fn of(source: Source) -> Wanted {
        Wanted {
            source,
            arguments: Vec::new(),
            exec_arguments: Vec::new(),
            conditions: Vec::new(),
            preloads: Vec::new(),
            defines: Vec::new(),
            env: Env::default(),
            watch: None,
        }
    }
}

struct Reader {
    rest: std::vec::IntoIter<String>,
    /// All but the source and what stands behind it.
    wanted: Wanted,
    text: Option<String>,
    is_printed: bool,
    is_module: Option<bool>,
    keeps_screen: bool,
    /// A flag that only programs have stood there.
    is_certain: bool,
}

/// `None`: not a program. `is_stdin_program`: whether standard input may be one, when nothing is
/// named.
pub fn parse(arguments: &[OsString], is_stdin_program: impl Fn() -> bool) -> Option<Result<Wanted>> {
    let mut words: Vec<String> = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    // `rusk run --watch app.ts`, as bun has it; flags of the command's own are not among ours.
    let is_ours = |word: &String| {
        let name = name_of(word);
        name.starts_with("--") && ROWS.iter().any(|row| row.names.contains(&name))
    };
    if words.first().is_some_and(|word| word == "run") && words.get(1).is_some_and(is_ours) {
        words.remove(0);
    }
    let mut reader = Reader {
        rest: words.into_iter(),
        wanted: Wanted::of(Source::Stdin { is_printed: false, is_module: None }),
        text: None,
        is_printed: false,
        is_module: None,
        keeps_screen: false,
        is_certain: false,
    };
    loop {
        let Some(word) = reader.rest.next() else {
            let is_program = reader.text.is_some() || reader.is_certain || is_stdin_program();
            return is_program.then(|| Ok(reader.without_file()));
        };
        if word == "--" {
            return reader.behind_end();
        }
        if word == "-" {
            let mut wanted = reader.without_file();
            wanted.arguments.insert(0, word);
            return Some(Ok(wanted));
        }
        if !word.starts_with('-') {
            if reader.text.is_some() {
                let mut wanted = reader.without_file();
                wanted.arguments.insert(0, word);
                return Some(Ok(wanted));
            }
            let is_program = reader.is_certain || (parse::find_command(&word).is_none() && names_file(&word));
            return is_program.then(|| Ok(reader.with_file(word)));
        }
        match reader.flag(&word) {
            Ok(true) => {}
            Ok(false) if reader.is_certain => return Some(Err(problem::unknown_program_flag(&word))),
            Ok(false) => return None,
            Err(problem) => return Some(Err(problem)),
        }
    }
}

/// A flag without its value.
fn name_of(word: &str) -> &str {
    word.split('=').next().unwrap_or_default()
}

/// Whether a word is a program rather than a command.
fn names_file(word: &str) -> bool {
    word.contains('/') || is_file(word)
}

/// Whether a word is the name of a program's file, there or not; without a program's ending only if
/// it is there, or a file or folder that Node would find by it.
pub fn is_file(word: &str) -> bool {
    has_ending(word) || matches!(word, "." | "..") || Path::new(word).is_file() || has_program(word)
}

/// Whether an ending makes a file of a name, or it is a folder with a program.
fn has_program(name: &str) -> bool {
    let is_there = |name: &str| SCRIPTS.iter().any(|ending| Path::new(&format!("{name}{ending}")).is_file());
    is_there(name) || is_there(&format!("{name}/index")) || Path::new(name).join("package.json").is_file()
}

/// Whether a name ends as those of programs do.
pub fn has_ending(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending))
}

/// Refuses what is none of the words that a flag knows.
fn check_choice(name: &str, words: &[&str], value: &str) -> Result<()> {
    if words.contains(&value) { Ok(()) } else { Err(problem::unknown_program_choice(name, words, value)) }
}

impl Reader {
    /// Whether it was one of ours.
    fn flag(&mut self, word: &str) -> Result<bool> {
        let (name, value) = match word.split_once('=') {
            Some((name, value)) if word.starts_with("--") => (name, Some(value.to_owned())),
            _ => (word, None),
        };
        if LIMITS.contains(&name) {
            return Err(problem::no_permissions(word));
        }
        let Some(row) = ROWS.iter().find(|row| row.names.contains(&name)) else {
            let is_accepted = ACCEPTED.contains(&word)
                || ACCEPTED_BEGINNINGS.iter().any(|begin| word.starts_with(begin))
                || is_of_v8(name);
            if is_accepted {
                self.wanted.exec_arguments.push(word.to_owned());
                self.is_certain = true;
            }
            return Ok(is_accepted);
        };
        self.is_certain = true;
        let known = self.wanted.exec_arguments.len();
        if row.does == Does::Print {
            self.print(word, value);
            return Ok(true);
        }
        let value = match (row.takes, value) {
            (None, Some(_)) => return Err(problem::unknown_program_flag(word)),
            (None, None) => {
                self.wanted.exec_arguments.push(word.to_owned());
                String::new()
            }
            (Some(_), value) => self.value(word, value)?,
        };
        let wanted = &mut self.wanted;
        match row.does {
            Does::Eval | Does::Print => self.text = Some(value),
            Does::Preload(way) => wanted.preloads.push(Preload::new(way, value)),
            Does::Condition => wanted.conditions.push(value),
            Does::InputType => self.is_module = Some(value.starts_with("module")),
            Does::Define => wanted.defines.push(value),
            Does::EnvFile { must_exist } => wanted.env.files.push(EnvFile { path: value, must_exist }),
            Does::NoEnvFile => wanted.env.is_off = true,
            Does::Watch => drop(wanted.watch.get_or_insert_default()),
            Does::WatchPath => wanted.watch.get_or_insert_default().paths.push(value),
            Does::KeepScreen => self.keeps_screen = true,
            Does::Choose(words) => check_choice(name, words, &value)?,
            Does::Pass => {}
        }
        // Programs that this one forks are not watched for themselves.
        if matches!(row.does, Does::Watch | Does::WatchPath | Does::KeepScreen) {
            self.wanted.exec_arguments.truncate(known);
        }
        Ok(true)
    }

    /// `-p` alone prints what standard input is.
    fn print(&mut self, word: &str, value: Option<String>) {
        self.is_printed = true;
        self.wanted.exec_arguments.push(word.to_owned());
        if let Some(text) = value.or_else(|| self.rest.next()) {
            self.wanted.exec_arguments.push(text.clone());
            self.text = Some(text);
        }
    }

    fn value(&mut self, word: &str, value: Option<String>) -> Result<String> {
        self.wanted.exec_arguments.push(word.to_owned());
        if let Some(value) = value {
            return Ok(value);
        }
        let value = self.rest.next().ok_or_else(|| problem::program_value_missing(word))?;
        self.wanted.exec_arguments.push(value.clone());
        Ok(value)
    }

    /// Behind `--`: with a text its arguments, else the program's name, whatever it looks like.
    fn behind_end(mut self) -> Option<Result<Wanted>> {
        if self.text.is_some() {
            return Some(Ok(self.without_file()));
        }
        match self.rest.next() {
            Some(name) if self.is_certain || names_file(&name) => Some(Ok(self.with_file(name))),
            None if self.is_certain => Some(Ok(self.without_file())),
            _ => None,
        }
    }

    fn with_file(self, name: String) -> Wanted {
        self.with(Source::File(name))
    }

    fn without_file(mut self) -> Wanted {
        let (is_printed, is_module) = (self.is_printed, self.is_module);
        let source = match self.text.take() {
            Some(source) => Source::Text { source, is_printed, is_module },
            None => Source::Stdin { is_printed, is_module },
        };
        self.with(source)
    }

    fn with(self, source: Source) -> Wanted {
        let mut wanted = Wanted { source, arguments: self.rest.collect(), ..self.wanted };
        if let Some(watch) = &mut wanted.watch {
            watch.keeps_screen = self.keeps_screen;
        }
        wanted
    }
}

#[cfg(test)]
mod tests;
