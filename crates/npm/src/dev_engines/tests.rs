//! Which engines are unmet, and what is refused.

use super::*;
use crate::json::{self, Dialect};

fn parse(text: &str) -> Result<DevEngines, String> {
    DevEngines::parse(&json::parse(text, Dialect::Strict).expect(text))
}

fn current(engine: Engine) -> CurrentEngine {
    let (name, version) = match engine {
        Engine::PackageManager => ("rusk", Some("0.1.0")),
        Engine::Runtime => ("node", Some("22.4.0")),
        Engine::Cpu => ("x64", None),
        Engine::Libc => ("glibc", None),
        Engine::Os => ("linux", Some("6.1.0-18-amd64")),
    };
    CurrentEngine { name: name.to_owned(), version: version.map(str::to_owned) }
}

#[track_caller]
fn check(text: &str, expected: &[(&str, &str, OnFail)]) {
    let unmet = parse(text).expect(text).unmet(current);
    let found: Vec<_> = unmet.iter().map(|it| (it.wanted.as_str(), it.found.as_str(), it.on_fail)).collect();
    assert_eq!(found, expected, "{text}");
}

#[test]
fn names_and_versions_are_compared() {
    check(r#"{"runtime": {"name": "node", "version": ">=22"}, "os": {"name": "linux"}}"#, &[]);
    check(r#"{"packageManager": {"name": "rusk"}, "cpu": [{"name": "x64"}], "libc": []}"#, &[]);
    check(
        r#"{"runtime": {"name": "node", "version": ">=23", "onFail": "warn"}}"#,
        &[("node >=23", "node 22.4.0", OnFail::Warn)],
    );
    check(r#"{"os": {"name": "linux", "version": "6.1.0-18-amd64"}}"#, &[]);
    check(r#"{"cpu": {"name": "x64", "version": "1"}}"#, &[("x64 1", "x64", OnFail::Error)]);
}

#[test]
fn one_of_several_is_enough() {
    let text = r#"{"packageManager": [{"name": "npm"}, {"name": "rusk", "version": "^0.1.0"}]}"#;
    check(text, &[]);
    // The last one decides what happens.
    check(
        r#"{"packageManager": [{"name": "npm", "onFail": "error"}, {"name": "pnpm", "version": "9", "onFail": "ignore"}]}"#,
        &[("npm or pnpm 9", "rusk 0.1.0", OnFail::Ignore)],
    );
}

#[test]
fn the_default_is_an_error_and_so_is_a_download() {
    for on_fail in ["", r#","onFail":"error""#, r#","onFail":"download""#] {
        check(
            &format!(r#"{{"packageManager":{{"name":"npm"{on_fail}}}}}"#),
            &[("npm", "rusk 0.1.0", OnFail::Error)],
        );
    }
}

#[test]
fn what_npm_refuses_is_refused() {
    for (text, expected) in [
        ("[]", "an object as `devEngines`, found an array"),
        (
            r#"{"node": {}}"#,
            "one of `packageManager`, `runtime`, `cpu`, `libc`, `os` in `devEngines`, found `node`",
        ),
        (r#"{"os": "linux"}"#, "objects with `name` in `devEngines.os`, found a string"),
        (r#"{"os": {}}"#, "`name` in `devEngines.os`"),
        (r#"{"os": {"name": 1}}"#, "a string as `name` in `devEngines.os`, found a number"),
        (
            r#"{"os": {"name": "linux", "range": "1"}}"#,
            "`name`, `version` and `onFail` in `devEngines.os`, found `range`",
        ),
        (
            r#"{"os": {"name": "linux", "onFail": "cry"}}"#,
            "`ignore`, `warn`, `error` or `download` as `onFail` in `devEngines.os`, found `cry`",
        ),
    ] {
        assert_eq!(parse(text).unwrap_err(), expected, "{text}");
    }
}
