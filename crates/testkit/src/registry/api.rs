//! The API of a registry besides packuments and tarballs: publishing, dist-tags, deprecation,
//! users, security advisories. A user logs in with the password `secret`; the token of `ann` is
//! `token-of-ann`. A version whose package.json has a member `otp` is published with that one-time
//! password only. Trusted publishing takes `identity-for-NAME` as the token of a CI job.

use std::collections::BTreeSet;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::semver::Version;

use super::SharedRegistry;
use super::http::{Answer, Request};
use super::package::Package;
use super::{signing, sigstore};

/// Who is logged in.
#[derive(Default)]
pub struct Users {
    tokens: BTreeSet<String>,
}

impl Users {
    fn name_of(&self, request: &Request) -> Option<String> {
        let token = request.header("authorization")?.strip_prefix("Bearer ")?;
        let name = token.strip_prefix("token-of-")?;
        self.tokens.contains(token).then(|| name.to_owned())
    }
}

/// Answers a request of the API; `None` for others.
pub fn answer(shared: &SharedRegistry, request: &Request) -> Option<Answer> {
    let body = String::from_utf8_lossy(&request.body).into_owned();
    let path = request.path.as_str();
    match request.method.as_str() {
        "GET" if path == "/-/npm/v1/keys" => Some(Answer::json(200, &signing::keys())),
        "GET" if path == "/-/whoami" => Some(whoami(shared, request)),
        "PUT" if path.starts_with("/-/user/org.couchdb.user:") => Some(login(shared, &body)),
        "DELETE" if path.starts_with("/-/user/token/") => {
            let token = path.trim_start_matches("/-/user/token/");
            shared.state().users.tokens.remove(token);
            Some(Answer::json(200, r#"{"ok":true}"#))
        }
        "POST" if path == "/-/npm/v1/security/advisories/bulk" => Some(advisories(shared, &body)),
        "GET" if path == "/-/test/identity" => Some(identity(request)),
        "POST" if path.starts_with(TOKEN_EXCHANGE) => Some(exchange_token(shared, request)),
        "POST" if path.starts_with("/-/test/sigstore/") => sigstore::answer(request),
        "GET" if path.ends_with("/visibility") => Some(visibility(shared, path)),
        "PUT" if !path.starts_with("/-/") => Some(write(shared, request, &body)),
        _ => dist_tags(shared, request, path.strip_prefix("/-/package/")?, &body),
    }
}

/// Trusted publishing, followed by the package.
const TOKEN_EXCHANGE: &str = "/-/npm/v1/oidc/token/exchange/package/";

/// The identity token of a CI job for the package in the query.
fn identity(request: &Request) -> Answer {
    let package = request.query.split('&').find_map(|part| part.strip_prefix("package="));
    match (request.header("authorization"), package) {
        (Some("Bearer of-the-job"), Some(package)) if request.query.contains("audience=sigstore") => {
            Answer::json(200, &format!(r#"{{"value":"{}"}}"#, sigstore::identity(package)))
        }
        (Some("Bearer of-the-job"), Some(package)) => {
            Answer::json(200, &format!(r#"{{"value":"identity-for-{package}"}}"#))
        }
        _ => unauthorized(),
    }
}

/// The token of the user `ci` for an identity token of the package.
fn exchange_token(shared: &SharedRegistry, request: &Request) -> Answer {
    let package = request.path.trim_start_matches(TOKEN_EXCHANGE);
    if request.header("authorization") != Some(format!("Bearer identity-for-{package}").as_str()) {
        return Answer::json(404, r#"{"message":"no trusted publisher"}"#);
    }
    shared.state().users.tokens.insert("token-of-ci".to_owned());
    Answer::json(201, r#"{"token":"token-of-ci"}"#)
}

fn whoami(shared: &SharedRegistry, request: &Request) -> Answer {
    match shared.state().users.name_of(request) {
        Some(name) => Answer::json(200, &format!(r#"{{"username":"{name}"}}"#)),
        None => unauthorized(),
    }
}

fn unauthorized() -> Answer {
    Answer::json(401, r#"{"error":"you must be logged in"}"#)
}

fn login(shared: &SharedRegistry, body: &str) -> Answer {
    let root = json::parse(body, Dialect::Strict).ok();
    let member = |key| Some(root.as_ref()?.find(key)?.as_str()?.to_owned());
    match (member("name"), member("password").as_deref()) {
        (Some(name), Some("secret")) => {
            let token = format!("token-of-{name}");
            let answer = format!(r#"{{"ok":true,"token":"{token}"}}"#);
            shared.state().users.tokens.insert(token);
            Answer::json(201, &answer)
        }
        _ => Answer::json(401, r#"{"error":"wrong name or password"}"#),
    }
}

/// The advisories of each package about one of the versions in the request.
fn advisories(shared: &SharedRegistry, body: &str) -> Answer {
    let Ok(root) = json::parse(body, Dialect::Strict) else {
        return Answer::json(400, r#"{"error":"the body is not JSON"}"#);
    };
    let found = root.members().iter().filter_map(|member| {
        let versions = member.node.elements().iter().filter_map(Node::as_str);
        let versions: Vec<Version> = versions.filter_map(Version::parse).collect();
        let advisories = shared.package(&member.key)?.advisories(&versions);
        (!advisories.is_empty()).then(|| format!("\"{}\":[{}]", member.key, advisories.join(",")))
    });
    Answer::json(200, &format!("{{{}}}", found.collect::<Vec<_>>().join(",")))
}

/// Publishes a version, or deprecates versions.
fn write(shared: &SharedRegistry, request: &Request, body: &str) -> Answer {
    if shared.state().users.name_of(request).is_none() {
        return unauthorized();
    }
    let Ok(root) = json::parse(body, Dialect::Strict) else {
        return Answer::json(400, r#"{"error":"the body is not JSON"}"#);
    };
    let name = request.path.trim_start_matches('/');
    let mut package = shared.package(name).unwrap_or_else(|| Package::new(name));
    let attachment =
        root.find("_attachments").and_then(|all| all.members().first()?.node.find("data")?.as_str());
    let versions = root.find("versions").map(Node::members).unwrap_or_default();
    let Some(data) = attachment else {
        for version in versions {
            let message = version.node.find("deprecated").and_then(Node::as_str);
            package.deprecate(&version.key, message.unwrap_or_default());
        }
        shared.publish(package);
        return Answer::json(200, r#"{"ok":true}"#);
    };
    let [version] = versions else { return Answer::json(400, r#"{"error":"expected one version"}"#) };
    if package.tarball(&version.key).is_some() {
        let error = format!(r#"{{"error":"You cannot publish over the version {}"}}"#, version.key);
        return Answer::json(403, &error);
    }
    let wanted = version.node.find("otp").and_then(Node::as_str);
    if wanted.is_some() && request.header("npm-otp") != wanted {
        let mut answer = Answer::json(401, r#"{"error":"a one-time password is required"}"#);
        answer.header("www-authenticate", "OTP");
        return answer;
    }
    let Ok(tarball) = STANDARD.decode(data) else {
        return Answer::json(400, r#"{"error":"the tarball is not base64"}"#);
    };
    let statement =
        root.find("_attachments").and_then(|all| all.members().get(1)?.node.find("data")?.as_str());
    if statement.is_some_and(|statement| !sigstore::is_about(statement, &tarball)) {
        return Answer::json(422, r#"{"error":"the provenance is not about the tarball"}"#);
    }
    let mut package = package.publish(&version.key, &version.node, tarball);
    for tag in root.find("dist-tags").map(Node::members).unwrap_or_default() {
        package = package.tag(&tag.key, tag.node.as_str().unwrap_or_default());
    }
    shared.publish(package);
    Answer::json(201, r#"{"ok":true}"#)
}

/// Every package that exists is public.
fn visibility(shared: &SharedRegistry, path: &str) -> Answer {
    let name = path.trim_start_matches("/-/package/").trim_end_matches("/visibility");
    match shared.package(name) {
        Some(_) => Answer::json(200, r#"{"public":true}"#),
        None => Answer::json(404, r#"{"error":"Not found"}"#),
    }
}

/// `rest`: `NAME/dist-tags` and `NAME/dist-tags/TAG`.
fn dist_tags(shared: &SharedRegistry, request: &Request, rest: &str, body: &str) -> Option<Answer> {
    let (name, tag) = rest.split_once("/dist-tags")?;
    let Some(mut package) = shared.package(name) else {
        return Some(Answer::json(404, r#"{"error":"Not found"}"#));
    };
    if request.method == "GET" {
        return Some(Answer::json(200, &package.tags_text()));
    }
    if shared.state().users.name_of(request).is_none() {
        return Some(unauthorized());
    }
    let tag = tag.trim_start_matches('/');
    package = match (request.method.as_str(), json::parse(body, Dialect::Strict)) {
        ("PUT", Ok(version)) => package.tag(tag, version.as_str().unwrap_or_default()),
        ("DELETE", _) => package.without_tag(tag),
        _ => return Some(Answer::json(400, r#"{"error":"expected a version"}"#)),
    };
    shared.publish(package);
    Some(Answer::json(200, r#"{"ok":true}"#))
}
