//! Tests of approvals of install scripts.

use super::*;
use crate::manifest::Manifest;

fn verdict(manifest: &str, name: &str, version: &str) -> ApprovalState {
    let approvals = Manifest::parse(manifest).unwrap().script_approvals;
    approvals.state(name, version, "sha512-a")
}

fn approved() -> ApprovalState {
    ApprovalState::Approved(ScriptGrants::default())
}

#[test]
fn an_approval_is_of_one_tarball() {
    let manifest =
        r#"{ "rusk": { "approvedScripts": { "@s/a@1.0.0": "sha512-a", "b@1.0.0": "sha512-b" } } }"#;
    assert_eq!(verdict(manifest, "@s/a", "1.0.0"), approved());
    assert_eq!(verdict(manifest, "@s/a", "1.0.1"), ApprovalState::Undecided);
    assert_eq!(verdict(manifest, "b", "1.0.0"), ApprovalState::Changed);
    assert_eq!(verdict(manifest, "c", "1.0.0"), ApprovalState::Undecided);
}

#[test]
fn an_approval_may_grant_more() {
    let manifest = r#"{ "rusk": { "approvedScripts": { "a@1.0.0":
        { "integrity": "sha512-a", "network": true, "read": ["~/.cache/a"], "write": ["build"] } } } }"#;
    let mut grants = ScriptGrants {
        network: NetworkAccess::All,
        read: vec!["~/.cache/a".to_owned()],
        write: vec!["build".to_owned()],
    };
    assert_eq!(verdict(manifest, "a", "1.0.0"), ApprovalState::Approved(grants.clone()));
    let manifest = manifest.replace("true", r#"["a.test", "*.b.test:443"]"#);
    grants.network = NetworkAccess::Hosts(vec!["a.test".to_owned(), "*.b.test:443".to_owned()]);
    assert_eq!(verdict(&manifest, "a", "1.0.0"), ApprovalState::Approved(grants.clone()));
    let written = format!(
        r#"{{ "rusk": {{ "approvedScripts": {{ {} }} }} }}"#,
        rendered("a@1.0.0", "sha512-a", &grants)
    );
    assert_eq!(verdict(&written, "a", "1.0.0"), ApprovalState::Approved(grants));
    assert!(Manifest::parse(&manifest.replace("\"a.test\"", "7")).is_err());
}

#[test]
fn approvals_of_other_programs_are_by_name() {
    for manifest in [
        r#"{ "trustedDependencies": ["a"] }"#,
        r#"{ "pnpm": { "onlyBuiltDependencies": ["a@1.0.0 || 1.1.0"] } }"#,
        r#"{ "pnpm": { "allowBuilds": { "a": true, "b": false } } }"#,
        r#"{ "allowScripts": { "a@1.0.0": true } }"#,
    ] {
        assert_eq!(verdict(manifest, "a", "1.0.0"), approved(), "{manifest}");
        assert!(!matches!(verdict(manifest, "b", "1.0.0"), ApprovalState::Approved(_)), "{manifest}");
    }
    assert_eq!(verdict(r#"{ "allowScripts": { "a@1.0.0": true } }"#, "a", "1.0.1"), ApprovalState::Undecided);
}

#[test]
fn a_refusal_wins() {
    for refusal in [
        r#""allowScripts": { "a": false }"#,
        r#""pnpm": { "neverBuiltDependencies": ["a"] }"#,
        r#""pnpm": { "ignoredBuiltDependencies": ["a"] }"#,
    ] {
        let own = r#""rusk": { "approvedScripts": { "a@1.0.0": "sha512-a" } }"#;
        let manifest = format!(r#"{{ "trustedDependencies": ["a"], {own}, {refusal} }}"#);
        assert_eq!(verdict(&manifest, "a", "1.0.0"), ApprovalState::Refused, "{manifest}");
    }
}

#[test]
fn an_unreadable_approval_is_an_error() {
    for approvals in [
        r#"[]"#,
        r#"{ "a@1": true }"#,
        r#"{ "a@1": {} }"#,
        r#"{ "a@1": { "integrity": "s", "network": 1 } }"#,
    ] {
        let manifest = format!(r#"{{ "rusk": {{ "approvedScripts": {approvals} }} }}"#);
        assert_eq!(Manifest::parse(&manifest).unwrap_err().code(), "manifest-kind", "{approvals}");
    }
}

#[test]
fn names_that_are_mentioned() {
    let manifest = r#"{ "trustedDependencies": ["a", "@s/b@1.0.0"], "allowScripts": { "c": false } }"#;
    let approvals = Manifest::parse(manifest).unwrap().script_approvals;
    assert_eq!(approvals.names().collect::<Vec<_>>(), ["a", "@s/b"]);
    assert!(approvals.mentions("@s/b") && !approvals.mentions("c") && !approvals.is_empty());
}

#[test]
fn paths_of_grants_are_the_same_for_everybody() {
    let base = GrantBase { project: Path::new("/home/me/app"), home: Some(Path::new("/home/me")) };
    for (path, written) in [
        ("/home/me/app/.git/hooks", ".git/hooks"),
        ("/home/me/.cache/x", "~/.cache/x"),
        ("/home/me/app", "."),
        ("/home/me", "/home/me"),
        ("/opt/x", "/opt/x"),
        ("/home/me/app/~/x", "~/app/~/x"),
    ] {
        assert_eq!(base.written(Path::new(path)), written);
    }
}
