//! Decoder of request bodies: by length or in chunks. In: bytes of a connection after a head, split
//! anywhere. Out: bytes of the body, and its end. Absent: storing them.

use rusk_http::parser::{BodyFraming, Parser, ParserEvent};

/// Limit of trailers, which are checked and not used.
const TRAILER_BYTES_MAX: usize = 16 * 1024;

pub enum BodyDecoder {
    /// The number of bytes that are to come.
    Length(u64),
    Chunked(Box<Parser>),
    /// HTTP/2: the frames have been taken off, and the end is reported otherwise.
    UntilEnd,
    /// The body is complete.
    End,
}

/// The body is malformed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecodeError;

impl BodyDecoder {
    pub fn new(framing: BodyFraming) -> BodyDecoder {
        match framing {
            BodyFraming::Length(bytes) => BodyDecoder::Length(bytes),
            BodyFraming::Chunked => {
                BodyDecoder::Chunked(Box::new(Parser::of_chunked_body(TRAILER_BYTES_MAX)))
            }
            BodyFraming::None | BodyFraming::Unknown | BodyFraming::UntilClose => BodyDecoder::End,
        }
    }

    pub fn is_complete(&self) -> bool {
        matches!(self, BodyDecoder::End)
    }

    /// Appends what is of the body to `body`. Returns the number of bytes that were read: all of
    /// them unless the body has ended.
    pub fn decode(&mut self, bytes: &[u8], body: &mut Vec<u8>) -> Result<usize, DecodeError> {
        match self {
            BodyDecoder::End => Ok(0),
            BodyDecoder::UntilEnd => {
                body.extend_from_slice(bytes);
                Ok(bytes.len())
            }
            BodyDecoder::Length(left) => {
                let count = usize::try_from(*left).map_or(bytes.len(), |left| left.min(bytes.len()));
                body.extend_from_slice(&bytes[..count]);
                *left -= count as u64;
                if *left == 0 {
                    *self = BodyDecoder::End;
                }
                Ok(count)
            }
            BodyDecoder::Chunked(parser) => {
                let mut events = Vec::new();
                let read = parser.execute(bytes, &mut events).map_err(|_| DecodeError)?;
                let mut has_ended = false;
                for event in events {
                    match event {
                        ParserEvent::Body(range) => body.extend_from_slice(&bytes[range]),
                        ParserEvent::End { .. } => has_ended = true,
                        ParserEvent::Head(_) => return Err(DecodeError),
                    }
                }
                if has_ended {
                    *self = BodyDecoder::End;
                }
                Ok(read)
            }
        }
    }
}

#[cfg(test)]
mod tests;
