//! Proxy selection: which proxy, if any, serves a URL.

use hyper::header::HeaderValue;
use rusk_base::Result;
use rusk_npm::host;
use url::Url;

use crate::settings::Proxies;
use crate::{auth, problem};

/// The validated proxies.
pub struct Routes {
    http: Option<Proxy>,
    https: Option<Proxy>,
    exceptions: Vec<String>,
}

/// A proxy, reached by plain HTTP or TLS.
#[derive(Clone, Debug)]
pub struct Proxy {
    pub tls: bool,
    pub host: String,
    pub port: u16,
    pub authorization: Option<HeaderValue>,
}

impl Routes {
    pub fn new(proxies: &Proxies) -> Result<Routes> {
        let parse = |name: &str, text: &Option<String>| match text.as_deref().filter(|text| !text.is_empty())
        {
            Some(text) => Proxy::parse(text)
                .map(Some)
                .ok_or_else(|| problem::bad_setting(name, text, "an http or https URL")),
            None => Ok(None),
        };
        Ok(Routes {
            http: parse("proxy", &proxies.http)?,
            https: parse("https-proxy", &proxies.https)?,
            exceptions: proxies.exceptions.iter().map(|entry| entry.trim().to_ascii_lowercase()).collect(),
        })
    }

    pub fn find(&self, url: &Url) -> Option<&Proxy> {
        let proxy = if url.scheme() == "https" { &self.https } else { &self.http };
        proxy.as_ref().filter(|_| !self.exceptions.iter().any(|entry| excepted(entry, url)))
    }
}

impl Proxy {
    fn parse(text: &str) -> Option<Proxy> {
        let url = host::proxy_url(text)?;
        Some(Proxy {
            tls: url.scheme() == "https",
            host: url.host_str()?.to_owned(),
            port: url.port_or_known_default()?,
            authorization: auth::from_user(&url),
        })
    }
}

/// A `NO_PROXY` entry matches a host and its subdomains, with or without the leading dot.
fn excepted(entry: &str, url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let (name, port) = match entry.rsplit_once(':') {
        Some((name, port)) if port.parse::<u16>().is_ok() && !name.ends_with(':') => {
            (name, port.parse().ok())
        }
        _ => (entry, None),
    };
    if port.is_some() && port != url.port_or_known_default() {
        return false;
    }
    let name = name.trim_start_matches("*.").trim_start_matches('.');
    let below = |name: &str| host.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
    name == "*" || (!name.is_empty() && (host == name || below(name)))
}

/// The `CONNECT` request that opens a tunnel.
pub fn connect_request(proxy: &Proxy, host: &str, port: u16) -> Vec<u8> {
    let mut request = format!("CONNECT {host}:{port} HTTP/1.1\r\nHost: {host}:{port}\r\n").into_bytes();
    if let Some(authorization) = &proxy.authorization {
        request.extend_from_slice(b"Proxy-Authorization: ");
        request.extend_from_slice(authorization.as_bytes());
        request.extend_from_slice(b"\r\n");
    }
    request.extend_from_slice(b"\r\n");
    request
}

#[cfg(test)]
mod tests;
