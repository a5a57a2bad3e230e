//! Hosts that connections go to. In: URLs, keys of `.npmrc`, names. Out: `host`, or `host:port`
//! where the port is not the usual one, in the form of the type `Url`, which connections use.
//! Another parser could be made to find another host in `http://a.test\@b.test/` than the one that
//! is connected to. Absent: hosts of repositories, which Git parses itself.

pub use url::Url;

/// The URL of an HTTP server.
pub fn http_url(text: &str) -> Option<Url> {
    let url = Url::parse(text).ok()?;
    (matches!(url.scheme(), "http" | "https") && url.has_host()).then_some(url)
}

/// The address of a proxy: `host:port` without a scheme means http, as in curl.
pub fn proxy_url(text: &str) -> Option<Url> {
    match text.contains("://") {
        true => http_url(text),
        false => http_url(&format!("http://{text}")),
    }
}

/// The host and port of a URL.
pub fn of(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"))
}

/// `https://host/`, whatever path and user the URL has: what a question to the user names.
pub fn origin_of_url(text: &str) -> Option<String> {
    let url = http_url(text)?;
    Some(format!("{}://{}/", url.scheme(), of(&url)))
}

pub fn of_url(text: &str) -> Option<String> {
    http_url(text).as_ref().map(of)
}

/// Of a URL, or of a host alone, with or without a port.
pub fn of_url_or_name(text: &str) -> Option<String> {
    match text.contains("//") {
        true => of_url(text),
        false => of_url(&format!("https://{text}")),
    }
}

/// Of `//host/path/`, npm's form of the URLs that get a credential.
pub fn of_prefix(prefix: &str) -> Option<String> {
    Some(parse_prefix(prefix)?.0)
}

/// `//Host/path` is `//host/path/`. `None`: no URL has this prefix.
pub fn normal_prefix(prefix: &str) -> Option<String> {
    let (host, url) = parse_prefix(prefix)?;
    Some(format!("//{host}{}/", url.path().trim_end_matches('/')))
}

/// A prefix has no scheme, so every port that is written counts.
fn parse_prefix(prefix: &str) -> Option<(String, Url)> {
    let rest = prefix.trim_start_matches('/').trim_end_matches('/');
    let url = http_url(&format!("https://{rest}"))?;
    let is_plain = url.username().is_empty() && url.password().is_none();
    if !is_plain || url.query().is_some() || url.fragment().is_some() {
        return None;
    }
    let by_http = http_url(&format!("http://{rest}"))?;
    Some((of(if url.port().is_some() { &url } else { &by_http }), url))
}

#[cfg(test)]
mod tests;
