//! Operations on file descriptors: open, close, read, write, truncate, sync. In: descriptors,
//! JavaScript buffers. Out: byte counts. An asynchronous call reads into its own buffer, which is
//! copied on the event loop: no other thread touches memory of JavaScript. Several buffers are read
//! or written as one.

use rusk_base::sys::{self, OFlags, raw_fd};
use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Function, Kind, Outcome, Root, Scope, Value};

use super::arguments::Arguments;
use super::dispatch::{dispatch, dispatch_async, undefined};
use super::result::{FsError, Output};
use crate::unmanaged_fds::UnmanagedFds;

/// `open(path, flags, mode, callback)`
pub fn open<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, mode) = (arguments.path(0)?, arguments.mode(2)?);
    let flags = OFlags::from_bits_retain(arguments.integer(1)?.cast_unsigned());
    dispatch(scope, arguments.callback(3), move || match sys::openat(sys::CWD, &path, flags, mode) {
        Ok(file) => Ok(Output::Fd(file)),
        Err(errno) => Err(FsError::at(errno, "open", path)),
    })
}

/// `close(fd, callback)`
pub fn close<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let fd = arguments.integer(0)?;
    UnmanagedFds::current().remove(scope, fd)?;
    dispatch(scope, arguments.callback(1), move || {
        undefined(raw_fd::close(fd), |errno| FsError::new(errno, "close"))
    })
}

/// `read(fd, bytes, offset, length, position, callback)`
pub fn read<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (fd, bytes) = (arguments.integer(0)?, arguments.bytes(1)?);
    let (offset, length) = (arguments.size(2)?, arguments.size(3)?);
    let position = arguments.position(4)?;
    match arguments.callback(5) {
        None => {
            let read = bytes.with_bytes_mut(scope, |bytes| {
                let part = range_mut(bytes, offset, length);
                raw_fd::borrow(fd).and_then(|file| raw_fd::read(file, part, position))
            });
            count_value(scope, read, "read")
        }
        Some(callback) => {
            read_async(
                scope,
                fd,
                vec![BufferRange { bytes: arguments.value(1), offset, length }],
                position,
                callback,
            );
            Ok(scope.undefined())
        }
    }
}

/// `readv(fd, buffers, position, callback)`
pub fn readv<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (fd, position) = (arguments.integer(0)?, arguments.position(2)?);
    let buffers = buffers(scope, arguments, 1)?;
    match arguments.callback(3) {
        None => {
            let length = buffers.iter().map(|buffer| buffer.length).sum();
            match read_into(fd, length, position) {
                Ok(read) => {
                    let into = buffers.iter().map(|buffer| (buffer.bytes, buffer.offset, buffer.length));
                    scatter(scope, &read, into);
                    Ok(scope.number(read.len() as f64))
                }
                Err(errno) => Err(FsError::new(errno, "read").exception(scope)),
            }
        }
        Some(callback) => {
            read_async(scope, fd, buffers, position, callback);
            Ok(scope.undefined())
        }
    }
}

/// A range of a JavaScript buffer to read into.
struct BufferRange<'s> {
    bytes: Value<'s>,
    offset: usize,
    length: usize,
}

fn buffers<'s>(
    scope: &'s Scope,
    arguments: Arguments<'_, 's>,
    index: usize,
) -> Result<Vec<BufferRange<'s>>, Exception<'s>> {
    array_elements(scope, arguments.value(index))?
        .into_iter()
        .map(|value| {
            let bytes = Bytes::of(scope, value)
                .ok_or_else(|| Exception::new(scope, ErrorKind::Type, "each buffer must be bytes"))?;
            Ok(BufferRange { bytes: value, offset: 0, length: bytes.len(scope) })
        })
        .collect()
}

fn array_elements<'s>(scope: &'s Scope, array: Value<'s>) -> Result<Vec<Value<'s>>, Exception<'s>> {
    let Some(array) = array.as_object(scope) else { return Ok(Vec::new()) };
    let count = array.property(scope, "length")?.to_number(scope)? as u32;
    (0..count).map(|index| array.element(scope, index)).collect()
}

fn read_async<'s>(
    scope: &'s Scope,
    fd: i32,
    buffers: Vec<BufferRange<'s>>,
    position: Option<u64>,
    callback: Function<'s>,
) {
    let length = buffers.iter().map(|buffer| buffer.length).sum();
    let ranges: Vec<_> =
        buffers.iter().map(|buffer| (Root::new(scope, buffer.bytes), buffer.offset, buffer.length)).collect();
    dispatch_async(
        scope,
        callback,
        move || read_into(fd, length, position),
        move |scope, read| match read {
            Ok(read) => {
                let into =
                    ranges.iter().map(|(bytes, offset, length)| (bytes.value(scope), *offset, *length));
                scatter(scope, &read, into);
                Ok(scope.number(read.len() as f64))
            }
            Err(errno) => Err(FsError::new(errno, "read").exception(scope)),
        },
    );
}

fn read_into(fd: i32, length: usize, position: Option<u64>) -> sys::Result<Vec<u8>> {
    let mut bytes = vec![0; length];
    let count = raw_fd::borrow(fd).and_then(|file| raw_fd::read(file, &mut bytes, position))?;
    bytes.truncate(count);
    Ok(bytes)
}

/// Copies what was read into the buffers, in order.
fn scatter<'s>(scope: &'s Scope, read: &[u8], buffers: impl Iterator<Item = (Value<'s>, usize, usize)>) {
    let mut rest = read;
    for (value, offset, length) in buffers {
        let (now, later) = rest.split_at(length.min(rest.len()));
        if let Some(bytes) = Bytes::of(scope, value) {
            bytes.with_bytes_mut(scope, |bytes| {
                let part = range_mut(bytes, offset, now.len());
                part.copy_from_slice(&now[..part.len()]);
            });
        }
        rest = later;
    }
}

/// `write(fd, string or bytes, offset, length, position, callback)`; a string is written
/// completely.
pub fn write<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (fd, position) = (arguments.integer(0)?, arguments.position(4)?);
    let write_now =
        move |part: &[u8]| raw_fd::borrow(fd).and_then(|file| raw_fd::write(file, part, position));
    let content = if arguments.value(1).kind(scope) == Kind::String {
        arguments.content(1)?
    } else {
        let (offset, length) = (arguments.size(2)?, arguments.size(3)?);
        let bytes = arguments.bytes(1)?;
        if arguments.callback(5).is_none() {
            let written = bytes.with_bytes_mut(scope, |bytes| write_now(range_mut(bytes, offset, length)));
            return count_value(scope, written, "write");
        }
        bytes.with_bytes_mut(scope, |bytes| range_mut(bytes, offset, length).to_vec())
    };
    dispatch(scope, arguments.callback(5), move || count_output(write_now(&content), "write"))
}

/// `writev(fd, buffers, position, callback)`
pub fn writev<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (fd, position) = (arguments.integer(0)?, arguments.position(2)?);
    let mut content = Vec::new();
    for value in array_elements(scope, arguments.value(1))? {
        if let Some(bytes) = Bytes::of(scope, value) {
            bytes.with_bytes_mut(scope, |bytes| content.extend_from_slice(bytes));
        }
    }
    dispatch(scope, arguments.callback(3), move || {
        let written = raw_fd::borrow(fd).and_then(|file| raw_fd::write(file, &content, position));
        count_output(written, "write")
    })
}

/// `ftruncate(fd, length, callback)`
pub fn ftruncate<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (fd, length) = (arguments.integer(0)?, arguments.number(1)?.max(0.0) as u64);
    dispatch(scope, arguments.callback(2), move || {
        let outcome = raw_fd::borrow(fd).and_then(|file| raw_fd::truncate(file, length));
        undefined(outcome, |errno| FsError::new(errno, "ftruncate"))
    })
}

/// `sync(fd, bytesOnly, callback)`
pub fn sync<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let fd = arguments.integer(0)?;
    let (synced, name) = match arguments.flag(1) {
        true => (raw_fd::SyncMode::Data, "fdatasync"),
        false => (raw_fd::SyncMode::All, "fsync"),
    };
    dispatch(scope, arguments.callback(2), move || {
        let outcome = raw_fd::borrow(fd).and_then(|file| raw_fd::sync(file, synced));
        undefined(outcome, |errno| FsError::new(errno, name))
    })
}

fn count_value<'s>(scope: &'s Scope, outcome: sys::Result<usize>, name: &'static str) -> Outcome<'s> {
    match outcome {
        Ok(count) => Ok(scope.number(count as f64)),
        Err(errno) => Err(FsError::new(errno, name).exception(scope)),
    }
}

fn count_output(outcome: sys::Result<usize>, name: &'static str) -> Result<Output, FsError> {
    outcome.map(|count| Output::Number(count as f64)).map_err(|errno| FsError::new(errno, name))
}

/// The range, clamped to the buffer.
fn range_mut(bytes: &mut [u8], offset: usize, length: usize) -> &mut [u8] {
    let start = offset.min(bytes.len());
    let end = start.saturating_add(length).min(bytes.len());
    &mut bytes[start..end]
}
