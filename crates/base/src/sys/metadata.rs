//! File metadata: `statx(2)`, `chmod(2)`, `chown(2)`, `utimensat(2)`, `statfs(2)`. In: a path or a
//! file descriptor. Out: the kernel's structs.

use std::os::fd::BorrowedFd;

use rustix::fs as calls;
pub use rustix::fs::{Access, StatFs, Timespec, Timestamps};
use rustix::fs::{Gid, StatxFlags, Uid};

use super::syscall_stats::traced;
use super::{AtFlags, CWD, Errno, Mode, PathArg, Result, Statx};

/// As nanoseconds of a time: leave it unchanged.
pub const UTIME_OMIT: i64 = calls::UTIME_OMIT;

/// As nanoseconds of a time: set it to the current time.
pub const UTIME_NOW: i64 = calls::UTIME_NOW;

/// Whether a symbolic link in the last component of a path is followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SymlinkMode {
    Follow,
    NoFollow,
}

impl SymlinkMode {
    fn flags(self) -> AtFlags {
        match self {
            SymlinkMode::Follow => AtFlags::empty(),
            SymlinkMode::NoFollow => AtFlags::SYMLINK_NOFOLLOW,
        }
    }
}

const MASK: StatxFlags = StatxFlags::BASIC_STATS.union(StatxFlags::BTIME);

/// `statx(2)` by path.
pub fn stat(path: impl PathArg, links: SymlinkMode) -> Result<Statx> {
    traced(libc::SYS_statx, || calls::statx(CWD, path, links.flags(), MASK))
}

/// `statx(2)` of a file descriptor.
pub fn fstat(file: BorrowedFd<'_>) -> Result<Statx> {
    traced(libc::SYS_statx, || calls::statx(file, c"", AtFlags::EMPTY_PATH, MASK))
}

/// A device number, as in `st_rdev`.
pub fn device(major: u32, minor: u32) -> u64 {
    calls::makedev(major, minor)
}

/// `faccessat(2)`, with the real user id.
pub fn access(path: impl PathArg, mode: Access) -> Result<()> {
    traced(libc::SYS_faccessat, || calls::accessat(CWD, path, mode, AtFlags::empty()))
}

/// `fchmodat(2)`: follows a symbolic link.
pub fn chmod(path: impl PathArg, mode: Mode) -> Result<()> {
    super::chmodat(CWD, path, mode)
}

/// `fchownat(2)`; `None` leaves an id unchanged.
pub fn chown(path: impl PathArg, user: Option<u32>, group: Option<u32>, links: SymlinkMode) -> Result<()> {
    let (user, group) = (user.map(Uid::from_raw), group.map(Gid::from_raw));
    traced(libc::SYS_fchownat, || calls::chownat(CWD, path, user, group, links.flags()))
}

/// `fchown(2)`; `None` leaves an id unchanged.
pub fn fchown(file: BorrowedFd<'_>, user: Option<u32>, group: Option<u32>) -> Result<()> {
    let (user, group) = (user.map(Uid::from_raw), group.map(Gid::from_raw));
    traced(libc::SYS_fchown, || calls::fchown(file, user, group))
}

/// `utimensat(2)`.
pub fn set_times(path: impl PathArg, times: &Timestamps, links: SymlinkMode) -> Result<()> {
    traced(libc::SYS_utimensat, || calls::utimensat(CWD, path, times, links.flags()))
}

/// `futimens(2)`.
pub fn set_times_fd(file: BorrowedFd<'_>, times: &Timestamps) -> Result<()> {
    traced(libc::SYS_utimensat, || calls::futimens(file, times))
}

/// `statfs(2)`.
pub fn file_system(path: impl PathArg) -> Result<StatFs> {
    traced(libc::SYS_statfs, || calls::statfs(path))
}

/// `fstatfs(2)`.
pub fn file_system_fd(file: BorrowedFd<'_>) -> Result<StatFs> {
    traced(libc::SYS_fstatfs, || calls::fstatfs(file))
}

/// Whether a path is a mount point, without following a symbolic link. `None` before Linux 5.8,
/// which does not report it. Uses `AT_STATX_DONT_SYNC`, so no file server is contacted.
pub fn is_mount(path: impl PathArg) -> Result<Option<bool>> {
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT | AtFlags::STATX_DONT_SYNC;
    let stat = traced(libc::SYS_statx, || calls::statx(CWD, path, flags, calls::StatxFlags::empty()))?;
    let is_reported = stat.stx_attributes_mask.contains(calls::StatxAttributes::MOUNT_ROOT);
    Ok(is_reported.then(|| stat.stx_attributes.contains(calls::StatxAttributes::MOUNT_ROOT)))
}

/// Whether the error means that the path does not exist.
pub fn is_missing(errno: Errno) -> bool {
    matches!(errno, Errno::NOENT | Errno::NOTDIR)
}
