//! Errors of syntax, as an engine would throw them: a message, a place, the line. Absent: how they are shown.

use std::fmt;

use oxc::diagnostics::OxcDiagnostic;
use oxc::span::Span;
use oxc::syntax::identifier::is_identifier_start;
use oxc::syntax::keyword::is_reserved_keyword;

use crate::positions::{Cursor, Place, Step};

/// Errors told of one text: finding the place of each reads the text once, and nobody reads more.
const ERRORS_MAX: usize = 16;

/// Why a text is no program. The first one is the one to show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxErrors {
    pub errors: Vec<SyntaxError>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub message: String,
    pub place: Place,
    /// The line it is on, without its end.
    pub text: String,
    /// How many UTF-16 units to underline from `place` on, within the line; at least one.
    pub width: u32,
    /// What to do about it.
    pub hint: Option<String>,
}

impl SyntaxErrors {
    pub fn first(&self) -> &SyntaxError {
        &self.errors[0]
    }
}

impl fmt::Display for SyntaxErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SyntaxError { message, place, .. } = self.first();
        write!(f, "{message} ({}:{})", place.line + 1, place.column + 1)
    }
}

impl std::error::Error for SyntaxErrors {}

/// A message and where it belongs: bytes of the source.
pub(crate) struct Fault {
    message: String,
    span: Span,
    hint: Option<String>,
}

impl Fault {
    pub(crate) fn new(message: impl Into<String>, span: Span) -> Fault {
        Fault { message: message.into(), span, hint: None }
    }

    pub(crate) fn of(diagnostic: &OxcDiagnostic) -> Fault {
        let label = diagnostic.labels.first();
        let start = label.map_or(0, |label| label.offset());
        let width = label.map_or(0, |label| label.len());
        let hint = diagnostic.help.as_deref().map(str::to_owned);
        let message = match &*diagnostic.message {
            // As V8 says it.
            "A 'return' statement can only be used within a function body." => "Illegal return statement",
            message => message,
        };
        Fault { message: message.to_owned(), span: Span::new(start, start + width), hint }
    }

    fn told(self, source: &str) -> SyntaxError {
        let end = source.len();
        let mut start = (self.span.start as usize).min(end);
        while !source.is_char_boundary(start) {
            start -= 1;
        }
        let is_end = |letter: char| matches!(letter, '\n' | '\r' | '\u{2028}' | '\u{2029}');
        let line_start = source[..start]
            .rfind(is_end)
            .map_or(0, |at| at + source[at..].chars().next().map_or(1, char::len_utf8));
        let line_end = source[start..].find(is_end).map_or(end, |at| start + at);
        let mut cursor = Cursor::default();
        cursor.advance(Step::over(&source[..start]));
        let covered = source.get(start..(self.span.end as usize).min(line_end)).unwrap_or("");
        let is_bare = self.message == "Unexpected token";
        SyntaxError {
            message: if is_bare { unexpected(covered) } else { self.message },
            place: Place { line: cursor.line, column: cursor.column },
            text: source[line_start..line_end].to_owned(),
            width: covered.encode_utf16().count().max(1) as u32,
            hint: self.hint,
        }
    }
}

/// Faults in the order of the source; none is no error.
pub(crate) fn refuse(mut faults: Vec<Fault>, source: &str) -> Result<(), SyntaxErrors> {
    if faults.is_empty() {
        return Ok(());
    }
    faults.sort_by_key(|fault| fault.span.start);
    faults.truncate(ERRORS_MAX);
    Err(SyntaxErrors { errors: faults.into_iter().map(|fault| fault.told(source)).collect() })
}

/// What V8 says of a token that may not stand where it does; of none, at the end of the text.
fn unexpected(token: &str) -> String {
    match token.chars().next() {
        None => "Unexpected end of input".to_owned(),
        Some('"' | '\'') => "Unexpected string".to_owned(),
        Some('`') => "Unexpected template string".to_owned(),
        Some('0'..='9') => "Unexpected number".to_owned(),
        Some(first) if is_identifier_start(first) && !is_reserved_keyword(token) => {
            format!("Unexpected identifier '{token}'")
        }
        Some(_) => format!("Unexpected token '{token}'"),
    }
}

#[cfg(test)]
mod tests;
