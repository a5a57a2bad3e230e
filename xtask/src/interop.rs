//! `cargo xtask interop`: installs the same manifests with bun and with rusk and compares the
//! trees, in both layouts. In: the directories of `fixtures/interop`. With `attacks`, attacks by
//! install scripts (`interop/attacks.rs`). With `ipc`, messages between their programs
//! (`interop/ipc.rs`). With `npm`, package-lock.json (`interop/npm.rs`); with `repositories`,
//! public repositories (`interop/repositories.rs`); with `verdaccio`, a registry
//! (`interop/verdaccio.rs`). Out: a line for each check, and `fixtures/interop/results.json`. Needs
//! the network.

mod attacks;
mod edges;
mod ipc;
mod npm;
pub mod repositories;
pub mod verdaccio;

use crate::report::{self, Json};
use crate::{files, peers, process};
use rusk_testkit::snapshot::{self, Snapshot};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Differences shown per check; the results count all of them.
const SHOWN_MAX: usize = 10;

const FROZEN: &[&str] = &["install", "--frozen-lockfile", "--ignore-scripts"];
const FRESH: &[&str] = &["install", "--ignore-scripts"];
const CLEAN: &[&str] = &["ci", "--ignore-scripts"];

const HOISTED: &str = "--linker=hoisted";
const ISOLATED: &str = "--linker=isolated";

struct Installers {
    bun: PathBuf,
    rusk: PathBuf,
    /// Contains projects, caches and homes.
    work: PathBuf,
}

/// One check of one manifest and the differences found; none is a pass.
struct Check {
    name: &'static str,
    differences: Vec<String>,
}

/// Runs `attacks`, `ipc`, `npm`, `repositories` or `verdaccio` with their arguments, or `[fixture
/// ...] [--rusk program]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    match arguments.split_first() {
        Some((first, rest)) if first == "attacks" => attacks::run(rest),
        Some((first, rest)) if first == "ipc" => ipc::run(rest),
        Some((first, rest)) if first == "npm" => npm::run(rest),
        Some((first, rest)) if first == "repositories" => repositories::run(rest),
        Some((first, rest)) if first == "verdaccio" => verdaccio::run(rest),
        _ => install(arguments),
    }
}

fn install(arguments: &[String]) -> Result<(), String> {
    let mut names = Vec::new();
    let mut program = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--rusk" => program = rest.next().map(PathBuf::from),
            name => names.push(name.to_owned()),
        }
    }
    // It runs in other directories.
    let rusk = match program {
        Some(program) => program.canonicalize().map_err(|error| format!("{}: {error}", program.display()))?,
        None => peers::rusk()?,
    };
    let tools =
        Installers { bun: peers::install()?.join("bun"), rusk, work: files::target().join("interop") };
    let everything = names.is_empty();
    let mut results = Vec::new();
    let mut failed = 0;
    for fixture in fixtures(&names)? {
        let checks = compare(&tools, &fixture);
        failed += checks.iter().filter(|check| !check.differences.is_empty()).count();
        show(&fixture, &checks);
        results.push((fixture, checks));
    }
    if everything {
        files::write(&files::root().join("fixtures/interop/results.json"), &rendered(&tools, &results))?;
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} checks found a difference")) }
}

fn fixtures(names: &[String]) -> Result<Vec<String>, String> {
    let directory = files::root().join("fixtures/interop");
    let entries =
        std::fs::read_dir(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let mut all: Vec<String> = entries
        .flatten()
        .filter(|entry| entry.path().join("package.json").is_file())
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .collect();
    all.sort();
    if let Some(unknown) = names.iter().find(|name| !all.contains(name)) {
        return Err(format!("expected one of {}, found `{unknown}`", all.join(", ")));
    }
    all.retain(|name| names.is_empty() || names.contains(name));
    Ok(all)
}

/// All checks of one manifest; a check that cannot run fails.
fn compare(tools: &Installers, fixture: &str) -> Vec<Check> {
    let attempt = |name, differences: Result<Vec<String>, String>| {
        let differences = differences.unwrap_or_else(|message| vec![message]);
        Check { name, differences }
    };
    let bun_lock = bun_fresh_install(tools, fixture);
    let (tree, isolated, lock) = match &bun_lock {
        Ok(lock) => (
            same_tree(tools, fixture, lock, HOISTED),
            same_tree(tools, fixture, lock, ISOLATED).map(without_cyclic_programs),
            same_lockfile(tools, fixture, lock),
        ),
        Err(message) => (Err(message.clone()), Err(message.clone()), Err(message.clone())),
    };
    vec![
        attempt("same lockfile, same node_modules", tree),
        attempt("same lockfile, same isolated node_modules", isolated),
        attempt("from nothing, same bun.lock", lock),
        attempt(
            "bun frozen accepts ours and changes nothing",
            accepted_by(tools, fixture, &tools.bun, FROZEN, HOISTED),
        ),
        attempt("rusk ci changes nothing", accepted_by(tools, fixture, &tools.rusk, CLEAN, HOISTED)),
        attempt("isolated, from nothing, rusk ci changes nothing", isolated_ci(tools, fixture)),
    ]
}

fn bun_fresh_install(tools: &Installers, fixture: &str) -> Result<String, String> {
    let directory = tools.project(fixture, "bun")?;
    tools.install(&tools.bun, &directory, FRESH, HOISTED)?;
    lockfile(&directory)
}

fn same_tree(tools: &Installers, fixture: &str, lock: &str, linker: &str) -> Result<Vec<String>, String> {
    let install = |program: &Path, name: &str| {
        let directory = tools.project(fixture, name)?;
        files::write(&directory.join("bun.lock"), lock)?;
        tools.install(program, &directory, FROZEN, linker)?;
        trees(&directory)
    };
    let (bun, rusk) = (install(&tools.bun, "bun-frozen")?, install(&tools.rusk, "rusk-frozen")?);
    Ok(snapshot::differences(("bun", &bun), ("rusk", &rusk)))
}

/// If packages depend on each other in a cycle, bun links the binaries of those that happen to be
/// installed by then.
fn without_cyclic_programs(mut differences: Vec<String>) -> Vec<String> {
    differences.retain(|line| {
        let is_program = line.contains("/.bun/") && line.contains("/node_modules/.bin");
        !(is_program && line.contains(": only in rusk: "))
    });
    differences
}

fn same_lockfile(tools: &Installers, fixture: &str, bun: &str) -> Result<Vec<String>, String> {
    let directory = tools.project(fixture, "rusk")?;
    tools.install(&tools.rusk, &directory, FRESH, HOISTED)?;
    let rusk = lockfile(&directory)?;
    let only = |text: &str, other: &str, whose: &str| -> Vec<String> {
        let other: std::collections::BTreeSet<&str> = other.lines().collect();
        text.lines()
            .filter(|line| !other.contains(line))
            .map(|line| format!("only {whose}: {}", line.trim()))
            .collect()
    };
    let mut lines = only(bun, &rusk, "bun");
    lines.extend(only(&rusk, bun, "rusk"));
    if lines.is_empty() && bun != rusk {
        lines.push("the same lines in another order".to_owned());
    }
    Ok(lines)
}

/// What an install from our lockfile changes after an isolated install from nothing.
fn isolated_ci(tools: &Installers, fixture: &str) -> Result<Vec<String>, String> {
    let directory = tools.project(fixture, "rusk")?;
    tools.install(&tools.rusk, &directory, FRESH, ISOLATED)?;
    accepted_by(tools, fixture, &tools.rusk, CLEAN, ISOLATED)
}

/// What another install changes after rusk's; the directory is that of [`same_lockfile`].
fn accepted_by(
    tools: &Installers,
    fixture: &str,
    program: &Path,
    arguments: &[&str],
    linker: &str,
) -> Result<Vec<String>, String> {
    let directory = tools.work.join(fixture).join("rusk");
    let (lock, tree) = (lockfile(&directory)?, trees(&directory)?);
    tools.install(program, &directory, arguments, linker)?;
    let mut differences = snapshot::differences(("before", &tree), ("after", &trees(&directory)?));
    if lockfile(&directory)? != lock {
        differences.insert(0, "bun.lock was rewritten".to_owned());
    }
    Ok(differences)
}

impl Installers {
    /// A fresh copy of the fixture.
    fn project(&self, fixture: &str, name: &str) -> Result<PathBuf, String> {
        let directory = self.work.join(fixture).join(name);
        files::empty(&directory)?;
        files::copy(&files::root().join("fixtures/interop").join(fixture), &directory)?;
        Ok(directory)
    }

    fn install(
        &self,
        program: &Path,
        directory: &Path,
        arguments: &[&str],
        linker: &str,
    ) -> Result<(), String> {
        let mut command = Command::new(program);
        command.args(arguments).arg(linker).current_dir(directory).env("CI", "1");
        let cache = self.work.join("cache");
        if program == self.bun {
            command.env("BUN_INSTALL_CACHE_DIR", cache.join("bun"));
        } else {
            command.arg("--cache-dir").arg(cache.join("rusk"));
        }
        process::succeed(&mut command).map(drop)
    }
}

fn lockfile(directory: &Path) -> Result<String, String> {
    files::find(&directory.join("bun.lock")).ok_or_else(|| format!("{}: no bun.lock", directory.display()))
}

/// Every node_modules of the project, those of its workspaces too.
fn trees(directory: &Path) -> Result<Snapshot, String> {
    let mut snapshot = snapshot::take(directory)?;
    snapshot.retain(|path, _| path.contains("node_modules/"));
    Ok(snapshot)
}

#[allow(clippy::print_stdout, reason = "the comparison is the output of the task")]
fn show(fixture: &str, checks: &[Check]) {
    for check in checks {
        let count = check.differences.len();
        println!(
            "{fixture}: {}: {}",
            check.name,
            if count == 0 { "yes".to_owned() } else { format!("{count} differences") }
        );
        for line in check.differences.iter().take(SHOWN_MAX) {
            println!("    {line}");
        }
    }
}

fn rendered(tools: &Installers, results: &[(String, Vec<Check>)]) -> String {
    let version = |program: &Path| Json::text(process::version(program).unwrap_or_default());
    let fixtures = results.iter().map(|(fixture, checks)| {
        let checks =
            checks.iter().map(|check| (check.name.to_owned(), Json::number(check.differences.len() as f64)));
        (fixture.clone(), Json::Object(checks.collect()))
    });
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(&tools.work)),
        ("bun", version(&tools.bun)),
        ("rusk", version(&tools.rusk)),
        ("differences", Json::Object(fixtures.collect())),
    ]);
    json.render()
}
