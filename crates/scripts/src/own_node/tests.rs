//! The link, where there is none, and where it is wrong.

use std::fs;

use rusk_testkit::project::Project;

use super::*;

const TRUE: fn() -> Option<PathBuf> = || Some("/bin/true".into());
const SHELL: fn() -> Option<PathBuf> = || Some("/bin/sh".into());

fn own_node(project: &Project, program: fn() -> Option<PathBuf>) -> OwnNode {
    OwnNode { cache_dir: project.home().join("cache"), program, is_preferred: false }
}

#[test]
fn the_link_is_made_and_corrected() {
    let project = Project::new();
    let directory = project.home().join("cache/node");
    for program in [TRUE, SHELL, SHELL] {
        assert_eq!(own_node(&project, program).provide(), Some(directory.clone()));
        assert_eq!(fs::read_link(directory.join("node")).unwrap(), program().unwrap());
    }
    let left: Vec<_> = fs::read_dir(project.home().join("cache")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

#[test]
fn a_link_that_leads_nowhere_is_not_offered() {
    let project = Project::new();
    assert_eq!(own_node(&project, || Some("/no/such/rusk (deleted)".into())).provide(), None);
    fs::write(project.home().join("cache/node/file"), "").unwrap();
    let blocked = OwnNode { cache_dir: project.home().join("cache/node/file"), ..own_node(&project, SHELL) };
    assert_eq!(blocked.provide(), None);
    let colon = OwnNode { cache_dir: project.home().join("a:b"), ..own_node(&project, SHELL) };
    assert_eq!(colon.provide(), None);
}

#[test]
fn managers_are_links_of_their_names() {
    let project = Project::new();
    let directory = own_node(&project, SHELL).provide_managers(None).unwrap();
    assert_eq!(directory, project.home().join("cache/managers"));
    for name in MANAGER_NAMES {
        assert_eq!(fs::read_link(directory.join(name)).unwrap(), SHELL().unwrap());
    }
    assert_eq!(fs::read_dir(&directory).unwrap().count(), MANAGER_NAMES.len());
}
