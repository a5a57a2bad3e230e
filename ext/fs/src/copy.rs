//! One file copied. In: two paths. Out: the bytes and the mode at the second one. Where the file
//! system can, nothing is copied but the extents' names. Absent: directories; js/internal/fs/cp.js
//! walks them.

use std::ffi::CStr;
use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys::{self, CWD, Errno, FileType, Mode, OFlags};
use rusk_jsc::{Call, Outcome, Scope};

use super::answer::Failure;
use super::arguments::Arguments;
use super::perform::{nothing, perform};

/// `COPYFILE_EXCL`, `COPYFILE_FICLONE`, `COPYFILE_FICLONE_FORCE`
const IS_NEW: i32 = 1;
const IS_CLONE: i32 = 2;
const IS_CLONE_ONLY: i32 = 4;

/// Bytes for one call that copies in the kernel; more is refused or cut.
const COPY_BYTES_MAX: usize = 1 << 30;

/// Bytes for one read and write, where the kernel cannot copy.
const BUFFER_BYTES: usize = 128 * 1024;

/// `copyFile(from, to, mode, done)`
pub fn copy_file<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (from, to, mode) = (arguments.path(0)?, arguments.path(1)?, arguments.integer(2)?);
    perform(scope, arguments.done(3), move || {
        nothing(copy(&from, &to, mode), |errno| Failure::between(errno, "copyfile", from, to))
    })
}

fn copy(from: &CStr, to: &CStr, mode: i32) -> sys::Result<()> {
    let source = sys::openat(CWD, from, OFlags::RDONLY, Mode::empty())?;
    let stat = sys::fstat(source.as_fd())?;
    let permissions = Mode::from_raw_mode(stat.st_mode & 0o7777);
    let mut flags = OFlags::WRONLY | OFlags::CREATE;
    flags.set(OFlags::EXCL, mode & IS_NEW != 0);
    let target = sys::openat(CWD, to, flags, permissions)?;
    let before = sys::fstat(target.as_fd())?;
    // A file copied to itself is as it was.
    if (before.st_dev, before.st_ino) == (stat.st_dev, stat.st_ino) {
        return Ok(());
    }
    if FileType::from_raw_mode(before.st_mode) == FileType::RegularFile && before.st_size > 0 {
        sys::raw_fd::truncate(target.as_fd(), 0)?;
    }
    let copied = sys::fchmod(target.as_fd(), permissions).or_else(may_lack_modes).and_then(|()| {
        if mode & (IS_CLONE | IS_CLONE_ONLY) != 0 {
            match sys::clone_file(source.as_fd(), target.as_fd()) {
                Ok(()) => return Ok(()),
                Err(errno) if mode & IS_CLONE_ONLY != 0 => return Err(errno),
                Err(_) => {}
            }
        }
        copy_bytes(source.as_fd(), target.as_fd())
    });
    if copied.is_err() && before.st_size == 0 {
        // What is half copied is no file of anybody's.
        let _ = sys::unlinkat(CWD, to);
    }
    copied
}

/// Some file systems have no modes, and say so in this way.
fn may_lack_modes(errno: Errno) -> sys::Result<()> {
    match errno {
        Errno::PERM | Errno::NOTSUP | Errno::NOSYS => Ok(()),
        errno => Err(errno),
    }
}

fn copy_bytes(source: BorrowedFd<'_>, target: BorrowedFd<'_>) -> sys::Result<()> {
    let mut is_first = true;
    loop {
        match sys::copy_file_range(source, target, COPY_BYTES_MAX) {
            // Files of `/proc` say they are empty, and are not.
            Ok(0) if is_first => return copy_by_hand(source, target),
            Ok(0) => return Ok(()),
            Ok(_) => is_first = false,
            Err(errno @ (Errno::NOSPC | Errno::DQUOT | Errno::FBIG | Errno::IO)) => return Err(errno),
            Err(_) => return copy_by_hand(source, target),
        }
    }
}

fn copy_by_hand(source: BorrowedFd<'_>, target: BorrowedFd<'_>) -> sys::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match sys::read(source, &mut buffer)? {
            0 => return Ok(()),
            count => sys::write_all(target, &buffer[..count])?,
        }
    }
}
