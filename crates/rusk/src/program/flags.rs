//! The command line of a program: flags of ours, then its name, then words of its own. In: the arguments. Out: what is wanted; or
//! nothing, where a command of ours is meant. Names are Node's and bun's. Absent: what a flag does.

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

#[derive(Clone, Copy)]
enum Does {
    Eval,
    Print,
    Preload,
    Condition,
    InputType,
    /// It is for the program's own half, which reads it.
    Pass,
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
        names: &["--env-file"],
        takes: Some("FILE"),
        help: "Variables that the environment has not; repeatable",
        does: Does::Pass,
    },
    Row {
        names: &["--env-file-if-exists"],
        takes: Some("FILE"),
        help: "The same, where there is such a file",
        does: Does::Pass,
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
    "--enable-source-maps",
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
    "--unhandled-rejections=",
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
        let source = Source::File(name.to_owned());
        Wanted { source, arguments, exec_arguments: Vec::new(), conditions: Vec::new(), preloads: Vec::new() }
    }
}

struct Reader {
    rest: std::vec::IntoIter<String>,
    exec_arguments: Vec<String>,
    conditions: Vec<String>,
    preloads: Vec<String>,
    text: Option<String>,
    is_printed: bool,
    is_module: Option<bool>,
    /// A flag that only programs have stood there.
    is_certain: bool,
}

/// `None`: not a program. `is_stdin_program`: whether standard input may be one, when nothing is named.
pub fn parse(arguments: &[OsString], is_stdin_program: impl Fn() -> bool) -> Option<Result<Wanted>> {
    let words: Vec<String> = arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let mut reader = Reader {
        rest: words.into_iter(),
        exec_arguments: Vec::new(),
        conditions: Vec::new(),
        preloads: Vec::new(),
        text: None,
        is_printed: false,
        is_module: None,
        is_certain: false,
    };
    loop {
        let Some(word) = reader.rest.next() else {
            let is_program = reader.text.is_some() || reader.is_certain || is_stdin_program();
            return is_program.then(|| Ok(reader.without_file()));
        };
        if word == "--" && reader.text.is_some() {
            return Some(Ok(reader.without_file()));
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

/// Whether a word is a program rather than a command.
fn names_file(word: &str) -> bool {
    word.contains('/') || is_file(word)
}

/// Whether a word is the name of a program's file, there or not; without a program's ending only if it is there.
pub fn is_file(word: &str) -> bool {
    ENDINGS.iter().any(|ending| word.ends_with(ending)) || std::path::Path::new(word).is_file()
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
                self.exec_arguments.push(word.to_owned());
                self.is_certain = true;
            }
            return Ok(is_accepted);
        };
        match row.does {
            Does::Eval => self.text = Some(self.value(word, value)?),
            Does::Print => {
                self.is_printed = true;
                self.exec_arguments.push(word.to_owned());
                // `-p` alone prints what standard input is.
                if let Some(text) = value.or_else(|| self.rest.next()) {
                    self.exec_arguments.push(text.clone());
                    self.text = Some(text);
                }
            }
            Does::Preload => {
                let value = self.value(word, value)?;
                self.preloads.push(value);
            }
            Does::Condition => {
                let value = self.value(word, value)?;
                self.conditions.push(value);
            }
            Does::InputType => {
                let value = self.value(word, value)?;
                self.is_module = Some(value.starts_with("module"));
            }
            Does::Pass if row.takes.is_some() => {
                self.value(word, value)?;
            }
            Does::Pass => self.exec_arguments.push(word.to_owned()),
        }
        self.is_certain = true;
        Ok(true)
    }

    fn value(&mut self, word: &str, value: Option<String>) -> Result<String> {
        self.exec_arguments.push(word.to_owned());
        if let Some(value) = value {
            return Ok(value);
        }
        let value = self.rest.next().ok_or_else(|| problem::program_value_missing(word))?;
        self.exec_arguments.push(value.clone());
        Ok(value)
    }

    fn with_file(self, name: String) -> Wanted {
        Wanted {
            source: Source::File(name),
            arguments: self.rest.collect(),
            exec_arguments: self.exec_arguments,
            conditions: self.conditions,
            preloads: self.preloads,
        }
    }

    fn without_file(self) -> Wanted {
        let (is_printed, is_module) = (self.is_printed, self.is_module);
        let source = match self.text {
            Some(source) => Source::Text { source, is_printed, is_module },
            None => Source::Stdin { is_printed, is_module },
        };
        Wanted {
            source,
            arguments: self.rest.collect(),
            exec_arguments: self.exec_arguments,
            conditions: self.conditions,
            preloads: self.preloads,
        }
    }
}

#[cfg(test)]
mod tests;
