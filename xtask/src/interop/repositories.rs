//! `cargo xtask interop repositories`: public repositories with their own lockfiles, installed and
//! changed by rusk, and checked by the program that wrote the lockfile. In: `repositories.json`, a
//! list of commits. Out: a line for each step, and `conformance/repositories`. Needs the network.
//!
//! For each repository: install, frozen install, `add`, `remove`, `update`. After each, the tool's
//! frozen install accepts the lockfile and leaves it as it is, and every dependency of every
//! package finds the same version in both trees.

pub mod checkout;
pub mod list;
pub mod results;
pub mod tool;

use super::edges::{self, Edges};
use crate::{files, peers, process};
use checkout::Mirrors;
use list::Repository;
use results::{RepositoryResult, StepResult};
use rusk_install::project::Project;
use rusk_testkit::snapshot::{self, Snapshot};
use std::path::{Path, PathBuf};
use std::process::Command;
use tool::Tool;

/// Depends on one package, which most projects have in another version.
const ADDED: &str = "is-odd";
/// Differences shown per step.
const SHOWN_MAX: usize = 10;
const MANIFEST: &str = "package.json";

/// What rusk does before the tool checks.
const STEPS: [(&str, &[&str]); 5] = [
    ("install", &["install"]),
    ("ci", &["ci"]),
    ("add", &["add", ADDED]),
    ("remove", &["remove", ADDED]),
    ("update", &["update"]),
];

struct Flags {
    only: Vec<String>,
    rusk: PathBuf,
    mirrors: Mirrors,
}

/// One repository in two directories: ours and the tool's.
struct Pair<'a> {
    rusk: &'a Path,
    tool: &'a Tool,
    work: &'a Path,
    ours: PathBuf,
    theirs: PathBuf,
    lockfile: String,
    members: Vec<String>,
}

/// Runs `[--only name ...] [--mirrors directory] [--rusk program]`.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let flags = Flags::read(arguments)?;
    let work = files::target().join("interop-repositories");
    let mut failed = 0;
    for repository in list::read(&flags.only)? {
        let result = check(&flags, &repository, &work).unwrap_or_else(|message| RepositoryResult {
            name: repository.name.clone(),
            tool: repository.tool.clone(),
            packages: 0,
            steps: vec![StepResult {
                step: "start".to_owned(),
                problems: vec![message],
                edges: Edges::default(),
            }],
        });
        show(&result);
        failed += usize::from(result.problems() > 0);
        result.store(&flags.rusk, &work)?;
        // Two trees of a thousand packages are large; the caches stay.
        files::remove(&work.join(&repository.name))?;
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} repositories have differences")) }
}

impl Flags {
    fn read(arguments: &[String]) -> Result<Flags, String> {
        let (mut only, mut mirrors, mut program) = (Vec::new(), None, None);
        let mut rest = arguments.iter();
        while let Some(argument) = rest.next() {
            let mut value = || rest.next().ok_or_else(|| format!("expected a value after `{argument}`"));
            // Programs and mirrors are used from other directories.
            let path =
                |text: &String| Path::new(text).canonicalize().map_err(|error| format!("{text}: {error}"));
            match argument.as_str() {
                "--only" => only.push(value()?.clone()),
                "--mirrors" => mirrors = Some(path(value()?)?),
                "--rusk" => program = Some(path(value()?)?),
                other => return Err(format!("expected a flag of `interop repositories`, found `{other}`")),
            }
        }
        Ok(Flags { only, rusk: program.map_or_else(peers::rusk, Ok)?, mirrors: Mirrors(mirrors) })
    }
}

fn check(flags: &Flags, repository: &Repository, work: &Path) -> Result<RepositoryResult, String> {
    let tool = Tool::install(&repository.tool, work)?;
    let commit = flags.mirrors.find(repository, work)?;
    let (ours, theirs) = (work.join(&repository.name).join("rusk"), work.join(&repository.name).join("tool"));
    commit.checkout(&ours)?;
    commit.checkout(&theirs)?;
    let project = Project::read(&ours).map_err(|problem| problem.to_string())?;
    let loaded = project.lockfile.as_ref().ok_or("the repository has no lockfile")?;
    let pair = Pair {
        rusk: &flags.rusk,
        tool: &tool,
        work,
        ours,
        theirs,
        lockfile: project.format.file_name().to_owned(),
        members: project.members.all().map(|member| member.path.clone()).collect(),
    };
    Ok(RepositoryResult {
        name: repository.name.clone(),
        tool: repository.tool.clone(),
        packages: loaded.lockfile.graph.len().saturating_sub(pair.members.len()),
        steps: pair.steps(),
    })
}

impl Pair<'_> {
    fn steps(&self) -> Vec<StepResult> {
        let mut before_add = Default::default();
        let mut results = Vec::new();
        for (step, arguments) in STEPS {
            if step == "add" {
                before_add = self.inputs(&self.ours);
            }
            let mut result =
                StepResult { step: step.to_owned(), problems: Vec::new(), edges: Edges::default() };
            match self.step(arguments) {
                Ok((problems, edges)) => (result.problems, result.edges) = (problems, edges),
                Err(message) => result.problems.push(message),
            }
            if step == "remove" {
                let now = self.inputs(&self.ours);
                result.problems.extend(self.unrestored(&before_add, &now));
            }
            results.push(result);
        }
        results
    }

    /// What `remove` does not bring back.
    fn unrestored(&self, before: &[String; 2], after: &[String; 2]) -> Vec<String> {
        let mut expected = before.clone();
        if before[1] != after[1] {
            expected[1] = self.refreshed(&before[1]).unwrap_or_default();
        }
        let is_either = |at: usize| before[at] == after[at] || expected[at] == after[at];
        let names = [MANIFEST, self.lockfile.as_str()];
        let differing = (0..2).filter(|at| !is_either(*at));
        let lines = differing.filter_map(|at| Some((names[at], first_difference(&before[at], &after[at])?)));
        lines.map(|(name, line)| format!("{name} is not as before `add`: {line}")).collect()
    }

    /// Runs rusk, then the tool on what rusk wrote.
    fn step(&self, arguments: &[&str]) -> Result<(Vec<String>, Edges), String> {
        let mut problems = Vec::new();
        let changes_nothing = matches!(arguments, ["install" | "ci"]);
        let is_clean = matches!(arguments, ["ci"]);
        let before = self.inputs(&self.ours);
        let tree = if is_clean { Some(self.tree()?) } else { None };
        let mut command = Command::new(self.rusk);
        command.args(arguments).args(["--ignore-scripts", "--cache-dir"]).arg(self.work.join("cache/rusk"));
        // Optional packages may be for one version of node only.
        command.current_dir(&self.ours).env("CI", "1").env("PATH", self.tool.path()?);
        process::succeed(&mut command)?;
        let written = self.inputs(&self.ours);
        if changes_nothing && written[1] != before[1] && written[1] != self.refreshed(&before[1])? {
            let first = first_difference(&before[1], &written[1]);
            problems.extend(first.map(|line| format!("{} was rewritten: {line}", self.lockfile)));
        }
        if let Some(tree) = tree {
            problems.extend(snapshot::differences(("before", &tree), ("after", &self.tree()?)));
        }
        for (name, text) in [MANIFEST, self.lockfile.as_str()].into_iter().zip(&written) {
            files::write(&self.theirs.join(name), text)?;
        }
        for member in &self.members {
            files::remove(&self.theirs.join(member).join("node_modules"))?;
        }
        self.tool.frozen_install(&self.theirs)?;
        let theirs = self.tool.without_added(&written[1], &self.inputs(&self.theirs)[1]);
        let first = first_difference(&written[1], &theirs);
        problems.extend(first.map(|line| format!("the tool rewrites {}: {line}", self.lockfile)));
        let edges = edges::compare(&self.ours, &self.theirs, &self.members);
        problems.extend(edges.differences.iter().cloned());
        if self.tool.locks_peers() {
            problems.extend(edges.peer_differences.iter().cloned());
        }
        Ok((problems, edges))
    }

    /// The lockfile after an install of the tool that may change it: some repositories do not
    /// commit every change. What the tool changes, rusk may change, too.
    fn refreshed(&self, lockfile: &str) -> Result<String, String> {
        files::write(&self.theirs.join(&self.lockfile), lockfile)?;
        self.tool.update_lockfile(&self.theirs)?;
        let [_, refreshed] = self.inputs(&self.theirs);
        Ok(refreshed)
    }

    /// package.json and the lockfile.
    fn inputs(&self, directory: &Path) -> [String; 2] {
        [MANIFEST, &self.lockfile].map(|name| files::find(&directory.join(name)).unwrap_or_default())
    }

    /// Every node_modules of the project.
    fn tree(&self) -> Result<Snapshot, String> {
        let mut snapshot = snapshot::take(&self.ours)?;
        snapshot.retain(|path, _| path.contains("node_modules/"));
        Ok(snapshot)
    }
}

/// The first line that differs, as it was and as it is.
fn first_difference(before: &str, after: &str) -> Option<String> {
    let (mut old, mut new) = (before.lines(), after.lines());
    loop {
        match (old.next(), new.next()) {
            (None, None) => return (before != after).then(|| "other line ends".to_owned()),
            (a, b) if a == b => {}
            (a, b) => {
                let [a, b] = [a, b].map(|line| line.unwrap_or("nothing").trim());
                return Some(format!("`{b}` for `{a}`"));
            }
        }
    }
}

#[allow(clippy::print_stdout, reason = "the comparison is the output of the task")]
fn show(result: &RepositoryResult) {
    let (name, tool) = (&result.name, &result.tool);
    for StepResult { step, problems, edges } in &result.steps {
        let [ours, theirs] = edges.violated_peers;
        let verdict =
            if problems.is_empty() { "yes".to_owned() } else { format!("{} problems", problems.len()) };
        println!(
            "{name}: {step}: {verdict}, {} edges, {} other peers, violated peers {ours}, {tool} {theirs}",
            edges.count,
            edges.peer_differences.len()
        );
        problems.iter().take(SHOWN_MAX).for_each(|problem| println!("    {problem}"));
    }
}

#[cfg(test)]
mod tests;
