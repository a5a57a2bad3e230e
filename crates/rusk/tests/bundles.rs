//! Bundles behave as their programs: each case of `fixtures/bundler` is run as it is, and bundled
//! in several ways.

use std::path::Path;

use rusk_testkit::bundler_cases;
use rusk_testkit::project::Project;

const PROGRAM: &str = env!("CARGO_BIN_EXE_rusk");

#[test]
fn bundles_behave_as_their_programs() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/bundler");
    let wanted = std::env::var("CASE").unwrap_or_default();
    let failures = bundler_cases::check(&directory, &wanted, Path::new(PROGRAM));
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn bundles_of_random_graphs_behave_as_their_programs() {
    let project = Project::new();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/bundler-graphs/graphs.mjs");
    // Others by hand: the graphs of an interval are those of its numbers.
    let output = bundler_cases::run(Path::new(PROGRAM), &project, &[&script.to_string_lossy(), "0", "12"]);
    assert_eq!(output, "12 graphs, 0 differences\n");
}
