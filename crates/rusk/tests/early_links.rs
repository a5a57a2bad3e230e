//! Early linker: packages are linked before the plan is known; the result is what the lockfile
//! says.

use std::process::Command;

use rusk_testkit::project::Project;
use rusk_testkit::registry::{Package, Server};

/// Files of a package that is worth linking ahead.
const FILES: usize = 200;

/// Packages of which many files are linked, and one that is chosen at two versions of which one
/// stays.
fn server() -> Server {
    let files = |text: &str| {
        let files = (0..FILES).map(|number| format!(r#""lib/{}/{number}.js": "{text}""#, number % 7));
        files.collect::<Vec<_>>().join(",")
    };
    let (one, two) = (files("one"), files("two"));
    Server::start([
        Package::new("any").version("1.0.0", r#"{ "dependencies": { "tool": ">=1.0.0" } }"#),
        Package::new("exact").version("1.0.0", r#"{ "dependencies": { "tool": "1.0.0" } }"#),
        Package::new("tool").version("1.0.0", &format!(r#"{{ "+files": {{ {one} }} }}"#)).version(
            "2.0.0",
            &format!(r#"{{ "dependencies": {{ "@only/two": "1.0.0" }}, "+files": {{ {two} }} }}"#),
        ),
        Package::new("@only/two").version("1.0.0", "{}"),
        Package::new("large").version("1.0.0", &format!(r#"{{ "+files": {{ {one} }} }}"#)),
    ])
}

fn install(server: &Server, project: &Project, dependencies: &str, flags: &[&str]) {
    project.write("package.json", format!("{{ \"dependencies\": {dependencies} }}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.arg("install").args(flags).current_dir(project.path()).env_clear().env("HOME", project.home());
    let output = command.env("npm_config_registry", server.url()).output().expect("it starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Installs the first dependencies alone, then the second ones with all in the cache: the tree is
/// the one that is made where nothing was there before.
#[track_caller]
fn check(before: &str, dependencies: &str, flags: &[&str]) {
    let server = server();
    let fresh = Project::new();
    install(&server, &fresh, dependencies, flags);
    let project = Project::new();
    for filling in [before, dependencies] {
        install(&server, &project, filling, flags);
        project.remove("node_modules");
        project.remove("bun.lock");
    }
    install(&server, &project, dependencies, flags);
    assert_eq!(project.tree(""), fresh.tree(""), "without a lockfile");
    assert_eq!(project.read("bun.lock"), fresh.read("bun.lock"));
    project.remove("node_modules");
    install(&server, &project, dependencies, flags);
    assert_eq!(project.tree(""), fresh.tree(""), "with a lockfile");
}

#[test]
fn a_version_that_is_collapsed_leaves_nothing() {
    let all = r#"{ "large": "1.0.0", "any": "1.0.0", "exact": "1.0.0" }"#;
    check(r#"{ "tool": "2.0.0" }"#, all, &[]);
    check(r#"{ "tool": "2.0.0" }"#, all, &["--linker=isolated"]);
}

#[test]
fn each_of_two_versions_has_its_place() {
    let all = r#"{ "large": "1.0.0", "tool": "2.0.0", "exact": "1.0.0" }"#;
    check(r#"{ "tool": "1.0.0" }"#, all, &[]);
    check(
        r#"{ "exact": "1.0.0" }"#,
        r#"{ "large": "1.0.0", "alias": "npm:tool@2.0.0", "exact": "1.0.0" }"#,
        &[],
    );
}
