//! Bodies: read whole within limits, decompressed where the server compressed them.

use std::time::{Duration, Instant};

use http_body_util::BodyExt;
use hyper::body::{Body as _, Bytes, Incoming};
use libdeflater::{DecompressionError, Decompressor};

use crate::connect;
use crate::download::{Outlet, PIECE_BYTES};
use crate::failure::{Failure, Wait};
use crate::room::{Body, Need, Room, Taken};

/// No more is set aside at a server's word; a longer body grows as it comes.
const RESERVE_BYTES_MAX: u64 = 64 << 20;

/// What a gzip trailer claims is believed up to this ratio, which is what deflate can reach.
const INFLATE_RATIO_MAX: usize = 1032;

/// Where a body comes from, and how much of it at what pace is acceptable.
pub struct Bounds<'a> {
    pub host: &'a str,
    pub bytes_max: usize,
    pub idle: Duration,
    pub whole: Duration,
}

/// How a body ended that was read without an error.
pub enum Read {
    Whole(Body),
    /// It is longer than there is room for now.
    Outgrown,
}

/// What a body says it needs. One that is too large is not begun.
pub fn need(body: &Incoming, bytes_max: usize) -> Result<Need, Failure> {
    match body.size_hint() {
        hint if hint.lower() > bytes_max as u64 => Err(Failure::TooLarge { bytes_max }),
        hint => Ok(Need::of(hint.exact())),
    }
}

/// Reads a body to its end. One that is shorter than its `Content-Length` is an error of the
/// connection.
pub async fn read(
    mut body: Incoming,
    room: &Room,
    mut taken: Taken,
    bounds: &Bounds<'_>,
) -> Result<Read, Failure> {
    let announced = body.size_hint().lower();
    let mut bytes = Vec::with_capacity(announced.min(RESERVE_BYTES_MAX) as usize);
    let end = Instant::now() + bounds.whole;
    while let Some(chunk) = next(&mut body, bytes.len(), end, bounds).await? {
        if bytes.len() + chunk.len() > taken.bytes() {
            let Some(more) = room.try_take(Need::Large) else { return Ok(Read::Outgrown) };
            taken = more;
        }
        bytes.extend_from_slice(&chunk);
    }
    Ok(Read::Whole(Body::new(bytes, taken)))
}

/// How a body ended that was passed on without an error, and its bytes.
pub enum Passed {
    Whole(usize),
    /// Nobody wants the rest.
    Unwanted(usize),
}

/// Passes a body on while it arrives, as fast as it is taken.
pub async fn pass_on(mut body: Incoming, outlet: &Outlet, bounds: &Bounds<'_>) -> Result<Passed, Failure> {
    let mut piece = Vec::with_capacity(PIECE_BYTES);
    let mut length = 0;
    let end = Instant::now() + bounds.whole;
    while let Some(chunk) = next(&mut body, length, end, bounds).await? {
        length += chunk.len();
        let mut rest = &chunk[..];
        while !rest.is_empty() {
            let (part, after) = rest.split_at(rest.len().min(PIECE_BYTES - piece.len()));
            piece.extend_from_slice(part);
            rest = after;
            if piece.len() == PIECE_BYTES {
                let full = std::mem::replace(&mut piece, Vec::with_capacity(PIECE_BYTES));
                if !outlet.send(full).await {
                    return Ok(Passed::Unwanted(length));
                }
            }
        }
    }
    match piece.is_empty() || outlet.send(piece).await {
        true => Ok(Passed::Whole(length)),
        false => Ok(Passed::Unwanted(length)),
    }
}

/// Waits for more of a body of which there are `length` bytes; `None` at its end.
async fn next(
    body: &mut Incoming,
    length: usize,
    end: Instant,
    bounds: &Bounds<'_>,
) -> Result<Option<Bytes>, Failure> {
    loop {
        let left = end.saturating_duration_since(Instant::now());
        let frame = match tokio::time::timeout(bounds.idle.min(left), body.frame()).await {
            Ok(Some(frame)) => frame.map_err(|error| connect::broken(bounds.host, &error))?,
            Ok(None) => return Ok(None),
            Err(_) => {
                let host = bounds.host.to_owned();
                let (wait, limit) = match left < bounds.idle {
                    true => (Wait::Whole, bounds.whole),
                    false => (Wait::Idle, bounds.idle),
                };
                return Err(Failure::TimedOut { host, wait, limit });
            }
        };
        match frame.into_data() {
            Ok(chunk) if length + chunk.len() > bounds.bytes_max => {
                return Err(Failure::TooLarge { bytes_max: bounds.bytes_max });
            }
            Ok(chunk) => return Ok(Some(chunk)),
            // Trailers say nothing that matters here.
            Err(_) => {}
        }
    }
}

/// Why a compressed body does not become text.
#[derive(Debug, PartialEq, Eq)]
pub enum Deflated {
    Damaged,
    TooLarge,
}

/// Inflates a gzip body of one member into a buffer that may have served before. The size is taken
/// from its trailer, as far as that can be true.
pub fn gunzip<'a>(bytes: &[u8], bytes_max: usize, buffer: &'a mut Vec<u8>) -> Result<&'a [u8], Deflated> {
    let trailer = bytes.last_chunk().ok_or(Deflated::Damaged)?;
    let possible = bytes.len().saturating_mul(INFLATE_RATIO_MAX).min(bytes_max);
    let claimed = u32::from_le_bytes(*trailer) as usize;
    if claimed > possible {
        return Err(if claimed > bytes_max { Deflated::TooLarge } else { Deflated::Damaged });
    }
    if buffer.len() < claimed {
        // Not grown in place: what stood there would be copied.
        *buffer = vec![0; claimed];
    }
    match Decompressor::new().gzip_decompress(bytes, &mut buffer[..claimed]) {
        Ok(length) => Ok(&buffer[..length]),
        // The trailer holds the size modulo 4 GiB, or it lies: both are more than any packument.
        Err(DecompressionError::InsufficientSpace) => Err(Deflated::TooLarge),
        Err(_) => Err(Deflated::Damaged),
    }
}
