//! Progress of an install.

use std::time::Duration;

use rusk_spawn::Exit;
use rusk_testkit::project::Project;
use rusk_testkit::registry::{Fault, Package, Server};

use crate::pseudo_terminal::{INTERRUPT, PseudoTerminal};

#[test]
fn ctrl_c_leaves_the_cursor_on_a_line_of_its_own() {
    let server = Server::start([Package::new("left").version("1.0.0", "{}")]);
    server.fail("/left", Fault::Delay(Duration::from_secs(30)), 1);
    let project = Project::with(&[
        ("package.json", r#"{ "dependencies": { "left": "1.0.0" } }"#),
        (".npmrc", &server.npmrc()),
    ]);
    let mut terminal = PseudoTerminal::start(&project, &["install"], &[]);
    terminal.wait_for("waiting for");
    terminal.press(INTERRUPT);
    let (exit, after) = terminal.finish();
    assert!(matches!(exit, Exit::Signal { number: 2, .. }), "{exit:?}");
    assert!(after.ends_with("\r\n"), "{after:?}");
}
