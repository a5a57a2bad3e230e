//! Which tarballs an install asks for: those that it installs, though it asks before all versions
//! are decided.

use std::process::Command;

use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};

/// The tarballs that installing the project's dependencies asks for, by file name.
fn fetched(packages: impl IntoIterator<Item = Package>, dependencies: &str) -> Vec<String> {
    let server = Server::start(packages);
    let manifest = format!("{{ \"dependencies\": {dependencies} }}");
    let project = Project::with(&[("package.json", &manifest)]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.arg("install").current_dir(project.path()).env_clear().env("HOME", project.home());
    let output = command.env("npm_config_registry", server.url()).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let paths = server.requests().into_iter().map(|request| request.path);
    let tarballs = paths.filter_map(|path| Some(path.rsplit_once("/-/")?.1.to_owned()));
    let mut tarballs: Vec<String> = tarballs.collect();
    tarballs.sort();
    tarballs
}

#[test]
fn a_version_that_is_collapsed_is_not_fetched() {
    let tool = |version: &str| format!(r#"{{ "optionalDependencies": {{ "binary": "{version}" }} }}"#);
    let packages = [
        Package::new("wide").version("1.0.0", r#"{ "dependencies": { "tool": "^1.0.0 || ^2.0.0" } }"#),
        Package::new("exact").version("1.0.0", r#"{ "dependencies": { "tool": "1.0.0" } }"#),
        Package::new("tool").version("1.0.0", &tool("1.0.0")).version("2.0.0", &tool("2.0.0")),
        Package::new("binary").version("1.0.0", "{}").version("2.0.0", "{}"),
    ];
    let expected = ["binary-1.0.0.tgz", "exact-1.0.0.tgz", "tool-1.0.0.tgz", "wide-1.0.0.tgz"];
    assert_eq!(fetched(packages, r#"{ "wide": "1.0.0", "exact": "1.0.0" }"#), expected);
}

#[test]
fn what_only_other_platforms_want_is_not_fetched() {
    let packages = [
        Package::new("image").version("1.0.0", r#"{ "optionalDependencies": { "image-other": "1.0.0" } }"#),
        Package::new("image-other")
            .version("1.0.0", r#"{ "cpu": ["none"], "dependencies": { "image-wasm": "1.0.0" } }"#),
        Package::new("image-wasm").version("1.0.0", r#"{ "dependencies": { "wasm": "1.0.0" } }"#),
        Package::new("wasm").version("1.0.0", "{}"),
    ];
    assert_eq!(fetched(packages, r#"{ "image": "1.0.0" }"#), ["image-1.0.0.tgz"]);
}
