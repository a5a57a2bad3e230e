//! System calls, one function each, over rustix. Every call that Rusk makes on its own behalf goes
//! through here, where [`syscall_stats::traced`] counts it if that is wanted. In: descriptors and paths.
//! Out: owned values or the kernel's errno. Absent: retries other than after a signal, messages,
//! policy.

pub mod alarm;
pub mod allocator;
pub mod bpf;
pub mod credentials;
pub mod directory;
pub mod entry_point;
pub mod epoll;
pub mod exec;
pub mod fd;
pub mod inotify;
pub mod interfaces;
pub mod interrupt;
mod math;
pub mod metadata;
pub mod mmap;
pub mod mounts;
pub mod name_resolution;
mod owned_fd;
pub mod phase_markers;
pub mod process;
pub mod ptrace;
pub mod raw_fd;
pub mod signal_handler;
pub mod signal_relay;
pub mod socket;
pub mod statx_batch;
pub mod stdio;
pub mod stopped_child;
pub mod syscall_stats;
pub mod terminal;
pub mod udp;
pub mod unix_socket;
pub mod user_namespace;

use std::ffi::CString;
use std::os::fd::BorrowedFd;
use std::time::Duration;

use rustix::fs as calls;
pub use rustix::fs::{
    AtFlags, FileType, FlockOperation, Mode, OFlags, RenameFlags, Stat, Statx, StatxTimestamp,
};
pub use rustix::io::Errno;
pub use rustix::path::Arg as PathArg;

pub use owned_fd::OwnedFd;
use syscall_stats::traced;

/// What a call gives: its value, or the kernel's answer why not.
pub type Result<T> = std::result::Result<T, Errno>;

/// The folder that relative paths start from when no other is named (`AT_FDCWD`).
pub const CWD: BorrowedFd<'static> = calls::CWD;

/// Room for what a symbolic link says, at first; most say less.
const LINK_BYTES: usize = 256;

/// Longer paths have no name in the kernel: `PATH_MAX`.
const PATH_BYTES: usize = 4096;

/// `openat(2)`, always close-on-exec.
pub fn openat(folder: BorrowedFd<'_>, path: impl PathArg, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    traced(libc::SYS_openat, || calls::openat(folder, path, flags | OFlags::CLOEXEC, mode)).map(OwnedFd::from)
}

/// Opens a folder to work relative to it.
pub fn open_directory(folder: BorrowedFd<'_>, path: impl PathArg) -> Result<OwnedFd> {
    openat(folder, path, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty())
}

/// `openat2(2)` of a folder, if no part of the path is a symbolic link (`ELOOP`). Kernels before
/// 5.6 do not know it.
pub fn open_directory_no_symlinks(folder: BorrowedFd<'_>, path: impl PathArg) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let resolve = calls::ResolveFlags::NO_SYMLINKS;
    traced(libc::SYS_openat2, || calls::openat2(folder, path, flags, Mode::empty(), resolve))
        .map(OwnedFd::from)
}

/// `chdir(2)`.
pub fn chdir(folder: impl PathArg) -> Result<()> {
    traced(libc::SYS_chdir, || rustix::process::chdir(folder))
}

/// `mkdirat(2)`; the umask applies.
pub fn mkdirat(folder: BorrowedFd<'_>, path: impl PathArg, mode: Mode) -> Result<()> {
    traced(libc::SYS_mkdirat, || calls::mkdirat(folder, path, mode))
}

/// `mknodat(2)` of a plain file, empty, where nothing stands: one call where opening it would take
/// two.
pub fn create_empty_file_at(folder: BorrowedFd<'_>, path: impl PathArg, mode: Mode) -> Result<()> {
    traced(libc::SYS_mknodat, || calls::mknodat(folder, path, FileType::RegularFile, mode, 0))
}

/// `linkat(2)`: a second name for the same file. A symbolic link is not followed.
pub fn linkat(
    source_folder: BorrowedFd<'_>,
    source: impl PathArg,
    target_folder: BorrowedFd<'_>,
    target: impl PathArg,
) -> Result<()> {
    traced(libc::SYS_linkat, || calls::linkat(source_folder, source, target_folder, target, AtFlags::empty()))
}

/// `symlinkat(2)`: `path` will point to `text`.
pub fn symlinkat(text: impl PathArg, folder: BorrowedFd<'_>, path: impl PathArg) -> Result<()> {
    traced(libc::SYS_symlinkat, || calls::symlinkat(text, folder, path))
}

/// `readlinkat(2)`: what the link says.
pub fn readlinkat(folder: BorrowedFd<'_>, path: impl PathArg) -> Result<CString> {
    path.into_with_c_str(|path| {
        let mut text = Vec::with_capacity(LINK_BYTES);
        loop {
            let room = rustix::buffer::spare_capacity(&mut text);
            let bytes = traced(libc::SYS_readlinkat, || calls::readlinkat_raw(folder, path, room))?;
            if bytes < text.capacity() {
                return CString::new(text).map_err(|_| Errno::INVAL);
            }
            // It may go on; the kernel does not say.
            text = Vec::with_capacity(2 * bytes);
        }
    })
}

/// `renameat(2)`: replaces what stands at the target.
pub fn renameat(
    source_folder: BorrowedFd<'_>,
    source: impl PathArg,
    target_folder: BorrowedFd<'_>,
    target: impl PathArg,
) -> Result<()> {
    traced(libc::SYS_renameat, || calls::renameat(source_folder, source, target_folder, target))
}

/// `renameat2(2)`, for `NOREPLACE` and `EXCHANGE`.
pub fn renameat2(
    source_folder: BorrowedFd<'_>,
    source: impl PathArg,
    target_folder: BorrowedFd<'_>,
    target: impl PathArg,
    flags: RenameFlags,
) -> Result<()> {
    traced(libc::SYS_renameat2, || calls::renameat_with(source_folder, source, target_folder, target, flags))
}

/// `unlinkat(2)` for anything but a folder.
pub fn unlinkat(folder: BorrowedFd<'_>, path: impl PathArg) -> Result<()> {
    traced(libc::SYS_unlinkat, || calls::unlinkat(folder, path, AtFlags::empty()))
}

/// `unlinkat(2)` for an empty folder.
pub fn rmdirat(folder: BorrowedFd<'_>, path: impl PathArg) -> Result<()> {
    traced(libc::SYS_unlinkat, || calls::unlinkat(folder, path, AtFlags::REMOVEDIR))
}

/// `fstat(2)`.
pub fn fstat(file: BorrowedFd<'_>) -> Result<Stat> {
    traced(libc::SYS_fstat, || calls::fstat(file))
}

/// `fstatat(2)`, following a symbolic link at the end.
pub fn statat(folder: BorrowedFd<'_>, path: impl PathArg) -> Result<Stat> {
    traced(libc::SYS_newfstatat, || calls::statat(folder, path, AtFlags::empty()))
}

/// `fstatat(2)` of the thing itself, a symbolic link included.
pub fn lstatat(folder: BorrowedFd<'_>, path: impl PathArg) -> Result<Stat> {
    traced(libc::SYS_newfstatat, || calls::statat(folder, path, AtFlags::SYMLINK_NOFOLLOW))
}

/// `statx(2)` of the thing itself, a symbolic link included: also when it was made, where the file
/// system knows.
pub fn lstatx(folder: BorrowedFd<'_>, path: impl PathArg) -> Result<Statx> {
    let wanted = calls::StatxFlags::BASIC_STATS | calls::StatxFlags::BTIME;
    traced(libc::SYS_statx, || calls::statx(folder, path, AtFlags::SYMLINK_NOFOLLOW, wanted))
}

/// `faccessat(2)`: whether things may be put into a folder.
pub fn check_writable(folder: impl PathArg) -> Result<()> {
    let wanted = calls::Access::WRITE_OK | calls::Access::EXEC_OK;
    traced(libc::SYS_faccessat, || calls::accessat(CWD, folder, wanted, AtFlags::empty()))
}

/// `fchmod(2)`; the umask does not apply.
pub fn fchmod(file: BorrowedFd<'_>, mode: Mode) -> Result<()> {
    traced(libc::SYS_fchmod, || calls::fchmod(file, mode))
}

/// `fchmodat(2)`, following a symbolic link; the umask does not apply.
pub fn chmodat(folder: BorrowedFd<'_>, path: impl PathArg, mode: Mode) -> Result<()> {
    traced(libc::SYS_fchmodat, || calls::chmodat(folder, path, mode, AtFlags::empty()))
}

/// `fchownat(2)` of the thing itself, a symbolic link included.
pub fn chownat(folder: BorrowedFd<'_>, path: impl PathArg, user: u32, group: u32) -> Result<()> {
    let (user, group) = (rustix::process::Uid::from_raw(user), rustix::process::Gid::from_raw(group));
    let flags = AtFlags::SYMLINK_NOFOLLOW;
    traced(libc::SYS_fchownat, || calls::chownat(folder, path, Some(user), Some(group), flags))
}

/// `fchown(2)`.
pub fn fchown(file: BorrowedFd<'_>, user: u32, group: u32) -> Result<()> {
    let (user, group) = (rustix::process::Uid::from_raw(user), rustix::process::Gid::from_raw(group));
    traced(libc::SYS_fchown, || calls::fchown(file, Some(user), Some(group)))
}

/// `fsetxattr(2)`.
pub fn fsetxattr(file: BorrowedFd<'_>, name: &str, value: &[u8]) -> Result<()> {
    traced(libc::SYS_fsetxattr, || calls::fsetxattr(file, name, value, calls::XattrFlags::empty()))
}

/// `read(2)`, again after a signal. Zero bytes: the end.
pub fn read(file: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize> {
    again(|| traced(libc::SYS_read, || rustix::io::read(file, &mut *buffer)))
}

/// `write(2)`, again after a signal; may take fewer bytes than offered.
pub fn write(file: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize> {
    again(|| traced(libc::SYS_write, || rustix::io::write(file, bytes)))
}

/// `write(2)` until all is written.
pub fn write_all(file: BorrowedFd<'_>, mut bytes: &[u8]) -> Result<()> {
    while !bytes.is_empty() {
        match write(file, bytes)? {
            0 => return Err(Errno::IO),
            written => bytes = &bytes[written..],
        }
    }
    Ok(())
}

/// `copy_file_range(2)` from and to the descriptors' own positions.
pub fn copy_file_range(source: BorrowedFd<'_>, target: BorrowedFd<'_>, bytes_max: usize) -> Result<usize> {
    again(|| {
        traced(libc::SYS_copy_file_range, || calls::copy_file_range(source, None, target, None, bytes_max))
    })
}

/// `sendfile(2)` from the source's own position.
pub fn sendfile(source: BorrowedFd<'_>, target: BorrowedFd<'_>, bytes_max: usize) -> Result<usize> {
    again(|| traced(libc::SYS_sendfile, || calls::sendfile(target, source, None, bytes_max)))
}

/// `ioctl(FICLONE)`: the target shares the source's extents until one of them is written.
pub fn clone_file(source: BorrowedFd<'_>, target: BorrowedFd<'_>) -> Result<()> {
    traced(libc::SYS_ioctl, || calls::ioctl_ficlone(target, source))
}

/// `futimens(2)`: sets when a file was changed last, and nothing else.
pub fn set_mtime(file: BorrowedFd<'_>, modified: Duration) -> Result<()> {
    let omitted = rustix::time::Timespec { tv_sec: 0, tv_nsec: calls::UTIME_OMIT };
    let times = calls::Timestamps { last_access: omitted, last_modification: timespec(modified) };
    traced(libc::SYS_utimensat, || calls::futimens(file, &times))
}

/// `flock(2)`, again after a signal.
pub fn flock(file: BorrowedFd<'_>, operation: FlockOperation) -> Result<()> {
    again(|| traced(libc::SYS_flock, || calls::flock(file, operation)))
}

/// Sets the top-of-hierarchy flag (`chattr +T`): ext4 then spreads this folder's subfolders over
/// less used block groups, past the recently freed inodes that make `mkdir` slow. Other file
/// systems refuse.
pub fn set_top_of_hierarchy(folder: BorrowedFd<'_>) -> Result<()> {
    let flags = traced(libc::SYS_ioctl, || calls::ioctl_getflags(folder))?;
    traced(libc::SYS_ioctl, || calls::ioctl_setflags(folder, flags | calls::IFlags::TOPDIR))
}

fn again<T>(mut call: impl FnMut() -> Result<T>) -> Result<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            outcome => return outcome,
        }
    }
}

/// Ends every process of a child's group, the child leading it.
pub fn kill_group(child: &std::process::Child) -> Result<()> {
    let group = rustix::process::Pid::from_child(child);
    traced(libc::SYS_kill, || rustix::process::kill_process_group(group, rustix::process::Signal::KILL))
}

/// `getcwd(2)`. `ENOENT` where it has no path from here.
pub fn current_dir() -> Result<CString> {
    let path = traced(libc::SYS_getcwd, || rustix::process::getcwd(Vec::with_capacity(PATH_BYTES)))?;
    // `(unreachable)` stands in front of what lies outside our root: getcwd(3).
    if path.as_bytes().starts_with(b"/") { Ok(path) } else { Err(Errno::NOENT) }
}

/// `clock_nanosleep(2)`; a signal may end it early.
pub fn sleep(time: Duration) {
    let time = timespec(time);
    let monotonic = rustix::thread::ClockId::Monotonic;
    let _ = traced(libc::SYS_clock_nanosleep, || {
        match rustix::thread::clock_nanosleep_relative(monotonic, &time) {
            rustix::thread::NanosleepRelativeResult::Err(errno) => Err(errno),
            _ => Ok(()),
        }
    });
}

fn timespec(time: Duration) -> rustix::time::Timespec {
    rustix::time::Timespec { tv_sec: time.as_secs() as i64, tv_nsec: time.subsec_nanos().into() }
}

/// `clock_gettime(2)`: the processor time that this process has taken, in all its threads.
pub fn cpu_time() -> Duration {
    let time = traced(libc::SYS_clock_gettime, || {
        Ok(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime))
    });
    time.map_or(Duration::ZERO, |time| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}
