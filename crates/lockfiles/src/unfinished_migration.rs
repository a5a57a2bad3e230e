//! Migrations that were killed between the new lockfile and the removal of the old one. In: the
//! staging directory, where a migration records what it is about to write, and which the next
//! install removes. Out: one lockfile.

use std::path::Path;

use crate::bun::binary;
use crate::{BYTES_MAX, Format};
use rusk_base::files;

/// In the staging directory.
pub const RECORD: &str = "migration";

/// The names of the old and the new lockfile, and the text of the new one.
pub fn render(from: &str, to: &str, text: &str) -> String {
    format!("{from}\t{to}\n{text}")
}

/// Removes the old lockfile of a project. `staging_dir`: the name of the directory. False: no
/// migration was killed in this project, or the new lockfile was changed since.
pub fn finish(dir: &Path, staging_dir: &str) -> bool {
    let record = files::find_cached_string(&dir.join(staging_dir).join(RECORD), 2 * BYTES_MAX);
    let Some(record) = record.ok().flatten() else { return false };
    let Some((names, text)) = record.split_once('\n') else { return false };
    let Some((from, to)) = names.split_once('\t') else { return false };
    let mut lockfiles = Format::ALL.map(Format::file_name).into_iter().chain([binary::FILE_NAME]);
    let is_written = |text: &str| {
        files::find_cached_string(&dir.join(to), BYTES_MAX).is_ok_and(|found| found.as_deref() == Some(text))
    };
    from != to
        && lockfiles.any(|name| name == from)
        && is_written(text)
        && files::remove_file(&dir.join(from)).is_ok()
}
