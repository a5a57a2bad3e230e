//! Syntax errors as an engine throws them: a message, a position, the line. Absent: formatting.

use std::fmt;

use oxc::diagnostics::OxcDiagnostic;
use oxc::span::Span;

use crate::edits::is_line_end;
use crate::position_map::{PositionCursor, SourcePosition, TextExtent};
use crate::script::SourceKind;
use crate::source_map::SourceMap;
use crate::v8_syntax_errors::{self, ParserError, V8Error};

/// Errors reported for one file: each costs a scan of the source for its position.
const ERRORS_MAX: usize = 16;

/// The syntax errors of a file. The first one is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxErrors {
    pub errors: Vec<SyntaxError>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    pub message: String,
    pub position: SourcePosition,
    /// The line, without its end.
    pub text: String,
    /// UTF-16 code units to underline from `position` on, within the line; at least one.
    pub width: u32,
    /// How to fix it.
    pub hint: Option<String>,
}

impl SyntaxErrors {
    pub fn first(&self) -> &SyntaxError {
        &self.errors[0]
    }

    /// Maps errors of generated code to its source.
    pub(crate) fn of_generated(mut self, map: &SourceMap, source: &str) -> SyntaxErrors {
        for error in &mut self.errors {
            if let Some(found) = map.find(error.position) {
                error.position = found.position;
                error.text = line(source, found.position.line).to_owned();
                error.width = 1;
            }
        }
        self
    }
}

impl fmt::Display for SyntaxErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SyntaxError { message, position, .. } = self.first();
        write!(f, "{message} ({}:{})", position.line + 1, position.column + 1)
    }
}

impl std::error::Error for SyntaxErrors {}

/// A message and its byte span in the source.
pub(crate) struct Diagnostic {
    message: String,
    span: Span,
    /// A second span that the message refers to.
    other: Option<Span>,
    hint: Option<String>,
}

impl Diagnostic {
    pub(crate) fn new(message: impl Into<String>, span: Span) -> Diagnostic {
        Diagnostic { message: message.into(), span, other: None, hint: None }
    }

    pub(crate) fn of(diagnostic: &OxcDiagnostic) -> Diagnostic {
        let label = diagnostic.labels.first();
        let start = label.map_or(0, |label| label.offset());
        let width = label.map_or(0, |label| label.len());
        let hint = diagnostic.help.as_deref().map(str::to_owned);
        let other =
            diagnostic.labels.get(1).map(|label| Span::new(label.offset(), label.offset() + label.len()));
        let message = diagnostic.message.to_string();
        Diagnostic { message, span: Span::new(start, start + width), other, hint }
    }

    /// Adjusts the message to the kind of file.
    pub(crate) fn for_kind(self, kind: SourceKind) -> Diagnostic {
        match v8_syntax_errors::module_message(&self.message) {
            Some(message) if kind == SourceKind::Module => Diagnostic { message: message.to_owned(), ..self },
            _ => self,
        }
    }

    /// Both spans, if the message refers to two.
    pub(crate) fn spans(&self) -> Option<(Span, Span)> {
        self.other.map(|other| (self.span, other))
    }

    /// V8 has its own message for duplicate parameters. `lists`: the spans of the parameter names
    /// of each function.
    pub(crate) fn into_duplicate_parameter(self, lists: &[Vec<Span>]) -> Diagnostic {
        let Some(other) = self.other else { return self };
        match lists.iter().any(|list| list.contains(&self.span) && list.contains(&other)) {
            true => Diagnostic {
                message: v8_syntax_errors::DUPLICATE.to_owned(),
                span: other,
                other: None,
                ..self
            },
            false => self,
        }
    }

    fn error(self, source: &str) -> SyntaxError {
        let Diagnostic { message, span, other, hint } = self;
        let error = ParserError { message: &message, span, other };
        let V8Error { message, span } =
            v8_syntax_errors::translate(error, source).unwrap_or(V8Error { message: message.clone(), span });
        let end = source.len();
        let mut start = (span.start as usize).min(end);
        while !source.is_char_boundary(start) {
            start -= 1;
        }
        let line_start = source[..start]
            .rfind(is_line_end)
            .map_or(0, |at| at + source[at..].chars().next().map_or(1, char::len_utf8));
        let line_end = source[start..].find(is_line_end).map_or(end, |at| start + at);
        let mut cursor = PositionCursor::default();
        cursor.advance(TextExtent::over(&source[..start]));
        let covered = source.get(start..(span.end as usize).min(line_end)).unwrap_or("");
        SyntaxError {
            message,
            position: SourcePosition { line: cursor.line, column: cursor.column },
            text: source[line_start..line_end].to_owned(),
            width: covered.encode_utf16().count().max(1) as u32,
            hint,
        }
    }
}

/// The line with this number, without its end.
fn line(source: &str, number: u32) -> &str {
    let mut rest = source;
    for _ in 0..number {
        let Some(end) = rest.find(is_line_end) else { return "" };
        let from_end = &rest[end..];
        let width = from_end.chars().next().map_or(1, char::len_utf8);
        rest = from_end.strip_prefix("\r\n").unwrap_or(&from_end[width..]);
    }
    rest.split(is_line_end).next().unwrap_or("")
}

/// Returns the errors in source order, if there are any.
pub(crate) fn fail_if_any(mut diagnostics: Vec<Diagnostic>, source: &str) -> Result<(), SyntaxErrors> {
    if diagnostics.is_empty() {
        return Ok(());
    }
    diagnostics.sort_by_key(|diagnostic| diagnostic.span.start);
    diagnostics.truncate(ERRORS_MAX);
    Err(SyntaxErrors { errors: diagnostics.into_iter().map(|diagnostic| diagnostic.error(source)).collect() })
}

#[cfg(test)]
mod tests;
