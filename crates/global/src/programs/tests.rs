//! Tests of links to programs: which are made, replaced, removed and left.

use rusk_testkit::project::Project;

use super::{LinkedPrograms, link};
use crate::{GlobalDirectories, RegisteredLinks};

struct Global {
    project: Project,
    directories: GlobalDirectories,
}

/// A package `tool` with one program, and a package that only others depend on.
fn global() -> Global {
    let project = Project::with(&[
        ("global/package.json", r#"{ "dependencies": { "tool": "1", "shim": "1" } }"#),
        ("global/node_modules/tool/cli.js", ""),
        ("global/node_modules/shim/package.json", r#"{ "bin": { "native": "stub.js" } }"#),
        ("global/node_modules/shim-linux/native", ""),
        ("global/node_modules/inner/cli.js", ""),
        ("bin/other", ""),
    ]);
    symlink(&project, "../tool/cli.js", "global/node_modules/.bin/tool");
    symlink(&project, "../shim-linux/native", "global/node_modules/.bin/native");
    symlink(&project, "../inner/cli.js", "global/node_modules/.bin/inner");
    let directories =
        GlobalDirectories { packages: project.path().join("global"), programs: project.path().join("bin") };
    Global { project, directories }
}

fn symlink(project: &Project, target: &str, path: &str) {
    let place = project.path().join(path);
    std::fs::create_dir_all(place.parent().expect("a directory")).expect("a directory");
    std::os::unix::fs::symlink(target, place).expect("a link");
}

fn target(global: &Global, name: &str) -> Option<String> {
    let target = global.directories.programs.join(name).read_link().ok()?;
    Some(target.display().to_string())
}

#[test]
fn programs_of_direct_dependencies_are_linked() {
    let global = global();
    let linked = link(&global.directories).expect("links");
    assert_eq!(linked.added, ["native", "tool"]);
    assert_eq!(target(&global, "tool").as_deref(), Some("../global/node_modules/tool/cli.js"));
    assert_eq!(target(&global, "native").as_deref(), Some("../global/node_modules/shim-linux/native"));
    assert_eq!(target(&global, "inner"), None);
    assert_eq!(link(&global.directories).expect("links"), LinkedPrograms::default());
}

#[test]
fn links_to_programs_that_are_gone_are_removed() {
    let global = global();
    link(&global.directories).expect("links");
    symlink(&global.project, "../elsewhere/x", "bin/foreign");
    global.project.write("global/package.json", r#"{ "dependencies": { "shim": "1" } }"#);
    let linked = link(&global.directories).expect("links");
    assert_eq!(linked.removed, ["tool"]);
    assert_eq!(target(&global, "tool"), None);
    assert_eq!(target(&global, "foreign").as_deref(), Some("../elsewhere/x"));
    assert!(global.directories.programs.join("other").is_file());
}

#[test]
fn a_file_of_another_tool_is_not_replaced() {
    let global = global();
    global.project.write("bin/tool", "mine");
    symlink(&global.project, "/usr/bin/native", "bin/native");
    let linked = link(&global.directories).expect("links");
    assert_eq!((linked.added.len(), linked.taken), (0, vec!["native".to_owned(), "tool".to_owned()]));
    assert_eq!(global.project.find("bin/tool").as_deref(), Some("mine"));
}

#[test]
fn registered_packages_and_their_programs_stay() {
    let global = global();
    let place = global.directories.node_modules().join("@me/mine");
    std::fs::create_dir_all(place.parent().expect("a scope")).expect("a directory");
    std::os::unix::fs::symlink("/src/mine", &place).expect("a link");
    symlink(&global.project, "../global/node_modules/@me/mine/cli.js", "bin/mine");
    let registered = RegisteredLinks::find(&global.directories);
    link(&global.directories).expect("links");
    assert!(target(&global, "mine").is_some());
    std::fs::remove_dir_all(place.parent().expect("a scope")).expect("removed");
    registered.restore().expect("restored");
    assert_eq!(place.read_link().expect("a link").display().to_string(), "/src/mine");
}
