//! Credentials for registries, and URLs of registries, which may contain credentials. In: strings
//! of configuration files. Out: a URL without secrets, and the secret.

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::host;

/// Never printed, not even for debugging.
#[derive(Clone, PartialEq, Eq)]
pub enum Credential {
    /// `_authToken`: sent as `Bearer`.
    Bearer(String),
    /// `_auth`: user and password joined by a colon, in base64; sent as `Basic`.
    Basic(String),
}

impl Credential {
    pub fn of_password(user: &str, password: &str) -> Credential {
        Credential::Basic(STANDARD.encode(format!("{user}:{password}")))
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Credential::Bearer(_) => "Bearer(hidden)",
            Credential::Basic(_) => "Basic(hidden)",
        })
    }
}

/// A registry's address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// `http` or `https`, without user and password, with `/` at the end.
    pub url: String,
    /// `//host/path/`: npm's key for credentials.
    pub prefix: String,
    /// From `https://user:password@host/`, or `https://:token@host/` as bun has it.
    pub credential: Option<Credential>,
}

impl Address {
    /// `None` if the string is not the URL of an HTTP server.
    pub fn parse(text: &str) -> Option<Address> {
        let mut url = npmrc_config_rs::registry::parse_registry_url(text.trim()).ok()?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return None;
        }
        let credential = match (percent_decoded(url.username()), url.password().map(percent_decoded)) {
            (user, None) if user.is_empty() => None,
            (user, None) => Some(Credential::of_password(&user, "")),
            (user, Some(token)) if user.is_empty() => Some(Credential::Bearer(token)),
            (user, Some(password)) => Some(Credential::of_password(&user, &password)),
        };
        url.set_username("").ok()?;
        url.set_password(None).ok()?;
        url.set_query(None);
        url.set_fragment(None);
        Some(Address { prefix: npmrc_config_rs::nerf_dart(&url), url: url.into(), credential })
    }
}

/// A URL without the secrets before its host: without a user and a password, or without the
/// password where the user is one of SSH. Other text is unchanged. For what is shown or published.
pub fn without_credentials(text: &str) -> String {
    if let Some(mut url) = host::http_url(text) {
        if url.username().is_empty() && url.password().is_none() {
            return text.to_owned();
        }
        // Fails only for URLs that cannot have a user.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        return url.into();
    }
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_owned() };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    let Some((user, host)) = authority.rsplit_once('@') else { return text.to_owned() };
    match user.split(':').next() {
        Some(user) if scheme.ends_with("ssh") => format!("{scheme}://{user}@{host}{path}"),
        _ => format!("{scheme}://{host}{path}"),
    }
}

/// The registry that is used if none is configured.
pub fn default_registry() -> &'static str {
    npmrc_config_rs::registry::DEFAULT_REGISTRY
}

fn percent_decoded(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let digit = |at: usize| tail.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(u8::try_from(high * 16 + low).expect("two hex digits make a byte"));
                rest = &tail[2..];
            }
            _ => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests;
