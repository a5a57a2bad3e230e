//! File helpers: reading with a size limit, atomic writes by rename, recursive removal that follows
//! no symbolic link. Absent: fsync, since everything we write can be recreated after a power
//! failure.

pub mod problem;
mod trees;

use std::ffi::OsString;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

use crate::Result;
use crate::sys::directory::DirectoryEntry;
use crate::sys::{self, Errno, FileType, Mode, OFlags, OwnedFd};
pub use trees::{copy_tree_at, remove_tree, remove_tree_at};

/// Attempts to find an unused random name; even a second one is unlikely.
const NAME_TRIES_MAX: u32 = 16;

/// The bytes of a file. A missing file, or one of more than `bytes_max` bytes, is an error.
pub fn read_bytes(path: &Path, bytes_max: u64) -> Result<Vec<u8>> {
    match find_bytes(path, bytes_max)? {
        Some(bytes) => Ok(bytes),
        None => Err(problem::read(path, Errno::NOENT)),
    }
}

/// As [`read_bytes`]; `None` if the file or its directory does not exist.
pub fn find_bytes(path: &Path, bytes_max: u64) -> Result<Option<Vec<u8>>> {
    // Without `NONBLOCK`, opening a FIFO would block.
    match sys::openat(sys::CWD, path, OFlags::RDONLY | OFlags::NONBLOCK, Mode::empty()) {
        Ok(file) => read_open(&file, path, bytes_max).map(Some),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(errno) => Err(problem::read(path, errno)),
    }
}

/// The content of a UTF-8 file; see [`read_bytes`]. Invalid UTF-8 is an error.
pub fn read_to_string(path: &Path, bytes_max: u64) -> Result<String> {
    String::from_utf8(read_bytes(path, bytes_max)?).map_err(|error| problem::not_utf8(path, &error))
}

/// As [`read_to_string`]; `None` if the file does not exist.
pub fn find_string(path: &Path, bytes_max: u64) -> Result<Option<String>> {
    let Some(bytes) = find_bytes(path, bytes_max)? else { return Ok(None) };
    String::from_utf8(bytes).map(Some).map_err(|error| problem::not_utf8(path, &error))
}

/// As [`find_string`], for a cache: a file that is damaged, because it is not UTF-8 or larger than
/// we write, counts as absent.
pub fn find_cached_string(path: &Path, bytes_max: u64) -> Result<Option<String>> {
    match find_bytes(path, bytes_max) {
        Ok(bytes) => Ok(bytes.and_then(|bytes| String::from_utf8(bytes).ok())),
        Err(problem) if problem.code() == "file-too-large" => Ok(None),
        Err(problem) => Err(problem),
    }
}

fn read_open(file: &OwnedFd, path: &Path, bytes_max: u64) -> Result<Vec<u8>> {
    let stat = sys::fstat(file.as_fd()).map_err(|errno| problem::read(path, errno))?;
    if FileType::from_raw_mode(stat.st_mode) != FileType::RegularFile {
        return Err(problem::not_a_file(path));
    }
    let size = u64::try_from(stat.st_size).unwrap_or(0);
    if size > bytes_max {
        return Err(problem::too_large(path, size, bytes_max));
    }
    // One more byte than the size, to see the end of file without another call.
    let mut bytes = vec![0; usize::try_from(size).unwrap_or(usize::MAX - 1) + 1];
    let mut length = 0;
    loop {
        match sys::read(file.as_fd(), &mut bytes[length..]).map_err(|errno| problem::read(path, errno))? {
            0 => break,
            count => length += count,
        }
        if length as u64 > bytes_max {
            return Err(problem::too_large(path, length as u64, bytes_max));
        }
        if length == bytes.len() {
            bytes.resize(length * 2, 0);
        } else if length as u64 >= size {
            break;
        }
    }
    bytes.truncate(length);
    Ok(bytes)
}

/// Writes a file atomically: readers see the old or the new content. Writes a temporary file in the
/// same directory and renames it. The mode of an existing file is preserved. A symbolic link to a
/// file below its own directory is preserved, and its target is replaced; one that leads elsewhere
/// is an error: the files of a project come from others.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<()> {
    Replacement::write(path, bytes)?.commit()
}

/// As [`write_atomically`], through a link to anywhere: for a file of the user's own, or one that
/// the command names.
pub fn write_through_links(path: &Path, bytes: &[u8]) -> Result<()> {
    Replacement::at(resolve_link(path)?, bytes)?.commit()
}

/// As [`write_atomically`], of several files: none is replaced unless the new content of all is
/// written. They are replaced in order, so a kill can come between two.
pub fn write_together(files: &[(&Path, &[u8])]) -> Result<()> {
    let written: Result<Vec<Replacement>> =
        files.iter().map(|(path, bytes)| Replacement::write(path, bytes)).collect();
    written?.into_iter().try_for_each(Replacement::commit)
}

/// As [`write_through_links`], for a file with secrets: only its owner may read it.
pub fn write_private(path: &Path, bytes: &[u8]) -> Result<()> {
    let mode = Mode::from_raw_mode(0o600);
    Replacement::of(resolve_link(path)?, bytes, mode, Some(mode))?.commit()
}

/// The new content of a file, in a temporary file beside it that goes when this is dropped.
struct Replacement {
    path: PathBuf,
    temporary: PathBuf,
}

impl Replacement {
    fn write(path: &Path, bytes: &[u8]) -> Result<Replacement> {
        let target = resolve_link(path)?;
        if target != path {
            let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let real_dir = link_target(dir).map_err(|errno| problem::write_through_link(path, errno))?;
            if !target.starts_with(&real_dir) {
                return Err(problem::link_outside(path, &target, &real_dir));
            }
        }
        Replacement::at(target, bytes)
    }

    fn at(path: PathBuf, bytes: &[u8]) -> Result<Replacement> {
        let mode = sys::lstatat(sys::CWD, &path).ok().map(|stat| Mode::from_raw_mode(stat.st_mode));
        Replacement::of(path, bytes, Mode::from_raw_mode(0o666), mode)
    }

    /// `created`: the mode of the temporary file before the umask. `mode`: what it is changed to.
    fn of(path: PathBuf, bytes: &[u8], created: Mode, mode: Option<Mode>) -> Result<Replacement> {
        let (temporary, file) = create_temporary(&path, created)?;
        let replacement = Replacement { path, temporary };
        sys::write_all(file.as_fd(), bytes)
            .and_then(|()| mode.map_or(Ok(()), |mode| sys::fchmod(file.as_fd(), mode)))
            .map_err(|errno| problem::write(&replacement.path, errno))?;
        Ok(replacement)
    }

    fn commit(mut self) -> Result<()> {
        sys::renameat(sys::CWD, &self.temporary, sys::CWD, &self.path)
            .map_err(|errno| problem::write(&self.path, errno))?;
        self.temporary = PathBuf::new();
        Ok(())
    }
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.temporary.as_os_str().is_empty() {
            let _ = sys::unlinkat(sys::CWD, &self.temporary);
        }
    }
}

fn resolve_link(path: &Path) -> Result<PathBuf> {
    match sys::lstatat(sys::CWD, path) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink => {
            link_target(path).map_err(|errno| problem::write_through_link(path, errno))
        }
        _ => Ok(path.to_owned()),
    }
}

/// An error if symbolic links lead `path`, which need not exist yet, out of a directory.
pub fn check_below(dir: &Path, path: &Path) -> Result<()> {
    let real_dir = link_target(dir).map_err(|errno| problem::write_through_link(dir, errno))?;
    let existing = path.ancestors().find_map(|path| Some((path, link_target(path).ok()?)));
    match existing {
        Some((_, real)) if real.starts_with(&real_dir) => Ok(()),
        Some((existing, real)) => Err(problem::link_outside(existing, &real, &real_dir)),
        None => Err(problem::write_through_link(path, Errno::NOENT)),
    }
}

/// The absolute path that a chain of symbolic links leads to, from `/proc/pid/fd`: proc(5).
fn link_target(path: &Path) -> sys::Result<PathBuf> {
    use std::os::fd::AsRawFd;
    let opened = sys::openat(sys::CWD, path, OFlags::PATH, Mode::empty())?;
    let target = sys::readlinkat(sys::CWD, format!("/proc/self/fd/{}", opened.as_raw_fd()))?;
    Ok(PathBuf::from(OsString::from_vec(target.into_bytes())))
}

/// Creates `.NAME.RANDOM` in the directory of `path`, to be renamed to `path`.
fn create_temporary(path: &Path, mode: Mode) -> Result<(PathBuf, OwnedFd)> {
    let name = path.file_name().unwrap_or_default();
    for _ in 0..NAME_TRIES_MAX {
        let mut temporary_name = OsString::from(".");
        // A name has at most 255 bytes.
        temporary_name.push(if name.len() <= 200 { name } else { "long".as_ref() });
        temporary_name.push(format!(".{}", unpredictable_name()));
        let temporary = path.with_file_name(temporary_name);
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW;
        match sys::openat(sys::CWD, &temporary, flags, mode) {
            Ok(file) => return Ok((temporary, file)),
            Err(Errno::EXIST) => {}
            Err(errno) => return Err(problem::write(path, errno)),
        }
    }
    Err(problem::write(path, Errno::EXIST))
}

/// 16 hex digits that another user cannot predict, different on each call.
pub fn unpredictable_name() -> String {
    use std::hash::{BuildHasher, Hasher};
    // Seeded with the kernel's random numbers once per thread, and incremented on each call.
    format!("{:016x}", std::collections::hash_map::RandomState::new().build_hasher().finish())
}

/// Creates a directory and its missing parents. An existing directory is fine.
pub fn create_directories(path: &Path) -> Result<()> {
    create_directories_at(sys::CWD, path)
}

/// As [`create_directories`], relative to an open directory.
pub fn create_directories_at(directory: BorrowedFd<'_>, path: &Path) -> Result<()> {
    match sys::mkdirat(directory, path, Mode::from_raw_mode(0o777)) {
        Ok(()) => Ok(()),
        Err(Errno::NOENT) => {
            let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) else {
                return Err(problem::create_directory(path, Errno::NOENT));
            };
            create_directories_at(directory, parent)?;
            match sys::mkdirat(directory, path, Mode::from_raw_mode(0o777)) {
                Ok(()) | Err(Errno::EXIST) => Ok(()),
                Err(errno) => Err(problem::create_directory(path, errno)),
            }
        }
        Err(Errno::EXIST) => match sys::statat(directory, path) {
            Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => Ok(()),
            _ => Err(problem::create_directory(path, Errno::NOTDIR)),
        },
        Err(errno) => Err(problem::create_directory(path, errno)),
    }
}

/// Whether it is a regular file, following symbolic links; as [`Path::is_file`].
pub fn is_file(path: &Path) -> bool {
    has_type(path, FileType::RegularFile)
}

/// As [`Path::is_dir`].
pub fn is_directory(path: &Path) -> bool {
    has_type(path, FileType::Directory)
}

/// As [`Path::exists`].
pub fn exists(path: &Path) -> bool {
    sys::statat(sys::CWD, path).is_ok()
}

fn has_type(path: &Path, kind: FileType) -> bool {
    sys::statat(sys::CWD, path).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == kind)
}

/// Without `.`, `..` and a final slash; links are not followed.
pub fn normalized(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => _ = clean.pop(),
            part => clean.push(part),
        }
    }
    clean
}

/// The path from one absolute directory to another file or directory.
pub fn relative(from: &Path, to: &Path) -> PathBuf {
    let shared = from.components().zip(to.components()).take_while(|(from, to)| from == to).count();
    let up = from.components().skip(shared).map(|_| Path::new("..").as_os_str());
    up.chain(to.components().skip(shared).map(Component::as_os_str)).collect()
}

/// The entries of a directory with their types, in the kernel's order.
pub fn read_directory(directory: &Path) -> sys::Result<Vec<DirectoryEntry>> {
    let open = sys::open_directory(sys::CWD, directory)?;
    let mut entries = sys::directory::entries(open.as_fd())?;
    for entry in entries.iter_mut().filter(|entry| entry.kind == FileType::Unknown) {
        entry.kind = FileType::from_raw_mode(sys::lstatat(open.as_fd(), &*entry.name)?.st_mode);
    }
    Ok(entries)
}

/// If the files of a directory have more than `bytes_max` bytes, removes the oldest ones until half
/// of that is left. Other processes may do the same concurrently.
pub fn remove_oldest(directory: &Path, bytes_max: u64) -> sys::Result<()> {
    let open = sys::open_directory(sys::CWD, directory)?;
    let (mut files, mut bytes) = (Vec::new(), 0);
    for entry in sys::directory::entries(open.as_fd())? {
        let Ok(stat) = sys::lstatat(open.as_fd(), &entry.name) else { continue };
        bytes += stat.st_size as u64;
        files.push((stat.st_mtime, stat.st_size as u64, entry.name));
    }
    if bytes <= bytes_max {
        return Ok(());
    }
    files.sort();
    for (_, size, name) in files {
        if bytes <= bytes_max / 2 {
            break;
        }
        bytes -= size;
        let _ = sys::unlinkat(open.as_fd(), &name);
    }
    Ok(())
}

/// Removes a file or a symbolic link. A missing file is fine.
pub fn remove_file(path: &Path) -> Result<()> {
    match sys::unlinkat(sys::CWD, path) {
        Ok(()) | Err(Errno::NOENT) => Ok(()),
        Err(errno) => Err(problem::remove(path, errno)),
    }
}

#[cfg(test)]
pub(crate) mod tests;
