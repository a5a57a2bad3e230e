//! Text edits, collected in any order and applied at once. In: insertions and replacements by byte
//! offset. Out: the new source text, and segments that map its positions back. Lines keep their
//! numbers: a removed range leaves its line ends. Absent: knowledge of syntax.

use std::cmp::Ordering;
use std::ops::Range;

use oxc::span::Span;

use crate::position_map::{PositionCursor, Segment, TextExtent};

/// Edits of one source text.
pub(crate) struct Edits<'s> {
    source: &'s str,
    edits: Vec<Edit>,
}

struct Edit {
    start: u32,
    end: u32,
    rank: Rank,
    /// Bytes of the node that the insertion wraps.
    extent: u32,
    /// Number of earlier edits.
    sequence: usize,
    text: Text,
}

/// Order of edits at one offset: first insertions that close a node before it, inner nodes first;
/// then those that open a node, outer nodes first; then replacements.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Close,
    Open,
    Replace,
}

enum Text {
    Owned(String),
    /// A short string, padded with spaces to the width of the replaced range.
    Blank(&'static str),
}

impl<'s> Edits<'s> {
    pub(crate) fn new(source: &'s str) -> Edits<'s> {
        Edits { source, edits: Vec::new() }
    }

    pub(crate) fn source(&self) -> &'s str {
        self.source
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// Inserts before a node. Of two insertions at the same node, the earlier call is the outer
    /// one.
    pub(crate) fn open(&mut self, around: Span, text: impl Into<String>) {
        self.push(around.start..around.start, Rank::Open, around.size(), Text::Owned(text.into()));
    }

    /// Inserts after a node. Of two insertions at the same node, the earlier call is the outer one:
    /// so call this before visiting the children.
    pub(crate) fn close(&mut self, around: Span, text: impl Into<String>) {
        self.push(around.end..around.end, Rank::Close, around.size(), Text::Owned(text.into()));
    }

    pub(crate) fn replace(&mut self, range: Range<u32>, text: impl Into<String>) {
        self.put(range, Text::Owned(text.into()));
    }

    /// Replaces a range by spaces.
    pub(crate) fn blank(&mut self, range: Range<u32>) {
        self.blank_after("", range);
    }

    /// Replaces a range by a short string, padded with spaces.
    pub(crate) fn blank_after(&mut self, text: &'static str, range: Range<u32>) {
        self.put(range, Text::Blank(text));
    }

    fn put(&mut self, range: Range<u32>, text: Text) {
        let extent = range.end - range.start;
        self.push(range, Rank::Replace, extent, text);
    }

    fn push(&mut self, Range { start, end }: Range<u32>, rank: Rank, extent: u32, text: Text) {
        self.edits.push(Edit { start, end, rank, extent, sequence: self.edits.len(), text });
    }

    /// The new source text. Edits within a replaced range are dropped.
    pub(crate) fn apply(mut self) -> (String, Vec<Segment>) {
        self.edits.sort_unstable_by(in_order);
        let mut target = Target::new(self.source, self.edits.len());
        for edit in &self.edits {
            // Within a range that an earlier edit replaced.
            if edit.start < target.consumed {
                continue;
            }
            target.copy_until(edit.start);
            target.put(edit);
        }
        target.copy_until(self.source.len() as u32);
        (target.text, target.segments)
    }
}

fn in_order(left: &Edit, right: &Edit) -> Ordering {
    let outer_first = right.extent.cmp(&left.extent).then(left.sequence.cmp(&right.sequence));
    let nested = if left.rank == Rank::Close { outer_first.reverse() } else { outer_first };
    // Insertions go before replacements: after a member's last byte, before the bracket that closes
    // its class.
    let removes = |edit: &Edit| edit.end > edit.start;
    let nested = removes(left).cmp(&removes(right)).then(nested);
    left.start.cmp(&right.start).then(left.rank.cmp(&right.rank)).then(nested)
}

struct Target<'s> {
    source: &'s str,
    /// Bytes of the source that are done.
    consumed: u32,
    from: PositionCursor,
    text: String,
    to: PositionCursor,
    segments: Vec<Segment>,
}

impl<'s> Target<'s> {
    fn new(source: &'s str, edits: usize) -> Target<'s> {
        Target {
            source,
            consumed: 0,
            from: PositionCursor::default(),
            text: String::with_capacity(source.len() + 16 * edits),
            to: PositionCursor::default(),
            segments: Vec::new(),
        }
    }

    fn copy_until(&mut self, end: u32) {
        let piece = &self.source[self.consumed as usize..end as usize];
        let step = TextExtent::over(piece);
        self.from.advance(step);
        self.to.advance(step);
        self.text.push_str(piece);
        self.consumed = end;
    }

    fn put(&mut self, edit: &Edit) {
        let removed = &self.source[edit.start as usize..edit.end as usize];
        let (from, to, begin) = (self.from, self.to, self.text.len());
        match &edit.text {
            Text::Owned(text) => self.write(text, removed),
            Text::Blank(text) => self.blank(text, removed),
        }
        self.to.advance(TextExtent::over(&self.text[begin..]));
        self.from.advance(TextExtent::over(removed));
        self.consumed = edit.end;
        // Without this edit, the code after it would have the same column shift as the code before,
        // or none on a new line.
        let expected = if self.to.line == to.line { shift(from, to) } else { 0 };
        if matches!(edit.text, Text::Blank(_)) && shift(self.from, self.to) == expected {
            return;
        }
        self.segments.push(Segment { line: to.line, target: to.column, source: from.column, is_fixed: true });
        let (from, to) = (self.from, self.to);
        self.segments.push(Segment {
            line: to.line,
            target: to.column,
            source: from.column,
            is_fixed: false,
        });
    }

    fn write(&mut self, text: &str, removed: &str) {
        self.text.push_str(text);
        self.text.extend(removed.chars().filter(|character| is_line_end(*character)));
    }

    fn blank(&mut self, text: &str, removed: &str) {
        self.text.push_str(text);
        let mut covered = text.len();
        for character in removed.chars() {
            if is_line_end(character) {
                self.text.push(character);
                covered = 0;
                continue;
            }
            let width = character.len_utf16();
            self.text.push_str(&"  "[..width.saturating_sub(covered)]);
            covered = covered.saturating_sub(width);
        }
    }
}

fn shift(from: PositionCursor, to: PositionCursor) -> i64 {
    i64::from(to.column) - i64::from(from.column)
}

pub(crate) fn is_line_end(character: char) -> bool {
    matches!(character, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}
