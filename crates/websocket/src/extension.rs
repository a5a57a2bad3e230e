//! Negotiation of permessage-deflate (RFC 7692, 5 and 7.1; RFC 6455, 9.1). In: the values of
//! `Sec-WebSocket-Extensions`. Out: parameters that both ends use, and the value of the response.
//! Absent: other extensions.

#[cfg(test)]
mod tests;

use crate::deflate::{WINDOW_BITS_MAX, WINDOW_BITS_MIN};

const NAME: &str = "permessage-deflate";

/// What both ends agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeflateParameters {
    pub server_keeps_context: bool,
    pub client_keeps_context: bool,
    /// 9 to 15.
    pub server_window_bits: u8,
    pub client_window_bits: u8,
}

/// What a server wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeflateSupport {
    /// Messages that the server sends may refer to messages before; it costs memory.
    pub server_keeps_context: bool,
    pub client_keeps_context: bool,
    pub server_window_bits: u8,
}

/// The parameters of one extension in the header; `None`: one is unknown, malformed or twice.
#[derive(Clone, Copy, Debug, Default)]
struct ParsedOffer {
    server_no_context_takeover: bool,
    client_no_context_takeover: bool,
    server_max_window_bits: Option<u8>,
    /// `Some(None)`: without a value.
    client_max_window_bits: Option<Option<u8>>,
}

/// The first offer that the server can accept, and the value of its response.
pub fn accept_offer(header: &str, support: DeflateSupport) -> Option<(DeflateParameters, String)> {
    let offers = header.split(',').filter_map(parse_extension);
    // zlib cannot make a window of 8 bits.
    let offer = offers
        .flatten()
        .find(|offer| offer.server_max_window_bits.is_none_or(|bits| bits >= WINDOW_BITS_MIN))?;
    let parameters = DeflateParameters {
        server_keeps_context: support.server_keeps_context && !offer.server_no_context_takeover,
        client_keeps_context: support.client_keeps_context && !offer.client_no_context_takeover,
        server_window_bits: support
            .server_window_bits
            .min(offer.server_max_window_bits.unwrap_or(WINDOW_BITS_MAX)),
        client_window_bits: offer.client_max_window_bits.flatten().unwrap_or(WINDOW_BITS_MAX),
    };
    let mut response = NAME.to_owned();
    if !parameters.server_keeps_context {
        response.push_str("; server_no_context_takeover");
    }
    if !parameters.client_keeps_context {
        response.push_str("; client_no_context_takeover");
    }
    if parameters.server_window_bits < WINDOW_BITS_MAX {
        response.push_str(&format!("; server_max_window_bits={}", parameters.server_window_bits));
    }
    Some((parameters, response))
}

/// The parameters of a server's response to the offer `permessage-deflate; client_max_window_bits`.
/// `Err`: the server answered with what was not offered. `Ok(None)`: without the extension.
pub fn accept_response(header: &str) -> Result<Option<DeflateParameters>, &'static str> {
    let mut accepted = None;
    for extension in header.split(',').filter(|extension| !extension.trim().is_empty()) {
        let offer = parse_extension(extension).ok_or("an extension that was not offered")?;
        let offer = offer.ok_or("invalid parameters of permessage-deflate")?;
        if matches!(offer.client_max_window_bits, Some(None | Some(..WINDOW_BITS_MIN))) {
            return Err("client_max_window_bits has no value, or one that zlib cannot make");
        }
        let parameters = DeflateParameters {
            server_keeps_context: !offer.server_no_context_takeover,
            client_keeps_context: !offer.client_no_context_takeover,
            server_window_bits: offer.server_max_window_bits.unwrap_or(WINDOW_BITS_MAX),
            client_window_bits: offer.client_max_window_bits.flatten().unwrap_or(WINDOW_BITS_MAX),
        };
        if accepted.replace(parameters).is_some() {
            return Err("permessage-deflate twice");
        }
    }
    Ok(accepted)
}

/// `None`: another extension. `Some(None)`: invalid parameters.
fn parse_extension(text: &str) -> Option<Option<ParsedOffer>> {
    let mut parts = text.split(';').map(str::trim);
    parts.next().filter(|name| *name == NAME)?;
    let mut offer = ParsedOffer::default();
    for part in parts {
        let (name, value) = match part.split_once('=') {
            Some((name, value)) => (name.trim_end(), Some(value.trim_start().trim_matches('"'))),
            None => (part, None),
        };
        let is_new = match (name, value) {
            ("server_no_context_takeover", None) => {
                !std::mem::replace(&mut offer.server_no_context_takeover, true)
            }
            ("client_no_context_takeover", None) => {
                !std::mem::replace(&mut offer.client_no_context_takeover, true)
            }
            ("server_max_window_bits", Some(value)) => {
                let Some(bits) = window_bits(value) else { return Some(None) };
                offer.server_max_window_bits.replace(bits).is_none()
            }
            ("client_max_window_bits", value) => {
                let bits = value.map(window_bits);
                if bits == Some(None) {
                    return Some(None);
                }
                offer.client_max_window_bits.replace(bits.flatten()).is_none()
            }
            _ => false,
        };
        if !is_new {
            return Some(None);
        }
    }
    Some(Some(offer))
}

/// 8 to 15, without leading zeros.
fn window_bits(value: &str) -> Option<u8> {
    let is_plain =
        !value.is_empty() && !value.starts_with('0') && value.bytes().all(|byte| byte.is_ascii_digit());
    value.parse().ok().filter(|bits| is_plain && (8..=WINDOW_BITS_MAX).contains(bits))
}
