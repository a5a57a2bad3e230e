//! The header declares exactly the library's functions and steps.

use std::collections::BTreeSet;

use spawn::Step;

use crate::build::{home, installed, library, string};

#[test]
fn the_header_declares_what_the_library_exports() {
    assert_eq!(exported(), declared());
}

#[test]
fn every_function_is_tested() {
    let mut tests = String::new();
    for file in std::fs::read_dir(home().join("tests/c")).unwrap() {
        tests += &std::fs::read_to_string(file.unwrap().path()).unwrap();
    }
    let missing: Vec<String> =
        declared().into_iter().filter(|name| !tests.contains(&format!("{name}("))).collect();
    assert_eq!(missing, [""; 0]);
}

/// The numbers are part of the ABI.
#[test]
fn steps_have_the_numbers_that_the_header_gives_them() {
    let wanted: Vec<(String, u32)> = (1..)
        .map_while(Step::find)
        .map(|step| (format!("RUSK_STEP{}", screaming(&format!("{step:?}"))), step as u32))
        .collect();
    let found: Vec<(String, u32)> = header()
        .lines()
        .filter_map(|line| line.trim().split_once(" = "))
        .filter(|(name, _)| name.starts_with("RUSK_STEP_") && *name != "RUSK_STEP_NONE")
        .map(|(name, rest)| {
            let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
            (name.to_owned(), digits.parse().unwrap())
        })
        .collect();
    assert_eq!(found, wanted);
}

#[test]
fn the_version_is_one() {
    let line = format!("#define RUSK_SPAWN_VERSION \"{}\"\n", env!("CARGO_PKG_VERSION"));
    assert!(header().contains(&line));
    let dynamic = string("readelf", &["-d", "librusk_spawn.so"], &library());
    assert!(dynamic.contains("[librusk_spawn.so.0]"), "{dynamic}");
}

/// Functions for callbacks must not be bound lazily.
#[test]
fn calls_in_a_child_are_bound_when_the_program_is_loaded() {
    let program = crate::build::compiled("tests/c", "setup.c", crate::build::Link::Shared);
    let relocations = string("readelf", &["-rW", program.to_str().unwrap()], home());
    let lines: Vec<&str> = relocations.lines().filter(|line| line.contains("rusk_in_child_")).collect();
    assert!(lines.len() >= 9 && lines.iter().all(|line| !line.contains("JUMP_SLOT")), "{lines:#?}");
}

fn header() -> String {
    std::fs::read_to_string(installed().join("usr/include/rusk_spawn.h")).unwrap()
}

fn exported() -> BTreeSet<String> {
    let symbols = string("nm", &["-D", "--defined-only", "librusk_spawn.so"], &library());
    symbols.lines().filter_map(|line| line.split(' ').nth(2)).map(str::to_owned).collect()
}

/// Names before a parenthesis, in lines that are neither comments nor types.
fn declared() -> BTreeSet<String> {
    let header = header();
    let code = without_comments(&header);
    let names = code.split(|character: char| !(character.is_alphanumeric() || "_(".contains(character)));
    names
        .filter_map(|name| name.split_once('('))
        .map(|(name, _)| name.to_owned())
        .filter(|name| name.starts_with("rusk_"))
        .collect()
}

fn without_comments(text: &str) -> String {
    let mut code = String::new();
    for (index, part) in text.split("/*").enumerate() {
        code += if index == 0 { part } else { part.split_once("*/").unwrap().1 };
    }
    code
}

/// `NoNewPrivileges` as `_NO_NEW_PRIVILEGES`.
fn screaming(name: &str) -> String {
    let mut out = String::new();
    for character in name.chars() {
        if character.is_uppercase() {
            out.push('_');
        }
        out.push(character.to_ascii_uppercase());
    }
    out
}
