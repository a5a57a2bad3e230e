//! The tables of keys have every key that the sources read.

use super::keys::{BUNFIG_INSTALL, BUNFIG_PROGRAM, BUNFIG_SECURITY, Key, MANIFEST, NPMRC, REGISTRY};
use std::collections::BTreeSet;

/// String literals that are the first argument of one of these functions in a source without tests.
fn keys_read(paths: &[&str], functions: &[&str]) -> BTreeSet<String> {
    let mut keys = BTreeSet::new();
    for path in paths {
        let text = std::fs::read_to_string(crate::docs::tests::root().join(path)).expect(path);
        for function in functions {
            for (index, call) in text.match_indices(&format!("{function}(")) {
                let arguments = &text[index + call.len()..];
                let arguments = &arguments[..arguments.find([')', '\n']).unwrap_or(arguments.len())];
                let literal = arguments.split('"').nth(1);
                let is_whole = !text[..index].ends_with(|last: char| last.is_alphanumeric() || last == '_');
                keys.extend(literal.filter(|_| is_whole).map(str::to_owned));
            }
        }
    }
    keys
}

/// Keys that a source names twice, `const NAME: &str = "a-key";`.
fn key_constants(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(crate::docs::tests::root().join(path)).expect(path);
    let constants = text.lines().filter(|line| line.starts_with("const ") && line.contains(": &str = "));
    let values = constants.filter_map(|line| line.split('"').nth(1));
    let is_key = |value: &&str| value.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    values.filter(is_key).map(str::to_owned).collect()
}

#[track_caller]
fn check(read: BTreeSet<String>, tables: &[&[Key]], except: &[&str]) {
    let known: BTreeSet<&str> = tables.iter().flat_map(|table| table.iter()).map(|key| key.name).collect();
    let missing: Vec<&String> = read.iter().filter(|name| !known.contains(name.as_str())).collect();
    assert!(missing.is_empty(), "document these keys in xtask/src/docs/configuration/keys.rs: {missing:?}");
    let unread: Vec<&&str> =
        known.iter().filter(|name| !read.contains(**name) && !except.contains(*name)).collect();
    assert!(unread.is_empty(), "nothing reads these keys: {unread:?}");
}

#[test]
fn every_key_of_bunfig_is_documented() {
    let mut read =
        keys_read(&["crates/npm/src/bunfig.rs"], &["truth", "find", "string", "strings", "secret"]);
    // Members of the table `cache`, and the tables themselves.
    for member in ["dir", "disable", "install", "security"] {
        read.remove(member);
    }
    check(read, &[BUNFIG_INSTALL, BUNFIG_SECURITY, REGISTRY], &[]);
    let mut read = keys_read(&["crates/npm/src/bunfig/program.rs"], &["find", "string", "strings", "number"]);
    read.remove("file");
    check(read, &[BUNFIG_PROGRAM], &[]);
}

#[test]
fn every_key_of_npmrc_is_documented() {
    let files = [
        "lib",
        "network",
        "linkers",
        "sources",
        "registries",
        "interception",
        "release_age",
        "release_trust",
        "sent_variables",
    ];
    let paths: Vec<String> = files.iter().map(|file| format!("crates/configuration/src/{file}.rs")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let functions = [
        "one",
        "all",
        "truth",
        "number",
        "boolean",
        "allows",
        "permission",
        "set",
        "key",
        "list",
        "small",
        "patterns",
    ];
    let mut read = keys_read(&paths, &functions);
    read.extend(paths.iter().flat_map(|path| key_constants(path)));
    let of_registries = [
        "@scope:registry",
        "//host/path/:_authToken",
        "//host/path/:_auth",
        "//host/path/:username",
        "//host/path/:_password",
    ];
    check(read, &[NPMRC], &of_registries);
}

#[test]
fn every_field_of_package_json_is_documented() {
    let files = ["manifest.rs", "manifest/fields.rs", "manifest/scripts.rs", "overrides.rs"];
    let paths: Vec<String> = files.iter().map(|file| format!("crates/npm/src/{file}")).collect();
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    let functions = ["find", "string", "strings_of", "string_or_list"];
    let mut read = keys_read(&paths, &functions);
    read.remove("optional");
    // Read through `Group::key`, and by the module resolver.
    let elsewhere = [
        "dependencies",
        "devDependencies",
        "optionalDependencies",
        "peerDependencies",
        "config",
        "type",
        "main",
        "exports",
        "imports",
        "overrides",
        "resolutions",
    ];
    check(read, &[MANIFEST], &elsewhere);
}
