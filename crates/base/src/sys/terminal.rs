//! Terminals: `termios(3)`, window size, raw mode. In: a file descriptor. Out: size, modes; the
//! original mode is restored at the end of the process. Absent: colours, escape sequences.

use std::os::fd::{BorrowedFd, RawFd};
use std::sync::{Mutex, PoisonError};

use rustix::termios::{
    ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, SpecialCodeIndex, Termios, isatty,
    tcgetattr, tcgetwinsize, tcsetattr,
};

use super::{Result, fd};

/// The terminal whose mode was changed, and its mode before that.
static ORIGINAL: Mutex<Option<(RawFd, Termios)>> = Mutex::new(None);

pub fn is_terminal(raw_fd: RawFd) -> bool {
    fd::borrow(raw_fd, |fd| Ok(isatty(fd))).unwrap_or(false)
}

/// Columns and rows.
pub fn size(raw_fd: RawFd) -> Result<(u16, u16)> {
    fd::borrow(raw_fd, |fd| tcgetwinsize(fd).map(|size| (size.ws_col, size.ws_row)))
}

/// Sets raw mode, or restores the former mode.
pub fn set_raw(raw_fd: RawFd, is_raw: bool) -> Result<()> {
    let mut before = ORIGINAL.lock().unwrap_or_else(PoisonError::into_inner);
    fd::borrow(raw_fd, |fd| {
        if !is_raw {
            return match before.take() {
                Some((_, mode)) => tcsetattr(fd, OptionalActions::Drain, &mode),
                None => Ok(()),
            };
        }
        let mode = tcgetattr(fd)?;
        before.get_or_insert_with(|| (raw_fd, mode.clone()));
        tcsetattr(fd, OptionalActions::Drain, &raw(mode))
    })
}

/// As libuv's raw mode: `ONLCR` keeps line feeds of the output working.
fn raw(mut mode: Termios) -> Termios {
    mode.input_modes -=
        InputModes::BRKINT | InputModes::ICRNL | InputModes::INPCK | InputModes::ISTRIP | InputModes::IXON;
    mode.output_modes |= OutputModes::ONLCR;
    mode.control_modes |= ControlModes::CS8;
    mode.local_modes -= LocalModes::ECHO | LocalModes::ICANON | LocalModes::IEXTEN | LocalModes::ISIG;
    mode.special_codes[SpecialCodeIndex::VMIN] = 1;
    mode.special_codes[SpecialCodeIndex::VTIME] = 0;
    mode
}

/// The four flag words of `struct termios`: input, output, control, local.
pub type Modes = [u32; 4];

/// A mode that can be restored.
#[derive(Clone, Debug)]
pub struct SavedMode(Termios);

/// The modes of a pseudo-terminal, by either side. They are not restored automatically.
pub fn modes(fd: BorrowedFd<'_>) -> Result<Modes> {
    let mode = tcgetattr(fd)?;
    Ok([
        mode.input_modes.bits(),
        mode.output_modes.bits(),
        mode.control_modes.bits(),
        mode.local_modes.bits(),
    ])
}

/// Unknown flags are passed on, as the kernel stores them.
pub fn set_modes(fd: BorrowedFd<'_>, modes: Modes) -> Result<()> {
    let mut mode = tcgetattr(fd)?;
    mode.input_modes = InputModes::from_bits_retain(modes[0]);
    mode.output_modes = OutputModes::from_bits_retain(modes[1]);
    mode.control_modes = ControlModes::from_bits_retain(modes[2]);
    mode.local_modes = LocalModes::from_bits_retain(modes[3]);
    tcsetattr(fd, OptionalActions::Now, &mode)
}

/// Flags that terminal emulators set beside the kernel's defaults: input is UTF-8, a break
/// interrupts, any key continues stopped output, a full line rings the bell, and the last close
/// hangs up.
pub fn set_emulator_defaults(fd: BorrowedFd<'_>) -> Result<()> {
    let mut mode = tcgetattr(fd)?;
    mode.input_modes |= InputModes::IUTF8 | InputModes::BRKINT | InputModes::IXANY | InputModes::IMAXBEL;
    mode.control_modes |= ControlModes::HUPCL;
    tcsetattr(fd, OptionalActions::Now, &mode)
}

/// Sets raw mode. Returns the former mode.
pub fn make_raw(fd: BorrowedFd<'_>) -> Result<SavedMode> {
    let mode = tcgetattr(fd)?;
    tcsetattr(fd, OptionalActions::Now, &raw(mode.clone()))?;
    Ok(SavedMode(mode))
}

pub fn restore_mode(fd: BorrowedFd<'_>, before: &SavedMode) -> Result<()> {
    tcsetattr(fd, OptionalActions::Now, &before.0)
}

/// Restores the mode that the terminal had at first.
pub fn restore() {
    let before = ORIGINAL.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((raw_fd, mode)) = before {
        let _ = fd::borrow(raw_fd, |fd| tcsetattr(fd, OptionalActions::Now, &mode));
    }
}
