//! Directory listing: `readdir`, `opendir`. In: a path. Out: the names as one string, separated by
//! null bytes and sorted by their bytes; with types, a string of digits comes first, one per name.
//! JavaScript splits one string faster than it takes values one by one. Absent: `.` and `..`.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys::directory::{self, Batch, DirectoryEntry};
use rusk_base::sys::{self, CWD, Errno, FileType, Mode, OFlags, raw_fd};
use rusk_jsc::{Call, Outcome, Scope};
use rusk_runtime::EmbeddedKind;

use super::arguments::Arguments;
use super::dispatch::dispatch;
use super::result::{FsError, Output, lossy};

/// The `getdents64` buffer of a `Dir`.
const BATCH_BYTES: usize = 32 * 1024;

/// The result's format.
#[derive(Clone, Copy)]
struct EntryFormat {
    with_types: bool,
    as_bytes: bool,
}

impl EntryFormat {
    fn of(arguments: Arguments<'_, '_>, first: usize) -> EntryFormat {
        EntryFormat { with_types: arguments.flag(first), as_bytes: arguments.flag(first + 1) }
    }

    fn output<'a>(self, entries: impl Iterator<Item = (&'a CStr, FileType)> + Clone) -> Output {
        let mut bytes = Vec::new();
        if self.with_types {
            bytes.extend(entries.clone().map(|(_, kind)| type_digit(kind)));
        }
        for (index, (name, _)) in entries.enumerate() {
            if index > 0 || self.with_types {
                bytes.push(0);
            }
            bytes.extend_from_slice(name.to_bytes());
        }
        if self.as_bytes { Output::Bytes(bytes) } else { Output::String(lossy(bytes)) }
    }

    fn output_of(self, entries: &[(CString, FileType)]) -> Output {
        self.output(entries.iter().map(|(name, kind)| (&**name, *kind)))
    }
}

rusk_runtime::shared_constants! {
    /// Types of directory entries, as in libuv's `uv_dirent_type_t`.
    pub mod dirent: u8 {
        UV_DIRENT_UNKNOWN = 0,
        UV_DIRENT_FILE = 1,
        UV_DIRENT_DIR = 2,
        UV_DIRENT_LINK = 3,
        UV_DIRENT_FIFO = 4,
        UV_DIRENT_SOCKET = 5,
        UV_DIRENT_CHAR = 6,
        UV_DIRENT_BLOCK = 7,
    }
}

fn type_digit(kind: FileType) -> u8 {
    b'0' + match kind {
        FileType::RegularFile => dirent::UV_DIRENT_FILE,
        FileType::Directory => dirent::UV_DIRENT_DIR,
        FileType::Symlink => dirent::UV_DIRENT_LINK,
        FileType::Fifo => dirent::UV_DIRENT_FIFO,
        FileType::Socket => dirent::UV_DIRENT_SOCKET,
        FileType::CharacterDevice => dirent::UV_DIRENT_CHAR,
        FileType::BlockDevice => dirent::UV_DIRENT_BLOCK,
        _ => dirent::UV_DIRENT_UNKNOWN,
    }
}

/// `readdir(path, withTypes, asBytes, callback)`
pub fn readdir<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, format) = (arguments.path(0)?, EntryFormat::of(arguments, 1));
    if let Some(entries) = embedded(&path) {
        return dispatch(scope, arguments.callback(3), move || Ok(format.output_of(&entries)));
    }
    dispatch(scope, arguments.callback(3), move || match scandir(CWD, &path, format.with_types) {
        Ok(entries) => Ok(format.output(entries.iter().map(|entry| (&*entry.name, entry.kind)))),
        Err(errno) => Err(FsError::at(errno, "scandir", path)),
    })
}

/// Sorted by the bytes of the names, as in libuv.
fn scandir(directory: BorrowedFd<'_>, path: &CStr, with_types: bool) -> sys::Result<Vec<DirectoryEntry>> {
    let open = sys::open_directory(directory, path)?;
    let mut entries = directory::entries(open.as_fd())?;
    entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    if with_types {
        for entry in &mut entries {
            entry.kind = resolve_type(open.as_fd(), &entry.name, entry.kind);
        }
    }
    Ok(entries)
}

/// Some file systems leave `d_type` unknown.
fn resolve_type(directory: BorrowedFd<'_>, name: &CStr, kind: FileType) -> FileType {
    match kind {
        FileType::Unknown => {
            sys::lstatat(directory, name).map_or(kind, |stat| FileType::from_raw_mode(stat.st_mode))
        }
        kind => kind,
    }
}

/// `readdirRecursive(path, withTypes, asBytes, followsLinks, callback)`: names relative to `path`,
/// breadth first.
pub fn readdir_recursive<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, format) = (arguments.path(0)?, EntryFormat::of(arguments, 1));
    let follows_links = arguments.flag(3);
    if let Some(entries) = embedded_recursive(&path) {
        return dispatch(scope, arguments.callback(4), move || Ok(format.output_of(&entries)));
    }
    dispatch(scope, arguments.callback(4), move || {
        Ok(format.output_of(&scandir_recursive(&path, follows_links)?))
    })
}

/// Entries of a directory that is embedded in this program.
fn embedded(path: &CStr) -> Option<Vec<(CString, FileType)>> {
    let entries = rusk_runtime::embedded_files()?.directory(path.to_bytes())?;
    let entries = entries.into_iter().map(|(name, kind)| {
        let kind = match kind {
            EmbeddedKind::File => FileType::RegularFile,
            EmbeddedKind::Directory => FileType::Directory,
        };
        (CString::new(name).unwrap_or_default(), kind)
    });
    Some(entries.collect())
}

fn embedded_recursive(root: &CStr) -> Option<Vec<(CString, FileType)>> {
    let mut all = embedded(root)?;
    let mut next = 0;
    while let Some((name, kind)) = all.get(next).cloned() {
        next += 1;
        if kind == FileType::Directory {
            let entries = embedded(&join(root, &name)).unwrap_or_default();
            all.extend(entries.into_iter().map(|(entry, kind)| (join(&name, &entry), kind)));
        }
    }
    Some(all)
}

fn scandir_recursive(root: &CStr, follows_links: bool) -> Result<Vec<(CString, FileType)>, FsError> {
    let root = open(root).map_err(|errno| FsError::at(errno, "scandir", root.to_owned()))?;
    let root = root.as_fd();
    let mut all: Vec<(CString, FileType)> = Vec::new();
    let mut next = 0;
    let mut directory: Option<CString> = None;
    loop {
        let path = directory.as_deref().unwrap_or(c".");
        let entries =
            scandir(root, path, true).map_err(|errno| FsError::at(errno, "scandir", path.to_owned()))?;
        for entry in entries {
            let name = match &directory {
                Some(directory) => join(directory, &entry.name),
                None => entry.name,
            };
            all.push((name, entry.kind));
        }
        loop {
            let Some((name, kind)) = all.get(next) else { return Ok(all) };
            next += 1;
            if *kind == FileType::Directory || (follows_links && is_symlink_to_directory(root, name, *kind)) {
                directory = Some(name.clone());
                break;
            }
        }
    }
}

fn open(path: &CStr) -> sys::Result<sys::OwnedFd> {
    sys::open_directory(CWD, path)
}

fn join(directory: &CStr, name: &CStr) -> CString {
    let bytes = [directory.to_bytes(), b"/", name.to_bytes()].concat();
    CString::new(bytes).expect("neither has a null")
}

fn is_symlink_to_directory(root: BorrowedFd<'_>, name: &CStr, kind: FileType) -> bool {
    kind == FileType::Symlink
        && sys::statat(root, name)
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory)
}

/// `opendir(path, callback)`: a file descriptor. The caller closes it.
pub fn opendir<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let path = arguments.path(0)?;
    dispatch(scope, arguments.callback(1), move || {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        match raw_fd::open(&path, flags, Mode::empty()) {
            Ok(fd) => Ok(Output::Number(f64::from(fd))),
            Err(errno) => Err(FsError::at(errno, "opendir", path)),
        }
    })
}

/// `readBatch(fd, asBytes, callback)`: the next entries with their types; undefined at the end.
pub fn read_batch<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (fd, as_bytes) = (arguments.integer(0)?, arguments.flag(1));
    dispatch(scope, arguments.callback(2), move || {
        let fail = |errno: Errno| FsError::new(errno, "scandir");
        let directory = raw_fd::borrow(fd).map_err(fail)?;
        let mut entries = Vec::new();
        let mut buffer = vec![std::mem::MaybeUninit::uninit(); BATCH_BYTES];
        // A batch may contain only `.` and `..`.
        loop {
            let batch = directory::read_batch(directory, &mut buffer, &mut |name, kind| {
                entries.push((name.to_owned(), kind));
            });
            match batch.map_err(fail)? {
                _ if !entries.is_empty() => break,
                Batch::Last => return Ok(Output::Undefined),
                Batch::Some => {}
            }
        }
        for (name, kind) in &mut entries {
            *kind = resolve_type(directory, name, *kind);
        }
        let format = EntryFormat { with_types: true, as_bytes };
        Ok(format.output_of(&entries))
    })
}
