//! The flags of a program. In: nothing. Out: those that do something, as the parser, the help, the
//! manual and the completions see them; those of Node's that are taken and say nothing here; those
//! that are refused. Names are Node's and bun's.

use rusk_runtime::PreloadWay;

/// A flag that does something, as the parser and the help see it.
pub struct Row {
    /// All spellings, the first one shown with the last.
    pub names: &'static [&'static str],
    /// What its value is called, if it takes one.
    pub takes: Option<&'static str>,
    pub help: &'static str,
    pub(super) does: Does,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Does {
    Eval,
    Print,
    Preload(PreloadWay),
    Condition,
    InputType,
    /// It is for the program's own half, which reads it.
    Pass,
    /// As `Pass`, where it is one of these.
    Choose(&'static [&'static str]),
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
    Row { names: &["--check"], takes: None, help: "Parse the file and run nothing of it", does: Does::Pass },
    Row {
        names: &["-r", "--require"],
        takes: Some("FILE"),
        help: "Load this first; repeatable",
        does: Does::Preload(PreloadWay::Require),
    },
    Row {
        names: &["--preload"],
        takes: Some("FILE"),
        help: "The same, and a module may await; repeatable",
        does: Does::Preload(PreloadWay::Either),
    },
    Row {
        names: &["--import"],
        takes: Some("FILE"),
        help: "Import this behind those; repeatable",
        does: Does::Preload(PreloadWay::Import),
    },
    Row {
        names: &["--loader", "--experimental-loader"],
        takes: Some("FILE"),
        help: "Hooks of modules, on a thread of their own; repeatable",
        does: Does::Preload(PreloadWay::Hooks),
    },
    Row {
        names: &["-C", "--conditions"],
        takes: Some("NAME"),
        help: "A condition of `exports` and `imports`; repeatable",
        does: Does::Condition,
    },
    Row {
        names: &["--no-addons"],
        takes: None,
        help: "Without the condition `node-addons`",
        does: Does::Pass,
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
    Row {
        names: &["--enable-source-maps"],
        takes: None,
        help: "Follow source maps in stacks of all files",
        does: Does::Pass,
    },
    Row {
        names: &["--preserve-symlinks"],
        takes: None,
        help: "Take a link for the file that it leads to, but for the program",
        does: Does::Pass,
    },
    Row {
        names: &["--preserve-symlinks-main"],
        takes: None,
        help: "The same of the program",
        does: Does::Pass,
    },
    Row {
        names: &["--unhandled-rejections"],
        takes: Some("MODE"),
        help: "throw, strict, warn, warn-with-error-code or none",
        does: Does::Choose(&["throw", "strict", "warn", "warn-with-error-code", "none"]),
    },
    Row {
        names: &["--stack-trace-limit"],
        takes: Some("COUNT"),
        help: "Lines of a stack at most",
        does: Does::Pass,
    },
    Row { names: &["--no-warnings"], takes: None, help: "Print no warnings", does: Does::Pass },
    Row {
        names: &["--disable-warning"],
        takes: Some("NAME"),
        help: "Print none of this code or name; repeatable",
        does: Does::Pass,
    },
    Row {
        names: &["--redirect-warnings"],
        takes: Some("FILE"),
        help: "Write them here instead of standard error",
        does: Does::Pass,
    },
    Row { names: &["--trace-warnings"], takes: None, help: "Print where they were given", does: Does::Pass },
    Row {
        names: &["--no-deprecation"],
        takes: None,
        help: "Say nothing of what is deprecated",
        does: Does::Pass,
    },
    Row {
        names: &["--pending-deprecation"],
        takes: None,
        help: "Warn of what will be, too",
        does: Does::Pass,
    },
    Row { names: &["--trace-deprecation"], takes: None, help: "Print where it was used", does: Does::Pass },
    Row { names: &["--throw-deprecation"], takes: None, help: "Throw where it is used", does: Does::Pass },
    Row {
        names: &["--trace-exit"],
        takes: None,
        help: "Print where the program ends itself",
        does: Does::Pass,
    },
    Row { names: &["--expose-gc"], takes: None, help: "A global `gc`", does: Does::Pass },
    Row { names: &["--title"], takes: Some("TEXT"), help: "`process.title`", does: Does::Pass },
];

/// Flags of Node's that say nothing to this engine, or nothing yet to us; programs are started with
/// them.
pub(super) const ACCEPTED: &[&str] = &[
    "--no-pending-deprecation",
    "--trace-uncaught",
    "--no-enable-source-maps",
    "--expose-internals",
    "--allow-natives-syntax",
    "--abort-on-uncaught-exception",
    "--test",
    "--strip-types",
    "--no-strip-types",
    "--insecure-http-parser",
    "--force-context-aware",
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
    "--test-udp-no-try-send",
];

/// The same, with a value behind `=` or with any ending.
pub(super) const ACCEPTED_BEGINNINGS: &[&str] = &[
    "--experimental-",
    "--no-experimental-",
    "--harmony",
    "--no-harmony",
    "--js-",
    "--max-old-space-size=",
    "--max-semi-space-size=",
    "--max-http-header-size=",
    "--stack-size=",
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
pub(super) const LIMITS: &[&str] = &["--permission", "--experimental-permission"];
