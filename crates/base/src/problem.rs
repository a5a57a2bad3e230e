//! The error type of all crates. A `Problem` has a stable code, one line, notes, at most one hint
//! and a cause, and is rendered in the same form everywhere. Each crate has its constructors in its
//! own `problem.rs`.

use std::fmt;

/// The result of a function whose error is for the user.
pub type Result<T, E = Problem> = std::result::Result<T, E>;

/// An error for the user.
///
/// The message is lower case, without a final period, with values in backticks; it says what was
/// found and what was expected.
#[derive(Debug)]
pub struct Problem(Box<Parts>);

#[derive(Debug)]
struct Parts {
    code: &'static str,
    message: String,
    notes: Vec<String>,
    hint: Option<String>,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
    signal: Option<i32>,
}

impl Problem {
    /// Creates a problem with a stable code (kebab case) and its message.
    pub fn new(code: &'static str, message: impl Into<String>) -> Problem {
        Problem(Box::new(Parts {
            code,
            message: message.into(),
            notes: Vec::new(),
            hint: None,
            cause: None,
            signal: None,
        }))
    }

    /// Adds a line below the message: where it was found, what required it.
    #[must_use]
    pub fn note(mut self, line: impl Into<String>) -> Problem {
        self.0.notes.push(line.into());
        self
    }

    /// Sets the hint: what the user can do about it.
    #[must_use]
    pub fn hint(mut self, line: impl Into<String>) -> Problem {
        self.0.hint = Some(line.into());
        self
    }

    /// Sets the underlying error: an I/O error, another problem.
    #[must_use]
    pub fn cause(mut self, error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Problem {
        self.0.cause = Some(error.into());
        self
    }

    /// Sets the signal that this process received, and by which it ends after the message.
    #[must_use]
    pub fn ended_by(mut self, signal: i32) -> Problem {
        self.0.signal = Some(signal);
        self
    }

    pub fn signal(&self) -> Option<i32> {
        self.0.signal
    }

    /// The stable code, for tests and `--json`.
    pub fn code(&self) -> &'static str {
        self.0.code
    }

    /// The message, without code and notes.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// What the user can do about it.
    pub fn hint_line(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The lines below the message.
    pub fn notes(&self) -> &[String] {
        &self.0.notes
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = &self.0;
        write!(f, "error[{}]: {}", parts.code, printable(&parts.message))?;
        for note in &parts.notes {
            write!(f, "\n  {}", printable(note))?;
        }
        let mut cause = parts.cause.as_deref().map(|cause| cause as &dyn std::error::Error);
        while let Some(error) = cause {
            match error.downcast_ref::<Problem>() {
                Some(problem) => write!(f, "\n  because: {}", printable(problem.message()))?,
                None => write!(f, "\n  because: {}", printable(&error.to_string()))?,
            }
            cause = error.source();
        }
        match &parts.hint {
            Some(hint) => write!(f, "\nhint: {}", printable(hint)),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Problem {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.cause.as_deref().map(|cause| cause as _)
    }
}

/// Makes an untrusted string safe for a terminal: control characters, and characters that reorder a
/// line (bidirectional controls), end it, or are not seen, become `\u{..}`.
pub fn printable(text: &str) -> std::borrow::Cow<'_, str> {
    if !text.chars().any(is_unprintable) {
        return text.into();
    }
    let mut safe = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        match is_unprintable(character) {
            true => safe.extend(character.escape_unicode()),
            false => safe.push(character),
        }
    }
    safe.into()
}

fn is_unprintable(character: char) -> bool {
    // Of those that are not seen, U+200C and U+200D stay: scripts and emoji are written with them.
    let (unseen, reordering) = (['\u{ad}', '\u{200b}', '\u{feff}'], ['\u{61c}', '\u{200e}', '\u{200f}']);
    character.is_control()
        || unseen.contains(&character)
        || reordering.contains(&character)
        || matches!(character, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests;
