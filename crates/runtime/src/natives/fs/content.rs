//! Whole files. In: a path or a descriptor, and what is to be written. Out: the bytes, or the text if they are to be one. A small file
//! costs four calls: open, fstat, read, close. Absent: encodings other than UTF-8; JavaScript makes them of the bytes.

use std::ffi::CString;
use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys::{self, CURRENT, Errno, FileType, Mode, OFlags, OwnedFd, numbered};
use rusk_jsc::{Call, Exception, Kind, Outcome, Scope};

use super::answer::{Answer, Failure, TEXT_BYTES_MAX, lossy};
use super::arguments::Arguments;
use super::perform::perform;

/// `kIoMaxLength` of Node: what a file of one read may have.
const BYTES_MAX: u64 = (1 << 31) - 1;

/// Room where a file does not say its size, as pipes and what is in `/proc` do not.
const ROOM_BYTES: usize = 64 * 1024;

/// What a file is called by, and that it is to be opened first.
enum Source {
    Path(CString),
    Number(i32),
}

/// A file for a while: ours, or one that a program has.
enum Open {
    Own(OwnedFd),
    Number(i32),
}

/// `readFile(path or fd, flags, isText, done)`
pub fn read_file<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (source, flags) = (Source::of(scope, arguments)?, arguments.integer(1)?);
    let is_text = arguments.flag(2);
    let first = if is_text { "read" } else { "fstat" };
    perform(scope, arguments.done(3), move || {
        let file = source.open(flags, Mode::empty())?;
        let bytes = read_all(file.borrow(first)?, first)?;
        drop(file);
        if !is_text {
            return Ok(Answer::Bytes(bytes));
        }
        if bytes.len() > TEXT_BYTES_MAX {
            return Err(Failure::new(Errno::TOOBIG, "text"));
        }
        Ok(Answer::Text(lossy(bytes)))
    })
}

/// `first` is what fails where there is no such descriptor.
fn read_all(file: BorrowedFd<'_>, first: &'static str) -> Result<Vec<u8>, Failure> {
    let stat = sys::fstat(file).map_err(|errno| Failure::new(errno, first))?;
    let is_regular = FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile;
    let size = u64::try_from(stat.st_size).ok().filter(|size| is_regular && *size > 0);
    if let Some(size) = size.filter(|size| *size > BYTES_MAX) {
        return Err(too_large(size));
    }
    // One byte more than the size, so that the end shows without another call.
    let mut bytes = Vec::new();
    reserve(&mut bytes, size.map_or(ROOM_BYTES, |size| size as usize + 1))?;
    loop {
        let room = bytes.capacity() - bytes.len();
        let count = numbered::read_more(file, &mut bytes, None);
        let count = count.map_err(|errno| Failure::new(errno, "read"))?;
        let is_end = count == 0 || (count < room && size.is_some_and(|size| bytes.len() as u64 >= size));
        if is_end {
            return Ok(bytes);
        }
        if bytes.len() as u64 > BYTES_MAX {
            return Err(too_large(bytes.len() as u64));
        }
        if bytes.len() == bytes.capacity() {
            let more = bytes.len().max(ROOM_BYTES);
            reserve(&mut bytes, more)?;
        }
    }
}

/// An error of Node's own, which says how large.
fn too_large(bytes: u64) -> Failure {
    let bytes = CString::new(bytes.to_string()).expect("digits have no null");
    Failure::at(Errno::FBIG, "size", bytes)
}

/// A file says how large it is, so there may be no room for it.
fn reserve(bytes: &mut Vec<u8>, count: usize) -> Result<(), Failure> {
    bytes.try_reserve_exact(count).map_err(|_| Failure::new(Errno::NOMEM, "read"))
}

/// `writeFile(path or fd, text or bytes, flags, mode, isFlushed, done)`
pub fn write_file<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (source, content) = (Source::of(scope, arguments)?, arguments.content(1)?);
    let (flags, mode, is_flushed) = (arguments.integer(2)?, arguments.mode(3)?, arguments.flag(4));
    perform(scope, arguments.done(5), move || {
        let file = source.open(flags, mode)?;
        let written = file.borrow("write")?;
        let outcome = sys::write_all(written, &content);
        outcome.map_err(|errno| Failure::new(errno, "write"))?;
        if is_flushed {
            let outcome = numbered::sync(written, numbered::Synced::All);
            outcome.map_err(|errno| Failure::new(errno, "fsync"))?;
        }
        Ok(Answer::Nothing)
    })
}

impl Source {
    fn of<'s>(scope: &'s Scope, arguments: Arguments<'_, 's>) -> Result<Source, Exception<'s>> {
        match arguments.value(0).kind(scope) {
            Kind::Number => arguments.integer(0).map(Source::Number),
            _ => arguments.path(0).map(Source::Path),
        }
    }

    fn open(self, flags: i32, mode: Mode) -> Result<Open, Failure> {
        match self {
            Source::Number(number) => Ok(Open::Number(number)),
            Source::Path(path) => {
                let flags = OFlags::from_bits_retain(flags.cast_unsigned());
                let opened = sys::openat(CURRENT, &path, flags, mode);
                opened.map(Open::Own).map_err(|errno| Failure::at(errno, "open", path))
            }
        }
    }
}

impl Open {
    /// `call` is what fails where a number is no descriptor.
    fn borrow(&self, call: &'static str) -> Result<BorrowedFd<'_>, Failure> {
        match self {
            Open::Own(file) => Ok(file.as_fd()),
            Open::Number(number) => numbered::borrow(*number).map_err(|errno| Failure::new(errno, call)),
        }
    }
}
