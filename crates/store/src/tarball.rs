//! A tarball as a registry serves it, made a list of files. In: the bytes of a `.tgz` or `.tar`,
//! hostile until shown otherwise. Out: files by path, their bodies slices of the inflated bytes,
//! and the directories they need.
//!
//! What is taken, what is passed over and what is refused follows npm and bun, which agree on:
//! - the first path component is dropped, whatever its name; a leading `/` is a component without a
//!   name;
//! - only regular files count; directories come from the files' paths; links, devices and pipes are
//!   passed over;
//! - a path with a `..` component is passed over, as is one that is not UTF-8;
//! - of two entries with one path the last wins; `README` and `readme` are two files;
//! - two empty blocks end the archive and what follows is not read; one empty block is passed over.
//!
//! Passed over, other than there: files in a `node_modules/.bin`, where scripts of other packages
//! would find them as programs.
//!
//! Refused: what is truncated or lies about its size, a path that is a file and a directory, sparse
//! files. Absent: disk, and the names of packages; the caller adds whose tarball it was.

pub mod entries;
pub mod header;
pub mod inflate;
pub mod pieces;

use std::borrow::Cow;

use rusk_base::Result;

use crate::problem;

/// Files in one package. The largest published ones have some 60,000.
pub const FILES_MAX: usize = 500_000;
/// Directories in one package; each costs an inode, and a tarball can name many with few bytes.
pub const DIRS_MAX: usize = 200_000;
/// Bytes of a path in a package: with the store's and the project's own it must fit the kernel's
/// 4,096.
pub const PATH_BYTES_MAX: usize = 2048;
/// Directories around a file. Bundled dependencies nest by three a level.
pub const DEPTH_MAX: usize = 128;
/// Bytes of one path component, the limit of every Linux file system.
const COMPONENT_BYTES_MAX: usize = 255;

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File<'a> {
    /// Relative, `/` between components, none of them empty, `.` or `..`.
    pub path: Cow<'a, str>,
    pub body: Cow<'a, [u8]>,
    /// Permission bits before the umask: readable and writable for all, executable as the tarball
    /// says.
    pub mode: u16,
}

/// The files of a tar, sorted by path; the head of this file lists the entries that count.
pub fn read_files(tar: &[u8]) -> Result<Vec<File<'_>>> {
    let mut files: Vec<File<'_>> = Vec::new();
    entries::read(tar, &mut |entry| {
        let Some(path) = path_in_package(entry.path)? else { return Ok(()) };
        if files.len() == FILES_MAX {
            return Err(problem::too_many("files", FILES_MAX));
        }
        files.push(File { path, body: Cow::Borrowed(entry.body), mode: mode_of(entry.mode) });
        Ok(())
    })?;
    // A stable sort: of equal paths the last in the archive stays last, and wins.
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files.dedup_by(|later, kept| {
        let same = later.path == kept.path;
        if same {
            std::mem::swap(later, kept);
        }
        same
    });
    Ok(files)
}

/// As bun and npm: setuid and the like are dropped, and what is unreadable could not be linked.
pub(crate) fn mode_of(mode: u32) -> u16 {
    (mode & 0o777) as u16 | 0o666
}

/// The directories that sorted files need, sorted, so that parents come first.
pub fn dirs_of<'a>(files: &'a [File<'_>]) -> Result<Vec<&'a str>> {
    let mut dirs: Vec<&str> = Vec::new();
    let mut previous = "";
    for file in files {
        let parent = parent_of(&file.path);
        let mut dir = parent;
        // What lies in a directory stands together, so a directory is new unless the file in front
        // lies in it.
        while !dir.is_empty() && !is_or_lies_in(previous, dir) {
            if dirs.len() == DIRS_MAX {
                return Err(problem::too_many("directories", DIRS_MAX));
            }
            dirs.push(dir);
            dir = parent_of(dir);
        }
        previous = parent;
    }
    dirs.sort_unstable();
    for dir in &dirs {
        if files.binary_search_by(|file| file.path.as_ref().cmp(dir)).is_ok() {
            return Err(problem::file_is_dir(dir));
        }
    }
    Ok(dirs)
}

fn is_or_lies_in(path: &str, dir: &str) -> bool {
    path.strip_prefix(dir).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

fn parent_of(path: &str) -> &str {
    path.rfind('/').map_or("", |slash| &path[..slash])
}

/// The path in the package of a tar path; `None` if bun and npm ignore it.
pub(crate) fn path_in_package(path: Cow<'_, [u8]>) -> Result<Option<Cow<'_, str>>> {
    let path = match path {
        Cow::Borrowed(bytes) => std::str::from_utf8(bytes).ok().map(Cow::Borrowed),
        Cow::Owned(bytes) => String::from_utf8(bytes).ok().map(Cow::Owned),
    };
    let Some(path) = path else { return Ok(None) };
    let Some(first_end) = path.find('/') else { return Ok(None) };
    let rest = &path[first_end + 1..];
    let mut components = 0;
    let mut plain = true;
    for component in rest.split('/') {
        match component {
            ".." => return Ok(None),
            "" | "." => plain = false,
            _ if component.len() > COMPONENT_BYTES_MAX => {
                return Err(problem::path_invalid(&path, "names of at most 255 bytes"));
            }
            _ => components += 1,
        }
    }
    if components == 0 {
        return Ok(None);
    }
    if components > DEPTH_MAX || rest.len() > PATH_BYTES_MAX {
        return Err(problem::path_invalid(&path, "at most 128 directories and 2,048 bytes"));
    }
    if path.contains('\0') {
        return Err(problem::path_invalid(&path, "no zero byte"));
    }
    let path = match (plain, path) {
        (false, path) => Cow::Owned(normal(&path[first_end + 1..])),
        (true, Cow::Borrowed(path)) => Cow::Borrowed(&path[first_end + 1..]),
        (true, Cow::Owned(path)) => Cow::Owned(path[first_end + 1..].to_owned()),
    };
    Ok((!is_program_of_others(&path) && !is_of_repository(&path)).then_some(path))
}

/// git runs programs that the `config` of a repository names (`core.fsmonitor`), also when an
/// editor or a prompt asks for the state of a directory. No packer includes a `.git`.
fn is_of_repository(path: &str) -> bool {
    path.split('/').any(|component| component.eq_ignore_ascii_case(".git"))
}

/// Installers make these directories, of the packages' `bin`.
fn is_program_of_others(path: &str) -> bool {
    path.starts_with("node_modules/.bin/") || path.contains("/node_modules/.bin/")
}

fn normal(path: &str) -> String {
    let named = path.split('/').filter(|component| !matches!(*component, "" | "."));
    named.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests;
