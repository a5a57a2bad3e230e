//! Encoder of frames (RFC 6455, 5.2). In: an opcode, a payload, a masking key of a client. Out: the
//! bytes of one frame. Absent: compression (deflate.rs), fragmentation of what is sent.

#[cfg(test)]
mod tests;

use crate::frame::{LENGTH_16, LENGTH_64, Opcode, first_byte, masked};
use crate::mask::apply_mask;

/// The largest payload of a control frame.
pub const CONTROL_BYTES_MAX: usize = 125;
/// Two bytes, a length of eight, a key of four.
pub const HEADER_BYTES_MAX: usize = 14;

/// Appends one frame. `is_compressed`: the payload is the output of a `Deflater`. `key`: clients
/// have one, made anew for each frame from unpredictable bytes.
pub fn encode_frame(
    output: &mut Vec<u8>,
    opcode: Opcode,
    payload: &[u8],
    is_compressed: bool,
    key: Option<[u8; 4]>,
) {
    output.reserve(HEADER_BYTES_MAX + payload.len());
    encode_header(output, opcode, payload.len(), is_compressed, key);
    let start = output.len();
    output.extend_from_slice(payload);
    if let Some(key) = key {
        apply_mask(&mut output[start..], key, 0);
    }
}

/// Appends what precedes the payload.
pub fn encode_header(
    output: &mut Vec<u8>,
    opcode: Opcode,
    payload_bytes: usize,
    is_compressed: bool,
    key: Option<[u8; 4]>,
) {
    output.push(first_byte(opcode, true, is_compressed));
    let mark = |second: u8| if key.is_some() { masked(second) } else { second };
    match (u8::try_from(payload_bytes), u16::try_from(payload_bytes)) {
        (Ok(bytes), _) if usize::from(bytes) <= CONTROL_BYTES_MAX => output.push(mark(bytes)),
        (_, Ok(bytes)) => {
            output.push(mark(LENGTH_16));
            output.extend_from_slice(&bytes.to_be_bytes());
        }
        _ => {
            output.push(mark(LENGTH_64));
            output.extend_from_slice(&(payload_bytes as u64).to_be_bytes());
        }
    }
    output.extend_from_slice(key.as_ref().map_or(&[][..], |key| key));
}
