//! `bench install`: one manifest, every tool, in turn within each round and in one and the same folder, so that what
//! the file system remembers of the round before weighs on all of them alike.

use super::table::{self, Row, Sample};
use super::tools::{Scenario, Tool};
use crate::{peers, place, process};
use std::path::{Path, PathBuf};
use std::process::Command;

struct Flags {
    fixture: PathBuf,
    /// Where the work is done; each folder is measured for itself.
    places: Vec<PathBuf>,
    scenarios: Vec<Scenario>,
    rounds: usize,
    rusk: Option<PathBuf>,
    keep: bool,
}

/// The folders of one place.
struct Bench {
    fixture: PathBuf,
    project: PathBuf,
    homes: PathBuf,
    /// Lockfiles, kept here between runs.
    locks: PathBuf,
}

/// Measures what the arguments ask for, prints tables, keeps the results in `bench/results`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = parse(arguments)?;
    let rusk = flags.rusk.clone().map_or_else(peers::rusk, Ok)?;
    let tools = Tool::all(rusk, &peers::install()?);
    for folder in &flags.places {
        let bench = Bench::new(folder, &flags.fixture)?;
        measure(&bench, &tools, &flags, folder)?;
        place::remove(&bench.top())?;
    }
    Ok(())
}

fn parse(arguments: &[String]) -> Result<Flags, String> {
    let fixtures = place::root().join("fixtures/interop");
    let mut flags = Flags {
        fixture: fixtures.join("thousand"),
        places: Vec::new(),
        scenarios: Vec::new(),
        rounds: 5,
        rusk: None,
        keep: true,
    };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        let mut value = || rest.next().ok_or_else(|| format!("expected a value after `{argument}`"));
        match argument.as_str() {
            "--rounds" => {
                flags.rounds = value()?.parse().map_err(|_| "expected a number after `--rounds`")?
            }
            "--in" => flags.places.push(value()?.into()),
            "--scenario" => {
                let name = value()?;
                let scenario = Scenario::find(name).ok_or_else(|| format!("no scenario `{name}`"))?;
                flags.scenarios.push(scenario);
            }
            "--rusk" => flags.rusk = Some(value()?.into()),
            "--no-keep" => flags.keep = false,
            name if fixtures.join(name).is_dir() => flags.fixture = fixtures.join(name),
            name => return Err(format!("expected a folder of fixtures/interop or a flag, found `{name}`")),
        }
    }
    if flags.places.is_empty() {
        flags.places = vec![place::target(), PathBuf::from("/dev/shm")];
    }
    if flags.scenarios.is_empty() {
        flags.scenarios = Scenario::ALL.to_vec();
    }
    Ok(flags)
}

/// One row for each scenario and tool, printed and kept scenario by scenario, so that a run may be stopped.
/// A tool that fails has no samples but says why.
fn measure(bench: &Bench, tools: &[Tool], flags: &Flags, folder: &Path) -> Result<(), String> {
    let name = flags.fixture.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut usable = Vec::new();
    let mut rows = Vec::new();
    for tool in tools {
        match bench.prepare(tool) {
            Ok(()) => usable.push(tool),
            Err(said) => rows.push(Row::failed(tool.name, said)),
        }
    }
    if !rows.is_empty() {
        table::print(&name, &rows);
    }
    for &scenario in &flags.scenarios {
        let mut found: Vec<Row> = usable.iter().map(|tool| Row::new(scenario, tool.name)).collect();
        for _ in 0..flags.rounds {
            for (tool, row) in usable.iter().zip(&mut found) {
                match bench.sample(tool, scenario) {
                    Ok(sample) => row.samples.push(sample),
                    Err(said) => row.failure = Some(said),
                }
            }
        }
        for (tool, row) in usable.iter().zip(&mut found) {
            row.system_calls = bench.count_calls(tool, scenario).unwrap_or_default();
        }
        table::print(&name, &found);
        rows.extend(found);
        if flags.keep {
            table::keep(&name, folder, tools, &rows)?;
        }
    }
    Ok(())
}

impl Bench {
    fn new(folder: &Path, fixture: &Path) -> Result<Bench, String> {
        let top = folder.join("rusk-bench");
        place::empty(&top)?;
        let [project, homes, locks] = ["project", "homes", "locks"].map(|name| top.join(name));
        Ok(Bench { fixture: fixture.to_owned(), project, homes, locks })
    }

    fn top(&self) -> PathBuf {
        self.project.parent().expect("the project stands in a folder").to_owned()
    }

    fn home(&self, tool: &Tool) -> PathBuf {
        self.homes.join(tool.name)
    }

    /// Fills the tool's cache and keeps its lockfile.
    fn prepare(&self, tool: &Tool) -> Result<(), String> {
        place::empty(&self.home(tool))?;
        place::empty(&self.project)?;
        place::copy(&self.fixture, &self.project)?;
        process::succeed(&mut tool.prepare(&self.project, &self.home(tool)))?;
        self.check_tree(tool)?;
        let lock = place::find(&self.project.join(tool.lockfile));
        let lock = lock.ok_or_else(|| format!("{}: no {}", tool.name, tool.lockfile))?;
        place::write(&self.locks.join(tool.name), &lock)
    }

    /// Makes the project and the cache what the scenario says they are.
    fn arrange(&self, tool: &Tool, scenario: Scenario) -> Result<(), String> {
        place::empty(&self.project)?;
        place::copy(&self.fixture, &self.project)?;
        if scenario.uses_network() {
            place::empty(&self.home(tool))?;
        }
        if scenario != Scenario::Nothing {
            let lock = place::find(&self.locks.join(tool.name)).unwrap_or_default();
            place::write(&self.project.join(tool.lockfile), &lock)?;
        }
        if scenario == Scenario::Idle {
            process::succeed(&mut tool.command(Scenario::Warm, &self.project, &self.home(tool)))?;
        }
        Ok(())
    }

    fn sample(&self, tool: &Tool, scenario: Scenario) -> Result<Sample, String> {
        self.arrange(tool, scenario)?;
        let ended = process::succeed(&mut tool.command(scenario, &self.project, &self.home(tool)))?;
        self.check_tree(tool)?;
        Ok(Sample::of(&ended.cost))
    }

    /// Every direct dependency is there: a tool that did nothing is not fast.
    fn check_tree(&self, tool: &Tool) -> Result<(), String> {
        let manifest = place::find(&self.project.join("package.json")).unwrap_or_default();
        let manifest = rusk_npm::Manifest::parse(&manifest).map_err(|problem| problem.to_string())?;
        for (_, names) in manifest.groups().into_iter().take(2) {
            for (name, _) in names.iter() {
                let path = self.project.join("node_modules").join(name).join("package.json");
                if !path.exists() {
                    return Err(format!("{} did not install `{name}`", tool.name));
                }
            }
        }
        Ok(())
    }

    /// Every system call of the tool and what it starts, in a run of its own: tracing makes it slow.
    fn count_calls(&self, tool: &Tool, scenario: Scenario) -> Option<u64> {
        self.arrange(tool, scenario).ok()?;
        let plain = tool.command(scenario, &self.project, &self.home(tool));
        let counts = self.top().join("calls");
        let mut traced = Command::new("strace");
        traced.args(["-f", "-qq", "-c", "-o"]).arg(&counts).arg(plain.get_program()).args(plain.get_args());
        traced.current_dir(&self.project).env_clear();
        traced.envs(plain.get_envs().filter_map(|(name, value)| Some((name, value?))));
        process::succeed(&mut traced).ok()?;
        let counts = place::find(&counts)?;
        let total = counts.lines().find(|line| line.trim_end().ends_with(" total"))?;
        total.split_whitespace().nth(3)?.parse().ok()
    }
}
