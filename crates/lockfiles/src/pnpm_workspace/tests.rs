//! Settings of pnpm as members of package.json.

use super::*;
use rusk_npm::Manifest;

#[track_caller]
fn check(yaml: &str, manifest: &str, expected: &str) {
    assert_eq!(PnpmWorkspace::parse(yaml).expect(yaml).extend(manifest), expected);
}

#[test]
fn settings_become_members() {
    check(
        "packages:\n  - .\n  - packages/*\n  - '!**/test/**'\n",
        "{}",
        r#"{"workspaces":["packages/*","!**/test/**"]}"#,
    );
    check(
        "catalog:\n  left: ^1\n",
        "{ \"name\": \"a\", }\n",
        "{ \"name\": \"a\",\"catalog\":{\"left\":\"^1\"}, }\n",
    );
    check("overrides:\n  a>b: 1.0.0\n  c: '-'\n", "{}", r#"{"overrides":{"a>b":"1.0.0"}}"#);
}

#[test]
fn package_json_comes_first() {
    check("catalog: {left: '1'}\n", r#"{"catalog":{"left":"2"}}"#, r#"{"catalog":{"left":"2"}}"#);
}

#[test]
fn packages_replace_workspaces() {
    check("packages: [a]\n", r#"{"workspaces":["b"]}"#, r#"{"workspaces":["a"]}"#);
    check(
        "packages: [a]\n",
        "{\"workspaces\":[\n\"b\",\n\"c\"\n],\"x\":1}",
        "{\"workspaces\":[\"a\"]\n\n\n,\"x\":1}",
    );
    check(
        "packages: [a]\n",
        r#"{"workspaces":{"packages":["b"],"catalog":{"left":"1"}}}"#,
        r#"{"workspaces":{"packages":["a"],"catalog":{"left":"1"}}}"#,
    );
    check("packages: [a]\n", r#"{"workspaces":{"catalog":{}}}"#, r#"{"workspaces":{"catalog":{}}}"#);
    check("{}\n", r#"{"workspaces":["b"]}"#, r#"{"workspaces":["b"]}"#);
}

#[test]
fn an_empty_file_changes_nothing() {
    check("", "{}", "{}");
    check("# nothing\n", "{\"name\":\"a\"}", "{\"name\":\"a\"}");
}

#[test]
fn the_manifest_has_them() {
    let yaml = "packages: [p/*]\ncatalogs:\n  old:\n    left: 1.0.0\noverrides:\n  right@1: 2.0.0\n";
    let text = PnpmWorkspace::parse(yaml).expect(yaml).extend("{\"name\":\"a\"}");
    let manifest = Manifest::parse(&text).expect(&text);
    assert_eq!(manifest.workspaces, ["p/*"]);
    assert_eq!(manifest.catalogs.len(), 1);
    assert_eq!(manifest.overrides.rules[0].target.range, "1");
}

#[test]
fn ages_and_extensions_are_read() {
    let yaml = "minimumReleaseAge: 1440\nminimumReleaseAgeExclude: ['@a/*']\n\
                packageExtensions: {left@1: {dependencies: {right: '1'}}}\n";
    let workspace = PnpmWorkspace::parse(yaml).expect(yaml);
    assert_eq!(workspace.release_age.minimum_s, Some(86_400));
    assert_eq!(workspace.release_age.excludes, Some(vec!["@a/*".to_owned()]));
    assert!(workspace.package_extensions.is_some_and(|extensions| !extensions.is_empty()));
    assert!(workspace.warnings.is_empty());
    for yaml in ["minimumReleaseAge: -1\n", "minimumReleaseAge: 1.5\n", "minimumReleaseAgeExclude: a\n"] {
        assert_eq!(PnpmWorkspace::parse(yaml).expect_err(yaml).code(), "pnpm-workspace");
    }
}

#[test]
fn what_is_not_supported_is_named() {
    let workspace = PnpmWorkspace::parse("nodeLinker: hoisted\noverrides: {a: '-'}\n");
    let warnings = workspace.expect("a map").warnings;
    assert_eq!(warnings, ["`a` in `overrides` is not supported yet: `-`"]);
}

#[test]
fn what_cannot_be_one_is_an_error() {
    for (yaml, code) in [
        ("packages: a\n", "pnpm-workspace"),
        ("- a\n", "pnpm-workspace"),
        ("packages: [{}]\n", "pnpm-workspace"),
        ("catalog: 1\n", "pnpm-workspace"),
        ("a: [\n", "pnpm-workspace"),
    ] {
        assert_eq!(PnpmWorkspace::parse(yaml).expect_err(yaml).code(), code);
    }
}
