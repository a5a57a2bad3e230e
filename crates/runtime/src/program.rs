//! Program: what is run, its arguments, environment variables and options. Values only; the
//! embedder fills them in.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use rusk_modules::tsconfig::CompilerOptions;
use rusk_transpile::Defines;

/// A program and its environment.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Path of the rusk executable, `process.execPath`.
    pub exec_path: String,
    /// `process.argv0`: argv[0] as it was given.
    pub argv0: String,
    /// Flags before the program, unchanged (`process.execArgv`).
    pub exec_arguments: Vec<String>,
    /// Flags that bunfig.toml stands for; those of the command line take precedence.
    pub configured_arguments: Vec<String>,
    /// Arguments after the program.
    pub arguments: Vec<String>,
    pub current_dir: PathBuf,
    pub environment: BTreeMap<String, String>,
    /// Conditions of `exports` in addition to Node's.
    pub conditions: Vec<String>,
    /// Modules that are loaded before the program.
    pub preloads: Vec<Preload>,
    /// Names that are replaced by constants in every file (`--define`).
    pub defines: Arc<Defines>,
    /// Options of JSX for files whose tsconfig.json does not have them.
    pub jsx: CompilerOptions,
    /// A checkout from which builtins are read instead of the embedded ones.
    pub builtins: Option<PathBuf>,
    /// Directory of the transpile cache; `None`: transpiled files are not cached.
    pub scripts: Option<PathBuf>,
    /// Directory of the bytecode cache; `None`: bytecode is not cached.
    pub code: Option<PathBuf>,
    /// Directory of the headers for native addons; `None`: they are not written.
    pub headers: Option<PathBuf>,
}

/// A module that is loaded before the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preload {
    pub kind: PreloadKind,
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreloadKind {
    /// With `require`.
    Require,
    /// Resolved as by `require` and imported, so that a module may use top-level await.
    Either,
    Import,
    /// As module hooks, on a thread of their own (`--loader`).
    Hooks,
    /// A module of the runtime, for a flag that works from the start.
    Internal,
}

impl PreloadKind {
    /// Names by which JavaScript knows them (internal/modules/preloads).
    pub const NAMES: [(&str, PreloadKind); 5] = [
        ("require", PreloadKind::Require),
        ("either", PreloadKind::Either),
        ("import", PreloadKind::Import),
        ("loader", PreloadKind::Hooks),
        ("internal", PreloadKind::Internal),
    ];

    pub fn name(self) -> &'static str {
        let row = PreloadKind::NAMES.iter().find(|(_, kind)| *kind == self);
        row.expect("each kind has a name").0
    }
}

impl Preload {
    pub fn new(kind: PreloadKind, name: impl Into<String>) -> Preload {
        Preload { kind, name: name.into() }
    }

    /// Parses a list of kind, name, kind, name.
    pub fn list(list: &[String]) -> Vec<Preload> {
        let kind = |argument: &str| {
            PreloadKind::NAMES.iter().find(|(name, _)| *name == argument).map(|(_, kind)| *kind)
        };
        let pairs = list.chunks_exact(2);
        pairs.filter_map(|pair| kind(&pair[0]).map(|kind| Preload::new(kind, pair[1].clone()))).collect()
    }
}

impl Program {
    /// Whether a flag is given on the command line or in NODE_OPTIONS; underscores count as
    /// hyphens.
    pub fn has_flag(&self, flag: &str) -> bool {
        let is_it = |argument: &str| argument.len() == flag.len() && argument.replace('_', "-") == flag;
        let options = self.environment.get("NODE_OPTIONS");
        self.exec_arguments.iter().any(|argument| is_it(argument))
            || options.is_some_and(|options| options.split_whitespace().any(is_it))
    }

    /// Whether an option with a value is given, after `=` or as the next argument.
    pub fn has_option(&self, name: &str) -> bool {
        let is_it = |argument: &str| {
            argument.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
        };
        let options = self.environment.get("NODE_OPTIONS");
        self.exec_arguments.iter().any(|argument| is_it(argument))
            || options.is_some_and(|options| options.split_whitespace().any(is_it))
    }

    /// The value of an option, the last one if it is repeated.
    pub fn option_value(&self, name: &str) -> Option<&str> {
        let options = self.environment.get("NODE_OPTIONS").map_or("", String::as_str);
        let arguments = self.exec_arguments.iter().map(String::as_str);
        let mut words = options.split_whitespace().chain(arguments);
        let mut value = None;
        while let Some(word) = words.next() {
            match word.strip_prefix(name) {
                Some("") => value = words.next(),
                Some(rest) if rest.starts_with('=') => value = Some(&rest[1..]),
                _ => {}
            }
        }
        value
    }

    /// Whether an environment variable of Node is `1`.
    pub fn has_variable(&self, name: &str) -> bool {
        self.environment.get(name).is_some_and(|value| value == "1")
    }

    /// Whether warnings are printed to standard error.
    pub fn shows_warnings(&self) -> bool {
        !self.has_flag("--no-warnings") && !self.has_variable("NODE_NO_WARNINGS")
    }

    /// Whether the mode of unhandled rejections is set (`--unhandled-rejections`).
    pub fn sets_unhandled_rejections(&self) -> bool {
        const FLAG: &str = "--unhandled-rejections";
        let options = self.environment.get("NODE_OPTIONS");
        self.exec_arguments.iter().any(|argument| argument.starts_with(FLAG))
            || options.is_some_and(|options| options.contains(FLAG))
    }

    /// Builtins that flags require, to be loaded before the program begins.
    pub fn builtins_of_flags(&self) -> impl Iterator<Item = &'static str> {
        let has_limit = self.has_option("--stack-trace-limit");
        let has_pending_deprecation =
            self.has_flag("--pending-deprecation") || self.has_variable("NODE_PENDING_DEPRECATION");
        let deprecation_flags =
            ["--no-deprecation", "--throw-deprecation", "--trace-deprecation", "--trace-warnings"];
        let has_coverage = self.environment.get("NODE_V8_COVERAGE").is_some_and(|path| !path.is_empty());
        let report_flags = ["--report-on-signal", "--report-uncaught-exception"];
        let files = [
            (self.has_flag("--cpu-prof"), "internal/profiler/at_exit"),
            (report_flags.iter().any(|flag| self.has_flag(flag)), "internal/process/report"),
            (deprecation_flags.iter().any(|flag| self.has_flag(flag)), "internal/process/warning_options"),
            (self.exposes_gc(), "internal/process/expose_gc"),
            (self.has_flag("--experimental-eventsource"), "internal/event_source_global"),
            (has_limit, "internal/stack/limit"),
            (has_pending_deprecation, "internal/modules/parent_deprecation"),
            (has_coverage, "internal/process/coverage"),
        ];
        files.into_iter().filter_map(|(is_given, file)| is_given.then_some(file))
    }

    /// The function of internal/main that runs a file.
    pub fn entry_point_of_files(&self) -> &'static str {
        if self.has_flag("--check") { "checkFile" } else { "runFile" }
    }

    /// Whether there is a global `gc`.
    fn exposes_gc(&self) -> bool {
        const FLAGS: [&str; 2] = ["--expose-gc", "--expose_gc"];
        let options = self.environment.get("NODE_OPTIONS");
        self.exec_arguments.iter().any(|argument| FLAGS.contains(&argument.as_str()))
            || options
                .is_some_and(|options| options.split_whitespace().any(|argument| FLAGS.contains(&argument)))
    }
}

/// The entry point of a program.
#[derive(Clone, Debug)]
pub enum Main {
    File(String),
    /// The program of a worker, from its initial message.
    Worker,
    /// A function that a builtin exports, called without arguments.
    Builtin {
        id: &'static str,
        function: &'static str,
    },
    Text {
        source: String,
        /// Its name in stack traces: `[eval]`, `[stdin]`.
        name: &'static str,
        is_printed: bool,
        /// `--input-type`; `None`: the syntax decides.
        is_module: Option<bool>,
    },
}
