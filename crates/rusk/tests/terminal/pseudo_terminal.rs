//! rusk on a pseudo-terminal. In: arguments, keys. Out: what it printed, and how it ended.

use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

use rusk_spawn::{Command, Event, Exit, Key, Pty, Size, Streams};
use rusk_testkit::project::Project;

/// Longer than any command here takes.
const PATIENCE: Duration = Duration::from_secs(60);

pub const SIZE: Size = Size { rows: 24, columns: 80 };

/// Ctrl-C.
pub const INTERRUPT: &str = "\x03";

pub struct PseudoTerminal {
    pty: Pty,
    streams: Streams,
    key: Key,
    exit: Option<Exit>,
    /// Everything printed, with `\r\n` as the terminal writes it.
    output: String,
    started: Instant,
}

impl PseudoTerminal {
    pub fn start(project: &Project, arguments: &[&str], variables: &[(&str, &str)]) -> PseudoTerminal {
        let pty = Pty::open(SIZE).expect("a pseudo-terminal");
        let mut command = Command::new(Path::new(env!("CARGO_BIN_EXE_rusk")));
        command.args(arguments).current_dir(project.path()).env_clear();
        command.env("PATH", "/usr/bin:/bin").env("HOME", project.home()).env("TERM", "xterm");
        variables.iter().for_each(|(name, value)| _ = command.env(name, value));
        let child = command.terminal(&pty).spawn().expect("the program starts");
        let mut streams = Streams::open().expect("epoll");
        let key = streams.add(child).expect("a child");
        PseudoTerminal { pty, streams, key, exit: None, output: String::new(), started: Instant::now() }
    }

    pub fn press(&mut self, keys: &str) {
        (&self.pty).write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Waits until the text was printed after everything that was waited for before; returns what
    /// was printed up to its end.
    pub fn wait_for(&mut self, text: &str) -> String {
        loop {
            if let Some(at) = self.output.find(text) {
                let rest = self.output.split_off(at + text.len());
                return std::mem::replace(&mut self.output, rest);
            }
            assert!(self.advance(), "`{text}` was not printed after: {}", self.output);
        }
    }

    /// Waits for the end; returns what was printed after everything that was waited for.
    pub fn finish(mut self) -> (Exit, String) {
        while self.exit.is_none() && self.advance() {}
        let exit = self.exit.expect("the program ends in time");
        // What it printed before its end.
        while self.step(Duration::ZERO) {}
        (exit, self.output)
    }

    /// One more event; false after the end.
    fn advance(&mut self) -> bool {
        let remaining = PATIENCE.saturating_sub(self.started.elapsed());
        assert!(remaining > Duration::ZERO, "the program takes too long; printed: {}", self.output);
        self.step(remaining)
    }

    fn step(&mut self, limit: Duration) -> bool {
        match self.streams.next(Some(limit)).expect("epoll") {
            Some(Event::Chunk { bytes, .. }) => self.output.push_str(&String::from_utf8_lossy(bytes)),
            Some(Event::Ended { result, .. }) => self.exit = Some(result.expect("an exit")),
            Some(_) => {}
            None => return false,
        }
        self.streams.contains(self.key) || self.exit.is_none()
    }
}
