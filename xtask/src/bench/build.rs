//! `bench build`: `rusk build` beside bun, esbuild and rolldown, in turn. In: three.js ten times, a
//! generated React application, a generated workspace of TypeScript packages, an empty file. Out: a
//! table of time, memory and size, targets, `bench/results/build.json`. Each bundle of a program is
//! run once, and its output compared. A missed target is said, and is no error.

use super::flags::BenchFlags;
use super::runtime::row::{self, RuntimeRow, RuntimeTarget};
use super::spawn::results::load_average;
use crate::report::Json;
use crate::{files, peers, process};
use rusk_testkit::bundler_projects::{
    self as projects, BuildProject, EMPTY, PROJECTS, REACT, THREE, THREE_PLAIN, WORKSPACE,
};
use std::path::{Path, PathBuf};
use std::process::Command;

pub const NAME: &str = "build";
const WALL: &str = "wall, ms";
const MEMORY: &str = "memory, MiB";
const SIZE: &str = "size, KiB";
const BUN: Option<&str> = Some("bun");
const ESBUILD: Option<&str> = Some("esbuild");
const ROLLDOWN: Option<&str> = Some("rolldown");
/// The smallest number of the other tools.
const BEST: Option<&str> = Some("best of the others");

pub const TARGETS: &[RuntimeTarget] = &[
    row::target("three.js ten times, minified with maps, relative to bun", [THREE, WALL], BUN, 1.2),
    row::target("three.js ten times, minified with maps, relative to esbuild", [THREE, WALL], ESBUILD, 0.5),
    row::target("three.js ten times, minified with maps, relative to rolldown", [THREE, WALL], ROLLDOWN, 0.5),
    row::target("three.js ten times, minified: memory", [THREE, MEMORY], BEST, 1.0),
    row::target("three.js ten times, minified: size", [THREE, SIZE], BEST, 1.01),
    row::target("three.js ten times, relative to bun", [THREE_PLAIN, WALL], BUN, 1.2),
    row::target("three.js ten times, relative to esbuild", [THREE_PLAIN, WALL], ESBUILD, 0.5),
    row::target("three.js ten times: memory", [THREE_PLAIN, MEMORY], BEST, 1.0),
    row::target("React application, relative to bun", [REACT, WALL], BUN, 1.2),
    row::target("React application, relative to esbuild", [REACT, WALL], ESBUILD, 0.5),
    row::target("React application, relative to rolldown", [REACT, WALL], ROLLDOWN, 0.5),
    row::target("React application: memory", [REACT, MEMORY], BEST, 1.0),
    row::target("React application: size", [REACT, SIZE], BEST, 1.01),
    row::target("5,000 TypeScript modules, relative to bun", [WORKSPACE, WALL], BUN, 1.2),
    row::target("5,000 TypeScript modules, relative to esbuild", [WORKSPACE, WALL], ESBUILD, 0.5),
    row::target("5,000 TypeScript modules, relative to rolldown", [WORKSPACE, WALL], ROLLDOWN, 0.5),
    row::target("5,000 TypeScript modules: memory", [WORKSPACE, MEMORY], BEST, 1.0),
    row::target("5,000 TypeScript modules: size", [WORKSPACE, SIZE], BEST, 1.01),
    row::target("an empty file, relative to bun", [EMPTY, WALL], BUN, 1.0),
];

/// What projects import, and bundlers beside bun.
const PACKAGES: &[&str] =
    &["three@0.180.0", "react@19.2.0", "react-dom@19.2.0", "esbuild@0.28.2", "rolldown@1.3.3"];

/// Measures, prints, stores the results.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = BenchFlags { rounds: 5, rusk: None, store: true }.read(NAME, arguments)?;
    let rusk = match &flags.rusk {
        Some(program) => program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?,
        None => peers::rusk()?,
    };
    let top = files::target().join("bench-build");
    let programs = peers::install_into(&top, "{\"private\": true}", PACKAGES, "rolldown")?;
    let tools = [
        Bundler { name: "rusk", program: rusk },
        Bundler { name: "bun", program: peers::find().join("bun") },
        Bundler { name: "esbuild", program: programs.join("esbuild") },
        Bundler { name: "rolldown", program: programs.join("rolldown") },
    ];
    projects::write(&top)?;
    let load = load_average();
    let mut rows = Vec::new();
    for project in PROJECTS {
        for round in 0..=flags.rounds {
            for index in 0..tools.len() {
                let tool = &tools[(index + round) % tools.len()];
                measure(&top, project, tool, round, &mut rows)?;
            }
        }
    }
    add_best(&mut rows);
    row::print(&rows, TARGETS);
    if flags.store { store(&tools, &load, flags.rounds, &rows) } else { Ok(()) }
}

struct Bundler {
    name: &'static str,
    program: PathBuf,
}

impl Bundler {
    /// The command that bundles a project into a directory.
    fn command(&self, project: &BuildProject, out: &Path) -> Command {
        let mut command = Command::new(&self.program);
        let out = out.display();
        let is_minified = project.is_minified;
        match self.name {
            "esbuild" => {
                command.args([
                    project.entry,
                    "--bundle",
                    "--format=esm",
                    "--jsx=automatic",
                    "--log-level=error",
                ]);
                command.arg("--define:process.env.NODE_ENV=\"production\"").arg(format!("--outdir={out}"));
                command.args(is_minified.then_some("--minify"));
                command.args(is_minified.then_some("--sourcemap"));
            }
            "rolldown" => {
                command.args([project.entry, "--format", "esm", "--dir", &out.to_string()]);
                command.args(["--platform", "browser", "--logLevel", "silent"]);
                command.args(["--transform.define", "process.env.NODE_ENV:'production'"]);
                command.args(is_minified.then_some("--minify"));
                command.args(is_minified.then_some("--sourcemap"));
            }
            _ => {
                command.args(["build", project.entry, "--outdir", &out.to_string()]);
                command.args(["--define", "process.env.NODE_ENV=\"production\""]);
                command.args(is_minified.then_some("--minify"));
                command.args(is_minified.then_some("--sourcemap=linked"));
            }
        }
        command
    }
}

/// One build; the first round warms caches, and says whether the bundle works.
fn measure(
    top: &Path,
    project: &BuildProject,
    tool: &Bundler,
    round: usize,
    rows: &mut Vec<RuntimeRow>,
) -> Result<(), String> {
    let out = top.join("out").join(tool.name);
    files::empty(&out)?;
    let mut command = tool.command(project, &out);
    command.current_dir(top.join(project.directory)).env("NO_COLOR", "1");
    let ended = process::succeed(&mut command)?;
    let bundle = bundle(&out)?;
    if round == 0 {
        return match project.output {
            Some(output) => check(&bundle, &output(), tool.name),
            None => Ok(()),
        };
    }
    let mut add = |what, number| row::add_sample(rows, [project.case, what, tool.name], number);
    add(WALL, ended.cost.wall.as_secs_f64() * 1000.0);
    add(MEMORY, ended.cost.peak_bytes as f64 / 1_048_576.0);
    let bytes = bundle.metadata().map_err(|error| error.to_string())?.len();
    if project.is_minified {
        add(SIZE, bytes as f64 / 1024.0);
    }
    Ok(())
}

/// The only file of code in a directory.
fn bundle(out: &Path) -> Result<PathBuf, String> {
    let entries = std::fs::read_dir(out).map_err(|error| format!("{}: {error}", out.display()))?;
    let mut paths = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let is_code = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "js");
    paths.find(is_code).ok_or_else(|| format!("no bundle in {}", out.display()))
}

fn check(bundle: &Path, expected: &str, tool: &str) -> Result<(), String> {
    let module = bundle.with_extension("mjs");
    std::fs::copy(bundle, &module).map_err(|error| error.to_string())?;
    let ended = process::succeed(Command::new("node").arg(&module))?;
    match ended.output.trim() == expected {
        true => Ok(()),
        false => Err(format!("the bundle of {tool} prints `{}`, expected `{expected}`", ended.output.trim())),
    }
}

/// Rows of a tool that is the best of the others in each round.
fn add_best(rows: &mut Vec<RuntimeRow>) {
    let mut best: Vec<RuntimeRow> = Vec::new();
    for row in rows.iter().filter(|row| row.tool != "rusk" && row.what != WALL) {
        match best.iter_mut().find(|known| known.case == row.case && known.what == row.what) {
            Some(known) => {
                for (least, number) in known.samples.iter_mut().zip(&row.samples) {
                    *least = least.min(*number);
                }
            }
            None => best.push(RuntimeRow {
                case: row.case.clone(),
                what: row.what.clone(),
                tool: BEST.unwrap_or_default().to_owned(),
                samples: row.samples.clone(),
                failure: None,
                is_at_least: false,
            }),
        }
    }
    rows.extend(best);
}

fn store(tools: &[Bundler], load: &str, rounds: usize, rows: &[RuntimeRow]) -> Result<(), String> {
    let version = |tool: &Bundler| process::version(&tool.program).unwrap_or_else(|| "absent".to_owned());
    let versions = tools.iter().map(|tool| (tool.name.to_owned(), Json::text(version(tool)))).collect();
    row::store(NAME, versions, load, rounds, rows)
}
