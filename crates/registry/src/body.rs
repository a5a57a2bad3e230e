//! Response bodies: reading within limits, gzip decompression.

use std::time::{Duration, Instant};

use http_body_util::BodyExt;
use hyper::body::{Body as _, Bytes, Incoming};
use libdeflater::{DecompressionError, Decompressor};

use crate::connect;
use crate::download::{CHUNK_BYTES, DownloadSink};
use crate::error::{RequestError, TimeoutPhase};
use crate::memory_budget::{Body, Demand, MemoryBudget, MemoryPermit};

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
    let end = Instant::now() + limits.whole;
    while let Some(chunk) = next(&mut body, bytes.len(), end, limits).await? {
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
    let end = Instant::now() + limits.whole;
    while let Some(chunk) = next(&mut body, length, end, limits).await? {
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

/// Waits for the next chunk of a body of which `length` bytes have arrived; `None` at its end.
async fn next(
    body: &mut Incoming,
    length: usize,
    end: Instant,
    limits: &BodyLimits<'_>,
) -> Result<Option<Bytes>, RequestError> {
    loop {
        let left = end.saturating_duration_since(Instant::now());
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

/// Decompresses a gzip body of one member into a reusable buffer. The size comes from the trailer,
/// if it is plausible.
pub fn gunzip<'a>(bytes: &[u8], bytes_max: usize, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], GunzipError> {
    let trailer = bytes.last_chunk().ok_or(GunzipError::Corrupt)?;
    let possible = bytes.len().saturating_mul(INFLATE_RATIO_MAX).min(bytes_max);
    let claimed = u32::from_le_bytes(*trailer) as usize;
    if claimed > possible {
        return Err(if claimed > bytes_max { GunzipError::TooLarge } else { GunzipError::Corrupt });
    }
    if buffer.len() < claimed {
        // A new allocation: growing in place would copy the old contents.
        *buffer = vec![0; claimed];
    }
    match Decompressor::new().gzip_decompress(bytes, &mut buffer[..claimed]) {
        Ok(length) => Ok(&buffer[..length]),
        // The trailer holds the size modulo 4 GiB, or it is wrong; either way the body is too
        // large.
        Err(DecompressionError::InsufficientSpace) => Err(GunzipError::TooLarge),
        Err(_) => Err(GunzipError::Corrupt),
    }
}
