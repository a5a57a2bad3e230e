//! Files that bun wrote, and the text that bun makes of them.

use rusk_resolver::members::ProjectMember;
use rusk_testkit::project::Project as TestProject;

use super::*;

/// What the member has that depends on another one.
const MEMBER: &str = r#"{ "dependencies": { "b": "workspace:*" } }"#;

fn check(name: &str) {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/binary-lockfiles");
    let read_fixture =
        |ending: &str| std::fs::read(dir.join(format!("{name}.{ending}"))).expect("it is there");
    let project = TestProject::new();
    project.write("bun.lockb", read_fixture("lockb"));
    let project_member = ProjectMember::parse(String::new(), "{}".to_owned()).expect("a manifest");
    let member = ProjectMember::parse("packages/a".to_owned(), MEMBER.to_owned()).expect("a manifest");
    let members = Members { workspaces: vec![member], ..Members::single(project_member) };
    let found = read(&project.path(), &members).expect("it parses").expect("it is there");
    assert_eq!(found.text, String::from_utf8(read_fixture("lock")).expect("text"), "{name}");
}

#[test]
fn a_binary_lockfile_becomes_what_bun_makes_of_it() {
    check("bun-1.1");
    check("bun-1.4");
}

#[test]
fn a_project_without_the_file_has_none() {
    let member = ProjectMember::parse(String::new(), "{}".to_owned()).expect("a manifest");
    let found = read(&TestProject::new().path(), &Members::single(member)).expect("nothing fails");
    assert!(found.is_none());
}
