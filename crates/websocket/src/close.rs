//! Close codes and the payload of a close frame (RFC 6455, 5.5.1 and 7.4). In: a payload. Out: the
//! code and the reason, or a protocol error. Absent: when to close.

use crate::decoder::ProtocolError;
use crate::encoder::CONTROL_BYTES_MAX;

/// Codes of errors that end a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseCode {
    ProtocolError = 1002,
    InvalidPayload = 1007,
    MessageTooBig = 1009,
}

/// Whether a close frame may have the code: RFC 6455, 7.4.2, and the registry of the IANA.
pub fn is_valid_close_code(code: u16) -> bool {
    matches!(code, 1000..=1003 | 1007..=1014 | 3000..=4999)
}

/// Parses the payload of a close frame. The code is `None` if the payload is empty.
pub(crate) fn parse_close(payload: &[u8]) -> Result<(Option<u16>, String), ProtocolError> {
    let code = match payload {
        [] => return Ok((None, String::new())),
        [high, low, ..] => u16::from_be_bytes([*high, *low]),
        [_] => return Err(ProtocolError::protocol("Received invalid close payload")),
    };
    if !is_valid_close_code(code) {
        return Err(ProtocolError::protocol("Received invalid close code"));
    }
    match std::str::from_utf8(&payload[2..]) {
        Ok(reason) => Ok((Some(code), reason.to_owned())),
        Err(_) => Err(ProtocolError::invalid_text("Received invalid UTF-8")),
    }
}

/// The payload of a close frame. A reason that is too long is cut at a character.
pub fn close_payload(code: Option<u16>, reason: &str) -> Vec<u8> {
    let Some(code) = code else { return Vec::new() };
    let reason_bytes = reason.floor_char_boundary(CONTROL_BYTES_MAX - 2);
    [&code.to_be_bytes(), &reason.as_bytes()[..reason_bytes]].concat()
}
