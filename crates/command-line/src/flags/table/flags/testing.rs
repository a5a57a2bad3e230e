//! Flags of `rusk test`. Names and short names are bun's where bun has the flag.

use super::{DEFAULT, choice};
use crate::flags::table::{Command, Flag, PROJECT_COMMANDS};
use crate::flags::{Choice, FlagGroup, FlagSpec, FlagValue};

const TEST: &[Command] = &[Command::Test];

/// The commands that read `.env` files by default, or have bun's flag against that.
const NO_ENV_FILE_COMMANDS: &[Command] = &[
    Command::Install,
    Command::Ci,
    Command::Add,
    Command::Remove,
    Command::Update,
    Command::Run,
    Command::Exec,
    Command::Test,
];

const TEST_AND_BUILD: &[Command] = &[Command::Test, Command::Build];

/// An hour; a test without a limit has 0.
const TIMEOUT_MS_MAX: u32 = 3_600_000;

const TIMES_MAX: u32 = 100_000;

/// The defaults of a row.
const ROW: FlagSpec =
    FlagSpec { value: FlagValue::Switch, group: FlagGroup::Testing, commands: TEST, ..DEFAULT };

const REPORTERS: &[Choice] =
    &[choice("console"), choice("dots"), choice("junit"), choice("tap"), choice("github")];

const COVERAGE_REPORTERS: &[Choice] = &[choice("text"), choice("lcov"), choice("html")];

pub const TESTING: &[FlagSpec] = &[
    FlagSpec {
        flag: Flag::TestTimeout,
        long: "timeout",
        value: FlagValue::Number { name: "MS", max: TIMEOUT_MS_MAX },
        help: "Time limit of each test in milliseconds (default: 5000, 0: none)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::UpdateSnapshots,
        long: "update-snapshots",
        short: &['u'],
        help: "Write snapshots that differ, and remove obsolete ones",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Ci,
        long: "ci",
        help: "Refuse new snapshots and tests marked only, as with CI in the environment",
        ..ROW
    },
    FlagSpec {
        flag: Flag::RerunEach,
        long: "rerun-each",
        value: FlagValue::Count { name: "N", max: TIMES_MAX },
        help: "Run each file N times, to find tests that fail now and then",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Retry,
        long: "retry",
        value: FlagValue::Number { name: "N", max: TIMES_MAX },
        help: "Run a test that fails up to N more times",
        ..ROW
    },
    FlagSpec { flag: Flag::Todo, long: "todo", help: "Run tests marked todo; one that passes fails", ..ROW },
    FlagSpec { flag: Flag::Only, long: "only", help: "Run only tests and groups marked only", ..ROW },
    FlagSpec {
        flag: Flag::PassWithNoTests,
        long: "pass-with-no-tests",
        help: "Exit with 0 if no test is found",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Concurrent,
        long: "concurrent",
        help: "Run the tests of a file at the same time, except those marked serial",
        ..ROW
    },
    FlagSpec {
        flag: Flag::MaxConcurrency,
        long: "max-concurrency",
        value: FlagValue::Count { name: "N", max: TIMES_MAX },
        help: "Maximum number of concurrent tests of a file (default: 20)",
        ..ROW
    },
    FlagSpec { flag: Flag::Randomize, long: "randomize", help: "Run files and tests in random order", ..ROW },
    FlagSpec {
        flag: Flag::Seed,
        long: "seed",
        value: FlagValue::Number { name: "N", max: u32::MAX },
        help: "Seed of the random order; implies --randomize",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Bail,
        long: "bail",
        value: FlagValue::Optional("N"),
        help: "Stop after N failures (default: 1)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::TestNamePattern,
        long: "test-name-pattern",
        short: &['t'],
        value: FlagValue::String("RE"),
        help: "Run only tests whose name, with its groups, matches",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Reporter,
        long: "reporter",
        value: FlagValue::ManyOf { name: "NAME", choices: REPORTERS },
        help: "Form of the report; junit needs --reporter-outfile",
        ..ROW
    },
    FlagSpec {
        flag: Flag::ReporterOutfile,
        long: "reporter-outfile",
        value: FlagValue::Path("FILE"),
        help: "File of the JUnit report",
        ..ROW
    },
    FlagSpec { flag: Flag::Dots, long: "dots", help: "The same as --reporter=dots", ..ROW },
    FlagSpec { flag: Flag::OnlyFailures, long: "only-failures", help: "Print only tests that fail", ..ROW },
    FlagSpec {
        flag: Flag::PathIgnorePatterns,
        long: "path-ignore-patterns",
        value: FlagValue::String("GLOB"),
        help: "Leave out files and directories; repeatable",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Isolate,
        long: "isolate",
        value: FlagValue::Negatable,
        help: "Give each file a global object of its own (default)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::ParallelDelay,
        long: "parallel-delay",
        value: FlagValue::Number { name: "MS", max: TIMES_MAX },
        help: "How long the first worker runs files before others are started",
        ..ROW
    },
    FlagSpec {
        flag: Flag::NoOrphans,
        long: "no-orphans",
        help: "Exit when the parent process has ended; at the end, kill what tests have started",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Shard,
        long: "shard",
        value: FlagValue::String("I/N"),
        help: "Run the I-th of N parts of the files",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Timings,
        long: "timings",
        value: FlagValue::Path("FILE"),
        help: "File of durations by which shards are cut; repeatable",
        ..ROW
    },
    FlagSpec {
        flag: Flag::UpdateTimings,
        long: "update-timings",
        help: "Write durations to the first file of --timings",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Watch,
        long: "watch",
        help: "Run again, after each change, the files that depend on it",
        commands: TEST_AND_BUILD,
        ..ROW
    },
    FlagSpec {
        flag: Flag::Changed,
        long: "changed",
        value: FlagValue::Optional("REF"),
        help: "Run only files that depend on uncommitted changes, or on those since REF",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Coverage,
        long: "coverage",
        help: "Count which lines, functions and branches ran",
        ..ROW
    },
    FlagSpec {
        flag: Flag::CoverageReporter,
        long: "coverage-reporter",
        value: FlagValue::ManyOf { name: "NAME", choices: COVERAGE_REPORTERS },
        help: "Form of the coverage report; implies --coverage (default: text)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::CoverageDir,
        long: "coverage-dir",
        value: FlagValue::Path("DIR"),
        help: "Directory of lcov.info and index.html (default: coverage)",
        ..ROW
    },
    FlagSpec {
        flag: Flag::TestPreload,
        long: "preload",
        aliases: &["require", "import"],
        short: &['r'],
        value: FlagValue::String("MODULE"),
        help: "Load a module before each test file; repeatable",
        ..ROW
    },
    FlagSpec {
        flag: Flag::Define,
        long: "define",
        value: FlagValue::String("NAME=VALUE"),
        help: "Replace a name by a constant in every file; repeatable",
        commands: TEST_AND_BUILD,
        ..ROW
    },
    FlagSpec {
        flag: Flag::Conditions,
        long: "conditions",
        value: FlagValue::String("NAME"),
        help: "Condition of `exports` and `imports` in package.json; repeatable",
        commands: TEST_AND_BUILD,
        ..ROW
    },
    FlagSpec {
        flag: Flag::EnvFile,
        long: "env-file",
        value: FlagValue::Path("FILE"),
        help: "Read environment variables from this file; repeatable",
        group: FlagGroup::General,
        commands: PROJECT_COMMANDS,
        ..ROW
    },
    FlagSpec {
        flag: Flag::NoEnvFile,
        long: "no-env-file",
        help: "Read no .env files, which is so except for programs and tests",
        group: FlagGroup::General,
        commands: NO_ENV_FILE_COMMANDS,
        ..ROW
    },
];
