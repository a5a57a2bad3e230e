//! What a lockfile must be, and what a damaged one leads to.

use super::*;
use crate::graph::PackageId;
use crate::json;

fn error_of(text: &str) -> String {
    parse(text).expect_err("damaged").to_string()
}

const HEAD: &str = "{\n\"lockfileVersion\": 2,\n\"configVersion\": 1,\n\"workspaces\": { \"\": { \"name\": \"app\", \"dependencies\": { \"left\": \"^1.0.0\" } } },\n";

#[test]
fn a_conflict_is_named_with_its_line() {
    let text = format!("{HEAD}<<<<<<< ours\n}}");
    assert_eq!(
        error_of(&text),
        "error[lockfile-conflict]: bun.lock has a merge conflict at line 5\nhint: keep one side, then run `rusk install`"
    );
}

#[test]
fn a_newer_version_is_refused() {
    assert!(error_of("{ \"lockfileVersion\": 9, \"workspaces\": {} }").contains("has version `9`"));
}

#[test]
fn an_entry_names_its_line() {
    let entries = [
        "\"left\": [\"left\"]",
        "\"left\": [\"left@1.0.0\"]",
        "\"left\": [\"left@1.0.0\", \"\"]",
        "\"left\": [\"left@1.0.0\", \"\", {}]",
        "\"left\": [\"../left@1.0.0\", \"\", {}, \"\"]",
        "\"../left\": [\"left@1.0.0\", \"\", {}, \"\"]",
        "\"left\": [\"left@git+https://git.test/left#abc\", {}, \"../../x\"]",
        "\"left\": [\"left@workspace:packages/left\"]",
        "\"left\": [\"left@1.0.0\", \"https://registry.test/left.tgz\", {}, \"\"]",
    ];
    for entry in entries {
        let error = error_of(&format!("{HEAD}\"packages\": {{\n{entry}\n}} }}"));
        assert!(error.contains("line 6"), "{entry}: {error}");
    }
}

#[test]
fn a_dependency_without_a_package_is_an_error() {
    let error = error_of(&format!("{HEAD}\"packages\": {{}} }}"));
    assert!(error.contains("a package for `left`"), "{error}");
}

#[test]
fn an_optional_dependency_may_be_missing() {
    let text = "{ \"lockfileVersion\": 1, \"workspaces\": { \"\": { \"optionalDependencies\": { \"left\": \"1\" } } } }";
    assert!(parse(text).is_ok());
}

/// A lockfile of version 2 whose project wants nothing, with these members of `packages`.
fn with_packages(entries: &str) -> String {
    format!("{{ \"lockfileVersion\": 2, \"workspaces\": {{ \"\": {{}} }}, \"packages\": {{\n{entries}\n}} }}")
}

#[test]
fn nothing_in_an_entry_is_a_path_out_of_its_place() {
    let release = |key: &str, name: &str| format!("\"{key}\": [\"{name}@1.0.0\", \"\", {{}}, \"\"]");
    for path in
        ["..", "../left", "a/../b", "/etc", "a//b", "./a", "a/", ".bin", "node_modules/x", "a\\\\b", "", "@s"]
    {
        assert!(parse(&with_packages(&release(path, "left"))).is_err(), "the key {path:?}");
    }
    for name in
        ["..", "../x", "/x", "a/b", ".bin", "node_modules", "__proto__", "a\\u0000b", "a\\u001bb", "@s"]
    {
        assert!(parse(&with_packages(&release("left", name))).is_err(), "the name {name:?}");
    }
    for version in ["../1", "1.0.0/../../x", "1.0.0/x", "/etc/passwd", "file", ""] {
        let entry = format!("\"left\": [\"left@{version}\", \"\", {{}}, \"\"]");
        assert!(parse(&with_packages(&entry)).is_err(), "the version {version:?}");
    }
    for path in ["../ui", "/ui", "a/../../ui", "", ".", "a//b", "a\\\\b"] {
        let entry = format!("\"ui\": [\"ui@workspace:{path}\"]");
        assert!(parse(&with_packages(&entry)).is_err(), "the workspace {path:?}");
        let member = format!(
            "{{ \"lockfileVersion\": 2, \"workspaces\": {{ \"\": {{}}, \"{path}\": {{ \"name\": \"ui\" }} }} }}"
        );
        assert!(path.is_empty() || parse(&member).is_err(), "the member {path:?}");
    }
    for tag in ["..", "../x", "/x", "a/b", ".x", "-x", "a b", "a\\u0000", ""] {
        let entry = format!("\"left\": [\"left@github:o/left#abc\", {{}}, \"{tag}\"]");
        assert!(parse(&with_packages(&entry)).is_err(), "the tag {tag:?}");
    }
}

#[test]
fn a_key_or_a_member_stands_once() {
    let entry = "\"left\": [\"left@1.0.0\", \"\", {}, \"\"]";
    assert!(parse(&with_packages(entry)).is_ok());
    assert!(error_of(&with_packages(&format!("{entry},\n{entry}"))).contains("line 3"));
    let twice = "{ \"dependencies\": { \"left\": \"1\", \"left\": \"2\" } }";
    let error =
        error_of(&with_packages(&format!("{entry},\n\"right\": [\"right@1.0.0\", \"\", {twice}, \"\"]")));
    assert!(error.contains("line 3") && error.contains("`left` once in `dependencies`"), "{error}");
}

#[test]
fn an_integrity_that_says_nothing_is_none_and_enough_for_the_registry_alone() {
    for integrity in ["", "md5-AAAA", "sha512-AAAA", "sha3-AAAA", "garbage"] {
        let of = |url: &str| {
            parse(&with_packages(&format!("\"left\": [\"left@1.0.0\", \"{url}\", {{}}, \"{integrity}\"]")))
        };
        let lockfile = of("").expect("where the registry keeps it");
        assert_eq!(lockfile.graph.package(PackageId(1)).integrity, None, "{integrity}");
        assert!(of("https://elsewhere.test/left.tgz").is_err(), "{integrity}");
        assert!(of("file:///etc/passwd").is_err(), "{integrity}");
    }
}

/// What a bounded parser does quickly and an unbounded one never: the limit is generous, the work
/// is not.
fn soon(text: &str) -> Option<String> {
    let started = std::time::Instant::now();
    let outcome = parse(text).err().map(|problem| problem.to_string());
    assert!(started.elapsed().as_secs() < 30, "{:?}", started.elapsed());
    outcome
}

#[test]
fn size_and_depth_are_bounded() {
    let nested = with_packages(&format!("\"left\": {}{}", "[".repeat(100_000), "]".repeat(100_000)));
    assert!(soon(&nested).expect("too deep").contains("fewer levels of nesting"));
    let values = with_packages(&format!("\"left\": [{}0]", "0,".repeat(json::NODES_MAX)));
    assert!(soon(&values).expect("too many").contains("fewer values"));
    let deep = format!("\"{}a\": [\"a@1.0.0\", \"\", {{}}, \"\"]", "a/".repeat(3000));
    assert!(soon(&with_packages(&deep)).expect("too long").contains("4096 bytes"));
    let versions: Vec<String> =
        (0..300).map(|number| format!("\"x{number}\": [\"left@{number}.0.0\", \"\", {{}}, \"\"]")).collect();
    assert!(soon(&with_packages(&versions.join(",\n"))).expect("too many").contains("at most 256 packages"));
    let dependencies: Vec<String> = (0..20_001).map(|number| format!("\"x{number}\": \"*\"")).collect();
    let entry = format!(
        "\"a\": [\"a@1.0.0\", \"\", {{ \"peerDependencies\": {{ {} }} }}, \"\"]",
        dependencies.join(",")
    );
    assert!(soon(&with_packages(&entry)).expect("too many").contains("20000 dependencies"));
}

#[test]
fn many_entries_and_many_members_take_no_more_than_their_share_of_time() {
    let packages: Vec<String> = (0..100_000)
        .map(|number| format!("\"x{number}\": [\"x{number}@1.0.0\", \"\", {{}}, \"\"]"))
        .collect();
    assert_eq!(soon(&with_packages(&packages.join(",\n"))), None);
    let members: Vec<String> =
        (0..30_000).map(|number| format!("\"p/x{number}\": {{ \"name\": \"x{number}\" }}")).collect();
    let packages: Vec<String> =
        (0..30_000).map(|number| format!("\"x{number}\": [\"x{number}@workspace:p/x{number}\"]")).collect();
    let text = format!(
        "{{ \"lockfileVersion\": 2, \"workspaces\": {{ \"\": {{}},\n{} }}, \"packages\": {{\n{}\n}} }}",
        members.join(",\n"),
        packages.join(",\n")
    );
    assert_eq!(soon(&text), None);
    let ring = "\"a\": [\"a@1.0.0\", \"\", { \"dependencies\": { \"b\": \"*\" } }, \"\"],\n\"b\": [\"b@1.0.0\", \"\", { \"dependencies\": { \"a\": \"*\" } }, \"\"]";
    assert_eq!(soon(&with_packages(ring)), None);
}

#[test]
fn a_dependency_on_the_registry_is_answered_by_the_package_of_its_name() {
    let check = |literal: &str, rules: &str, entry: &str, is_taken: bool| {
        let text = format!(
            "{{ \"lockfileVersion\": 2, \"workspaces\": {{ \"\": {{ \"dependencies\": {{ \"left\": \"{literal}\" }} }} }}, {rules} \"packages\": {{ \"left\": [{entry}] }} }}"
        );
        let outcome = parse(&text);
        assert_eq!(outcome.is_ok(), is_taken, "{literal} {rules} {entry}: {:?}", outcome.err());
    };
    let left = "\"left@1.0.0\", \"\", {}, \"\"";
    let evil = "\"evil@1.0.0\", \"\", {}, \"\"";
    let elsewhere = [
        "\"left@file:/home/somebody/.keys\", {}",
        "\"left@link:../left\", {}",
        "\"left@left.tgz\", {}",
        "\"left@https://evil.test/left.tgz\", {}",
        "\"left@github:evil/left#abc\", {}, \"evil-left-abc\"",
        "\"left@git+https://evil.test/left#abc\", {}, \"abc\"",
    ];
    for literal in ["^1.0.0", "*", "latest", "npm:left@1"] {
        check(literal, "", left, true);
        check(literal, "", evil, false);
        for entry in elsewhere {
            check(literal, "", entry, false);
            check(literal, "\"overrides\": { \"left\": \"file:left\" },", entry, true);
        }
    }
    check("npm:evil@1", "", evil, true);
    check("npm:evil@1", "", left, false);
    check("1", "\"overrides\": { \"left\": \"npm:evil@1\" },", evil, true);
    check("catalog:", "\"catalog\": { \"left\": \"npm:evil@1\" },", evil, true);
    check("catalog:", "\"catalog\": { \"left\": \"^1.0.0\" },", evil, false);
    check("file:/home/somebody/.keys", "", elsewhere[0], true);
    check("github:evil/left", "", elsewhere[4], true);
}
