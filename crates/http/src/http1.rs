//! An exchange over HTTP/1.1, by hyper. In: a request, connections of the pool. Out: the response.
//! If an idle connection turns out to be closed, the request is retried on another one, provided
//! that it was not sent yet or is safe to repeat (RFC 9110, 9.2.2).

use hyper::client::conn::http1;
use hyper::ext::ReasonPhrase;
use hyper::header::{CONNECTION, HOST, HeaderName, HeaderValue};
use hyper::{Method, Uri};
use hyper_util::rt::TokioIo;
use tokio::time::timeout;

use crate::client::Request;
use crate::error::{ClientError, TimeoutPhase};
use crate::exchange::{ClientContext, Duplex, HEAD, HEADERS_MAX, connect_in_time};
use crate::pool::{Connection, Origin};
use crate::request_body::OutgoingBody;
use crate::response::{Response, ResponseBody};
use crate::secure_origins::Established;

/// What [`send`] ends with.
pub(crate) enum Sent {
    Response(Response),
    /// The server has chosen HTTP/2 for the connection that was made.
    Http2(crate::http2_connection::Http2Connection, OutgoingBody),
}

/// `first`: a new connection for this request.
pub(crate) async fn send(
    context: &ClientContext,
    origin: &Origin,
    request: &Request,
    outgoing: OutgoingBody,
    first: Option<Connection>,
) -> Result<Sent, ClientError> {
    let clone = if request.is_safe() { outgoing.try_clone() } else { None };
    let mut message = message(request, outgoing)?;
    while first.is_none()
        && let Some(mut connection) = context.pool.take(origin)
    {
        if connection.ready().await.is_err() {
            continue;
        }
        let mut rejected = match timeout(HEAD, connection.try_send_request(message)).await {
            Ok(Ok(response)) => return Ok(Sent::Response(of_hyper(connection, response))),
            Ok(Err(rejected)) => rejected,
            Err(_) => return Err(ClientError::TimedOut(TimeoutPhase::Head)),
        };
        let unsent = rejected.take_message();
        let failure = ClientError::of_hyper(&rejected.into_error());
        // A malformed response is a response too: the server has seen the request.
        let may_retry = !matches!(failure, ClientError::Protocol(_));
        message = match (unsent, clone.as_ref().and_then(OutgoingBody::try_clone)) {
            (Some(unsent), _) => unsent,
            (None, Some(body)) if may_retry => self::message(request, body)?,
            _ => return Err(failure),
        };
    }
    let established = match first {
        Some(connection) => Established::Http1(connection),
        None => connect_in_time(context, origin, request.versions).await?,
    };
    let mut connection = match established {
        Established::Http1(connection) => connection,
        Established::Http2(connection) => return Ok(Sent::Http2(connection, message.into_body())),
    };
    match timeout(HEAD, connection.send_request(message)).await {
        Ok(Ok(response)) => Ok(Sent::Response(of_hyper(connection, response))),
        Ok(Err(error)) => Err(ClientError::of_hyper(&error)),
        Err(_) => Err(ClientError::TimedOut(TimeoutPhase::Head)),
    }
}

fn of_hyper(connection: Connection, response: hyper::Response<hyper::body::Incoming>) -> Response {
    let (head, body) = response.into_parts();
    let reason = match head.extensions.get::<ReasonPhrase>() {
        Some(reason) => String::from_utf8_lossy(reason.as_bytes()).into_owned(),
        None => head.status.canonical_reason().unwrap_or_default().to_owned(),
    };
    let (status, headers) = (head.status.as_u16(), head.headers);
    Response { status, reason, headers, body: ResponseBody::Http1 { connection, body } }
}

/// JavaScript validates headers and hosts first; this is the second line of defense.
pub(crate) fn message(
    request: &Request,
    outgoing: OutgoingBody,
) -> Result<hyper::Request<OutgoingBody>, ClientError> {
    let invalid = |what: &str| ClientError::Protocol(format!("invalid {what}"));
    let mut message = hyper::Request::new(outgoing);
    *message.method_mut() =
        Method::from_bytes(request.method.as_bytes()).map_err(|_| invalid("request method"))?;
    *message.uri_mut() = request.path_and_query.parse::<Uri>().map_err(|_| invalid("request path"))?;
    if !request.headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("host")) {
        let default_port = if request.is_secure { 443 } else { 80 };
        let host =
            if request.host.contains(':') { format!("[{}]", request.host) } else { request.host.clone() };
        let host = if request.port == default_port { host } else { format!("{host}:{}", request.port) };
        message.headers_mut().insert(HOST, HeaderValue::from_str(&host).map_err(|_| invalid("host"))?);
    }
    message.headers_mut().insert(CONNECTION, HeaderValue::from_static("keep-alive"));
    for (name, value) in &request.headers {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| invalid("header field"))?;
        let value = HeaderValue::from_bytes(value).map_err(|_| invalid("header field"))?;
        message.headers_mut().append(name, value);
    }
    Ok(message)
}

/// Begins to speak HTTP/1.1 over a stream.
pub(crate) async fn start(stream: Box<dyn Duplex>) -> Result<Connection, ClientError> {
    let mut builder = http1::Builder::new();
    builder.max_headers(HEADERS_MAX);
    let (connection, driver) =
        builder.handshake(TokioIo::new(stream)).await.map_err(|error| ClientError::of_hyper(&error))?;
    // The exchange on this connection reports its errors.
    tokio::spawn(driver);
    Ok(connection)
}
