//! Standard output and standard error. In: bytes. Out: what they lead to. Absent: buffers; who writes a piece at a time
//! makes a call for each.

use std::io;
use std::os::fd::BorrowedFd;

use super::record::seen;

/// A stream to write to.
#[derive(Clone, Copy, Debug)]
pub struct Stream(BorrowedFd<'static>);

/// Standard output.
pub fn output() -> Stream {
    Stream(rustix::stdio::stdout())
}

/// Standard error.
pub fn errors() -> Stream {
    Stream(rustix::stdio::stderr())
}

impl Stream {
    pub fn is_terminal(self) -> bool {
        seen(libc::SYS_ioctl, || rustix::termios::tcgetwinsize(self.0)).is_ok()
    }

    /// Columns of the terminal; `None` for what is none, or does not say.
    pub fn columns(self) -> Option<usize> {
        let size = seen(libc::SYS_ioctl, || rustix::termios::tcgetwinsize(self.0)).ok()?;
        Some(usize::from(size.ws_col)).filter(|columns| *columns > 0)
    }
}

impl io::Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(super::write(self.0, bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
