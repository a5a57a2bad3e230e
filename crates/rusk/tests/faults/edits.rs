//! Commands that edit a project without an install: a `migrate` that is killed before each of its
//! calls that change files, and edits of package.json at the same time.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};

use rusk_base::sys::stopped_child::SpawnOptions;
use rusk_observe::kill_point;
use rusk_testkit::project::Project;

use super::sweep::{ALONE, PROGRAM, environment, registry, rusk, whole};

const MANIFEST: &str = r#"{ "name": "app", "dependencies": { "left": "1.0.0", "ui": "2" } }"#;

/// Edits at the same time.
const EDITS: usize = 12;

#[test]
fn a_killed_migration_leaves_one_lockfile_for_the_next_install() {
    let _alone = ALONE.lock();
    let server = registry();
    let mut calls = 0;
    let mut at = u64::MAX;
    while at > 0 {
        let project = Project::in_memory();
        project.write("package.json", MANIFEST).write(".npmrc", format!("registry={}\n", server.url()));
        assert!(rusk(&project, &["install", "--silent"]).status.success());
        let arguments = ["rusk", "migrate", "package-lock.json"].map(OsString::from);
        let environment = environment(&project);
        let environment: Vec<(OsString, OsString)> =
            environment.into_iter().map(|(name, value)| (name.into(), value.into_os_string())).collect();
        let options = SpawnOptions {
            file: Path::new(PROGRAM),
            arguments: &arguments,
            environment: &environment,
            directory: &project.path(),
            pre_exec: None,
            probe_calls: 0,
        };
        let outcome = kill_point::run(options, at).expect("the program can be traced");
        whole(&project, &["left/index.js", "ui/package.json"])
            .unwrap_or_else(|loss| panic!("killed before call {at}, {:?}: {loss}", outcome.killed_before));
        let lockfiles = project.tree("").into_iter().filter(|path| path.contains("lock"));
        assert_eq!(lockfiles.count(), 1, "killed before call {at}: {:?}", project.tree(""));
        assert!(!project.path().join(".rusk-staging").exists(), "killed before call {at}");
        calls = outcome.calls.max(calls);
        at = if at == u64::MAX { calls } else { at - 1 };
    }
    assert!(calls > 5, "{calls} calls change files");
}

#[test]
fn edits_at_the_same_time_are_all_kept() {
    let _alone = ALONE.lock();
    let server = registry();
    let project = Project::in_memory();
    project.write("package.json", MANIFEST).write(".npmrc", format!("registry={}\n", server.url()));
    let start = |arguments: &[&str]| {
        let mut command = Command::new(PROGRAM);
        command.args(arguments).current_dir(project.path()).env_clear().envs(environment(&project));
        command.stdin(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
    };
    let fields: Vec<String> = (0..EDITS).map(|number| format!("field{number}=value")).collect();
    let mut edits: Vec<_> = fields.iter().map(|field| start(&["pkg", "set", field])).collect();
    edits.push(start(&["add", "right", "--silent"]));
    edits.push(start(&["version", "3.2.1", "--silent"]));
    assert!(edits.iter_mut().all(|edit| edit.wait().expect("it ends").success()));
    let manifest = project.read("package.json");
    for part in (0..EDITS).map(|number| format!("\"field{number}\"")).chain(["\"right\"", "3.2.1"].map(String::from)) {
        assert!(manifest.contains(&part), "{part} is lost: {manifest}");
    }
}
