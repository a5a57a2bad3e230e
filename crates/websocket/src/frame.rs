//! Frame headers (RFC 6455, 5.2). In: the first bytes of a frame. Out: the header, or how many more
//! bytes it has. Absent: payloads, and the rules between frames.

use crate::encoder::HEADER_BYTES_MAX;

/// Which end of a connection this is: a client masks what it sends, a server does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    Client,
    Server,
}

/// Opcodes: RFC 6455, 11.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opcode {
    Continuation = 0,
    Text = 1,
    Binary = 2,
    Close = 8,
    Ping = 9,
    Pong = 10,
}

const FINAL: u8 = 0x80;
const RSV1: u8 = 0x40;
const RSV2_AND_3: u8 = 0x30;
const OPCODE: u8 = 0x0f;
const MASKED: u8 = 0x80;
const LENGTH: u8 = 0x7f;
/// Values of the length field that say that a longer field follows.
pub(crate) const LENGTH_16: u8 = 126;
pub(crate) const LENGTH_64: u8 = 127;

#[derive(Clone, Copy, Debug)]
pub(crate) struct FrameHeader {
    pub(crate) is_final: bool,
    /// RSV1: of permessage-deflate.
    pub(crate) is_compressed: bool,
    pub(crate) has_reserved_bits: bool,
    /// `None`: a reserved opcode.
    pub(crate) opcode: Option<Opcode>,
    pub(crate) key: Option<[u8; 4]>,
    pub(crate) payload_bytes: u64,
}

impl Opcode {
    pub fn find(number: u8) -> Option<Opcode> {
        let all =
            [Opcode::Continuation, Opcode::Text, Opcode::Binary, Opcode::Close, Opcode::Ping, Opcode::Pong];
        all.into_iter().find(|opcode| *opcode as u8 == number)
    }

    pub fn is_control(self) -> bool {
        self as u8 >= Opcode::Close as u8
    }
}

/// The bytes of a header that begins with these two bytes.
fn header_bytes(second: u8) -> usize {
    let length_bytes = match second & LENGTH {
        LENGTH_16 => 2,
        LENGTH_64 => 8,
        _ => 0,
    };
    2 + length_bytes + if second & MASKED != 0 { 4 } else { 0 }
}

/// Bytes of a header that has not arrived completely.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct HeaderBuffer {
    bytes: [u8; HEADER_BYTES_MAX],
    filled: usize,
}

impl HeaderBuffer {
    /// Takes the bytes of a header from the input. `None`: more are needed.
    pub(crate) fn take(&mut self, input: &mut &[u8]) -> Option<FrameHeader> {
        loop {
            let needed = if self.filled < 2 { 2 } else { header_bytes(self.bytes[1]) };
            if self.filled == needed {
                self.filled = 0;
                return Some(parse_header(&self.bytes[..needed]));
            }
            let count = input.len().min(needed - self.filled);
            if count == 0 {
                return None;
            }
            let (taken, rest) = input.split_at(count);
            self.bytes[self.filled..self.filled + count].copy_from_slice(taken);
            self.filled += count;
            *input = rest;
        }
    }
}

/// `bytes`: a whole header.
fn parse_header(bytes: &[u8]) -> FrameHeader {
    let (first, second) = (bytes[0], bytes[1]);
    let rest = &bytes[2..];
    let (length, key) = match second & MASKED {
        0 => (rest, None),
        _ => rest.split_last_chunk().map(|(length, key)| (length, Some(*key))).expect("it is a whole header"),
    };
    let payload_bytes = match length {
        [] => u64::from(second & LENGTH),
        longer => longer.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte)),
    };
    FrameHeader {
        is_final: first & FINAL != 0,
        is_compressed: first & RSV1 != 0,
        has_reserved_bits: first & RSV2_AND_3 != 0,
        opcode: Opcode::find(first & OPCODE),
        key,
        payload_bytes,
    }
}

/// The first byte of a frame.
pub(crate) fn first_byte(opcode: Opcode, is_final: bool, is_compressed: bool) -> u8 {
    opcode as u8 | if is_final { FINAL } else { 0 } | if is_compressed { RSV1 } else { 0 }
}

/// Marks the second byte of a frame whose key follows.
pub(crate) fn masked(second: u8) -> u8 {
    second | MASKED
}
