//! Places in what is evaluated, told as places in what was written. In: the changes that were made,
//! and the source map of what was generated. Out: lookups, and the whole as a source map. Lines and
//! columns begin at 0; a column is a UTF-16 unit, as engines count. Absent: reading source maps of
//! others (`source_map`).

use crate::source_map::SourceMap;

/// A place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourcePosition {
    pub line: u32,
    pub column: u32,
}

/// From what is evaluated back to what was written.
#[derive(Clone, Debug, Default)]
pub struct PositionMap {
    /// Where columns move, in order. Lines never move.
    pub(crate) segments: Vec<Segment>,
    /// What lies beneath: the text that was changed had been generated itself.
    pub(crate) generated: SourceMap,
    /// What stands before the text on its first line.
    head_columns: u32,
}

/// From here to the next segment of the line, or to its end. A line begins as it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Segment {
    pub(crate) line: u32,
    pub(crate) target: u32,
    pub(crate) source: u32,
    /// All of it comes from one place.
    pub(crate) is_fixed: bool,
}

impl PositionMap {
    pub(crate) fn new(segments: Vec<Segment>, generated: SourceMap) -> PositionMap {
        PositionMap { segments, generated, head_columns: 0 }
    }

    pub(crate) fn with_head(&self, head_columns: u32) -> PositionMap {
        PositionMap { head_columns, ..self.clone() }
    }

    /// Whether every place is the one it came from.
    pub fn is_identity(&self) -> bool {
        self.segments.is_empty() && !self.generated.is_generated() && self.head_columns == 0
    }

    /// Where a place of what is evaluated stands in what was written. None for what has no place
    /// there.
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

    /// Where what was written stands in the text that was generated from it; the same place where
    /// none was.
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

/// A place that moves along a text.
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

/// How far a piece of text leads: so many lines down, and so many columns on the last one. A piece
/// does not end within CRLF.
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
                // The rest of a letter. U+2028 and U+2029 end a line.
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
