//! Output of scripts that run side by side. In: their bytes, what runs, what waits. Out: whole
//! lines, each after the label of its script; on a terminal also a line that says what runs and
//! what waits for what. Absent: processes, order.

use std::time::Duration;

use rusk_base::Result;
use rusk_base::problem::printable;
use rusk_scripts::{Exit, OutputStream};

use super::style::{ColorMode, Format, Highlight, Verbosity};
use super::width::{columns, cut};
use super::{Screen, json};
use crate::problem;
use rusk_reports::text::{counted, duration};

/// A longer label is cut, so that output has room on a terminal of 80 columns.
const LABEL_COLUMNS_MAX: usize = 24;

/// A line without an end is printed in pieces of this size.
const LINE_BYTES_MAX: usize = 64 << 10;

/// Aggregated output beyond this is printed before its script ends.
const BLOCK_BYTES_MAX: usize = 8 << 20;

/// Names of running and waiting scripts in the status line; the rest is counted.
const NAMED_MAX: usize = 3;

pub struct TaskScreen<'a> {
    screen: &'a mut Screen,
    tasks: Vec<TaskOutput>,
    is_aggregated: bool,
    /// What a task runs: a script or a program.
    noun: &'static str,
}

/// What was not printed yet, of one task.
struct TaskOutput {
    /// With the separator, padded to the longest, colored for either stream.
    prefixes: [String; 2],
    name: String,
    /// Begun lines of both streams.
    partial: [Vec<u8>; 2],
    /// Aggregated lines, in order.
    block: Vec<(OutputStream, Vec<u8>)>,
    block_bytes: usize,
}

/// How a task ended.
#[derive(Clone, Copy, Debug)]
pub struct TaskResult {
    pub exit: Exit,
    pub time: Duration,
    /// It was stopped because another one failed or by a signal.
    pub was_stopped: bool,
}

/// A task for the result. Without a result, it was not started.
pub struct TaskRow<'a> {
    pub label: &'a str,
    pub package: Option<&'a str>,
    pub path: &'a str,
    pub script: &'a str,
    pub result: Option<TaskResult>,
}

/// What the status line says; tasks by number.
pub struct TaskStatus {
    pub ended: usize,
    pub total: usize,
    pub running: Vec<usize>,
    /// Waiting tasks, and the tasks that each waits for.
    pub waiting: Vec<(usize, Vec<usize>)>,
    pub is_ending: bool,
}

impl<'a> TaskScreen<'a> {
    pub fn new(
        screen: &'a mut Screen,
        labels: Vec<String>,
        is_aggregated: bool,
        noun: &'static str,
    ) -> TaskScreen<'a> {
        let ellipsis = screen.style.ellipsis();
        let names: Vec<String> =
            labels.iter().map(|label| cut(&printable(label), LABEL_COLUMNS_MAX, ellipsis)).collect();
        let width = names.iter().map(|name| columns(name)).max().unwrap_or(0);
        let output = |(index, name): (usize, String)| {
            let prefix = format!("{name}{} |", " ".repeat(width - columns(&name)));
            let highlight = Highlight::Label(index);
            let colored =
                [screen.style.for_stdout(highlight, &prefix), screen.style.for_stderr(highlight, &prefix)];
            TaskOutput {
                prefixes: colored.map(|prefix| format!("{prefix} ")),
                name,
                partial: [Vec::new(), Vec::new()],
                block: Vec::new(),
                block_bytes: 0,
            }
        };
        let tasks = names.into_iter().enumerate().map(output).collect();
        TaskScreen { screen, tasks, is_aggregated, noun }
    }

    /// Whether programs may color their output, which goes to a terminal through us.
    pub fn is_colored(&self) -> bool {
        self.screen.style.stdout_color == ColorMode::Color && self.screen.style.format == Format::Text
    }

    /// A command that starts.
    pub fn command(&mut self, task: usize, command: &str) {
        if self.screen.style.verbosity != Verbosity::Silent {
            let text = format!("$ {}", printable(command));
            let room = super::COMMAND_COLUMNS_MAX;
            let text = cut(&text, room, self.screen.style.ellipsis());
            self.line(task, &self.screen.style.for_stderr(Highlight::Faint, &text));
        }
    }

    /// A line of our own about a task, to stderr.
    pub fn line(&mut self, task: usize, text: &str) {
        let mut lines = Vec::new();
        text.lines().for_each(|line| self.push_line(&mut lines, task, OutputStream::Stderr, line.as_bytes()));
        self.emit(task, OutputStream::Stderr, lines);
    }

    /// Bytes that a task wrote.
    pub fn output(&mut self, task: usize, stream: OutputStream, bytes: &[u8]) {
        let mut partial = std::mem::take(&mut self.tasks[task].partial[stream as usize]);
        partial.extend_from_slice(bytes);
        let mut lines = Vec::with_capacity(partial.len() + partial.len() / 2);
        let mut rest = partial.as_slice();
        while let Some(end) = rest.iter().position(|byte| *byte == b'\n') {
            self.push_line(&mut lines, task, stream, &rest[..end]);
            rest = &rest[end + 1..];
        }
        if rest.len() >= LINE_BYTES_MAX {
            self.push_line(&mut lines, task, stream, rest);
            rest = &[];
        }
        self.tasks[task].partial[stream as usize] = rest.to_vec();
        self.emit(task, stream, lines);
    }

    /// Prints a last line without an end, and what was aggregated.
    pub fn end_output(&mut self, task: usize) {
        for stream in [OutputStream::Stdout, OutputStream::Stderr] {
            let rest = std::mem::take(&mut self.tasks[task].partial[stream as usize]);
            if !rest.is_empty() {
                let mut lines = Vec::new();
                self.push_line(&mut lines, task, stream, &rest);
                self.emit(task, stream, lines);
            }
        }
    }

    pub fn end_task(&mut self, task: usize, result: &TaskResult) {
        if self.screen.style.verbosity != Verbosity::Silent {
            let text = match (result.was_stopped, result.exit) {
                (true, _) => "stopped".to_owned(),
                (_, Exit::DONE) => "done".to_owned(),
                (_, exit) => format!("failed: {exit}"),
            };
            let highlight = if text.starts_with("failed") { Highlight::Error } else { Highlight::Faint };
            let text = format!("{text} [{}]", duration(result.time));
            self.line(task, &self.screen.style.for_stderr(highlight, &text));
        }
        self.flush(task);
    }

    /// Redraws the status line.
    pub fn draw(&mut self, status: &TaskStatus) {
        let text = self.status_text(status);
        self.screen.draw_line(&text);
    }

    /// Prints the result. `is_interrupted`: the user knows why it ended.
    pub fn finish(mut self, rows: &[TaskRow<'_>], is_interrupted: bool) -> Result<()> {
        (0..self.tasks.len()).for_each(|task| self.flush(task));
        self.screen.erase();
        if self.screen.style.format == Format::Json {
            let text = json::tasks(rows, &self.screen.warnings);
            self.screen.result(&text)?;
        }
        let failed: Vec<&TaskRow<'_>> = rows.iter().filter(|row| has_failed(row)).collect();
        if !failed.is_empty() && !is_interrupted {
            let causes: Vec<String> = failed.iter().map(|row| cause(row)).collect();
            let unfinished = rows.iter().filter(|row| row.result.is_none_or(|result| result.was_stopped));
            let problem = problem::tasks_failed(self.noun, &causes, rows.len(), unfinished.count());
            self.screen.text_problem(&problem);
        } else if !is_interrupted && self.screen.style.verbosity != Verbosity::Silent {
            let longest = rows.iter().filter_map(|row| row.result).map(|result| result.time).max();
            let time = format!("longest {}", duration(longest.unwrap_or_default()));
            let time = self.screen.style.for_stderr(Highlight::Faint, &format!("[{time}]"));
            self.screen.notice(&format!("{} done {time}", counted(rows.len(), self.noun)));
        }
        Ok(())
    }

    fn status_text(&self, status: &TaskStatus) -> String {
        let mut parts = vec![format!("{}/{}", status.ended, status.total)];
        let names = |tasks: &[usize]| {
            let mut list: Vec<String> =
                tasks.iter().take(NAMED_MAX).map(|task| self.tasks[*task].name.clone()).collect();
            if tasks.len() > NAMED_MAX {
                list.push(format!("+{}", tasks.len() - NAMED_MAX));
            }
            list.join(", ")
        };
        if !status.running.is_empty() {
            let verb = if status.is_ending { "stopping" } else { "running" };
            parts.push(format!("{verb} {}", names(&status.running)));
        }
        if !status.waiting.is_empty() && !status.is_ending {
            let waiting =
                status.waiting.iter().take(NAMED_MAX).map(|(task, pending)| match pending.is_empty() {
                    true => self.tasks[*task].name.clone(),
                    false => format!("{} (for {})", self.tasks[*task].name, names(pending)),
                });
            let mut waiting: Vec<String> = waiting.collect();
            if status.waiting.len() > NAMED_MAX {
                waiting.push(format!("+{}", status.waiting.len() - NAMED_MAX));
            }
            parts.push(format!("waiting {}", waiting.join(", ")));
        }
        parts.join("  ")
    }

    fn push_line(&self, lines: &mut Vec<u8>, task: usize, stream: OutputStream, line: &[u8]) {
        lines.extend_from_slice(self.tasks[task].prefixes[stream as usize].as_bytes());
        lines.extend_from_slice(line.strip_suffix(b"\r").unwrap_or(line));
        lines.push(b'\n');
    }

    fn emit(&mut self, task: usize, stream: OutputStream, lines: Vec<u8>) {
        if lines.is_empty() {
            return;
        }
        if !self.is_aggregated {
            return self.screen.script_output(stream, &lines);
        }
        let output = &mut self.tasks[task];
        output.block_bytes += lines.len();
        output.block.push((stream, lines));
        if output.block_bytes > BLOCK_BYTES_MAX {
            self.flush(task);
        }
    }

    fn flush(&mut self, task: usize) {
        let output = &mut self.tasks[task];
        output.block_bytes = 0;
        for (stream, lines) in std::mem::take(&mut output.block) {
            self.screen.script_output(stream, &lines);
        }
    }
}

fn has_failed(row: &TaskRow<'_>) -> bool {
    row.result.is_some_and(|result| result.exit != Exit::DONE && !result.was_stopped)
}

fn cause(row: &TaskRow<'_>) -> String {
    let exit = row.result.map_or(Exit::DONE, |result| result.exit);
    format!("`{}` ended with {exit}", printable(row.label))
}
