//! Streaming tarball reader with a buffer of fixed size. In: chunks of a tarball, in order. Out:
//! the blocks and bodies of the tar inside, and finally the digest of all chunks. The rules for
//! gzip and its limits are those of [`inflate`](super::inflate). Absent: files.

use std::ops::Range;

use rusk_base::{Problem, Result};
use zlib_rs::{Inflate, InflateFlush, Status};

use super::entries;
use super::header::BLOCK;
use super::inflate::{MAGIC, MEMBERS_MAX, unpacked_bytes_max};
use crate::integrity::Digests;
use crate::problem;

/// What is unpacked and not yet taken: as much as stays in the processor's cache, enough for few
/// calls a large file.
const WINDOW_BYTES: usize = 256 << 10;
/// For zlib: a gzip stream with a window of 2^15 bytes.
const GZIP_WINDOW_BITS: u8 = 16 + 15;

/// What comes next of a tarball.
pub enum Piece {
    Bytes(Vec<u8>),
    /// The connection broke: what came so far is void, and all of it comes again.
    Again,
    End,
}

/// Why pieces ended early.
#[derive(Debug)]
pub enum Interruption {
    Again,
    Failed(Problem),
}

/// Where pieces come from; `bytes` is what all of them have together, 0 if that is unknown.
pub struct Pieces<'a> {
    pub bytes: u64,
    pub next: &'a mut dyn FnMut() -> Result<Piece>,
}

/// The tar that a tarball's pieces make.
pub struct Stream<'a, 'b> {
    pieces: &'a mut Pieces<'b>,
    digests: Digests<'a>,
    interrupted: Option<Interruption>,
    has_ended: bool,
    piece: Vec<u8>,
    at: usize,
    /// Whether zlib may have kept some that the window had no room for.
    holds_more: bool,
    packing: Packing,
    window: Vec<u8>,
    unpacked: Range<usize>,
    unpacked_bytes: usize,
    unpacked_bytes_max: usize,
    /// Counted where the length is unknown.
    received_bytes: usize,
}

enum Packing {
    /// Nothing has come yet.
    Unknown,
    Plain,
    Gzip {
        inflater: Box<Inflate>,
        member: usize,
    },
    /// A gzip member has ended, which was so many-th.
    Between {
        member: usize,
    },
    /// Zeros pad the end.
    Padding,
}

impl<'a, 'b> Stream<'a, 'b> {
    pub fn new(pieces: &'a mut Pieces<'b>, digests: Digests<'a>) -> Stream<'a, 'b> {
        let tarball_bytes = usize::try_from(pieces.bytes).unwrap_or(usize::MAX);
        Stream {
            pieces,
            digests,
            interrupted: None,
            has_ended: false,
            piece: Vec::new(),
            at: 0,
            holds_more: false,
            packing: Packing::Unknown,
            window: vec![0; WINDOW_BYTES],
            unpacked: 0..0,
            unpacked_bytes: 0,
            unpacked_bytes_max: unpacked_bytes_max(tarball_bytes),
            received_bytes: 0,
        }
    }

    /// The next block; `None` when there is no whole one.
    pub fn block(&mut self) -> Result<Option<[u8; BLOCK]>> {
        while self.unpacked.len() < BLOCK && self.unpack()? {}
        let there = &self.window[self.unpacked.clone()];
        let Some(block) = there.first_chunk::<BLOCK>() else {
            entries::check_rest(there)?;
            return Ok(None);
        };
        self.unpacked.start += BLOCK;
        Ok(Some(*block))
    }

    /// Calls `take` with the bytes of the current body, part by part. The name is for
    /// messages.
    pub fn body(&mut self, name: &[u8], bytes: u64, take: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let mut left = bytes;
        while left > 0 {
            if self.unpacked.is_empty() && !self.unpack()? {
                return Err(problem::tar_truncated(&String::from_utf8_lossy(name)));
            }
            let part = &self.window[self.unpacked.clone()];
            let part = &part[..part.len().min(usize::try_from(left).unwrap_or(usize::MAX))];
            take(part)?;
            left -= part.len() as u64;
            self.unpacked.start += part.len();
        }
        // The last body's padding may be missing.
        let mut padding = (BLOCK - (bytes % BLOCK as u64) as usize) % BLOCK;
        while padding > 0 && (!self.unpacked.is_empty() || self.unpack()?) {
            let skipped = padding.min(self.unpacked.len());
            self.unpacked.start += skipped;
            padding -= skipped;
        }
        Ok(())
    }

    /// Unpacks what follows the tar's end, to see that it is whole.
    pub fn rest(&mut self) -> Result<()> {
        self.unpacked = 0..0;
        while self.unpack()? {
            self.unpacked = 0..0;
        }
        Ok(())
    }

    /// The digests of all chunks, including those that were not unpacked; or why the download ended
    /// early.
    pub fn finish(mut self) -> std::result::Result<Digests<'a>, Interruption> {
        while self.interrupted.is_none() && !self.has_ended {
            // What it says is kept.
            let _ = self.receive();
        }
        match self.interrupted {
            Some(interruption) => Err(interruption),
            None => Ok(self.digests),
        }
    }

    /// Unpacks some more; false at the end.
    fn unpack(&mut self) -> Result<bool> {
        self.window.copy_within(self.unpacked.clone(), 0);
        self.unpacked = 0..self.unpacked.len();
        loop {
            if self.at == self.piece.len() && !self.holds_more {
                match (self.receive()?, &self.packing) {
                    (true, _) => continue,
                    (false, Packing::Gzip { .. }) => return Err(problem::gzip_damaged()),
                    (false, _) => return Ok(false),
                }
            }
            let had = self.unpacked.end;
            self.advance()?;
            if self.unpacked.end > had {
                return Ok(true);
            }
        }
    }

    /// Does something with the piece at hand, or with what zlib still holds.
    fn advance(&mut self) -> Result<()> {
        let input = &self.piece[self.at..];
        let room = &mut self.window[self.unpacked.end..];
        match &mut self.packing {
            Packing::Unknown => {
                self.packing = match input.starts_with(&MAGIC[..2]) {
                    true => Packing::Gzip { inflater: inflater(), member: 1 },
                    false => Packing::Plain,
                };
            }
            Packing::Plain => {
                let count = input.len().min(room.len());
                room[..count].copy_from_slice(&input[..count]);
                self.at += count;
                self.unpacked.end += count;
            }
            Packing::Gzip { inflater, member } => {
                let before = (inflater.total_in(), inflater.total_out());
                let status = inflater.decompress(input, room, InflateFlush::NoFlush);
                let taken = (inflater.total_in() - before.0) as usize;
                let made = (inflater.total_out() - before.1) as usize;
                match status.map_err(|_| problem::gzip_damaged())? {
                    Status::StreamEnd => {
                        self.packing = Packing::Between { member: *member };
                        self.holds_more = false;
                    }
                    // It cannot go on, though there is input and room.
                    _ if taken == 0 && made == 0 && !input.is_empty() => return Err(problem::gzip_damaged()),
                    _ => self.holds_more = made == room.len(),
                }
                self.at += taken;
                self.unpacked.end += made;
                self.unpacked_bytes += made;
                if self.unpacked_bytes > self.unpacked_bytes_max {
                    let tarball_bytes = usize::try_from(self.pieces.bytes).unwrap_or(usize::MAX);
                    let tarball_bytes = tarball_bytes.max(self.received_bytes);
                    return Err(problem::unpacks_too_large(tarball_bytes, self.unpacked_bytes_max));
                }
            }
            Packing::Between { member } => match input[0] {
                0 => self.packing = Packing::Padding,
                first if first == MAGIC[0] && *member == MEMBERS_MAX => {
                    return Err(problem::too_many("gzip members", MEMBERS_MAX));
                }
                first if first == MAGIC[0] => {
                    self.packing = Packing::Gzip { inflater: inflater(), member: *member + 1 };
                }
                _ => return Err(problem::gzip_trailing()),
            },
            Packing::Padding if input.iter().all(|&byte| byte == 0) => self.at = self.piece.len(),
            Packing::Padding => return Err(problem::gzip_trailing()),
        }
        Ok(())
    }

    /// Takes the next piece; false at the end.
    fn receive(&mut self) -> Result<bool> {
        if self.has_ended || self.interrupted.is_some() {
            return Ok(false);
        }
        match (self.pieces.next)() {
            Ok(Piece::Bytes(piece)) => {
                self.digests.update(&piece);
                if self.pieces.bytes == 0 {
                    self.received_bytes += piece.len();
                    self.unpacked_bytes_max = unpacked_bytes_max(self.received_bytes);
                }
                (self.piece, self.at) = (piece, 0);
                Ok(true)
            }
            Ok(Piece::End) => {
                self.has_ended = true;
                Ok(false)
            }
            Ok(Piece::Again) => self.interrupt(Interruption::Again),
            Err(problem) => self.interrupt(Interruption::Failed(problem)),
        }
    }

    /// The caller ignores this result: `finish` returns the cause.
    fn interrupt(&mut self, interruption: Interruption) -> Result<bool> {
        self.interrupted = Some(interruption);
        Err(problem::gzip_damaged())
    }
}

fn inflater() -> Box<Inflate> {
    Box::new(Inflate::new(true, GZIP_WINDOW_BITS))
}
