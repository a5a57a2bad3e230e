//! Which versions are old enough; how ages and exclusions are read.

use super::*;

const NOW_S: u64 = 1_000 * DAY_S;
const MODE: AgeMode = AgeMode { origin: AgeOrigin::Configured, stability: StabilityCheck::On };

fn age(minimum_s: u64, excludes: &[&str]) -> (ReleaseAge, Vec<String>) {
    let excludes: Vec<String> = excludes.iter().map(|&text| text.to_owned()).collect();
    ReleaseAge::new(minimum_s, NOW_S, &excludes, MODE)
}

#[test]
fn a_version_is_admitted_at_the_minimum_age() {
    let rule = age(3 * DAY_S, &[]).0.rule_for("left").unwrap();
    let version = Version::parse("1.0.0").unwrap();
    assert!(rule.admits(&version, Some(NOW_S - 3 * DAY_S)));
    assert!(!rule.admits(&version, Some(NOW_S - 3 * DAY_S + 1)));
    assert!(!rule.admits(&version, Some(NOW_S + 100)), "a clock that is behind");
    assert!(rule.admits(&version, None));
}

#[test]
fn exclusions_are_names_patterns_and_versions() {
    let excludes = ["left", "@scope/*", "right@1.0.0 || 1.0.1", "@a/b@2.0.0"];
    let (age, unread) = age(DAY_S, &excludes);
    assert!(unread.is_empty(), "{unread:?}");
    for name in ["left", "@scope/any"] {
        assert_eq!(age.rule_for(name), None, "{name}");
    }
    let admits = |name: &str, version: &str| {
        let version = Version::parse(version).unwrap();
        age.rule_for(name).is_none_or(|rule| rule.admits(&version, Some(NOW_S)))
    };
    for (name, version, is_admitted) in [
        ("right", "1.0.0", true),
        ("right", "1.0.1", true),
        ("right", "1.0.2", false),
        ("@a/b", "2.0.0", true),
        ("@a/b", "2.0.1", false),
        ("lefty", "1.0.0", false),
        ("@scoped/any", "1.0.0", false),
    ] {
        assert_eq!(admits(name, version), is_admitted, "{name}@{version}");
    }
}

#[test]
fn an_exclusion_of_a_range_excludes_nothing() {
    let (age, unread) = age(DAY_S, &["left@^1.0.0", "right@latest", "up@", ""]);
    assert_eq!(unread, ["left@^1.0.0", "right@latest", "up@", ""]);
    assert!(age.rule_for("left").is_some());
}

#[test]
fn a_version_that_was_replaced_soon_is_unstable() {
    let rule = age(3 * DAY_S, &[]).0.rule_for("left").unwrap();
    let at = |days: u64| NOW_S - days * DAY_S;
    for (published, newer, expected) in [
        (4, 3, Stability::Unstable),
        (4, 1, Stability::Stable),
        (10, 9, Stability::Unstable),
        (11, 10, Stability::Unchecked),
    ] {
        assert_eq!(rule.stability(at(published), at(newer)), expected, "{published} {newer}");
    }
}

#[test]
fn time_spans_have_units() {
    for (text, seconds) in [
        ("259200", Some(259_200)),
        ("90m", Some(5_400)),
        ("12 hours", Some(43_200)),
        ("3d", Some(259_200)),
        ("2 weeks", Some(1_209_600)),
        ("0", Some(0)),
        ("3 months", None),
        ("-1", None),
        ("d", None),
        ("99999999999999999999", None),
        ("18446744073709551615 weeks", None),
    ] {
        assert_eq!(parse_seconds(text), seconds, "{text}");
    }
    for (text, seconds) in
        [("7", Some(604_800)), ("0.5", Some(43_200)), ("-1", None), ("NaN", None), ("1e300", None)]
    {
        assert_eq!(parse_days(text), seconds, "{text}");
    }
}

#[test]
fn durations_are_shown_in_their_largest_unit() {
    for (seconds, text) in
        [(0, "0 seconds"), (60, "1 minute"), (7_300, "2 hours"), (259_200, "3 days"), (86_400, "1 day")]
    {
        assert_eq!(duration_text(seconds), text);
    }
}
