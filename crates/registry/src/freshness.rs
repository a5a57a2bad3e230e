//! Freshness lifetime of a response: `Cache-Control` and `Age`, as in a private cache (RFC 9111,
//! 4.2).

use hyper::HeaderMap;
use hyper::header::{AGE, CACHE_CONTROL, ETAG, EXPIRES, LAST_MODIFIED};

/// Longest lifetime, so that a wrong header costs a day at most.
pub const FRESH_MAX_S: u64 = 24 * 60 * 60;

/// Lifetime of a document that comes without one and that cannot be revalidated, as in bun.
/// Otherwise every command would download it whole (RFC 9111, 4.2.2 allows it).
const UNSTATED_FRESH_S: u64 = 5 * 60;

/// Seconds for which a response is fresh from now on.
pub fn fresh_s(headers: &HeaderMap) -> u64 {
    if [CACHE_CONTROL, ETAG, EXPIRES, LAST_MODIFIED].iter().all(|name| !headers.contains_key(name)) {
        return UNSTATED_FRESH_S;
    }
    let mut max_age = 0;
    for value in headers.get_all(CACHE_CONTROL) {
        for directive in value.to_str().unwrap_or_default().split(',') {
            let (name, argument) = directive.split_once('=').unwrap_or((directive, ""));
            match name.trim().to_ascii_lowercase().as_str() {
                "no-cache" | "no-store" => return 0,
                "max-age" => max_age = argument.trim().trim_matches('"').parse().unwrap_or(0),
                _ => {}
            }
        }
    }
    let age = headers.get(AGE).and_then(|age| age.to_str().ok()?.trim().parse().ok()).unwrap_or(0);
    u64::saturating_sub(max_age, age).min(FRESH_MAX_S)
}

#[cfg(test)]
mod tests;
