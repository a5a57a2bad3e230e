//! Whole files. In: a path or a descriptor, and what is to be written. Out: the bytes, or the text
//! if they are to be one. A small file costs four calls: open, read, read, close. Absent: encodings
//! other than UTF-8; JavaScript makes them of the bytes.

use std::cell::Cell;
use std::ffi::CString;
use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys::{self, CWD, Errno, FileType, Mode, OFlags, OwnedFd, raw_fd};
use rusk_jsc::{Call, Exception, Kind, Outcome, Scope};

use super::answer::{Answer, Failure, TEXT_BYTES_MAX, lossy};
use super::arguments::Arguments;
use super::perform::perform;

/// `kIoMaxLength` of Node: what a file of one read may have.
const BYTES_MAX: u64 = (1 << 31) - 1;

/// Room for the first read: most files that programs read are smaller.
const SMALL_BYTES: usize = 8 * 1024;

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

thread_local! {
    /// Room for a small file, for the next one again.
    static ROOM: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// `readFile(path or fd, flags, isText, done)`
pub fn read_file<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (source, flags) = (Source::of(scope, arguments)?, arguments.integer(1)?);
    let (is_text, done) = (arguments.flag(2), arguments.done(3));
    if is_text && done.is_none() {
        return read_text(scope, source, flags);
    }
    perform(scope, done, move || {
        let mut bytes = Vec::new();
        source.read(flags, is_text, &mut bytes)?;
        if !is_text {
            // These are kept for as long as the program likes.
            bytes.shrink_to_fit();
            return Ok(Answer::Bytes(bytes));
        }
        Ok(Answer::Text(lossy(bytes)))
    })
}

/// A text, now: what was read becomes one where it lies.
fn read_text(scope: &Scope, source: Source, flags: i32) -> Outcome<'_> {
    let mut bytes = ROOM.take();
    let outcome = source.read(flags, true, &mut bytes).map_err(|failure| failure.exception(scope));
    if bytes.capacity() > SMALL_BYTES {
        return outcome.map(|()| scope.string_from_utf8_owned(bytes));
    }
    let outcome = outcome.map(|()| scope.string_from_utf8_lossy(&bytes));
    bytes.clear();
    ROOM.set(bytes);
    outcome
}

/// All that is left of a file, into what is empty. How large it is, is asked only where it is not
/// over after two reads.
fn read_all(file: BorrowedFd<'_>, bytes: &mut Vec<u8>) -> Result<(), Failure> {
    bytes.reserve_exact(SMALL_BYTES);
    let mut size = None;
    loop {
        let room = bytes.capacity() - bytes.len();
        let count = raw_fd::read_append(file, bytes, None);
        let count = count.map_err(|errno| Failure::new(errno, "read"))?;
        let is_end = count == 0 || (count < room && size.is_some_and(|size| bytes.len() as u64 >= size));
        if is_end {
            return Ok(());
        }
        if bytes.len() < bytes.capacity() {
            continue;
        }
        if bytes.len() as u64 > BYTES_MAX {
            return Err(too_large(bytes.len() as u64));
        }
        if bytes.len() == SMALL_BYTES {
            size = size_of(file)?;
        }
        let left = size.map_or(0, |size| size.saturating_sub(bytes.len() as u64)) as usize;
        // One byte more than is left, so that the end shows without another call.
        let more = if left == 0 { bytes.len().max(ROOM_BYTES) } else { left + 1 };
        reserve(bytes, more)?;
    }
}

/// What a file says that it has, if it says so.
fn size_of(file: BorrowedFd<'_>) -> Result<Option<u64>, Failure> {
    let stat = sys::fstat(file).map_err(|errno| Failure::new(errno, "fstat"))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Ok(None);
    }
    match u64::try_from(stat.st_size) {
        Ok(size) if size > BYTES_MAX => Err(too_large(size)),
        size => Ok(size.ok().filter(|size| *size > 0)),
    }
}

/// Node asks a file for its size before it reads bytes, and says so where a number is no
/// descriptor.
fn name_of_first(failure: Failure, file: BorrowedFd<'_>, is_text: bool) -> Failure {
    let is_closed = failure.errno == Errno::BADF && !is_text && sys::fstat(file).is_err();
    if is_closed { Failure::new(Errno::BADF, "fstat") } else { failure }
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
            let outcome = raw_fd::sync(written, raw_fd::SyncMode::All);
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

    /// All of it; what is to be a text is not too long for one.
    fn read(self, flags: i32, is_text: bool, bytes: &mut Vec<u8>) -> Result<(), Failure> {
        // A flag may say that the file is to be made.
        let file = self.open(flags, Mode::from_raw_mode(0o666))?;
        let open = file.borrow(if is_text { "read" } else { "fstat" })?;
        read_all(open, bytes).map_err(|failure| name_of_first(failure, open, is_text))?;
        match is_text && bytes.len() > TEXT_BYTES_MAX {
            true => Err(Failure::new(Errno::TOOBIG, "text")),
            false => Ok(()),
        }
    }

    fn open(self, flags: i32, mode: Mode) -> Result<Open, Failure> {
        match self {
            Source::Number(number) => Ok(Open::Number(number)),
            Source::Path(path) => {
                let flags = OFlags::from_bits_retain(flags.cast_unsigned());
                let opened = sys::openat(CWD, &path, flags, mode);
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
            Open::Number(number) => raw_fd::borrow(*number).map_err(|errno| Failure::new(errno, call)),
        }
    }
}
