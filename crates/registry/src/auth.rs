//! Credentials of a request. In: a URL. Out: the `Authorization` header of the longest configured
//! prefix of its host and path, as npm selects it. A URL that no prefix matches gets none.

use std::collections::{BTreeSet, HashMap};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use hyper::header::HeaderValue;
use url::Url;

use rusk_npm::credential::Credential;
use rusk_npm::host;

/// Credentials by `//host/path/`.
pub struct Keyring {
    by_prefix: HashMap<String, HeaderValue>,
    /// Hosts that get them by https only.
    encrypted_hosts: BTreeSet<String>,
}

impl Keyring {
    /// A credential that is no valid header value is left out; the registry then responds with 401.
    pub fn new(credentials: &[(String, Credential)], encrypted_hosts: BTreeSet<String>) -> Keyring {
        let mut by_prefix = HashMap::new();
        for (prefix, credentials) in credentials {
            let text = match credentials {
                Credential::Bearer(token) => format!("Bearer {token}"),
                Credential::Basic(pair) => format!("Basic {pair}"),
            };
            if let Some(value) = secret(&text) {
                by_prefix.insert(prefix.clone(), value);
            }
        }
        Keyring { by_prefix, encrypted_hosts }
    }

    /// The `Authorization` header value for a URL.
    pub fn find(&self, url: &Url) -> Option<HeaderValue> {
        let host = host::of(url);
        if url.scheme() == "http" && self.encrypted_hosts.contains(&host) {
            return from_user(url);
        }
        let whole = format!("//{host}{}", url.path());
        let mut prefix = whole.as_str();
        while prefix.len() > 2 {
            if let Some(value) = self.by_prefix.get(prefix) {
                return Some(value.clone());
            }
            prefix = shorter(prefix);
        }
        from_user(url)
    }
}

/// Name of the environment variable in credentials such as `${NAME}`, which npm leaves as they are
/// if the variable is not set.
pub fn unset_variable(authorization: &HeaderValue) -> Option<String> {
    let text = authorization.to_str().ok()?;
    let (_, rest) = text.split_once("${")?;
    let (name, _) = rest.split_once('}')?;
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    (!name.is_empty() && name.bytes().all(is_name)).then(|| name.to_owned())
}

/// Removes the last slash, or the part after it: prefixes are written with and without a final
/// slash.
fn shorter(prefix: &str) -> &str {
    match prefix.strip_suffix('/') {
        Some(without_slash) => without_slash,
        None => &prefix[..prefix.rfind('/').map_or(0, |slash| slash + 1)],
    }
}

/// From the user part of `https://user:password@host/`.
pub fn from_user(url: &Url) -> Option<HeaderValue> {
    if url.username().is_empty() && url.password().is_none() {
        return None;
    }
    let mut pair = percent_decoded(url.username());
    pair.push(b':');
    pair.extend(percent_decoded(url.password().unwrap_or_default()));
    secret(&format!("Basic {}", STANDARD.encode(pair)))
}

fn secret(text: &str) -> Option<HeaderValue> {
    let mut value = HeaderValue::from_str(text).ok()?;
    value.set_sensitive(true);
    Some(value)
}

fn percent_decoded(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let escaped = after
            .get(..2)
            .filter(|_| byte == b'%')
            .and_then(|hex| u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok());
        bytes.push(escaped.unwrap_or(byte));
        rest = if escaped.is_some() { &after[2..] } else { after };
    }
    bytes
}

#[cfg(test)]
mod tests;
