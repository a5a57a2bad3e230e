//! Files in, listing out, nothing left behind.

use super::*;

#[test]
fn a_tree_lists_files_links_programs_and_empty_directories() {
    let project = Project::with(&[("package.json", "{}"), ("node_modules/a/cli.js", "")]);
    project.make_executable("node_modules/a/cli.js");
    fs::create_dir_all(project.path().join("node_modules/.bin")).unwrap();
    std::os::unix::fs::symlink("../a/cli.js", project.path().join("node_modules/.bin/a")).unwrap();
    fs::create_dir(project.path().join("node_modules/empty")).unwrap();
    assert_eq!(project.tree("node_modules"), [".bin/a -> ../a/cli.js", "a/cli.js *", "empty/"]);
}

#[test]
fn a_project_is_gone_when_dropped() {
    let project = Project::with(&[("a/b", "text")]);
    let path = project.path();
    assert_eq!(project.read("a/b"), "text");
    drop(project);
    assert!(!path.exists());
}
