//! `bench test`: generated suites of tests under rusk, bun, node, vitest and jest in turn: one file
//! of many tests, many files, files that import many modules; the memory of all processes; and the
//! time from a save to the result in watch mode. In: suites, generated for each tool. Out: a table,
//! targets, `bench/results/test.json`. A missed target is said, and is no error.

mod suite;
mod tree;
mod watch;

use super::flags::BenchFlags;
use super::runtime::row::{self, RuntimeRow, RuntimeTarget};
use super::spawn::results::load_average;
use crate::report::Json;
use crate::{files, peers, process};
use std::path::{Path, PathBuf};
use std::process::Command;
use suite::{Dialect, SUITES, Suite};

pub const NAME: &str = "test";
const WALL: &str = "wall, ms";
const MEMORY: &str = "memory, MiB";
const SAVE: &str = "save to result, ms";
const BUN: Option<&str> = Some("bun");
const BUN_ISOLATE: Option<&str> = Some("bun --isolate");
const VITEST: Option<&str> = Some("vitest");

pub const TARGETS: &[RuntimeTarget] = &[
    row::target("10,000 tests of one file, relative to bun", [suite::ONE, WALL], BUN, 1.2),
    row::target("10,000 tests of one file, relative to bun --isolate", [suite::ONE, WALL], BUN_ISOLATE, 0.6),
    row::target("10,000 tests of one file, relative to vitest", [suite::ONE, WALL], VITEST, 0.3),
    row::target("1,000 files, relative to bun", [suite::FILES, WALL], BUN, 1.2),
    row::target("1,000 files, relative to bun --isolate", [suite::FILES, WALL], BUN_ISOLATE, 0.6),
    row::target("1,000 files, relative to vitest", [suite::FILES, WALL], VITEST, 0.3),
    row::target("1,000 files: memory, relative to bun", [suite::FILES, MEMORY], BUN, 1.0),
    row::target("200 files of 50 modules, relative to bun", [suite::MODULES, WALL], BUN, 1.2),
    row::target(
        "200 files of 50 modules, relative to bun --isolate",
        [suite::MODULES, WALL],
        BUN_ISOLATE,
        0.6,
    ),
    row::target("200 files of 50 modules, relative to vitest", [suite::MODULES, WALL], VITEST, 0.3),
    row::target("200 files of 50 modules: memory, relative to bun", [suite::MODULES, MEMORY], BUN, 1.0),
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

/// Measures, prints, stores the results.
pub fn run(arguments: &[String]) -> Result<(), String> {
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
        measure(suite, &tools, &top, flags.rounds, &mut rows);
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

/// The first round warms caches, and measures memory: the sampler takes processor time.
fn measure(suite: &Suite, tools: &[TestTool], top: &Path, rounds: usize, rows: &mut Vec<RuntimeRow>) {
    let mut failed: Vec<&str> = Vec::new();
    for round in 0..=rounds {
        for tool in (0..tools.len()).map(|index| &tools[(index + round) % tools.len()]) {
            if failed.contains(&tool.name) {
                continue;
            }
            let mut command = command(tool, &directory(top, suite, tool.dialect));
            let number = match round {
                0 => tree::peak_mib(&mut command).map(|number| (MEMORY, number)),
                _ => {
                    process::succeed(&mut command).map(|ended| (WALL, ended.cost.wall.as_secs_f64() * 1000.0))
                }
            };
            match number {
                Ok((what, number)) => row::add_sample(rows, [suite.name, what, tool.name], number),
                Err(message) => {
                    failed.push(tool.name);
                    rows.retain(|row| row.case != suite.name || row.tool != tool.name);
                    rows.push(failure(suite.name, tool.name, message));
                }
            }
        }
    }
}

fn failure(case: &str, tool: &str, message: String) -> RuntimeRow {
    RuntimeRow {
        case: case.to_owned(),
        what: String::new(),
        tool: tool.to_owned(),
        samples: Vec::new(),
        failure: Some(message),
    }
}

/// The run of all tests of a directory.
fn command(tool: &TestTool, directory: &Path) -> Command {
    let mut command = Command::new(&tool.program);
    command.args(tool.arguments).current_dir(directory).env("NO_COLOR", "1").env_remove("CI");
    command
}

fn store(tools: &[TestTool], load: &str, rounds: usize, rows: &[RuntimeRow]) -> Result<(), String> {
    let version = |tool: &TestTool| process::version(&tool.program).unwrap_or_else(|| "absent".to_owned());
    let versions = tools.iter().map(|tool| (tool.name.to_owned(), Json::text(version(tool)))).collect();
    row::store(NAME, versions, load, rounds, rows)
}
