//! The list of `rusk update --interactive`.

use std::path::Path;

use rusk_spawn::Exit;
use rusk_testkit::project::Project;
use rusk_testkit::registry::Server;

use crate::pseudo_terminal::{INTERRUPT, PseudoTerminal};

/// What is drawn last: all keys are read after it.
const LAST_LINE: &str = "q cancel";

fn project(manifest: &str) -> (Server, Project) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let server = Server::of_directory(&root.join("fixtures/registry"));
    let project = Project::with(&[("package.json", manifest), (".npmrc", &server.npmrc())]);
    let (exit, output) = PseudoTerminal::start(&project, &["install", "--silent"], &[]).finish();
    assert!(matches!(exit, Exit::Status(0)), "{output}");
    (server, project)
}

/// Presses keys after the list was drawn; each redraws it.
fn press(terminal: &mut PseudoTerminal, keys: &[&str]) {
    terminal.wait_for(LAST_LINE);
    for key in keys {
        terminal.press(key);
        terminal.wait_for(LAST_LINE);
    }
}

const MANIFEST: &str =
    r#"{ "dependencies": { "left": "1.0.0", "right": "^1.0.0" }, "devDependencies": { "ui": "1.0.0" } }"#;

#[test]
fn picked_packages_are_updated() {
    let (_server, project) = project(MANIFEST);
    let mut terminal = PseudoTerminal::start(&project, &["update", "-i"], &[]);
    let drawn = terminal.wait_for(LAST_LINE);
    for text in ["Choose updates (0 of 3)", "dependencies", "left", "2.1.0", "devDependencies", "ui"] {
        assert!(drawn.contains(text), "{text}: {drawn}");
    }
    terminal.press(" ");
    terminal.wait_for("1 of 3");
    press(&mut terminal, &["\x1b[B", "j", " "]);
    terminal.press("\r");
    let (exit, output) = terminal.finish();
    assert!(matches!(exit, Exit::Status(0)), "{output}");
    let expected =
        r#"{ "dependencies": { "left": "2.1.0", "right": "^1.0.0" }, "devDependencies": { "ui": "2.0.0" } }"#;
    assert_eq!(project.read("package.json"), expected);
}

#[test]
fn escape_and_q_change_nothing() {
    for key in ["\x1b", "q"] {
        let (_server, project) = project(MANIFEST);
        let mut terminal = PseudoTerminal::start(&project, &["update", "--interactive"], &[]);
        press(&mut terminal, &["a"]);
        terminal.press(key);
        let (exit, output) = terminal.finish();
        assert!(matches!(exit, Exit::Status(1)), "{exit:?} {output}");
        assert_eq!(project.read("package.json"), MANIFEST);
    }
}

#[test]
fn ctrl_c_ends_by_the_signal_on_a_line_of_its_own() {
    let (_server, project) = project(MANIFEST);
    let mut terminal = PseudoTerminal::start(&project, &["update", "-i"], &[]);
    terminal.wait_for(LAST_LINE);
    terminal.press(INTERRUPT);
    let (exit, after) = terminal.finish();
    assert!(matches!(exit, Exit::Signal { number: 2, .. }), "{exit:?}");
    assert!(after.contains("\r\n"), "{after:?}");
    assert_eq!(project.read("package.json"), MANIFEST);
}

#[test]
fn members_are_groups() {
    let (_server, project) = project(r#"{ "name": "root", "workspaces": ["packages/*"] }"#);
    project.write("packages/a/package.json", r#"{ "name": "a", "dependencies": { "left": "^1.0.0" } }"#);
    project.write("packages/b/package.json", r#"{ "name": "b", "dependencies": { "left": "^1.0.0" } }"#);
    PseudoTerminal::start(&project, &["install", "--silent"], &[]).finish();
    let mut terminal = PseudoTerminal::start(&project, &["update", "-i", "-r"], &[]);
    let drawn = terminal.wait_for(LAST_LINE);
    assert!(drawn.contains("dependencies (a)") && drawn.contains("dependencies (b)"), "{drawn}");
    press_down_and_confirm(terminal);
    let read = |member: &str| project.read(&format!("packages/{member}/package.json"));
    assert_eq!(read("a"), r#"{ "name": "a", "dependencies": { "left": "^1.0.0" } }"#);
    assert_eq!(read("b"), r#"{ "name": "b", "dependencies": { "left": "^2.1.0" } }"#);
}

fn press_down_and_confirm(mut terminal: PseudoTerminal) {
    for key in ["j", "l"] {
        terminal.press(key);
        terminal.wait_for(LAST_LINE);
    }
    terminal.press("\r");
    let (exit, output) = terminal.finish();
    assert!(matches!(exit, Exit::Status(0)), "{output}");
}
