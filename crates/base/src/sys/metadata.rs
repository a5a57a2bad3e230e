//! What the kernel keeps of a file beside its bytes: whose it is, who may use it, when it was
//! changed. In: a path or a descriptor. Out: the kernel's own structs. Absent: what `stat(2)` says,
//! which stands with the other calls.

use std::os::fd::BorrowedFd;

use rustix::fs as calls;
pub use rustix::fs::{Access, StatFs, Timespec, Timestamps};
use rustix::fs::{Gid, StatxFlags, Uid};

use super::syscall_stats::traced;
use super::{AtFlags, CWD, Errno, Mode, PathArg, Result, Statx};

/// Leaves a time as it is, in the place of its nanoseconds.
pub const UTIME_OMIT: i64 = calls::UTIME_OMIT;

/// Sets a time to that of the call, in the place of its nanoseconds.
pub const UTIME_NOW: i64 = calls::UTIME_NOW;

/// Whether a symbolic link at the end of a path is followed.
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

const WANTED: StatxFlags = StatxFlags::BASIC_STATS.union(StatxFlags::BTIME);

/// `statx(2)` by path.
pub fn stat(path: impl PathArg, links: SymlinkMode) -> Result<Statx> {
    traced(libc::SYS_statx, || calls::statx(CWD, path, links.flags(), WANTED))
}

/// `statx(2)` of a descriptor.
pub fn fstat(file: BorrowedFd<'_>) -> Result<Statx> {
    traced(libc::SYS_statx, || calls::statx(file, c"", AtFlags::EMPTY_PATH, WANTED))
}

/// The number of a device, as `stat(2)` writes it.
pub fn device(major: u32, minor: u32) -> u64 {
    calls::makedev(major, minor)
}

/// `faccessat(2)`, as the real user.
pub fn access(path: impl PathArg, wanted: Access) -> Result<()> {
    traced(libc::SYS_faccessat, || calls::accessat(CWD, path, wanted, AtFlags::empty()))
}

/// `fchmodat(2)`, following a symbolic link.
pub fn chmod(path: impl PathArg, mode: Mode) -> Result<()> {
    super::chmodat(CWD, path, mode)
}

/// `fchownat(2)`; `None` leaves one as it is.
pub fn chown(path: impl PathArg, user: Option<u32>, group: Option<u32>, links: SymlinkMode) -> Result<()> {
    let (user, group) = (user.map(Uid::from_raw), group.map(Gid::from_raw));
    traced(libc::SYS_fchownat, || calls::chownat(CWD, path, user, group, links.flags()))
}

/// `fchown(2)`; `None` leaves one as it is.
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

/// Whether something is mounted on a path, a link being itself; `None`: the kernel does not say,
/// before 5.8. `statx(2)`, of what is known without asking a server.
pub fn is_mount(path: impl PathArg) -> Result<Option<bool>> {
    let flags = AtFlags::SYMLINK_NOFOLLOW | AtFlags::NO_AUTOMOUNT | AtFlags::STATX_DONT_SYNC;
    let told = traced(libc::SYS_statx, || calls::statx(CWD, path, flags, calls::StatxFlags::empty()))?;
    let is_told = told.stx_attributes_mask.contains(calls::StatxAttributes::MOUNT_ROOT);
    Ok(is_told.then(|| told.stx_attributes.contains(calls::StatxAttributes::MOUNT_ROOT)))
}

/// Whether an error says that there is nothing of that name.
pub fn is_missing(errno: Errno) -> bool {
    matches!(errno, Errno::NOENT | Errno::NOTDIR)
}
