//! Runs `specs/*.txt` against the program, with the packages of `fixtures/registry`.

use rusk_testkit::registry::Server;
use rusk_testkit::specs::{Mode, Runner};
use std::path::Path;

#[test]
fn every_spec_says_what_happens() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let server = Server::of_directory(&root.join("fixtures/registry"));
    let runner = Runner { program: env!("CARGO_BIN_EXE_rusk").into(), registry_url: server.url().to_owned() };
    runner.run_directory(&root.join("specs"), Mode::from_environment());
}
