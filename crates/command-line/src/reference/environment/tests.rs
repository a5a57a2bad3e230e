//! Tests that the table names every variable that the source reads, and each once.

use super::*;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What comes before the name of a variable in Rust and in JavaScript.
const RUST_READS: &[&str] = &[
    "environment.get(\"",
    "variable(\"",
    "variable(host, \"",
    "env::var_os(\"",
    "environment.contains_key(\"",
];
const JS_READS: &[&str] = &["env.", "read('", "variable('"];

fn sources(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("the directory exists").flatten() {
        let (path, name) = (entry.path(), entry.file_name().into_string().expect("UTF-8"));
        if path.is_dir() && !["tests", "testkit", "target", "fixtures"].contains(&name.as_str()) {
            sources(&path, found);
        } else if name != "build.rs"
            && name != "tests.rs"
            && path.extension().is_some_and(|extension| extension == "rs" || extension == "js")
        {
            found.push(path);
        }
    }
}

fn names_in<'t>(text: &'t str, reads: &'static [&str]) -> impl Iterator<Item = &'t str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| reads.iter().flat_map(|read| line.split(read).skip(1))).filter_map(|rest| {
        let end = rest.find(|at: char| !at.is_ascii_alphanumeric() && at != '_').unwrap_or(rest.len());
        let name = &rest[..end];
        (name.len() > 1 && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')).then_some(name)
    })
}

#[test]
fn every_variable_that_is_read_is_in_the_table() {
    let mut files = Vec::new();
    let repository = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for directory in ["crates", "ext"] {
        sources(&repository.join(directory), &mut files);
    }
    // It runs in build scripts, not in the program.
    files.retain(|file| !file.components().any(|part| part.as_os_str() == "extension-build"));
    let is_known = |name: &str| {
        ENVIRONMENT.iter().flat_map(|variable| variable.names).any(|known| match known.strip_suffix('*') {
            Some(prefix) => name.starts_with(prefix),
            None => *known == name,
        })
    };
    let mut count = 0;
    for file in files {
        let text = fs::read_to_string(&file).expect("UTF-8");
        let is_rust = file.extension().is_some_and(|extension| extension == "rs");
        for name in names_in(&text, if is_rust { RUST_READS } else { JS_READS }) {
            count += 1;
            assert!(is_known(name), "{}: `{name}` is not in the table", file.display());
        }
    }
    assert!(count > 30, "only {count} reads were found");
}

#[test]
fn names_are_unique_and_in_the_order_of_readers() {
    let names: Vec<&str> = ENVIRONMENT.iter().flat_map(|variable| variable.names).copied().collect();
    let unique: BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(names.len(), unique.len(), "{names:?}");
    let index = |reader| Reader::ALL.iter().position(|other| *other == reader);
    assert!(ENVIRONMENT.is_sorted_by_key(|variable| index(variable.reader)));
    assert!(ENVIRONMENT.iter().all(|variable| variable.meaning.ends_with('.')));
}
