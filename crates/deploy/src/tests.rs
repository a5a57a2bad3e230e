//! Tests of deployments without packages of a registry: what is copied, what is refused, and that
//! nothing is left when one fails.

use std::collections::BTreeMap;
use std::path::Path;

use rusk_configuration::request::Network;
use rusk_install::event::NullReporter;
use rusk_npm::release_age::ReleaseAgeSettings;
use rusk_testkit::project::Project as Files;

use super::*;

fn host(home: &Path) -> HostEnvironment {
    HostEnvironment {
        current_dir: home.to_owned(),
        home_dir: Some(home.to_owned()),
        environment: BTreeMap::new(),
        processors: || 1,
        now_s: 0,
        user_agent: String::new(),
        script_output: rustix::stdio::stderr(),
        node_version: |_, _| None,
        node_headers: |_| None,
        program: || None,
        interaction: None,
    }
}

fn install_request() -> InstallRequest {
    InstallRequest {
        network: Network::Offline,
        release_age: ReleaseAgeSettings::default(),
        ..InstallRequest::new(Goal::Install)
    }
}

/// A project of two members, installed.
fn project() -> Files {
    let files = Files::with(&[
        ("app/package.json", r#"{ "name": "app", "workspaces": ["a", "b"] }"#),
        ("app/a/package.json", r#"{ "name": "a", "dependencies": { "b": "workspace:*" } }"#),
        ("app/a/index.js", "a"),
        ("app/a/node_modules/own/file", "not copied"),
        ("app/b/package.json", r#"{ "name": "b" }"#),
        ("app/b/index.js", "b"),
    ]);
    let dir = files.path().join("app");
    let host = host(&files.home());
    rusk_install::install(&dir, &install_request(), &host, &mut NullReporter).expect("installed");
    files
}

fn run(files: &Files, member: &str, target: &str, existing: ExistingTarget) -> Result<Deployment> {
    let request = DeployRequest {
        project_dir: &files.path().join("app"),
        member,
        target: &files.path().join(target),
        existing,
        install: install_request(),
    };
    deploy(&request, &host(&files.home()), &mut NullReporter)
}

#[test]
fn a_member_is_copied_with_the_members_it_needs() {
    let files = project();
    let deployment = run(&files, "a", "out/app", ExistingTarget::Refuse).expect("deployed");
    assert_eq!(
        (deployment.name.as_str(), deployment.files, deployment.members),
        ("a", 2, vec!["b".to_owned()])
    );
    assert_eq!(files.read("out/app/index.js"), "a");
    assert_eq!(files.read("out/app/b/index.js"), "b");
    assert_eq!(files.read("out/app/node_modules/b/index.js"), "b");
    assert_eq!(files.find("out/app/node_modules/own/file"), None);
    let lockfile = files.read("out/app/bun.lock");
    let again = rusk_install::install(
        &files.path().join("out/app"),
        &InstallRequest { goal: Goal::Frozen, ..install_request() },
        &host(&files.home()),
        &mut NullReporter,
    );
    assert!(again.is_ok(), "{again:?}");
    assert_eq!(files.read("out/app/bun.lock"), lockfile);
}

#[test]
fn a_target_with_files_is_replaced_only_where_that_is_asked_for() {
    let files = project();
    files.write("out/old", "old");
    let refused = run(&files, "b", "out", ExistingTarget::Refuse).expect_err("refused");
    assert_eq!(refused.code(), "deploy-target");
    assert_eq!(files.read("out/old"), "old");
    run(&files, "b", "out", ExistingTarget::Replace).expect("deployed");
    assert_eq!((files.find("out/old"), files.read("out/index.js").as_str()), (None, "b"));
    let inside = run(&files, "b", "app", ExistingTarget::Replace).expect_err("refused");
    assert_eq!(inside.code(), "deploy-target");
    assert_eq!(files.read("app/b/index.js"), "b");
}

#[test]
fn a_failed_deployment_leaves_nothing() {
    let files = project();
    files.write("app/b/package.json", r#"{ "name": "b", "dependencies": { "left": "1" } }"#);
    let refused = run(&files, "a", "out", ExistingTarget::Refuse).expect_err("refused");
    assert_eq!(refused.code(), "frozen-lockfile");
    assert!(!files.path().join("out").exists() && !files.path().join(".out.rusk-deploy").exists());
}

#[test]
fn what_a_killed_deployment_left_is_removed() {
    let files = project();
    files.write(".out.rusk-deploy/half", "half");
    run(&files, "b", "out", ExistingTarget::Refuse).expect("deployed");
    assert_eq!(files.find("out/half"), None);
    assert!(!files.path().join(".out.rusk-deploy").exists());
}
