//! Tests of what an install would run of a project.

use std::collections::BTreeMap;
use std::path::Path;

use rusk_configuration::request::HostEnvironment;
use rusk_testkit::project::Project;

use super::ProjectCode;

/// Files that are `{}` where nothing else is said.
fn lines(files: &[(&str, &str)], directory: &str) -> String {
    let project = Project::new();
    for (path, text) in files {
        project.write(path, text);
    }
    let host = HostEnvironment {
        current_dir: project.path(),
        home_dir: Some(project.home()),
        environment: BTreeMap::new(),
        processors: || 1,
        now_s: 0,
        user_agent: "rusk/0.1.0 linux x64".to_owned(),
        script_output: rusk_base::sys::CWD,
        node_version: |_, _| None,
        node_headers: |_| None,
        program: || None,
        interaction: None,
    };
    // `join` would add a slash.
    let path = if directory.is_empty() { project.path() } else { project.path().join(Path::new(directory)) };
    ProjectCode::read(&path, &host).expect("a project").lines().join("\n")
}

fn check(files: &[(&str, &str)], expected: &str) {
    assert_eq!(lines(files, ""), expected, "{files:?}");
}

#[test]
fn scripts_of_the_project_and_its_members_are_found() {
    check(&[("package.json", r#"{ "scripts": { "test": "a", "dev": "b" } }"#)], "");
    let root = r#"{ "scripts": { "preinstall": "a", "postprepare": "b" } }"#;
    check(&[("package.json", root)], "preinstall: a\npostprepare: b");
    let member = r#"{ "name": "m", "scripts": { "postinstall": "c", "prepare": "d" } }"#;
    let root = r#"{ "workspaces": ["m"] }"#;
    check(&[("package.json", root), ("m/package.json", member)], "postinstall of m: c\nprepare of m: d");
    let pnpm = "packages:\n  - 'p/*'\n";
    let files = [("package.json", "{}"), ("pnpm-workspace.yaml", pnpm), ("p/m/package.json", member)];
    check(&files, "postinstall of p/m: c\nprepare of p/m: d");
}

#[test]
fn a_gyp_file_implies_a_script() {
    check(&[("package.json", "{}"), ("binding.gyp", "{}")], "install: node-gyp rebuild");
}

#[test]
fn a_scanner_is_found() {
    let bunfig = "[install.security]\nscanner = \"./s.ts\"\n";
    check(&[("package.json", "{}"), ("bunfig.toml", bunfig)], "security scanner: ./s.ts");
}

#[test]
fn approvals_are_found_with_their_grants() {
    let rusk = r#"{ "rusk": { "approvedScripts": { "a@1.0.0": "sha512-x",
        "d@file:d": { "integrity": "i", "network": true, "read": ["~/.ssh"], "write": ["b", "c"] },
        "e@1.0.0": { "integrity": "i", "network": ["a.test:443"] } } } }"#;
    let expected = "install scripts of the dependency a@1.0.0
install scripts of the dependency d@file:d
  granted network: the internet, and this computer
  granted read: ~/.ssh
  granted write: b
  granted write: c
install scripts of the dependency e@1.0.0
  granted network: a.test:443";
    check(&[("package.json", rusk)], expected);
    let names = "install scripts of the dependency d";
    for manifest in [
        r#"{ "trustedDependencies": ["d"] }"#,
        r#"{ "allowScripts": { "d": true, "e": false } }"#,
        r#"{ "pnpm": { "onlyBuiltDependencies": ["d"] } }"#,
        r#"{ "pnpm": { "allowBuilds": { "d": true } } }"#,
    ] {
        check(&[("package.json", manifest)], names);
    }
    for settings in ["onlyBuiltDependencies: [d]\n", "allowBuilds: {d: true, e: false}\n"] {
        check(&[("package.json", "{}"), ("pnpm-workspace.yaml", settings)], names);
    }
}

#[test]
fn a_member_has_the_scripts_of_its_directory_and_what_the_project_approves() {
    let root = r#"{ "workspaces": ["m", "n"], "scripts": { "prepare": "a" }, "trustedDependencies": ["d"] }"#;
    let member = r#"{ "name": "m", "scripts": { "prepare": "b" }, "trustedDependencies": ["e"] }"#;
    let other = r#"{ "name": "n", "scripts": { "prepare": "c" } }"#;
    let files = [("package.json", root), ("m/package.json", member), ("n/package.json", other)];
    assert_eq!(lines(&files, "m"), "install scripts of the dependency d\nprepare: b");
}
