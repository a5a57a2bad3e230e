//! Failure: an uncaught exception or unhandled rejection that ended a program. In: the thrown
//! value, in its scope. Out: a value with all that is reported, and its text as Node prints it:
//! position, source line, caret, stack trace. Absent: printing; source maps.

use std::fmt;

use rusk_jsc::{Exception, Position, Scope};

use crate::source_positions;

mod caret;

/// A longer line is generated code and is not shown.
const LINE_BYTES_MAX: usize = 4096;

/// Why a program ended before its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// For an error its name and message, for any other value its string.
    pub message: String,
    /// For an error its stack trace, with name and message on top; for any other value its string.
    pub text: String,
    pub is_error: bool,
    /// It is a syntax error at the position.
    pub is_unparsed: bool,
    pub position: Option<Position>,
    /// The source line at the position, if the source is known.
    pub line: Option<String>,
    /// Exit code of the process, as in Node.
    pub code: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Thrown and not caught.
    Exception,
    /// A promise was rejected, and had no handler when all ticks and microtasks had run.
    Rejection,
    /// The entry module threw. Its promise is rejected with the error, which is shown as a thrown
    /// one.
    Module,
}

/// What internal/errors/fatal reports of a thrown value.
pub(crate) struct FatalReport {
    pub(crate) text: String,
    pub(crate) position: Option<Position>,
    /// It is a syntax error there.
    pub(crate) is_unparsed: bool,
}

impl Failure {
    /// `report`: what internal/errors/fatal reports of it. `source`: URL and text of the script.
    pub(crate) fn new(
        scope: &Scope,
        kind: FailureKind,
        exception: Exception<'_>,
        report: Option<FatalReport>,
        source: Option<(&str, &str)>,
    ) -> Failure {
        let is_error = exception.stack(scope).is_some() || exception.position(scope).is_some();
        let message = exception.message(scope);
        let report = report.unwrap_or_else(|| FatalReport {
            text: message.clone(),
            position: None,
            is_unparsed: false,
        });
        let FatalReport { text, position: reported, is_unparsed } = report;
        // A syntax error has a position of its own.
        let position = reported.or_else(|| exception.position(scope));
        let line = position.as_ref().and_then(|position| line_of(position, source));
        Failure { kind, message, text, is_error, is_unparsed, position, line, code: 1 }
    }
}

/// The line at a position: of the script that is run, or of the file.
fn line_of(position: &Position, source: Option<(&str, &str)>) -> Option<String> {
    let index = usize::try_from(position.line).ok()?.checked_sub(1)?;
    // After the last line end there is an empty line, where an unexpected end of input is.
    let line = |text: &str| match text.lines().nth(index) {
        None if text.lines().count() == index && text.ends_with('\n') => Some(String::new()),
        line => line.map(str::to_owned),
    };
    match source {
        // A module given as a string has the URL that Node uses.
        Some((url, text)) if url == position.url || position.url.ends_with("/[eval1]") => line(text),
        _ => {
            let path = position.url.strip_prefix("file://").unwrap_or(&position.url);
            let read = || path.starts_with('/').then(|| std::fs::read_to_string(path).ok()).flatten();
            let text = source_positions::find_text(&position.url).or_else(read)?;
            line(&text).filter(|line| line.len() <= LINE_BYTES_MAX)
        }
    }
}

/// As Node prints it, without the line with its version.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_error {
            return self.fmt_value(f);
        }
        if let Some((position, line)) = self.position.as_ref().zip(self.line.as_ref()) {
            writeln!(f, "{}:{}\n{line}", position.url, position.line)?;
            if let Some(column) = position.column {
                match self.is_unparsed {
                    true => writeln!(f, "{}", caret::below_token(line, column))?,
                    false => writeln!(f, "{}^", caret::indent(line, column, self.kind, &self.message))?,
                }
            }
            writeln!(f)?;
        }
        f.write_str(&self.text)
    }
}

impl Failure {
    /// The thrown value is not an error.
    fn fmt_value(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FailureKind::Exception | FailureKind::Module => write!(f, "Uncaught:\n{}", self.text),
            FailureKind::Rejection => write!(
                f,
                "[UnhandledPromiseRejection: This error originated either by throwing inside of an async function \
                 without a catch block, or by rejecting a promise which was not handled with .catch(). The promise \
                 rejected with the reason \"{}\".] {{\n  code: 'ERR_UNHANDLED_REJECTION'\n}}",
                self.text
            ),
        }
    }
}

#[cfg(test)]
mod tests;
