//! The command line of a program: flags of ours, then its name, then words of its own. In: the arguments. Out: what is wanted; or
//! nothing, where a command of ours is meant. Names are Node's and bun's. Absent: what a flag does.

use std::collections::BTreeMap;
use std::ffi::OsString;

use rusk_base::Result;

use crate::flags::parse;
use crate::problem;

/// What a program is to be, and how.
#[derive(Debug, PartialEq, Eq)]
pub struct Wanted {
    pub source: Source,
    pub arguments: Vec<String>,
    /// The flags, as they stood.
    pub exec_arguments: Vec<String>,
    pub conditions: Vec<String>,
    pub preloads: Vec<String>,
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

/// A flag that does something, as the parser and the help see it.
pub struct Row {
    /// All spellings, the first one shown with the last.
    pub names: &'static [&'static str],
    /// What its value is called, if it takes one.
    pub takes: Option<&'static str>,
    pub help: &'static str,
    does: Does,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Does {
    Eval,
    Print,
    Preload,
    Condition,
    InputType,
    /// It is for the program's own half, which reads it.
    Pass,
    Define,
    EnvFile {
        must_exist: bool,
    },
    NoEnvFile,
    Watch,
    WatchPath,
    KeepScreen,
}

pub const ROWS: &[Row] = &[
    Row { names: &["-e", "--eval"], takes: Some("TEXT"), help: "Run this text", does: Does::Eval },
    Row {
        names: &["-p", "-pe", "--print"],
        takes: Some("TEXT"),
        help: "Run it and print what it gives",
        does: Does::Print,
    },
    Row {
        names: &["-r", "--import", "--require", "--preload"],
        takes: Some("FILE"),
        help: "Load this first; repeatable",
        does: Does::Preload,
    },
    Row {
        names: &["-C", "--conditions"],
        takes: Some("NAME"),
        help: "A condition of `exports` and `imports`; repeatable",
        does: Does::Condition,
    },
    Row {
        names: &["--input-type"],
        takes: Some("TYPE"),
        help: "What a text is: `module` or `commonjs`",
        does: Does::InputType,
    },
    Row {
        names: &["--test-reporter"],
        takes: Some("NAME"),
        help: "How tests are told of: spec, tap ...",
        does: Does::Pass,
    },
    Row {
        names: &["--test-reporter-destination"],
        takes: Some("FILE"),
        help: "Where that goes",
        does: Does::Pass,
    },
    Row {
        names: &["--test-name-pattern"],
        takes: Some("PATTERN"),
        help: "Run tests of this name",
        does: Does::Pass,
    },
    Row {
        names: &["--test-skip-pattern"],
        takes: Some("PATTERN"),
        help: "Leave tests of this name out",
        does: Does::Pass,
    },
    Row { names: &["--test-timeout"], takes: Some("MS"), help: "Limit of each test", does: Does::Pass },
    Row { names: &["--test-only"], takes: None, help: "Run tests marked with `only`", does: Does::Pass },
    Row { names: &["--test-update-snapshots"], takes: None, help: "Write snapshots anew", does: Does::Pass },
    Row {
        names: &["-d", "--define"],
        takes: Some("NAME=VALUE"),
        help: "A constant that stands for a global name; repeatable",
        does: Does::Define,
    },
    Row {
        names: &["--env-file"],
        takes: Some("FILE"),
        help: "Variables from this file instead of .env; repeatable",
        does: Does::EnvFile { must_exist: true },
    },
    Row {
        names: &["--env-file-if-exists"],
        takes: Some("FILE"),
        help: "The same, where the file is there",
        does: Does::EnvFile { must_exist: false },
    },
    Row {
        names: &["--no-env-file"],
        takes: None,
        help: "Read no .env that is not named",
        does: Does::NoEnvFile,
    },
    Row {
        names: &["--watch"],
        takes: None,
        help: "Begin again when a file that was loaded changes",
        does: Does::Watch,
    },
    Row {
        names: &["--watch-path"],
        takes: Some("PATH"),
        help: "Begin again when something here changes; repeatable",
        does: Does::WatchPath,
    },
    Row {
        names: &["--no-clear-screen", "--watch-preserve-output"],
        takes: None,
        help: "Keep what stands on the screen when it begins again",
        does: Does::KeepScreen,
    },
];

/// Flags of Node's that say nothing to this engine, or nothing yet to us; programs are started with them.
const ACCEPTED: &[&str] = &[
    "--expose-gc",
    "--no-warnings",
    "--trace-warnings",
    "--no-deprecation",
    "--throw-deprecation",
    "--trace-deprecation",
    "--pending-deprecation",
    "--no-pending-deprecation",
    "--trace-uncaught",
    "--unhandled-rejections=throw",
    "--unhandled-rejections=strict",
    "--unhandled-rejections=warn",
    "--unhandled-rejections=warn-with-error-code",
    "--unhandled-rejections=none",
    "--enable-source-maps",
    "--no-enable-source-maps",
    "--preserve-symlinks",
    "--preserve-symlinks-main",
    "--expose-internals",
    "--allow-natives-syntax",
    "--abort-on-uncaught-exception",
    "--test",
    "--strip-types",
    "--no-strip-types",
    "--insecure-http-parser",
    "--force-context-aware",
    "--no-addons",
    "--no-node-snapshot",
    "--frozen-intrinsics",
    "--verify-base-objects",
    "--no-async-context-frame",
    "--async-context-frame",
    "--zero-fill-buffers",
    "--jitless",
    "--stress-compaction",
    "--predictable-gc-schedule",
    "--enable-sharedarraybuffer-per-context",
    "--no-concurrent-array-buffer-sweeping",
    "--debug-arraybuffer-allocations",
];

/// The same, with a value behind `=` or with any ending.
const ACCEPTED_BEGINNINGS: &[&str] = &[
    "--experimental-",
    "--no-experimental-",
    "--harmony",
    "--no-harmony",
    "--js-",
    "--max-old-space-size=",
    "--max-semi-space-size=",
    "--max-http-header-size=",
    "--stack-size=",
    "--stack-trace-limit=",
    "--title=",
    "--redirect-warnings=",
    "--disable-warning=",
    "--disable-proto=",
    "--dns-result-order=",
    "--es-module-specifier-resolution=",
    "--secure-heap",
    "--icu-data-dir=",
    "--trace-event-categories",
    "--heapsnapshot-",
    "--localstorage-file=",
    "--network-family-autoselection",
    "--no-network-family-autoselection",
    "--allow-",
    "--gc-interval=",
    "--v8-pool-size=",
];

/// Who asks for a program to be kept from something must not believe that it is.
const LIMITS: &[&str] = &["--permission", "--experimental-permission"];

/// Whoever names a file of hooks must not see it run as the program.
const LOADERS: &[&str] = &["--loader", "--experimental-loader"];

/// V8 writes its flags with underscores, which nobody else does.
fn is_of_v8(name: &str) -> bool {
    let words = name.strip_prefix("--").unwrap_or_default();
    words.starts_with(|first: char| first.is_ascii_lowercase())
        && words.contains('_')
        && words.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'))
}

/// Endings that name a file to be run, whether it is there or not.
const ENDINGS: &[&str] = &[".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".json", ".wasm"];

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

/// `None`: not a program. `is_stdin_program`: whether standard input may be one, when nothing is named.
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
            return Some(Ok(reader.without_file()));
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

/// Refuses flags of NODE_OPTIONS that are refused on the command line, too.
pub fn check_options(environment: &BTreeMap<String, String>) -> Result<()> {
    let words = environment.get("NODE_OPTIONS").map_or("", String::as_str).split_whitespace();
    match words.map(name_of).find(|name| LIMITS.contains(name)) {
        Some(name) => Err(problem::no_permissions(name)),
        None => Ok(()),
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

/// Whether a word is the name of a program's file, there or not; without a program's ending only if it is there.
pub fn is_file(word: &str) -> bool {
    has_ending(word) || std::path::Path::new(word).is_file()
}

/// Whether a name ends as those of programs do.
pub fn has_ending(name: &str) -> bool {
    ENDINGS.iter().any(|ending| name.ends_with(ending))
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
        if LOADERS.contains(&name) {
            return Err(problem::no_loaders(name));
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
            Does::Preload => wanted.preloads.push(value),
            Does::Condition => wanted.conditions.push(value),
            Does::InputType => self.is_module = Some(value.starts_with("module")),
            Does::Define => wanted.defines.push(value),
            Does::EnvFile { must_exist } => wanted.env.files.push(EnvFile { path: value, must_exist }),
            Does::NoEnvFile => wanted.env.is_off = true,
            Does::Watch => drop(wanted.watch.get_or_insert_default()),
            Does::WatchPath => wanted.watch.get_or_insert_default().paths.push(value),
            Does::KeepScreen => self.keeps_screen = true,
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
