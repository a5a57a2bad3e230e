//! `conformance programs`: runs real programs of the npm registry with node, rusk and bun. In: the
//! projects of `fixtures/real-programs`, installed by rusk into `target/programs`. Out:
//! `conformance/programs.json`: the first difference from node in output, exit code or written
//! files. A program that was equal before and differs now is an error. Needs the network.

mod difference;
pub mod results;

use super::flags::ConformanceFlags;
use crate::bounded_process::{self, BoundedRun, Termination};
use crate::snapshot::{self, Snapshot};
use crate::{files, process};
use results::{ProgramResults, ProgramRow};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// A program of a project.
pub struct ProgramRun {
    pub name: &'static str,
    /// Of `fixtures/real-programs`.
    pub project: &'static str,
    /// The package whose version is reported.
    package: &'static str,
    /// The file that is run, and its arguments.
    pub arguments: &'static [&'static str],
}

/// Directories of a package that are copied into the project, as its own source.
const SOURCES: &[(&str, &str, &str)] = &[("tsc", "zod/src", "zod"), ("eslint", "eslint/lib", "lib")];
/// The output directory of the programs.
const OUT: &str = "out";
const LIMIT: Duration = Duration::from_secs(300);

const TSC: &str = "node_modules/typescript/bin/tsc";
const ESLINT: &str = "node_modules/eslint/bin/eslint.js";

const fn run_of(
    name: &'static str,
    project: &'static str,
    package: &'static str,
    arguments: &'static [&'static str],
) -> ProgramRun {
    ProgramRun { name, project, package, arguments }
}

/// Type checks the source of a library.
pub const TYPES: ProgramRun = run_of(
    "tsc --noEmit, a library",
    "tsc",
    "typescript",
    &[TSC, "--pretty", "false", "-p", "tsconfig.zod.json"],
);
/// Lints the source of a linter.
pub const LINT: ProgramRun = run_of("eslint, a program", "eslint", "eslint", &[ESLINT, "lib"]);

const RUNS: &[ProgramRun] = &[
    run_of("tsc --noEmit, with errors", "tsc", "typescript", &[TSC, "--noEmit", "--pretty", "false"]),
    TYPES,
    run_of("eslint, with errors", "eslint", "eslint", &[ESLINT, "src"]),
    LINT,
    run_of(
        "prettier --check",
        "prettier",
        "prettier",
        &["node_modules/prettier/bin/prettier.cjs", "--check", "."],
    ),
    run_of("webpack", "webpack", "webpack", &["build.cjs"]),
    run_of(
        "rollup",
        "rollup",
        "@rollup/wasm-node",
        &["node_modules/@rollup/wasm-node/dist/bin/rollup", "-c", "--silent"],
    ),
    run_of("mocha", "mocha", "mocha", &["node_modules/mocha/bin/mocha.js", "--reporter", "tap", "test/*"]),
    run_of(
        "terser",
        "terser",
        "terser",
        &["node_modules/terser/bin/terser", "input.js", "--module", "-c", "-m"],
    ),
    run_of("svgo", "svgo", "svgo", &["node_modules/svgo/bin/svgo.js", "-i", "in.svg", "-o", "-"]),
    run_of("sass", "sass", "sass", &["node_modules/sass/sass.js", "--no-source-map", "in.scss"]),
    run_of(
        "markdown-it",
        "markdown-it",
        "markdown-it",
        &["node_modules/markdown-it/bin/markdown-it.mjs", "page.md"],
    ),
    run_of("npm ls", "npm", "npm", &["node_modules/npm/bin/npm-cli.js", "ls", "--all"]),
    run_of("React to a string", "react", "react-dom", &["render.cjs"]),
];

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
    let mut rows = Vec::new();
    for run in RUNS {
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
        install.args(["ci", "--ignore-scripts"]).current_dir(&directory);
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
    let ended = bounded_process::run(&mut command(run, project, program), &streams, LIMIT)?;
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

/// A difference without local paths.
fn without_paths(line: &str, project: &Path) -> String {
    line.replace(&*project.to_string_lossy(), ".").replace(&*files::root().to_string_lossy(), "RUSK")
}

fn version(project: &Path, package: &str) -> Option<String> {
    let text = files::find(&project.join("node_modules").join(package).join("package.json"))?;
    let root = crate::bench::results_file::parse("package.json", &text).ok()?;
    Some(crate::bench::results_file::text(&root, "version"))
}
