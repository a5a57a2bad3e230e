//! File descriptors: their kind, duplicates, non-blocking mode, and reads and writes of whole
//! buffers. In: raw descriptors, which may be invalid. Out: owned duplicates, kinds; `EBADF` for an
//! invalid descriptor. Absent: the event loop.
#![allow(unsafe_code)]

use std::io::IoSlice;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, RawFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::{AddressFamily, Shutdown, SocketFlags, SocketType};

use super::{Errno, FileType, Result};

/// What a file descriptor refers to, as `uv_guess_handle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FdKind {
    Terminal,
    File,
    Pipe,
    /// A Unix domain socket.
    UnixSocket,
    Socket,
    /// A UDP socket.
    DatagramSocket,
    Unknown,
}

/// `fcntl(F_DUPFD_CLOEXEC)`: a duplicate, above the standard streams.
pub fn duplicate(raw: RawFd) -> Result<std::os::fd::OwnedFd> {
    borrow(raw, |fd| rustix::io::fcntl_dupfd_cloexec(fd, 3))
}

/// Takes ownership of a raw descriptor that a program passed. The program must not close it later;
/// if it does, it closes an unrelated descriptor of its own.
pub fn take_ownership(raw: RawFd) -> Result<std::os::fd::OwnedFd> {
    borrow(raw, |fd| rustix::io::fcntl_getfd(fd).map(|_| ()))?;
    // SAFETY: it is open, as just checked, and the caller gives up its ownership.
    Ok(unsafe { std::os::fd::OwnedFd::from_raw_fd(raw) })
}

/// Releases ownership of a descriptor.
pub fn into_raw(fd: std::os::fd::OwnedFd) -> RawFd {
    fd.into_raw_fd()
}

/// Closes a raw descriptor.
pub fn close(raw: RawFd) -> Result<()> {
    take_ownership(raw).map(drop)
}

pub fn kind(raw: RawFd) -> Result<FdKind> {
    borrow(raw, |fd| {
        let stat = super::fstat(fd)?;
        Ok(match FileType::from_raw_mode(stat.st_mode) {
            FileType::RegularFile => FdKind::File,
            FileType::Fifo => FdKind::Pipe,
            FileType::CharacterDevice if is_terminal(fd) => FdKind::Terminal,
            FileType::CharacterDevice | FileType::BlockDevice => FdKind::File,
            FileType::Socket => match rustix::net::sockopt::socket_domain(fd) {
                Ok(AddressFamily::UNIX) => FdKind::UnixSocket,
                _ if rustix::net::sockopt::socket_type(fd) == Ok(SocketType::DGRAM) => FdKind::DatagramSocket,
                _ => FdKind::Socket,
            },
            _ => FdKind::Unknown,
        })
    })
}

fn is_terminal(fd: BorrowedFd<'_>) -> bool {
    rustix::termios::isatty(fd)
}

/// Writes all bytes and waits while the peer is slow, whether the descriptor is non-blocking or
/// not.
pub fn write_all(fd: BorrowedFd<'_>, mut bytes: &[u8]) -> Result<()> {
    while !bytes.is_empty() {
        match super::write(fd, bytes) {
            Ok(written) => bytes = &bytes[written..],
            Err(Errno::AGAIN) => wait(fd, PollFlags::OUT)?,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

/// [`write_all`] to a raw descriptor.
pub fn write_all_raw(raw: RawFd, bytes: &[u8]) -> Result<()> {
    borrow(raw, |fd| write_all(fd, bytes))
}

/// Writes what can be written without waiting; 0 if nothing can.
pub fn try_write(fd: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize> {
    match super::write(fd, bytes) {
        Err(Errno::AGAIN) => Ok(0),
        outcome => outcome,
    }
}

/// The same for parts, one after the other, by one call.
pub fn try_write_parts(fd: BorrowedFd<'_>, parts: &[IoSlice<'_>]) -> Result<usize> {
    let write = || super::traced(libc::SYS_writev, || rustix::io::writev(fd, parts));
    match super::retry_on_eintr(write) {
        Err(Errno::AGAIN) => Ok(0),
        outcome => outcome,
    }
}

/// Reads available data after a readiness event; `EAGAIN` if another reader took it meanwhile.
pub fn try_read(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize> {
    let mut polled = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
    let now = rustix::time::Timespec { tv_sec: 0, tv_nsec: 0 };
    if super::retry_on_eintr(|| poll(&mut polled, Some(&now)))? == 0 {
        return Err(Errno::AGAIN);
    }
    super::read(fd, buffer)
}

fn wait(fd: BorrowedFd<'_>, flags: PollFlags) -> Result<()> {
    let mut polled = [PollFd::from_borrowed_fd(fd, flags)];
    super::retry_on_eintr(|| poll(&mut polled, None)).map(|_| ())
}

/// `ioctl(FIONBIO)`: sets non-blocking mode, which applies to all duplicates of the descriptor.
pub fn set_nonblocking(fd: BorrowedFd<'_>) -> Result<()> {
    rustix::io::ioctl_fionbio(fd, true)
}

/// Clears non-blocking mode.
pub fn set_blocking(fd: BorrowedFd<'_>) -> Result<()> {
    let flags = rustix::fs::fcntl_getfl(fd)?;
    match flags.contains(super::OFlags::NONBLOCK) {
        true => rustix::fs::fcntl_setfl(fd, flags - super::OFlags::NONBLOCK),
        false => Ok(()),
    }
}

/// `socketpair(2)`: two connected Unix stream sockets.
pub fn socket_pair() -> Result<(std::os::fd::OwnedFd, std::os::fd::OwnedFd)> {
    rustix::net::socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
}

/// `shutdown(SHUT_WR)`: the peer reads end of file.
pub fn shutdown_write(fd: BorrowedFd<'_>) -> Result<()> {
    rustix::net::shutdown(fd, Shutdown::Write)
}

/// Borrows a raw descriptor for one call.
pub fn borrow<T>(raw: RawFd, body: impl FnOnce(BorrowedFd<'_>) -> Result<T>) -> Result<T> {
    if raw < 0 {
        return Err(Errno::BADF);
    }
    // SAFETY: not -1. A closed descriptor only makes the kernel return `EBADF`; it is used for
    // nothing else.
    body(unsafe { BorrowedFd::borrow_raw(raw) })
}

/// The raw descriptor.
pub fn raw(fd: impl AsFd) -> RawFd {
    fd.as_fd().as_raw_fd()
}
