//! A hostile project: where its files and links may point to.

use std::os::unix::fs::symlink;

use rusk_testkit::project::{Project, tree};
use rusk_testkit::registry::{Package, Server};

use super::{Goal, problem, run};

fn server() -> Server {
    let program = "{ \"bin\": \"index.js\" }";
    Server::start([
        Package::new("left").version("1.0.0", program).version("2.0.0", "{}"),
        Package::new("@s/ui").version("1.0.0", "{}"),
    ])
}

/// The user's own files, outside the project.
fn mine(project: &Project) -> Vec<String> {
    tree(&project.home().join("mine"))
}

/// A project that depends on `left` and `@s/ui`, and the user's own files beside it.
fn project() -> Project {
    let files =
        [".keys/secret", ".bin/program", "left/package.json", "ui/package.json", "node_modules/left/x", "x"];
    let project = Project::with(&[(
        "package.json",
        r#"{ "name": "app", "dependencies": { "left": "1.0.0", "@s/ui": "1.0.0" } }"#,
    )]);
    for file in files {
        project.write(&format!("../home/mine/{file}"), "{}");
    }
    project
}

const WHOLE: [&str; 5] = [
    ".bin/left -> ../left/index.js",
    "@s/ui/index.js",
    "@s/ui/package.json",
    "left/index.js *",
    "left/package.json",
];

/// Adds a link to a project and installs; the link's target must not change, and the tree must be
/// complete.
#[track_caller]
fn check_link(project: &Project, server: &Server, path: &str) {
    let before = mine(project);
    project.remove(path);
    let link = project.path().join(path);
    std::fs::create_dir_all(link.parent().expect("inside")).expect("made");
    symlink(project.home().join("mine"), &link).expect("linked");
    run(project, server, Goal::Install).unwrap_or_else(|problem| panic!("{path}: {problem}"));
    assert_eq!(mine(project), before, "{path}");
    assert_eq!(project.tree("node_modules"), WHOLE, "{path}");
}

#[test]
fn a_link_in_place_of_a_directory_is_replaced_and_never_followed() {
    let server = server();
    let inside = ["node_modules/@s", "node_modules/.bin", "node_modules/left", "node_modules/.rusk"];
    for path in inside.into_iter().chain(["node_modules", ".rusk-staging"]) {
        check_link(&project(), &server, path);
        let installed = project();
        run(&installed, &server, Goal::Install).expect("installed");
        installed.remove("node_modules/@s/ui");
        check_link(&installed, &server, path);
    }
}

#[test]
fn a_record_with_the_users_files_removes_none() {
    let (server, project) = (server(), project());
    run(&project, &server, Goal::Install).expect("installed");
    symlink(project.home().join("mine"), project.path().join("mine")).expect("linked");
    let before = mine(&project);
    let text = project.read("node_modules/.rusk/installed");
    let (head, rest) = text.split_once('\n').expect("lines");
    let home = project.home().join("mine");
    let home = home.display();
    let lines = ["../home/mine", "mine/node_modules", "node_modules/../../home/mine", "mine", "."];
    let mut forged: String = lines.iter().map(|line| format!("{line}\t0 0\n")).collect();
    forged.push_str(&format!("{home}\t0 0\n{home}/node_modules\t0 0\n"));
    project.write("node_modules/.rusk/installed", format!("{head}\n{forged}{rest}"));
    project.remove("node_modules/left");
    run(&project, &server, Goal::Install).expect("repaired");
    assert_eq!(mine(&project), before);
    assert_eq!(project.tree("node_modules"), WHOLE);
}

/// The lockfile nests a package in a link to the user's directory.
#[test]
fn a_lockfile_writes_nothing_through_a_link() {
    let (server, project) = (server(), project());
    let link = format!("link:{}", project.home().join("mine/x-linked").display());
    project.write("../home/mine/x-linked/package.json", r#"{ "name": "x" }"#);
    project.write(
        "package.json",
        format!(r#"{{ "name": "app", "dependencies": {{ "left": "1.0.0", "x": "{link}" }} }}"#),
    );
    let (one, two) = (server.integrity("left", "1.0.0"), server.integrity("left", "2.0.0"));
    let url = server.url();
    project.write(
        "bun.lock",
        format!(
            r#"{{ "lockfileVersion": 2, "configVersion": 1,
            "workspaces": {{ "": {{ "name": "app", "dependencies": {{ "left": "1.0.0", "x": "{link}" }} }} }},
            "packages": {{
                "left": ["left@1.0.0", "{url}left/-/left-1.0.0.tgz", {{ "bin": "index.js" }}, "{one}"],
                "x": ["x@{link}", {{ "dependencies": {{ "left": "2.0.0" }} }}],
                "x/left": ["left@2.0.0", "{url}left/-/left-2.0.0.tgz", {{}}, "{two}"]
            }} }}"#
        ),
    );
    let before = mine(&project);
    let outcome = run(&project, &server, Goal::Frozen);
    assert_eq!(mine(&project), before, "{outcome:?}");
    outcome.expect("the link is fine");
}

#[test]
fn a_workspace_cannot_be_outside_the_project() {
    let (server, project) = (server(), project());
    project.write("package.json", r#"{ "name": "app", "workspaces": ["packages/*"] }"#);
    project.write("../home/mine/package.json", r#"{ "name": "mine", "dependencies": { "left": "1.0.0" } }"#);
    std::fs::create_dir(project.path().join("packages")).expect("made");
    symlink(project.home().join("mine"), project.path().join("packages/mine")).expect("linked");
    let before = mine(&project);
    assert!(problem(&project, &server).contains("error[workspace-outside]"));
    assert_eq!(mine(&project), before);
    for glob in ["../home/*", "/etc", "packages/../../home/*"] {
        project.write("package.json", format!("{{ \"workspaces\": [\"{glob}\"] }}"));
        assert!(problem(&project, &server).contains("error[workspace-glob]"), "{glob}");
    }
}
