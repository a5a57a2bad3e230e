//! `conformance programs`: runs real programs of the npm registry with node, rusk and bun. In: the
//! projects of `fixtures/real-programs`, installed by rusk into `target/programs`, with the install
//! scripts that they approve; names of projects, all without. Out: `conformance/programs.json`: the
//! first difference from node in output, exit code or written files. A program that was equal and
//! differs now is an error. Needs the network, PostgreSQL, openssl, curl, nghttp and h2load.

mod difference;
pub mod results;
mod runs;

use super::flags::ConformanceFlags;
use crate::{files, process};
use results::{ProgramResults, ProgramRow};
use runs::RUNS;
pub use runs::{LINT, ProgramRun, TYPES};
use rusk_testkit::bounded_process::{self, BoundedRun, Termination};
use rusk_testkit::snapshot::{self, Snapshot};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Directories of a package that are copied into the project, as its own source.
const SOURCES: &[(&str, &str, &str)] = &[("tsc", "zod/src", "zod"), ("eslint", "eslint/lib", "lib")];
/// The output directory of the programs.
const OUT: &str = "out";
const LIMIT: Duration = Duration::from_secs(300);

/// What a run printed and wrote.
struct Effects {
    ended: BoundedRun,
    files: Snapshot,
}

#[allow(clippy::print_stdout, reason = "the comparison is the output of the task")]
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = ConformanceFlags::read("programs", arguments)?;
    let node = flags.node.clone().unwrap_or_else(|| "node".into());
    let before = ProgramResults::read()?;
    let is_chosen =
        |run: &ProgramRun| flags.areas.is_empty() || flags.areas.iter().any(|area| area == run.project);
    let mut rows = Vec::new();
    for run in RUNS {
        if !is_chosen(run) {
            rows.extend(before.find(run.name).cloned());
            continue;
        }
        let project = project(run.project, &flags.rusk)?;
        let truth = traced(run, &project, &node)?;
        let against = |program: &PathBuf| {
            let found = traced(run, &project, program)?;
            Ok::<_, String>(difference::first(&truth, &found).map(|line| without_paths(&line, &project)))
        };
        let (rusk, bun) = (against(&flags.rusk)?, flags.bun.as_ref().map(against).transpose()?);
        println!("{:<28}{}", run.name, rusk.as_deref().unwrap_or("as node"));
        let version = version(&project, run.package).unwrap_or_default();
        rows.push(ProgramRow {
            name: run.name.to_owned(),
            package: run.package.to_owned(),
            version,
            rusk,
            bun,
        });
    }
    let regressions: Vec<&str> = rows
        .iter()
        .filter(|row| row.rusk.is_some() && before.is_same(&row.name))
        .map(|row| &*row.name)
        .collect();
    if !regressions.is_empty() && !flags.accept {
        return Err(format!(
            "as node before, and no longer (--accept takes that for granted): {}",
            regressions.join(", ")
        ));
    }
    let programs = [("rusk", Some(&flags.rusk)), ("node", Some(&node)), ("bun", flags.bun.as_ref())];
    results::write(&rows, programs)
}

/// The directory of a project, installed from its lockfile.
pub fn project(name: &str, rusk: &Path) -> Result<PathBuf, String> {
    let (fixture, directory) = (
        files::root().join("fixtures/real-programs").join(name),
        files::target().join("programs").join(name),
    );
    let lockfile = |directory: &Path| files::find(&directory.join("bun.lock")).unwrap_or_default();
    let is_installed = directory.join("node_modules").is_dir() && lockfile(&directory) == lockfile(&fixture);
    if !is_installed {
        files::empty(&directory)?;
    }
    files::copy(&fixture, &directory)?;
    if !is_installed {
        let mut install = Command::new(rusk);
        install.arg("ci").current_dir(&directory).env("PATH", path_with(rusk)?);
        process::succeed(&mut install)?;
        for (_, source, target) in SOURCES.iter().filter(|(project, ..)| *project == name) {
            files::copy(&directory.join("node_modules").join(source), &directory.join(target))?;
        }
    }
    Ok(directory)
}

fn traced(run: &ProgramRun, project: &Path, program: &Path) -> Result<Effects, String> {
    files::remove(&project.join(OUT))?;
    let streams = files::target().join("programs").join("streams");
    files::empty(&streams)?;
    let ended = bounded_process::run(&mut with_path(run, project, program)?, &streams, LIMIT)?;
    if ended.end == Termination::TimedOut {
        return Err(format!("{}: {} is not over within {} s", run.name, program.display(), LIMIT.as_secs()));
    }
    Ok(Effects { ended, files: snapshot::take(&project.join(OUT))? })
}

/// The command of a run, in the project.
pub fn command(run: &ProgramRun, project: &Path, program: &Path) -> Command {
    let mut command = Command::new(program);
    command.args(run.arguments).current_dir(project).env("NO_COLOR", "1").env_remove("NODE_OPTIONS");
    command.env("NPM_CONFIG_UPDATE_NOTIFIER", "false");
    command
}

/// The same, with the program as `node` on PATH for its children.
fn with_path(run: &ProgramRun, project: &Path, program: &Path) -> Result<Command, String> {
    let mut command = command(run, project, program);
    command.env("PATH", path_with(program)?);
    Ok(command)
}

/// PATH, behind a directory in which `node` is the program.
fn path_with(program: &Path) -> Result<OsString, String> {
    let directory = files::target().join("programs/path");
    files::empty(&directory)?;
    let fail = |error: std::io::Error| format!("{}: {error}", program.display());
    if program.is_absolute() {
        std::os::unix::fs::symlink(program, directory.join("node")).map_err(fail)?;
    }
    let mut path = directory.into_os_string();
    path.push(":");
    path.push(std::env::var_os("PATH").unwrap_or_default());
    Ok(path)
}

/// A difference without local paths.
fn without_paths(line: &str, project: &Path) -> String {
    line.replace(&*project.to_string_lossy(), ".").replace(&*files::root().to_string_lossy(), "RUSK")
}

fn version(project: &Path, package: &str) -> Option<String> {
    let text = files::find(&project.join("node_modules").join(package).join("package.json"))?;
    let root = crate::bench::results_file::parse("package.json", &text).ok()?;
    Some(crate::bench::results_file::text(&root, "version"))
}
