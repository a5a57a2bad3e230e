//! Applies a patch to the files of a package, in memory.

use std::collections::BTreeMap;

use rusk_base::Result;

use super::hunk::Hunk;
use super::{Change, FilePatch, Patch};
use crate::problem;

/// How far from its line number a hunk is looked for, as patch-package and pnpm do.
const OFFSET_LINES_MAX: usize = 20;
/// Permission bits of a file that a patch without modes creates.
const MODE_DEFAULT: u16 = 0o666;

/// A file of a package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackageFile {
    pub bytes: Vec<u8>,
    /// Permission bits before the umask.
    pub mode: u16,
}

impl Patch<'_> {
    /// Changes the files, by path. After an error they are half changed.
    pub fn apply(&self, files: &mut BTreeMap<String, PackageFile>) -> Result<()> {
        self.files.iter().try_for_each(|patch| patch.apply(files))
    }
}

impl FilePatch<'_> {
    fn apply(&self, files: &mut BTreeMap<String, PackageFile>) -> Result<()> {
        match (self.change, files.get_mut(self.path)) {
            (Change::Create, Some(_)) => Err(problem::patch_target(self.line, self.path, "exists already")),
            (Change::Create, None) => {
                let bytes = self.changed(&[])?;
                let mode = self.mode.unwrap_or(MODE_DEFAULT);
                files.insert(self.path.to_owned(), PackageFile { bytes, mode });
                Ok(())
            }
            (_, None) => Err(problem::patch_target(self.line, self.path, "is not in the package")),
            (Change::Modify, Some(file)) => {
                file.bytes = self.changed(&file.bytes)?;
                file.mode = self.mode.unwrap_or(file.mode);
                Ok(())
            }
            (Change::Delete, Some(file)) => {
                let rest = self.changed(&file.bytes)?;
                // Git may leave the contents of a deleted file out.
                if !self.hunks.is_empty() && !rest.is_empty() {
                    return Err(problem::patch_target(
                        self.line,
                        self.path,
                        "has more than the patch deletes",
                    ));
                }
                files.remove(self.path);
                Ok(())
            }
        }
    }

    fn changed(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        let lines: Vec<&[u8]> = bytes.split_inclusive(|&byte| byte == b'\n').collect();
        let mut out = Vec::with_capacity(bytes.len());
        // Lines of the file that are copied or replaced; hunks follow each other.
        let mut done = 0;
        for hunk in &self.hunks {
            let at = find(hunk, &lines, done).ok_or_else(|| self.conflict(hunk, &lines))?;
            out.extend(lines[done..at].iter().copied().flatten());
            out.extend(hunk.new.iter().copied().flatten());
            done = at + hunk.old.len();
        }
        out.extend(lines[done..].iter().copied().flatten());
        Ok(out)
    }

    /// Names the first line that is not as the hunk says.
    fn conflict(&self, hunk: &Hunk<'_>, lines: &[&[u8]]) -> rusk_base::Problem {
        let start = hunk.start.saturating_sub(1);
        let differs = hunk.old.iter().enumerate().find(|(at, old)| lines.get(start + at) != Some(old));
        let (at, expected) = differs.map_or((0, &b""[..]), |(at, old)| (at, *old));
        problem::patch_conflict(
            hunk.line,
            self.path,
            start + at + 1,
            expected,
            lines.get(start + at).copied(),
        )
    }
}

/// Where the old lines of a hunk are, from `done` on: the place that is nearest to its number.
fn find(hunk: &Hunk<'_>, lines: &[&[u8]], done: usize) -> Option<usize> {
    // A hunk without old lines names the line before it.
    let wanted = if hunk.old.is_empty() { hunk.start } else { hunk.start.saturating_sub(1) };
    let fits = |at: usize| {
        let found = lines.get(at..at.checked_add(hunk.old.len())?)?;
        (at >= done && found == hunk.old).then_some(at)
    };
    if hunk.old.is_empty() {
        return fits(wanted);
    }
    (0..=OFFSET_LINES_MAX)
        .find_map(|offset| fits(wanted + offset).or_else(|| fits(wanted.checked_sub(offset)?)))
}
