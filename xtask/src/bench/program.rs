//! Benchmarks that are one program, which prints its numbers as one line of JSON, run by rusk, bun,
//! node and deno in turn. In: the program, targets. Out: a table, `bench/results/NAME.json`. A
//! missed target is said, and is no error.

use super::runtime::row::{self, RuntimeRow, RuntimeTarget};
use super::runtime::{Runtime, RuntimeFlags, tools};
use super::spawn::results::load_average;
use crate::report::Json;
use crate::{files, peers, process};
use std::path::{Path, PathBuf};
use std::process::Command;

/// `bench/NAME/NAME.mjs`.
pub struct ProgramBench {
    pub name: &'static str,
    pub targets: &'static [RuntimeTarget],
    /// Packages of the npm registry, `name@version`. The program finds them in BENCH_PACKAGES.
    pub packages: &'static [&'static str],
}

impl ProgramBench {
    pub fn run(&self, arguments: &[String]) -> Result<(), String> {
        let flags = RuntimeFlags::read(arguments)?;
        let tools = tools(&flags);
        let packages = self.install_packages()?;
        let load = load_average();
        let mut rows = Vec::new();
        for round in 0..=flags.rounds {
            for tool in (0..tools.len()).map(|index| &tools[(index + round) % tools.len()]) {
                let outcome = self.sample(tool, &packages);
                // The first round warms caches.
                if round > 0 {
                    self.add(&mut rows, tool, outcome);
                }
            }
        }
        row::print(&rows, self.targets);
        if flags.store { self.store(&tools, &load, flags.rounds, &rows) } else { Ok(()) }
    }

    fn install_packages(&self) -> Result<PathBuf, String> {
        let directory = files::target().join(format!("bench-{}", self.name));
        if !self.packages.is_empty() {
            peers::install_into(&directory, "{}", self.packages, "../.package-lock.json")?;
        }
        Ok(directory)
    }

    /// The numbers of one run, each with its name.
    fn sample(&self, tool: &Runtime, packages: &Path) -> Result<Vec<(String, f64)>, String> {
        let directory = files::root().join("bench").join(self.name);
        let mut command = Command::new(&tool.program);
        command.args(tool.arguments).arg(format!("{}.mjs", self.name)).current_dir(directory);
        // The program of this benchmark is also one of its tools: `bench load-sockets`.
        let load = std::env::current_exe().map_err(|error| error.to_string())?;
        command.env("BENCH_PACKAGES", packages).env("BENCH_LOAD", load);
        command.env("NO_COLOR", "1").env("DENO_NO_UPDATE_CHECK", "1");
        let ended = process::run(&mut command).map_err(|_| "it cannot be started")?;
        let line = ended.output.lines().last().unwrap_or_default();
        if !ended.status.success() {
            return Err(format!("{}: {line}", ended.status));
        }
        let root = super::results_file::parse("the program's last line", line)?;
        let number = |member: &rusk_npm::json::Member<'_>| {
            Some((member.key.to_string(), super::results_file::number(&member.node)?))
        };
        Ok(root.members().iter().filter_map(number).collect())
    }

    /// A tool that failed once has no numbers, but says why.
    fn add(&self, rows: &mut Vec<RuntimeRow>, tool: &Runtime, outcome: Result<Vec<(String, f64)>, String>) {
        let row = |what: String| RuntimeRow {
            case: self.name.to_owned(),
            what,
            tool: tool.name.to_owned(),
            samples: Vec::new(),
            failure: None,
        };
        match outcome {
            Err(message) => {
                rows.retain(|row| row.tool != tool.name);
                rows.push(RuntimeRow { failure: Some(message), ..row(String::new()) });
            }
            Ok(_) if rows.iter().any(|row| row.tool == tool.name && row.failure.is_some()) => {}
            Ok(numbers) => {
                for (what, number) in numbers {
                    row::add_sample(rows, [self.name, &what, tool.name], number);
                }
            }
        }
    }

    fn store(&self, tools: &[Runtime], load: &str, rounds: usize, rows: &[RuntimeRow]) -> Result<(), String> {
        let version = |tool: &Runtime| process::version(&tool.program).unwrap_or_else(|| "absent".to_owned());
        let versions = tools.iter().map(|tool| (tool.name.to_owned(), Json::text(version(tool)))).collect();
        row::store(self.name, versions, load, rounds, rows)
    }
}
