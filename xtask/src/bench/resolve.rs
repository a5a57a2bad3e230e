//! `bench resolve`: resolves the same specifiers with rusk-modules, oxc-resolver and node. In:
//! directories of installed projects. Out: tables, targets, `bench/results/resolve.json`. The
//! programs are in `bench/resolve`; each prints the time of a first, cold pass and of a second,
//! warm one; strace counts their system calls in runs of zero, one and two passes.

pub mod row;

use super::spawn::results::load_average;
use crate::conformance::scan;
use crate::report::{self, Json};
use crate::{files, process};
use row::{Pass, ResolveRow};
use rusk_modules::Kind;
use rusk_npm::json::{self, Dialect, Node};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Specifiers per directory: all those of evenly selected files, because a loader resolves all
/// specifiers of a file.
const SPECIFIERS_MAX: usize = 10_000;

pub const TOOLS: &[&str] = &["rusk", "rusk-watch", "oxc", "node"];

struct ResolveBench {
    program: PathBuf,
    list: PathBuf,
}

/// Measures the directories in the arguments. A missed target is reported, and is not an error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let (mut directories, mut rounds, mut keep) = (Vec::new(), 20, true);
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--rounds" => {
                let value = rest.next().and_then(|value| value.parse().ok());
                rounds = value.ok_or("expected a number after `--rounds`")?;
            }
            "--no-keep" => keep = false,
            directory => directories.push(PathBuf::from(directory)),
        }
    }
    if directories.is_empty() {
        return Err("expected directories with installed projects".to_owned());
    }
    let bench = ResolveBench { program: build()?, list: files::target().join("bench-resolve/list") };
    let load = load_average();
    let mut rows = Vec::new();
    for directory in &directories {
        let directory =
            directory.canonicalize().map_err(|error| format!("{}: {error}", directory.display()))?;
        rows.extend(bench.measure(&directory, rounds)?);
    }
    row::print(&rows);
    if keep { store(&directories, &load, &rows) } else { Ok(()) }
}

/// Builds the bench's own workspace, in a target directory of its own.
fn build() -> Result<PathBuf, String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = files::target().join("bench-resolve");
    let mut build = Command::new(cargo);
    build.args(["build", "--release", "--locked"]).current_dir(files::root().join("bench/resolve"));
    build.env("CARGO_TARGET_DIR", &target);
    process::succeed(&mut build)?;
    Ok(target.join("release/rusk-resolve-bench"))
}

impl ResolveBench {
    /// One row for each tool. Each round runs every tool once and starts with the next tool; a
    /// first round is not counted.
    fn measure(&self, directory: &Path, rounds: usize) -> Result<Vec<ResolveRow>, String> {
        let tree = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let specifiers = self.write_list(directory)?;
        let mut rows: Vec<ResolveRow> =
            TOOLS.iter().map(|tool| ResolveRow::new(&tree, tool, specifiers)).collect();
        for row in &mut rows {
            let calls: Vec<f64> =
                (0..3).map(|passes| self.calls(&row.tool, passes)).collect::<Result<_, _>>()?;
            (row.cold_calls, row.warm_calls) = (calls[1] - calls[0], calls[2] - calls[1]);
        }
        for round in 0..=rounds {
            for index in 0..rows.len() {
                let row = &mut rows[(index + round) % TOOLS.len()];
                let passes = self.passes(&row.tool)?;
                if round > 0 {
                    row.add(passes);
                }
            }
        }
        Ok(rows)
    }

    /// The specifiers of every n-th file.
    fn write_list(&self, directory: &Path) -> Result<usize, String> {
        let files = scan::scan(directory);
        let all: usize = files.iter().map(|(_, imports)| imports.len()).sum();
        let every = all.div_ceil(SPECIFIERS_MAX).max(1);
        let mut lines = Vec::new();
        for (file, imports) in files.iter().step_by(every) {
            for (specifier, kind) in imports.iter().filter(|(specifier, _)| !specifier.contains('\t')) {
                let kind = if *kind == Kind::Require { "require" } else { "import" };
                lines.push(format!("{kind}\t{}\t{specifier}\n", file.display()));
            }
        }
        lines.truncate(SPECIFIERS_MAX);
        files::write(&self.list, &lines.concat())?;
        Ok(lines.len())
    }

    fn arguments(&self, tool: &str, passes: usize) -> Vec<String> {
        let list = self.list.display().to_string();
        let arguments = match tool {
            "node" => {
                let script = files::root().join("bench/resolve/node.cjs").display().to_string();
                vec!["node".to_owned(), "--expose-internals".to_owned(), "--no-warnings".to_owned(), script]
            }
            tool => vec![self.program.display().to_string(), tool.to_owned()],
        };
        arguments.into_iter().chain([list, passes.to_string()]).collect()
    }

    /// A cold pass and a warm one.
    fn passes(&self, tool: &str) -> Result<[Pass; 2], String> {
        let arguments = self.arguments(tool, 2);
        let ended = process::succeed(Command::new(&arguments[0]).args(&arguments[1..]))?;
        let line = ended.output.lines().last().unwrap_or_default();
        let printed = json::parse(line, Dialect::Strict).map_err(|error| format!("{tool}: {error}"))?;
        let passes = printed.find("passes").map(Node::elements).unwrap_or_default();
        match passes {
            [cold, warm] => Ok([Pass::read(cold), Pass::read(warm)]),
            _ => Err(format!("{tool}: expected two passes, found `{line}`")),
        }
    }

    fn calls(&self, tool: &str, passes: usize) -> Result<f64, String> {
        let counts = self.list.with_file_name("calls");
        let mut traced = Command::new("strace");
        traced.args(["-f", "-qq", "-c", "-o"]).arg(&counts).args(self.arguments(tool, passes));
        process::succeed(&mut traced)?;
        let text = files::find(&counts).unwrap_or_default();
        let total = text.lines().find(|line| line.trim_end().ends_with(" total"));
        let total = total.and_then(|line| line.split_whitespace().nth(3)?.parse().ok());
        total.ok_or_else(|| "strace counted nothing".to_owned())
    }
}

/// Writes `bench/results/resolve.json`.
fn store(directories: &[PathBuf], load: &str, rows: &[ResolveRow]) -> Result<(), String> {
    let lock = files::find(&files::root().join("bench/resolve/Cargo.lock")).unwrap_or_default();
    let locked = |name: &str| {
        let (_, after) = lock.split_once(&format!("name = \"{name}\"\nversion = \""))?;
        Some(after.split_once('"')?.0.to_owned())
    };
    let version = |tool: &str| match tool {
        "node" => process::version(Path::new("node")),
        "oxc" => locked("oxc_resolver"),
        _ => locked("rusk-modules"),
    };
    let versions = TOOLS.iter().map(|&tool| (tool.to_owned(), Json::text(version(tool).unwrap_or_default())));
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(&directories[0])),
        ("versions", Json::Object(versions.collect())),
        ("load_before", Json::text(load)),
        ("rows", Json::List(rows.iter().map(ResolveRow::json).collect())),
    ]);
    files::write(&files::root().join("bench/results/resolve.json"), &json.render())
}
