//! Versions against npm's own cases.

use super::*;
use crate::json::{Node, Value};
use crate::semver::cases::{each_case, field};

fn version(case: &Node<'_>, key: &str) -> Option<Version> {
    let syntax = match case.find("loose").is_some() {
        true => Syntax::Loose,
        false => Syntax::Strict,
    };
    Version::parse_with(field(case, key), syntax)
}

#[test]
fn comparisons_of_npm() {
    each_case(include_str!("../../../../../fixtures/semver/comparisons.json"), |case| {
        let greater = version(case, "greater").expect("a version");
        let lesser = version(case, "lesser").expect("a version");
        assert!(greater > lesser, "{greater} {lesser}");
        assert!(greater.cmp_precedence(&lesser).is_gt() && lesser.cmp_precedence(&greater).is_lt());
        assert_eq!(greater.cmp(&greater), Ordering::Equal);
    });
}

#[test]
fn equalities_of_npm() {
    each_case(include_str!("../../../../../fixtures/semver/equality.json"), |case| {
        let left = version(case, "left").expect("a version");
        let right = version(case, "right").expect("a version");
        assert_eq!(left.cmp_precedence(&right), Ordering::Equal, "{left} {right}");
        assert_eq!(left == right, left.build() == right.build());
    });
}

#[test]
fn valid_versions_of_npm() {
    each_case(include_str!("../../../../../fixtures/semver/valid-versions.json"), |case| {
        let version = version(case, "version").expect("a version");
        for (key, number) in [("major", version.major), ("minor", version.minor), ("patch", version.patch)] {
            let wanted = case.find(key).map(|node| node.value.clone());
            assert_eq!(wanted, Some(Value::Number(&number.to_string())), "{version}");
        }
        assert_eq!(version.pre().unwrap_or(""), field(case, "prerelease"));
        assert_eq!(version.build().unwrap_or(""), field(case, "build"));
    });
}

#[test]
fn invalid_versions_of_npm() {
    each_case(include_str!("../../../../../fixtures/semver/invalid-versions.json"), |case| {
        assert_eq!(version(case, "version"), None, "{}", field(case, "reason"));
    });
}

#[test]
fn loose_versions_are_read_as_node_reads_them() {
    for (text, wanted) in [
        ("=v 01.02.03", "1.2.3"),
        ("1.2.3beta", "1.2.3-beta"),
        ("1.2.3-007.a", "1.2.3-7.a"),
        ("1.2.3-", "1.2.3--"),
        ("1.2.34.5", "1.2.3-4.5"),
        ("\u{a0}1.2.3\u{feff}", "1.2.3"),
        ("1.2.3-a+b.c", "1.2.3-a+b.c"),
    ] {
        assert_eq!(
            Version::parse(text).map(|version| version.to_string()).as_deref(),
            Some(wanted),
            "{text}"
        );
    }
    for text in ["", "1", "1.2", "1.2.3.4", "1.2.3-a..b", "1.2.3+", "x.1.2", "1.2.3 4", "\u{85}1.2.3"] {
        assert_eq!(Version::parse(text), None, "{text}");
    }
}

#[test]
fn long_numbers_in_prereleases_keep_their_order() {
    let parse = |text| Version::parse(text).expect("a version");
    assert!(parse("1.0.0-20230101123456789") < parse("1.0.0-20230101123456790"));
    assert!(parse("1.0.0-99") < parse("1.0.0-20230101123456790"));
}

#[test]
fn the_build_decides_last() {
    let parse = |text| Version::parse(text).expect("a version");
    assert!(parse("1.0.0+a") < parse("1.0.0+b") && parse("1.0.0") < parse("1.0.0+a"));
    assert!(parse("1.0.0+b") < parse("1.0.1+a"));
}

#[test]
fn text_of_256_bytes_is_the_longest() {
    assert!(Version::parse(&format!("1.2.3-{}", "a".repeat(250))).is_some());
    assert!(Version::parse(&format!("1.2.3-{}", "a".repeat(251))).is_none());
    assert!(Version::parse(&format!("{}1.2.3", " ".repeat(252))).is_none());
}
