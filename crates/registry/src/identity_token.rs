//! The identity token of a CI job. In: environment variables, the audience. Out: the token, which
//! says which repository and which workflow the job belongs to. GitLab gives it to the job in a
//! variable; GitHub has an address for it.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rusk_base::Result;
use rusk_npm::json::{self, Dialect, Node};
use url::Url;

use crate::api::{ApiRequest, ApiResponse};
use crate::problem;
use crate::settings::Settings;
use crate::trusted_publishing::{member, send};

/// Where GitHub gives tokens, and the token for that.
const ADDRESS: &str = "ACTIONS_ID_TOKEN_REQUEST_URL";
const SECRET: &str = "ACTIONS_ID_TOKEN_REQUEST_TOKEN";

/// Of RFC 7519.
const AUDIENCE: &str = "aud";

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
        let token = value(variable).to_owned();
        // A registry that gets a token for another one could use it there.
        return Ok(match audiences(&token) {
            Some(known) if known.iter().all(|known| known != audience) => IdentityToken::Refused(format!(
                "`{variable}` is for `{}`, not for `{audience}`",
                known.join("`, `")
            )),
            _ => IdentityToken::Token(token),
        });
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

/// The audience of a JSON Web Token: one text or several. `None`: it is no such token.
fn audiences(token: &str) -> Option<Vec<String>> {
    let payload = URL_SAFE_NO_PAD.decode(token.split('.').nth(1)?.trim_end_matches('=')).ok()?;
    let text = String::from_utf8(payload).ok()?;
    let root = json::parse(&text, Dialect::Strict).ok()?;
    let known = root.find(AUDIENCE)?;
    let list = known.elements().iter().filter_map(Node::as_str);
    Some(known.as_str().into_iter().chain(list).map(str::to_owned).collect())
}
