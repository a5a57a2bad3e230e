//! `bench test`: suites of tests under rusk, bun, node, vitest and jest in turn: generated ones
//! (one file of many tests, many files, files that import many modules) and those of two public
//! projects; the memory of all processes; and the time from a save to the result in watch mode.
//! In: suites, for each tool. Out: a table, targets, `bench/results/test.json`. A missed target is
//! said, and is no error.

mod project;
mod watch;

use super::flags::BenchFlags;
use super::runtime::row::{self, RuntimeRow, RuntimeTarget};
use super::spawn::results::load_average;
use crate::interop::repositories::checkout::Mirrors;
use crate::report::Json;
use crate::{files, peers, process};
use rusk_testkit::process_tree;
use rusk_testkit::test_projects::{self, PROJECTS};
use rusk_testkit::test_suites::{self, Dialect, SUITES, Suite};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub const NAME: &str = "test";
const WALL: &str = "wall, ms";
const MEMORY: &str = "memory, MiB";
const SAVE: &str = "save to result, ms";
const PASSED: &str = "tests that pass";
/// A tool whose first run takes longer has that run only.
const SLOW: Duration = Duration::from_secs(5);
/// A run is ended after this: slow tools would take half an hour.
const LIMIT: Duration = Duration::from_secs(40);
const BUN: Option<&str> = Some("bun");
const BUN_ISOLATE: Option<&str> = Some("bun --isolate");
const VITEST: Option<&str> = Some("vitest");

pub const TARGETS: &[RuntimeTarget] = &[
    row::target("10,000 tests of one file, relative to bun", [test_suites::ONE, WALL], BUN, 1.2),
    row::target(
        "10,000 tests of one file, relative to bun --isolate",
        [test_suites::ONE, WALL],
        BUN_ISOLATE,
        0.6,
    ),
    row::target("10,000 tests of one file, relative to vitest", [test_suites::ONE, WALL], VITEST, 0.3),
    row::target("1,000 files, relative to bun", [test_suites::FILES, WALL], BUN, 1.2),
    row::target("1,000 files, relative to bun --isolate", [test_suites::FILES, WALL], BUN_ISOLATE, 0.6),
    row::target("1,000 files, relative to vitest", [test_suites::FILES, WALL], VITEST, 0.3),
    row::target("1,000 files: memory, relative to bun", [test_suites::FILES, MEMORY], BUN, 1.0),
    row::target("200 files of 50 modules, relative to bun", [test_suites::MODULES, WALL], BUN, 1.2),
    row::target(
        "200 files of 50 modules, relative to bun --isolate",
        [test_suites::MODULES, WALL],
        BUN_ISOLATE,
        0.6,
    ),
    row::target("200 files of 50 modules, relative to vitest", [test_suites::MODULES, WALL], VITEST, 0.3),
    row::target("200 files of 50 modules: memory, relative to bun", [test_suites::MODULES, MEMORY], BUN, 1.0),
    row::target("valibot, relative to bun", [test_projects::VALIBOT, WALL], BUN, 1.2),
    row::target("valibot, relative to bun --isolate", [test_projects::VALIBOT, WALL], BUN_ISOLATE, 0.6),
    row::target("valibot, relative to vitest", [test_projects::VALIBOT, WALL], VITEST, 0.3),
    row::target("date-fns, relative to bun", [test_projects::DATE_FNS, WALL], BUN, 1.2),
    row::target("date-fns, relative to bun --isolate", [test_projects::DATE_FNS, WALL], BUN_ISOLATE, 0.6),
    row::target("date-fns, relative to vitest", [test_projects::DATE_FNS, WALL], VITEST, 0.3),
    row::target("watch mode: from a save to the result, ms", [watch::CASE, SAVE], None, 100.0),
];

/// Packages of the npm registry.
const PACKAGES: [&str; 3] = ["vitest@5.1.2", "jest@30.5.2", peers::NODE];

/// A test runner.
struct TestTool {
    name: &'static str,
    program: PathBuf,
    arguments: &'static [&'static str],
    dialect: Dialect,
}

/// Measures, prints, stores the results. `--mirrors DIRECTORY` before other flags: repositories are
/// not fetched.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mirrors, arguments) = match arguments {
        [flag, directory, rest @ ..] if flag == "--mirrors" => (Mirrors(Some(directory.into())), rest),
        _ => (Mirrors(None), arguments),
    };
    let flags = BenchFlags { rounds: 5, rusk: None, store: true }.read(NAME, arguments)?;
    let rusk = match &flags.rusk {
        Some(program) => program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?,
        None => peers::rusk()?,
    };
    let top = files::target().join("bench-test");
    let programs = peers::install_into(&top, "{}", &PACKAGES, "vitest")?;
    let tools = tools(rusk, &peers::install()?, &programs);
    let (load, mut rows) = (load_average(), Vec::new());
    for suite in &SUITES {
        for dialect in Dialect::ALL {
            suite.generate(&directory(&top, suite, dialect), dialect)?;
        }
        let runs = tools.iter().map(|tool| Run {
            case: suite.name,
            tool: tool.name,
            command: command(&tool.program, &directory(&top, suite, tool.dialect), tool.arguments),
            may_fail: false,
        });
        measure(runs.collect(), flags.rounds, &mut rows);
    }
    for project in &PROJECTS {
        match project::runs(project, &tools, &top, &mirrors) {
            Ok(runs) => measure(runs, flags.rounds, &mut rows),
            Err(message) => rows.push(failure(project.case, "all tools", message)),
        }
    }
    watch::measure(&tools[..2], &top, flags.rounds, &mut rows)?;
    row::print(&rows, TARGETS);
    if flags.store { store(&tools, &load, flags.rounds, &rows) } else { Ok(()) }
}

fn tools(rusk: PathBuf, peers: &Path, programs: &Path) -> Vec<TestTool> {
    let bun = || peers.join("bun");
    let tool = |name, program, arguments, dialect| TestTool { name, program, arguments, dialect };
    vec![
        tool("rusk", rusk, &["test"], Dialect::Bun),
        tool("bun", bun(), &["test"], Dialect::Bun),
        tool("bun --isolate", bun(), &["test", "--isolate"], Dialect::Bun),
        tool("bun --parallel", bun(), &["test", "--parallel"], Dialect::Bun),
        tool("node", programs.join("node"), &["--test"], Dialect::Node),
        tool("vitest", programs.join("vitest"), &["run"], Dialect::Vitest),
        tool("jest", programs.join("jest"), &["--rootDir=."], Dialect::Jest),
    ]
}

/// Below the packages, which tests import.
fn directory(top: &Path, suite: &Suite, dialect: Dialect) -> PathBuf {
    top.join(suite.name.replace([' ', ','], "-")).join(dialect.name())
}

/// What a tool runs of a case, once per round.
struct Run {
    case: &'static str,
    tool: &'static str,
    command: Command,
    /// Some tests fail under some tools: how many pass is a row.
    may_fail: bool,
}

/// Rounds that are not measured: caches are written in the first two.
const WARM_ROUNDS: usize = 2;

/// The round before those that are measured takes memory: the sampler takes processor time.
fn measure(mut runs: Vec<Run>, rounds: usize, rows: &mut Vec<RuntimeRow>) {
    let mut ended: Vec<&str> = Vec::new();
    let count = runs.len();
    for round in 0..=WARM_ROUNDS + rounds {
        for index in (0..count).map(|index| (index + round) % count) {
            let run = &mut runs[index];
            if ended.contains(&run.tool) {
                continue;
            }
            let outcome = match round {
                0..WARM_ROUNDS => run.warm(rows),
                WARM_ROUNDS => run.first(rows),
                _ => run.again(rows),
            };
            match outcome {
                Ok(Next::Again) => {}
                Ok(Next::Enough) => ended.push(run.tool),
                Err(message) => {
                    ended.push(run.tool);
                    rows.retain(|row| row.case != run.case || row.tool != run.tool);
                    rows.push(failure(run.case, run.tool, message));
                }
            }
        }
    }
}

/// Whether a tool has more rounds.
enum Next {
    Again,
    Enough,
}

impl Run {
    /// Runs a tool for its caches; one that takes long is measured once.
    fn warm(&mut self, rows: &mut Vec<RuntimeRow>) -> Result<Next, String> {
        let mut measured = Vec::new();
        let next = self.first(&mut measured)?;
        if matches!(next, Next::Enough) {
            rows.append(&mut measured);
        }
        Ok(next)
    }

    fn first(&mut self, rows: &mut Vec<RuntimeRow>) -> Result<Next, String> {
        let run = process_tree::run(&mut self.command, LIMIT)?;
        let wall = [self.case, WALL, self.tool];
        if run.is_over_limit {
            row::add_sample(rows, wall, milliseconds(LIMIT));
            rows.last_mut().expect("it was added").is_at_least = true;
            return Ok(Next::Enough);
        }
        if !run.status.success() && !self.may_fail {
            return Err(format!("{}: {}", process::line(&self.command), run.status));
        }
        row::add_sample(rows, [self.case, MEMORY, self.tool], run.peak_mib);
        if self.may_fail {
            let passed = test_projects::passed(&run.output).filter(|passed| *passed > 0.0);
            let passed = passed.ok_or("it reports no test that passes")?;
            row::add_sample(rows, [self.case, PASSED, self.tool], passed);
        }
        if run.wall < SLOW {
            return Ok(Next::Again);
        }
        row::add_sample(rows, wall, milliseconds(run.wall));
        Ok(Next::Enough)
    }

    fn again(&mut self, rows: &mut Vec<RuntimeRow>) -> Result<Next, String> {
        let ended = process::run(&mut self.command)?;
        if !ended.status.success() && !self.may_fail {
            return Err(format!("{}: {}", process::line(&self.command), ended.status));
        }
        row::add_sample(rows, [self.case, WALL, self.tool], milliseconds(ended.cost.wall));
        Ok(Next::Again)
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn failure(case: &str, tool: &str, message: String) -> RuntimeRow {
    RuntimeRow {
        case: case.to_owned(),
        what: String::new(),
        tool: tool.to_owned(),
        samples: Vec::new(),
        failure: Some(message),
        is_at_least: false,
    }
}

/// The run of all tests of a directory.
fn command(program: &Path, directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(directory).env("NO_COLOR", "1").env_remove("CI");
    command
}

fn store(tools: &[TestTool], load: &str, rounds: usize, rows: &[RuntimeRow]) -> Result<(), String> {
    let version = |tool: &TestTool| process::version(&tool.program).unwrap_or_else(|| "absent".to_owned());
    let versions = tools.iter().map(|tool| (tool.name.to_owned(), Json::text(version(tool)))).collect();
    row::store(NAME, versions, load, rounds, rows)
}
