//! The questions of `rusk init`.

use rusk_spawn::Exit;
use rusk_testkit::project::Project;

use crate::pseudo_terminal::{INTERRUPT, PseudoTerminal};

/// Answers each question after it was asked.
fn answer(terminal: &mut PseudoTerminal, answers: &[(&str, &str)]) {
    for (question, answer) in answers {
        terminal.wait_for(question);
        terminal.press(&format!("{answer}\r"));
    }
}

#[test]
fn answers_become_fields_of_package_json() {
    let project = Project::new();
    let mut terminal = PseudoTerminal::start(&project, &["init"], &[]);
    answer(
        &mut terminal,
        &[
            ("package name (", "@shapes/circle"),
            ("version (1.0.0): ", ""),
            ("description: ", "Draws \"circles\""),
            ("entry point (index.ts): ", "src/main.js"),
            ("test command: ", "node --test"),
            ("git repository: ", ""),
            ("keywords: ", "shape, round"),
            ("author: ", ""),
            ("license: ", "MIT"),
        ],
    );
    let (exit, output) = terminal.finish();
    assert!(matches!(exit, Exit::Status(0)), "{output}");
    let expected = r#"{
  "name": "@shapes/circle",
  "version": "1.0.0",
  "description": "Draws \"circles\"",
  "private": true,
  "type": "module",
  "module": "src/main.js",
  "scripts": { "test": "node --test" },
  "keywords": ["shape","round"],
  "license": "MIT"
}
"#;
    assert_eq!(project.find("package.json").as_deref(), Some(expected));
    assert!(project.find("src/main.js").is_some() && project.find("tsconfig.json").is_none());
}

#[test]
fn a_wrong_answer_is_asked_for_again() {
    let project = Project::new();
    let mut terminal = PseudoTerminal::start(&project, &["init"], &[]);
    answer(
        &mut terminal,
        &[("package name (", "a/b/c"), ("expected a package name, found `a/b/c`", "shapes")],
    );
    terminal.wait_for("version (1.0.0): ");
    terminal.press(INTERRUPT);
    let (exit, _) = terminal.finish();
    assert!(!matches!(exit, Exit::Status(0)));
    assert_eq!(project.find("package.json"), None);
}

#[test]
fn yes_asks_nothing() {
    let project = Project::new();
    let (exit, output) = PseudoTerminal::start(&project, &["init", "-y"], &[]).finish();
    assert!(matches!(exit, Exit::Status(0)), "{output}");
    assert!(!output.contains("package name"), "{output}");
}

#[test]
fn defaults_are_shown_without_escape_sequences() {
    let project = Project::with(&[("package.json", r#"{ "description": "a\u001b[2Jb" }"#)]);
    let mut terminal = PseudoTerminal::start(&project, &["init"], &[]);
    answer(&mut terminal, &[("package name (", ""), ("version (1.0.0): ", "")]);
    terminal.wait_for(r"description (a\u{1b}[2Jb): ");
    terminal.press(INTERRUPT);
    terminal.finish();
}
