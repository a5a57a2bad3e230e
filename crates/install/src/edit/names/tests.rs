//! Tests of names in `update`.

use super::*;

fn check(names: &[&str], expected: Option<&[&str]>) {
    let text =
        r#"{ "dependencies": { "left": "1", "@types/a": "1" }, "devDependencies": { "@types/b": "1" } }"#;
    let manifest = Manifest::parse(text).expect("a manifest");
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    let found = expand(&manifest, &UpdateNames { names: &names, groups: &[] });
    let found: Option<Vec<&str>> = found.as_ref().map(|names| names.iter().map(String::as_str).collect());
    assert_eq!(found.as_deref(), expected, "{names:?}");
}

#[test]
fn patterns_and_exclusions() {
    check(&[], None);
    check(&["left"], Some(&["left"]));
    check(&["@types/*"], Some(&["@types/a", "@types/b"]));
    check(&["*", "!left"], Some(&["@types/a", "@types/b"]));
    check(&["!@types/*"], Some(&["left"]));
    check(&["none"], Some(&[]));
}
