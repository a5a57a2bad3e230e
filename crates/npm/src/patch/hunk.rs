//! A hunk of a unified diff: lines that are removed and added, with context around them.

use rusk_base::Result;

use super::Lines;
use crate::problem;

/// Lines that a hunk may say it has.
const LINES_MAX: usize = 10_000_000;

/// One hunk. Lines have their newline; the last one of a file may have none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk<'a> {
    /// Line of the patch, from 1.
    pub line: usize,
    /// First line in the old file, from 1; 0 where the file is empty.
    pub start: usize,
    /// Context and removed lines.
    pub old: Vec<&'a [u8]>,
    /// Context and added lines.
    pub new: Vec<&'a [u8]>,
}

impl<'a> Hunk<'a> {
    pub(super) fn parse(lines: &mut Lines<'a>) -> Result<Hunk<'a>> {
        let line = lines.number;
        let header = lines.next().unwrap_or_default();
        let (start, old_count, new_count) =
            counts(header).ok_or_else(|| problem::bad_patch(line, "a hunk without its line numbers"))?;
        let mut hunk = Hunk { line, start, old: Vec::new(), new: Vec::new() };
        while hunk.old.len() < old_count || hunk.new.len() < new_count {
            let at = lines.number;
            let Some(text) = lines.next() else {
                return Err(problem::bad_patch(at, "the end of the patch within a hunk"));
            };
            let (is_old, is_new) = match text[0] {
                b' ' => (true, true),
                // Editors remove the blank of an empty line of context.
                b'\n' | b'\r' => (true, true),
                b'-' => (true, false),
                b'+' => (false, true),
                _ => return Err(problem::bad_patch(at, "a line that is no part of a hunk")),
            };
            let text = match text[0] {
                b'\n' | b'\r' => text,
                _ => &text[1..],
            };
            // `\ No newline at end of file` is about the line before it.
            let ends = lines.peek().is_some_and(|next| next.starts_with(b"\\"));
            if ends {
                lines.next();
            }
            let text = if ends { text.strip_suffix(b"\n").unwrap_or(text) } else { text };
            hunk.old.extend(is_old.then_some(text));
            hunk.new.extend(is_new.then_some(text));
        }
        match hunk.old.len() == old_count && hunk.new.len() == new_count {
            true => Ok(hunk),
            false => Err(problem::bad_patch(line, "a hunk with other lines than its numbers say")),
        }
    }
}

/// `@@ -1,3 +1,4 @@`: the start in the old file, and both numbers of lines.
fn counts(header: &[u8]) -> Option<(usize, usize, usize)> {
    let text = std::str::from_utf8(header.strip_prefix(b"@@ -")?.split(|&byte| byte == b'@').next()?).ok()?;
    let (old, new) = text.trim_end().split_once(" +")?;
    let range = |text: &str| {
        let (start, count) = text.split_once(',').unwrap_or((text, "1"));
        let (start, count) = (start.parse::<usize>().ok()?, count.parse::<usize>().ok()?);
        (start <= LINES_MAX && count <= LINES_MAX).then_some((start, count))
    };
    let ((start, old_count), (_, new_count)) = (range(old)?, range(new)?);
    Some((start, old_count, new_count))
}
