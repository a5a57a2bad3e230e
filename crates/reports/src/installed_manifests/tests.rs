//! Tests of the facts that package.json files state.

use super::*;

fn check(manifest: &str, license: Option<&str>) {
    let text = format!(r#"{{"name":"a","version":"1.0.0",{manifest}}}"#);
    let (key, facts) = parse(&text, PathBuf::new()).unwrap();
    assert_eq!(key, ("a".to_owned(), "1.0.0".to_owned()));
    assert_eq!(facts.license.as_deref(), license, "{manifest}");
}

#[test]
fn licenses_have_several_forms() {
    check(r#""license":"MIT""#, Some("MIT"));
    check(r#""license":{"type":"ISC","url":"x"}"#, Some("ISC"));
    check(r#""licenses":[{"type":"MIT"},{"type":"Apache-2.0"}]"#, Some("(MIT OR Apache-2.0)"));
    check(r#""licenses":["MIT"]"#, Some("MIT"));
    check(r#""license":"","licenses":[]"#, None);
    check(r#""license":7"#, None);
}

#[test]
fn a_package_has_a_name_and_a_version() {
    assert_eq!(parse(r#"{"name":"a"}"#, PathBuf::new()), None);
    assert_eq!(parse("{", PathBuf::new()), None);
}
