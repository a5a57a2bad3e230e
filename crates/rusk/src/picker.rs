//! A selection list on the terminal. In: the list, keys from standard input. Out: how it was
//! closed; the terminal is as before, with the cursor on a line of its own.

use std::io::stdin;

use rusk_base::Result;
use rusk_terminal::picker::{Picker, PickerState, TerminalSize, parse_keys};
use rustix::termios::{
    LocalModes, OptionalActions, SpecialCodeIndex, Termios, isatty, tcgetattr, tcgetwinsize, tcsetattr,
};

use crate::{problem, startup};
use rusk_command_line::flags::Invocation;
use rusk_screen::Screen;

/// A terminal that does not say its size.
const SIZE_UNKNOWN: TerminalSize = TerminalSize { rows: 24, columns: 80 };

/// Tenths of a second to wait for the rest of an escape sequence.
const SEQUENCE_TIME: u8 = 1;

/// A list needs keys, and a place where it is drawn.
pub fn check_terminal(invocation: &Invocation) -> Result<()> {
    let is_terminal = isatty(stdin()) && isatty(rustix::stdio::stderr());
    if is_terminal { Ok(()) } else { Err(problem::no_terminal(invocation)) }
}

/// Draws the list and handles keys until it is closed.
pub fn show(list: &mut Picker, screen: &mut Screen) -> Result<PickerState> {
    startup::report();
    let terminal = RawTerminal::open()?;
    let mut drawn_lines = 0;
    let mut bytes: Vec<u8> = Vec::new();
    loop {
        let lines = list.frame(terminal.size(), screen.style());
        let up = if drawn_lines > 0 { format!("\x1b[{drawn_lines}A") } else { String::new() };
        let text: String = lines.iter().map(|line| format!("\r{line}\x1b[K\n")).collect();
        screen.write_notice(&format!("{up}{text}\x1b[J"));
        drawn_lines = lines.len();
        let is_all = terminal.read(&mut bytes)?;
        let (keys, used) = parse_keys(&bytes, is_all);
        bytes.drain(..used);
        for key in keys {
            match list.press(key) {
                PickerState::Open => {}
                closed => return Ok(closed),
            }
        }
    }
}

/// Standard input without echo, line by line input and signals; as it was when dropped.
struct RawTerminal(Termios);

impl RawTerminal {
    fn open() -> Result<RawTerminal> {
        let before = tcgetattr(stdin()).map_err(|errno| problem::terminal(errno.into()))?;
        let terminal = RawTerminal(before);
        terminal.set_time(None)?;
        Ok(terminal)
    }

    /// `None`: a read waits for a byte. Else it waits so many tenths of a second.
    fn set_time(&self, tenths: Option<u8>) -> Result<()> {
        let mut raw = self.0.clone();
        // Ctrl-C is a key here: a signal would leave the terminal without echo.
        raw.local_modes.remove(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG | LocalModes::IEXTEN);
        raw.special_codes[SpecialCodeIndex::VMIN] = u8::from(tenths.is_none());
        raw.special_codes[SpecialCodeIndex::VTIME] = tenths.unwrap_or(0);
        tcsetattr(stdin(), OptionalActions::Now, &raw).map_err(|errno| problem::terminal(errno.into()))
    }

    /// Adds bytes. Whether nothing follows soon: then an escape is the key.
    fn read(&self, bytes: &mut Vec<u8>) -> Result<bool> {
        let is_begun = !bytes.is_empty();
        if is_begun {
            self.set_time(Some(SEQUENCE_TIME))?;
        }
        let mut buffer = [0; 256];
        let read = loop {
            match rustix::io::read(stdin(), &mut buffer) {
                Err(rustix::io::Errno::INTR) => {}
                read => break read.map_err(|errno| problem::terminal(errno.into()))?,
            }
        };
        if is_begun {
            self.set_time(None)?;
        }
        bytes.extend_from_slice(&buffer[..read]);
        match (read, is_begun) {
            (0, false) => Err(problem::terminal(std::io::ErrorKind::UnexpectedEof.into())),
            (read, _) => Ok(read == 0),
        }
    }

    fn size(&self) -> TerminalSize {
        let size = tcgetwinsize(rustix::stdio::stderr());
        size.map_or(SIZE_UNKNOWN, |size| TerminalSize {
            rows: if size.ws_row == 0 { SIZE_UNKNOWN.rows } else { size.ws_row.into() },
            columns: if size.ws_col == 0 { SIZE_UNKNOWN.columns } else { size.ws_col.into() },
        })
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        // The terminal is gone if this fails.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.0);
    }
}
