//! `readFile` and `writeFile`: reads or writes a complete file. In: a path or a file descriptor,
//! the data to write. Out: the bytes, or a string decoded as UTF-8. A small file costs four system
//! calls: open, read, read, close. Absent: other encodings; JavaScript decodes the bytes.

use std::cell::Cell;
use std::ffi::CString;
use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys::{self, CWD, Errno, FileType, Mode, OFlags, OwnedFd, raw_fd};
use rusk_jsc::{Call, Exception, Kind, Outcome, Scope};

use super::arguments::Arguments;
use super::dispatch::dispatch;
use super::result::{FsError, Output, STRING_BYTES_MAX, lossy};

/// Node's `kIoMaxLength`: the size limit of `readFile`.
const BYTES_MAX: u64 = (1 << 31) - 1;

/// Capacity of the first read: most files that programs read are smaller.
const FIRST_READ_BYTES: usize = 8 * 1024;

/// Capacity that is added while the size is unknown, as for pipes and files in `/proc`.
const CHUNK_BYTES: usize = 64 * 1024;

/// The file argument.
enum PathOrFd {
    Path(CString),
    Fd(i32),
}

/// An open file: opened by us and closed on drop, or a descriptor of the program.
enum OpenFile {
    Owned(OwnedFd),
    Fd(i32),
}

thread_local! {
    /// Reused buffer for small files.
    static READ_BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// `readFile(path or fd, flags, asString, callback)`
pub fn read_file<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (source, flags) = (PathOrFd::of(scope, arguments)?, arguments.integer(1)?);
    let (as_string, done) = (arguments.flag(2), arguments.callback(3));
    if as_string && done.is_none() {
        return read_string(scope, source, flags);
    }
    dispatch(scope, done, move || {
        let mut bytes = Vec::new();
        source.read(flags, as_string, &mut bytes)?;
        if !as_string {
            // The program may retain them for long.
            bytes.shrink_to_fit();
            return Ok(Output::Bytes(bytes));
        }
        Ok(Output::String(lossy(bytes)))
    })
}

/// Synchronous read of a string: it is made from the buffer without a copy where possible.
fn read_string(scope: &Scope, source: PathOrFd, flags: i32) -> Outcome<'_> {
    let mut bytes = READ_BUFFER.take();
    let outcome = source.read(flags, true, &mut bytes).map_err(|failure| failure.exception(scope));
    if bytes.capacity() > FIRST_READ_BYTES {
        return outcome.map(|()| scope.string_from_utf8_owned(bytes));
    }
    let outcome = outcome.map(|()| scope.string_from_utf8_lossy(&bytes));
    bytes.clear();
    READ_BUFFER.set(bytes);
    outcome
}

/// Reads the rest of a file into an empty buffer. `fstat` is called only if the file does not end
/// within two reads.
fn read_all(file: BorrowedFd<'_>, bytes: &mut Vec<u8>) -> Result<(), FsError> {
    bytes.reserve_exact(FIRST_READ_BYTES);
    let mut size = None;
    loop {
        let room = bytes.capacity() - bytes.len();
        let count = raw_fd::read_append(file, bytes, None);
        let count = count.map_err(|errno| FsError::new(errno, "read"))?;
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
        if bytes.len() == FIRST_READ_BYTES {
            size = size_of(file)?;
        }
        let left = size.map_or(0, |size| size.saturating_sub(bytes.len() as u64)) as usize;
        // One byte more than is left: a short read then shows the end without another call.
        let more = if left == 0 { bytes.len().max(CHUNK_BYTES) } else { left + 1 };
        reserve(bytes, more)?;
    }
}

/// The size of a regular file; `None` if it is not known.
fn size_of(file: BorrowedFd<'_>) -> Result<Option<u64>, FsError> {
    let stat = sys::fstat(file).map_err(|errno| FsError::new(errno, "fstat"))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Ok(None);
    }
    match u64::try_from(stat.st_size) {
        Ok(size) if size > BYTES_MAX => Err(too_large(size)),
        size => Ok(size.ok().filter(|size| *size > 0)),
    }
}

/// Node calls `fstat` before it reads bytes, so a bad descriptor is reported as an error of
/// `fstat`.
fn as_fstat_error(failure: FsError, file: BorrowedFd<'_>, as_string: bool) -> FsError {
    let is_closed = failure.errno == Errno::BADF && !as_string && sys::fstat(file).is_err();
    if is_closed { FsError::new(Errno::BADF, "fstat") } else { failure }
}

/// Reported as `ERR_FS_FILE_TOO_LARGE`, whose message contains the size.
fn too_large(bytes: u64) -> FsError {
    let bytes = CString::new(bytes.to_string()).expect("digits have no null");
    FsError::at(Errno::FBIG, "size", bytes)
}

/// Allocation may fail: the size comes from the file.
fn reserve(bytes: &mut Vec<u8>, count: usize) -> Result<(), FsError> {
    bytes.try_reserve_exact(count).map_err(|_| FsError::new(Errno::NOMEM, "read"))
}

/// `writeFile(path or fd, string or bytes, flags, mode, flush, callback)`
pub fn write_file<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (source, content) = (PathOrFd::of(scope, arguments)?, arguments.content(1)?);
    let (flags, mode, is_flushed) = (arguments.integer(2)?, arguments.mode(3)?, arguments.flag(4));
    dispatch(scope, arguments.callback(5), move || {
        let file = source.open(flags, mode)?;
        let written = file.borrow("write")?;
        let outcome = sys::write_all(written, &content);
        outcome.map_err(|errno| FsError::new(errno, "write"))?;
        if is_flushed {
            let outcome = raw_fd::sync(written, raw_fd::SyncMode::All);
            outcome.map_err(|errno| FsError::new(errno, "fsync"))?;
        }
        Ok(Output::Undefined)
    })
}

impl PathOrFd {
    fn of<'s>(scope: &'s Scope, arguments: Arguments<'_, 's>) -> Result<PathOrFd, Exception<'s>> {
        match arguments.value(0).kind(scope) {
            Kind::Number => arguments.integer(0).map(PathOrFd::Fd),
            _ => arguments.path(0).map(PathOrFd::Path),
        }
    }

    /// Reads the complete file. Fails if a string of that length is not allowed.
    fn read(self, flags: i32, as_string: bool, bytes: &mut Vec<u8>) -> Result<(), FsError> {
        // The flags may contain O_CREAT.
        let file = self.open(flags, Mode::from_raw_mode(0o666))?;
        let open = file.borrow(if as_string { "read" } else { "fstat" })?;
        read_all(open, bytes).map_err(|failure| as_fstat_error(failure, open, as_string))?;
        match as_string && bytes.len() > STRING_BYTES_MAX {
            true => Err(FsError::new(Errno::TOOBIG, "string")),
            false => Ok(()),
        }
    }

    fn open(self, flags: i32, mode: Mode) -> Result<OpenFile, FsError> {
        match self {
            PathOrFd::Fd(number) => Ok(OpenFile::Fd(number)),
            PathOrFd::Path(path) => {
                let flags = OFlags::from_bits_retain(flags.cast_unsigned());
                let opened = sys::openat(CWD, &path, flags, mode);
                opened.map(OpenFile::Owned).map_err(|errno| FsError::at(errno, "open", path))
            }
        }
    }
}

impl OpenFile {
    /// `call`: the system call to report for a bad descriptor.
    fn borrow(&self, call: &'static str) -> Result<BorrowedFd<'_>, FsError> {
        match self {
            OpenFile::Owned(file) => Ok(file.as_fd()),
            OpenFile::Fd(number) => raw_fd::borrow(*number).map_err(|errno| FsError::new(errno, call)),
        }
    }
}
