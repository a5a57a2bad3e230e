//! What commands print, to the streams that it is given. In: the events of an install, its summary,
//! errors, whole pages. Out: results on stdout; progress, warnings and errors on stderr. Absent:
//! decisions about what to do, threads (the progress line is redrawn when an event arrives), and
//! any change of the terminal's state that would have to be undone.

pub mod json;
mod problem;
mod scripts;
pub mod tasks;

use std::io::{self, ErrorKind, Write};
use std::time::Duration;

use rusk_base::problem::printable;
use rusk_base::{Problem, Result};
use rusk_configuration::request::Goal;
use rusk_install::{InstallEvent, Reporter, Summary};
use rusk_npm::manifest::Scripts;
use rusk_scripts::{Exit, OutputStream};

use rusk_reports::progress::Progress;
use rusk_reports::summary;
pub use rusk_terminal::{style, width};
use style::{Format, Highlight, OutputStyle, ProgressStyle, Verbosity};

/// Limit of the warnings in the output of `--json`: a hostile project can cause one per package.
const WARNINGS_MAX: usize = 1000;

/// Time between two frames; a shorter one is not visible and only costs the terminal work.
const FRAME_MS: u64 = 50;

/// Install scripts that take longer are named on the terminal, and in a log.
const RUNNING_SHOWN: Duration = Duration::from_secs(1);
const RUNNING_PRINTED: Duration = Duration::from_secs(30);

/// An install that ends sooner shows no progress, to avoid flicker.
const FIRST_FRAME_MS: u64 = 100;

/// Limit of a command that is shown before it runs: 50 lines of a terminal identify it.
const COMMAND_COLUMNS_MAX: usize = 4000;

/// Prints everything that a user reads.
pub struct Screen {
    style: OutputStyle,
    stdout: Box<dyn Write>,
    stderr: Box<dyn Write>,
    device: Device,
    progress: Progress,
    /// When the last frame was drawn, and whether it is still on the terminal.
    frame: Option<Duration>,
    line_shown: bool,
    /// A script may have written a line without its end.
    follows_script: bool,
    warnings: Vec<String>,
    /// The wait that was printed last, if progress is printed as lines.
    printed_wait: Option<(String, Duration)>,
}

/// The clock and the terminal, replaced in tests.
pub struct Device {
    /// Time since the program started.
    pub now: Box<dyn Fn() -> Duration>,
    /// Columns of the terminal, at this moment.
    pub width: Box<dyn Fn() -> usize>,
    /// Says whether the cursor is after a progress line, which a signal has to leave.
    pub line_shown: fn(bool),
}

impl Screen {
    pub fn new(style: OutputStyle, stdout: Box<dyn Write>, stderr: Box<dyn Write>, device: Device) -> Screen {
        Screen {
            style,
            stdout,
            stderr,
            device,
            progress: Progress::default(),
            frame: None,
            line_shown: false,
            follows_script: false,
            warnings: Vec::new(),
            printed_wait: None,
        }
    }

    /// How text for stdout is written.
    pub fn style(&self) -> &OutputStyle {
        &self.style
    }

    /// Columns of a page, if it is read on a terminal.
    pub fn page_columns(&self) -> Option<usize> {
        rusk_base::sys::stdio::stdout().columns()
    }

    /// Prints a whole page to stdout: help, the manual.
    pub fn page(&mut self, text: &str) -> Result<()> {
        self.erase();
        self.result(text)
    }

    /// Prints what a command did: a text, or with `--json` these members; no text with `--silent`.
    pub fn outcome(&mut self, text: &str, members: &[(&str, String)]) -> Result<Exit> {
        let is_silent = self.style.verbosity == Verbosity::Silent;
        self.answer(if is_silent { "" } else { text }, members)
    }

    /// Prints what was asked for: a text, or with `--json` these members.
    pub fn answer(&mut self, text: &str, members: &[(&str, String)]) -> Result<Exit> {
        match self.style.format {
            Format::Json => self.page(&json::line(members)),
            Format::Text => self.page(text),
        }
        .map(|()| Exit::DONE)
    }

    /// Prints a report about a program to stderr, because stdout is the program's; nothing with
    /// `--silent`.
    pub fn report(&mut self, text: &str) {
        if self.style.verbosity != Verbosity::Silent {
            self.erase();
            self.write_notice(text);
        }
    }

    /// Prints what an install did. `approve`: the command that approves install scripts.
    pub fn summary(&mut self, summary: &Summary, goal: Goal, approve: &str) -> Result<()> {
        self.end_phase();
        self.erase();
        if self.style.format == Format::Json {
            let text = json::summary(summary, &self.warnings);
            return self.result(&text);
        }
        match self.style.verbosity {
            Verbosity::Silent => return Ok(()),
            Verbosity::Verbose => {
                let times = summary::times(summary);
                self.notice(&times);
            }
            Verbosity::Normal => {}
        }
        let text = summary::text(summary, goal, approve, &self.style);
        self.result(&text)
    }

    /// Prints notices about an install for `rusk x`; it has no result of its own.
    pub fn transient_summary(&mut self, summary: &Summary) {
        self.end_phase();
        self.erase();
        if self.style.verbosity != Verbosity::Silent {
            for line in summary::scripts_lines(&summary.scripts_held_back, &self.style) {
                self.notice(&line);
            }
            if !summary.scripts_held_back.is_empty() {
                self.notice("`rusk x --allow-build=NAME` runs those of a package");
            }
        }
    }

    /// Prints the scripts of a package.
    pub fn scripts(&mut self, scripts: &Scripts) -> Result<()> {
        let refusals: Vec<Problem> = scripts.refusals().collect();
        refusals.iter().for_each(|refusal| self.warning(refusal.message()));
        let text = match self.style.format {
            Format::Json => json::scripts(scripts, &self.warnings),
            Format::Text => scripts::text(scripts, &self.style),
        };
        self.result(&text)
    }

    /// Prints a command that is about to start.
    pub fn command(&mut self, line: &str) {
        if self.style.verbosity != Verbosity::Silent {
            let line =
                width::cut(&format!("$ {}", printable(line)), COMMAND_COLUMNS_MAX, self.style.ellipsis());
            let line = self.style.for_stderr(Highlight::Faint, &line);
            self.notice(&line);
        }
        self.follows_script = true;
    }

    /// Prints a warning.
    pub fn warn(&mut self, text: &str) {
        self.warning(text);
    }

    /// Whole lines that a script wrote. With `--json`, stdout has the result alone.
    fn script_output(&mut self, stream: OutputStream, lines: &[u8]) {
        self.erase();
        let is_stdout = stream == OutputStream::Stdout && self.style.format == Format::Text;
        let target = if is_stdout { &mut self.stdout } else { &mut self.stderr };
        // If it is closed, the script still has to end.
        let _: io::Result<()> = target.write_all(lines).and_then(|()| target.flush());
    }

    /// Prints an error.
    pub fn problem(&mut self, problem: &Problem) {
        self.text_problem(problem);
        if self.style.format == Format::Json {
            let text = json::problem(problem, &self.warnings);
            // If stdout is closed, the exit code still reports the error.
            let _ = self.result(&text);
        }
    }

    /// Prints an error to stderr only.
    fn text_problem(&mut self, problem: &Problem) {
        self.erase();
        let text = problem.to_string();
        let (label, rest) = text.split_once(": ").unwrap_or(("error", &text));
        let line = format!("{}: {rest}", self.style.for_stderr(Highlight::Error, label));
        self.notice(&line);
    }

    /// Writes to stdout. That the reader has closed its end is not an error.
    fn result(&mut self, text: &str) -> Result<()> {
        match self.stdout.write_all(text.as_bytes()).and_then(|()| self.stdout.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.map_err(problem::output),
        }
    }

    /// Writes one or more lines to stderr, above the progress line.
    pub fn notice(&mut self, lines: &str) {
        self.erase();
        self.write_notice(&format!("{lines}\n"));
    }

    /// Writes to stderr, as it is.
    pub fn write_notice(&mut self, text: &str) {
        // If stderr is closed, there is nowhere to report it.
        let _: io::Result<()> = self.stderr.write_all(text.as_bytes()).and_then(|()| self.stderr.flush());
    }

    /// On a terminal, moves the cursor to the start of a line after a script, whose output we do
    /// not see: as many blanks as a line has columns lead to the next line, unless this one is
    /// empty.
    fn begin_line(&mut self) {
        if std::mem::take(&mut self.follows_script) && self.style.progress == ProgressStyle::Redraw {
            let blanks = " ".repeat((self.device.width)());
            self.write_notice(&format!("{blanks}\r\x1b[K"));
        }
    }

    /// Erases the progress line and moves the cursor to its start.
    fn erase(&mut self) {
        self.begin_line();
        self.erase_progress();
    }

    fn erase_progress(&mut self) {
        if std::mem::take(&mut self.line_shown) {
            self.write_notice("\r\x1b[K");
            (self.device.line_shown)(false);
        }
    }

    /// Redraws the progress line, unless the last frame is too recent.
    fn draw(&mut self) {
        if self.style.progress != ProgressStyle::Redraw {
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
        self.show_line(&line);
    }

    /// Draws a status line, unless the last frame is too recent.
    fn draw_line(&mut self, line: &str) {
        let now = (self.device.now)();
        let next = self.frame.map_or(now, |last| last + Duration::from_millis(FRAME_MS));
        if self.style.progress == ProgressStyle::Redraw && (now >= next || !self.line_shown) {
            self.frame = Some(now);
            self.show_line(line);
        }
    }

    fn show_line(&mut self, line: &str) {
        if line.is_empty() {
            return self.erase_progress();
        }
        self.begin_line();
        // The last column stays free: some terminals wrap as soon as it is written.
        let room = (self.device.width)().saturating_sub(1);
        let line = width::cut(line, room, self.style.ellipsis());
        self.line_shown = true;
        (self.device.line_shown)(true);
        self.write_notice(&format!("\r{line}\x1b[K"));
    }

    /// If progress is printed as lines, a phase that did something prints one.
    fn end_phase(&mut self) {
        let ended = self.progress.ended((self.device.now)());
        if let (ProgressStyle::Lines, Some(line)) = (self.style.progress, ended) {
            self.notice(&line);
        }
    }

    /// Prints a warning.
    pub fn warning(&mut self, text: &str) {
        if self.style.format == Format::Json && self.warnings.len() < WARNINGS_MAX {
            self.warnings.push(text.to_owned());
        }
        if self.style.verbosity != Verbosity::Silent {
            let line = format!("{}: {}", self.style.for_stderr(Highlight::Warning, "warn"), printable(text));
            self.notice(&line);
        }
    }

    fn detail(&mut self, text: &str) {
        if self.style.verbosity == Verbosity::Verbose {
            let line = format!("[{}] {}", rusk_reports::text::duration((self.device.now)()), printable(text));
            let line = self.style.for_stderr(Highlight::Faint, &line);
            self.notice(&line);
        }
    }

    fn waiting(&mut self, subject: &str, waited: Duration) {
        let line = format!("waiting for {} ({} s)", printable(subject), waited.as_secs());
        match self.style.progress {
            ProgressStyle::Redraw => {
                self.progress.wait((self.device.now)(), line);
                self.draw();
            }
            ProgressStyle::Lines => {
                if self.is_new_wait(subject, waited) {
                    self.notice(&line);
                }
            }
            ProgressStyle::None => {}
        }
    }

    /// Most scripts take less than a second, and a log needs a line only of those that take long.
    fn running(&mut self, packages: &[&str], for_time: Duration) {
        let is_drawn = self.style.progress == ProgressStyle::Redraw;
        let first = if is_drawn { RUNNING_SHOWN } else { RUNNING_PRINTED };
        if let (Some(package), true) = (packages.first(), for_time >= first) {
            let more = match packages.len() {
                1 => String::new(),
                count => format!(" and {} more", count - 1),
            };
            self.waiting(&format!("the scripts of `{package}`{more}"), for_time);
        }
    }

    /// If progress is printed as lines, a wait is printed when it begins, and again each time its
    /// duration has doubled, once that is a second.
    fn is_new_wait(&mut self, subject: &str, waited: Duration) -> bool {
        let is_known = self
            .printed_wait
            .as_ref()
            .is_some_and(|(printed, time)| printed == subject && waited < (*time * 2).max(SECOND));
        if !is_known {
            self.printed_wait = Some((subject.to_owned(), waited));
        }
        !is_known
    }
}

/// A shorter wait is printed as one of 0 s.
const SECOND: Duration = Duration::from_secs(1);

impl Reporter for Screen {
    fn on_event(&mut self, event: InstallEvent<'_>) {
        match event {
            InstallEvent::Phase(phase) => {
                self.end_phase();
                self.progress.begin(phase, (self.device.now)());
                self.draw();
            }
            InstallEvent::Resolving { done, total } => {
                self.progress.resolving(done, total);
                self.draw();
            }
            InstallEvent::Downloading { done, total, bytes } => {
                self.progress.downloading((self.device.now)(), done, total, bytes);
                self.draw();
            }
            InstallEvent::Linking { done, total } => {
                self.progress.linking(done, total);
                self.draw();
            }
            InstallEvent::Warning(text) => self.warning(text),
            InstallEvent::Detail(text) => self.detail(text),
            InstallEvent::Waiting { subject, waited } => self.waiting(subject, waited),
            InstallEvent::Running { packages, for_time } => self.running(packages, for_time),
            InstallEvent::Script { name, command } => self.command(&format!("{command} ({name})")),
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
