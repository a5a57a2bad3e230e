//! permessage-deflate (RFC 7692, 7.2): compression of one direction. In: payloads of messages. Out:
//! payloads, with a limit for what is decompressed. Absent: negotiation (extension.rs), frames.

#[cfg(test)]
mod tests;

use std::fmt;

use rusk_zlib::{Code, Codec, Conversion, Mode, Settings};

use crate::decoder::ProtocolError;

/// `Z_SYNC_FLUSH`.
const SYNC_FLUSH: i32 = 2;
/// What a sync flush ends with; RFC 7692 removes it from payloads.
const TAIL: [u8; 4] = [0x00, 0x00, 0xff, 0xff];
/// zlib's default: 1 is the fastest, 9 the smallest.
const LEVEL: i32 = 6;
const MEMORY_LEVEL: i32 = 8;
/// The largest window: how far back a payload refers.
const WINDOW_BYTES: usize = 32 << 10;
/// zlib makes no raw deflate with a window of 8 bits.
pub(crate) const WINDOW_BITS_MIN: u8 = 9;
pub(crate) const WINDOW_BITS_MAX: u8 = 15;

/// Compresses the messages that one end sends.
pub struct Deflater {
    codec: Codec,
    keeps_context: bool,
}

/// Decompresses the messages that one end receives.
pub struct Inflater {
    codec: Codec,
    keeps_context: bool,
}

impl Deflater {
    /// `window_bits`: 9 to 15. `keeps_context`: messages refer to messages before.
    pub fn new(window_bits: u8, keeps_context: bool) -> Deflater {
        let window_bits = window_bits.clamp(WINDOW_BITS_MIN, WINDOW_BITS_MAX);
        Deflater { codec: codec(Mode::DeflateRaw, window_bits, None), keeps_context }
    }

    /// Appends the compressed payload.
    pub fn deflate(&mut self, payload: &[u8], output: &mut Vec<u8>) {
        let mut compressed = Vec::new();
        self.codec.convert(payload, &mut compressed, SYNC_FLUSH, usize::MAX - 1);
        // An empty message has nothing to flush: one empty block, RFC 7692, 7.2.3.6.
        match compressed.strip_suffix(&TAIL) {
            Some(stripped) if !stripped.is_empty() => output.extend_from_slice(stripped),
            _ => output.push(0),
        }
        if !self.keeps_context {
            self.codec.reset().expect("there is no dictionary");
        }
    }
}

impl Inflater {
    pub fn new(keeps_context: bool) -> Inflater {
        Inflater { codec: codec(Mode::InflateRaw, WINDOW_BITS_MAX, None), keeps_context }
    }

    /// Decompresses a payload to at most that many bytes.
    pub(crate) fn inflate(&mut self, payload: &[u8], bytes_max: usize) -> Result<Vec<u8>, ProtocolError> {
        let input = [payload, &TAIL].concat();
        let (mut rest, mut output) = (&input[..], Vec::new());
        loop {
            let step = match self.codec.convert(rest, &mut output, SYNC_FLUSH, bytes_max) {
                Conversion::TooLarge => return Err(ProtocolError::TOO_BIG),
                Conversion::Ended(step) => step,
            };
            if step.message.is_some() {
                return Err(ProtocolError::invalid_text("Received invalid compressed data"));
            }
            rest = &rest[step.read_bytes..];
            if step.code != Code::StreamEnd {
                break;
            }
            // A final block, RFC 7692, 7.2.3.4: what follows may refer to what came before.
            let window = output[output.len().saturating_sub(WINDOW_BYTES)..].to_vec();
            self.codec = codec(Mode::InflateRaw, WINDOW_BITS_MAX, Some(window));
            if rest.is_empty() {
                break;
            }
        }
        if !self.keeps_context {
            self.codec = codec(Mode::InflateRaw, WINDOW_BITS_MAX, None);
        }
        Ok(output)
    }
}

fn codec(mode: Mode, window_bits: u8, dictionary: Option<Vec<u8>>) -> Codec {
    let dictionary = dictionary.filter(|bytes| !bytes.is_empty());
    let settings = Settings {
        mode,
        level: LEVEL,
        window_bits,
        memory_level: MEMORY_LEVEL,
        strategy: 0,
        dictionary,
        is_single: true,
    };
    Codec::new(settings).expect("raw DEFLATE takes any dictionary")
}

impl fmt::Debug for Deflater {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Deflater").field("keeps_context", &self.keeps_context).finish_non_exhaustive()
    }
}

impl fmt::Debug for Inflater {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Inflater").field("keeps_context", &self.keeps_context).finish_non_exhaustive()
    }
}
