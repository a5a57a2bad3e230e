//! The command lines of the tools.

use super::super::scenario;
use super::*;

#[track_caller]
fn check(tool: &str, scenario: &str, expected: &[&str]) {
    let tools = Tool::all(Path::new("rusk"), Path::new("peers"));
    let tool = tools.iter().find(|row| row.name == tool).unwrap();
    let command = tool.command(scenario::find(scenario).unwrap(), Path::new("project"), Path::new("home"));
    let arguments: Vec<_> = command.get_args().map(|word| word.to_string_lossy().into_owned()).collect();
    assert!(
        arguments.starts_with(&expected.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()),
        "{arguments:?}"
    );
}

#[test]
fn a_lockfile_that_is_there_is_kept_and_another_manifest_may_change_it() {
    check("bun", "lockfile", &["install", "--frozen-lockfile"]);
    check("bun", "nothing", &["install", "--ignore-scripts"]);
    check("bun", "update", &["install", "--ignore-scripts"]);
    check("yarn", "cache+lockfile", &["install", "--immutable"]);
}

#[test]
fn npm_is_asked_to_keep_the_node_modules_that_are_there() {
    check("npm", "cache+lockfile", &["ci"]);
    check("npm", "all-three", &["install"]);
    check("npm", "lockfile+node_modules", &["install"]);
}

#[test]
fn every_peer_is_a_row_and_no_variant() {
    for peer in PEERS {
        assert!(names().any(|name| name == *peer) && !is_variant(peer), "{peer}");
    }
    assert!(names().any(is_variant) && !is_variant("rusk"));
}
