//! Programs run as users run them: `fixtures/programs/AREA/NAME.js`, each with what Node printed;
//! those of the area `bun` with what bun did. A program whose `.out` is not what rusk prints fails;
//! so does one that ends with another code than 0, or writes to standard error.
//! `fixtures/public_api.txt` lists those that differ without the engine's unstable ABI, and why.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusk_testkit::expected_output::ProgramRunner;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/programs");

#[test]
fn programs_print_what_node_prints() {
    check(&programs(), &[]);
}

#[test]
fn most_do_without_the_unstable_abi() {
    let list = std::fs::read_to_string(Path::new(ROOT).join("../public_api.txt")).expect("the list is there");
    let differ = list.lines().map(|line| line.split_once(": ").expect("a program and a reason"));
    let differ: BTreeMap<PathBuf, &str> =
        differ.map(|(program, reason)| (Path::new(ROOT).join(program), reason)).collect();
    let (known, same): (Vec<_>, Vec<_>) =
        programs().into_iter().partition(|program| differ.contains_key(program));
    assert_eq!(known.len(), differ.len(), "a program of the list is not there");
    check(&same, &[("RUSK_UNSTABLE_ABI", "0")]);
}

fn programs() -> Vec<PathBuf> {
    let mut programs = Vec::new();
    for area in std::fs::read_dir(ROOT).expect("the fixtures are there") {
        let area = area.expect("it is read").path();
        let files = std::fs::read_dir(&area).expect("an area is a folder");
        let files = files.map(|file| file.expect("it is read").path());
        programs
            .extend(files.filter(|file| file.with_extension("out").is_file() && !has_extension(file, "out")));
    }
    programs.sort();
    assert!(!programs.is_empty(), "there are programs");
    programs
}

fn check(programs: &[PathBuf], variables: &[(&str, &str)]) {
    let cache_dir = concat!(env!("CARGO_TARGET_TMPDIR"), "/programs");
    let runner = ProgramRunner { program: env!("CARGO_BIN_EXE_rusk"), cache_dir, variables };
    let wrong: Vec<String> = programs.iter().filter_map(|program| runner.difference(program)).collect();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), programs.len(), wrong.join("\n"));
}

fn has_extension(file: &Path, extension: &str) -> bool {
    file.extension().is_some_and(|found| found == extension)
}
