//! Cases of node-semver's `fixtures/increments.js`.

use super::*;

fn check(from: &str, by: &str, identifier: Option<&str>, expected: &str) {
    let version = Version::parse(from).expect("a version");
    let by = Increment::ALL.into_iter().find(|increment| increment.name() == by).expect("an increment");
    let next = version.increment(by, identifier).map(|version| version.to_string());
    assert_eq!(next.as_deref(), Some(expected), "{from} {by:?} {identifier:?}");
}

#[test]
fn a_release_is_raised() {
    check("1.2.3", "major", None, "2.0.0");
    check("1.2.3", "minor", None, "1.3.0");
    check("1.2.3", "patch", None, "1.2.4");
    check("1.2.3+build", "patch", None, "1.2.4");
    check("1.2.3", "premajor", None, "2.0.0-0");
    check("1.2.3", "preminor", None, "1.3.0-0");
    check("1.2.3", "prepatch", None, "1.2.4-0");
    check("1.2.0", "prerelease", None, "1.2.1-0");
}

#[test]
fn a_prerelease_becomes_its_release() {
    check("1.2.3-tag", "major", None, "2.0.0");
    check("1.2.0-0", "patch", None, "1.2.0");
    check("1.2.3-4", "minor", None, "1.3.0");
    check("1.2.0-5", "minor", None, "1.2.0");
    check("1.2.3-5", "major", None, "2.0.0");
    check("1.0.0-1", "major", None, "1.0.0");
    check("2.0.0-alpha", "major", None, "2.0.0");
}

#[test]
fn the_last_number_of_a_prerelease_is_raised() {
    check("1.2.3-0", "prerelease", None, "1.2.3-1");
    check("1.2.3-alpha.0", "prerelease", None, "1.2.3-alpha.1");
    check("1.2.3-alpha.0.beta", "prerelease", None, "1.2.3-alpha.1.beta");
    check("1.2.3-alpha.10.0.beta", "prerelease", None, "1.2.3-alpha.10.1.beta");
    check("1.2.3-alpha.10.beta.2", "prerelease", None, "1.2.3-alpha.10.beta.3");
    check("1.2.3-tag", "prerelease", None, "1.2.3-tag.0");
    check("1.2.0-1", "prepatch", None, "1.2.1-0");
}

#[test]
fn an_identifier_begins_a_prerelease() {
    check("1.2.0", "prerelease", Some("dev"), "1.2.1-dev.0");
    check("1.2.3-alpha.9.beta", "prerelease", Some("alpha"), "1.2.3-alpha.10.beta");
    check("1.2.3-alpha.9", "prerelease", Some("dev"), "1.2.3-dev.0");
    check("1.2.3-dev", "prerelease", Some("dev"), "1.2.3-dev.0");
    check("1.2.0", "preminor", Some("dev"), "1.3.0-dev.0");
    check("1.2.3-1", "premajor", Some("dev"), "2.0.0-dev.0");
    check("1.2.3-0.0", "prerelease", Some("dev"), "1.2.3-dev.0");
}

#[test]
fn numbers_too_large_have_no_next_version() {
    let largest = Version::parse("9007199254740991.0.0").expect("the largest version");
    assert_eq!(largest.increment(Increment::Major, None), None);
}

#[test]
fn a_number_is_no_identifier() {
    for text in ["beta", "rc-1", "alpha.dev"] {
        assert!(is_prerelease_identifier(text), "{text}");
    }
    for text in ["", "a b", "1", "a..b", "a/b", "x"] {
        assert!(!is_prerelease_identifier(text), "{text}");
    }
}
