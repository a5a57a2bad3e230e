//! `rusk test`. In: flags, `[test]` of bunfig.toml, the environment. Out: reports, and exit code 1
//! if a test has failed or none was found. The work is in `rusk-test-runner`; tests run in worker
//! processes, which are this program again (`crate::program::test_worker`).

mod git_changes;

use std::collections::BTreeMap;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rusk_base::sys::stdio::{stderr, stdout};
use rusk_base::{Result, files};
use rusk_command_line::flags::{Flag, Invocation, table};
use rusk_command_line::problem as usage;
use rusk_configuration::Flags;
use rusk_npm::bunfig::TestTable;
use rusk_scripts::Exit;
use rusk_test_runner::affected::Changes;
use rusk_test_runner::coverage::{CoverageOptions, CoverageReporter, CoverageThresholds};
use rusk_test_runner::discovery::is_test_file;
use rusk_test_runner::protocol::WORKERS_MAX;
use rusk_test_runner::{
    ConsoleReporter, Host, NothingFound, Outcome, ReporterOptions, Shard, TestOptions, WorkerProgram,
    worker_share,
};
use rusk_watch::program::{self as watch, WatchMode};

use rusk_terminal::style::ColorMode;

use crate::commands::unknown;
use crate::{host, problem};
use rusk_screen::Screen;

/// Limit of bunfig.toml, which is written by hand.
const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// Directory of what runs remember, in the cache.
const CACHE: &str = "tests";

/// Bytes of the report that are written at once, at the latest when no worker has sent anything.
const OUTPUT_BYTES: usize = 64 * 1024;

const TIMEOUT_MS: f64 = 5000.0;
const MAX_CONCURRENCY: u32 = 20;

/// Variables of CI systems that JUnit reports have, as bun's.
const CI_VARIABLES: [&str; 6] =
    ["GITHUB_RUN_ID", "GITHUB_SERVER_URL", "GITHUB_REPOSITORY", "CI_JOB_URL", "GITHUB_SHA", "CI_COMMIT_SHA"];

/// Watch mode does not clear the screen, as of programs.
const KEEPS_SCREEN: &str = "BUN_CONFIG_NO_CLEAR_TERMINAL_ON_RELOAD";

/// Exit code of failing tests, and of a run without tests.
const FAILED: u8 = 1;
/// What a path of a preload may leave out.
const PRELOAD_EXTENSIONS: [&str; 9] = ["", ".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs"];

pub fn run(
    invocation: &Invocation,
    mut environment: BTreeMap<String, String>,
    screen: &mut Screen,
) -> Result<Exit> {
    let watched = environment.remove(watch::VARIABLE);
    if invocation.is_on(Flag::Watch) && watched.is_none() {
        let keeps_screen = environment.get(KEEPS_SCREEN).is_some_and(|value| value == "true");
        let keeps_screen = keeps_screen || invocation.is_on(Flag::NoClearScreen);
        let mode = WatchMode { rusk: &host::program()?, may_run: is_test_file, keeps_screen };
        return watch::run_tests(&mode);
    }
    let current_dir = host::current_dir(invocation.path(Flag::Cwd))?;
    let table = match files::find_string(&current_dir.join("bunfig.toml"), FILE_BYTES_MAX)? {
        Some(text) => TestTable::parse(&text)?,
        None => TestTable::default(),
    };
    let mut options = options(invocation, &table, &environment, current_dir)?;
    if let Some(start) = watched.as_deref().and_then(watch::previous_start) {
        options.changes = Some(Changes::Since(start));
    }
    let on_file = watch::report(watched.as_deref());
    let wait = || watch::wait_for_release(watched.as_deref().unwrap_or_default());
    let outcome = {
        let (mut out, mut err) = (stdout(), BufWriter::with_capacity(OUTPUT_BYTES, stderr()));
        let cache_dir = rusk_configuration::usual_cache_dir(
            &host::host(options.current_dir.clone(), environment.clone()),
            &Flags::default(),
        );
        let mut host = Host {
            worker: worker(invocation, &options, &environment)?,
            stdout: &mut out,
            stderr: &mut err,
            has_colors: screen.style().stderr_color == ColorMode::Color,
            processors: host::processors(),
            cache_dir: cache_dir.map(|cache| cache.join(CACHE)),
            on_file: watched.is_some().then_some(&on_file as &dyn Fn(&str)),
            wait: watched.is_some().then_some(&wait as &dyn Fn()),
            properties: properties(&environment),
            title: format!("rusk test v{}", env!("CARGO_PKG_VERSION")),
        };
        rusk_test_runner::run(&options, &mut host)?
    };
    match outcome {
        Outcome::Done(report) if let Some(signal) = report.interrupted_by => Ok(Exit::Signal(signal)),
        Outcome::Done(report) if report.has_passed() => Ok(Exit::Code(report.exit_code())),
        Outcome::Done(report) => {
            if !report.uncovered.is_empty() {
                screen.problem(&problem::coverage_below(&report.uncovered));
            }
            Ok(Exit::Code(FAILED))
        }
        Outcome::Nothing(_) if options.passes_without_tests => Ok(Exit::DONE),
        Outcome::Nothing(NothingFound::Unaffected(files)) => {
            screen.report(&format!("no test file of {files} depends on what has changed\n"));
            Ok(Exit::DONE)
        }
        Outcome::Nothing(nothing) => {
            screen.problem(&nothing_found(nothing, &options));
            Ok(Exit::Code(FAILED))
        }
    }
}

fn nothing_found(nothing: NothingFound, options: &TestOptions) -> rusk_base::Problem {
    match nothing {
        NothingFound::NoFiles if !options.filters.is_empty() => {
            problem::no_test_files_match(&options.filters, 0)
        }
        NothingFound::NoFiles | NothingFound::Unaffected(_) => {
            problem::no_test_files(&options.root, unknown::is_script("test"))
        }
        NothingFound::NoMatch(searched) => problem::no_test_files_match(&options.filters, searched),
        NothingFound::NoTestNamed(files) => {
            problem::no_test_named(options.name_pattern.as_deref().unwrap_or_default(), files)
        }
    }
}

fn options(
    invocation: &Invocation,
    table: &TestTable,
    environment: &BTreeMap<String, String>,
    current_dir: PathBuf,
) -> Result<TestOptions> {
    let number = |flag, other: Option<u32>| {
        invocation.value(flag).map_or(other, |value| value.parse().ok()).unwrap_or_default()
    };
    let strings = |flag, other: &[String]| match invocation.is_given(flag) {
        true => invocation.values(flag).map(str::to_owned).collect(),
        false => other.to_vec(),
    };
    let is_on = |flag, other: Option<bool>| invocation.is_on(flag) || other.unwrap_or(false);
    let timeout = invocation.value(Flag::TestTimeout).and_then(|value| value.parse().ok());
    let preloads = [&table.preloads[..], &strings(Flag::TestPreload, &[])].concat();
    Ok(TestOptions {
        root: table.root.as_ref().map_or_else(|| current_dir.clone(), |root| current_dir.join(root)),
        filters: invocation.operands.clone(),
        path_ignore_patterns: strings(Flag::PathIgnorePatterns, &table.path_ignore_patterns),
        timeout_ms: timeout.or(table.timeout_ms).unwrap_or(TIMEOUT_MS),
        updates_snapshots: invocation.is_on(Flag::UpdateSnapshots),
        is_ci: invocation.is_on(Flag::Ci)
            || environment.get("CI").is_some_and(|value| !matches!(value.as_str(), "" | "0" | "false")),
        rerun_each: number(Flag::RerunEach, table.rerun_each).max(1),
        retry: number(Flag::Retry, table.retry),
        runs_todo: invocation.is_on(Flag::Todo),
        only_marked: invocation.is_on(Flag::Only),
        passes_without_tests: invocation.is_on(Flag::PassWithNoTests),
        is_concurrent: invocation.is_on(Flag::Concurrent),
        concurrent_test_glob: table.concurrent_test_glob.clone(),
        max_concurrency: match number(Flag::MaxConcurrency, table.max_concurrency) {
            0 => MAX_CONCURRENCY,
            count => count,
        },
        seed: seed(invocation, table),
        bail: bail(invocation, table)?,
        name_pattern: name_pattern(invocation)?,
        preloads,
        is_isolated: !invocation.is_negated(Flag::Isolate) && table.is_isolated != Some(false),
        parallel: parallel(invocation)?,
        parallel_delay: invocation
            .value(Flag::ParallelDelay)
            .and_then(|value| value.parse().ok())
            .map(Duration::from_millis),
        leaves_no_orphans: invocation.is_on(Flag::NoOrphans),
        shard: shard(invocation)?,
        timings: invocation.paths(Flag::Timings).map(|path| current_dir.join(path)).collect(),
        updates_timings: invocation.is_on(Flag::UpdateTimings),
        changes: changes(invocation, &current_dir)?,
        coverage: coverage(invocation, table, &current_dir)?,
        reporters: reporters(invocation, table, environment, &current_dir, is_on)?,
        current_dir,
    })
}

/// The seed of a random order; a new one if none is given.
fn seed(invocation: &Invocation, table: &TestTable) -> Option<u32> {
    let given = invocation.value(Flag::Seed).and_then(|value| value.parse().ok());
    let is_random = invocation.is_on(Flag::Randomize) || table.randomize == Some(true);
    given.or_else(|| is_random.then(|| table.seed.unwrap_or_else(random)))
}

fn random() -> u32 {
    let mut bytes = [0; 4];
    // Without random bytes the order is that of the seed 0.
    let _ = rusk_base::sys::process::fill_random(&mut bytes);
    u32::from_ne_bytes(bytes)
}

/// A flag whose value is a number that may be left out.
fn optional_number(invocation: &Invocation, flag: Flag, max: u32) -> Result<Option<u32>> {
    let Some(text) = invocation.value(flag) else { return Ok(None) };
    match text.parse() {
        Ok(number) if (1..=max).contains(&number) => Ok(Some(number)),
        _ => Err(usage::not_a_number(table::flag(flag), text, 1..=max)),
    }
}

fn bail(invocation: &Invocation, table: &TestTable) -> Result<Option<u32>> {
    let given = optional_number(invocation, Flag::Bail, u32::MAX)?;
    Ok(match given {
        None if invocation.is_given(Flag::Bail) => Some(1),
        None => table.bail.filter(|limit| *limit > 0),
        given => given,
    })
}

fn parallel(invocation: &Invocation) -> Result<Option<u32>> {
    let share = invocation.value(Flag::Parallel).and_then(|text| worker_share(text, host::processors()));
    if share.is_some() {
        return Ok(share);
    }
    let given = optional_number(invocation, Flag::Parallel, WORKERS_MAX as u32)?;
    // Without a number it is the number of processors, also without isolation.
    Ok(given.or_else(|| invocation.is_given(Flag::Parallel).then(|| host::processors() as u32)))
}

fn shard(invocation: &Invocation) -> Result<Option<Shard>> {
    let Some(text) = invocation.value(Flag::Shard) else { return Ok(None) };
    Shard::parse(text).map(Some).ok_or_else(|| problem::bad_shard(text))
}

/// The engine of each worker compiles the pattern; here it is checked, before any file runs.
fn name_pattern(invocation: &Invocation) -> Result<Option<String>> {
    let Some(pattern) = invocation.value(Flag::TestNamePattern) else { return Ok(None) };
    match regress::Regex::new(pattern) {
        Ok(_) => Ok(Some(pattern.to_owned())),
        Err(error) => Err(problem::bad_name_pattern(pattern, &error.to_string())),
    }
}

fn reporters(
    invocation: &Invocation,
    table: &TestTable,
    environment: &BTreeMap<String, String>,
    current_dir: &Path,
    is_on: impl Fn(Flag, Option<bool>) -> bool,
) -> Result<ReporterOptions> {
    let has = |name: &str| invocation.values(Flag::Reporter).any(|reporter| reporter == name);
    let outfile = invocation.path(Flag::ReporterOutfile).map(|path| current_dir.join(path));
    if has("junit") != outfile.is_some() {
        return Err(problem::junit_without_file(outfile.is_some()));
    }
    let console = if invocation.is_on(Flag::Json) {
        ConsoleReporter::Json
    } else if has("tap") {
        ConsoleReporter::Tap
    } else if has("dots") || is_on(Flag::Dots, table.has_dots) {
        ConsoleReporter::Dots
    } else {
        ConsoleReporter::Lines
    };
    Ok(ReporterOptions {
        console,
        only_failures: is_on(Flag::OnlyFailures, table.only_failures) || is_for_agent(environment),
        is_silent: invocation.is_on(Flag::Silent),
        github: has("github") || environment.get("GITHUB_ACTIONS").is_some_and(|value| value == "true"),
        junit: outfile.or_else(|| table.junit.as_ref().map(|path| current_dir.join(path))),
    })
}

/// Programs that work for a model need what fails; bun knows them by these variables.
const AGENT_VARIABLES: [&str; 3] = ["CLAUDECODE", "REPL_ID", "AGENT"];

fn is_for_agent(environment: &BTreeMap<String, String>) -> bool {
    AGENT_VARIABLES.iter().any(|name| environment.get(*name).is_some_and(|value| value == "1"))
}

fn changes(invocation: &Invocation, current_dir: &Path) -> Result<Option<Changes>> {
    if !invocation.is_given(Flag::Changed) {
        return Ok(None);
    }
    let base = invocation.value(Flag::Changed).filter(|base| !base.is_empty());
    git_changes::changed_files(current_dir, base).map(|files| Some(Changes::Files(files)))
}

/// Directory of coverage reports.
const COVERAGE_DIR: &str = "coverage";

fn coverage(
    invocation: &Invocation,
    table: &TestTable,
    current_dir: &Path,
) -> Result<Option<CoverageOptions>> {
    let is_on = invocation.is_on(Flag::Coverage)
        || invocation.is_given(Flag::CoverageReporter)
        || table.coverage == Some(true);
    if !is_on {
        return Ok(None);
    }
    let given: Vec<&str> = match invocation.is_given(Flag::CoverageReporter) {
        true => invocation.values(Flag::CoverageReporter).collect(),
        false => table.coverage_reporters.iter().map(String::as_str).collect(),
    };
    let mut reporters = given.iter().map(|name| reporter(name)).collect::<Result<Vec<_>>>()?;
    if reporters.is_empty() {
        reporters.push(CoverageReporter::Text);
    }
    let dir = invocation.value(Flag::CoverageDir).or(table.coverage_dir.as_deref()).unwrap_or(COVERAGE_DIR);
    let threshold = table.coverage_threshold;
    Ok(Some(CoverageOptions {
        reporters,
        dir: current_dir.join(dir),
        ignored: table.coverage_ignore_patterns.clone(),
        threshold: CoverageThresholds {
            lines: threshold.lines,
            functions: threshold.functions,
            branches: threshold.branches,
        },
    }))
}

/// A name of `--coverage-reporter` or of bunfig.toml.
fn reporter(name: &str) -> Result<CoverageReporter> {
    match name {
        "text" => Ok(CoverageReporter::Text),
        "lcov" => Ok(CoverageReporter::Lcov),
        "html" => Ok(CoverageReporter::Html),
        _ => Err(problem::bad_coverage_reporter(name)),
    }
}

/// How worker processes are started: this program, with the flags that programs have.
fn worker(
    invocation: &Invocation,
    options: &TestOptions,
    environment: &BTreeMap<String, String>,
) -> Result<WorkerProgram> {
    let is_missing = |name: &&String| {
        let path = options.current_dir.join(name);
        let exists = |extension: &&str| files::exists(Path::new(&format!("{}{extension}", path.display())));
        name.starts_with(['.', '/']) && !PRELOAD_EXTENSIONS.iter().any(exists)
    };
    if let Some(missing) = options.preloads.iter().find(is_missing) {
        return Err(problem::no_preload(missing));
    }
    let mut env_files = invocation.values(Flag::EnvFile);
    if let Some(missing) = env_files.find(|file| !files::exists(&options.current_dir.join(file))) {
        return Err(problem::no_env_file_of_command(missing));
    }
    let mut arguments = Vec::new();
    for (flag, name) in
        [(Flag::Define, "--define"), (Flag::Conditions, "--conditions"), (Flag::EnvFile, "--env-file")]
    {
        arguments.extend(invocation.values(flag).map(|value| format!("{name}={value}")));
    }
    arguments.extend(invocation.is_on(Flag::NoEnvFile).then(|| "--no-env-file".to_owned()));
    arguments.push("./test".to_owned());
    let defaults = [("NODE_ENV", "test"), ("TZ", "Etc/UTC")];
    let absent = defaults.into_iter().filter(|(name, _)| !environment.contains_key(*name));
    Ok(WorkerProgram {
        program: host::program()?,
        arguments,
        variables: absent.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
        current_dir: options.current_dir.clone(),
    })
}

fn properties(environment: &BTreeMap<String, String>) -> Vec<(String, String)> {
    let found =
        CI_VARIABLES.iter().filter_map(|name| Some(((*name).to_owned(), environment.get(*name)?.clone())));
    found.collect()
}
