//! `files`, `include` and `exclude`: the files to which a tsconfig applies. In: patterns and a
//! file. Out: whether it applies. `*` and `?` do not match slashes, `**` matches any number of
//! directories, and a name without extension or star is a directory with all its contents.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Absolute patterns. Without `files` and `include` everything below the directory is included.
#[derive(Debug, Default)]
pub(crate) struct Scope {
    pub(crate) files: Vec<PathBuf>,
    pub(crate) include: Vec<PathBuf>,
    pub(crate) exclude: Vec<PathBuf>,
}

impl Scope {
    pub(crate) fn has(&self, file: &Path) -> bool {
        let any = |patterns: &[PathBuf]| patterns.iter().any(|pattern| fits(pattern, file));
        self.files.iter().any(|listed| listed == file) || (any(&self.include) && !any(&self.exclude))
    }
}

fn fits(pattern: &Path, file: &Path) -> bool {
    let names = |path: &Path| -> Vec<Vec<u8>> {
        crate::file_system::normal_names(path.as_os_str().as_bytes())
            .into_iter()
            .map(<[u8]>::to_vec)
            .collect()
    };
    let mut pattern = names(pattern);
    let is_directory = pattern.last().is_some_and(|last| !last.iter().any(|byte| b"*?.".contains(byte)));
    if is_directory || pattern.last().is_some_and(|last| last == b"**") {
        pattern.extend([b"**".to_vec(), b"*".to_vec()]);
    }
    matches(
        &pattern,
        &names(file),
        |step| step == b"**",
        |step, name| {
            matches(
                step,
                name,
                |byte| *byte == b'*',
                |expected, found| *expected == b'?' || expected == found,
            )
        },
    )
}

/// Glob matching of a sequence, in which some steps match any number of items. Backtracks to the
/// last such step only, so it takes at most the product of the lengths.
fn matches<S, T>(
    pattern: &[S],
    row: &[T],
    is_any: impl Fn(&S) -> bool,
    fits: impl Fn(&S, &T) -> bool,
) -> bool {
    let (mut step, mut item) = (0, 0);
    let mut retry = None;
    while item < row.len() {
        if pattern.get(step).is_some_and(&is_any) {
            retry = Some((step + 1, item));
            step += 1;
        } else if pattern.get(step).is_some_and(|expected| fits(expected, &row[item])) {
            step += 1;
            item += 1;
        } else if let Some((after, taken)) = retry {
            retry = Some((after, taken + 1));
            (step, item) = (after, taken + 1);
        } else {
            return false;
        }
    }
    pattern[step..].iter().all(is_any)
}
