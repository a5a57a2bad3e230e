//! Tests of filters: the selected members by path.

use super::*;
use crate::manifest::Manifest;

/// `app` depends on `ui`, which depends on `@team/core`; `docs` depends on nothing.
const MEMBERS: &[(&str, &str)] = &[
    ("", r#"{ "name": "root" }"#),
    ("apps/app", r#"{ "name": "app", "dependencies": { "ui": "workspace:*" } }"#),
    ("docs", r#"{ "name": "docs" }"#),
    ("packages/core", r#"{ "name": "@team/core", "version": "1.0.0" }"#),
    ("packages/ui", r#"{ "name": "ui", "dependencies": { "@team/core": "^1.0.0" } }"#),
];

fn selected_in(current_dir: &str, filters: &[&str]) -> Selected {
    let manifests: Vec<(&str, Manifest)> =
        MEMBERS.iter().map(|(path, text)| (*path, Manifest::parse(text).expect(text))).collect();
    let graph = WorkspaceGraph::new(manifests.iter().map(|(path, manifest)| (*path, manifest)));
    let filters: Vec<WorkspaceFilter> =
        filters.iter().map(|text| WorkspaceFilter::parse(text).expect(text)).collect();
    let files = |git_ref: &str, paths: &[&str]| ChangedFiles {
        git_ref: git_ref.to_owned(),
        paths: paths.iter().map(|path| (*path).to_owned()).collect(),
    };
    let changes = [files("main", &["packages/core/a.js", "README.md"]), files("HEAD", &[])];
    select(&graph, &filters, current_dir, &changes).expect("a selection")
}

fn check(filters: &str, expected: &[&str]) {
    let filters: Vec<&str> = filters.split(' ').collect();
    let paths: Vec<&str> = selected_in("", &filters).members.iter().map(|&at| MEMBERS[at].0).collect();
    assert_eq!(paths, expected, "{filters:?}");
}

#[test]
fn members_by_name() {
    check("ui", &["packages/ui"]);
    check("root", &[""]);
    check("@team/core", &["packages/core"]);
    check("core", &["packages/core"]);
    check("@team/*", &["packages/core"]);
    check("*o*", &["", "docs", "packages/core"]);
    check("*", &["", "apps/app", "docs", "packages/core", "packages/ui"]);
    check("ui docs", &["docs", "packages/ui"]);
}

#[test]
fn members_by_directory() {
    check("./packages/ui", &["packages/ui"]);
    check("{packages/ui}", &["packages/ui"]);
    check("./packages", &["packages/core", "packages/ui"]);
    check("./packages/*", &["packages/core", "packages/ui"]);
    check("./{docs,packages}/**", &["docs", "packages/core", "packages/ui"]);
    check("./{docs,packages/{core,ui}}", &["docs", "packages/core", "packages/ui"]);
    check("./**", &["", "apps/app", "docs", "packages/core", "packages/ui"]);
    check(".", &[""]);
    check("ui{packages}", &["packages/ui"]);
    check("app{packages}", &[]);
    check("../outside", &[]);
    let found = selected_in("packages/ui", &["../core"]).members;
    assert_eq!(found, [3]);
    assert_eq!(selected_in("packages/ui", &["."]).members, [4]);
}

#[test]
fn dependencies_and_dependents() {
    check("app...", &["apps/app", "packages/core", "packages/ui"]);
    check("app^...", &["packages/core", "packages/ui"]);
    check("...ui", &["apps/app", "packages/ui"]);
    check("...^core", &["apps/app", "packages/ui"]);
    check("...ui...", &["apps/app", "packages/core", "packages/ui"]);
    check("{packages}...", &["packages/core", "packages/ui"]);
    check("...{packages/core}", &["apps/app", "packages/core", "packages/ui"]);
}

#[test]
fn exclusions_count_wherever_they_are() {
    check("!ui", &["apps/app", "docs", "packages/core"]);
    check("!ui *", &["", "apps/app", "docs", "packages/core"]);
    check("app... !core", &["apps/app", "packages/ui"]);
    check("!./packages/*", &["apps/app", "docs"]);
    check("!...core", &["docs"]);
}

#[test]
fn changed_members_since_a_commit() {
    check("[main]", &["", "packages/core"]);
    check("...[main]", &["", "apps/app", "packages/core", "packages/ui"]);
    check("{packages}[main]", &["packages/core"]);
    check("@team/*[main]", &["packages/core"]);
    check("![main]", &["apps/app", "docs", "packages/ui"]);
    check("[HEAD]", &[]);
}

#[test]
fn filters_without_a_member_are_reported() {
    assert_eq!(selected_in("", &["ui", "none", "./nowhere", "[HEAD]"]).unmatched, ["none", "./nowhere"]);
}

#[test]
fn other_text_is_refused() {
    for text in ["", "!", "...", "!...", "^...", "{}", "[]", "a[", "a{b", "a]b["] {
        let problem = WorkspaceFilter::parse(text).expect_err(text);
        assert_eq!(problem.code(), "bad-filter", "{text}");
    }
}
