//! From an address to its final answer: redirects followed, credentials kept where they belong,
//! tries repeated.

use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use hyper::StatusCode;
use hyper::header::{LOCATION, RETRY_AFTER};
use url::Url;

use crate::client::Shared;
use crate::exchange::{Answer, Ask, exchange};
use crate::failure::Failure;
use crate::problem::{self, shown};
use crate::settings::Limits;

/// As many as browsers follow half of; a registry and its storage need two.
pub const REDIRECTS_MAX: usize = 10;

/// A failure and after how many tries.
pub struct GaveUp {
    pub failure: Failure,
    pub attempts: u32,
}

/// Fetches with as many tries as the limits allow.
pub async fn fetch(shared: &Shared, url: &Url, ask: &Ask) -> Result<Answer, GaveUp> {
    let limits = &shared.pool.connector.limits;
    let mut attempts = 1;
    loop {
        let failure = match follow(shared, url, ask).await {
            Ok(answer) => match busy(&answer) {
                Some(failure) => failure,
                None => return Ok(answer),
            },
            Err(failure) => failure,
        };
        if !failure.may_pass() || attempts >= limits.attempts {
            return Err(GaveUp { failure, attempts });
        }
        tokio::time::sleep(pause(limits, attempts, &failure)).await;
        attempts += 1;
    }
}

/// Follows redirects. Once the host has changed, no credentials are sent any more, not even to the
/// first host.
async fn follow(shared: &Shared, start: &Url, ask: &Ask) -> Result<Answer, Failure> {
    let mut url = start.clone();
    let mut at_home = true;
    for _ in 0..=REDIRECTS_MAX {
        let authorization = if at_home { shared.keyring.find(&url) } else { None };
        let answer = exchange(&shared.pool, &shared.room, &url, ask, authorization).await;
        shared.inbox.note(told(&url, &answer));
        let answer = answer?;
        let Some(target) = redirect_target(&answer, &url)? else { return Ok(answer) };
        if answer.authorized && url.scheme() == "https" && target.scheme() == "http" {
            return Err(Failure::Downgrade { target: shown(&target) });
        }
        at_home &= target.host_str() == url.host_str() && target.port() == url.port();
        url = target;
    }
    Err(Failure::TooManyRedirects)
}

/// A request and how it ended, in a line.
fn told(url: &Url, answer: &Result<Answer, Failure>) -> String {
    match answer {
        Ok(Answer { status, body_bytes, .. }) => {
            format!("GET {}: {}, {} bytes", shown(url), status.as_u16(), body_bytes)
        }
        Err(failure) => problem::failed(&format!("GET {}", shown(url)), failure, 1).message().to_owned(),
    }
}

fn redirect_target(answer: &Answer, url: &Url) -> Result<Option<Url>, Failure> {
    if !matches!(answer.status.as_u16(), 301 | 302 | 303 | 307 | 308) {
        return Ok(None);
    }
    let Some(location) = answer.headers.get(LOCATION) else { return Ok(None) };
    let location = String::from_utf8_lossy(location.as_bytes());
    match url.join(&location) {
        Ok(target) if matches!(target.scheme(), "http" | "https") => Ok(Some(target)),
        Ok(target) => Err(Failure::BadAddress { address: shown(&target) }),
        Err(_) => Err(Failure::BadAddress { address: "the target of a redirect".to_owned() }),
    }
}

/// Answers that may be different in a while.
fn busy(answer: &Answer) -> Option<Failure> {
    let status = answer.status;
    let passing = matches!(status, StatusCode::REQUEST_TIMEOUT | StatusCode::TOO_MANY_REQUESTS);
    if !passing && !status.is_server_error() {
        return None;
    }
    let seconds = answer.headers.get(RETRY_AFTER).and_then(|value| value.to_str().ok()?.trim().parse().ok());
    Some(Failure::Busy { status, retry_after: seconds.map(Duration::from_secs) })
}

/// Doubled each time, and between half and all of it by chance, so that 64 requests do not come
/// back at once.
fn pause(limits: &Limits, attempts: u32, failure: &Failure) -> Duration {
    if let Some(asked) = failure.retry_after() {
        return asked.min(limits.backoff_max);
    }
    let whole = limits.backoff_first.saturating_mul(1 << (attempts - 1).min(16)).min(limits.backoff_max);
    let chance = std::hash::RandomState::new().build_hasher().finish() as u32;
    whole / 2 + (whole / 2).mul_f64(f64::from(chance) / f64::from(u32::MAX))
}
