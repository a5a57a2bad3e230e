//! Trusted publishing: a token of the registry in exchange for an identity token of a CI service,
//! as npm 11 does it. In: environment variables, the registry, the package. Out: a token that may
//! publish that package for some minutes. Absent: which packages trust which pipeline; the registry
//! knows that.

use std::collections::BTreeMap;

use rusk_base::Result;
use rusk_npm::credential::Credential;
use rusk_npm::json::{self, Dialect};
use rusk_npm::name::PackageName;
use url::Url;

use crate::api::{ApiMethod, ApiRequest, ApiResponse};
use crate::client::Client;
use crate::settings::Settings;
use crate::{cache, problem};

/// A longer token is none.
const TOKEN_BYTES_MAX: usize = 64 * 1024;

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// There is no identity token: this is no CI service, or the job may not ask for one.
    NotOffered,
    Token(String),
    /// The registry or the CI service refused: one line.
    Refused(String),
}

/// `settings`: those of the registry; its credentials are not used. `registry` ends in `/`.
pub fn exchange(
    settings: &Settings,
    registry: &str,
    package: &PackageName,
    environment: &BTreeMap<String, String>,
) -> Result<Exchange> {
    let Some(registry) = Url::parse(registry).ok().filter(Url::has_host) else {
        return Ok(Exchange::NotOffered);
    };
    let identity = match identity_token(settings, &registry, environment)? {
        Exchange::Token(token) => token,
        other => return Ok(other),
    };
    // At the root of the host, as npm asks, wherever the registry is on it.
    let path = format!("/-/npm/v1/oidc/token/exchange/package/{}", cache::escape(package.as_str()));
    let Ok(url) = registry.join(&path) else { return Ok(Exchange::NotOffered) };
    let request = ApiRequest {
        method: ApiMethod::Post,
        url: url.to_string(),
        body: None,
        headers: Vec::new(),
        subject: format!("the token exchange for {package}"),
    };
    let response = send(settings, &url, identity, request)?;
    Ok(match (response.is_success(), member(&response, "token")) {
        (true, Some(token)) => Exchange::Token(token),
        (true, None) => Exchange::Refused("the registry's response has no token".to_owned()),
        (false, _) => {
            let said = member(&response, "message").or_else(|| member(&response, "error"));
            let said = said.map(|said| format!(": {said}")).unwrap_or_default();
            Exchange::Refused(format!("the registry refused the token exchange: {}{said}", response.status))
        }
    })
}

/// GitLab gives the token to the job; GitHub has an address for it.
fn identity_token(
    settings: &Settings,
    registry: &Url,
    environment: &BTreeMap<String, String>,
) -> Result<Exchange> {
    let variable = |name: &str| environment.get(name).map(String::as_str).filter(|value| !value.is_empty());
    let is_github = variable("GITHUB_ACTIONS").is_some();
    if !is_github && variable("GITLAB_CI").is_none() {
        return Ok(Exchange::NotOffered);
    }
    if let Some(token) = variable("NPM_ID_TOKEN") {
        return Ok(Exchange::Token(token.to_owned()));
    }
    let address = variable("ACTIONS_ID_TOKEN_REQUEST_URL").filter(|_| is_github);
    let (Some(address), Some(secret)) = (address, variable("ACTIONS_ID_TOKEN_REQUEST_TOKEN")) else {
        return Ok(Exchange::NotOffered);
    };
    let mut url = Url::parse(address)
        .map_err(|_| problem::bad_setting("ACTIONS_ID_TOKEN_REQUEST_URL", address, "a URL"))?;
    let audience = format!("npm:{}", registry.host_str().unwrap_or_default());
    url.query_pairs_mut().append_pair("audience", &audience);
    let request = ApiRequest::get(url.to_string(), "the identity token of the CI job".to_owned());
    let response = send(settings, &url, secret.to_owned(), request)?;
    Ok(match member(&response, "value").filter(|_| response.is_success()) {
        Some(token) => Exchange::Token(token),
        None => Exchange::Refused(format!("the CI service gave no identity token: {}", response.status)),
    })
}

/// Sends a request with this token to its own host only, also after redirects.
fn send(settings: &Settings, url: &Url, token: String, request: ApiRequest) -> Result<ApiResponse> {
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let settings =
        Settings { credentials: vec![(format!("//{host}/"), Credential::Bearer(token))], ..settings.clone() };
    Client::start(settings)?.call(request)
}

/// A text of the response's object.
fn member(response: &ApiResponse, key: &str) -> Option<String> {
    let text = std::str::from_utf8(&response.body).ok()?;
    let root = json::parse(text, Dialect::Strict).ok()?;
    let value = root.find(key)?.as_str()?;
    let is_one_line = !value.is_empty() && !value.contains(char::is_control);
    (is_one_line && value.len() <= TOKEN_BYTES_MAX).then(|| value.to_owned())
}

#[cfg(test)]
mod tests;
