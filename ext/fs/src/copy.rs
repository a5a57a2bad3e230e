//! `copyFile`, as libuv's `uv_fs_copyfile`. In: two paths. Out: a copy with the same contents and
//! mode; a reflink where that is requested and the file system can. Absent: directories
//! (`js/internal/fs/cp.js`).

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys::{self, CWD, Errno, FileType, Mode, OFlags};
use rusk_jsc::{Call, Outcome, Scope};

use super::arguments::Arguments;
use super::dispatch::{dispatch, undefined};
use super::result::FsError;

rusk_runtime::shared_constants! {
    /// Flags of `fs.copyFile`.
    pub mod flag: i32 {
        COPYFILE_EXCL = 1,
        COPYFILE_FICLONE = 2,
        COPYFILE_FICLONE_FORCE = 4,
    }
}

/// Bytes of one `copy_file_range`; more is refused or truncated.
const COPY_BYTES_MAX: usize = 1 << 30;

/// Bytes of one read and write, where the kernel cannot copy.
const BUFFER_BYTES: usize = 128 * 1024;

/// `copyFile(from, to, mode, callback)`
pub fn copy_file<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (from, to, mode) = (arguments.path(0)?, arguments.path(1)?, arguments.integer(2)?);
    dispatch(scope, arguments.callback(3), move || {
        undefined(copy(&from, &to, mode), |errno| FsError::between(errno, "copyfile", from, to))
    })
}

fn copy(from: &CStr, to: &CStr, mode: i32) -> sys::Result<()> {
    let source = sys::openat(CWD, from, OFlags::RDONLY, Mode::empty())?;
    let stat = sys::fstat(source.as_fd())?;
    let permissions = Mode::from_raw_mode(stat.st_mode & 0o7777);
    let mut flags = OFlags::WRONLY | OFlags::CREATE;
    flags.set(OFlags::EXCL, mode & flag::COPYFILE_EXCL != 0);
    let target = sys::openat(CWD, to, flags, permissions)?;
    let before = sys::fstat(target.as_fd())?;
    // Copying a file to itself does nothing.
    if (before.st_dev, before.st_ino) == (stat.st_dev, stat.st_ino) {
        return Ok(());
    }
    if FileType::from_raw_mode(before.st_mode) == FileType::RegularFile && before.st_size > 0 {
        sys::raw_fd::truncate(target.as_fd(), 0)?;
    }
    let copied = sys::fchmod(target.as_fd(), permissions).or_else(ignore_unsupported_mode).and_then(|()| {
        if mode & (flag::COPYFILE_FICLONE | flag::COPYFILE_FICLONE_FORCE) != 0 {
            match sys::clone_file(source.as_fd(), target.as_fd()) {
                Ok(()) => return Ok(()),
                Err(errno) if mode & flag::COPYFILE_FICLONE_FORCE != 0 => return Err(errno),
                Err(_) => {}
            }
        }
        copy_bytes(source.as_fd(), target.as_fd())
    });
    if copied.is_err() && before.st_size == 0 {
        // Remove a partial copy.
        let _ = sys::unlinkat(CWD, to);
    }
    copied
}

/// Some file systems have no modes, and fail with these errors.
fn ignore_unsupported_mode(errno: Errno) -> sys::Result<()> {
    match errno {
        Errno::PERM | Errno::NOTSUP | Errno::NOSYS => Ok(()),
        errno => Err(errno),
    }
}

fn copy_bytes(source: BorrowedFd<'_>, target: BorrowedFd<'_>) -> sys::Result<()> {
    let mut is_first = true;
    loop {
        match sys::copy_file_range(source, target, COPY_BYTES_MAX) {
            // Files in `/proc` have size 0 and contents.
            Ok(0) if is_first => return copy_by_read_write(source, target),
            Ok(0) => return Ok(()),
            Ok(_) => is_first = false,
            Err(errno @ (Errno::NOSPC | Errno::DQUOT | Errno::FBIG | Errno::IO)) => return Err(errno),
            Err(_) => return copy_by_read_write(source, target),
        }
    }
}

fn copy_by_read_write(source: BorrowedFd<'_>, target: BorrowedFd<'_>) -> sys::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match sys::read(source, &mut buffer)? {
            0 => return Ok(()),
            count => sys::write_all(target, &buffer[..count])?,
        }
    }
}
