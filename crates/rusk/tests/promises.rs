//! Each promise of SECURITY.md names its tests: files and functions that exist.

use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Rust files below a directory, as one text.
fn collect(dir: &Path, text: &mut String) {
    for entry in std::fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, text);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            text.push_str(&std::fs::read_to_string(&path).expect("a source file is text"));
        }
    }
}

#[test]
fn every_promise_names_tests_that_exist() {
    let text = std::fs::read_to_string(root().join("SECURITY.md")).expect("SECURITY.md is there");
    let rows: Vec<&str> = text.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    assert!(rows.len() > 20, "{} promises", rows.len());
    let mut sources = String::new();
    collect(&root().join("crates"), &mut sources);
    for row in rows {
        let tests = row.rsplit(" | ").next().expect("a row has a column of tests");
        let names: Vec<&str> = tests.split('`').skip(1).step_by(2).collect();
        assert!(!names.is_empty(), "no test: {row}");
        for name in names {
            let exists = match name {
                command if command.starts_with("cargo ") => true,
                path if path.contains('/') => root().join(path).exists(),
                function => sources.contains(&format!("#[test]\nfn {function}()")),
            };
            assert!(exists, "`{name}` is no test: {row}");
        }
    }
}
