//! The table of a program's flags. In: nothing. Out: the flags that do something, as the parser,
//! the help, the man page and the completions see them; Node's flags that are accepted and ignored;
//! flags that are refused. Names are Node's and bun's.

mod bun;
mod cpu_profile;
mod flag;
mod refused;
mod secure_heap;
mod v8;

use rusk_runtime::PreloadKind;

pub(super) use flag::Action;
pub use flag::ProgramFlag;
pub(super) use refused::{ABSENT_FLAGS, IGNORED_FLAGS, IGNORED_PREFIXES, PERMISSION_FLAGS, UNUSED_FLAGS};

/// Reads the flags of diagnostic reports.
const REPORT_MODULE: &str = "internal/process/report";

/// Counts what the program loads.
const COVERAGE_MODULE: &str = "internal/test_runner/coverage_start";

/// Every flag that does something, in the order in which the help shows them.
pub const PROGRAM_FLAGS: &[ProgramFlag] = &[
    ProgramFlag {
        names: &["-e", "--eval"],
        value_name: Some("CODE"),
        help: "Evaluate this code",
        action: Action::Eval,
    },
    ProgramFlag {
        names: &["-p", "-pe", "--print"],
        value_name: Some("CODE"),
        help: "Evaluate this code and print the result",
        action: Action::Print,
    },
    ProgramFlag {
        names: &["--check"],
        value_name: None,
        help: "Check the syntax of the file without running it",
        action: Action::Pass,
    },
    v8::OPTIONS,
    ProgramFlag {
        names: &["-r", "--require"],
        value_name: Some("FILE"),
        help: "Load a module before the entry point; repeatable",
        action: Action::Preload(PreloadKind::Require),
    },
    ProgramFlag {
        names: &["--preload"],
        value_name: Some("FILE"),
        help: "Load a module before the entry point, with top-level await; repeatable",
        action: Action::Preload(PreloadKind::Either),
    },
    ProgramFlag {
        names: &["--import"],
        value_name: Some("FILE"),
        help: "Import a module before the entry point (after --require); repeatable",
        action: Action::Preload(PreloadKind::Import),
    },
    ProgramFlag {
        names: &["--loader", "--experimental-loader"],
        value_name: Some("FILE"),
        help: "Load module hooks on their own thread; repeatable",
        action: Action::Preload(PreloadKind::Hooks),
    },
    ProgramFlag {
        names: &["-C", "--conditions"],
        value_name: Some("NAME"),
        help: "Add a condition for `exports` and `imports` of package.json; repeatable",
        action: Action::Condition,
    },
    ProgramFlag {
        names: &["--no-addons"],
        value_name: None,
        help: "Refuse native addons, and disable the `node-addons` condition of `exports`",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--no-ffi-cc"],
        value_name: None,
        help: "Disable `cc()` of `bun:ffi`, as --no-addons does",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--input-type"],
        value_name: Some("TYPE"),
        help: "Module format of --eval and stdin: `module` or `commonjs`",
        action: Action::InputType,
    },
    ProgramFlag {
        names: &["--test"],
        value_name: None,
        help: "Run test files of `node:test`; names or globs may follow",
        action: Action::RunTests,
    },
    ProgramFlag {
        names: &["--test-concurrency"],
        value_name: Some("COUNT"),
        help: "Number of test files that --test runs at once",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-isolation", "--experimental-test-isolation"],
        value_name: Some("MODE"),
        help: "Where --test runs files: `process` (one for each) or `none`",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-shard"],
        value_name: Some("INDEX/TOTAL"),
        help: "Run this part of the test files",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-global-setup"],
        value_name: Some("FILE"),
        help: "Module with `globalSetup` and `globalTeardown`",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-force-exit"],
        value_name: None,
        help: "Exit when all tests are done, whatever is still open",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--experimental-test-coverage"],
        value_name: None,
        help: "Report the coverage of tests of `node:test`",
        action: Action::PreloadInternal(COVERAGE_MODULE),
    },
    ProgramFlag {
        names: &["--test-coverage-include"],
        value_name: Some("GLOB"),
        help: "Files that coverage reports; repeatable",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-coverage-exclude"],
        value_name: Some("GLOB"),
        help: "Files that coverage leaves out; repeatable",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-coverage-lines"],
        value_name: Some("PERCENT"),
        help: "Least coverage of lines",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-coverage-branches"],
        value_name: Some("PERCENT"),
        help: "Least coverage of branches",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-coverage-functions"],
        value_name: Some("PERCENT"),
        help: "Least coverage of functions",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-reporter"],
        value_name: Some("NAME"),
        help: "Test reporter: spec, tap, dot, junit, lcov, or a module",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-reporter-destination"],
        value_name: Some("FILE"),
        help: "File for the output of the test reporter",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-name-pattern"],
        value_name: Some("PATTERN"),
        help: "Run only tests whose name matches",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-skip-pattern"],
        value_name: Some("PATTERN"),
        help: "Skip tests whose name matches",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-timeout"],
        value_name: Some("MS"),
        help: "Timeout of each test in milliseconds",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-only"],
        value_name: None,
        help: "Run only tests marked with `only`",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--test-update-snapshots"],
        value_name: None,
        help: "Update the snapshot files of tests",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["-d", "--define"],
        value_name: Some("NAME=VALUE"),
        help: "Replace a global name by a constant; repeatable",
        action: Action::Define,
    },
    ProgramFlag {
        names: &["--env-file"],
        value_name: Some("FILE"),
        help: "Load environment variables from this file instead of .env; repeatable",
        action: Action::EnvFile { must_exist: true },
    },
    ProgramFlag {
        names: &["--env-file-if-exists"],
        value_name: Some("FILE"),
        help: "Like --env-file, but the file may be missing; repeatable",
        action: Action::EnvFile { must_exist: false },
    },
    ProgramFlag {
        names: &["--no-env-file"],
        value_name: None,
        help: "Do not load .env files by default",
        action: Action::NoEnvFile,
    },
    ProgramFlag {
        names: &["--watch"],
        value_name: None,
        help: "Restart when a loaded file changes",
        action: Action::Watch,
    },
    ProgramFlag {
        names: &["--hot"],
        value_name: None,
        help: "Load changed modules again in the same process",
        action: Action::PreloadInternal("internal/hot_reload"),
    },
    ProgramFlag {
        names: &["--watch-path"],
        value_name: Some("PATH"),
        help: "Restart when a file at or below this path changes; repeatable",
        action: Action::WatchPath,
    },
    ProgramFlag {
        names: &["--no-clear-screen", "--watch-preserve-output"],
        value_name: None,
        help: "Do not clear the screen on a restart",
        action: Action::KeepScreen,
    },
    bun::PORT,
    bun::CONSOLE_DEPTH,
    bun::USER_AGENT,
    ProgramFlag {
        names: &["--enable-source-maps"],
        value_name: None,
        help: "Apply source maps to the stack traces of all files",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--preserve-symlinks"],
        value_name: None,
        help: "Keep symbolic links in the paths of modules, except the entry point",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--preserve-symlinks-main"],
        value_name: None,
        help: "Keep symbolic links in the path of the entry point",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--unhandled-rejections"],
        value_name: Some("MODE"),
        help: "On unhandled rejections: throw, strict, warn, warn-with-error-code or none",
        action: Action::Choose(&["throw", "strict", "warn", "warn-with-error-code", "none"]),
    },
    cpu_profile::CPU_PROFILE,
    cpu_profile::DIRECTORY,
    cpu_profile::NAME,
    cpu_profile::INTERVAL,
    cpu_profile::DIAGNOSTIC_DIRECTORY,
    v8::STACK_TRACE_LIMIT,
    ProgramFlag {
        names: &["--no-warnings"],
        value_name: None,
        help: "Do not print process warnings",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--disable-warning"],
        value_name: Some("NAME"),
        help: "Do not print warnings of this code or type; repeatable",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--redirect-warnings"],
        value_name: Some("FILE"),
        help: "Write warnings to this file instead of standard error",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--trace-warnings"],
        value_name: None,
        help: "Print stack traces of warnings",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--no-deprecation"],
        value_name: None,
        help: "Do not print deprecation warnings",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--pending-deprecation"],
        value_name: None,
        help: "Also print pending deprecation warnings",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--trace-deprecation"],
        value_name: None,
        help: "Print stack traces of deprecation warnings",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--throw-deprecation"],
        value_name: None,
        help: "Throw an error where a deprecated API is used",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--trace-exit"],
        value_name: None,
        help: "Print a stack trace when the program calls process.exit()",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--experimental-eventsource"],
        value_name: None,
        help: "Add the global class `EventSource`",
        action: Action::Pass,
    },
    secure_heap::SIZE,
    secure_heap::SMALLEST_PART,
    ProgramFlag {
        names: &["--expose-gc"],
        value_name: None,
        help: "Add the global function `gc`, which collects garbage",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--napi-modules"],
        value_name: None,
        help: "Load native addons, which is the default",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--gc-global"],
        value_name: None,
        help: "Collect the whole heap at each garbage collection, which is always so here",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--no-force-node-api-uncaught-exceptions-policy"],
        value_name: None,
        help: "Only warn of exceptions in callbacks of addons built for Node-API 9 or older",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--force-node-api-uncaught-exceptions-policy"],
        value_name: None,
        help: "Report exceptions in callbacks of native addons as uncaught, also of older addons",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--tls-cipher-list"],
        value_name: Some("LIST"),
        help: "Default ciphers of TLS connections, in OpenSSL's format",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--tls-keylog"],
        value_name: Some("FILE"),
        help: "Append the keys of TLS connections to this file, for a network analyzer",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--tls-min-v1.0"],
        value_name: None,
        help: "Oldest TLS version of connections by default: TLS 1.0",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--tls-min-v1.1"],
        value_name: None,
        help: "Oldest TLS version of connections by default: TLS 1.1",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--tls-min-v1.2"],
        value_name: None,
        help: "Oldest TLS version of connections by default: TLS 1.2",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--tls-min-v1.3"],
        value_name: None,
        help: "Oldest TLS version of connections by default: TLS 1.3",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--tls-max-v1.2"],
        value_name: None,
        help: "Newest TLS version of connections by default: TLS 1.2",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--tls-max-v1.3"],
        value_name: None,
        help: "Newest TLS version of connections by default: TLS 1.3",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--trace-tls"],
        value_name: None,
        help: "Write the messages of TLS handshakes to standard error",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--report-on-fatalerror"],
        value_name: None,
        help: "Write a diagnostic report when a native addon reports a fatal error",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--report-on-signal"],
        value_name: None,
        help: "Write a diagnostic report on a signal",
        action: Action::PreloadInternal(REPORT_MODULE),
    },
    ProgramFlag {
        names: &["--report-uncaught-exception"],
        value_name: None,
        help: "Write a diagnostic report on an uncaught exception",
        action: Action::PreloadInternal(REPORT_MODULE),
    },
    ProgramFlag {
        names: &["--report-signal"],
        value_name: Some("SIGNAL"),
        help: "Signal of --report-on-signal; SIGUSR2 by default",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--report-dir", "--report-directory"],
        value_name: Some("DIR"),
        help: "Directory of diagnostic reports",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--report-filename"],
        value_name: Some("NAME"),
        help: "File name of diagnostic reports",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--report-compact"],
        value_name: None,
        help: "Write diagnostic reports on one line",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--report-exclude-network"],
        value_name: None,
        help: "Leave network interfaces out of diagnostic reports",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--report-exclude-env"],
        value_name: None,
        help: "Leave environment variables out of diagnostic reports",
        action: Action::Pass,
    },
    ProgramFlag {
        names: &["--title"],
        value_name: Some("TITLE"),
        help: "Initial value of `process.title`",
        action: Action::Pass,
    },
];

/// Pairs of flags that exclude each other.
pub(super) const CONFLICTS: &[(&str, &str)] = &[("--tls-min-v1.3", "--tls-max-v1.2")];
