//! One request and its answer, over whichever line the pool gives.

use std::sync::Arc;
use std::time::Instant;

use http_body_util::Empty;
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{self, HeaderValue};
use hyper::{HeaderMap, Request, Response, StatusCode, Uri};
use rusk_base::timeline::{OpenSpan, SpanKind};
use url::{Position, Url};

use crate::body::{self, Bounds, Passed, Read};
use crate::connect::{bare_host, broken};
use crate::download::Outlet;
use crate::failure::{Failure, Wait};
use crate::label;
use crate::pool::{Line, Pool};
use crate::problem::shown;
use crate::room::{Body, Need, Room, Taken};

/// The bodies of refusals are read to keep the line, and thrown away.
const REFUSAL_BYTES_MAX: usize = 64 * 1024;

/// Lines that turn out to be closed by the server, passed over before a try counts as failed.
const STALE_LINES_MAX: u32 = 3;

/// What is asked for, the address apart.
#[derive(Clone)]
pub struct Ask {
    pub accept: &'static str,
    pub gzip: bool,
    /// What a timeline takes it for, and when it was wanted.
    pub kind: SpanKind,
    pub wanted: Option<Instant>,
    pub etag: Option<HeaderValue>,
    pub user_agent: HeaderValue,
    pub body_bytes_max: usize,
    /// Where a large body goes while it arrives.
    pub outlet: Option<Arc<Outlet>>,
}

pub struct Answer {
    pub status: StatusCode,
    pub headers: HeaderMap,
    /// Empty when it was passed on.
    pub body: Body,
    pub body_bytes: usize,
    /// Whether the request showed credentials.
    pub authorized: bool,
}

/// Sends one request; redirects are answers like any other.
pub async fn exchange(
    pool: &Arc<Pool>,
    room: &Room,
    url: &Url,
    ask: &Ask,
    authorization: Option<HeaderValue>,
) -> Result<Answer, Failure> {
    let mut taken = None;
    loop {
        let has_waited = taken.is_some();
        match attempt(pool, room, url, ask, authorization.as_ref(), taken.take()).await? {
            Attempt::Answer(answer) => return Ok(answer),
            // A server that says something else each time is asked three times at most.
            Attempt::Needs(_) if has_waited => taken = Some(room.take(Need::Large).await),
            Attempt::Needs(need) => taken = Some(room.take(need).await),
        }
    }
}

/// One request came to an answer, or to a body that there is no room for now. Its line is closed
/// then.
enum Attempt {
    Answer(Answer),
    Needs(Need),
}

async fn attempt(
    pool: &Arc<Pool>,
    room: &Room,
    url: &Url,
    ask: &Ask,
    authorization: Option<&HeaderValue>,
    taken: Option<Taken>,
) -> Result<Attempt, Failure> {
    let host = bare_host(url);
    let limits = &pool.connector.limits;
    let (response, line, mut open) = send(pool, url, ask, authorization).await?;
    open.response_started();
    let (head, body) = response.into_parts();
    open.note(|| head.status.as_u16().to_string());
    let bytes_max = if head.status == StatusCode::OK { ask.body_bytes_max } else { REFUSAL_BYTES_MAX };
    let bounds = Bounds { host, bytes_max, idle: limits.idle, whole: limits.whole };
    let authorized = authorization.is_some();
    if let Some(outlet) = ask.outlet.as_deref().filter(|_| head.status == StatusCode::OK)
        && outlet.begin(body.size_hint().exact(), room).await
    {
        let passed = body::pass_on(body, outlet, &bounds).await;
        let body_bytes = end(passed, line, &mut open)?;
        let (status, headers, body) = (head.status, head.headers, Body::empty());
        return Ok(Attempt::Answer(Answer { status, headers, body, body_bytes, authorized }));
    }
    let need = match body::need(&body, bytes_max) {
        Ok(need) => need,
        Err(_) if head.status != StatusCode::OK => Need::Bytes(0),
        Err(failure) => return Err(failure),
    };
    let own = taken.filter(|taken| taken.covers(need)).or_else(|| room.try_take(need));
    let Some(own) = own else { return Ok(Attempt::Needs(need)) };
    let body = match body::read(body, room, own, &bounds).await {
        Ok(Read::Whole(body)) => {
            line.release();
            body
        }
        Ok(Read::Outgrown) if head.status == StatusCode::OK => return Ok(Attempt::Needs(Need::Large)),
        Ok(Read::Outgrown) => Body::empty(),
        Err(_) if head.status != StatusCode::OK => Body::empty(),
        Err(failure) => {
            if let Failure::TimedOut { .. } = failure {
                line.distrust();
            }
            return Err(failure);
        }
    };
    open.bytes(body.len());
    let (status, headers, body_bytes) = (head.status, head.headers, body.len());
    Ok(Attempt::Answer(Answer { status, headers, body, body_bytes, authorized }))
}

/// What becomes of the line of a body that was passed on. Answers with its bytes.
fn end(passed: Result<Passed, Failure>, line: Line, open: &mut OpenSpan) -> Result<usize, Failure> {
    match passed {
        Ok(Passed::Whole(bytes)) => {
            line.release();
            open.bytes(bytes);
            Ok(bytes)
        }
        Ok(Passed::Unwanted(bytes)) => Ok(bytes),
        Err(failure) => {
            if let Failure::TimedOut { .. } = failure {
                line.distrust();
            }
            Err(failure)
        }
    }
}

/// The head of the answer, and the line it came over.
async fn send(
    pool: &Arc<Pool>,
    url: &Url,
    ask: &Ask,
    authorization: Option<&HeaderValue>,
) -> Result<(Response<Incoming>, Line, OpenSpan), Failure> {
    let host = bare_host(url);
    let limits = &pool.connector.limits;
    let mut stale = 0;
    loop {
        let mut line = pool.acquire(url).await?;
        let open = line.lane().begin(ask.kind).label(|| label::of(url)).queued_at(ask.wanted);
        let request = request(pool, &line, url, ask, authorization)?;
        match tokio::time::timeout(limits.first_byte, line.send(request)).await {
            Ok(Ok(response)) => return Ok((response, line, open)),
            Ok(Err(_)) if line.reused && stale < STALE_LINES_MAX => stale += 1,
            Ok(Err(error)) => return Err(broken(host, &error)),
            Err(_) => {
                line.distrust();
                let (host, limit) = (host.to_owned(), limits.first_byte);
                return Err(Failure::TimedOut { host, wait: Wait::FirstByte, limit });
            }
        }
    }
}

fn request(
    pool: &Pool,
    line: &Line,
    url: &Url,
    ask: &Ask,
    authorization: Option<&HeaderValue>,
) -> Result<Request<Empty<Bytes>>, Failure> {
    let bad_address = || Failure::BadAddress { address: shown(url) };
    let proxy = pool.connector.plain_proxy(url);
    let path = &url[Position::BeforePath..Position::AfterQuery];
    let authority = &url[Position::BeforeHost..Position::AfterPort];
    let whole = line.is_shared() || proxy.is_some();
    let uri: Uri = match whole {
        true => format!("{}://{authority}{path}", url.scheme()).parse(),
        false => path.parse(),
    }
    .map_err(|_| bad_address())?;
    let mut request = Request::new(Empty::new());
    *request.uri_mut() = uri;
    let headers = request.headers_mut();
    if !line.is_shared() {
        headers.insert(header::HOST, HeaderValue::from_str(authority).map_err(|_| bad_address())?);
    }
    headers.insert(header::ACCEPT, HeaderValue::from_static(ask.accept));
    headers.insert(header::USER_AGENT, ask.user_agent.clone());
    if ask.gzip {
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("gzip"));
    }
    let optional = [
        (header::IF_NONE_MATCH, ask.etag.as_ref()),
        (header::AUTHORIZATION, authorization),
        (header::PROXY_AUTHORIZATION, proxy.and_then(|proxy| proxy.authorization.as_ref())),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            headers.insert(name, value.clone());
        }
    }
    Ok(request)
}
