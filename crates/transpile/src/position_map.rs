//! Map from positions in the evaluated code to positions in the source. In: the edits that were
//! applied, and the source map of generated code. Out: lookups, and the whole as a source map.
//! Lines and columns begin at 0; a column is a UTF-16 code unit, as in engines. Absent: source maps
//! of packages (`source_map`).

use crate::source_map::SourceMap;

/// A line and column of a source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourcePosition {
    pub line: u32,
    pub column: u32,
}

/// From evaluated code back to the source.
#[derive(Clone, Debug, Default)]
pub struct PositionMap {
    /// Column changes, in order. Lines never change.
    pub(crate) segments: Vec<Segment>,
    /// If the edited code was generated: its source map.
    pub(crate) generated: SourceMap,
    /// Columns before the code on its first line.
    head_columns: u32,
}

/// Applies up to the next segment of the line, or its end. Columns before the first segment are
/// unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) line: u32,
    pub(crate) target: u32,
    pub(crate) source: u32,
    /// All columns map to one position.
    pub(crate) is_fixed: bool,
}

impl PositionMap {
    pub(crate) fn new(segments: Vec<Segment>, generated: SourceMap) -> PositionMap {
        PositionMap { segments, generated, head_columns: 0 }
    }

    pub(crate) fn with_head(&self, head_columns: u32) -> PositionMap {
        PositionMap { head_columns, ..self.clone() }
    }

    /// Whether every position maps to itself.
    pub fn is_identity(&self) -> bool {
        self.segments.is_empty() && !self.generated.is_generated() && self.head_columns == 0
    }

    /// The source position of a position in evaluated code. None if it has no source.
    pub fn source(&self, position: SourcePosition) -> Option<SourcePosition> {
        let head_columns = if position.line == 0 { self.head_columns } else { 0 };
        let before_edits = self.before_edits(SourcePosition {
            column: position.column.saturating_sub(head_columns),
            ..position
        });
        match self.generated.is_generated() {
            true => self.generated.find(before_edits).map(|found| found.position),
            false => Some(before_edits),
        }
    }

    /// The position in generated code of a source position; the same position if no code was
    /// generated.
    pub fn generated(&self, source: SourcePosition) -> SourcePosition {
        self.generated.target(source).unwrap_or(source)
    }

    fn before_edits(&self, position: SourcePosition) -> SourcePosition {
        let after = self
            .segments
            .partition_point(|segment| (segment.line, segment.target) <= (position.line, position.column));
        match after.checked_sub(1).map(|at| self.segments[at]) {
            Some(Segment { line, source, is_fixed: true, .. }) if line == position.line => {
                SourcePosition { line, column: source }
            }
            Some(Segment { line, target, source, .. }) if line == position.line => {
                SourcePosition { line, column: source + (position.column - target) }
            }
            _ => position,
        }
    }
}

/// A position that advances along a source.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PositionCursor {
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl PositionCursor {
    pub(crate) fn advance(&mut self, step: TextExtent) {
        self.line += step.lines;
        self.column = if step.lines == 0 { self.column + step.columns } else { step.columns };
    }
}

/// The extent of a piece of source text: lines, and columns on the last one. A piece does not end
/// within CRLF.
#[derive(Clone, Copy)]
pub(crate) struct TextExtent {
    lines: u32,
    columns: u32,
}

impl TextExtent {
    pub(crate) fn over(text: &str) -> TextExtent {
        let bytes = text.as_bytes();
        let (mut lines, mut columns) = (0, 0);
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                b'\r' if bytes.get(at + 1) == Some(&b'\n') => {}
                b'\n' | b'\r' => (lines, columns) = (lines + 1, 0),
                // A UTF-8 continuation byte. U+2028 and U+2029 end a line.
                0x80..=0xbf => {
                    if matches!(byte, 0xa8 | 0xa9) && bytes[..at].ends_with(&[0xe2, 0x80]) {
                        (lines, columns) = (lines + 1, 0);
                    }
                }
                0xf0.. => columns += 2,
                _ => columns += 1,
            }
        }
        TextExtent { lines, columns }
    }
}

#[cfg(test)]
mod tests;
