//! A patch of a package: a unified diff as git writes it, parsed and applied. In: bytes, hostile
//! until shown otherwise. Out: the changed files. Absent: disk; binary patches, quoted paths,
//! renames and links, which are refused.

mod apply;
mod hunk;

use std::collections::BTreeSet;

use rusk_base::Result;

use crate::problem;
pub use apply::PackageFile;
use hunk::Hunk;

/// A larger patch is refused: it replaces the package rather than changes it.
pub const PATCH_BYTES_MAX: u64 = 64 << 20;
/// A longer path does not fit the store's limit.
const PATH_BYTES_MAX: usize = 2048;

/// A parsed patch. Every path stays inside the package.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch<'a> {
    files: Vec<FilePatch<'a>>,
}

/// What happens to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
struct FilePatch<'a> {
    path: &'a str,
    /// Line of the patch at which this file begins, from 1.
    line: usize,
    change: Change,
    /// Permission bits, where the patch sets them.
    mode: Option<u16>,
    hunks: Vec<Hunk<'a>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Create,
    Modify,
    Delete,
}

impl<'a> Patch<'a> {
    pub fn parse(bytes: &'a [u8]) -> Result<Patch<'a>> {
        let mut parser = PatchParser { lines: Lines::of(bytes), files: Vec::new() };
        while let Some(line) = parser.lines.peek() {
            match line {
                line if line.starts_with(b"diff --git ") => parser.git_file()?,
                line if line.starts_with(b"--- ") => parser.plain_file()?,
                line if line.starts_with(b"@@ ") => return Err(parser.refuse("a hunk without a file")),
                // A message in front of the first file, or what `git format-patch` appends.
                _ => drop(parser.lines.next()),
            }
        }
        let mut paths = BTreeSet::new();
        match parser.files.iter().find(|file| !paths.insert(file.path)) {
            Some(twice) => Err(problem::bad_patch(twice.line, &format!("`{}` a second time", twice.path))),
            None => Ok(Patch { files: parser.files }),
        }
    }

    /// The paths that the patch changes.
    pub fn paths(&self) -> impl Iterator<Item = &'a str> {
        self.files.iter().map(|file| file.path)
    }
}

/// The lines of a patch, each with its newline.
struct Lines<'a> {
    rest: &'a [u8],
    /// Of the next line, from 1.
    number: usize,
}

impl<'a> Lines<'a> {
    fn of(bytes: &'a [u8]) -> Lines<'a> {
        Lines { rest: bytes, number: 1 }
    }

    fn peek(&self) -> Option<&'a [u8]> {
        let end = self.rest.iter().position(|&byte| byte == b'\n').map_or(self.rest.len(), |at| at + 1);
        Some(&self.rest[..end]).filter(|line| !line.is_empty())
    }

    fn next(&mut self) -> Option<&'a [u8]> {
        let line = self.peek()?;
        self.rest = &self.rest[line.len()..];
        self.number += 1;
        Some(line)
    }
}

struct PatchParser<'a> {
    lines: Lines<'a>,
    files: Vec<FilePatch<'a>>,
}

/// What stands between `diff --git` and the hunks.
#[derive(Default)]
struct Header<'a> {
    from: Option<&'a [u8]>,
    to: Option<&'a [u8]>,
    change: Option<Change>,
    mode: Option<u16>,
}

impl<'a> PatchParser<'a> {
    /// `diff --git a/index.js b/index.js`, its header and its hunks.
    fn git_file(&mut self) -> Result<()> {
        let line = self.lines.number;
        let first = trimmed(self.lines.next().unwrap_or_default());
        let mut header = Header::default();
        while let Some(next) = self.lines.peek() {
            let next = trimmed(next);
            if next.starts_with(b"diff --git ") || next.starts_with(b"@@ ") {
                break;
            }
            self.header_line(next, &mut header)?;
            self.lines.next();
            if header.to.is_some() {
                break;
            }
        }
        // Only an empty file, or one whose mode alone changes, is named by the first line alone.
        let named = both_names(&first[b"diff --git ".len()..]);
        let path = match (header.to, header.from) {
            (Some(to), _) if to != b"/dev/null" => without_prefix(to),
            (_, Some(from)) if from != b"/dev/null" => without_prefix(from),
            _ => named,
        };
        let change = header.change.unwrap_or(match (header.from, header.to) {
            (Some(b"/dev/null"), _) => Change::Create,
            (_, Some(b"/dev/null")) => Change::Delete,
            _ => Change::Modify,
        });
        self.add(line, path, change, header.mode)
    }

    /// A file without git's header: `--- a/index.js`, `+++ b/index.js`.
    fn plain_file(&mut self) -> Result<()> {
        let line = self.lines.number;
        let mut header = Header::default();
        for prefix in [b"--- ", b"+++ "] {
            match self.lines.peek().map(trimmed) {
                Some(next) if next.starts_with(prefix) => self.header_line(next, &mut header)?,
                _ => return Err(self.refuse("a file without its `---` and `+++`")),
            }
            self.lines.next();
        }
        let (from, to) = (header.from.unwrap_or_default(), header.to.unwrap_or_default());
        match (from, to) {
            (b"/dev/null", to) => self.add(line, without_prefix(to), Change::Create, None),
            (from, b"/dev/null") => self.add(line, without_prefix(from), Change::Delete, None),
            (_, to) => self.add(line, without_prefix(to), Change::Modify, None),
        }
    }

    fn header_line(&self, line: &'a [u8], header: &mut Header<'a>) -> Result<()> {
        if let Some(path) = line.strip_prefix(b"--- ") {
            header.from = Some(without_time(path));
        } else if let Some(path) = line.strip_prefix(b"+++ ") {
            header.to = Some(without_time(path));
        } else if let Some(mode) = line.strip_prefix(b"new file mode ") {
            header.change = Some(Change::Create);
            header.mode = Some(self.mode(mode)?);
        } else if line.starts_with(b"deleted file mode ") {
            header.change = Some(Change::Delete);
        } else if let Some(mode) = line.strip_prefix(b"new mode ") {
            header.mode = Some(self.mode(mode)?);
        } else if line.starts_with(b"GIT binary patch") || line.starts_with(b"Binary files ") {
            return Err(self.refuse("a binary file"));
        } else if line.starts_with(b"rename ") || line.starts_with(b"copy ") {
            return Err(self.refuse("a renamed or copied file"));
        }
        Ok(())
    }

    /// Git knows regular files, executable or not; anything else is a link or a submodule.
    fn mode(&self, text: &[u8]) -> Result<u16> {
        match text {
            b"100644" => Ok(0o666),
            b"100755" => Ok(0o777),
            _ => Err(self.refuse("a link or another special file")),
        }
    }

    fn add(&mut self, line: usize, path: Option<&'a [u8]>, change: Change, mode: Option<u16>) -> Result<()> {
        let path = path.and_then(|path| std::str::from_utf8(path).ok());
        let path = path
            .filter(|path| is_inside(path))
            .ok_or_else(|| problem::bad_patch(line, "a path that is quoted or leads out of the package"))?;
        let mut hunks = Vec::new();
        while self.lines.peek().is_some_and(|next| next.starts_with(b"@@ ")) {
            hunks.push(Hunk::parse(&mut self.lines)?);
        }
        self.files.push(FilePatch { path, line, change, mode, hunks });
        Ok(())
    }

    fn refuse(&self, found: &str) -> rusk_base::Problem {
        problem::bad_patch(self.lines.number, found)
    }
}

fn trimmed(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// A tab separates the path from a time.
fn without_time(path: &[u8]) -> &[u8] {
    path.split(|&byte| byte == b'\t').next().unwrap_or(path)
}

/// The path behind `a/` or `b/`.
fn without_prefix(path: &[u8]) -> Option<&[u8]> {
    path.strip_prefix(b"a/").or_else(|| path.strip_prefix(b"b/"))
}

/// The path that `a/PATH b/PATH` names twice.
fn both_names(text: &[u8]) -> Option<&[u8]> {
    let middle = text.len().checked_sub(1)? / 2;
    let (from, to) = (text.get(..middle)?, text.get(middle + 1..)?);
    let (from, to) = (without_prefix(from)?, without_prefix(to)?);
    (from == to && text[middle] == b' ').then_some(from)
}

/// Whether a path is that of a file in the package.
fn is_inside(path: &str) -> bool {
    path.len() <= PATH_BYTES_MAX
        && !path.contains('\0')
        && path.split('/').all(|part| !part.is_empty() && part != "." && part != "..")
}

#[cfg(test)]
mod tests;
