//! Files that are open, by number. In: numbers, bytes of JavaScript's. Out: how many were read or
//! written. A call on another thread reads into bytes of its own, which are copied when it has
//! ended: no thread touches memory that JavaScript sees. Several pieces are one piece on the way.

use rusk_base::sys::{self, OFlags, raw_fd};
use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Function, Kind, Outcome, Root, Scope, Value};

use super::answer::{Answer, Failure};
use super::arguments::Arguments;
use super::perform::{later, nothing, perform};
use crate::open_files::OpenFiles;

/// `open(path, flags, mode, done)`
pub fn open<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, mode) = (arguments.path(0)?, arguments.mode(2)?);
    let flags = OFlags::from_bits_retain(arguments.integer(1)?.cast_unsigned());
    perform(scope, arguments.done(3), move || match sys::openat(sys::CWD, &path, flags, mode) {
        Ok(file) => Ok(Answer::File(file)),
        Err(errno) => Err(Failure::at(errno, "open", path)),
    })
}

/// `close(fd, done)`
pub fn close<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let number = arguments.integer(0)?;
    OpenFiles::current().closed(scope, number)?;
    perform(scope, arguments.done(1), move || {
        nothing(raw_fd::close(number), |errno| Failure::new(errno, "close"))
    })
}

/// `read(fd, bytes, offset, length, position, done)`
pub fn read<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (number, bytes) = (arguments.integer(0)?, arguments.bytes(1)?);
    let (offset, length) = (arguments.size(2)?, arguments.size(3)?);
    let position = arguments.position(4)?;
    match arguments.done(5) {
        None => {
            let read = bytes.with_bytes_mut(scope, |bytes| {
                let part = part_mut(bytes, offset, length);
                raw_fd::borrow(number).and_then(|file| raw_fd::read(file, part, position))
            });
            count(scope, read, "read")
        }
        Some(done) => {
            read_later(
                scope,
                number,
                vec![Piece { bytes: arguments.value(1), offset, length }],
                position,
                done,
            );
            Ok(scope.undefined())
        }
    }
}

/// `readv(fd, pieces, position, done)`
pub fn readv<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (number, position) = (arguments.integer(0)?, arguments.position(2)?);
    let pieces = pieces(scope, arguments, 1)?;
    match arguments.done(3) {
        None => {
            let length = pieces.iter().map(|piece| piece.length).sum();
            match read_into(number, length, position) {
                Ok(read) => {
                    let into = pieces.iter().map(|piece| (piece.bytes, piece.offset, piece.length));
                    spread(scope, &read, into);
                    Ok(scope.number(read.len() as f64))
                }
                Err(errno) => Err(Failure::new(errno, "read").exception(scope)),
            }
        }
        Some(done) => {
            read_later(scope, number, pieces, position, done);
            Ok(scope.undefined())
        }
    }
}

/// Bytes of JavaScript's to be filled.
struct Piece<'s> {
    bytes: Value<'s>,
    offset: usize,
    length: usize,
}

fn pieces<'s>(
    scope: &'s Scope,
    arguments: Arguments<'_, 's>,
    index: usize,
) -> Result<Vec<Piece<'s>>, Exception<'s>> {
    each(scope, arguments.value(index))?
        .into_iter()
        .map(|value| {
            let bytes = Bytes::of(scope, value)
                .ok_or_else(|| Exception::new(scope, ErrorKind::Type, "a piece is to be bytes"))?;
            Ok(Piece { bytes: value, offset: 0, length: bytes.len(scope) })
        })
        .collect()
}

fn each<'s>(scope: &'s Scope, array: Value<'s>) -> Result<Vec<Value<'s>>, Exception<'s>> {
    let Some(array) = array.as_object(scope) else { return Ok(Vec::new()) };
    let count = array.property(scope, "length")?.to_number(scope)? as u32;
    (0..count).map(|index| array.element(scope, index)).collect()
}

fn read_later<'s>(
    scope: &'s Scope,
    number: i32,
    pieces: Vec<Piece<'s>>,
    position: Option<u64>,
    done: Function<'s>,
) {
    let length = pieces.iter().map(|piece| piece.length).sum();
    let kept: Vec<_> =
        pieces.iter().map(|piece| (Root::new(scope, piece.bytes), piece.offset, piece.length)).collect();
    later(
        scope,
        done,
        move || read_into(number, length, position),
        move |scope, read| match read {
            Ok(read) => {
                let into = kept.iter().map(|(bytes, offset, length)| (bytes.value(scope), *offset, *length));
                spread(scope, &read, into);
                Ok(scope.number(read.len() as f64))
            }
            Err(errno) => Err(Failure::new(errno, "read").exception(scope)),
        },
    );
}

fn read_into(number: i32, length: usize, position: Option<u64>) -> sys::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    let count = raw_fd::borrow(number).and_then(|file| raw_fd::read(file, &mut bytes, position))?;
    bytes.truncate(count);
    Ok(bytes)
}

/// Copies what was read to where it is wanted, first piece first.
fn spread<'s>(scope: &'s Scope, read: &[u8], pieces: impl Iterator<Item = (Value<'s>, usize, usize)>) {
    let mut rest = read;
    for (value, offset, length) in pieces {
        let (now, later) = rest.split_at(length.min(rest.len()));
        if let Some(bytes) = Bytes::of(scope, value) {
            bytes.with_bytes_mut(scope, |bytes| {
                let part = part_mut(bytes, offset, now.len());
                part.copy_from_slice(&now[..part.len()]);
            });
        }
        rest = later;
    }
}

/// `write(fd, text or bytes, offset, length, position, done)`; a text is written as a whole.
pub fn write<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (number, position) = (arguments.integer(0)?, arguments.position(4)?);
    let write_now =
        move |part: &[u8]| raw_fd::borrow(number).and_then(|file| raw_fd::write(file, part, position));
    let content = if arguments.value(1).kind(scope) == Kind::String {
        arguments.content(1)?
    } else {
        let (offset, length) = (arguments.size(2)?, arguments.size(3)?);
        let bytes = arguments.bytes(1)?;
        if arguments.done(5).is_none() {
            let written = bytes.with_bytes_mut(scope, |bytes| write_now(part_mut(bytes, offset, length)));
            return count(scope, written, "write");
        }
        bytes.with_bytes_mut(scope, |bytes| part_mut(bytes, offset, length).to_vec())
    };
    perform(scope, arguments.done(5), move || counted(write_now(&content), "write"))
}

/// `writev(fd, pieces, position, done)`
pub fn writev<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (number, position) = (arguments.integer(0)?, arguments.position(2)?);
    let mut content = Vec::new();
    for value in each(scope, arguments.value(1))? {
        if let Some(bytes) = Bytes::of(scope, value) {
            bytes.with_bytes_mut(scope, |bytes| content.extend_from_slice(bytes));
        }
    }
    perform(scope, arguments.done(3), move || {
        let written = raw_fd::borrow(number).and_then(|file| raw_fd::write(file, &content, position));
        counted(written, "write")
    })
}

/// `ftruncate(fd, length, done)`
pub fn ftruncate<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (number, length) = (arguments.integer(0)?, arguments.number(1)?.max(0.0) as u64);
    perform(scope, arguments.done(2), move || {
        let outcome = raw_fd::borrow(number).and_then(|file| raw_fd::truncate(file, length));
        nothing(outcome, |errno| Failure::new(errno, "ftruncate"))
    })
}

/// `sync(fd, bytesOnly, done)`
pub fn sync<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let number = arguments.integer(0)?;
    let (synced, name) = match arguments.flag(1) {
        true => (raw_fd::SyncMode::Data, "fdatasync"),
        false => (raw_fd::SyncMode::All, "fsync"),
    };
    perform(scope, arguments.done(2), move || {
        let outcome = raw_fd::borrow(number).and_then(|file| raw_fd::sync(file, synced));
        nothing(outcome, |errno| Failure::new(errno, name))
    })
}

fn count<'s>(scope: &'s Scope, outcome: sys::Result<usize>, name: &'static str) -> Outcome<'s> {
    match outcome {
        Ok(count) => Ok(scope.number(count as f64)),
        Err(errno) => Err(Failure::new(errno, name).exception(scope)),
    }
}

fn counted(outcome: sys::Result<usize>, name: &'static str) -> Result<Answer, Failure> {
    outcome.map(|count| Answer::Number(count as f64)).map_err(|errno| Failure::new(errno, name))
}

/// As much of the part as there is.
fn part_mut(bytes: &mut [u8], offset: usize, length: usize) -> &mut [u8] {
    let start = offset.min(bytes.len());
    let end = start.saturating_add(length).min(bytes.len());
    &mut bytes[start..end]
}
