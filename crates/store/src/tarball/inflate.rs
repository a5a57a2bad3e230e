//! Gzip decompression of a whole tarball. In: a `.tgz`. Out: the tar, in a buffer that the thread
//! reuses. Several members are one stream, as in gzip, bun and npm; zeros may pad the end (tape
//! blocks), any other trailing byte is an error, as in npm.

use std::cell::RefCell;

use libdeflater::{DecompressionError, Decompressor};
use rusk_base::Result;

use crate::problem;

/// Bytes a package may unpack to. The largest published ones stay below 1 GiB.
const UNPACKED_BYTES_MAX: usize = 2 << 30;
/// How many times its own size a tarball may unpack to: text reaches 30, and deflate's own limit is
/// 1,032.
const RATIO_MAX: usize = 200;
/// What any tarball may unpack to, whatever its ratio: a small package of long repetitive files is
/// no bomb.
const UNPACKED_BYTES_FREE: usize = 64 << 20;
/// Bytes of buffer that a thread keeps for its next tarball.
const KEPT_BYTES_MAX: usize = 64 << 20;
/// Gzip members in one tarball; every npm client writes one.
pub const MEMBERS_MAX: usize = 16;
/// Places tried as the end of a member that does not end with the file.
const END_TRIES_MAX: usize = 4;
/// The shortest gzip member: header, an empty block, trailer.
const MEMBER_BYTES_MIN: usize = 20;
/// A header without options, and what follows the deflated bytes: checksum and length.
const HEADER_BYTES: usize = 10;
const TRAILER_BYTES: usize = 8;
/// Flags of a gzip header: the optional fields that follow it.
const OPTIONS_AT: usize = 3;
pub const MAGIC: &[u8] = &[0x1f, 0x8b, 8];

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Calls `read` with the tar inside: inflated when the bytes are gzip, else as they are.
pub fn with_tar<T>(tarball: &[u8], read: impl FnOnce(&[u8]) -> Result<T>) -> Result<T> {
    if !tarball.starts_with(&MAGIC[..2]) {
        return read(tarball);
    }
    // Taken, not borrowed: a call from within `read` then has its own.
    let mut buffer = BUFFER.take();
    let outcome = inflate(tarball, &mut buffer).and_then(|length| read(&buffer[..length]));
    if buffer.len() <= KEPT_BYTES_MAX {
        BUFFER.set(buffer);
    }
    outcome
}

/// The most bytes that a tarball of this size may unpack to.
pub fn unpacked_bytes_max(tarball_bytes: usize) -> usize {
    tarball_bytes.saturating_mul(RATIO_MAX).clamp(UNPACKED_BYTES_FREE, UNPACKED_BYTES_MAX)
}

fn inflate(tarball: &[u8], buffer: &mut Vec<u8>) -> Result<usize> {
    let bytes_max = unpacked_bytes_max(tarball.len());
    let mut inflater = Decompressor::new();
    if let Some(length) = inflate_whole(&mut inflater, tarball, buffer, bytes_max) {
        return Ok(length);
    }
    let mut rest = tarball;
    let mut length = 0;
    for _ in 0..MEMBERS_MAX {
        let member_bytes = inflate_member(&mut inflater, rest, buffer, length, bytes_max)?;
        let unpacked = &mut buffer[length..length + member_bytes];
        let Some(end) = member_end(&mut inflater, rest, unpacked) else {
            return Err(problem::gzip_trailing());
        };
        length += member_bytes;
        rest = &rest[end..];
        if !rest.starts_with(MAGIC) {
            return Ok(length);
        }
    }
    Err(problem::too_many("gzip members", MEMBERS_MAX))
}

/// What nearly every tarball is: one member, with nothing before its bytes and nothing after its
/// trailer. `None`: something else, or damaged. One look at the checksum says both that the bytes
/// are right and that the member ends with the file.
fn inflate_whole(
    inflater: &mut Decompressor,
    gzip: &[u8],
    buffer: &mut Vec<u8>,
    bytes_max: usize,
) -> Option<usize> {
    let (body, trailer) = gzip.split_last_chunk::<TRAILER_BYTES>()?;
    let (header, deflated) = body.split_first_chunk::<HEADER_BYTES>()?;
    let [c0, c1, c2, c3, length @ ..] = *trailer;
    let length = u32::from_le_bytes(length) as usize;
    if !header.starts_with(MAGIC) || header[OPTIONS_AT] != 0 || length > bytes_max {
        return None;
    }
    make_room(buffer, 0, length);
    let unpacked = &mut buffer[..length];
    let is_whole = inflater.deflate_decompress(deflated, unpacked) == Ok(length)
        && libdeflater::crc32(unpacked) == u32::from_le_bytes([c0, c1, c2, c3]);
    is_whole.then_some(length)
}

/// Inflates the member at the start of `gzip` to `buffer[from..]`. The last four bytes say how much
/// that is unless something follows the member or they lie; then the room is doubled until it
/// suffices.
fn inflate_member(
    inflater: &mut Decompressor,
    gzip: &[u8],
    buffer: &mut Vec<u8>,
    from: usize,
    bytes_max: usize,
) -> Result<usize> {
    let trailer = gzip.last_chunk().filter(|_| gzip.len() >= MEMBER_BYTES_MIN);
    let claimed = u32::from_le_bytes(*trailer.ok_or_else(problem::gzip_damaged)?) as usize;
    let room_max = bytes_max - from;
    let mut room = claimed.min(room_max);
    loop {
        make_room(buffer, from, from + room);
        match inflater.gzip_decompress(gzip, &mut buffer[from..from + room]) {
            Ok(length) => return Ok(length),
            Err(DecompressionError::BadData) => return Err(problem::gzip_damaged()),
            Err(DecompressionError::InsufficientSpace) if room == room_max => {
                return Err(problem::unpacks_too_large(gzip.len(), bytes_max));
            }
            Err(DecompressionError::InsufficientSpace) => {
                room = room.saturating_mul(4).max(gzip.len() * 4).min(room_max);
            }
        }
    }
}

/// Grows the buffer, keeping the bytes before `from`. A new one comes from the kernel zeroed,
/// page by page as it is written to; a lie about the size then costs no memory.
fn make_room(buffer: &mut Vec<u8>, from: usize, length: usize) {
    if buffer.len() < length {
        let grown = vec![0; length];
        let old = std::mem::replace(buffer, grown);
        buffer[..from].copy_from_slice(&old[..from]);
    }
}

/// Where the member ends whose unpacked bytes are known: with the file, or where its trailer
/// (checksum and length) is followed by zeros or another member, and the member cut there is whole.
fn member_end(inflater: &mut Decompressor, gzip: &[u8], unpacked: &mut [u8]) -> Option<usize> {
    let length = (unpacked.len() as u32).to_le_bytes();
    let trailer = [libdeflater::crc32(unpacked).to_le_bytes(), length].concat();
    if gzip.ends_with(&trailer) {
        return Some(gzip.len());
    }
    let ends = gzip.windows(trailer.len()).enumerate().filter(|(_, window)| *window == trailer);
    let ends = ends.map(|(at, _)| at + trailer.len()).filter(|&end| end >= MEMBER_BYTES_MIN);
    let mut ends = ends.filter(|&end| gzip[end..].starts_with(MAGIC) || is_zero(&gzip[end..]));
    // Those eight bytes can occur by chance, or by intent, before the true end.
    ends.by_ref().take(END_TRIES_MAX).find(|&end| inflater.gzip_decompress(&gzip[..end], unpacked).is_ok())
}

fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}
