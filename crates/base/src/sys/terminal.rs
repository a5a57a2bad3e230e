//! Terminals. In: a descriptor's number. Out: its size; raw mode on and off, and what it was before
//! at the end of the process. Absent: colours, sequences.

use std::os::fd::{BorrowedFd, RawFd};
use std::sync::{Mutex, PoisonError};

use rustix::termios::{
    ControlModes, InputModes, LocalModes, OptionalActions, OutputModes, SpecialCodeIndex, Termios, isatty,
    tcgetattr, tcgetwinsize, tcsetattr,
};

use super::{Result, fd};

/// The terminal whose mode was changed, and how it was before.
static BEFORE: Mutex<Option<(RawFd, Termios)>> = Mutex::new(None);

pub fn is_terminal(number: RawFd) -> bool {
    fd::borrow(number, |fd| Ok(isatty(fd))).unwrap_or(false)
}

/// Columns and rows.
pub fn size(number: RawFd) -> Result<(u16, u16)> {
    fd::borrow(number, |fd| tcgetwinsize(fd).map(|size| (size.ws_col, size.ws_row)))
}

/// Each key at once and by itself, without an echo; or lines again.
pub fn set_raw(number: RawFd, is_raw: bool) -> Result<()> {
    let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
    fd::borrow(number, |fd| {
        if !is_raw {
            return match before.take() {
                Some((_, mode)) => tcsetattr(fd, OptionalActions::Drain, &mode),
                None => Ok(()),
            };
        }
        let mode = tcgetattr(fd)?;
        before.get_or_insert_with(|| (number, mode.clone()));
        tcsetattr(fd, OptionalActions::Drain, &raw(mode))
    })
}

/// As libuv has it: carriage returns of the output stay made whole.
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

/// The four sets of flags of `termios(3)`, in its order: of input, output, control, and of the
/// terminal itself.
pub type Modes = [u32; 4];

/// A mode that can be gone back to.
#[derive(Clone, Debug)]
pub struct SavedMode(Termios);

/// Of a pseudo-terminal that is ours, by either side. Nobody restores it.
pub fn modes(of: BorrowedFd<'_>) -> Result<Modes> {
    let mode = tcgetattr(of)?;
    Ok([
        mode.input_modes.bits(),
        mode.output_modes.bits(),
        mode.control_modes.bits(),
        mode.local_modes.bits(),
    ])
}

/// Flags that mean nothing to the kernel are kept all the same, as it keeps them.
pub fn set_modes(of: BorrowedFd<'_>, modes: Modes) -> Result<()> {
    let mut mode = tcgetattr(of)?;
    mode.input_modes = InputModes::from_bits_retain(modes[0]);
    mode.output_modes = OutputModes::from_bits_retain(modes[1]);
    mode.control_modes = ControlModes::from_bits_retain(modes[2]);
    mode.local_modes = LocalModes::from_bits_retain(modes[3]);
    tcsetattr(of, OptionalActions::Now, &mode)
}

/// What emulators of terminals begin with, beside the kernel's own: texts are UTF-8, a break
/// interrupts, any key goes on behind a stop, a full line rings, and to leave is to hang up.
pub fn set_emulator_defaults(of: BorrowedFd<'_>) -> Result<()> {
    let mut mode = tcgetattr(of)?;
    mode.input_modes |= InputModes::IUTF8 | InputModes::BRKINT | InputModes::IXANY | InputModes::IMAXBEL;
    mode.control_modes |= ControlModes::HUPCL;
    tcsetattr(of, OptionalActions::Now, &mode)
}

/// Each key at once and by itself. Out: how it was before.
pub fn make_raw(of: BorrowedFd<'_>) -> Result<SavedMode> {
    let mode = tcgetattr(of)?;
    tcsetattr(of, OptionalActions::Now, &raw(mode.clone()))?;
    Ok(SavedMode(mode))
}

pub fn restore_mode(of: BorrowedFd<'_>, before: &SavedMode) -> Result<()> {
    tcsetattr(of, OptionalActions::Now, &before.0)
}

/// Leaves the terminal as it was found.
pub fn restore() {
    let before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some((number, mode)) = before {
        let _ = fd::borrow(number, |fd| tcsetattr(fd, OptionalActions::Now, &mode));
    }
}
