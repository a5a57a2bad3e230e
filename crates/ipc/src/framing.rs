//! Message framing: splits a byte stream into messages. In: untrusted bytes in chunks of any size.
//! Out: each message once, in order. An incomplete message is buffered up to a limit; no memory is
//! allocated for a length before its bytes arrive. Absent: the messages' content.

use std::fmt;

/// How the end of a message is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// One message per line: JSON, as Node and bun write it.
    Lines,
    /// A four-byte big-endian length before each message: values in V8's serialization format, as
    /// Node writes them.
    LengthPrefix,
    /// A type byte and a four-byte little-endian length before each message: values in
    /// JavaScriptCore's serialization format, as bun writes them.
    TypeAndLengthPrefix,
}

/// The length limit of Node's strings. A message is in memory two or three times while it is read.
pub const MESSAGE_BYTES_MAX: usize = 512 << 20;

/// Capacity that is retained for the next message that arrives in several chunks.
const RETAINED_BYTES_MAX: usize = 1 << 20;

/// Message types of bun. The first message: the type, and the protocol version.
const GREETING: u8 = 1;
const VALUE: u8 = 2;
/// Sent by bun's own code; programs do not see it.
const INTERNAL: u8 = 3;
/// Protocol version 2, which bun has had since 1.3.
pub const BUN_GREETING: [u8; 5] = [GREETING, 2, 0, 0, 0];

/// Why bytes are not a stream of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolError {
    TooLong,
    UnknownType(u8),
    /// bun's greeting on a channel with Node's framing.
    BunGreeting,
}

/// Continues the sentence `Channel closed: the other end`.
impl fmt::Display for ProtocolError {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProtocolError::TooLong => write!(to, "began a message of more than {MESSAGE_BYTES_MAX} bytes"),
            ProtocolError::UnknownType(kind) => write!(to, "sent a message of the unknown type {kind}"),
            ProtocolError::BunGreeting => to.write_str("uses bun's format of `serialization: 'advanced'`, this process uses Node's; both support `json`"),
        }
    }
}

/// Splits one direction of a channel into messages.
pub struct FrameDecoder {
    framing: Framing,
    /// The incomplete message, including its prefix.
    partial: Vec<u8>,
}

/// Result of looking for the end of the first message in a buffer.
enum FrameEnd {
    Incomplete,
    /// Range of the message within the bytes, and offset of the next one. `None`: a message that is
    /// not for the program.
    At {
        message: Option<(usize, usize)>,
        next: usize,
    },
}

impl FrameDecoder {
    pub fn new(framing: Framing) -> FrameDecoder {
        FrameDecoder { framing, partial: Vec::new() }
    }

    /// Calls `each` with every message that is complete now, and whether it ends where `bytes` end.
    pub fn decode(&mut self, bytes: &[u8], mut each: impl FnMut(&[u8], bool)) -> Result<(), ProtocolError> {
        let mut left = bytes;
        while !self.partial.is_empty() && !left.is_empty() {
            let taken = self.missing(left);
            self.partial.extend_from_slice(&left[..taken]);
            left = &left[taken..];
            if let FrameEnd::At { message, .. } = self.find_end(&self.partial, self.partial.len() - taken)? {
                if let Some((from, to)) = message {
                    each(&self.partial[from..to], left.is_empty());
                }
                self.clear_partial();
            }
        }
        while !left.is_empty() {
            match self.find_end(left, 0)? {
                FrameEnd::Incomplete => {
                    self.partial.extend_from_slice(left);
                    return Ok(());
                }
                FrameEnd::At { message, next } => {
                    if let Some((from, to)) = message {
                        each(&left[from..to], next == left.len());
                    }
                    left = &left[next..];
                }
            }
        }
        Ok(())
    }

    /// Whether the last message is incomplete.
    pub fn has_partial_message(&self) -> bool {
        !self.partial.is_empty()
    }

    fn clear_partial(&mut self) {
        self.partial.clear();
        self.partial.shrink_to(RETAINED_BYTES_MAX);
    }

    /// How many of these bytes belong to the incomplete message, at most; at least one.
    fn missing(&self, left: &[u8]) -> usize {
        let missing = match self.framing {
            Framing::Lines => memchr::memchr(b'\n', left).map_or(left.len(), |at| at + 1),
            Framing::LengthPrefix | Framing::TypeAndLengthPrefix => {
                let prefix = self.framing.prefix_bytes();
                let all = self.framing.body_bytes(&self.partial).map_or(prefix, |body| prefix + body);
                all - self.partial.len()
            }
        };
        missing.min(left.len())
    }

    /// Finds the end of the first message. The first `searched` bytes are already searched for a
    /// newline.
    fn find_end(&self, bytes: &[u8], searched: usize) -> Result<FrameEnd, ProtocolError> {
        match self.framing {
            Framing::Lines => match memchr::memchr(b'\n', &bytes[searched..]) {
                Some(at) => {
                    let at = searched + at;
                    check(at)?;
                    Ok(FrameEnd::At { message: Some((0, at)), next: at + 1 })
                }
                None => check(bytes.len()).map(|()| FrameEnd::Incomplete),
            },
            Framing::LengthPrefix | Framing::TypeAndLengthPrefix => self.find_end_by_length(bytes),
        }
    }

    fn find_end_by_length(&self, bytes: &[u8]) -> Result<FrameEnd, ProtocolError> {
        let Some(body) = self.framing.body_bytes(bytes) else { return Ok(FrameEnd::Incomplete) };
        // bun's greeting read as a length is 16 million; V8's format begins with 255.
        if self.framing == Framing::LengthPrefix && bytes.starts_with(&BUN_GREETING) {
            return Err(ProtocolError::BunGreeting);
        }
        check(body)?;
        let (prefix, all) = (self.framing.prefix_bytes(), self.framing.prefix_bytes() + body);
        if self.framing == Framing::TypeAndLengthPrefix && !(GREETING..=INTERNAL).contains(&bytes[0]) {
            return Err(ProtocolError::UnknownType(bytes[0]));
        }
        if bytes.len() < all {
            return Ok(FrameEnd::Incomplete);
        }
        let is_for_program = self.framing == Framing::LengthPrefix || bytes[0] == VALUE;
        Ok(FrameEnd::At { message: is_for_program.then_some((prefix, all)), next: all })
    }
}

fn check(length: usize) -> Result<(), ProtocolError> {
    if length > MESSAGE_BYTES_MAX { Err(ProtocolError::TooLong) } else { Ok(()) }
}

impl Framing {
    fn prefix_bytes(self) -> usize {
        match self {
            Framing::Lines => 0,
            Framing::LengthPrefix => 4,
            Framing::TypeAndLengthPrefix => 5,
        }
    }

    /// Length of the message after its prefix; `None`: the prefix is incomplete.
    fn body_bytes(self, bytes: &[u8]) -> Option<usize> {
        let length = match self {
            Framing::Lines => return None,
            Framing::LengthPrefix => u32::from_be_bytes(*bytes.first_chunk()?),
            // A greeting has the version where other messages have their length.
            Framing::TypeAndLengthPrefix if *bytes.first()? == GREETING => bytes.get(1..5).map(|_| 0)?,
            Framing::TypeAndLengthPrefix => u32::from_le_bytes(*bytes.get(1..)?.first_chunk()?),
        };
        Some(length as usize)
    }

    /// A message with its prefix or newline. `None`: it is longer than a receiver accepts.
    pub fn encode(self, message: &[u8]) -> Option<Vec<u8>> {
        let length = u32::try_from(message.len()).ok().filter(|_| message.len() <= MESSAGE_BYTES_MAX)?;
        let mut framed = Vec::with_capacity(message.len() + 5);
        match self {
            Framing::Lines => {}
            Framing::LengthPrefix => framed.extend(length.to_be_bytes()),
            Framing::TypeAndLengthPrefix => {
                framed.push(VALUE);
                framed.extend(length.to_le_bytes());
            }
        }
        framed.extend_from_slice(message);
        if self == Framing::Lines {
            framed.push(b'\n');
        }
        Some(framed)
    }
}

#[cfg(test)]
mod tests;
