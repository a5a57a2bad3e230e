//! Tests of the token exchange against a registry on loopback, which is the CI service, too.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusk_npm::name::PackageName;
use rusk_testkit::project::Project;
use rusk_testkit::registry::Server;

use super::{Exchange, exchange};
use crate::tests::settings;

fn exchanged(server: &Server, package: &str, variables: &[(&str, &str)]) -> Exchange {
    let project = Project::new();
    let mut settings = settings(server.url(), &project);
    let host = server.url().trim_start_matches("http:");
    settings.credentials =
        vec![(host.to_owned(), rusk_npm::credential::Credential::Bearer("configured".to_owned()))];
    let environment: BTreeMap<String, String> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let package = PackageName::parse(package).expect("a name");
    exchange(&settings, server.url(), &package, &environment).expect("answers")
}

fn token(identity: &str) -> Exchange {
    Exchange::Token { token: "token-of-ci".to_owned(), identity: identity.to_owned() }
}

#[test]
fn a_token_of_gitlab_is_exchanged() {
    let server = Server::start([]);
    let variables = [("GITLAB_CI", "true"), ("NPM_ID_TOKEN", "identity-for-@scope/left")];
    assert_eq!(exchanged(&server, "@scope/left", &variables), token("identity-for-@scope/left"));
    let requests = server.requests();
    let [request] = requests.as_slice() else { panic!("one request, found {requests:?}") };
    assert_eq!(request.method, "POST");
    assert_eq!(request.header("authorization"), Some("Bearer identity-for-@scope/left"));
}

/// A project chooses its registry, and the one that gets a token can use it.
#[test]
fn a_token_for_another_registry_is_not_sent() {
    let server = Server::start([]);
    for (claims, is_sent) in [
        (r#"{"aud":"npm:registry.test"}"#, false),
        (r#"{"aud":["npm:registry.test","other"]}"#, false),
        (r#"{"aud":["npm:registry.test","npm:127.0.0.1"]}"#, true),
        (r#"{"aud":"npm:127.0.0.1"}"#, true),
    ] {
        let identity = format!("e30.{}.c2ln", URL_SAFE_NO_PAD.encode(claims));
        let before = server.requests().len();
        let found = exchanged(&server, "left", &[("GITLAB_CI", "true"), ("NPM_ID_TOKEN", &identity)]);
        assert_eq!(server.requests().len() - before, usize::from(is_sent), "{claims}");
        assert_eq!(format!("{found:?}").contains("not for `npm:127.0.0.1`"), !is_sent, "{found:?}");
    }
}

#[test]
fn a_job_of_github_asks_for_its_token() {
    let server = Server::start([]);
    let address = format!("{}-/test/identity?package=left", server.url());
    let variables = [
        ("GITHUB_ACTIONS", "true"),
        ("ACTIONS_ID_TOKEN_REQUEST_URL", address.as_str()),
        ("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "of-the-job"),
    ];
    assert_eq!(exchanged(&server, "left", &variables), token("identity-for-left"));
    let requests = server.requests();
    assert!(requests[0].query == "package=left&audience=npm%3A127.0.0.1", "{requests:?}");
    assert_eq!(requests[0].header("authorization"), Some("Bearer of-the-job"));
}

#[test]
fn without_an_identity_nothing_is_sent() {
    let server = Server::start([]);
    for variables in [
        &[][..],
        &[("NPM_ID_TOKEN", "x")],
        &[("GITHUB_ACTIONS", "true")],
        &[("GITLAB_CI", "true"), ("ACTIONS_ID_TOKEN_REQUEST_URL", "http://127.0.0.1:1/")],
    ] {
        assert_eq!(exchanged(&server, "left", variables), Exchange::NotOffered, "{variables:?}");
    }
    assert!(server.requests().is_empty());
}

#[test]
fn a_refusal_says_why() {
    let server = Server::start([]);
    let variables = [("GITLAB_CI", "true"), ("NPM_ID_TOKEN", "identity-for-right")];
    let expected = "the registry refused the token exchange: 404: no trusted publisher";
    assert_eq!(exchanged(&server, "left", &variables), Exchange::Refused(expected.to_owned()));
}
