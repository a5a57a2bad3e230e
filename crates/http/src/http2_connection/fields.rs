//! Header fields of a request over HTTP/2 (RFC 9113, section 8.3.1). In: the request as one of
//! HTTP/1.1, checked. Out: pseudo-header fields, and the fields that do not belong to a connection.

use hyper::body::Body;
use hyper::header::{
    AUTHORIZATION, CONNECTION, CONTENT_LENGTH, COOKIE, HOST, HeaderName, HeaderValue, PROXY_AUTHORIZATION,
    TE, TRANSFER_ENCODING, UPGRADE,
};
use rusk_http2::HeaderField;

use crate::request_body::OutgoingBody;

const CONNECTION_FIELDS: [HeaderName; 6] = [
    CONNECTION,
    HOST,
    HeaderName::from_static("keep-alive"),
    HeaderName::from_static("proxy-connection"),
    TRANSFER_ENCODING,
    UPGRADE,
];

/// A shorter value could be guessed byte by byte (RFC 7541, section 7.1.3).
const SHORT_COOKIE_BYTES: usize = 20;

pub(crate) fn request_fields(message: &hyper::Request<OutgoingBody>) -> Vec<HeaderField> {
    let headers = message.headers();
    let path = message.uri().path_and_query().map_or("/", |path| path.as_str());
    let authority = headers.get(HOST).map(HeaderValue::as_bytes).unwrap_or_default();
    let mut fields = vec![
        HeaderField::new(":method", message.method().as_str()),
        HeaderField::new(":scheme", "https"),
        HeaderField { name: b":authority".to_vec(), value: authority.to_vec(), is_sensitive: false },
        HeaderField::new(":path", path),
    ];
    for (name, value) in headers {
        let is_of_connection = CONNECTION_FIELDS.contains(name);
        if is_of_connection || (name == TE && !value.as_bytes().eq_ignore_ascii_case(b"trailers")) {
            continue;
        }
        fields.push(HeaderField {
            name: name.as_str().as_bytes().to_vec(),
            value: value.as_bytes().trim_ascii().to_vec(),
            is_sensitive: is_sensitive(name, value),
        });
    }
    if let Some(length) = message.body().size_hint().exact().filter(|length| *length > 0)
        && !headers.contains_key(CONTENT_LENGTH)
    {
        fields.push(HeaderField::new("content-length", &length.to_string()));
    }
    fields
}

fn is_sensitive(name: &HeaderName, value: &HeaderValue) -> bool {
    name == AUTHORIZATION
        || name == PROXY_AUTHORIZATION
        || (name == COOKIE && value.len() < SHORT_COOKIE_BYTES)
}
