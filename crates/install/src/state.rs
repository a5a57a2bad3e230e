//! What the last install left, kept beside the cache: every place in node_modules, what it was made from, and
//! the inode it had. A place whose inode is another one was touched by somebody else and is made anew; a record
//! that is damaged or missing makes everything anew. It is taken away before node_modules is changed and written
//! when all is done, so that a killed install leaves none.

use std::collections::BTreeMap;
use std::os::fd::BorrowedFd;
use std::path::{Path, PathBuf};

use rusk_base::sys::{self, FileType};
use rusk_base::{Result, files};

use crate::plan::{Installed, Knowledge, Plan};

/// The first line; another one is another format.
const HEAD: &str = "rusk installed 1";

/// A record larger than this is not believed: a project of 100,000 packages has one of 20 MB.
const BYTES_MAX: u64 = 256 << 20;

/// Where the record of a project lies.
pub fn path(cache_dir: &Path, project: &Path) -> PathBuf {
    cache_dir.join("projects").join(rusk_store::Key::new("project", "", &project.to_string_lossy()).folder())
}

/// What is certain about node_modules.
pub fn read(record: &Path, project: BorrowedFd<'_>) -> Result<Installed> {
    let Some(text) = files::find_string(record, BYTES_MAX)? else { return Ok(Installed::default()) };
    let mut lines = text.lines();
    if lines.next() != Some(HEAD) || !text.ends_with("end\n") {
        return Ok(Installed::default());
    }
    let mut places = BTreeMap::new();
    for line in lines {
        let mut fields = line.split('\t');
        if let (Some(path), Some(stamp), Some(inode)) = (fields.next(), fields.next(), fields.next())
            && inode.parse().ok() == inode_of(project, path)
        {
            places.insert(path.to_owned(), stamp.to_owned());
        }
    }
    Ok(Installed { places, knowledge: Knowledge::Whole })
}

/// The inode of a folder or a link.
fn inode_of(project: BorrowedFd<'_>, path: &str) -> Option<u64> {
    let stat = sys::lstatat(project, path).ok()?;
    let kind = FileType::from_raw_mode(stat.st_mode);
    matches!(kind, FileType::Directory | FileType::Symlink).then_some(stat.st_ino)
}

/// Forgets what was installed.
pub fn forget(record: &Path) -> Result<()> {
    match sys::unlinkat(sys::CURRENT, record) {
        Ok(()) | Err(sys::Errno::NOENT) => Ok(()),
        Err(errno) => Err(files::problem::remove(record, errno)),
    }
}

/// Notes what is installed now.
pub fn write(record: &Path, project: BorrowedFd<'_>, plan: &Plan) -> Result<()> {
    let mut text = format!("{HEAD}\n");
    for place in &plan.places {
        if let Some(inode) = inode_of(project, &place.path) {
            text.push_str(&format!("{}\t{}\t{inode}\n", place.path, place.stamp));
        }
    }
    text.push_str("end\n");
    if let Some(folder) = record.parent() {
        files::make_folders(folder)?;
    }
    files::write_atomically(record, text.as_bytes())
}

#[cfg(test)]
mod tests;
