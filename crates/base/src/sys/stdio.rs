//! Standard output and standard error, unbuffered. In: bytes. Out: writes, terminal size. Absent:
//! buffers; each write is a system call.

use std::io;
use std::os::fd::BorrowedFd;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{Errno, Result};

use super::syscall_stats::traced;

/// An output stream.
#[derive(Clone, Copy, Debug)]
pub struct StdStream(BorrowedFd<'static>);

/// Standard output.
pub fn stdout() -> StdStream {
    StdStream(rustix::stdio::stdout())
}

/// Standard error.
pub fn stderr() -> StdStream {
    StdStream(rustix::stdio::stderr())
}

impl StdStream {
    pub fn is_terminal(self) -> bool {
        traced(libc::SYS_ioctl, || rustix::termios::tcgetwinsize(self.0)).is_ok()
    }

    /// Columns of the terminal; `None` if it is no terminal or does not report its size.
    pub fn columns(self) -> Option<usize> {
        let size = traced(libc::SYS_ioctl, || rustix::termios::tcgetwinsize(self.0)).ok()?;
        Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
    }
}

impl StdStream {
    /// Writes all bytes, in one call if the stream accepts that. Waits if the stream is
    /// non-blocking.
    pub fn write_blocking(self, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            match super::write(self.0, bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(Errno::AGAIN) => {
                    let mut polled = [PollFd::new(&self.0, PollFlags::OUT)];
                    match traced(libc::SYS_poll, || poll(&mut polled, None)) {
                        Err(Errno::INTR) | Ok(_) => {}
                        Err(error) => return Err(error),
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

impl io::Write for StdStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(super::write(self.0, bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
