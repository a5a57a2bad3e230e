//! Tests of approvals of install scripts.

use super::*;
use crate::manifest::Manifest;

fn verdict(manifest: &str, name: &str, version: &str) -> ApprovalState {
    let approvals = Manifest::parse(manifest).unwrap().script_approvals;
    let kind = SubjectKind::Release;
    approvals.state(&ApprovalSubject { name, version: version.to_owned(), kind }, "sha512-a")
}

/// Of `git+x`, which calls itself `esbuild`, and which the project has as `foo`.
fn foreign_verdict(manifest: &str, keys: &[&str]) -> ApprovalState {
    let approvals = Manifest::parse(manifest).unwrap().script_approvals;
    let kind = SubjectKind::Foreign(keys.to_vec());
    approvals.state(&ApprovalSubject { name: "esbuild", version: "git+x".to_owned(), kind }, "sha512-a")
}

#[test]
fn a_name_that_a_package_says_of_itself_is_not_approved() {
    let approvals = [
        r#"{ "trustedDependencies": ["NAME"] }"#,
        r#"{ "pnpm": { "onlyBuiltDependencies": ["NAME"] } }"#,
        r#"{ "pnpm": { "allowBuilds": { "NAME": true } } }"#,
        r#"{ "allowScripts": { "NAME": true } }"#,
        r#"{ "dependenciesMeta": { "NAME": { "built": true } } }"#,
    ];
    for manifest in approvals {
        let with = |name: &str| manifest.replace("NAME", name);
        for keys in [&["foo"][..], &[]] {
            assert_eq!(foreign_verdict(&with("esbuild"), keys), ApprovalState::Undecided, "{manifest}");
        }
        assert_eq!(foreign_verdict(&with("foo"), &["foo"]), approved(), "{manifest}");
        assert_eq!(foreign_verdict(&with("foo"), &[]), ApprovalState::Undecided, "{manifest}");
        assert_eq!(foreign_verdict(&with("esbuild@git+x"), &[]), approved(), "the source is stated");
        assert_eq!(foreign_verdict(&with("esbuild@git+y"), &[]), ApprovalState::Undecided);
    }
    let pinned = r#"{ "rusk": { "approvedScripts": { "esbuild@git+x": "sha512-a" } } }"#;
    assert_eq!(foreign_verdict(pinned, &[]), approved());
    for refused in ["esbuild", "foo"] {
        let manifest =
            format!(r#"{{ "trustedDependencies": ["foo"], "allowScripts": {{ "{refused}": false }} }}"#);
        assert_eq!(foreign_verdict(&manifest, &["foo"]), ApprovalState::Refused, "{refused}");
    }
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
        r#"{ "dependenciesMeta": { "a": { "built": true, "optional": true }, "b": { "built": false } } }"#,
        r#"{ "dependenciesMeta": { "a@npm:1.0.0": { "built": true }, "b": { "optional": true } } }"#,
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
        r#""dependenciesMeta": { "a": { "built": false } }"#,
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
