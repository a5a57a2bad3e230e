//! Which version is picked where versions must have a minimum age.

use rusk_npm::packument::{self, Source};
use rusk_npm::release_age::{AgeMode, AgeOrigin, ReleaseAge, StabilityCheck};

use super::*;

/// 2020-06-30T00:00:00Z.
const NOW_S: u64 = 1_593_475_200;
const DAY_S: u64 = 86_400;

/// `published`: versions and the day of June 2020 on which each was published.
fn versions(published: &[(&str, u32)], latest: &str, check: StabilityCheck) -> Versions {
    let releases: Vec<String> = published.iter().map(|(version, _)| format!("\"{version}\":{{}}")).collect();
    let times: Vec<String> = published
        .iter()
        .map(|(version, day)| format!("\"{version}\":\"2020-06-{day:02}T00:00:00.000Z\""))
        .collect();
    let json = format!(
        r#"{{"dist-tags":{{"latest":"{latest}","beta":"2.0.0-beta.3"}},"versions":{{{}}},"time":{{{}}}}}"#,
        releases.join(","),
        times.join(",")
    );
    versions_of(&json, check)
}

fn versions_of(json: &str, check: StabilityCheck) -> Versions {
    let source = Source { name: "left", etag: "", fetched_s: 0, fresh_until_s: 0 };
    let bytes = packument::encode(json, &source).unwrap();
    let packument = Packument::open(Box::new(bytes)).unwrap();
    let mode = AgeMode { origin: AgeOrigin::Configured, stability: check };
    let (age, _) = ReleaseAge::new(3 * DAY_S, NOW_S, &["left@1.9.9".to_owned()], mode);
    Versions::of(Arc::new(packument), age.rule_for("left"))
}

#[track_caller]
fn check(published: &[(&str, u32)], latest: &str, range: &str, expected: Option<&str>) {
    let versions = versions(published, latest, StabilityCheck::Off);
    let picked = match Range::parse(range) {
        Some(range) => versions.pick(&range),
        None => versions.tagged(range),
    };
    let picked = picked.map(|(version, _)| version.to_string());
    assert_eq!(picked.as_deref(), expected, "{range}");
}

const SOME: &[(&str, u32)] = &[
    ("1.0.0", 1),
    ("1.1.0", 20),
    ("1.2.0", 29),
    ("2.0.0-beta.1", 2),
    ("2.0.0-beta.2", 10),
    ("2.0.0-beta.3", 29),
];

#[test]
fn young_versions_are_passed_over() {
    check(SOME, "1.2.0", "^1.0.0", Some("1.1.0"));
    check(SOME, "1.2.0", "*", Some("1.1.0"));
    check(SOME, "1.2.0", "1.0.0", Some("1.0.0"));
    check(SOME, "1.2.0", "1.2.0", None);
    check(SOME, "1.2.0", "~1.2.0", None);
}

#[test]
fn a_tag_stands_for_an_older_version_of_its_kind() {
    check(SOME, "1.2.0", "latest", Some("1.1.0"));
    check(SOME, "1.2.0", "beta", Some("2.0.0-beta.2"));
    check(&[("1.0.0", 1), ("2.0.0-beta.3", 29)], "1.0.0", "beta", Some("1.0.0"));
    check(&[("1.2.0", 29), ("2.0.0-beta.3", 1)], "1.2.0", "latest", None);
}

#[test]
fn nothing_newer_than_latest_is_picked_because_latest_is_young() {
    check(&[("1.0.0", 1), ("1.1.0", 29), ("3.0.0", 2)], "1.1.0", "*", Some("1.0.0"));
}

#[test]
fn a_version_that_is_excluded_may_be_young() {
    check(&[("1.0.0", 1), ("1.9.9", 30)], "1.9.9", "^1.0.0", Some("1.9.9"));
    check(&[("1.0.0", 1), ("1.9.9", 30)], "1.9.9", "1.9.9", Some("1.9.9"));
}

/// The stability check of bun: with a minimum age of three days, on June 30.
#[track_caller]
fn check_stable(days: &[u32], expected: &str) {
    let named: Vec<String> = (0..days.len()).map(|minor| format!("1.{minor}.0")).collect();
    let published: Vec<(&str, u32)> = named.iter().map(String::as_str).zip(days.iter().copied()).collect();
    let latest = named.last().unwrap();
    let versions = versions(&published, latest, StabilityCheck::On);
    let picked = versions.pick(&Range::parse("^1.0.0").unwrap()).unwrap().0.to_string();
    assert_eq!(picked, expected, "{days:?}");
}

#[test]
fn versions_in_quick_succession_are_passed_over() {
    check_stable(&[22, 26, 27, 29], "1.0.0");
    check_stable(&[20, 24, 29], "1.1.0");
    // Nothing was passed over for its age.
    check_stable(&[24, 25, 26], "1.2.0");
    // All within the week before followed quickly: the newest that is old enough.
    check_stable(&[1, 20, 21, 22, 23, 24, 25, 26, 28], "1.7.0");
}

#[test]
fn the_youngest_version_is_named() {
    let versions = versions(SOME, "1.2.0", StabilityCheck::Off);
    let youngest = |wanted: &str| {
        versions.youngest(wanted).map(|it| (it.version.to_string(), it.age_s.expect("a time")))
    };
    assert_eq!(youngest("~1.2.0"), Some(("1.2.0".to_owned(), DAY_S)));
    assert_eq!(youngest("latest"), Some(("1.2.0".to_owned(), DAY_S)));
    assert_eq!(youngest("9"), None);
    assert_eq!(youngest("1.0.0"), None);
}

#[test]
fn what_was_passed_over_is_known() {
    let versions = versions(SOME, "1.2.0", StabilityCheck::Off);
    let range = Range::parse("^1.0.0").unwrap();
    let (picked, _) = versions.pick(&range).unwrap();
    let young = versions.passed_over(&picked, |versions| versions.pick(&range)).unwrap();
    assert_eq!((young.version.to_string().as_str(), young.age_s.expect("a time") / DAY_S), ("1.2.0", 1));
    let exact = Range::parse("1.0.0").unwrap();
    let (picked, _) = versions.pick(&exact).unwrap();
    assert_eq!(versions.passed_over(&picked, |versions| versions.pick(&exact)), None);
}

/// Versions 1.0.0, 1.1.0 and 1.2.0 with the members of `time`.
fn picked_with(times: &str) -> (String, Option<YoungVersion>) {
    let json = format!(
        r#"{{"dist-tags":{{"latest":"1.2.0"}},"versions":{{"1.0.0":{{}},"1.1.0":{{}},"1.2.0":{{}}}},"time":{{{times}}}}}"#
    );
    let versions = versions_of(&json, StabilityCheck::Off);
    let range = Range::parse("^1.0.0").unwrap();
    let (picked, _) = versions.pick(&range).unwrap();
    let young = versions.passed_over(&picked, |versions| versions.pick(&range));
    (picked.to_string(), young)
}

#[test]
fn a_version_without_a_time_beside_others_counts_as_young() {
    let picked = |times: &str| picked_with(times).0;
    let old = r#""1.0.0":"2020-01-01T00:00:00.000Z""#;
    assert_eq!(picked(old), "1.0.0");
    assert_eq!(picked(&format!(r#"{old},"1.1.0":"2020-02-02T00:00:00.000+00:00","1.2.0":"soon""#)), "1.1.0");
    assert_eq!(picked(&format!(r#"{old},"1.1.0":null,"1.2.0":7"#)), "1.0.0");
    assert_eq!(picked(&format!(r#"{old},"1.2.0":"2020-06-29T23:00:00.000+00:00""#)), "1.0.0");
    assert_eq!(picked(&format!(r#"{old},"1.2.0":"2020-06-01T00:00:00.000+00:00""#)), "1.2.0");
    let (_, young) = picked_with(old);
    assert_eq!(young.unwrap().age_text(), "has no publish time");
    let modified = r#""modified":"2020-06-01T00:00:00.000Z""#;
    assert_eq!(picked(&format!("{old},{modified}")), "1.2.0", "nothing is newer than the last change");
    assert_eq!(picked(&format!(r#"{old},"modified":"lately""#)), "1.0.0");
}

#[test]
fn without_any_time_every_version_is_old_enough() {
    assert_eq!(picked_with("").0, "1.2.0");
    assert_eq!(picked_with(r#""created":"2020-01-01T00:00:00.000Z""#).0, "1.2.0");
    assert_eq!(picked_with(r#""9.9.9":"2020-01-01T00:00:00.000Z""#).0, "1.2.0");
}
