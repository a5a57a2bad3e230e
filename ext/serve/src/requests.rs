//! Requests: the next event, and the parts of a request that the program asks for.

use std::time::Duration;

use rusk_http_server::{BodyRead, Event};
use rusk_jsc::{Bytes, Call, Exception, Object, Outcome, Scope};
use rusk_runtime::bindings::{add, add_fast};
use rusk_runtime::values::string_argument;
use rusk_url_parser as url_parser;

use crate::servers::{number_of_request, of_call, store, with_request};
use crate::{event, word};

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

pub fn add_functions<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    // The number of the request of the next event, whose kind is in the words; -1: there is none.
    add_fast(scope, binding, "next", next)?;
    // The value of a field, null if it is absent; undefined: the request is over. Arguments:
    // server, request, name in lower case.
    add_fast(scope, binding, "field", |scope, call| {
        let name = string_argument(scope, call, 2)?;
        let value = with_request(scope, call, |server, id| {
            let view = server.request(id)?;
            let value = view.combined_field(name.as_bytes());
            Some(value.map_or(scope.null(), |value| scope.string_from_latin1(&value)))
        });
        Ok(value.flatten().unwrap_or_else(|| scope.undefined()))
    })?;
    // The head as it was received; undefined: the request is over.
    add_fast(scope, binding, "head", |scope, call| {
        let head = with_request(scope, call, |server, id| {
            server.request(id).map(|view| scope.string_from_latin1(view.bytes()))
        });
        Ok(head.flatten().unwrap_or_else(|| scope.undefined()))
    })?;
    // Arguments: server, request, the origin for requests without `Host`.
    add_fast(scope, binding, "url", |scope, call| {
        let origin = string_argument(scope, call, 2)?;
        let url = with_request(scope, call, |server, id| {
            let view = server.request(id)?;
            Some(url_of(view.target(), view.field(b"host"), &origin))
        });
        Ok(url.flatten().map_or(scope.undefined(), |url| scope.string(&url)))
    })?;
    // Values of the route's parameters, decoded.
    add_fast(scope, binding, "parameters", |scope, call| {
        let values = with_request(scope, call, |server, id| {
            server.parameters(id).into_iter().map(|value| scope.string(&decode(value))).collect::<Vec<_>>()
        });
        scope.array(&values.unwrap_or_default()).map(Object::value)
    })?;
    // Bytes, null at the end, false: an event follows, undefined: the request is over.
    add_fast(scope, binding, "readBody", |scope, call| {
        body_value(scope, with_request(scope, call, |server, id| server.read_body(id)))
    })?;
    add_fast(scope, binding, "readWholeBody", |scope, call| {
        body_value(scope, with_request(scope, call, |server, id| server.read_whole_body(id)))
    })?;
    // The whole body as text, without a byte order mark; null if it is empty, else as `readBody`.
    add_fast(scope, binding, "readWholeText", |scope, call| {
        match with_request(scope, call, |server, id| server.read_whole_body(id)) {
            Some(BodyRead::Bytes(bytes)) => {
                let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&bytes);
                Ok(scope.string_from_utf8_lossy(text))
            }
            other => body_value(scope, other),
        }
    })?;
    // Arguments: server, request, milliseconds.
    add(scope, binding, "setTimeout", |scope, call| {
        let timeout = Duration::from_millis(call.argument(scope, 2).to_number(scope)? as u64);
        with_request(scope, call, |server, id| server.set_timeout(id, timeout));
        Ok(scope.undefined())
    })
}

fn next<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let none = scope.number(-1.0);
    let Some(entry) = of_call(scope, call) else { return Ok(none) };
    let (kind, id) = match entry.next() {
        None => return Ok(none),
        Some(Event::Request { id, handler }) => {
            let server = entry.server.borrow();
            let Some(view) = server.request(id) else { return Ok(none) };
            store(word::HANDLER, handler.map_or(0, |number| number + 1));
            store(word::METHOD, view.method() as u32);
            store(word::HAS_BODY, u32::from(view.has_body()));
            (event::REQUEST, id)
        }
        Some(Event::Body(id)) => (event::BODY, id),
        Some(Event::Drain(id)) => (event::DRAIN, id),
        Some(Event::Aborted(id)) => (event::ABORTED, id),
        Some(Event::Stopped) => {
            store(word::EVENT, event::STOPPED);
            return Ok(scope.number(0.0));
        }
    };
    store(word::EVENT, kind);
    Ok(scope.number(number_of_request(id)))
}

fn body_value<'s>(scope: &'s Scope, read: Option<BodyRead>) -> Outcome<'s> {
    Ok(match read {
        Some(BodyRead::Bytes(bytes)) => Bytes::from_vec(scope, bytes)?.value(),
        Some(BodyRead::End) => scope.null(),
        Some(BodyRead::Pending) => scope.boolean(false),
        Some(BodyRead::Gone) | None => scope.undefined(),
    })
}

/// The URL of a request: of its target in absolute form, else of `Host` and target.
fn url_of(target: &[u8], host: Option<&[u8]>, origin: &str) -> String {
    let text = |bytes: &[u8]| bytes.iter().map(|&byte| char::from(byte)).collect::<String>();
    if target.first() != Some(&b'/') {
        let absolute = if target == b"*" { format!("{origin}/*") } else { text(target) };
        return normalize(absolute).unwrap_or_else(|| format!("{origin}/"));
    }
    let scheme = origin.split_once("://").map_or("http", |(scheme, _)| scheme);
    let Some(host) = host.filter(|host| !host.is_empty()) else {
        let url = format!("{origin}{}", text(target));
        return normalize(url).unwrap_or_else(|| format!("{origin}/"));
    };
    let url = format!("{scheme}://{}{}", text(host), text(target));
    normalize(url)
        .or_else(|| normalize(format!("{origin}{}", text(target))))
        .unwrap_or_else(|| format!("{origin}/"))
}

fn normalize(url: String) -> Option<String> {
    match url_parser::parse_fast(url.as_bytes()) {
        Some(fast) => Some(fast.write(url.as_bytes()).unwrap_or(url)),
        None => url_parser::parse(&url, None).map(|record| record.write().0),
    }
}

/// Decodes percent-encoded bytes; what is no UTF-8 becomes U+FFFD.
fn decode(text: &[u8]) -> String {
    let mut decoded = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let digits = text.get(at + 1..at + 3).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits
            .filter(|_| text[at] == b'%')
            .filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        match byte.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(text[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests;
