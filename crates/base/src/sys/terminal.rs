//! Terminals. In: a descriptor's number. Out: its size; raw mode on and off, and what it was before at the end of the process.
//! Absent: colours, sequences.

use std::os::fd::RawFd;
use std::sync::{Mutex, PoisonError};

use rustix::termios::{
    ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, SpecialCodeIndex, Termios, isatty,
    tcgetattr, tcgetwinsize, tcsetattr,
};

use super::{Result, descriptor};

/// The terminal whose mode was changed, and how it was before.
static BEFORE: Mutex<Option<(RawFd, Termios)>> = Mutex::new(None);

pub fn is_terminal(number: RawFd) -> bool {
    descriptor::borrow(number, |fd| Ok(isatty(fd))).unwrap_or(false)
}

/// Columns and rows.
pub fn size(number: RawFd) -> Result<(u16, u16)> {
    descriptor::borrow(number, |fd| tcgetwinsize(fd).map(|size| (size.ws_col, size.ws_row)))
}

/// Each key at once and by itself, without an echo; or lines again.
pub fn set_raw(number: RawFd, is_raw: bool) -> Result<()> {
    let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
    descriptor::borrow(number, |fd| {
        if !is_raw {
            return match before.take() {
                Some((_, mode)) => tcsetattr(fd, OptionalActions::Drain, &mode),
                None => Ok(()),
            };
        }
        let mut mode = tcgetattr(fd)?;
        before.get_or_insert_with(|| (number, mode.clone()));
        // As libuv has it: carriage returns of the output stay made whole.
        mode.input_modes -= InputModes::BRKINT
            | InputModes::ICRNL
            | InputModes::INPCK
            | InputModes::ISTRIP
            | InputModes::IXON;
        mode.output_modes |= OutputModes::ONLCR;
        mode.control_modes |= ControlModes::CS8;
        mode.local_modes -= LocalModes::ECHO | LocalModes::ICANON | LocalModes::IEXTEN | LocalModes::ISIG;
        mode.special_codes[SpecialCodeIndex::VMIN] = 1;
        mode.special_codes[SpecialCodeIndex::VTIME] = 0;
        tcsetattr(fd, OptionalActions::Drain, &mode)
    })
}

/// Leaves the terminal as it was found.
pub fn restore() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((number, mode)) = before {
        let _ = descriptor::borrow(number, |fd| tcsetattr(fd, OptionalActions::Now, &mode));
    }
}
