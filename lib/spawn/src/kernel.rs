//! System calls of the parent: owned fds, or an errno. Absent: the child's (`child::sys`).

use std::ffi::CStr;
use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::sync::atomic::AtomicU8;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use crate::child::FDS_MAX;
use crate::raw;
use crate::usage::Usage;

/// A positive errno.
pub type Errno = i32;

pub fn errno() -> Errno {
    io::Error::last_os_error().raw_os_error().unwrap_or(libc::EIO)
}

pub fn checked(result: libc::c_int) -> Result<libc::c_int, Errno> {
    if result < 0 { Err(errno()) } else { Ok(result) }
}

/// # Safety
/// `fd` is open and not owned elsewhere.
pub unsafe fn owned(fd: RawFd) -> OwnedFd {
    // SAFETY: guaranteed by the caller.
    unsafe { OwnedFd::from_raw_fd(fd) }
}

/// What the kernel, or a sandbox, supports. Probed once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelFeatures {
    pub clone3: bool,
    pub close_range: CloseRange,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CloseRange {
    /// With all flags (Linux 5.11).
    Whole,
    /// Without close-on-exec (Linux 5.9).
    Plain,
    Missing,
}

/// Whether a memory checker runs that must not see two processes in one memory: a sanitizer of the
/// compiler, or valgrind.
pub fn is_instrumented() -> bool {
    static INSTRUMENTED: CachedProbe = CachedProbe::unknown();
    const SANITIZERS: [&CStr; 4] = [c"__asan_init", c"__hwasan_init", c"__msan_init", c"__tsan_init"];
    let watched = INSTRUMENTED.find_or(|| {
        // SAFETY: a name that ends in a NUL; the result is not dereferenced.
        let is_linked = |name: &CStr| unsafe { !libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()).is_null() };
        let found = raw::is_on_valgrind() || raw::has_address_sanitizer();
        u8::from(found || SANITIZERS.into_iter().any(is_linked))
    });
    watched != 0
}

/// The result of a probe, which several threads may run at once. Not a `OnceLock`: a process that
/// is forked while another thread holds it would block for ever.
struct CachedProbe(AtomicU8);

impl CachedProbe {
    const UNKNOWN: u8 = u8::MAX;

    const fn unknown() -> CachedProbe {
        CachedProbe(AtomicU8::new(CachedProbe::UNKNOWN))
    }

    fn find_or(&self, find: impl Fn() -> u8) -> u8 {
        match self.0.load(Relaxed) {
            CachedProbe::UNKNOWN => {
                let found = find();
                self.0.store(found, Relaxed);
                found
            }
            found => found,
        }
    }
}

impl KernelFeatures {
    pub fn detect() -> KernelFeatures {
        static KERNEL: CachedProbe = CachedProbe::unknown();
        let known = KERNEL.find_or(|| {
            let KernelFeatures { clone3, close_range } = KernelFeatures::probe();
            u8::from(clone3) | (close_range as u8) << 1
        });
        let close_range = match known >> 1 {
            0 => CloseRange::Whole,
            1 => CloseRange::Plain,
            _ => CloseRange::Missing,
        };
        KernelFeatures { clone3: known & 1 != 0, close_range }
    }

    fn probe() -> KernelFeatures {
        // SAFETY: a size of 0 is rejected before anything is read.
        let refusal = unsafe { libc::syscall(libc::SYS_clone3, 0, 0) };
        let clone3 = refusal < 0 && errno() == libc::EINVAL && is_at_least(CLEAR_SIGHAND_SINCE);
        // There are no such fds: a kernel that knows the flags does nothing.
        let closes = |flags: u32| {
            // SAFETY: no pointers.
            unsafe { libc::syscall(libc::SYS_close_range, u32::MAX - 1, u32::MAX, flags) == 0 }
        };
        let close_range = if closes(libc::CLOSE_RANGE_CLOEXEC) {
            CloseRange::Whole
        } else if closes(0) {
            CloseRange::Plain
        } else {
            CloseRange::Missing
        };
        KernelFeatures { clone3, close_range }
    }
}

/// Linux 5.3 and 5.4 have `clone3` without `CLONE_CLEAR_SIGHAND`, and reject it like any invalid
/// argument.
const CLEAR_SIGHAND_SINCE: [u32; 2] = [5, 5];

/// An unknown version counts as old: the older calls work everywhere.
fn is_at_least(version: [u32; 2]) -> bool {
    // SAFETY: a zeroed name is valid; the kernel fills it with strings that end in NULs.
    let release = unsafe {
        let mut name = std::mem::zeroed::<libc::utsname>();
        checked(libc::uname(&mut name)).map(|_| CStr::from_ptr(name.release.as_ptr()).to_owned())
    };
    let release = release.unwrap_or_default();
    let mut numbers = release
        .to_bytes()
        .split(|byte| !byte.is_ascii_digit())
        .map(|digits| std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(0));
    [numbers.next().unwrap_or(0), numbers.next().unwrap_or(0)] >= version
}

/// Moves an fd above the standard streams, if those are closed here: a child that inherits them
/// must not get this one.
pub fn above_stdio(fd: OwnedFd) -> Result<OwnedFd, Errno> {
    let number = fd.as_raw_fd();
    if number >= crate::child::FIRST_OTHER {
        return Ok(fd);
    }
    // SAFETY: no pointers.
    let copy = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, crate::child::FIRST_OTHER) };
    // SAFETY: just created.
    checked(copy).map(|copy| unsafe { owned(copy) })
}

pub fn is_open(number: RawFd) -> bool {
    // SAFETY: no pointers.
    unsafe { libc::fcntl(number, libc::F_GETFD) >= 0 }
}

/// A close-on-exec pipe: the read end, the write end.
pub fn pipe() -> Result<(OwnedFd, OwnedFd), Errno> {
    let mut ends = [-1; 2];
    // SAFETY: the kernel writes two numbers.
    checked(unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) })?;
    // SAFETY: both were just created.
    let (first, second) = unsafe { (owned(ends[0]), owned(ends[1])) };
    Ok((above_stdio(first)?, above_stdio(second)?))
}

/// `fcntl(F_DUPFD_CLOEXEC)`.
pub fn dup(fd: BorrowedFd<'_>) -> Result<OwnedFd, Errno> {
    // SAFETY: no pointers.
    let copy = checked(unsafe { libc::fcntl(fd.as_raw_fd(), libc::F_DUPFD_CLOEXEC, 3) })?;
    // SAFETY: it was just created.
    unsafe { Ok(owned(copy)) }
}

/// Replaces an fd atomically: no other thread gets the number in between.
pub fn dup_over(target: OwnedFd, with: OwnedFd) -> Result<OwnedFd, Errno> {
    // SAFETY: both fds are owned.
    checked(unsafe { libc::dup3(with.as_raw_fd(), target.as_raw_fd(), libc::O_CLOEXEC) })?;
    Ok(target)
}

/// A close-on-exec socket pair of a kind that preserves message boundaries.
pub fn socket_pair(kind: i32) -> Result<(OwnedFd, OwnedFd), Errno> {
    let mut ends = [-1; 2];
    let kind = kind | libc::SOCK_CLOEXEC;
    // SAFETY: the kernel writes two numbers.
    checked(unsafe { libc::socketpair(libc::AF_UNIX, kind, 0, ends.as_mut_ptr()) })?;
    // SAFETY: both were just created.
    let (first, second) = unsafe { (owned(ends[0]), owned(ends[1])) };
    Ok((above_stdio(first)?, above_stdio(second)?))
}

/// An `O_PATH` directory for `fchdir`, close-on-exec.
pub fn open_dir(path: &CStr) -> Result<OwnedFd, Errno> {
    let flags = libc::O_PATH | libc::O_DIRECTORY | libc::O_CLOEXEC;
    // SAFETY: the path ends in a NUL.
    let fd = checked(unsafe { libc::open(path.as_ptr(), flags) })?;
    // SAFETY: just opened.
    above_stdio(unsafe { owned(fd) })
}

/// A close-on-exec memfd with these bytes.
pub fn memory_file(bytes: &[u8]) -> Result<OwnedFd, Errno> {
    // SAFETY: the name ends in a NUL.
    let fd = checked(unsafe { libc::memfd_create(c"rusk-spawn".as_ptr(), libc::MFD_CLOEXEC) })?;
    // SAFETY: just created.
    let mut file = File::from(above_stdio(unsafe { owned(fd) })?);
    file.write_all(bytes).map_err(|error| error.raw_os_error().unwrap_or(libc::EIO))?;
    Ok(file.into())
}

/// `fork(2)` without libc, which would run atfork handlers. Returns 0 in the new process.
///
/// # Safety
/// The new process has only this thread, and locks that are never unlocked: raw calls only.
pub unsafe fn fork() -> Result<i32, Errno> {
    // SAFETY: without a stack and without shared memory this is `fork(2)`; the rest is guaranteed
    // by the caller.
    let pid = unsafe { crate::raw::call(libc::SYS_clone, [libc::SIGCHLD as usize, 0, 0, 0, 0, 0]) };
    if pid < 0 { Err(pid.wrapping_neg() as Errno) } else { Ok(pid as i32) }
}

/// The signals that this thread blocks.
pub fn signal_mask() -> u64 {
    let mut mask = 0_u64;
    // SAFETY: nothing is set; the kernel writes 8 bytes.
    unsafe { libc::syscall(libc::SYS_rt_sigprocmask, libc::SIG_BLOCK, 0_usize, &raw mut mask, 8) };
    mask
}

/// Sends a message with these fds, which may be closed afterwards. Does not block.
pub fn send(socket: BorrowedFd<'_>, body: &[u8], fds: &[RawFd]) -> Result<(), Errno> {
    #[repr(C, align(8))]
    struct Control {
        header: libc::cmsghdr,
        numbers: [RawFd; FDS_MAX],
    }
    if fds.len() > FDS_MAX {
        return Err(libc::E2BIG);
    }
    // SAFETY: all of these are plain numbers, for which zero is valid.
    let (mut control, mut message) = unsafe { std::mem::zeroed::<(Control, libc::msghdr)>() };
    let bytes = size_of::<libc::cmsghdr>() + size_of_val(fds);
    control.header.cmsg_len = bytes as _;
    control.header.cmsg_level = libc::SOL_SOCKET;
    control.header.cmsg_type = libc::SCM_RIGHTS;
    control.numbers[..fds.len()].copy_from_slice(fds);
    let mut vector = libc::iovec { iov_base: body.as_ptr().cast_mut().cast(), iov_len: body.len() };
    message.msg_iov = &raw mut vector;
    message.msg_iovlen = 1;
    if !fds.is_empty() {
        message.msg_control = (&raw mut control).cast();
        message.msg_controllen = bytes.next_multiple_of(8) as _;
    }
    // SAFETY: the message points at locals, with their lengths.
    let sent =
        unsafe { libc::sendmsg(socket.as_raw_fd(), &message, libc::MSG_DONTWAIT | libc::MSG_NOSIGNAL) };
    if sent < 0 { Err(errno()) } else { Ok(()) }
}

/// Blocks all signals of this thread. Returns the previous mask.
pub fn block_signals() -> u64 {
    set_signal_mask(u64::MAX)
}

/// Returns the previous mask.
pub fn set_signal_mask(mask: u64) -> u64 {
    set_signal_mask_with(libc::SIG_SETMASK, mask)
}

/// `how` is `SIG_SETMASK` or `SIG_BLOCK`. Without libc, which excludes two signals of its own.
pub fn set_signal_mask_with(how: libc::c_int, mask: u64) -> u64 {
    let mut old = 0_u64;
    let (new_at, old_at) = (&raw const mask, &raw mut old);
    // SAFETY: both are 8 bytes, as the last argument says.
    unsafe { libc::syscall(libc::SYS_rt_sigprocmask, how, new_at, old_at, 8) };
    old
}

/// How a process exited, from `waitid(2)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitStatus {
    pub code: i32,
    pub status: i32,
    pub usage: Usage,
}

/// Waits for a child by its pidfd, or by its pid if the kernel or a sandbox rejects that. Returns
/// None if it is running and `flags` has `WNOHANG`.
pub fn wait(pid: i32, pidfd: Option<BorrowedFd<'_>>, flags: i32) -> Result<Option<WaitStatus>, Errno> {
    if let Some(pidfd) = pidfd {
        match wait_id(libc::P_PIDFD, pidfd.as_raw_fd(), flags) {
            Err(libc::ENOSYS | libc::EPERM | libc::EINVAL) => {}
            done => return done,
        }
    }
    wait_id(libc::P_PID, pid, flags)
}

/// Waits for the process of a pidfd; an error unless it is a child of this process.
pub fn wait_by_pidfd(pidfd: BorrowedFd<'_>, flags: i32) -> Result<Option<WaitStatus>, Errno> {
    wait_id(libc::P_PIDFD, pidfd.as_raw_fd(), flags)
}

fn wait_id(kind: libc::idtype_t, id: i32, flags: i32) -> Result<Option<WaitStatus>, Errno> {
    loop {
        // SAFETY: both are valid when zeroed; the kernel fills them.
        let (mut found, mut usage) = unsafe { std::mem::zeroed::<(libc::siginfo_t, libc::rusage)>() };
        let (found_at, usage_at) = (&raw mut found, &raw mut usage);
        let flags = libc::WEXITED | flags;
        // SAFETY: as above. Without libc, whose `waitid` does not return the usage.
        let result = unsafe { libc::syscall(libc::SYS_waitid, kind, id, found_at, flags, usage_at) };
        match checked(result as libc::c_int) {
            Err(libc::EINTR) => {}
            Err(errno) => return Err(errno),
            // SAFETY: after WEXITED these are the fields that the kernel fills; without a child all
            // are zero.
            Ok(_) => unsafe {
                let (code, status) = (found.si_code, found.si_status());
                let ended = WaitStatus { code, status, usage: usage.into() };
                return Ok((found.si_pid() != 0).then_some(ended));
            },
        }
    }
}

/// Waits up to the limit until an fd is readable. Returns which are.
pub fn poll_readable(fds: &[BorrowedFd<'_>], limit: Option<Duration>) -> Result<Vec<bool>, Errno> {
    let watch = |fd: &BorrowedFd<'_>| libc::pollfd { fd: fd.as_raw_fd(), events: libc::POLLIN, revents: 0 };
    let mut watched: Vec<libc::pollfd> = fds.iter().map(watch).collect();
    let deadline = limit.and_then(|limit| std::time::Instant::now().checked_add(limit));
    loop {
        let remaining =
            deadline.map(|deadline| deadline.saturating_duration_since(std::time::Instant::now()));
        let timeout = remaining.map(|remaining| libc::timespec {
            tv_sec: remaining.as_secs().min(i32::MAX as u64) as libc::time_t,
            tv_nsec: remaining.subsec_nanos().into(),
        });
        let timeout_at = timeout.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
        // SAFETY: the array and the time outlive the call.
        let result = unsafe {
            libc::ppoll(watched.as_mut_ptr(), watched.len() as libc::nfds_t, timeout_at, std::ptr::null())
        };
        match checked(result) {
            Err(libc::EINTR) => {}
            Err(errno) => return Err(errno),
            Ok(_) => return Ok(watched.iter().map(|one| one.revents != 0).collect()),
        }
    }
}

/// Signals a child that was not reaped: by its pidfd, or by its pid.
pub fn signal(pid: i32, pidfd: Option<BorrowedFd<'_>>, signal: i32) -> Result<(), Errno> {
    if let Some(pidfd) = pidfd {
        // SAFETY: no pointers but a null siginfo.
        let result =
            unsafe { libc::syscall(libc::SYS_pidfd_send_signal, pidfd.as_raw_fd(), signal, 0_usize, 0) };
        match checked(result as libc::c_int) {
            Err(libc::ENOSYS | libc::EPERM) => {}
            done => return done.map(drop),
        }
    }
    // SAFETY: no pointers.
    checked(unsafe { libc::kill(pid, signal) }).map(drop)
}
