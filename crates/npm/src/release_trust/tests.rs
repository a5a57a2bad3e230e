//! Which versions lost the trust that those before them had.

use crate::packument::{Source, encode};

use super::*;

/// 2020-06-30T00:00:00Z.
const NOW_S: u64 = 1_593_475_200;

/// A packument of `version day trust` in June 2020: `-`, `provenance` or `publisher`.
fn packument(releases: &[&str], with_times: bool) -> Packument {
    let (mut versions, mut times) = (Vec::new(), Vec::new());
    for release in releases {
        let [version, day, trust] = release.split(' ').collect::<Vec<_>>()[..] else { panic!("{release}") };
        let manifest = match trust {
            "provenance" => r#"{"dist":{"attestations":{"url":"x","provenance":{"predicateType":"y"}}}}"#,
            "publisher" => {
                r#"{"_npmUser":{"name":"bot","trustedPublisher":{"id":"github"}},"dist":{"attestations":{"provenance":{}}}}"#
            }
            _ => r#"{"_npmUser":{"name":"ann"},"dist":{"attestations":null}}"#,
        };
        versions.push(format!("\"{version}\":{manifest}"));
        times.push(format!("\"{version}\":\"2020-06-{day}T00:00:00.000Z\""));
    }
    let time = if with_times { format!(",\"time\":{{{}}}", times.join(",")) } else { String::new() };
    let json = format!("{{\"versions\":{{{}}}{time}}}", versions.join(","));
    let source = Source { name: "left", etag: "", fetched_s: 0, fresh_until_s: 0 };
    Packument::open(Box::new(encode(&json, &source).unwrap())).unwrap()
}

fn judge(releases: &[&str], version: &str, settings: &TrustSettings, with_times: bool) -> TrustVerdict {
    let packument = packument(releases, with_times);
    let (trust, unread) = ReleaseTrust::new(settings, NOW_S);
    assert!(unread.is_empty(), "{unread:?}");
    trust.unwrap().judge(&packument, packument.find(version).unwrap())
}

#[track_caller]
fn check(releases: &[&str], version: &str, before: Option<&str>) {
    let verdict = judge(releases, version, &TrustSettings::default(), true);
    match (verdict, before) {
        (TrustVerdict::Kept, None) => {}
        (TrustVerdict::Lost(loss), Some(before)) => assert_eq!(loss.before.to_string(), before),
        (verdict, _) => panic!("{version}: {verdict:?}"),
    }
}

#[test]
fn lost_trust_is_noticed() {
    check(&["1.0.0 10 provenance", "1.1.0 20 -"], "1.1.0", Some("1.0.0"));
    check(&["1.0.0 10 publisher", "1.1.0 20 provenance"], "1.1.0", Some("1.0.0"));
    check(&["1.0.0 10 publisher", "1.1.0 11 provenance", "1.2.0 12 -"], "1.2.0", Some("1.0.0"));
    check(&["1.0.0 10 provenance", "1.1.0 11 provenance", "1.2.0 12 -"], "1.2.0", Some("1.1.0"));
}

#[test]
fn trust_that_is_kept_or_grows_is_no_loss() {
    check(&["1.0.0 10 -", "1.1.0 20 -"], "1.1.0", None);
    check(&["1.0.0 10 -", "1.1.0 20 provenance"], "1.1.0", None);
    check(&["1.0.0 10 provenance", "1.1.0 20 publisher"], "1.1.0", None);
    check(&["1.0.0 10 publisher", "1.1.0 20 publisher"], "1.1.0", None);
}

#[test]
fn earlier_is_a_matter_of_time_not_of_numbers() {
    check(&["1.0.0 10 -", "2.0.0 20 provenance"], "1.0.0", None);
    check(&["1.0.1 25 -", "2.0.0 20 provenance"], "1.0.1", Some("2.0.0"));
    check(&["1.0.0 25 provenance", "2.0.0 20 -"], "2.0.0", None);
}

#[test]
fn releases_are_not_compared_with_prereleases() {
    check(&["1.0.0-beta.1 10 provenance", "1.0.0 20 -"], "1.0.0", None);
    check(&["1.0.0-beta.1 10 provenance", "1.0.0-beta.2 20 -"], "1.0.0-beta.2", Some("1.0.0-beta.1"));
    check(&["1.0.0 10 provenance", "1.1.0-beta.1 20 -"], "1.1.0-beta.1", Some("1.0.0"));
}

#[test]
fn old_versions_and_exclusions_are_not_checked() {
    let releases = ["1.0.0 01 provenance", "1.1.0 20 -"];
    let settings = |ignored_after_s, excludes: &[&str]| TrustSettings {
        excludes: Some(excludes.iter().map(|&text| text.to_owned()).collect()),
        ignored_after_s,
        ..TrustSettings::default()
    };
    let day_s = 86_400;
    for (settings, is_lost) in [
        (settings(Some(9 * day_s), &[]), false),
        (settings(Some(10 * day_s), &[]), true),
        (settings(None, &["left"]), false),
        (settings(None, &["left@1.1.0"]), false),
        (settings(None, &["left@1.1.1", "lefty"]), true),
    ] {
        let verdict = judge(&releases, "1.1.0", &settings, true);
        assert_eq!(matches!(verdict, TrustVerdict::Lost(_)), is_lost, "{settings:?}");
    }
}

#[test]
fn the_abbreviated_document_is_only_a_suspicion() {
    let releases = ["1.0.0 10 provenance", "1.1.0 20 -"];
    let settings = TrustSettings::default();
    assert_eq!(judge(&releases, "1.1.0", &settings, false), TrustVerdict::NeedsTimes);
    assert_eq!(judge(&["1.0.0 10 -", "1.1.0 20 -"], "1.1.0", &settings, false), TrustVerdict::Kept);
    let packument = packument(&releases, false);
    let (trust, _) = ReleaseTrust::new(&settings, NOW_S);
    let loss = trust.unwrap().judge_in_full(&packument, packument.find("1.1.0").unwrap());
    assert_eq!(loss.map(|loss| loss.before.to_string()).as_deref(), Some("1.0.0"));
}

#[test]
fn the_policy_can_be_off() {
    let settings = TrustSettings { policy: TrustPolicy::of_name("off"), ..TrustSettings::default() };
    assert_eq!(ReleaseTrust::new(&settings, NOW_S), (None, Vec::new()));
    assert_eq!(TrustPolicy::of_name("no-downgrade"), Some(TrustPolicy::NoDowngrade));
    assert_eq!(TrustPolicy::of_name("yes"), None);
}
