//! Positions in a source. In: byte offsets, the text between two nodes. Out: UTF-16 offsets, where
//! an operator or a keyword is. Absent: lines and columns.

use super::CountedFunction;

/// UTF-16 offsets of a source.
pub(super) struct Utf16Offsets<'s> {
    source: &'s str,
    /// For each kibibyte, the offset of its first code point. Empty: the source is ASCII.
    blocks: Vec<(u32, u32)>,
}

const BLOCK_BYTES: usize = 1024;

impl<'s> Utf16Offsets<'s> {
    pub(super) fn new(source: &'s str) -> Utf16Offsets<'s> {
        let mut blocks = Vec::new();
        if !source.is_ascii() {
            let mut units = 0;
            for (offset, character) in source.char_indices() {
                if offset / BLOCK_BYTES >= blocks.len() {
                    blocks.push((offset as u32, units));
                }
                units += character.len_utf16() as u32;
            }
        }
        Utf16Offsets { source, blocks }
    }

    /// `offset` is that of a character.
    fn units(&self, offset: u32) -> u32 {
        let index = self.blocks.partition_point(|(bytes, _)| *bytes <= offset);
        let Some((bytes, units)) = index.checked_sub(1).map(|index| self.blocks[index]) else {
            return offset;
        };
        let between = &self.source[bytes as usize..offset as usize];
        units + between.encode_utf16().count() as u32
    }

    pub(super) fn convert(&self, function: &mut CountedFunction) {
        if self.blocks.is_empty() {
            return;
        }
        (function.start, function.end) = (self.units(function.start), self.units(function.end));
        for block in &mut function.blocks {
            block.start = self.units(block.start);
            block.end = block.end.map(|end| self.units(end));
        }
    }
}

/// Where the first token begins after white space and comments, from an offset on.
pub(super) fn next_token(source: &str, from: u32) -> u32 {
    let mut at = from as usize;
    loop {
        let rest = &source[at..];
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        let comment = if trimmed.starts_with("//") {
            trimmed.find(['\n', '\u{2028}', '\u{2029}'])
        } else if trimmed.starts_with("/*") {
            trimmed.find("*/").map(|end| end + 2)
        } else {
            return at as u32;
        };
        match comment {
            Some(bytes) => at += bytes,
            None => return source.len() as u32,
        }
    }
}

/// As V8: after a semicolon that follows, otherwise the offset itself.
pub(super) fn after_semicolon(source: &str, from: u32) -> u32 {
    let next = next_token(source, from);
    if source[next as usize..].starts_with(';') { next + 1 } else { from }
}
