//! Descriptors as programs know them: numbers, which may be good for nothing. In: numbers. Out:
//! copies that are ours, what each leads to, bytes there; `EBADF` where a number is none. Absent:
//! waiting.
#![allow(unsafe_code)]

use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, RawFd};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::net::{AddressFamily, Shutdown, SocketFlags, SocketType};

use super::{Errno, FileType, Result};

/// What a descriptor leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FdKind {
    Terminal,
    File,
    Pipe,
    /// A socket of the machine itself.
    UnixSocket,
    Socket,
    /// A socket of datagrams, of the internet's protocols.
    DatagramSocket,
    Unknown,
}

/// A copy of a number's descriptor, close-on-exec, above the standard streams.
pub fn duplicate(number: RawFd) -> Result<std::os::fd::OwnedFd> {
    borrow(number, |fd| rustix::io::fcntl_dupfd_cloexec(fd, 3))
}

/// Takes over a descriptor that a program had under its number.
///
/// Nobody else may close it from here on; a program that does all the same has closed one of its
/// own.
pub fn take_ownership(number: RawFd) -> Result<std::os::fd::OwnedFd> {
    borrow(number, |fd| rustix::io::fcntl_getfd(fd).map(|_| ()))?;
    // SAFETY: it is open, as was just seen; who passes it here gives it away.
    Ok(unsafe { std::os::fd::OwnedFd::from_raw_fd(number) })
}

/// Gives a descriptor away as a number.
pub fn into_raw(fd: std::os::fd::OwnedFd) -> RawFd {
    fd.into_raw_fd()
}

/// Closes a number.
pub fn close(number: RawFd) -> Result<()> {
    take_ownership(number).map(drop)
}

pub fn kind(number: RawFd) -> Result<FdKind> {
    borrow(number, |fd| {
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

/// Writes all, and waits where the other end is slow, whether the descriptor is non-blocking or
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

/// [`write_all`] to a number.
pub fn write_all_raw(number: RawFd, bytes: &[u8]) -> Result<()> {
    borrow(number, |fd| write_all(fd, bytes))
}

/// Writes what can be written at once; 0 where nothing can.
pub fn try_write(fd: BorrowedFd<'_>, bytes: &[u8]) -> Result<usize> {
    match super::write(fd, bytes) {
        Err(Errno::AGAIN) => Ok(0),
        answer => answer,
    }
}

/// Reads what is there, after a wait has said that something is; `EAGAIN` where another has read it
/// meanwhile.
pub fn try_read(fd: BorrowedFd<'_>, buffer: &mut [u8]) -> Result<usize> {
    let mut asked = [PollFd::from_borrowed_fd(fd, PollFlags::IN)];
    let now = rustix::time::Timespec { tv_sec: 0, tv_nsec: 0 };
    if super::again(|| poll(&mut asked, Some(&now)))? == 0 {
        return Err(Errno::AGAIN);
    }
    super::read(fd, buffer)
}

fn wait(fd: BorrowedFd<'_>, flags: PollFlags) -> Result<()> {
    let mut asked = [PollFd::from_borrowed_fd(fd, flags)];
    super::again(|| poll(&mut asked, None)).map(|_| ())
}

/// No call on it waits from now on; that holds for all who share the opening.
pub fn set_nonblocking(fd: BorrowedFd<'_>) -> Result<()> {
    rustix::io::ioctl_fionbio(fd, true)
}

/// Calls on it wait again.
pub fn set_blocking(fd: BorrowedFd<'_>) -> Result<()> {
    let flags = rustix::fs::fcntl_getfl(fd)?;
    match flags.contains(super::OFlags::NONBLOCK) {
        true => rustix::fs::fcntl_setfl(fd, flags - super::OFlags::NONBLOCK),
        false => Ok(()),
    }
}

/// Two ends of a connection within the machine.
pub fn socket_pair() -> Result<(std::os::fd::OwnedFd, std::os::fd::OwnedFd)> {
    rustix::net::socketpair(AddressFamily::UNIX, SocketType::STREAM, SocketFlags::CLOEXEC, None)
}

/// The other end finds the end of what we write.
pub fn shutdown_write(fd: BorrowedFd<'_>) -> Result<()> {
    rustix::net::shutdown(fd, Shutdown::Write)
}

/// Lends a number's descriptor for one call.
pub fn borrow<T>(number: RawFd, body: impl FnOnce(BorrowedFd<'_>) -> Result<T>) -> Result<T> {
    if number < 0 {
        return Err(Errno::BADF);
    }
    // SAFETY: not -1. The kernel refuses a number that is closed, with `EBADF`; nothing else is
    // done with it.
    body(unsafe { BorrowedFd::borrow_raw(number) })
}

/// A number of a descriptor of ours.
pub fn raw(fd: impl AsFd) -> RawFd {
    fd.as_fd().as_raw_fd()
}
