//! The screen: the only printer. In: the events of an install, its summary, problems, whole pages.
//! Out: results on stdout; progress, warnings and errors on stderr. Absent: decisions about what to
//! do, threads (the line is redrawn when an event comes), and any change to the cursor that would
//! need undoing.

pub mod json;
pub mod manner;
mod progress;
mod scripts;
pub mod summary;
pub mod width;

use std::io::{self, ErrorKind, Write};
use std::time::Duration;

use rusk_base::problem::printable;
use rusk_base::{Problem, Result};
use rusk_install::request::Goal;
use rusk_install::{Event, Reporter, Summary};
use rusk_npm::manifest::Scripts;

use crate::problem;
use manner::{Form, Manner, Motion, Tint, Voice};
use progress::Progress;

/// Warnings kept for `--json`; more than anybody reads, and a hostile project can cause one per
/// package.
const WARNINGS_MAX: usize = 1000;

/// Fewer milliseconds between two frames are not seen, and cost the terminal.
const FRAME_MS: u64 = 50;

/// An install that ends sooner shows no progress, so that nothing flickers.
const FIRST_FRAME_MS: u64 = 100;

/// More of a command is not shown before it runs: 50 lines of a terminal say which one it is.
const COMMAND_COLUMNS_MAX: usize = 4000;

/// Takes everything a user is to read.
pub struct Screen {
    manner: Manner,
    results: Box<dyn Write>,
    notices: Box<dyn Write>,
    device: Device,
    progress: Progress,
    /// When the last frame was drawn, and whether it still stands on the terminal.
    frame: Option<Duration>,
    line_shown: bool,
    warnings: Vec<String>,
    /// The wait that a pipe heard of last.
    wait_told: Option<(String, Duration)>,
}

/// What changes while the screen is in use: cut off here for tests.
pub struct Device {
    /// Time since the program started.
    pub now: Box<dyn Fn() -> Duration>,
    /// Columns of the terminal, at this moment.
    pub width: Box<dyn Fn() -> usize>,
}

impl Screen {
    pub fn new(manner: Manner, results: Box<dyn Write>, notices: Box<dyn Write>, device: Device) -> Screen {
        Screen {
            manner,
            results,
            notices,
            device,
            progress: Progress::default(),
            frame: None,
            line_shown: false,
            warnings: Vec::new(),
            wait_told: None,
        }
    }

    /// A whole text on stdout: help, a manual page.
    pub fn page(&mut self, text: &str) -> Result<()> {
        self.erase();
        self.result(text)
    }

    /// A report on a program whose output stdout is; nothing where only errors are wanted.
    pub fn report(&mut self, text: &str) {
        if self.manner.voice != Voice::Silent {
            self.erase();
            self.write_notice(text);
        }
    }

    /// What an install did.
    pub fn summary(&mut self, summary: &Summary, goal: Goal) -> Result<()> {
        self.end_phase();
        self.erase();
        if self.manner.form == Form::Json {
            let text = json::summary(summary, &self.warnings);
            return self.result(&text);
        }
        match self.manner.voice {
            Voice::Silent => return Ok(()),
            Voice::Verbose => {
                let times = summary::times(summary);
                self.notice(&times);
            }
            Voice::Normal => {}
        }
        let text = summary::text(summary, goal, &self.manner);
        self.result(&text)
    }

    /// What was installed to be run at once: nothing of it is a result.
    pub fn provided(&mut self, summary: &Summary) {
        self.end_phase();
        self.erase();
        if self.manner.voice != Voice::Silent {
            for line in summary::scripts_lines(&summary.scripts_held_back, &self.manner) {
                self.notice(&line);
            }
        }
    }

    /// The scripts of a package.
    pub fn scripts(&mut self, scripts: &Scripts) -> Result<()> {
        let refusals: Vec<Problem> = scripts.refusals().collect();
        refusals.iter().for_each(|refusal| self.warning(refusal.message()));
        let text = match self.manner.form {
            Form::Json => json::scripts(scripts, &self.warnings),
            Form::Text => scripts::text(scripts, &self.manner),
        };
        self.result(&text)
    }

    /// A command that starts now.
    pub fn command(&mut self, line: &str) {
        if self.manner.voice != Voice::Silent {
            let line =
                width::cut(&format!("$ {}", printable(line)), COMMAND_COLUMNS_MAX, self.manner.ellipsis());
            let line = self.manner.on_notices(Tint::Faint, &line);
            self.notice(&line);
        }
    }

    /// Why it could not be done.
    pub fn problem(&mut self, problem: &Problem) {
        self.erase();
        let text = problem.to_string();
        let (mark, rest) = text.split_once(": ").unwrap_or(("error", &text));
        let line = format!("{}: {rest}", self.manner.on_notices(Tint::Error, mark));
        self.notice(&line);
        if self.manner.form == Form::Json {
            let text = json::problem(problem, &self.warnings);
            // The exit code says that it went wrong; a closed stdout has nobody left to tell.
            let _ = self.result(&text);
        }
    }

    /// Text on stdout. A reader that went away wants no more, and that is no error.
    fn result(&mut self, text: &str) -> Result<()> {
        match self.results.write_all(text.as_bytes()).and_then(|()| self.results.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(problem::output),
        }
    }

    /// One or more lines on stderr, above the progress line.
    fn notice(&mut self, lines: &str) {
        self.erase();
        self.write_notice(&format!("{lines}\n"));
    }

    fn write_notice(&mut self, text: &str) {
        // There is no other place to say that stderr is gone.
        let _: io::Result<()> = self.notices.write_all(text.as_bytes()).and_then(|()| self.notices.flush());
    }

    /// Takes the progress line off the terminal, the cursor at its beginning.
    fn erase(&mut self) {
        if std::mem::take(&mut self.line_shown) {
            self.write_notice("\r\x1b[K");
        }
    }

    /// Redraws the progress line, unless the last frame is too young.
    fn draw(&mut self) {
        if self.manner.motion != Motion::Live {
            return;
        }
        let now = (self.device.now)();
        let next = match self.frame {
            Some(last) => last + Duration::from_millis(FRAME_MS),
            None => Duration::from_millis(FIRST_FRAME_MS),
        };
        if now < next {
            return;
        }
        self.frame = Some(now);
        let line = self.progress.line(now);
        if line.is_empty() {
            return self.erase();
        }
        // The last column stays free: some terminals wrap as soon as it is written.
        let room = (self.device.width)().saturating_sub(1);
        let line = width::cut(&line, room, self.manner.ellipsis());
        self.line_shown = true;
        self.write_notice(&format!("\r{line}\x1b[K"));
    }

    /// In pipes, a phase that did something leaves one line.
    fn end_phase(&mut self) {
        let ended = self.progress.ended((self.device.now)());
        if let (Motion::Lines, Some(line)) = (self.manner.motion, ended) {
            self.notice(&line);
        }
    }

    fn warning(&mut self, text: &str) {
        if self.manner.form == Form::Json && self.warnings.len() < WARNINGS_MAX {
            self.warnings.push(text.to_owned());
        }
        if self.manner.voice != Voice::Silent {
            let line = format!("{}: {}", self.manner.on_notices(Tint::Warning, "warn"), printable(text));
            self.notice(&line);
        }
    }

    fn detail(&mut self, text: &str) {
        if self.manner.voice == Voice::Verbose {
            let line = format!("[{}] {}", summary::duration((self.device.now)()), printable(text));
            let line = self.manner.on_notices(Tint::Faint, &line);
            self.notice(&line);
        }
    }

    fn waiting(&mut self, subject: &str, waited: Duration) {
        let line = format!("waiting for {} ({} s)", printable(subject), waited.as_secs());
        match self.manner.motion {
            Motion::Live => {
                self.progress.waits((self.device.now)(), line);
                self.draw();
            }
            Motion::Lines => {
                if self.is_news(subject, waited) {
                    self.notice(&line);
                }
            }
            Motion::None => {}
        }
    }

    /// In pipes a wait is told when it begins, and again each time that it has doubled.
    fn is_news(&mut self, subject: &str, waited: Duration) -> bool {
        let known = self.wait_told.as_ref().is_some_and(|(told, time)| told == subject && waited < *time * 2);
        if !known {
            self.wait_told = Some((subject.to_owned(), waited));
        }
        !known
    }
}

impl Reporter for Screen {
    fn on_event(&mut self, event: Event<'_>) {
        match event {
            Event::Phase(phase) => {
                self.end_phase();
                self.progress.begin(phase, (self.device.now)());
                self.draw();
            }
            Event::Resolving { done, total } => {
                self.progress.resolving(done, total);
                self.draw();
            }
            Event::Downloading { done, total, bytes } => {
                self.progress.downloading((self.device.now)(), done, total, bytes);
                self.draw();
            }
            Event::Linking { done, total } => {
                self.progress.linking(done, total);
                self.draw();
            }
            Event::Warning(text) => self.warning(text),
            Event::Detail(text) => self.detail(text),
            Event::Waiting { subject, waited } => self.waiting(subject, waited),
            Event::Script { name, command } => self.command(&format!("{command} ({name})")),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        self.erase();
    }
}

#[cfg(test)]
mod tests;
