//! Messages of failed assertions (`fixtures/expect`): those of bun 1.4.5, but for the differences
//! that `differences.txt` lists. `UPDATE=1` writes the list.

use std::path::{Path, PathBuf};
use std::process::Command;

use rusk_npm::json::{self, Dialect};
use rusk_testkit::project::Project;

/// Messages that are bun's, of 396; the number may only grow.
const SAME_MIN: usize = 336;

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/expect")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn messages(text: &str) -> Vec<Option<String>> {
    let root = json::parse(text, Dialect::Strict).expect("the messages are JSON");
    root.elements().iter().map(|message| message.as_str().map(str::to_owned)).collect()
}

#[test]
fn messages_of_failed_assertions_are_those_of_bun() {
    let project = Project::new();
    for name in ["cases.txt", "messages.test.js"] {
        project.write(name, read(&fixtures().join(name)));
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_rusk"));
    command.arg("test").current_dir(project.path()).env("NO_COLOR", "1").env_remove("FORCE_COLOR");
    command.env("HOME", project.path());
    let output = command.output().expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let ours = messages(&read(&project.path().join("messages.json")));
    let bun = messages(&read(&fixtures().join("bun-1.4.5.json")));
    let cases = read(&fixtures().join("cases.txt"));
    assert_eq!((ours.len(), bun.len()), (cases.lines().count(), cases.lines().count()));
    let shown = |message: &Option<String>| message.clone().unwrap_or_else(|| "(passes)".to_owned());
    let differing = cases.lines().zip(ours.iter().zip(&bun)).filter(|(_, (ours, bun))| ours != bun);
    let differences: Vec<String> = differing
        .map(|(case, (ours, bun))| {
            format!("# {case}\n{}\n-- bun --\n{}\n", shown(ours).trim_end(), shown(bun).trim_end())
        })
        .collect();
    let same = ours.len() - differences.len();
    assert!(same >= SAME_MIN, "{same} messages are bun's, {SAME_MIN} expected");
    let list = fixtures().join("differences.txt");
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&list, differences.join("\n")).expect("the list can be written");
    }
    assert!(read(&list) == differences.join("\n"), "fixtures/expect/differences.txt differs; see `UPDATE=1`");
}
