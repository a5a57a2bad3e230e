//! Fetches a URL: follows redirects, selects credentials, retries transient errors.

use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use hyper::header::{LOCATION, RETRY_AFTER};
use hyper::{Method, StatusCode};
use url::Url;

use crate::client::Shared;
use crate::error::RequestError;
use crate::exchange::{RegistryRequest, RegistryResponse, exchange};
use crate::problem::{self, redacted};
use crate::settings::Limits;

/// Half of the limit of browsers; a registry with separate storage needs two.
pub const REDIRECTS_MAX: usize = 10;

/// The last error and the number of attempts.
pub struct FetchError {
    pub failure: RequestError,
    pub attempts: u32,
}

/// Fetches with as many attempts as the limits allow.
pub async fn fetch(
    shared: &Shared,
    url: &Url,
    request: &RegistryRequest,
) -> Result<RegistryResponse, FetchError> {
    let limits = &shared.pool.connector.limits;
    let mut attempts = 1;
    loop {
        let failure = match follow(shared, url, request).await {
            Ok(response) => match busy(&response) {
                Some(failure) if request.is_idempotent() => failure,
                _ => return Ok(response),
            },
            Err(failure) => failure,
        };
        if !request.is_idempotent() || !failure.is_transient() || attempts >= limits.attempts {
            return Err(FetchError { failure, attempts });
        }
        tokio::time::sleep(pause(limits, attempts, &failure)).await;
        attempts += 1;
    }
}

/// Follows redirects. After a redirect to another host no credentials are sent, not even back to
/// the first host.
async fn follow(
    shared: &Shared,
    start: &Url,
    request: &RegistryRequest,
) -> Result<RegistryResponse, RequestError> {
    let mut url = start.clone();
    let mut is_same_origin = true;
    for _ in 0..=REDIRECTS_MAX {
        let authorization = if is_same_origin { shared.keyring.find(&url) } else { None };
        let response = exchange(&shared.pool, &shared.budget, &url, request, authorization).await;
        shared.arrivals.note(summary(&request.method, &url, &response));
        let response = response?;
        if !request.is_idempotent() {
            return Ok(response);
        }
        let Some(target) = redirect_target(&response, &url)? else { return Ok(response) };
        if response.authorization.is_some() && url.scheme() == "https" && target.scheme() == "http" {
            return Err(RequestError::Downgrade { target: redacted(&target) });
        }
        is_same_origin &= target.host_str() == url.host_str() && target.port() == url.port();
        url = target;
    }
    Err(RequestError::TooManyRedirects)
}

/// One line for verbose output.
fn summary(method: &Method, url: &Url, response: &Result<RegistryResponse, RequestError>) -> String {
    match response {
        Ok(RegistryResponse { status, body_bytes, .. }) => {
            format!("{method} {}: {}, {} bytes", redacted(url), status.as_u16(), body_bytes)
        }
        Err(failure) => {
            problem::failed(&format!("{method} {}", redacted(url)), failure, 1).message().to_owned()
        }
    }
}

fn redirect_target(response: &RegistryResponse, url: &Url) -> Result<Option<Url>, RequestError> {
    if !matches!(response.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = response.headers.get(LOCATION) else { return Ok(None) };
    let location = String::from_utf8_lossy(location.as_bytes());
    match url.join(&location) {
        Ok(target) if matches!(target.scheme(), "http" | "https") => Ok(Some(target)),
        Ok(target) => Err(RequestError::BadAddress { address: redacted(&target) }),
        Err(_) => Err(RequestError::BadAddress { address: "the target of a redirect".to_owned() }),
    }
}

/// Statuses that are worth a retry.
fn busy(response: &RegistryResponse) -> Option<RequestError> {
    let status = response.status;
    let passing = matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS);
    if !passing && !status.is_server_error() {
        return None;
    }
    let seconds =
        response.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    Some(RequestError::Busy { status, retry_after: seconds.map(Duration::from_secs) })
}

/// Exponential backoff with jitter: half of the delay is random, so that 64 requests do not return
/// at once.
fn pause(limits: &Limits, attempts: u32, failure: &RequestError) -> Duration {
    if let Some(asked) = failure.retry_after() {
        return asked.min(limits.backoff_max);
    }
    let whole = limits.backoff_first.saturating_mul(1 << (attempts - 1).min(16)).min(limits.backoff_max);
    let chance = std::hash::RandomState::new().build_hasher().finish() as u32;
    whole / 2 + (whole / 2).mul_f64(f64::from(chance) / f64::from(u32::MAX))
}
