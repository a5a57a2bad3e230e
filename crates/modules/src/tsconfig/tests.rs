//! Parsing of tsconfig files and patterns; `fixtures/modules` tests resolution with files.

use super::globs::Scope;
use super::raw::{self, RawConfig};
use super::*;

#[test]
fn a_tsconfig_may_have_comments_and_nothing_at_all() {
    assert_eq!(raw::parse(""), Ok(RawConfig::default()));
    assert_eq!(raw::parse("\u{feff} \n"), Ok(RawConfig::default()));
    let parsed = raw::parse(
        "// head\n{ \"extends\": [\"a\", \"b\",], /* x */ \"compilerOptions\": { \"baseUrl\": \".\", }, }",
    );
    let parsed = parsed.expect("comments and trailing commas are allowed");
    assert_eq!(
        (parsed.extends, parsed.base_url),
        (vec!["a".to_owned(), "b".to_owned()], Some(".".to_owned()))
    );
    assert!(raw::parse("{").is_err());
}

#[test]
fn members_of_unexpected_types_are_ignored() {
    let text = r#"{"extends":1,"files":"a","references":[{"path":1},{"path":"b"},2],
        "compilerOptions":{"baseUrl":[],"paths":{"a*b*":["x"],"c":"y","d":["z",1]}}}"#;
    let parsed = raw::parse(text).unwrap();
    assert_eq!(parsed.references, ["b"]);
    assert_eq!(parsed.files, None);
    let expected = [("d", vec!["z"]), ("c", vec![])];
    let found = parsed.paths.unwrap();
    let found: Vec<_> = found.iter().map(|(key, to)| (&**key, to.iter().map(|to| &**to).collect())).collect();
    assert_eq!(found, expected);
}

#[test]
fn lists_are_limited() {
    let list = vec!["\"a\""; raw::ENTRIES_MAX + 1].join(",");
    assert!(raw::parse(&format!("{{\"files\":[{list}]}}")).is_err());
    assert!(raw::parse(&" ".repeat(raw::BYTES_MAX + 1)).is_err());
}

#[track_caller]
fn check_scope(include: &str, inside: &[&str], outside: &[&str]) {
    let scope = Scope { include: vec![include.into()], exclude: vec!["/p/out".into()], ..Scope::default() };
    for file in inside {
        assert!(scope.has(Path::new(file)), "{file} in {include}");
    }
    for file in outside {
        assert!(!scope.has(Path::new(file)), "{file} not in {include}");
    }
}

#[test]
fn include_selects_the_files_of_a_tsconfig() {
    check_scope("/p/src", &["/p/src/a.ts", "/p/src/b/c.ts"], &["/p/a.ts", "/p/src2/a.ts", "/src/a.ts"]);
    check_scope("/p/**/*", &["/p/a.ts", "/p/x/y/a.ts"], &["/q/a.ts", "/p/out/a.ts"]);
    check_scope("/p/*.ts", &["/p/a.ts"], &["/p/x/a.ts", "/p/a.tsx"]);
    check_scope("/p/**/test/*.spec.?s", &["/p/test/a.spec.ts", "/p/x/y/test/b.spec.js"], &["/p/x/a.spec.ts"]);
    check_scope("/p/vite.config.ts", &["/p/vite.config.ts"], &["/p/vite.config.js"]);
    check_scope(&format!("/p/{}b", "*a".repeat(40)), &[], &[&format!("/p/{}", "a".repeat(200))]);
}

#[test]
fn the_closest_pattern_counts() {
    let paths = [("*", "/p/any/*"), ("@/*", "/p/src/*"), ("@/ui/*", "/p/ui/*.x"), ("@/ui/exact", "/p/e")];
    let paths = paths.map(|(pattern, target)| (pattern.to_owned(), vec![PathBuf::from(target)]));
    let config = Config { paths: paths.to_vec(), ..Config::default() };
    let mapped = |specifier, is_wildcard| config.match_paths(specifier, is_wildcard);
    assert_eq!(mapped("@/a", false), [PathBuf::from("/p/src/a")]);
    assert_eq!(mapped("@/ui/b", false), [PathBuf::from("/p/ui/b.x")]);
    assert_eq!(mapped("@/ui/exact", false), [PathBuf::from("/p/e")]);
    assert_eq!(mapped("left", false), Vec::<PathBuf>::new());
    assert_eq!(mapped("left", true), [PathBuf::from("/p/any/left")]);
}
