//! What ended a program that nobody caught. In: the thrown value, in its scope. Out: a value with
//! all that is to be said of it, and its text as Node prints it: the place, the line of the source,
//! a caret, the stack. Absent: printing; remapping of places.

use std::fmt;

use rusk_jsc::{Exception, Position, Scope};

mod caret;

/// A line that is longer was made by a program, and nobody reads it.
const LINE_BYTES_MAX: usize = 4096;

/// Why a program ended before its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// For an error its name and message, for anything else its text.
    pub message: String,
    /// For an error its stack, name and message on top; for anything else its text.
    pub text: String,
    pub is_error: bool,
    /// A text does not parse at the position.
    pub is_unparsed: bool,
    pub position: Option<Position>,
    /// The line of the source at the position, where the source is known.
    pub line: Option<String>,
    /// What the process is to end with, as Node has it.
    pub code: i32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Thrown, and caught by nobody.
    Exception,
    /// A promise was rejected, and had no handler when all ticks and microtasks had run.
    Rejection,
    /// The program's own module threw. Its promise is rejected with that, and it is shown as what
    /// was thrown.
    Module,
}

/// What js/internal/fatal.js says of what was thrown.
pub(crate) struct Told {
    pub(crate) text: String,
    pub(crate) position: Option<Position>,
    /// A text does not parse there.
    pub(crate) is_unparsed: bool,
}

impl Failure {
    /// `told`: what js/internal/fatal.js says of it. `source`: the script's address and text.
    pub(crate) fn new(
        scope: &Scope,
        kind: FailureKind,
        exception: Exception<'_>,
        told: Option<Told>,
        source: Option<(&str, &str)>,
    ) -> Failure {
        let is_error = exception.stack(scope).is_some() || exception.position(scope).is_some();
        let message = exception.message(scope);
        let told = told.unwrap_or_else(|| Told { text: message.clone(), position: None, is_unparsed: false });
        let Told { text, position: place, is_unparsed } = told;
        // What does not parse has a place of its own.
        let position = place.or_else(|| exception.position(scope));
        let line = position.as_ref().and_then(|position| line_of(position, source));
        Failure { kind, message, text, is_error, is_unparsed, position, line, code: 1 }
    }
}

/// The line at a position: of the text that is run, or of the file.
fn line_of(position: &Position, source: Option<(&str, &str)>) -> Option<String> {
    let index = usize::try_from(position.line).ok()?.checked_sub(1)?;
    // Behind the last line end there is a line as well: there a text ends too early.
    let line = |text: &str| match text.lines().nth(index) {
        None if text.lines().count() == index && text.ends_with('\n') => Some(String::new()),
        line => line.map(str::to_owned),
    };
    match source {
        // A text that is a module is called as Node calls it.
        Some((url, text)) if url == position.url || position.url.ends_with("/[eval1]") => line(text),
        _ => {
            let path = position.url.strip_prefix("file://").unwrap_or(&position.url);
            let text = path.starts_with('/').then(|| std::fs::read_to_string(path).ok()).flatten()?;
            line(&text).filter(|line| line.len() <= LINE_BYTES_MAX)
        }
    }
}

/// As Node prints it, without the line that says which Node.
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
    /// What was thrown is no error.
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
