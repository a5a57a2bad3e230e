//! Response bodies: reading within limits, gzip decompression.

use std::time::{Duration, Instant};

use http_body_util::BodyExt;
use hyper::body::{Body as _, Bytes, Incoming};
use libdeflater::{DecompressionError, Decompressor};

use crate::connect;
use crate::download::{CHUNK_BYTES, DownloadSink};
use crate::error::{RequestError, TimeoutPhase};
use crate::memory_budget::{Body, Demand, MemoryBudget, MemoryPermit};

/// Lowest speed of a body, over the time that is waited for it: a tenth of that of the slowest
/// modems. Fewer bytes are an attempt to keep an install waiting.
const RATE_MIN_BYTES_PER_S: u64 = 500;

/// Capacity reserved for an announced length, at most; a longer body grows as it arrives.
const RESERVE_BYTES_MAX: u64 = 64 << 20;

/// Highest compression ratio of deflate; a gzip trailer that claims more is wrong.
const INFLATE_RATIO_MAX: usize = 1032;

/// Host of a body, for errors, and its limits of size and time.
pub struct BodyLimits<'a> {
    pub host: &'a str,
    pub bytes_max: usize,
    pub idle: Duration,
    pub whole: Duration,
    /// Whether the body must have its announced length: that of a 304 is the length of the document
    /// that is not sent.
    pub is_whole_document: bool,
}

/// Result of reading a body without an error.
pub enum BodyRead {
    Complete(Body),
    /// The body is longer than the memory budget allows now.
    OverBudget,
}

/// The memory that a body announces. A body that is too large is not read.
pub fn demand(body: &Incoming, bytes_max: usize) -> Result<Demand, RequestError> {
    match body.size_hint() {
        hint if hint.lower() > bytes_max as u64 => Err(RequestError::TooLarge { bytes_max }),
        hint => Ok(Demand::of(hint.exact())),
    }
}

/// Reads a whole body. A body shorter than its `Content-Length` is a connection error.
pub async fn read(
    mut body: Incoming,
    budget: &MemoryBudget,
    mut permit: MemoryPermit,
    limits: &BodyLimits<'_>,
) -> Result<BodyRead, RequestError> {
    let announced = body.size_hint().lower();
    let mut bytes = Vec::with_capacity(announced.min(RESERVE_BYTES_MAX) as usize);
    let mut pace = Pace::new(limits.whole);
    while let Some(chunk) = next(&mut body, bytes.len(), &mut pace, limits).await? {
        if bytes.len() + chunk.len() > permit.bytes() {
            let Some(more) = budget.try_acquire(Demand::Large) else { return Ok(BodyRead::OverBudget) };
            permit = more;
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(BodyRead::Complete(Body::new(bytes, permit)))
}

/// Result of forwarding a body without an error, with the number of its bytes.
pub enum Forwarded {
    Complete(usize),
    /// The receiver was dropped.
    Cancelled(usize),
}

/// Forwards a body in chunks while it arrives, with back-pressure.
pub async fn forward(
    mut body: Incoming,
    sink: &DownloadSink,
    limits: &BodyLimits<'_>,
) -> Result<Forwarded, RequestError> {
    let mut buffer = Vec::with_capacity(CHUNK_BYTES);
    let mut length = 0;
    let mut pace = Pace::new(limits.whole);
    while let Some(chunk) = next(&mut body, length, &mut pace, limits).await? {
        length += chunk.len();
        let mut rest = &chunk[..];
        while !rest.is_empty() {
            let (part, after) = rest.split_at(rest.len().min(CHUNK_BYTES - buffer.len()));
            buffer.extend_from_slice(part);
            rest = after;
            if buffer.len() == CHUNK_BYTES {
                let full = std::mem::replace(&mut buffer, Vec::with_capacity(CHUNK_BYTES));
                if !sink.send(full).await {
                    return Ok(Forwarded::Cancelled(length));
                }
            }
        }
    }
    match buffer.is_empty() || sink.send(buffer).await {
        true => Ok(Forwarded::Complete(length)),
        false => Ok(Forwarded::Cancelled(length)),
    }
}

/// How fast a body arrives.
struct Pace {
    end: Instant,
    /// Time waited for bytes, and the bytes, since the speed was checked. Time in which the
    /// receiver is busy does not count.
    waited: Duration,
    bytes: u64,
}

impl Pace {
    fn new(whole: Duration) -> Pace {
        Pace { end: Instant::now() + whole, waited: Duration::ZERO, bytes: 0 }
    }

    /// Whether the speed is high enough, or it is too early to say.
    fn add(&mut self, waited: Duration, bytes: usize, limits: &BodyLimits<'_>) -> bool {
        self.waited += waited;
        self.bytes += bytes as u64;
        if self.waited < limits.idle {
            return true;
        }
        let expected = RATE_MIN_BYTES_PER_S.saturating_mul(self.waited.as_millis() as u64) / 1000;
        let is_fast = self.bytes >= expected;
        (self.waited, self.bytes) = (Duration::ZERO, 0);
        is_fast
    }
}

/// Waits for the next chunk of a body of which `length` bytes have arrived; `None` at its end.
async fn next(
    body: &mut Incoming,
    length: usize,
    pace: &mut Pace,
    limits: &BodyLimits<'_>,
) -> Result<Option<Bytes>, RequestError> {
    loop {
        let begun = Instant::now();
        let left = pace.end.saturating_duration_since(begun);
        let frame = match tokio::time::timeout(limits.idle.min(left), body.frame()).await {
            Ok(Some(frame)) => frame.map_err(|error| connect::broken(limits.host, &error))?,
            // A stream of HTTP/2 that was reset with NO_ERROR ends without an error.
            Ok(None) => match body.size_hint().lower() {
                missing if missing > 0 && limits.is_whole_document => {
                    let cause = format!("the body ended {missing} bytes before its content-length");
                    return Err(RequestError::Broken { host: limits.host.to_owned(), cause });
                }
                _ => return Ok(None),
            },
            Err(_) => {
                let host = limits.host.to_owned();
                let (phase, limit) = match left < limits.idle {
                    true => (TimeoutPhase::Total, limits.whole),
                    false => (TimeoutPhase::Idle, limits.idle),
                };
                return Err(RequestError::TimedOut { host, phase, limit });
            }
        };
        match frame.into_data() {
            Ok(chunk) if length + chunk.len() > limits.bytes_max => {
                return Err(RequestError::TooLarge { bytes_max: limits.bytes_max });
            }
            Ok(chunk) if !pace.add(begun.elapsed(), chunk.len(), limits) => {
                let (phase, limit) = (TimeoutPhase::Slow, limits.idle);
                return Err(RequestError::TimedOut { host: limits.host.to_owned(), phase, limit });
            }
            Ok(chunk) => return Ok(Some(chunk)),
            // Trailers are ignored.
            Err(_) => {}
        }
    }
}

/// Why a gzip body cannot be decompressed.
#[derive(Debug, PartialEq, Eq)]
pub enum GunzipError {
    Corrupt,
    TooLarge,
}

/// The size that a gzip body claims to have, in its trailer.
pub fn claimed_bytes(bytes: &[u8]) -> usize {
    bytes.last_chunk().map_or(0, |trailer| u32::from_le_bytes(*trailer) as usize)
}

/// Decompresses a gzip body of one member into a reusable buffer. The size comes from the trailer;
/// where that is wrong, as in a body that was cut short, the largest possible size is tried.
pub fn gunzip<'a>(bytes: &[u8], bytes_max: usize, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], GunzipError> {
    let possible = bytes.len().saturating_mul(INFLATE_RATIO_MAX).min(bytes_max);
    let claimed = claimed_bytes(bytes).min(possible);
    let length = match gunzip_into(bytes, claimed, buffer) {
        Err(GunzipError::TooLarge) if claimed < possible => gunzip_into(bytes, possible, buffer),
        result => result,
    };
    length.map(|length| &buffer[..length])
}

fn gunzip_into(bytes: &[u8], capacity: usize, buffer: &mut Vec<u8>) -> Result<usize, GunzipError> {
    if buffer.len() < capacity {
        // A new allocation: growing in place would copy the old contents.
        *buffer = vec![0; capacity];
    }
    match Decompressor::new().gzip_decompress(bytes, &mut buffer[..capacity]) {
        Ok(length) => Ok(length),
        Err(DecompressionError::InsufficientSpace) => Err(GunzipError::TooLarge),
        Err(_) => Err(GunzipError::Corrupt),
    }
}

#[cfg(test)]
mod tests;
