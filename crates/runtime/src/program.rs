//! What is to be run, and what a program may ask of its surroundings. Values only; whoever has the
//! process filled them in.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use rusk_transpile::Defines;

/// A program and its surroundings.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The file of this program, `process.execPath`.
    pub exec_path: String,
    /// As it was called.
    pub argv0: String,
    /// Flags before the program, as they stood.
    pub exec_arguments: Vec<String>,
    /// What stands behind the program.
    pub arguments: Vec<String>,
    pub current_dir: PathBuf,
    pub environment: BTreeMap<String, String>,
    /// Conditions of `exports` beside Node's.
    pub conditions: Vec<String>,
    /// Loaded before the program.
    pub preloads: Vec<Preload>,
    /// Names that stand for constants, in every file.
    pub defines: Arc<Defines>,
    /// Where the JavaScript of our own is read from rather than from ourselves.
    pub builtins: Option<PathBuf>,
    /// A folder in which transpiled files are kept for the next start; `None`: none are.
    pub scripts: Option<PathBuf>,
    /// The same for what the engine makes of them.
    pub code: Option<PathBuf>,
}

/// What is loaded before a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preload {
    pub way: PreloadWay,
    pub name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PreloadWay {
    /// By `require`.
    Require,
    /// Found as `require` finds it, and imported, so that a module may await.
    Either,
    Import,
    /// As hooks of modules, on a thread of their own.
    Hooks,
}

impl PreloadWay {
    /// js/internal/preloads.js has the same words.
    pub const WORDS: [(&str, PreloadWay); 4] = [
        ("require", PreloadWay::Require),
        ("either", PreloadWay::Either),
        ("import", PreloadWay::Import),
        ("loader", PreloadWay::Hooks),
    ];

    pub fn word(self) -> &'static str {
        let row = PreloadWay::WORDS.iter().find(|(_, way)| *way == self);
        row.expect("each way has a word").0
    }
}

impl Preload {
    pub fn new(way: PreloadWay, name: impl Into<String>) -> Preload {
        Preload { way, name: name.into() }
    }

    /// Of ways and names by turns.
    pub fn list(words: &[String]) -> Vec<Preload> {
        let way = |word: &str| PreloadWay::WORDS.iter().find(|(name, _)| *name == word).map(|(_, way)| *way);
        let pairs = words.chunks_exact(2);
        pairs.filter_map(|pair| way(&pair[0]).map(|way| Preload::new(way, pair[1].clone()))).collect()
    }
}

impl Program {
    /// Whether a flag stands on the command line or in NODE_OPTIONS, be it with underscores between
    /// its words.
    pub fn has_flag(&self, flag: &str) -> bool {
        let is_it = |word: &str| word.len() == flag.len() && word.replace('_', "-") == flag;
        let options = self.environment.get("NODE_OPTIONS");
        self.exec_arguments.iter().any(|word| is_it(word))
            || options.is_some_and(|options| options.split_whitespace().any(is_it))
    }

    /// The same of one that has a value, behind `=` or as the next word.
    pub fn has_option(&self, name: &str) -> bool {
        let is_it =
            |word: &str| word.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('='));
        let options = self.environment.get("NODE_OPTIONS");
        self.exec_arguments.iter().any(|word| is_it(word))
            || options.is_some_and(|options| options.split_whitespace().any(is_it))
    }

    /// Whether a variable of Node's is switched on.
    pub fn has_variable(&self, name: &str) -> bool {
        self.environment.get(name).is_some_and(|value| value == "1")
    }

    /// Whether standard error tells what programs are warned of.
    pub fn shows_warnings(&self) -> bool {
        !self.has_flag("--no-warnings") && !self.has_variable("NODE_NO_WARNINGS")
    }

    /// Whether the command line says what becomes of promises that are rejected.
    pub fn sets_unhandled_rejections(&self) -> bool {
        const FLAG: &str = "--unhandled-rejections";
        let options = self.environment.get("NODE_OPTIONS");
        self.exec_arguments.iter().any(|word| word.starts_with(FLAG))
            || options.is_some_and(|options| options.contains(FLAG))
    }

    /// Files of ours that flags ask for, to be loaded before the program begins.
    pub fn files_of_flags(&self) -> impl Iterator<Item = &'static str> {
        let has_limit = self.has_option("--stack-trace-limit");
        let looks_ahead =
            self.has_flag("--pending-deprecation") || self.has_variable("NODE_PENDING_DEPRECATION");
        let warns_otherwise =
            ["--no-deprecation", "--throw-deprecation", "--trace-deprecation", "--trace-warnings"];
        let files = [
            (warns_otherwise.iter().any(|flag| self.has_flag(flag)), "internal/process/warning_flags"),
            (self.shows_collector(), "internal/process/gc"),
            (has_limit, "internal/stack/limit"),
            (looks_ahead, "internal/modules/parent"),
        ];
        files.into_iter().filter_map(|(is_asked, file)| is_asked.then_some(file))
    }

    /// What `internal/main` calls for a file.
    pub fn entry_point_of_files(&self) -> &'static str {
        if self.has_flag("--check") { "checkFile" } else { "runFile" }
    }

    /// Whether a global `gc` is wanted.
    fn shows_collector(&self) -> bool {
        const FLAGS: [&str; 2] = ["--expose-gc", "--expose_gc"];
        let options = self.environment.get("NODE_OPTIONS");
        self.exec_arguments.iter().any(|word| FLAGS.contains(&word.as_str()))
            || options.is_some_and(|options| options.split_whitespace().any(|word| FLAGS.contains(&word)))
    }
}

/// What a program is.
#[derive(Clone, Debug)]
pub enum Main {
    File(String),
    /// What the parcel of a worker says.
    Worker,
    Text {
        source: String,
        /// What stacks call it: `[eval]`, `[stdin]`.
        name: &'static str,
        is_printed: bool,
        /// `--input-type`; `None`: the text decides.
        is_module: Option<bool>,
    },
}
