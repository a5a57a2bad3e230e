//! Keys that protect: no spelling of a value turns them off by being ignored.

use rusk_npm::release_trust::TrustPolicy;

use super::*;

#[test]
fn every_spelling_of_true_counts() {
    for value in ["true", "1", "yes", "on", "TRUE", ""] {
        let defaults = npmrc(&format!("ignore-scripts={value}\nverify-signatures={value}")).defaults;
        assert_eq!((defaults.scripts, defaults.verify), (Scripts::Ignore, Verify::Signatures), "{value}");
    }
    for value in ["1", "yes"] {
        assert_eq!(with("npm_config_ignore_scripts", value).defaults.scripts, Scripts::Ignore, "{value}");
    }
    for value in ["false", "0", "null"] {
        assert_eq!(npmrc(&format!("ignore-scripts={value}")).defaults.scripts, Scripts::Run, "{value}");
    }
}

#[test]
fn only_true_allows() {
    let is_allowed = |value: &str| {
        let text = format!("allow-foreign-sources={value}\nallow-unverified-tarballs={value}");
        let Defaults { foreign_sources, unverified_tarballs, .. } = npmrc(&text).defaults;
        let found =
            [foreign_sources == ForeignSources::Allowed, unverified_tarballs == UnverifiedTarballs::Allowed];
        assert_eq!(found[0], found[1], "{value}");
        found[0]
    };
    assert!(is_allowed("true") && is_allowed(""));
    assert!(!["no", "off", "never", "false", "0", "null", "TRUE"].into_iter().any(is_allowed));
}

#[test]
fn an_age_or_a_policy_that_is_none_is_an_error() {
    let check = |machine: Machine, message: &str, place: &str| {
        let problem = machine.load().expect_err(message).to_string();
        assert!(problem.contains("error[npmrc-value]: ") && problem.contains(message), "{problem}");
        assert!(problem.contains(place), "{problem}");
    };
    let days = "expected a number of days";
    for text in ["min-release-age=7d", "min-release-age=-1", "min-release-age=abc", "min-release-age="] {
        check(Machine::new(&[("project/.npmrc", text)]), days, "project/.npmrc`");
    }
    check(Machine::new(&[("home/.npmrc", "min-release-age=x")]), "`min-release-age` is `x`", "home/.npmrc`");
    check(Machine::new(&[("prefix/etc/npmrc", "min-release-age=x")]), days, "prefix/etc/npmrc`");
    let variable = Machine::new(&[]).with("npm_config_min_release_age", "x");
    check(variable, days, "the environment variable `npm_config_min_release_age`");
    for text in ["minimum-release-age=1 week", "minimum-release-age=-1", "trust-policy-ignore-after=1d"] {
        check(Machine::new(&[("project/.npmrc", text)]), "expected a whole number of minutes", "project");
    }
    let policy = "`trust-policy` is `foo`, expected `no-downgrade` or `off`";
    check(Machine::new(&[("project/.npmrc", "trust-policy=foo")]), policy, "project/.npmrc`");
    let workspace = ("project/pnpm-workspace.yaml", "trustPolicy: foo\n");
    check(Machine::new(&[workspace]), policy, "the settings of pnpm or Yarn");
}

#[test]
fn an_age_may_be_left_out() {
    for text in ["min-release-age=null", "min-release-age=undefined", ""] {
        assert_eq!(npmrc(text).defaults.release_age.minimum_s, None, "{text}");
    }
    assert_eq!(npmrc("min-release-age=0.5").defaults.release_age.minimum_s, Some(43_200));
    assert_eq!(npmrc("minimum-release-age=1440").defaults.release_age.minimum_s, Some(86_400));
    assert_eq!(npmrc("trust-policy=off").defaults.release_trust.policy, Some(TrustPolicy::Off));
}
