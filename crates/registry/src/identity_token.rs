//! The identity token of a CI job. In: environment variables, the audience. Out: the token, which
//! says which repository and which workflow the job belongs to. GitLab gives it to the job in a
//! variable; GitHub has an address for it.

use std::collections::BTreeMap;

use rusk_base::Result;
use url::Url;

use crate::api::{ApiRequest, ApiResponse};
use crate::problem;
use crate::settings::Settings;
use crate::trusted_publishing::{member, send};

/// Where GitHub gives tokens, and the token for that.
const ADDRESS: &str = "ACTIONS_ID_TOKEN_REQUEST_URL";
const SECRET: &str = "ACTIONS_ID_TOKEN_REQUEST_TOKEN";

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IdentityToken {
    /// This is no CI service, or the job may not ask for a token.
    NotOffered,
    Token(String),
    /// The CI service refused: one line.
    Refused(String),
}

/// Whether `request` would ask. `variable`: where a job can have the token already.
pub fn is_offered(environment: &BTreeMap<String, String>, variable: &str) -> bool {
    let is_set = |name: &str| environment.get(name).is_some_and(|value| !value.is_empty());
    let is_github = is_set("GITHUB_ACTIONS");
    let is_ci = is_github || is_set("GITLAB_CI");
    is_ci && (is_set(variable) || (is_github && is_set(ADDRESS) && is_set(SECRET)))
}

pub fn request(
    settings: &Settings,
    environment: &BTreeMap<String, String>,
    audience: &str,
    variable: &str,
) -> Result<IdentityToken> {
    if !is_offered(environment, variable) {
        return Ok(IdentityToken::NotOffered);
    }
    let value = |name: &str| environment.get(name).map(String::as_str).unwrap_or_default();
    if !value(variable).is_empty() {
        return Ok(IdentityToken::Token(value(variable).to_owned()));
    }
    let address = value(ADDRESS);
    let mut url = Url::parse(address).map_err(|_| problem::bad_setting(ADDRESS, address, "a URL"))?;
    url.query_pairs_mut().append_pair("audience", audience);
    let request = ApiRequest::get(url.to_string(), "the identity token of the CI job".to_owned());
    let response: ApiResponse = send(settings, &url, value(SECRET).to_owned(), request)?;
    Ok(match member(&response, "value").filter(|_| response.is_success()) {
        Some(token) => IdentityToken::Token(token),
        None => IdentityToken::Refused(format!("the CI service gave no identity token: {}", response.status)),
    })
}
