//! Requests to the registry's API besides packuments and tarballs: publishing, dist-tags, logins,
//! advisories. In: a method, a URL and a JSON body. Out: the status, headers and body of the
//! response. Absent: what the bodies mean.

use std::sync::mpsc::SyncSender;

use hyper::body::Bytes;
use hyper::header::{CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::{HeaderMap, Method};
use rusk_base::Result;
use rusk_base::timeline::{self, SpanKind};
use url::Url;

use crate::client::Shared;
use crate::exchange::RegistryRequest;
use crate::fetch::fetch;
use crate::problem;

/// The largest packuments with all their fields have some 100 MB.
const BODY_BYTES_MAX: usize = 256 << 20;

const ACCEPT: &str = "application/json, */*";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApiMethod {
    Get,
    Put,
    Post,
    Delete,
}

#[derive(Clone, Debug)]
pub struct ApiRequest {
    pub method: ApiMethod,
    pub url: String,
    /// JSON.
    pub body: Option<Vec<u8>>,
    /// Names and values, such as `npm-otp`.
    pub headers: Vec<(&'static str, String)>,
    /// What it is for, in errors: `the dist-tags of left`.
    pub subject: String,
}

#[derive(Debug)]
pub struct ApiResponse {
    pub status: u16,
    pub body: Vec<u8>,
    /// Whether the request had credentials.
    pub authorized: bool,
    headers: HeaderMap,
}

pub struct ApiJob {
    pub url: Url,
    pub request: ApiRequest,
    pub reply: SyncSender<Result<ApiResponse>>,
}

impl ApiRequest {
    pub fn get(url: String, subject: String) -> ApiRequest {
        ApiRequest { method: ApiMethod::Get, url, body: None, headers: Vec::new(), subject }
    }
}

impl ApiResponse {
    /// A header that is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    pub fn is_success(&self) -> bool {
        (200..300).contains(&self.status)
    }
}

/// Sends the request and delivers its response.
pub async fn run(shared: &Shared, job: ApiJob) {
    let result = send(shared, &job.url, &job.request).await;
    // The caller waits for it; if its thread has panicked, the result is dropped.
    let _ = job.reply.send(result);
}

pub async fn send(shared: &Shared, url: &Url, request: &ApiRequest) -> Result<ApiResponse> {
    let _in_flight = shared.arrivals.begin(request.subject.clone());
    let message = RegistryRequest {
        wanted: timeline::now(),
        body_bytes_max: BODY_BYTES_MAX,
        method: method(request.method),
        body: Bytes::from(request.body.clone().unwrap_or_default()),
        headers: headers(request)?,
        ..RegistryRequest::get(ACCEPT, SpanKind::Packument, shared.user_agent.clone())
    };
    match fetch(shared, url, &message).await {
        Ok(response) => Ok(ApiResponse {
            status: response.status.as_u16(),
            body: response.body.to_vec(),
            authorized: response.authorization.is_some(),
            headers: response.headers,
        }),
        Err(error) => Err(problem::failed(&request.subject, &error.failure, error.attempts)),
    }
}

fn method(method: ApiMethod) -> Method {
    match method {
        ApiMethod::Get => Method::GET,
        ApiMethod::Put => Method::PUT,
        ApiMethod::Post => Method::POST,
        ApiMethod::Delete => Method::DELETE,
    }
}

fn headers(request: &ApiRequest) -> Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    if request.body.is_some() {
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    }
    for (name, value) in &request.headers {
        let value = HeaderValue::from_str(value)
            .map_err(|_| problem::bad_setting(name, "not printable", "a single line"))?;
        headers.insert(HeaderName::from_static(name), value);
    }
    Ok(headers)
}

#[cfg(test)]
mod tests;
