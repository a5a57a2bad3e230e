//! HTTP exchange: one request and its response, over a connection of the pool. Redirects and
//! retries are in `fetch.rs`.

use std::sync::Arc;
use std::time::Instant;

use http_body_util::Full;
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Uri};
use rusk_base::timeline::{OpenSpan, SpanKind};
use url::{Position, Url};

use crate::body::{self, BodyLimits, BodyRead, Forwarded};
use crate::connect::{bare_host, broken};
use crate::download::DownloadSink;
use crate::error::{RequestError, TimeoutPhase};
use crate::label;
use crate::memory_budget::{Body, Demand, MemoryBudget, MemoryPermit};
use crate::pool::{Pool, PooledConnection};
use crate::problem::redacted;

/// Bodies of error responses are read, so that the connection can be reused, and discarded.
const REFUSAL_BYTES_MAX: usize = 64 * 1024;

/// The longest tarball of unannounced length that is read as a whole where it should be streamed:
/// larger packages exist, but registries announce them.
const UNKNOWN_BYTES_MAX: usize = 128 << 20;

/// Attempts on idle connections that the server has closed, before the exchange fails.
const STALE_LINES_MAX: u32 = 3;

/// A request without its URL.
#[derive(Clone)]
pub struct RegistryRequest {
    pub accept: &'static str,
    pub gzip: bool,
    /// For the timeline: the span's kind and the time of the request.
    pub kind: SpanKind,
    pub wanted: Option<Instant>,
    pub etag: Option<HeaderValue>,
    pub user_agent: HeaderValue,
    pub body_bytes_max: usize,
    /// Receives a large body while it arrives.
    pub sink: Option<Arc<DownloadSink>>,
    pub method: Method,
    /// Of the request.
    pub body: Bytes,
    pub headers: HeaderMap,
}

impl RegistryRequest {
    /// A GET without a body.
    pub fn get(accept: &'static str, kind: SpanKind, user_agent: HeaderValue) -> RegistryRequest {
        RegistryRequest {
            accept,
            gzip: false,
            kind,
            wanted: None,
            etag: None,
            user_agent,
            body_bytes_max: usize::MAX,
            sink: None,
            method: Method::GET,
            body: Bytes::new(),
            headers: HeaderMap::new(),
        }
    }

    /// Whether the request may be sent again when its response was lost.
    pub fn is_idempotent(&self) -> bool {
        self.method == Method::GET
    }
}

pub struct RegistryResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// Empty if the body was streamed.
    pub body: Body,
    pub body_bytes: usize,
    /// The credentials of the request.
    pub authorization: Option<HeaderValue>,
}

/// Sends one request; a redirect is returned as a response.
pub async fn exchange(
    pool: &Arc<Pool>,
    budget: &MemoryBudget,
    url: &Url,
    request: &RegistryRequest,
    authorization: Option<HeaderValue>,
) -> Result<RegistryResponse, RequestError> {
    let mut permit = None;
    loop {
        let has_waited = permit.is_some();
        match attempt(pool, budget, url, request, authorization.as_ref(), permit.take()).await? {
            Attempt::Done(response) => return Ok(response),
            // A server that announces a different length each time gets three attempts at most.
            Attempt::NeedsMemory(_) if has_waited => permit = Some(budget.acquire(Demand::Large).await),
            Attempt::NeedsMemory(demand) => permit = Some(budget.acquire(demand).await),
        }
    }
}

/// One attempt: a response, or a body that needs more memory than is available. The connection is
/// closed in the latter case.
enum Attempt {
    Done(RegistryResponse),
    NeedsMemory(Demand),
}

async fn attempt(
    pool: &Arc<Pool>,
    budget: &MemoryBudget,
    url: &Url,
    request: &RegistryRequest,
    authorization: Option<&HeaderValue>,
    permit: Option<MemoryPermit>,
) -> Result<Attempt, RequestError> {
    let host = bare_host(url);
    let limits = &pool.connector.limits;
    let (response, connection, mut open) = send(pool, url, request, authorization).await?;
    open.response_started();
    let (head, body) = response.into_parts();
    open.note(|| head.status.as_u16().to_string());
    let bytes_max = if head.status == StatusCode::OK { request.body_bytes_max } else { REFUSAL_BYTES_MAX };
    let bounds = BodyLimits {
        host,
        bytes_max,
        idle: limits.idle,
        whole: limits.whole,
        is_whole_document: head.status == StatusCode::OK,
    };
    let authorization = authorization.cloned();
    if let Some(sink) = request.sink.as_deref().filter(|_| head.status == StatusCode::OK)
        && sink.begin(body.size_hint().exact(), budget).await
    {
        let forwarded = body::forward(body, sink, &bounds).await;
        let body_bytes = end(forwarded, connection, &mut open)?;
        let (status, headers, body) = (head.status, head.headers, Body::empty());
        return Ok(Attempt::Done(RegistryResponse { status, headers, body, body_bytes, authorization }));
    }
    // There is no thread for it now: it is read as a whole, which the server must not make endless.
    let bytes_max = match request.sink.is_some() && body.size_hint().exact().is_none() {
        true => bytes_max.min(UNKNOWN_BYTES_MAX),
        false => bytes_max,
    };
    let bounds = BodyLimits { bytes_max, ..bounds };
    let demand = match body::demand(&body, bytes_max) {
        Ok(demand) => demand,
        Err(_) if head.status != StatusCode::OK => Demand::Bytes(0),
        Err(failure) => return Err(failure),
    };
    let permit = permit.filter(|permit| permit.covers(demand)).or_else(|| budget.try_acquire(demand));
    let Some(permit) = permit else { return Ok(Attempt::NeedsMemory(demand)) };
    let body = match body::read(body, budget, permit, &bounds).await {
        Ok(BodyRead::Complete(body)) => {
            connection.release();
            body
        }
        Ok(BodyRead::OverBudget) if head.status == StatusCode::OK => {
            return Ok(Attempt::NeedsMemory(Demand::Large));
        }
        Ok(BodyRead::OverBudget) => Body::empty(),
        Err(_) if head.status != StatusCode::OK => Body::empty(),
        Err(failure) => {
            if let RequestError::TimedOut { .. } = failure {
                connection.evict();
            }
            return Err(failure);
        }
    };
    open.bytes(body.len());
    let (status, headers, body_bytes) = (head.status, head.headers, body.len());
    Ok(Attempt::Done(RegistryResponse { status, headers, body, body_bytes, authorization }))
}

/// Releases, closes or evicts the connection after a streamed body. Returns its length.
fn end(
    forwarded: Result<Forwarded, RequestError>,
    connection: PooledConnection,
    open: &mut OpenSpan,
) -> Result<usize, RequestError> {
    match forwarded {
        Ok(Forwarded::Complete(bytes)) => {
            connection.release();
            open.bytes(bytes);
            Ok(bytes)
        }
        Ok(Forwarded::Cancelled(bytes)) => Ok(bytes),
        Err(failure) => {
            if let RequestError::TimedOut { .. } = failure {
                connection.evict();
            }
            Err(failure)
        }
    }
}

/// Returns the response head and its connection.
async fn send(
    pool: &Arc<Pool>,
    url: &Url,
    request: &RegistryRequest,
    authorization: Option<&HeaderValue>,
) -> Result<(Response<Incoming>, PooledConnection, OpenSpan), RequestError> {
    let host = bare_host(url);
    let limits = &pool.connector.limits;
    let mut stale = 0;
    loop {
        let mut connection = pool.acquire(url).await?;
        let open = connection.lane().begin(request.kind).label(|| label::of(url)).queued_at(request.wanted);
        let message = http_request(pool, &connection, url, request, authorization)?;
        match tokio::time::timeout(limits.first_byte, connection.send(message)).await {
            Ok(Ok(response)) => return Ok((response, connection, open)),
            Ok(Err(_)) if connection.reused && request.is_idempotent() && stale < STALE_LINES_MAX => {
                stale += 1
            }
            Ok(Err(error)) => return Err(broken(host, &error)),
            Err(_) => {
                connection.evict();
                let (host, limit) = (host.to_owned(), limits.first_byte);
                return Err(RequestError::TimedOut { host, phase: TimeoutPhase::FirstByte, limit });
            }
        }
    }
}

fn http_request(
    pool: &Pool,
    connection: &PooledConnection,
    url: &Url,
    request: &RegistryRequest,
    authorization: Option<&HeaderValue>,
) -> Result<Request<Full<Bytes>>, RequestError> {
    let bad_address = || RequestError::BadAddress { address: redacted(url) };
    let proxy = pool.connector.plain_proxy(url);
    let path = &url[Position::BeforePath..Position::AfterQuery];
    let authority = &url[Position::BeforeHost..Position::AfterPort];
    let whole = connection.is_shared() || proxy.is_some();
    let uri: Uri = match whole {
        true => format!("{}://{authority}{path}", url.scheme()).parse(),
        false => path.parse(),
    }
    .map_err(|_| bad_address())?;
    let mut message = Request::new(Full::new(request.body.clone()));
    *message.uri_mut() = uri;
    *message.method_mut() = request.method.clone();
    let headers = message.headers_mut();
    headers.extend(request.headers.clone());
    if !connection.is_shared() {
        headers.insert(header::HOST, HeaderValue::from_str(authority).map_err(|_| bad_address())?);
    }
    headers.insert(header::ACCEPT, HeaderValue::from_static(request.accept));
    headers.insert(header::USER_AGENT, request.user_agent.clone());
    if request.gzip {
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    }
    let optional = [
        (header::IF_NONE_MATCH, request.etag.as_ref()),
        (header::AUTHORIZATION, authorization),
        (header::PROXY_AUTHORIZATION, proxy.and_then(|proxy| proxy.authorization.as_ref())),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            headers.insert(name, value.clone());
        }
    }
    Ok(message)
}
