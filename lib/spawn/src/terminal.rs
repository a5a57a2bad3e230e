//! Pseudo-terminals. In: a size. Out: a [`Pty`] for a command: its output, and its keyboard input.
//! Absent: interpretation of escape sequences.

use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::sync::Arc;

use crate::command::Command;
use crate::error::{Error, Result};
use crate::kernel::{self, Errno, checked, owned};
use crate::stdio::Stdio;
use crate::step::Step;

/// Size of a terminal, in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    pub rows: u16,
    pub columns: u16,
}

/// The controlling side (master) of a pseudo-terminal. A clone refers to the same one; dropping the
/// last one hangs up the terminal, and its programs get SIGHUP.
#[derive(Clone, Debug)]
pub struct Pty {
    controller: Arc<OwnedFd>,
}

impl Pty {
    /// # Errors
    /// No pseudo-terminal left, or no `/dev/ptmx`.
    pub fn open(size: Size) -> Result<Pty> {
        let open = || {
            let flags = libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC;
            // SAFETY: the literal ends in a NUL.
            let fd = checked(unsafe { libc::open(c"/dev/ptmx".as_ptr(), flags) })?;
            // SAFETY: it was just opened.
            let pty = Pty { controller: Arc::new(unsafe { owned(fd) }) };
            let locked: libc::c_int = 0;
            // SAFETY: the kernel reads one number.
            checked(unsafe { libc::ioctl(fd, libc::TIOCSPTLCK, &raw const locked) })?;
            pty.write_size(size).map(|()| pty)
        };
        open().map_err(terminal_error)
    }

    /// Sets the size; programs on the terminal get `SIGWINCH`.
    ///
    /// # Errors
    /// Those of `ioctl(TIOCSWINSZ)`.
    pub fn resize(&self, size: Size) -> Result<()> {
        self.write_size(size).map_err(terminal_error)
    }

    /// # Errors
    /// Those of `ioctl(TIOCGWINSZ)`.
    pub fn size(&self) -> Result<Size> {
        let mut found = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: the kernel writes one size.
        checked(unsafe { libc::ioctl(self.controller.as_raw_fd(), libc::TIOCGWINSZ, &raw mut found) })
            .map_err(terminal_error)?;
        Ok(Size { rows: found.ws_row, columns: found.ws_col })
    }

    /// The program's side (slave). While this is open, the terminal is not hung up when a program
    /// closes it.
    ///
    /// # Errors
    /// Too many fds.
    pub fn program_side(&self) -> Result<OwnedFd> {
        open_program_side(self).map_err(terminal_error)
    }

    /// The foreground process group, which gets keyboard input; None without one.
    pub fn foreground_group(&self) -> Option<i32> {
        let mut group: libc::pid_t = 0;
        // SAFETY: the kernel writes one number.
        checked(unsafe { libc::ioctl(self.controller.as_raw_fd(), libc::TIOCGPGRP, &raw mut group) }).ok()?;
        (group > 0).then_some(group)
    }

    fn write_size(&self, size: Size) -> std::result::Result<(), Errno> {
        let wanted = libc::winsize { ws_row: size.rows, ws_col: size.columns, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: the kernel reads one size.
        checked(unsafe { libc::ioctl(self.controller.as_raw_fd(), libc::TIOCSWINSZ, &raw const wanted) })
            .map(drop)
    }
}

fn terminal_error(errno: Errno) -> Error {
    Error::new(Step::Terminal, errno)
}

impl Command {
    /// Runs the program on a terminal: all three streams, in a new session, whose controlling
    /// terminal it is, in the foreground. Read the output from the [`Pty`] or from
    /// [`crate::Child::stdout`], not from both; write keyboard input to the [`Pty`].
    pub fn terminal(&mut self, pty: &Pty) -> &mut Command {
        let stream = || Stdio::Terminal(pty.clone());
        self.new_session().stdin(stream()).stdout(stream()).stderr(stream())
    }
}

/// Opens the program's side by ioctl: the path in `/dev/pts` may be another terminal in a mount
/// namespace.
pub fn open_program_side(pty: &Pty) -> std::result::Result<OwnedFd, Errno> {
    let flags = libc::O_RDWR | libc::O_NOCTTY | libc::O_CLOEXEC;
    let controller = pty.controller.as_raw_fd();
    // SAFETY: no pointers.
    let fd = match checked(unsafe { libc::ioctl(controller, libc::TIOCGPTPEER, flags) }) {
        // Linux before 4.13, or a sandbox.
        Err(libc::EINVAL | libc::ENOTTY | libc::EPERM) => open_by_name(controller, flags)?,
        opened => opened?,
    };
    // SAFETY: it was just opened.
    kernel::above_stdio(unsafe { owned(fd) })
}

fn open_by_name(controller: i32, flags: i32) -> std::result::Result<i32, Errno> {
    let mut number: libc::c_int = 0;
    // SAFETY: the kernel writes one number.
    checked(unsafe { libc::ioctl(controller, libc::TIOCGPTN, &raw mut number) })?;
    let name = format!("/dev/pts/{number}\0");
    // SAFETY: the name ends in a NUL.
    checked(unsafe { libc::open(name.as_ptr().cast(), flags) })
}

/// The output of programs. It ends when the last of them has closed the terminal.
impl io::Read for &Pty {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        crate::stdio::read(self.as_fd(), buffer).map_err(io::Error::from_raw_os_error)
    }
}

/// Keyboard input. By default the terminal echoes it, and passes it on line by line.
impl io::Write for &Pty {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        crate::stdio::write(self.as_fd(), bytes).map_err(io::Error::from_raw_os_error)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsFd for Pty {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.controller.as_fd()
    }
}
