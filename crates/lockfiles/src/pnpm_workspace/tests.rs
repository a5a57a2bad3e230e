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
    check("overrides:\n  a>b: 1.0.0\n  c: '-'\n", "{}", r#"{"overrides":{"a>b":"1.0.0","c":"-"}}"#);
}

#[test]
fn decisions_about_builds_are_those_of_npm() {
    check(
        "allowBuilds: {a: true, b: false}\nneverBuiltDependencies: [c]\nignoredBuiltDependencies: [d]\n",
        "{}",
        r#"{"allowScripts":{"c":false,"d":false,"a":true,"b":false}}"#,
    );
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
fn overrides_have_the_literals_of_catalogs() {
    check(
        "catalog: {left: ^1, '@s/a': ^2}\ncatalogs: {old: {right: 1.0.0}}\n\
         overrides: {left: 'catalog:', 'x@1>@s/a@2': 'catalog:default', right: 'catalog:old', z: 'catalog:'}\n",
        r#"{"overrides":{"a":"1"},"catalog":{},"catalogs":{}}"#,
        r#"{"overrides":{"left":"^1","x@1>@s/a@2":"^2","right":"1.0.0","z":"catalog:"},"catalog":{},"catalogs":{}}"#,
    );
}

#[test]
fn the_pnpm_field_of_package_json_is_read_up_to_version_10() {
    let check = |yaml: &str, manifest: &str, expected: &str| {
        let mut workspace = PnpmWorkspace::parse(yaml).expect(yaml);
        workspace.add_manifest(manifest);
        let extended = workspace.extend(manifest);
        let overrides = Manifest::parse(&extended).expect(&extended).overrides.rules;
        let overrides: Vec<String> =
            overrides.iter().map(|rule| format!("{}={}", rule.target, rule.literal)).collect();
        assert_eq!(overrides.join(" "), expected, "{extended}");
    };
    let manifest =
        r#"{"overrides":{"a":"0"},"pnpm":{"overrides":{"a":"1","b@2":"$b"}},"dependencies":{"b":"^2.1.0"}}"#;
    check("", manifest, "a=1 b@2=^2.1.0");
    check("overrides: {c: '3'}", manifest, "c=3");
    check("", r#"{"packageManager":"pnpm@10.1.0","pnpm":{"overrides":{"a":"1"}}}"#, "a=1");
    check("", r#"{"packageManager":"pnpm@11.0.0","pnpm":{"overrides":{"a":"1"}}}"#, "");
    let mut workspace = PnpmWorkspace::default();
    let manifest = r#"{"pnpm":{"patchedDependencies":{"left@1.0.0":"p/left.patch"}}}"#;
    workspace.add_manifest(manifest);
    let manifest = Manifest::parse(&workspace.extend(manifest)).expect("a manifest");
    assert_eq!(manifest.patched_dependencies, [("left@1.0.0".to_owned(), "p/left.patch".to_owned())]);
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
