//! One sweep: a command in one layout, killed before each of its calls that change files. In: the
//! layout, the command. Out: the number of calls and points, and what was lost.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Mutex;

use rusk_base::sys::stopped_child::SpawnOptions;
use rusk_observe::kill_point::{self, KillOutcome};
use rusk_testkit::project::Project;
use rusk_testkit::registry::Server;

use super::project_state::ProjectState;

/// Held by each test: a tracer waits for all children of the process.
pub static ALONE: Mutex<()> = Mutex::new(());

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_rusk");

/// Programs, a scope, peers, two versions of one package.
const MANIFEST: &str = r#"{
  "name": "app",
  "dependencies": { "left": "1.0.0", "scope-box": "npm:@scope/box@1", "tool": "1", "ui": "2" }
}
"#;

const PNPM_SETTINGS: &str = "packages: []\n";

/// What pnpm records in node_modules, and a package of its tree.
const PNPM_RECORDS: [(&str, &str); 5] = [
    (".modules.yaml", "{}"),
    (".pnpm-workspace-state-v1.json", "{}"),
    (".pnpm/lock.yaml", "lockfileVersion: '9.0'\n"),
    (".pnpm/stray@1.0.0/node_modules/stray/index.js", "not in the lockfile\n"),
    (".pnpm/stray@1.0.0/node_modules/stray/package.json", r#"{ "name": "stray", "version": "1.0.0" }"#),
];

/// What is killed.
#[derive(Clone, Copy)]
pub enum CommandCase {
    /// Nothing is there.
    Install,
    /// To an installed project, which also changes a version.
    Add,
    /// Over an installed project.
    Ci,
    /// Over an installed project that has become one of pnpm.
    StoreMoved,
    /// Over node_modules that pnpm made.
    PnpmReplaced,
    /// Removes what pnpm recorded in node_modules, and a package that is not in the lockfile.
    PnpmPruned,
}

impl CommandCase {
    pub const ALL: [CommandCase; 6] = [
        CommandCase::Install,
        CommandCase::Add,
        CommandCase::Ci,
        CommandCase::StoreMoved,
        CommandCase::PnpmReplaced,
        CommandCase::PnpmPruned,
    ];

    pub fn name(self) -> &'static str {
        match self {
            CommandCase::Install => "install",
            CommandCase::Add => "add",
            CommandCase::Ci => "ci",
            CommandCase::StoreMoved => "install in .pnpm",
            CommandCase::PnpmReplaced => "install over pnpm's",
            CommandCase::PnpmPruned => "prune of pnpm's lists",
        }
    }

    /// Whether it changes something in a layout: a hoisted tree has no virtual store.
    pub fn is_for(self, layout: &str) -> bool {
        !(matches!(self, CommandCase::StoreMoved) && layout == "hoisted")
    }

    fn arguments(self) -> &'static [&'static str] {
        match self {
            CommandCase::Install | CommandCase::StoreMoved | CommandCase::PnpmReplaced => &["install"],
            CommandCase::PnpmPruned => &["prune"],
            CommandCase::Add => &["add", "right", "left@1.3.0"],
            CommandCase::Ci => &["ci"],
        }
    }
}

pub struct Sweep {
    layout: &'static str,
    case: CommandCase,
    server: Server,
}

#[derive(Default)]
pub struct SweepResult {
    /// Calls that change files in a run that is not killed.
    pub calls: u64,
    pub points: u64,
    pub losses: Vec<String>,
}

impl Sweep {
    pub fn new(layout: &'static str, case: CommandCase) -> Sweep {
        Sweep { layout, case, server: registry() }
    }

    /// Tries one call in `step`, and the first and the last ones.
    pub fn run(&self, step: u64) -> SweepResult {
        let project = self.prepared();
        let before = ProjectState::read(&project);
        let whole = self.killed(&project, u64::MAX);
        assert_eq!(whole.code, Some(0), "{} {}", self.layout, self.case.name());
        let after = ProjectState::read(&project);
        let mut result = SweepResult { calls: whole.calls, ..SweepResult::default() };
        for at in (1..=whole.calls).step_by(usize::try_from(step).expect("a small step")) {
            let project = self.prepared();
            let outcome = self.killed(&project, at);
            let Some(call) = outcome.killed_before else { continue };
            result.points += 1;
            if let Err(loss) = self.check(&project, &before, &after) {
                let (layout, case) = (self.layout, self.case.name());
                result.losses.push(format!("{layout} {case}, killed before call {at}, {call}: {loss}"));
            }
        }
        result
    }

    /// A project in which the command is about to run.
    fn prepared(&self) -> Project {
        let project = Project::in_memory();
        project.write("package.json", MANIFEST);
        project.write(".npmrc", format!("registry={}\nfetch-retries=0\n", self.server.url()));
        project.write("bunfig.toml", self.settings());
        let has_pnpm_tree = matches!(self.case, CommandCase::PnpmReplaced | CommandCase::PnpmPruned);
        if has_pnpm_tree {
            project.write("pnpm-workspace.yaml", PNPM_SETTINGS);
        }
        if !matches!(self.case, CommandCase::Install) {
            let output = rusk(&project, &["install"]);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        }
        if matches!(self.case, CommandCase::StoreMoved) {
            project.write("pnpm-workspace.yaml", PNPM_SETTINGS);
        }
        if has_pnpm_tree {
            for (path, text) in PNPM_RECORDS {
                project.write(&format!("node_modules/{path}"), text);
            }
        }
        if matches!(self.case, CommandCase::PnpmReplaced) {
            fs::remove_dir_all(project.path().join("node_modules/.rusk")).expect("our record is there");
        }
        project
    }

    fn settings(&self) -> String {
        match self.layout {
            "global" => "[install]\nlinker = \"isolated\"\nglobalStore = true\n".to_owned(),
            layout => format!("[install]\nlinker = \"{layout}\"\n"),
        }
    }

    fn check(&self, project: &Project, before: &ProjectState, after: &ProjectState) -> Result<(), String> {
        let found = ProjectState::read(project);
        found.loss(before, after).map_or(Ok(()), Err)?;
        let is_new = found.manifest == after.manifest;
        let expected = if is_new { after } else { before };
        let output = rusk(project, &["install"]);
        if !output.status.success() {
            return Err(format!("the next install fails: {}", String::from_utf8_lossy(&output.stderr)));
        }
        let next = ProjectState::read(project);
        // Before the first install there was nothing, and now it is done.
        let expected = if matches!(self.case, CommandCase::Install) { after } else { expected };
        if next != *expected {
            return Err(format!("the next install makes another project: {:?}", difference(&next, expected)));
        }
        if project.path().join(".rusk-staging").exists() {
            return Err("the staging directory stays".to_owned());
        }
        whole(project, &[])
    }

    fn killed(&self, project: &Project, at: u64) -> KillOutcome {
        let mut arguments = vec![OsString::from("rusk")];
        arguments.extend(self.case.arguments().iter().map(OsString::from));
        arguments.push("--silent".into());
        let environment: Vec<(OsString, OsString)> = environment(project)
            .into_iter()
            .map(|(name, value)| (name.into(), value.into_os_string()))
            .collect();
        let options = SpawnOptions {
            file: Path::new(PROGRAM),
            arguments: &arguments,
            environment: &environment,
            directory: &project.path(),
            pre_exec: None,
            probe_calls: 0,
        };
        kill_point::run(options, at).expect("the program can be traced")
    }
}

/// The packages of `fixtures/registry`.
pub fn registry() -> Server {
    Server::of_directory(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/registry"))
}

/// Runs the program in a project.
pub fn rusk(project: &Project, arguments: &[&str]) -> Output {
    let mut command = Command::new(PROGRAM);
    command.args(arguments).current_dir(project.path()).env_clear();
    command.envs(environment(project)).stdin(Stdio::null());
    command.output().expect("the program starts")
}

/// Whether the next install succeeds, makes these files, and the store verifies.
pub fn whole(project: &Project, files: &[&str]) -> Result<(), String> {
    let output = rusk(project, &["install"]);
    if !output.status.success() {
        return Err(format!("the next install fails: {}", String::from_utf8_lossy(&output.stderr)));
    }
    if let Some(missing) = files.iter().find(|file| !project.path().join("node_modules").join(file).exists())
    {
        return Err(format!("the next install does not make {missing}"));
    }
    let output = rusk(project, &["cache", "verify"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.success() && !text.contains("removed") {
        true => Ok(()),
        false => Err(format!("the store is damaged: {text}")),
    }
}

/// Without PATH: no other program is started.
pub fn environment(project: &Project) -> Vec<(&'static str, PathBuf)> {
    vec![("HOME", project.home())]
}

/// The first difference.
fn difference(found: &ProjectState, expected: &ProjectState) -> String {
    if found.manifest != expected.manifest {
        return format!("package.json: {:?}", found.manifest);
    }
    if found.lockfile != expected.lockfile {
        return format!("bun.lock: {:?}", found.lockfile);
    }
    let differs = |path: &&String| found.modules.get(*path) != expected.modules.get(*path);
    let paths = found.modules.keys().chain(expected.modules.keys());
    paths.into_iter().find(differs).cloned().unwrap_or_default()
}
