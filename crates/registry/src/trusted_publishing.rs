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
use crate::cache;
use crate::client::Client;
use crate::identity_token::{self, IdentityToken};
use crate::settings::Settings;

/// Where a job can have its identity token already.
const TOKEN_VARIABLE: &str = "NPM_ID_TOKEN";

/// A longer token is none.
const TOKEN_BYTES_MAX: usize = 64 * 1024;

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// There is no identity token: this is no CI service, or the job may not ask for one.
    NotOffered,
    /// A token of the registry, and the identity token that it was given for.
    Token { token: String, identity: String },
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
    let audience = format!("npm:{}", registry.host_str().unwrap_or_default());
    let identity = match identity_token::request(settings, environment, &audience, TOKEN_VARIABLE)? {
        IdentityToken::Token(token) => token,
        IdentityToken::NotOffered => return Ok(Exchange::NotOffered),
        IdentityToken::Refused(reason) => return Ok(Exchange::Refused(reason)),
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
    let response = send(settings, &url, identity.clone(), request)?;
    Ok(match (response.is_success(), member(&response, "token")) {
        (true, Some(token)) => Exchange::Token { token, identity },
        (true, None) => Exchange::Refused("the registry's response has no token".to_owned()),
        (false, _) => {
            let said = member(&response, "message").or_else(|| member(&response, "error"));
            let said = said.map(|said| format!(": {said}")).unwrap_or_default();
            Exchange::Refused(format!("the registry refused the token exchange: {}{said}", response.status))
        }
    })
}

/// Sends a request with this token to its own host only, also after redirects.
pub(crate) fn send(
    settings: &Settings,
    url: &Url,
    token: String,
    request: ApiRequest,
) -> Result<ApiResponse> {
    let host = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let settings =
        Settings { credentials: vec![(format!("//{host}/"), Credential::Bearer(token))], ..settings.clone() };
    Client::start(settings)?.call(request)
}

/// A text of the response's object.
pub(crate) fn member(response: &ApiResponse, key: &str) -> Option<String> {
    let text = std::str::from_utf8(&response.body).ok()?;
    let root = json::parse(text, Dialect::Strict).ok()?;
    let value = root.find(key)?.as_str()?;
    let is_one_line = !value.is_empty() && !value.contains(char::is_control);
    (is_one_line && value.len() <= TOKEN_BYTES_MAX).then(|| value.to_owned())
}

#[cfg(test)]
mod tests;
