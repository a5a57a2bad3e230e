//! Body of the request that a connection is at. In: bytes of the connection. Out: bytes for the
//! program, as they come or as a whole; whether to read on. Bytes that the program does not read
//! are limited, and then the connection is not read either.

use rusk_http::parser::BodyFraming;

use crate::limits::BODY_BUFFER_BYTES_MAX;
use crate::wire::BodyDecoder;

/// What [`Server::read_body`](crate::Server::read_body) returns.
#[derive(Debug, PartialEq, Eq)]
pub enum BodyRead {
    Bytes(Vec<u8>),
    /// An event follows when there is something.
    Pending,
    End,
    /// The request is over: aborted, or answered.
    Gone,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyWait {
    None,
    Piece,
    /// The program waits for the end.
    Whole,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyError {
    Malformed,
    TooLarge,
}

pub(crate) struct RequestBody {
    decoder: BodyDecoder,
    received: Vec<u8>,
    /// Bytes of the body so far.
    total: u64,
    pub wait: BodyWait,
}

impl RequestBody {
    pub fn empty() -> RequestBody {
        RequestBody::new(BodyFraming::None)
    }

    pub fn new(framing: BodyFraming) -> RequestBody {
        RequestBody {
            decoder: BodyDecoder::new(framing),
            received: Vec::new(),
            total: 0,
            wait: BodyWait::None,
        }
    }

    /// A body whose end is reported by [`RequestBody::end`].
    pub fn until_end() -> RequestBody {
        RequestBody { decoder: BodyDecoder::UntilEnd, ..RequestBody::empty() }
    }

    /// All of the body has come.
    pub fn end(&mut self) {
        self.decoder = BodyDecoder::End;
    }

    pub fn is_complete(&self) -> bool {
        self.decoder.is_complete()
    }

    pub fn has_begun(&self) -> bool {
        self.total > 0 || self.is_complete()
    }

    /// Returns the number of bytes read.
    pub fn receive(&mut self, bytes: &[u8], bytes_max: u64) -> Result<usize, BodyError> {
        let before = self.received.len();
        let count = self.decoder.decode(bytes, &mut self.received).map_err(|_| BodyError::Malformed)?;
        self.total += (self.received.len() - before) as u64;
        if self.total > bytes_max { Err(BodyError::TooLarge) } else { Ok(count) }
    }

    /// Whether the connection should be read.
    pub fn wants_more(&self) -> bool {
        !self.is_complete() && (self.wait == BodyWait::Whole || self.received.len() < BODY_BUFFER_BYTES_MAX)
    }

    /// Whether what the program waits for has come. It is reported once.
    pub fn take_satisfied(&mut self) -> bool {
        let is_satisfied = match self.wait {
            BodyWait::None => false,
            BodyWait::Piece => self.is_complete() || !self.received.is_empty(),
            BodyWait::Whole => self.is_complete(),
        };
        if is_satisfied {
            self.wait = BodyWait::None;
        }
        is_satisfied
    }

    pub fn read(&mut self, wait: BodyWait) -> BodyRead {
        let is_there = match wait {
            BodyWait::Whole => self.is_complete(),
            BodyWait::None | BodyWait::Piece => !self.received.is_empty(),
        };
        if is_there {
            return BodyRead::Bytes(std::mem::take(&mut self.received));
        }
        if self.is_complete() {
            return BodyRead::End;
        }
        self.wait = wait;
        BodyRead::Pending
    }
}
