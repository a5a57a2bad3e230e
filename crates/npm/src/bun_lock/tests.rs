//! What a lockfile must be, and what a damaged one leads to.

use super::*;

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
