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

/// Source files above this size are not read for a few lines.
const SOURCE_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// The text of an error. `root`: shown paths are relative to it where they are inside.
pub fn render(error: &ErrorReport, root: &Path, paint: Paint) -> String {
    let mut text = String::new();
    render_into(&mut text, error, root, paint, "");
    text
}

fn render_into(text: &mut String, error: &ErrorReport, root: &Path, paint: Paint, label: &str) {
    let frames = frames::user_frames(&error.stack);
    if let Some(frame) = frames.first() {
        push_source(text, frame, &error.excerpt, paint);
    }
    let name = match error.name.as_str() {
        "" | "Error" => "error",
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
    for inner in &error.errors {
        render_into(text, inner, root, paint, "errors");
    }
    if let Some(cause) = &error.cause {
        render_into(text, cause, root, paint, "cause");
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
    if lines.len() != count {
        return;
    }
    let width = frame.line.to_string().len();
    for (line, number) in lines.iter().zip(first..) {
        let shown: String = line.chars().take(LINE_CHARACTERS_MAX).collect();
        text.push_str(format!("{} {shown}", paint.dim(&format!("{number:>width$} |"))).trim_end());
        text.push('\n');
    }
    let last = lines.last().expect("there is the frame's line");
    let column = frame.column.saturating_sub(1) as usize;
    if column <= LINE_CHARACTERS_MAX {
        // A tab is as wide as above.
        let indent: String =
            last.chars().take(column).map(|character| if character == '\t' { '\t' } else { ' ' }).collect();
        text.push_str(&format!("{}{indent}{}\n", " ".repeat(width + 3), paint.red("^")));
    }
}

/// Lines of a source file; none if it cannot be read.
fn read_lines(path: &str, first: u32, count: usize) -> Vec<String> {
    let is_small = std::fs::metadata(path).is_ok_and(|data| data.len() <= SOURCE_BYTES_MAX);
    let source = if is_small { std::fs::read_to_string(path).unwrap_or_default() } else { String::new() };
    source.lines().skip(first as usize - 1).take(count).map(str::to_owned).collect()
}
