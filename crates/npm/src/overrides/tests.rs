//! Which overrides and resolutions count, and what becomes of the others; every case as bun 1.4.5
//! takes it.

use crate::Manifest;

/// Rules as `parent@range > target@range = literal`, joined by `; `.
fn rules(text: &str) -> (String, usize) {
    let manifest = Manifest::parse(text).expect("a manifest");
    let selector = |selector: &super::Selector| match selector.range.as_str() {
        "" => selector.name.clone(),
        range => format!("{}@{range}", selector.name),
    };
    let rule = |rule: &super::Rule| match &rule.parent {
        Some(parent) => format!("{} > {} = {}", selector(parent), selector(&rule.target), rule.literal),
        None => format!("{} = {}", selector(&rule.target), rule.literal),
    };
    let rules: Vec<String> = manifest.overrides.rules.iter().map(rule).collect();
    (rules.join("; "), manifest.warnings.len())
}

fn check(key: &str, body: &str, expected: &str, warnings: usize) {
    let text = format!(
        r#"{{"dependencies":{{"odd":"^3"}},"peerDependencies":{{"odd":"*","even":"2"}},"{key}":{{{body}}}}}"#
    );
    assert_eq!(rules(&text), (expected.to_owned(), warnings), "{key}: {body}");
}

#[test]
fn overrides_are_flat_or_one_level_deep() {
    let check = |body: &str, expected: &str, warnings| check("overrides", body, expected, warnings);
    check(r#""a":"1""#, "a = 1", 0);
    check(r#""a":"1","a":"2""#, "a = 2", 0);
    check(r#""a@^1":"3""#, "a@^1 = 3", 0);
    check(r#""a@npm:^1":"3""#, "a@^1 = 3", 0);
    check(r#""@s/a@1 || >2":"3""#, "@s/a@1 || >2 = 3", 0);
    check(r#""a":{".":"1","b":"2"}"#, "a = 1; a > b = 2", 0);
    check(r#""a@1":{"b@2":"3"}"#, "a@1 > b@2 = 3", 0);
    check(r#""a>b":"1""#, "a > b = 1", 0);
    check(r#""a@>1>b@>=2":"1""#, "a@>1 > b@>=2 = 1", 0);
    check(r#""a/b":"1","@s/a/@s/b":"2","**/c":"3""#, "a > b = 1; @s/a > @s/b = 2; c = 3", 0);
    check(r#""a":{},"//":"comment","b":{"//":"too"}"#, "", 0);
    check(r#""t":"npm:u@1""#, "t = npm:u@1", 0);
}

#[test]
fn overrides_refer_to_direct_dependencies() {
    check("overrides", r#""a":"$odd","b":{"c":"$even"}"#, "a = ^3; b > c = 2", 0);
    check("overrides", r#""a":"$nope""#, "", 1);
    check("resolutions", r#""a":"$odd""#, "a = ^3", 0);
    let groups = r#"{"dependencies":{"odd":"1"},"devDependencies":{"odd":"2"},"overrides":{"a":"$odd"}}"#;
    assert_eq!(rules(groups).0, "a = 2");
}

#[test]
fn what_bun_passes_over_is_passed_over_with_a_warning() {
    for body in [
        r#""a":{"b":{"c":"1"}}"#,
        r#""a":{"b":{".":"1"}}"#,
        r#""a":{".":{"b":"1"}}"#,
        r#""a":{"b>c":"1"}"#,
        r#""a":{"b/c":"1"}"#,
        r#""a/b/c":"1""#,
        r#""a>b>c":"1""#,
        r#""a":5"#,
        r#""a":[]"#,
        r#""a":"""#,
        r#""":"1""#,
        r#""@s":"1""#,
        r#""a@":"1""#,
        r#""a/":"1""#,
        r#""**":"1""#,
        r#""a":"patch:a@1""#,
    ] {
        check("overrides", body, "", 1);
    }
    check("resolutions", r#""a":{"b":"1"}"#, "", 1);
}

#[test]
fn resolutions_are_paths_of_names() {
    let check = |body: &str, expected: &str| check("resolutions", body, expected, 0);
    check(r#""a":"1","a/b":"2","**/c":"3","d/**/e":"4""#, "a = 1; a > b = 2; c = 3; d > e = 4");
    check(r#""a@npm:^1":"2","p@^1/q@^2":"3""#, "a@^1 = 2; p@^1 > q@^2 = 3");
}

#[test]
fn overrides_put_resolutions_out_of_force() {
    assert_eq!(rules(r#"{"overrides":{},"resolutions":{"a":"1"}}"#).0, "");
}

#[test]
fn overrides_must_be_an_object() {
    for text in [r#"{"overrides":[]}"#, r#"{"resolutions":1}"#] {
        assert_eq!(Manifest::parse(text).expect_err(text).code(), "manifest-kind");
    }
}

#[test]
fn a_warning_says_what_where_and_why() {
    let manifest = Manifest::parse("{\"resolutions\": {\n\"a/b/c\": \"1\"}}").expect("a manifest");
    let expected =
        "`a/b/c` in `resolutions` is passed over: more than one level of nesting (package.json, line 2)";
    assert_eq!(manifest.warnings, [expected]);
}
