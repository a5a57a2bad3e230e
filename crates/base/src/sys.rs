//! System calls, one function each, over rustix. All system calls of rusk itself go through this
//! module, where [`syscall_stats::traced`] counts them if statistics are on. In: file descriptors
//! and paths. Out: owned values or an errno. Absent: retries other than after `EINTR`, error
//! messages, policy.

pub mod alarm;
pub mod allocator;
pub mod bpf;
pub mod credentials;
pub mod directory;
pub mod entry_point;
pub mod epoll;
pub mod exec;
pub mod fd;
pub mod file_pages;
pub mod inotify;
pub mod interfaces;
pub mod interrupt;
pub mod landlock;
mod math;
pub mod metadata;
pub mod mmap;
pub mod mounts;
pub mod name_resolution;
mod owned_fd;
pub mod phase_markers;
pub mod process;
pub mod progress_line;
pub mod ptrace;
pub mod raw_fd;
pub mod seccomp_listener;
pub mod signal_handler;
pub mod signal_relay;
pub mod socket;
pub mod statx_batch;
pub mod stdio;
pub mod stopped_child;
pub mod syscall_stats;
pub mod terminal;
pub mod timer_fd;
pub mod udp;
pub mod unix_socket;
pub mod user_namespace;
pub mod worker_process;

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

/// The result of a system call: its value or an errno.
pub type Result<T> = std::result::Result<T, Errno>;

/// The current directory as the start of relative paths (`AT_FDCWD`).
pub const CWD: BorrowedFd<'static> = calls::CWD;

/// The first buffer for a symbolic link's target; most targets are shorter.
const LINK_BYTES: usize = 256;

/// The kernel's limit on a path: `PATH_MAX`.
const PATH_BYTES: usize = 4096;

/// `openat(2)`, always close-on-exec.
pub fn openat(directory: BorrowedFd<'_>, path: impl PathArg, flags: OFlags, mode: Mode) -> Result<OwnedFd> {
    traced(libc::SYS_openat, || calls::openat(directory, path, flags | OFlags::CLOEXEC, mode))
        .map(OwnedFd::from)
}

/// Opens a directory, as a start for relative paths.
pub fn open_directory(directory: BorrowedFd<'_>, path: impl PathArg) -> Result<OwnedFd> {
    openat(directory, path, OFlags::RDONLY | OFlags::DIRECTORY, Mode::empty())
}

/// `openat2(2)` of a directory; `ELOOP` if a component of the path is a symbolic link. Kernels
/// before 5.6 lack this call.
pub fn open_directory_no_symlinks(directory: BorrowedFd<'_>, path: impl PathArg) -> Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
    let resolve = calls::ResolveFlags::NO_SYMLINKS;
    traced(libc::SYS_openat2, || calls::openat2(directory, path, flags, Mode::empty(), resolve))
        .map(OwnedFd::from)
}

/// Opens a directory of the same mount, not through a symbolic link; `EBUSY` for a mount point.
/// Kernels before 5.6 lack `openat2(2)`, and containers may refuse it: then mount points are
/// opened, too.
pub fn open_directory_no_mounts(directory: BorrowedFd<'_>, name: impl PathArg) -> Result<OwnedFd> {
    let name = name.as_cow_c_str()?;
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW;
    let (mode, resolve) = (Mode::empty(), calls::ResolveFlags::NO_XDEV);
    let open = || calls::openat2(directory, &*name, flags | OFlags::CLOEXEC, mode, resolve);
    match traced(libc::SYS_openat2, open) {
        Err(Errno::XDEV) => Err(Errno::BUSY),
        Err(Errno::NOSYS | Errno::PERM) => openat(directory, &*name, flags, mode),
        outcome => outcome.map(OwnedFd::from),
    }
}

/// Opens a file to read, if no symbolic link leads its path out of the directory: `EXDEV`. Without
/// `openat2(2)`, see [`open_directory_no_mounts`], the file itself must be no link.
pub fn open_beneath(directory: BorrowedFd<'_>, path: impl PathArg) -> Result<OwnedFd> {
    let path = path.as_cow_c_str()?;
    let flags = OFlags::RDONLY | OFlags::NONBLOCK;
    let (mode, resolve) = (Mode::empty(), calls::ResolveFlags::BENEATH);
    let open = || calls::openat2(directory, &*path, flags | OFlags::CLOEXEC, mode, resolve);
    match traced(libc::SYS_openat2, open) {
        Err(Errno::NOSYS | Errno::PERM) => openat(directory, &*path, flags | OFlags::NOFOLLOW, mode),
        outcome => outcome.map(OwnedFd::from),
    }
}

/// `chdir(2)`.
pub fn chdir(directory: impl PathArg) -> Result<()> {
    traced(libc::SYS_chdir, || rustix::process::chdir(directory))
}

/// `mkdirat(2)`; the umask applies.
pub fn mkdirat(directory: BorrowedFd<'_>, path: impl PathArg, mode: Mode) -> Result<()> {
    traced(libc::SYS_mkdirat, || calls::mkdirat(directory, path, mode))
}

/// `mknodat(2)` of an empty regular file, which must not exist yet: one call instead of open and
/// close.
pub fn create_empty_file_at(directory: BorrowedFd<'_>, path: impl PathArg, mode: Mode) -> Result<()> {
    traced(libc::SYS_mknodat, || calls::mknodat(directory, path, FileType::RegularFile, mode, 0))
}

/// `linkat(2)`: a second name for the same file. A symbolic link is not followed.
pub fn linkat(
    source_directory: BorrowedFd<'_>,
    source: impl PathArg,
    target_directory: BorrowedFd<'_>,
    target: impl PathArg,
) -> Result<()> {
    traced(libc::SYS_linkat, || {
        calls::linkat(source_directory, source, target_directory, target, AtFlags::empty())
    })
}

/// `symlinkat(2)`: creates a link at `path` to `target`.
pub fn symlinkat(target: impl PathArg, directory: BorrowedFd<'_>, path: impl PathArg) -> Result<()> {
    traced(libc::SYS_symlinkat, || calls::symlinkat(target, directory, path))
}

/// `readlinkat(2)`: the target of a link.
pub fn readlinkat(directory: BorrowedFd<'_>, path: impl PathArg) -> Result<CString> {
    path.into_with_c_str(|path| {
        let mut text = Vec::with_capacity(LINK_BYTES);
        loop {
            let room = rustix::buffer::spare_capacity(&mut text);
            let bytes = traced(libc::SYS_readlinkat, || calls::readlinkat_raw(directory, path, room))?;
            if bytes < text.capacity() {
                return CString::new(text).map_err(|_| Errno::INVAL);
            }
            // The kernel does not report truncation; a full buffer may be truncated.
            text = Vec::with_capacity(2 * bytes);
        }
    })
}

/// `renameat(2)`: replaces an existing target.
pub fn renameat(
    source_directory: BorrowedFd<'_>,
    source: impl PathArg,
    target_directory: BorrowedFd<'_>,
    target: impl PathArg,
) -> Result<()> {
    traced(libc::SYS_renameat, || calls::renameat(source_directory, source, target_directory, target))
}

/// `renameat2(2)`, for `NOREPLACE` and `EXCHANGE`.
pub fn renameat2(
    source_directory: BorrowedFd<'_>,
    source: impl PathArg,
    target_directory: BorrowedFd<'_>,
    target: impl PathArg,
    flags: RenameFlags,
) -> Result<()> {
    traced(libc::SYS_renameat2, || {
        calls::renameat_with(source_directory, source, target_directory, target, flags)
    })
}

/// `unlinkat(2)` of anything but a directory.
pub fn unlinkat(directory: BorrowedFd<'_>, path: impl PathArg) -> Result<()> {
    traced(libc::SYS_unlinkat, || calls::unlinkat(directory, path, AtFlags::empty()))
}

/// `unlinkat(2)` of an empty directory.
pub fn rmdirat(directory: BorrowedFd<'_>, path: impl PathArg) -> Result<()> {
    traced(libc::SYS_unlinkat, || calls::unlinkat(directory, path, AtFlags::REMOVEDIR))
}

/// `fstat(2)`.
pub fn fstat(file: BorrowedFd<'_>) -> Result<Stat> {
    traced(libc::SYS_fstat, || calls::fstat(file))
}

/// `fstatat(2)`: follows a symbolic link in the last component.
pub fn statat(directory: BorrowedFd<'_>, path: impl PathArg) -> Result<Stat> {
    traced(libc::SYS_newfstatat, || calls::statat(directory, path, AtFlags::empty()))
}

/// `fstatat(2)`: does not follow a symbolic link in the last component.
pub fn lstatat(directory: BorrowedFd<'_>, path: impl PathArg) -> Result<Stat> {
    traced(libc::SYS_newfstatat, || calls::statat(directory, path, AtFlags::SYMLINK_NOFOLLOW))
}

/// `statx(2)` without following a symbolic link in the last component; includes the birth time
/// where the file system has one.
pub fn lstatx(directory: BorrowedFd<'_>, path: impl PathArg) -> Result<Statx> {
    let mask = calls::StatxFlags::BASIC_STATS | calls::StatxFlags::BTIME;
    traced(libc::SYS_statx, || calls::statx(directory, path, AtFlags::SYMLINK_NOFOLLOW, mask))
}

/// `faccessat(2)`: whether entries can be created in a directory.
pub fn check_writable(directory: impl PathArg) -> Result<()> {
    let access = calls::Access::WRITE_OK | calls::Access::EXEC_OK;
    traced(libc::SYS_faccessat, || calls::accessat(CWD, directory, access, AtFlags::empty()))
}

/// `fchmod(2)`; the umask does not apply.
pub fn fchmod(file: BorrowedFd<'_>, mode: Mode) -> Result<()> {
    traced(libc::SYS_fchmod, || calls::fchmod(file, mode))
}

/// `fchmodat(2)`: follows a symbolic link; the umask does not apply.
pub fn chmodat(directory: BorrowedFd<'_>, path: impl PathArg, mode: Mode) -> Result<()> {
    traced(libc::SYS_fchmodat, || calls::chmodat(directory, path, mode, AtFlags::empty()))
}

/// `fchownat(2)`: does not follow a symbolic link.
pub fn chownat(directory: BorrowedFd<'_>, path: impl PathArg, user: u32, group: u32) -> Result<()> {
    let (user, group) = (rustix::process::Uid::from_raw(user), rustix::process::Gid::from_raw(group));
    let flags = AtFlags::SYMLINK_NOFOLLOW;
    traced(libc::SYS_fchownat, || calls::chownat(directory, path, Some(user), Some(group), flags))
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

/// `read(2)`, repeated after a signal. Zero bytes mean end of file.
pub fn read(file: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize> {
    retry_on_eintr(|| traced(libc::SYS_read, || rustix::io::read(file, &mut *buffer)))
}

/// `write(2)`, repeated after a signal; may write fewer bytes than given.
pub fn write(file: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize> {
    retry_on_eintr(|| traced(libc::SYS_write, || rustix::io::write(file, bytes)))
}

/// `write(2)` until all bytes are written.
pub fn write_all(file: BorrowedFd<'_>, mut bytes: &[u8]) -> Result<()> {
    while !bytes.is_empty() {
        match write(file, bytes)? {
            0 => return Err(Errno::IO),
            written => bytes = &bytes[written..],
        }
    }
    Ok(())
}

/// `copy_file_range(2)` from and to the current file offsets.
pub fn copy_file_range(source: BorrowedFd<'_>, target: BorrowedFd<'_>, bytes_max: usize) -> Result<usize> {
    retry_on_eintr(|| {
        traced(libc::SYS_copy_file_range, || calls::copy_file_range(source, None, target, None, bytes_max))
    })
}

/// `sendfile(2)` from the source's current file offset.
pub fn sendfile(source: BorrowedFd<'_>, target: BorrowedFd<'_>, bytes_max: usize) -> Result<usize> {
    retry_on_eintr(|| traced(libc::SYS_sendfile, || calls::sendfile(target, source, None, bytes_max)))
}

/// `sendfile(2)` from an offset of the source, which is advanced.
pub fn sendfile_at(
    source: BorrowedFd<'_>,
    offset: &mut u64,
    target: BorrowedFd<'_>,
    bytes_max: usize,
) -> Result<usize> {
    retry_on_eintr(|| {
        traced(libc::SYS_sendfile, || calls::sendfile(target, source, Some(&mut *offset), bytes_max))
    })
}

/// `ioctl(FICLONE)`: the target shares the source's extents until one of them is modified.
pub fn clone_file(source: BorrowedFd<'_>, target: BorrowedFd<'_>) -> Result<()> {
    traced(libc::SYS_ioctl, || calls::ioctl_ficlone(target, source))
}

/// `futimens(2)`: sets the modification time only.
pub fn set_mtime(file: BorrowedFd<'_>, modified: Duration) -> Result<()> {
    let omitted = rustix::time::Timespec { tv_sec: 0, tv_nsec: calls::UTIME_OMIT };
    let times = calls::Timestamps { last_access: omitted, last_modification: timespec(modified) };
    traced(libc::SYS_utimensat, || calls::futimens(file, &times))
}

/// `flock(2)`, repeated after a signal.
pub fn flock(file: BorrowedFd<'_>, operation: FlockOperation) -> Result<()> {
    retry_on_eintr(|| traced(libc::SYS_flock, || calls::flock(file, operation)))
}

/// Sets the top-of-hierarchy flag (`chattr +T`). ext4 then spreads subdirectories over less used
/// block groups, away from recently freed inodes, which make `mkdir` slow. Other file systems
/// refuse the flag.
pub fn set_top_of_hierarchy(directory: BorrowedFd<'_>) -> Result<()> {
    let flags = traced(libc::SYS_ioctl, || calls::ioctl_getflags(directory))?;
    traced(libc::SYS_ioctl, || calls::ioctl_setflags(directory, flags | calls::IFlags::TOPDIR))
}

fn retry_on_eintr<T>(mut call: impl FnMut() -> Result<T>) -> Result<T> {
    loop {
        match call() {
            Err(Errno::INTR) => {}
            outcome => return outcome,
        }
    }
}

/// Sends `SIGKILL` to the process group that the child leads.
pub fn kill_group(child: &std::process::Child) -> Result<()> {
    let group = rustix::process::Pid::from_child(child);
    traced(libc::SYS_kill, || rustix::process::kill_process_group(group, rustix::process::Signal::KILL))
}

/// `getcwd(2)`. `ENOENT` if the current directory has no path below our root.
pub fn current_dir() -> Result<CString> {
    let path = traced(libc::SYS_getcwd, || rustix::process::getcwd(Vec::with_capacity(PATH_BYTES)))?;
    // Paths outside our root begin with `(unreachable)`: getcwd(3).
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

/// `clock_gettime(2)`: CPU time of this process, over all its threads.
pub fn cpu_time() -> Duration {
    let time = traced(libc::SYS_clock_gettime, || {
        Ok(rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime))
    });
    time.map_or(Duration::ZERO, |time| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}
