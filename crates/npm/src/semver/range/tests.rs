//! Ranges against npm's own cases, and the edges that those leave out.

use super::super::{Syntax, Version};
use super::*;
use crate::json::{Node, Value};
use crate::semver::cases::{each_case, field};

fn rules(case: &Node<'_>) -> Rules {
    let is_set = |key| case.find(key).is_some();
    Rules {
        syntax: if is_set("loose") { Syntax::Loose } else { Syntax::Strict },
        prereleases: if is_set("includePrerelease") { Prereleases::Included } else { Prereleases::Named },
    }
}

/// A version that is none satisfies nothing.
fn satisfies(case: &Node<'_>) -> bool {
    let range = Range::parse_with(field(case, "range"), rules(case)).expect("a range");
    Version::parse_with(field(case, "version"), rules(case).syntax)
        .is_some_and(|version| range.contains(&version))
}

#[test]
fn versions_that_npm_lets_in() {
    each_case(include_str!("../../../../../fixtures/semver/range-include.json"), |case| {
        assert!(satisfies(case), "{} {}", field(case, "range"), field(case, "version"));
    });
}

#[test]
fn versions_that_npm_keeps_out() {
    each_case(include_str!("../../../../../fixtures/semver/range-exclude.json"), |case| {
        assert!(!satisfies(case), "{} {}", field(case, "range"), field(case, "version"));
    });
}

#[test]
fn ranges_are_reduced_as_npm_does() {
    each_case(include_str!("../../../../../fixtures/semver/range-parse.json"), |case| {
        let found = Range::parse_with(field(case, "range"), rules(case)).map(|range| range.to_string());
        let wanted = case.find("canonical").and_then(Node::as_str);
        assert_eq!(found.as_deref(), wanted, "{}", field(case, "range"));
    });
}

#[test]
fn intersections_of_npm() {
    let check = |case: &Node<'_>| {
        for syntax in [Syntax::Strict, Syntax::Loose] {
            let range =
                |key| Range::parse_with(field(case, key), Rules { syntax, ..rules(case) }).expect("a range");
            let wanted = case.find("intersects").map(|node| node.value.clone());
            for (left, right) in [(range("left"), range("right")), (range("right"), range("left"))] {
                assert_eq!(Some(Value::Bool(left.intersects(&right))), wanted, "{left} {right}");
            }
        }
    };
    each_case(include_str!("../../../../../fixtures/semver/range-intersection.json"), check);
    each_case(include_str!("../../../../../fixtures/semver/comparator-intersection.json"), check);
}

fn check(range: &str, wanted: &str) {
    assert_eq!(Range::parse(range).map(|range| range.to_string()).as_deref(), Some(wanted), "{range}");
}

#[test]
fn loose_ranges_pass_over_words_without_meaning() {
    check("foo ^1.2.3 bar", ">=1.2.3 <2.0.0-0");
    check("foo || 1.2.3", "1.2.3");
    check("== 1.0.0", "1.0.0");
    check("1.2.3*", "1.2.3");
    check("~1.2.1 = 1.2.3", ">=1.2.1 <1.3.0-0 1.2.3");
    check("v = 1", ">=1.0.0 <2.0.0-0");
    check("1.2.3+a - 2.4.3 +a", ">=1.2.3 <=2.4.3");
    check("1.2.3+*a", "1.2.3");
    check("> = 1.2", ">=1.2.0 <1.3.0-0");
    assert_eq!(Range::parse("latest"), None);
    assert_eq!(Range::parse("sadf||asdf"), None);
    assert_eq!(Range::parse("^9007199254740991.0.0 || 1"), None);
}

#[test]
fn an_exact_range_names_its_version() {
    let exact = |text| Range::parse(text).expect("a range").is_exact().map(|version| version.to_string());
    assert_eq!(exact("=v1.2.3").as_deref(), Some("1.2.3"));
    assert_eq!(exact("1.2.3-beta+build").as_deref(), Some("1.2.3-beta"));
    for text in ["1.2", "^1.2.3", "1.2.3 || 1.2.4", "*", ">=1.2.3 <=1.2.3"] {
        assert_eq!(exact(text), None, "{text}");
    }
}

#[test]
fn the_range_of_everything_is_known() {
    for text in ["", "*", "x", "X", " ", "||", ">=0.0.0", "1 || *", "x.x.x", "^*"] {
        assert!(Range::parse(text).expect("a range").is_any(), "{text}");
    }
    for text in ["0", ">0.0.0", "^0", ">=0.0.0-0"] {
        assert!(!Range::parse(text).expect("a range").is_any(), "{text}");
    }
    assert_eq!(Range::parse("*"), Some(Range::any()));
}

#[test]
fn the_greatest_version_inside_is_picked() {
    let versions: Vec<_> =
        ["1.2.3", "1.9.0", "1.10.0-beta", "2.0.0"].map(|text| Version::parse(text).expect(text)).into();
    let pick = |range: &str| {
        Range::parse(range).expect("a range").max_satisfying(&versions).map(|version| version.to_string())
    };
    assert_eq!(pick("^1").as_deref(), Some("1.9.0"));
    assert_eq!(pick("^1.10.0-a").as_deref(), Some("1.10.0-beta"));
    assert_eq!(pick("*").as_deref(), Some("2.0.0"));
    assert_eq!(pick("3"), None);
}

#[test]
fn hostile_ranges_are_bounded() {
    assert!(Range::parse(&"1 ".repeat(parse::RANGE_WORDS_MAX)).is_some());
    assert!(Range::parse(&"1 ".repeat(parse::RANGE_WORDS_MAX + 1)).is_none());
    assert!(Range::parse(&"1||".repeat(parse::RANGE_WORDS_MAX + 1)).is_none());
    assert!(Range::parse(&" ".repeat(parse::RANGE_BYTES_MAX + 1)).is_none());
    for hostile in ["= ", "> =", "<", "~> ", "^ ", "v ", "+", "1+a.", "- ", "*"] {
        let _ = Range::parse(&hostile.repeat(parse::RANGE_BYTES_MAX / hostile.len()));
    }
}
