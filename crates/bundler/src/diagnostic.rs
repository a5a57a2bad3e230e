//! Diagnostics of a build: a message and, if it is about a file, the line that it is about. In: a
//! source text and a byte offset. Out: values that the caller renders.

use std::ops::Range;

use rusk_base::Problem;
use rusk_transpile::{SourcePosition, SyntaxError, SyntaxErrors};

use crate::problem;

/// An error or a warning.
#[derive(Debug)]
pub struct Diagnostic {
    pub problem: Problem,
    pub at: Option<SourceLine>,
    /// The specifier that did not resolve, and bun's word for the kind of import.
    pub import: Option<(String, &'static str)>,
}

impl From<Problem> for Diagnostic {
    fn from(problem: Problem) -> Diagnostic {
        Diagnostic { problem, at: None, import: None }
    }
}

impl PartialEq for Diagnostic {
    fn eq(&self, other: &Diagnostic) -> bool {
        self.at == other.at && self.problem.to_string() == other.problem.to_string()
    }
}

/// A place in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    pub file: String,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
    /// The line, without its end.
    pub text: String,
    /// Characters to underline; at least one.
    pub width: u32,
    /// Characters of the line before `text`, which is cut if it is long.
    pub skipped: u32,
    /// Bytes of the file before the place.
    pub offset: u32,
}

/// Longer lines are cut: minified files have lines of megabytes.
const LINE_CHARACTERS_MAX: usize = 160;

impl Diagnostic {
    #[must_use]
    pub(crate) fn at(mut self, file: &str, source: &str, span: Range<u32>) -> Diagnostic {
        self.at = Some(SourceLine::of(file, source, span.start as usize, span.end as usize));
        self
    }

    #[must_use]
    pub(crate) fn of_import(mut self, specifier: &str, kind: &'static str) -> Diagnostic {
        self.import = Some((specifier.to_owned(), kind));
        self
    }

    pub(crate) fn of_syntax(file: &str, source: &str, errors: SyntaxErrors) -> Vec<Diagnostic> {
        let diagnostic = |error: SyntaxError| {
            let at = SourceLine {
                file: file.to_owned(),
                line: error.position.line + 1,
                column: error.position.column + 1,
                text: error.text,
                width: error.width,
                skipped: 0,
                offset: offset_of(source, error.position),
            };
            let diagnostic = problem::syntax(&lower_first(&error.message), error.hint);
            Diagnostic { at: Some(at.cut()), ..diagnostic }
        };
        errors.errors.into_iter().map(diagnostic).collect()
    }
}

impl Diagnostic {
    /// The error as all others are printed: the line of the file stands before other notes.
    pub fn to_problem(&self) -> Problem {
        let mut problem = Problem::new(self.problem.code(), self.problem.message());
        if let Some(at) = &self.at {
            let number = at.line.to_string();
            problem = problem.note(format!("{}:{}:{}", at.file, at.line, at.column));
            problem = problem.note(format!("{number} | {}", at.text.replace('\t', " ")));
            let gutter = " ".repeat(number.len());
            let caret = format!("{}{}", " ".repeat(at.indent()), "^".repeat(at.width as usize));
            problem = problem.note(format!("{gutter} | {caret}"));
        }
        for note in self.problem.notes() {
            problem = problem.note(note);
        }
        match self.problem.hint_line() {
            Some(hint) => problem.hint(hint),
            None => problem,
        }
    }
}

pub(crate) fn lower_first(message: &str) -> String {
    let mut characters = message.chars();
    let first = characters.next().map(|first| first.to_lowercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}", characters.as_str())
}

impl SourceLine {
    pub(crate) fn of(file: &str, source: &str, start: usize, end: usize) -> SourceLine {
        let start = floor(source, start);
        let end = floor(source, end.max(start));
        let line_start = source[..start].rfind('\n').map_or(0, |at| at + 1);
        let line_end = source[start..].find(['\n', '\r']).map_or(source.len(), |at| start + at);
        let line = memchr::memchr_iter(b'\n', &source.as_bytes()[..start]).count() as u32 + 1;
        SourceLine {
            file: file.to_owned(),
            line,
            column: source[line_start..start].chars().count() as u32 + 1,
            text: source[line_start..line_end].to_owned(),
            width: source[start..end.min(line_end)].chars().count().max(1) as u32,
            skipped: 0,
            offset: start as u32,
        }
        .cut()
    }

    /// Keeps the characters around the column.
    fn cut(mut self) -> SourceLine {
        let count = self.text.chars().count();
        if count <= LINE_CHARACTERS_MAX {
            return self;
        }
        let at = (self.column as usize).saturating_sub(1);
        let skipped = at.saturating_sub(LINE_CHARACTERS_MAX / 2).min(count - LINE_CHARACTERS_MAX);
        self.text = self.text.chars().skip(skipped).take(LINE_CHARACTERS_MAX).collect();
        let left = (LINE_CHARACTERS_MAX - (at - skipped).min(LINE_CHARACTERS_MAX - 1)) as u32;
        self.width = self.width.min(left);
        self.skipped = skipped as u32;
        self
    }

    /// Characters before the caret in `text`.
    pub fn indent(&self) -> usize {
        (self.column as usize).saturating_sub(1 + self.skipped as usize).min(self.text.chars().count())
    }
}

/// The column of a position counts UTF-16 code units.
fn offset_of(source: &str, position: SourcePosition) -> u32 {
    let line: usize = source.split_inclusive('\n').take(position.line as usize).map(str::len).sum();
    let mut units = 0;
    let rest = source[line..].char_indices();
    let found = rest.into_iter().find(|(_, letter)| {
        let is_there = units >= position.column || *letter == '\n';
        units += letter.len_utf16() as u32;
        is_there
    });
    found.map_or(source.len(), |(at, _)| line + at) as u32
}

fn floor(source: &str, mut at: usize) -> usize {
    at = at.min(source.len());
    while !source.is_char_boundary(at) {
        at -= 1;
    }
    at
}
