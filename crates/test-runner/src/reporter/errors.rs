//! Errors as text: source lines with a caret, the message, the frames of the user's code. In: an
//! error. Out: lines. Sources are read from disk; a file that is gone has no source lines.

use std::path::Path;

use super::paint::Paint;
use crate::event::ErrorReport;
use crate::frames::{self, Frame};

/// Source lines above the one of the error.
const LINES_BEFORE: u32 = 5;

/// A longer line is generated code and is cut.
const LINE_CHARACTERS_MAX: usize = 160;

/// Characters of a line that is cut, after the column of the error.
const CHARACTERS_AFTER: usize = 60;

/// Stands for a part that is left out.
const CUT: char = '…';

/// Source files above this size are not read for a few lines.
const SOURCE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// How errors are shown.
#[derive(Clone, Copy)]
pub struct ErrorForm<'a> {
    /// Shown paths are relative to it where they are inside.
    pub root: &'a Path,
    pub paint: Paint,
    /// Where the test is defined, for an error whose frames are not in its file.
    pub origin: Option<&'a Frame>,
    /// Whether source lines are shown.
    pub has_source: bool,
}

/// The text of an error.
pub fn render(error: &ErrorReport, form: ErrorForm<'_>) -> String {
    let mut text = String::new();
    render_into(&mut text, error, form, "");
    text
}

fn render_into(text: &mut String, error: &ErrorReport, form: ErrorForm<'_>, label: &str) {
    let ErrorForm { root, paint, .. } = form;
    let mut frames = frames::user_frames(&error.stack);
    let is_in_test = |origin: &&Frame| frames.iter().all(|frame| frame.file != origin.file);
    frames.extend(form.origin.filter(is_in_test).cloned());
    if let Some(frame) = frames.first().filter(|_| form.has_source) {
        push_source(text, frame, &error.excerpt, paint);
    }
    let name = match error.name.as_str() {
        "" | "Error" if form.has_source => "error",
        "" => "Error",
        name => name,
    };
    let head = if label.is_empty() { name.to_owned() } else { format!("{label}: {name}") };
    text.push_str(&format!("{}{} {}\n", paint.red(&head), paint.dim(":"), error.message.trim_end()));
    for member in &error.members {
        text.push_str(&format!(" {member}\n"));
    }
    if !frames.is_empty() {
        text.push('\n');
    }
    for frame in &frames {
        let file = Path::new(&frame.file);
        let shown = file.strip_prefix(root).unwrap_or(file).display().to_string();
        let place =
            format!("{}:{}:{}", paint.cyan(&shown), paint.yellow(&frame.line.to_string()), frame.column);
        text.push_str(&format!("      {} {} ({place})\n", paint.dim("at"), frame.function));
    }
    let inner_form = ErrorForm { origin: None, ..form };
    for inner in &error.errors {
        render_into(text, inner, inner_form, "errors");
    }
    if let Some(cause) = &error.cause {
        render_into(text, cause, inner_form, "cause");
    }
}

/// The lines up to that of a frame, with a caret under its column. `excerpt`: those lines, if the
/// file may have changed.
fn push_source(text: &mut String, frame: &Frame, excerpt: &[String], paint: Paint) {
    let first = frame.line.saturating_sub(LINES_BEFORE).max(1);
    let count = (frame.line - first + 1) as usize;
    let lines = match excerpt {
        [] => read_lines(&frame.file, first, count),
        _ => excerpt.to_vec(),
    };
    let Some((last, before)) = lines.split_last().filter(|_| lines.len() == count) else { return };
    let width = frame.line.to_string().len();
    let mut push = |number: u32, shown: &str| {
        text.push_str(format!("{} {shown}", paint.dim(&format!("{number:>width$} |"))).trim_end());
        text.push('\n');
    };
    for (line, number) in before.iter().zip(first..) {
        push(number, &cut(line, 0).0);
    }
    let column = frame.column.saturating_sub(1) as usize;
    let (shown, column) = cut(last, column);
    push(frame.line, &shown);
    // A tab is as wide as above.
    let indent: String =
        shown.chars().take(column).map(|character| if character == '\t' { '\t' } else { ' ' }).collect();
    text.push_str(&format!("{}{indent}{}\n", " ".repeat(width + 3), paint.red("^")));
}

/// A line, of a long one the part around a column, and the column in it.
fn cut(line: &str, column: usize) -> (String, usize) {
    let length = line.chars().count();
    if length <= LINE_CHARACTERS_MAX {
        return (line.to_owned(), column.min(length));
    }
    let column = column.min(length);
    let start = if column + CHARACTERS_AFTER < LINE_CHARACTERS_MAX {
        0
    } else {
        (column + CHARACTERS_AFTER).min(length) - LINE_CHARACTERS_MAX
    };
    let mut shown: String = line.chars().skip(start).take(LINE_CHARACTERS_MAX).collect();
    if start > 0 {
        shown.insert(0, CUT);
    }
    if start + LINE_CHARACTERS_MAX < length {
        shown.push(CUT);
    }
    (shown, column - start + usize::from(start > 0))
}

/// Lines of a source file; none if it cannot be read.
fn read_lines(path: &str, first: u32, count: usize) -> Vec<String> {
    let is_small = std::fs::metadata(path).is_ok_and(|data| data.len() <= SOURCE_BYTES_MAX);
    let source = if is_small { std::fs::read_to_string(path).unwrap_or_default() } else { String::new() };
    source.lines().skip(first as usize - 1).take(count).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests;
