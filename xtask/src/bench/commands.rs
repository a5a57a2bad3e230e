//! `bench commands`: `outdated` of 700 direct dependencies and `audit` of 700 packages with a warm
//! cache, 50 scripts at once, what the jail adds to an install script, and installs with the
//! lockfiles of other tools, relative to the same project with bun.lock. In: generated packages in
//! the local registry. Out: a table, targets, `bench/results/commands.json`.

use super::c;
use super::flags::BenchFlags;
use super::install::registry::{self, OnMissing, Registry};
use super::install::{generator, tool::Tool};
use super::runtime::row::{self, RuntimeRow, RuntimeTarget};
use super::spawn::results::load_average;
use crate::report::Json;
use crate::{files, peers, process};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const PACKAGES: usize = 700;
const SCRIPTS: usize = 50;
const STAMP: &str = "stamp";
const WALL: &str = "wall, ms";
const ADDED: &str = "added, ms";
/// Install scripts with the jail, less those without in the same round.
const ADDED_EACH: &str = "added to each, ms";
/// The same project with rusk's own lockfile.
const OWN_LOCKFILE: &str = "bun.lock";
/// Lockfiles of other tools, and how those write them.
const FOREIGN_LOCKFILES: [(&str, &str, &[&str]); 2] = [
    ("package-lock.json", "npm", &["install", "--package-lock-only", "--no-audit"]),
    ("pnpm-lock.yaml", "pnpm", &["install", "--lockfile-only"]),
];

pub const NAME: &str = "commands";
pub const TARGETS: &[RuntimeTarget] = &[
    row::target("`outdated` of 700 packages, relative to bun", ["outdated", WALL], Some("bun"), 0.5),
    row::target("`audit` of 700 packages, relative to bun", ["audit", WALL], Some("bun"), 0.5),
    row::target("50 scripts at once: added time, relative to bun", ["parallel", ADDED], Some("bun"), 0.5),
    row::target("50 scripts at once: added time, relative to pnpm", ["parallel", ADDED], Some("pnpm"), 0.5),
    row::target("the jail of an install script: added time, ms", ["jail", ADDED_EACH], None, 0.3),
    row::target(
        "warm install with package-lock.json, relative to bun.lock",
        ["package-lock.json, warm", WALL],
        Some(OWN_LOCKFILE),
        1.1,
    ),
    row::target(
        "idle install with package-lock.json, relative to bun.lock",
        ["package-lock.json, idle", WALL],
        Some(OWN_LOCKFILE),
        1.1,
    ),
    row::target(
        "warm install with pnpm-lock.yaml, relative to bun.lock",
        ["pnpm-lock.yaml, warm", WALL],
        Some(OWN_LOCKFILE),
        1.1,
    ),
    row::target(
        "idle install with pnpm-lock.yaml, relative to bun.lock",
        ["pnpm-lock.yaml, idle", WALL],
        Some(OWN_LOCKFILE),
        1.1,
    ),
];

/// Measures, prints, stores the results. A missed target is reported, and is not an error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = BenchFlags { rounds: 10, rusk: None, store: true }.read("commands", arguments)?;
    let rusk = match &flags.rusk {
        Some(program) => program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?,
        None => peers::rusk()?,
    };
    let bench = CommandBench::new(rusk, peers::install()?)?;
    let load = load_average();
    let _registry = Registry::start(registry::PORT, OnMissing::NotFound)?;
    let mut rows = Vec::new();
    bench.queries(flags.rounds, &mut rows)?;
    bench.scripts(flags.rounds, &mut rows)?;
    bench.jail(flags.rounds, &mut rows)?;
    for (lockfile, tool, arguments) in FOREIGN_LOCKFILES {
        bench.installs(lockfile, tool, arguments, flags.rounds, &mut rows)?;
    }
    row::print(&rows, TARGETS);
    if flags.store { bench.store(&load, flags.rounds, &rows) } else { Ok(()) }
}

/// The programs, and a directory for projects and homes.
struct CommandBench {
    rusk: PathBuf,
    peers: PathBuf,
    top: PathBuf,
}

impl CommandBench {
    fn new(rusk: PathBuf, peers: PathBuf) -> Result<CommandBench, String> {
        generator::make(PACKAGES)?;
        let top = files::target().join("bench-commands");
        files::empty(&top)?;
        for tool in ["rusk", "bun", "npm", "pnpm"] {
            files::write(&top.join("homes").join(tool).join(".npmrc"), &Tool::npmrc())?;
        }
        Ok(CommandBench { rusk, peers, top })
    }

    fn program(&self, tool: &str) -> PathBuf {
        if tool == "rusk" { self.rusk.clone() } else { self.peers.join(tool) }
    }

    /// A command in a project, with a small environment and a home of its own.
    fn command(&self, tool: &str, arguments: &[&str], project: &Path) -> Command {
        let home = self.top.join("homes").join(tool);
        let mut command = Command::new(self.program(tool));
        command.args(arguments).current_dir(project).env_clear();
        command.envs(std::env::var_os("PATH").map(|path| ("PATH", path)));
        command.env("HOME", &home).env("CI", "1").env("NO_COLOR", "1");
        command.env("NPM_CONFIG_REGISTRY", registry::url());
        command.env("XDG_DATA_HOME", home.join("data")).env("XDG_CACHE_HOME", home.join("cache"));
        command
    }

    /// A project that has every generated package, installed by the tool.
    fn project(&self, name: &str, tool: &str, dependencies: Dependencies) -> Result<PathBuf, String> {
        let project = self.top.join(name);
        files::write(&project.join("package.json"), &manifest(dependencies))?;
        process::succeed(&mut self.command(tool, &["install", "--ignore-scripts"], &project))?;
        Ok(project)
    }

    /// `outdated` and `audit`, each once before it is measured.
    fn queries(&self, rounds: usize, rows: &mut Vec<RuntimeRow>) -> Result<(), String> {
        let tools = ["rusk", "bun"];
        for (case, dependencies) in [("outdated", Dependencies::Direct), ("audit", Dependencies::Nested)] {
            let projects = tools.map(|tool| self.project(&format!("{case}-{tool}"), tool, dependencies));
            for round in 0..=rounds {
                for index in [round % 2, (round + 1) % 2] {
                    let (tool, project) = (tools[index], projects[index].as_ref().map_err(Clone::clone)?);
                    let ended = process::run(&mut self.command(tool, &[case], project))?;
                    // Nothing is outdated, and nothing has an advisory.
                    if !ended.status.success() {
                        return Err(format!("{tool} {case}: {}: {}", ended.status, ended.output));
                    }
                    if round > 0 {
                        row::add_sample(rows, [case, WALL, tool], ended.cost.wall.as_secs_f64() * 1000.0);
                    }
                }
            }
        }
        Ok(())
    }

    /// The time of 50 scripts at once, less that of their programs started directly in the same
    /// round.
    fn scripts(&self, rounds: usize, rows: &mut Vec<RuntimeRow>) -> Result<(), String> {
        const TOOLS: [(&str, &[&str]); 3] = [
            ("rusk", &["run", "--parallel", "s:*"]),
            ("bun", &["run", "--parallel", "s:*"]),
            ("pnpm", &["run", "--workspace-concurrency=50", "/^s:/"]),
        ];
        let project = self.top.join("scripts");
        files::empty(&project)?;
        c::compile(&files::root().join("bench/stamp.c"), &project.join(STAMP), c::BARE)?;
        let script = |index| (format!("s:{index}"), Json::text(format!("./{STAMP} stamped-{index}")));
        let scripts = (0..SCRIPTS).map(script).collect();
        let manifest = Json::object([("name", Json::text("app")), ("scripts", Json::Object(scripts))]);
        files::write(&project.join("package.json"), &manifest.render())?;
        for round in 0..=rounds {
            let direct = self.direct(&project)?;
            for index in 0..TOOLS.len() {
                let (tool, arguments) = TOOLS[(index + round) % TOOLS.len()];
                remove_stamps(&project)?;
                let ended = process::succeed(&mut self.command(tool, arguments, &project))?;
                if (0..SCRIPTS).any(|index| !project.join(stamped(index)).exists()) {
                    return Err(format!("{tool} did not run every script"));
                }
                if round > 0 {
                    row::add_sample(
                        rows,
                        ["parallel", ADDED, tool],
                        ended.cost.wall.as_secs_f64() * 1000.0 - direct,
                    );
                }
            }
        }
        Ok(())
    }

    /// Install scripts that do nothing, one after the other, in the jail and without it.
    fn jail(&self, rounds: usize, rows: &mut Vec<RuntimeRow>) -> Result<(), String> {
        let project = self.top.join("install-scripts");
        let names: Vec<String> = (0..SCRIPTS).map(|index| format!("scripted-{index}")).collect();
        for name in &names {
            let scripted = format!(r#"{{"name":"{name}","version":"1.0.0","scripts":{{"install":":"}}}}"#);
            files::write(&project.join(name).join("package.json"), &scripted)?;
        }
        let dependency = |name: &String| (name.clone(), Json::text(format!("file:{name}")));
        let manifest = Json::object([
            ("name", Json::text("app")),
            ("dependencies", Json::Object(names.iter().map(dependency).collect())),
            ("trustedDependencies", Json::List(names.iter().map(Json::text).collect())),
        ]);
        files::write(&project.join("package.json"), &manifest.render())?;
        process::succeed(&mut self.command("rusk", &["install"], &project))?;
        const ARGUMENTS: [&[&str]; 2] = [
            &["rebuild", "--silent", "--concurrent-scripts=1"],
            &["rebuild", "--silent", "--concurrent-scripts=1", "--no-jail"],
        ];
        for round in 0..=rounds {
            let mut wall_ms = [0.0; 2];
            for index in [round % 2, (round + 1) % 2] {
                let ended = process::succeed(&mut self.command("rusk", ARGUMENTS[index], &project))?;
                wall_ms[index] = ended.cost.wall.as_secs_f64() * 1000.0;
            }
            if round > 0 {
                let added = (wall_ms[0] - wall_ms[1]) / SCRIPTS as f64;
                row::add_sample(rows, ["jail", ADDED_EACH, "rusk"], added);
            }
        }
        Ok(())
    }

    /// Milliseconds from the start of the first program to the end of the last.
    fn direct(&self, project: &Path) -> Result<f64, String> {
        remove_stamps(project)?;
        let began = Instant::now();
        let start = |index| {
            let mut command = Command::new(project.join(STAMP));
            command.arg(stamped(index)).current_dir(project).spawn().map_err(|error| error.to_string())
        };
        let children = (0..SCRIPTS).map(start).collect::<Result<Vec<_>, _>>()?;
        for mut child in children {
            child.wait().map_err(|error| error.to_string())?;
        }
        Ok(began.elapsed().as_secs_f64() * 1000.0)
    }

    /// Installs of one project with two lockfiles in turn: without node_modules, and with. `writer`
    /// writes the foreign one.
    fn installs(
        &self,
        lockfile: &str,
        writer: &str,
        arguments: &[&str],
        rounds: usize,
        rows: &mut Vec<RuntimeRow>,
    ) -> Result<(), String> {
        let own = self.project("install-own", "rusk", Dependencies::Nested)?;
        let foreign = self.top.join(format!("install-{lockfile}"));
        files::empty(&foreign)?;
        files::write(&foreign.join("package.json"), &manifest(Dependencies::Nested))?;
        process::succeed(&mut self.command(writer, arguments, &foreign))?;
        if !foreign.join(lockfile).exists() {
            return Err(format!("no {lockfile} was written"));
        }
        let sides = [(OWN_LOCKFILE, own), ("rusk", foreign)];
        for round in 0..=rounds {
            for index in [round % 2, (round + 1) % 2] {
                let (tool, project) = &sides[index];
                files::remove(&project.join("node_modules"))?;
                for state in ["warm", "idle"] {
                    let arguments = ["install", "--linker=hoisted", "--ignore-scripts"];
                    let ended = process::succeed(&mut self.command("rusk", &arguments, project))?;
                    if round > 0 {
                        let case = format!("{lockfile}, {state}");
                        row::add_sample(rows, [&case, WALL, tool], ended.cost.wall.as_secs_f64() * 1000.0);
                    }
                }
            }
        }
        Ok(())
    }

    fn store(&self, load: &str, rounds: usize, rows: &[RuntimeRow]) -> Result<(), String> {
        let version = |tool: &str| process::version(&self.program(tool)).unwrap_or_else(|| "absent".into());
        let mut versions: Vec<(String, Json)> =
            ["rusk", "bun", "pnpm"].map(|tool| (tool.to_owned(), Json::text(version(tool)))).into();
        versions.push((OWN_LOCKFILE.to_owned(), Json::text(version("rusk"))));
        row::store(NAME, versions, load, rounds, rows)
    }
}

/// Which of the 700 packages the package.json names.
#[derive(Clone, Copy)]
enum Dependencies {
    /// All of them: `outdated` asks for no others.
    Direct,
    /// Those that lead to the others.
    Nested,
}

fn manifest(dependencies: Dependencies) -> String {
    let step = match dependencies {
        Dependencies::Direct => 1,
        Dependencies::Nested => generator::BLOCK,
    };
    let named = (0..PACKAGES).step_by(step);
    let packages = named.map(|index| (generator::name(index), Json::text("^1.0.0"))).collect();
    let name = Json::text("app");
    Json::object([("name", name), ("version", Json::text("1.0.0")), ("dependencies", Json::Object(packages))])
        .render()
}

fn stamped(index: usize) -> String {
    format!("stamped-{index}")
}

fn remove_stamps(project: &Path) -> Result<(), String> {
    (0..SCRIPTS).try_for_each(|index| files::remove_file(&project.join(stamped(index))))
}
