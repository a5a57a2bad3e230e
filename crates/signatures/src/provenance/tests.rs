//! Statements and bundles without their services; the test of `rusk publish` has these too.

use super::*;
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::signature::{ECDSA_P256_SHA256_ASN1, UnparsedPublicKey};
use rusk_npm::json::{self, Dialect};
use rusk_npm::name::PackageName;

fn environment(variables: &[(&str, &str)]) -> BTreeMap<String, String> {
    variables.iter().map(|&(name, value)| (name.to_owned(), value.to_owned())).collect()
}

fn subject() -> Subject {
    Subject::new(&PackageName::parse("@s/left").expect("a name"), "1.0.0", &[0xab; 64])
}

#[test]
fn a_statement_of_github_names_workflow_commit_and_run() {
    let variables = environment(&[
        ("GITHUB_SERVER_URL", "https://github.test"),
        ("GITHUB_REPOSITORY", "o/left"),
        ("GITHUB_WORKFLOW_REF", "o/left/.github/workflows/p.yml@refs/tags/v1"),
        ("GITHUB_REF", "refs/tags/v1"),
        ("GITHUB_SHA", "c0ffee"),
        ("GITHUB_RUN_ID", "7"),
        ("GITHUB_RUN_ATTEMPT", "2"),
        ("RUNNER_ENVIRONMENT", "github-hosted"),
    ]);
    let statement = Statement::new(Service::GitHub, &variables, &subject()).text;
    let root = json::parse(&statement, Dialect::Strict).expect("JSON");
    let predicate = root.find("predicate").expect("a predicate");
    let definition = predicate.find("buildDefinition").expect("a definition");
    let workflow = definition.find("externalParameters").and_then(|it| it.find("workflow")).expect("it");
    assert_eq!(workflow.find("path").and_then(|it| it.as_str()), Some(".github/workflows/p.yml"));
    assert_eq!(workflow.find("ref").and_then(|it| it.as_str()), Some("refs/tags/v1"));
    for part in [
        r#""name":"pkg:npm/%40s/left@1.0.0""#,
        r#"[{"uri":"git+https://github.test/o/left@refs/tags/v1","digest":{"gitCommit":"c0ffee"}}]"#,
        r#"{"invocationId":"https://github.test/o/left/actions/runs/7/attempts/2"}"#,
        r#"{"id":"https://github.com/actions/runner/github-hosted"}"#,
    ] {
        assert!(statement.contains(part), "{part}: {statement}");
    }
}

#[test]
fn a_statement_of_gitlab_has_no_secrets() {
    let variables = environment(&[
        ("CI_PROJECT_URL", "https://gitlab.test/o/left"),
        ("CI_COMMIT_SHA", "c0ffee"),
        ("CI_JOB_NAME", "publish"),
        ("CI_JOB_TOKEN", "of-the-job"),
        ("CI_REPOSITORY_URL", "https://ci:of-the-job@gitlab.test/o/left.git"),
        ("CI_REGISTRY_PASSWORD", "of-the-job"),
        ("CI_RUNNER_ID", "3"),
    ]);
    let statement = Statement::new(Service::GitLab, &variables, &subject()).text;
    assert!(json::parse(&statement, Dialect::Strict).is_ok());
    assert!(!statement.contains("of-the-job"), "{statement}");
    for part in [
        r#"{"id":"https://gitlab.test/o/left/-/runners/3"}"#,
        r#"{"uri":"git+https://gitlab.test/o/left","digest":{"sha1":"c0ffee"},"entryPoint":"publish"}"#,
    ] {
        assert!(statement.contains(part), "{part}: {statement}");
    }
}

#[test]
fn an_envelope_is_signed_over_type_and_length() {
    let key = EphemeralKey::generate().expect("a key");
    let envelope = Envelope::sign("{}", &key).expect("it signs").text();
    let root = json::parse(&envelope, Dialect::Strict).expect("JSON");
    let signature =
        root.find("signatures").and_then(|list| list.elements()[0].find("sig")?.as_str().map(str::to_owned));
    let signature = STANDARD.decode(signature.expect("a signature")).expect("base64");
    let point = &key.public_key()[26..];
    let signed = b"DSSEv1 28 application/vnd.in-toto+json 2 {}";
    UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(signed, &signature).expect("it is ours");
}

fn token(claims: &str) -> String {
    format!("e30.{}.x", URL_SAFE_NO_PAD.encode(claims))
}

#[test]
fn claims_are_read_from_tokens() {
    assert_eq!(fulcio::claim(&token(r#"{"sub":"job"}"#), "sub").as_deref(), Some("job"));
    assert_eq!(
        fulcio::claim(&token(r#"{"email_verified":true}"#), "email_verified").as_deref(),
        Some("true")
    );
    for broken in ["", "a", "a.b.c", &token("[]"), &token("{"), &token(r#"{"sub":""}"#)] {
        assert_eq!(fulcio::claim(broken, "sub"), None, "{broken}");
    }
}

#[test]
fn provenance_is_added_to_public_builds_only() {
    let github = environment(&[
        ("GITHUB_ACTIONS", "true"),
        ("ACTIONS_ID_TOKEN_REQUEST_URL", "http://ci.test/"),
        ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "of-the-job"),
    ]);
    assert!(is_public_build(&github, &token(r#"{"repository_visibility":"public"}"#)));
    assert!(!is_public_build(&github, &token(r#"{"repository_visibility":"private"}"#)));
    assert!(!is_public_build(&github, &token(r#"{"project_visibility":"public"}"#)));
    assert!(!is_public_build(&environment(&[]), &token(r#"{"repository_visibility":"public"}"#)));
}

fn bundle(statement: &str) -> String {
    format!(
        r#"{{ "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
          "verificationMaterial": {{ "tlogEntries": [{{ "logIndex": "12" }}] }},
          "dsseEnvelope": {{ "payload": "{}" }} }}"#,
        STANDARD.encode(statement)
    )
}

#[test]
fn a_bundle_of_a_file_must_be_about_the_package() {
    let digest = "ab".repeat(64);
    let about = |name: &str, digest: &str| {
        bundle(&format!(r#"{{"subject":[{{"name":"{name}","digest":{{"sha512":"{digest}"}}}}]}}"#))
    };
    let own = Bundle::read("p", &about("pkg:npm/%40s/left@1.0.0", &digest), &subject()).expect("it fits");
    assert_eq!(own.log_index.as_deref(), Some("12"));
    assert!(own.text.starts_with(r#"{"mediaType":"#), "{}", own.text);
    for (text, reason) in [
        (about("pkg:npm/right@1.0.0", &digest), "its statement is about `pkg:npm/right@1.0.0`"),
        (about("pkg:npm/%40s/left@1.0.0", "00"), "its statement is about another tarball"),
        (bundle(r#"{"subject":[]}"#), "its statement is not about one package"),
        (bundle("no"), "its statement is no JSON"),
        ("{}".to_owned(), "it is no bundle of Sigstore"),
        ("{".to_owned(), "expected"),
    ] {
        let problem = Bundle::read("p", &text, &subject()).expect_err(reason);
        assert!(format!("{problem:?}").contains(reason), "{problem:?}");
    }
}
