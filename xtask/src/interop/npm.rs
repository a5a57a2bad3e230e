//! `cargo xtask interop npm`: projects with a package-lock.json, installed by npm and by rusk. In:
//! directories of projects, else the manifests of `fixtures/interop`, for which npm makes the
//! lockfile. Out: a line for each check, and `fixtures/interop/npm.json`. Needs the network.
//!
//! For each project: install, frozen install, `add`, `remove`, `update`; after each, npm accepts
//! the lockfile, changes nothing in it, and every edge of both trees finds the same version.

use super::edges::{self, Edges};
use crate::report::{self, Json};
use crate::{files, peers, process};
use rusk_npm::json::{self, Dialect, Node};
use std::path::{Path, PathBuf};
use std::process::Command;

const LOCKFILE: &str = "package-lock.json";
/// Depends on one package, which most projects have in another version.
const ADDED: &str = "is-odd";
/// Differences shown per check.
const SHOWN_MAX: usize = 10;

/// What a project needs to be installed without scripts.
const FILES: [&str; 4] = ["package.json", LOCKFILE, "npm-shrinkwrap.json", ".npmrc"];

/// What rusk does before npm looks.
const STEPS: [(&str, &[&str]); 5] = [
    ("install", &["install"]),
    ("ci", &["ci"]),
    ("add", &["add", ADDED]),
    ("remove", &["remove", ADDED]),
    ("update", &["update"]),
];

struct Programs {
    rusk: PathBuf,
    work: PathBuf,
}

struct StepResult {
    step: &'static str,
    problems: Vec<String>,
    edges: Edges,
}

/// Runs `[directory ...] [--rusk program]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let mut directories = Vec::new();
    let mut program = None;
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--rusk" => program = rest.next().map(PathBuf::from),
            directory => directories.push(PathBuf::from(directory)),
        }
    }
    let rusk = program.map_or_else(peers::rusk, Ok)?;
    let rusk = rusk.canonicalize().map_err(|error| format!("{}: {error}", rusk.display()))?;
    let programs = Programs { rusk, work: files::target().join("interop-npm") };
    let is_default = directories.is_empty();
    if is_default {
        let names = super::fixtures(&[])?;
        directories = names.iter().map(|name| files::root().join("fixtures/interop").join(name)).collect();
    }
    let mut results = Vec::new();
    for directory in &directories {
        let name = directory.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let steps = programs.check(directory, &name)?;
        show(&name, &steps);
        results.push((name, steps));
    }
    if is_default {
        files::write(&files::root().join("fixtures/interop/npm.json"), &rendered(&programs, &results))?;
    }
    let all = results.iter().flat_map(|(_, steps)| steps);
    match all.filter(|step| !step.problems.is_empty()).count() {
        0 => Ok(()),
        failed => Err(format!("{failed} checks found a difference")),
    }
}

impl Programs {
    fn check(&self, directory: &Path, name: &str) -> Result<Vec<StepResult>, String> {
        let (ours, theirs) = (self.work.join(name).join("rusk"), self.work.join(name).join("npm"));
        files::empty(&ours)?;
        copy(directory, &ours)?;
        // What this version of npm would change anyway is no difference of ours.
        self.npm(&ours, &["install", "--package-lock-only"])?;
        let members = members(&ours);
        let mut results = Vec::new();
        for (step, arguments) in STEPS {
            let mut result = StepResult { step, problems: Vec::new(), edges: Edges::default() };
            match self.step(arguments, &ours, &theirs, &members) {
                Ok((problems, edges)) => (result.problems, result.edges) = (problems, edges),
                Err(message) => result.problems.push(message),
            }
            results.push(result);
        }
        Ok(results)
    }

    fn step(
        &self,
        arguments: &[&str],
        ours: &Path,
        theirs: &Path,
        members: &[String],
    ) -> Result<(Vec<String>, Edges), String> {
        let mut problems = Vec::new();
        let before = lockfile(ours)?;
        let mut command = Command::new(&self.rusk);
        command.args(arguments).args(["--ignore-scripts", "--cache-dir"]).arg(self.work.join("cache"));
        process::succeed(command.current_dir(ours).env("CI", "1"))?;
        let written = lockfile(ours)?;
        if matches!(arguments, ["install" | "ci"]) && written != before {
            problems.push(format!("{LOCKFILE} was rewritten"));
        }
        files::empty(theirs)?;
        copy(ours, theirs)?;
        self.npm(theirs, &["install", "--package-lock-only"])?;
        let kept = lockfile(theirs)?;
        problems.extend(
            written
                .lines()
                .zip(kept.lines())
                .find(|(a, b)| a != b)
                .map(|(a, b)| format!("npm writes `{}` for `{}`", b.trim(), a.trim())),
        );
        files::write(&theirs.join(LOCKFILE), &written)?;
        self.npm(theirs, &["ci"])?;
        let edges = edges::compare(ours, theirs, members);
        problems.extend(edges.differences.iter().chain(&edges.peer_differences).cloned());
        Ok((problems, edges))
    }

    fn npm(&self, directory: &Path, arguments: &[&str]) -> Result<(), String> {
        let mut command = Command::new("npm");
        command.args(arguments).args(["--ignore-scripts", "--no-audit", "--no-fund"]).current_dir(directory);
        command.env("npm_config_omit_lockfile_registry_resolved", "false");
        process::succeed(&mut command).map(drop)
    }
}

fn lockfile(directory: &Path) -> Result<String, String> {
    files::find(&directory.join(LOCKFILE)).ok_or_else(|| format!("{}: no {LOCKFILE}", directory.display()))
}

/// Copies the files that an install reads, of every directory but node_modules.
fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let entries = std::fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))?;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let is_dir = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_dir && name != "node_modules" && name != ".git" {
            copy(&entry.path(), &to.join(&name))?;
        } else if FILES.iter().any(|file| name == *file) {
            let text = files::find(&entry.path()).unwrap_or_default();
            files::write(&to.join(&name), &text)?;
        }
    }
    Ok(())
}

/// The project and the directories that the lockfile links.
fn members(directory: &Path) -> Vec<String> {
    let text = files::find(&directory.join(LOCKFILE)).unwrap_or_default();
    let mut members = vec![String::new()];
    if let Ok(root) = json::parse(&text, Dialect::Strict) {
        let entries = root.find("packages").map_or(&[][..], Node::members);
        let links = entries.iter().filter(|member| member.node.find("link").is_some());
        let targets = links.filter_map(|member| member.node.find("resolved").and_then(Node::as_str));
        members.extend(targets.map(str::to_owned));
    }
    members
}

#[allow(clippy::print_stdout, reason = "the comparison is the output of the task")]
fn show(name: &str, steps: &[StepResult]) {
    for StepResult { step, problems, edges } in steps {
        let [ours, theirs] = edges.violated_peers;
        let verdict =
            if problems.is_empty() { "yes".to_owned() } else { format!("{} problems", problems.len()) };
        println!("{name}: {step}: {verdict}, {} edges, violated peers {ours}, npm {theirs}", edges.count);
        problems.iter().take(SHOWN_MAX).for_each(|problem| println!("    {problem}"));
    }
}

fn rendered(programs: &Programs, results: &[(String, Vec<StepResult>)]) -> String {
    let version = |program: &Path| Json::text(process::version(program).unwrap_or_default());
    let number = |count: usize| Json::number(count as f64);
    let step = |result: &StepResult| {
        let [ours, theirs] = result.edges.violated_peers;
        let members = [
            ("problems", number(result.problems.len())),
            ("edges", number(result.edges.count)),
            ("violated peers", number(ours)),
            ("violated peers, npm", number(theirs)),
        ];
        (result.step.to_owned(), Json::line(members))
    };
    let projects =
        results.iter().map(|(name, steps)| (name.clone(), Json::Object(steps.iter().map(step).collect())));
    let json = Json::object([
        ("date", Json::text(report::today())),
        ("machine", report::machine(&programs.work)),
        ("npm", version(Path::new("npm"))),
        ("rusk", version(&programs.rusk)),
        ("projects", Json::Object(projects.collect())),
    ]);
    json.render()
}
