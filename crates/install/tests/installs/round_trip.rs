//! Round trip of lockfiles that bun wrote: the same bytes, so the same edges and the same tree.

use std::path::Path;

use rusk_npm::{bun_lock, credential};
use rusk_resolver::hoist::{AllDependencies, hoist};

/// Parses, hoists and renders one lockfile.
fn rewritten(text: &str) -> String {
    let mut lockfile = bun_lock::parse(text).expect("bun wrote it");
    let tree = hoist(&mut lockfile.graph, &AllDependencies).expect("bun could hoist it");
    bun_lock::render(&lockfile, &tree, credential::default_registry())
}

#[test]
fn a_lockfile_round_trips() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/lockfiles");
    let mut count = 0;
    for entry in std::fs::read_dir(dir).expect("the fixtures are there") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|extension| extension == "lock") {
            let text = std::fs::read_to_string(&path).expect("readable");
            assert!(rewritten(&text) == text, "{} is written otherwise", path.display());
            count += 1;
        }
    }
    assert!(count >= 9, "only {count} lockfiles");
}
