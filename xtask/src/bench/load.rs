//! `bench load`: installs under load: 32 at once that share a store, a packument of 100,000
//! versions, 20,000 packages, a registry that answers after a minute. In: generated packages on
//! loopback. Out: a table, `bench/results/load.json`. An install that fails is an error.
//!
//! The registry is a process of its own: the kernel counts the memory of a program's parent, up to
//! the start of the program, as the program's peak, and the largest registry takes a gigabyte.

use super::flags::BenchFlags;
use super::results_file;
use super::spawn::results::load_average;
use crate::process::{CompletedProcess, ResourceUsage};
use crate::report::{self, Json};
use crate::{files, peers, process};
use rusk_npm::json::Node;
use rusk_testkit::load_registry::{self, LoadCase, RegistryProcess};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const INSTALLS: usize = 32;

/// One measured install, or several at once.
struct LoadRow {
    name: &'static str,
    cost: ResourceUsage,
}

/// Measures, prints, stores.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = BenchFlags { rounds: 1, rusk: None, store: true }.read("load", arguments)?;
    let rusk = flags.rusk.clone().map_or_else(peers::rusk, Ok)?;
    let directory = files::target().join("bench-load");
    let load = load_average();
    let mut rows = Vec::new();
    for case in [installs_at_once, many_versions, many_packages, slow_registry] {
        files::empty(&directory)?;
        case(&rusk, &directory, &mut rows)?;
    }
    let lines = rows.iter().map(|LoadRow { name, cost }| {
        let (wall, cpu) = (cost.wall.as_secs_f64(), cost.cpu().as_secs_f64());
        format!("{name:<44} {wall:>8.2} s {cpu:>8.2} s {:>8} MB", cost.peak_bytes >> 20)
    });
    print(&lines.collect::<Vec<_>>().join("\n"));
    if flags.store { store(&rusk, &directory, &load, &rows) } else { Ok(()) }
}

#[allow(clippy::print_stdout, reason = "the table is the output")]
fn print(table: &str) {
    println!("{table}");
}

/// All start with an empty cache; the store verifies afterwards.
fn installs_at_once(rusk: &Path, directory: &Path, rows: &mut Vec<LoadRow>) -> Result<(), String> {
    let server = RegistryProcess::start(LoadCase::Shared)?;
    let projects: Vec<PathBuf> = (0..INSTALLS).map(|at| directory.join(format!("project-{at}"))).collect();
    for project in &projects {
        prepare(project, &server, load_registry::PACKAGES_SHARED)?;
    }
    for name in ["32 installs at once, no cache", "32 installs at once, from the cache"] {
        for project in &projects {
            files::remove(&project.join("node_modules"))?;
        }
        let start = Instant::now();
        let ended: Vec<Result<CompletedProcess, String>> = std::thread::scope(|scope| {
            let threads: Vec<_> = projects
                .iter()
                .map(|project| scope.spawn(move || process::succeed(&mut command(rusk, directory, project))))
                .collect();
            threads.into_iter().map(|thread| thread.join().expect("an install does not panic")).collect()
        });
        let mut cost = ResourceUsage { wall: start.elapsed(), ..ResourceUsage::default() };
        for ended in ended {
            let each = ended?.cost;
            (cost.user, cost.system) = (cost.user + each.user, cost.system + each.system);
            cost.peak_bytes = cost.peak_bytes.max(each.peak_bytes);
        }
        rows.push(LoadRow { name, cost });
    }
    let mut verify = base(rusk, directory, &projects[0]);
    let verified = process::succeed(verify.args(["cache", "verify"]))?.output;
    match verified.contains("removed") {
        true => Err(format!("the store is damaged: {verified}")),
        false => Ok(()),
    }
}

fn many_versions(rusk: &Path, directory: &Path, rows: &mut Vec<LoadRow>) -> Result<(), String> {
    let server = RegistryProcess::start(LoadCase::Versions)?;
    let project = directory.join("versions");
    prepare(&project, &server, 1)?;
    measure("100,000 versions, no cache", rusk, directory, &project, rows)?;
    files::remove(&project.join("node_modules"))?;
    files::remove_file(&project.join("bun.lock"))?;
    measure("100,000 versions, cached, no lockfile", rusk, directory, &project, rows)
}

fn many_packages(rusk: &Path, directory: &Path, rows: &mut Vec<LoadRow>) -> Result<(), String> {
    let server = RegistryProcess::start(LoadCase::Packages)?;
    let project = directory.join("packages");
    prepare(&project, &server, load_registry::PACKAGES)?;
    measure("20,000 packages, no cache", rusk, directory, &project, rows)?;
    files::remove(&project.join("node_modules"))?;
    measure("20,000 packages, from the cache", rusk, directory, &project, rows)?;
    measure("20,000 packages, nothing to do", rusk, directory, &project, rows)
}

fn slow_registry(rusk: &Path, directory: &Path, rows: &mut Vec<LoadRow>) -> Result<(), String> {
    let server = RegistryProcess::start(LoadCase::Slow)?;
    let project = directory.join("slow");
    prepare(&project, &server, 1)?;
    measure("a packument that takes a minute", rusk, directory, &project, rows)
}

/// A project that depends on `package-0` and those after it.
fn prepare(project: &Path, server: &RegistryProcess, packages: usize) -> Result<(), String> {
    let names: Vec<String> = (0..packages).map(|at| format!("\"package-{at}\": \"1\"")).collect();
    let manifest = format!("{{ \"name\": \"app\", \"dependencies\": {{ {} }} }}", names.join(", "));
    files::write(&project.join("package.json"), &manifest)?;
    files::write(&project.join(".npmrc"), &format!("registry={}\n", server.url()))
}

fn measure(
    name: &'static str,
    rusk: &Path,
    directory: &Path,
    project: &Path,
    rows: &mut Vec<LoadRow>,
) -> Result<(), String> {
    let cost = process::succeed(&mut command(rusk, directory, project))?.cost;
    rows.push(LoadRow { name, cost });
    Ok(())
}

fn command(rusk: &Path, directory: &Path, project: &Path) -> Command {
    let mut command = base(rusk, directory, project);
    command.args(["install", "--silent"]);
    command
}

/// The program with a home and a cache of this benchmark.
fn base(rusk: &Path, directory: &Path, project: &Path) -> Command {
    let mut command = Command::new(rusk);
    command.current_dir(project).env("HOME", directory.join("home")).env_remove("XDG_CACHE_HOME");
    command
}

/// The table of `docs/performance/installs.md`.
pub fn tables() -> Result<String, String> {
    let Some(text) = results_file::find("load.json") else { return Ok("\nNot measured.\n\n".to_owned()) };
    let root = results_file::parse("load.json", &text)?;
    let load = results_file::text(&root, "load_before");
    let (date, machine) = (results_file::text(&root, "date"), results_file::machine_line(&root));
    let mut out = format!("\n{date}: {machine}; load before: {load}\n\n");
    out += &results_file::table_head(&["wall, s", "processor, s", "peak memory, MB"].map(str::to_owned));
    for row in root.find("rows").map(Node::elements).unwrap_or_default() {
        let cells = ["wall_s", "cpu_s", "peak_mb"].into_iter().map(|key| results_file::text(row, key));
        out += &results_file::table_line(&results_file::text(row, "case"), cells);
    }
    Ok(out + "\n")
}

fn store(rusk: &Path, directory: &Path, load: &str, rows: &[LoadRow]) -> Result<(), String> {
    let version = process::version(rusk).unwrap_or_else(|| "absent".to_owned());
    let row = |row: &LoadRow| {
        Json::object([
            ("case", Json::text(row.name)),
            ("wall_s", Json::number(row.cost.wall.as_secs_f64())),
            ("cpu_s", Json::number(row.cost.cpu().as_secs_f64())),
            ("peak_mb", Json::number((row.cost.peak_bytes >> 20) as f64)),
        ])
    };
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(directory)),
        ("versions", Json::Object(vec![("rusk".to_owned(), Json::text(version))])),
        ("load_before", Json::text(load)),
        ("rows", Json::List(rows.iter().map(row).collect())),
    ]);
    files::write(&files::root().join("bench/results/load.json"), &json.render())
}
