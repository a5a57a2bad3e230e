//! Questions at the terminal. A password is not echoed. Without a terminal, answers are lines of
//! standard input.

use std::io::{BufRead, IsTerminal, stdin};

use rusk_base::Result;
use rustix::termios::{LocalModes, OptionalActions, Termios, tcgetattr, tcsetattr};

use super::problem;
use rusk_screen::Screen;

/// Longer answers are refused.
const ANSWER_BYTES_MAX: usize = 64 * 1024;

/// Whether a person can be asked.
pub fn is_interactive() -> bool {
    stdin().is_terminal()
}

/// Asks for a line.
pub fn line(question: &str, screen: &mut Screen) -> Result<String> {
    screen.report(question);
    read_line().inspect_err(|_| screen.report("\n"))
}

/// Asks for a line that is not shown while it is typed.
pub fn password(question: &str, screen: &mut Screen) -> Result<String> {
    // Before the question: what is typed as soon as it is there must be neither shown nor flushed.
    let _echo = is_interactive().then(EchoOff::new).flatten();
    screen.report(question);
    let answer = read_line();
    if is_interactive() || answer.is_err() {
        screen.report("\n");
    }
    answer
}

fn read_line() -> Result<String> {
    let mut line = String::new();
    let read = std::io::Read::take(stdin().lock(), ANSWER_BYTES_MAX as u64).read_line(&mut line);
    match read {
        Ok(0) | Err(_) => Err(problem::no_answer()),
        Ok(_) => Ok(line.trim_end_matches(['\r', '\n']).to_owned()),
    }
}

/// Turns the terminal's echo off, and on again when dropped.
struct EchoOff(Termios);

impl EchoOff {
    fn new() -> Option<EchoOff> {
        let before = tcgetattr(stdin()).ok()?;
        let mut silent = before.clone();
        silent.local_modes.remove(LocalModes::ECHO);
        tcsetattr(stdin(), OptionalActions::Flush, &silent).ok()?;
        Some(EchoOff(before))
    }
}

impl Drop for EchoOff {
    fn drop(&mut self) {
        // The terminal is gone if this fails.
        let _ = tcsetattr(stdin(), OptionalActions::Now, &self.0);
    }
}
