//! Benchmarks that are one program, which prints its numbers as one line of JSON, run by rusk, bun,
//! node and deno in turn. In: the program, targets. Out: a table, `bench/results/NAME.json`. A
//! number that a runtime does not have is the reason, as a string. A missed target is said, and is
//! no error.

use super::runtime::row::{self, RuntimeRow, RuntimeTarget};
use super::runtime::{Runtime, RuntimeFlags, tools};
use super::spawn::results::load_average;
use crate::report::Json;
use crate::{files, peers, process};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A number of one run, or why there is none.
type Sample = Result<f64, String>;

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
                // The first round warms caches, for which a short one is enough.
                let is_warm_up = round == 0;
                let outcome = self.sample(tool, &packages, is_warm_up);
                if !is_warm_up {
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

    /// The numbers of one run, each with its name; a number that is absent is the reason.
    fn sample(
        &self,
        tool: &Runtime,
        packages: &Path,
        is_warm_up: bool,
    ) -> Result<Vec<(String, Sample)>, String> {
        let directory = files::root().join("bench").join(self.name);
        let mut command = Command::new(&tool.program);
        command.args(tool.arguments).arg(format!("{}.mjs", self.name)).current_dir(directory);
        // The program of this benchmark is also one of its tools: `bench load-sockets`.
        let load = std::env::current_exe().map_err(|error| error.to_string())?;
        command.env("BENCH_PACKAGES", packages).env("BENCH_LOAD", load);
        command.env("NO_COLOR", "1").env("DENO_NO_UPDATE_CHECK", "1");
        if is_warm_up {
            command.env("BENCH_SECONDS", "1").env("BENCH_MEMORY_REQUESTS", "1");
        }
        let ended = process::run(&mut command).map_err(|_| "it cannot be started")?;
        let line = ended.output.lines().last().unwrap_or_default();
        if !ended.status.success() {
            let is_error = |line: &&str| line.contains("rror");
            let line = ended.output.lines().find(is_error).unwrap_or(line);
            return Err(format!("{}: {line}", ended.status));
        }
        let root = super::results_file::parse("the program's last line", line)?;
        let sample = |member: &rusk_npm::json::Member<'_>| {
            let reason = member.node.as_str().map(|reason| Err(reason.to_owned()));
            let sample = super::results_file::number(&member.node).map(Ok).or(reason)?;
            Some((member.key.to_string(), sample))
        };
        Ok(root.members().iter().filter_map(sample).collect())
    }

    /// A tool that failed once has no numbers, but says why.
    fn add(
        &self,
        rows: &mut Vec<RuntimeRow>,
        tool: &Runtime,
        outcome: Result<Vec<(String, Sample)>, String>,
    ) {
        let row = |what: String| RuntimeRow {
            case: self.name.to_owned(),
            what,
            tool: tool.name.to_owned(),
            samples: Vec::new(),
            failure: None,
            is_at_least: false,
        };
        match outcome {
            Err(message) => {
                rows.retain(|row| row.tool != tool.name);
                rows.push(RuntimeRow { failure: Some(message), ..row(String::new()) });
            }
            Ok(samples) => {
                for (what, sample) in samples {
                    let is_absent = |row: &RuntimeRow| {
                        row.tool == tool.name
                            && row.failure.is_some()
                            && (row.what == what || row.what.is_empty())
                    };
                    match sample {
                        _ if rows.iter().any(is_absent) => {}
                        Ok(number) => row::add_sample(rows, [self.name, &what, tool.name], number),
                        Err(reason) => {
                            rows.retain(|row| row.tool != tool.name || row.what != what);
                            rows.push(RuntimeRow { failure: Some(reason), ..row(what) });
                        }
                    }
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
