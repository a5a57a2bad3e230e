//! What is in a directory. In: a path. Out: names as one text, each behind a null, in the order of
//! their bytes; where kinds are wanted, a text of digits stands in front, one for each name.
//! JavaScript splits a text faster than it takes values one by one. Absent: `.` and `..`.

use std::ffi::{CStr, CString};
use std::os::fd::{AsFd, BorrowedFd};

use rusk_base::sys::directory::{self, Batch, DirectoryEntry};
use rusk_base::sys::{self, CWD, Errno, FileType, Mode, OFlags, raw_fd};
use rusk_jsc::{Call, Outcome, Scope};

use super::answer::{Answer, Failure, lossy};
use super::arguments::Arguments;
use super::perform::perform;

/// Bytes of entries for one look at a directory that is read piece by piece.
const BATCH_BYTES: usize = 32 * 1024;

/// How names are to be given.
#[derive(Clone, Copy)]
struct Form {
    with_kinds: bool,
    are_bytes: bool,
}

impl Form {
    fn of(arguments: Arguments<'_, '_>, first: usize) -> Form {
        Form { with_kinds: arguments.flag(first), are_bytes: arguments.flag(first + 1) }
    }

    fn answer<'a>(self, entries: impl Iterator<Item = (&'a CStr, FileType)> + Clone) -> Answer {
        let mut bytes = Vec::new();
        if self.with_kinds {
            bytes.extend(entries.clone().map(|(_, kind)| digit(kind)));
        }
        for (index, (name, _)) in entries.enumerate() {
            if index > 0 || self.with_kinds {
                bytes.push(0);
            }
            bytes.extend_from_slice(name.to_bytes());
        }
        if self.are_bytes { Answer::Bytes(bytes) } else { Answer::Text(lossy(bytes)) }
    }
}

/// `UV_DIRENT_…`
fn digit(kind: FileType) -> u8 {
    match kind {
        FileType::RegularFile => b'1',
        FileType::Directory => b'2',
        FileType::Symlink => b'3',
        FileType::Fifo => b'4',
        FileType::Socket => b'5',
        FileType::CharacterDevice => b'6',
        FileType::BlockDevice => b'7',
        _ => b'0',
    }
}

/// `readdir(path, withKinds, areBytes, done)`
pub fn readdir<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, form) = (arguments.path(0)?, Form::of(arguments, 1));
    perform(scope, arguments.done(3), move || match list(CWD, &path, form.with_kinds) {
        Ok(entries) => Ok(form.answer(entries.iter().map(|entry| (&*entry.name, entry.kind)))),
        Err(errno) => Err(Failure::at(errno, "scandir", path)),
    })
}

/// The entries in the order of their bytes, as libuv has them.
fn list(folder: BorrowedFd<'_>, path: &CStr, with_kinds: bool) -> sys::Result<Vec<DirectoryEntry>> {
    let open = sys::open_directory(folder, path)?;
    let mut entries = directory::entries(open.as_fd())?;
    entries.sort_unstable_by(|one, other| one.name.cmp(&other.name));
    if with_kinds {
        for entry in &mut entries {
            entry.kind = known(open.as_fd(), &entry.name, entry.kind);
        }
    }
    Ok(entries)
}

/// Some file systems do not say what an entry is.
fn known(folder: BorrowedFd<'_>, name: &CStr, kind: FileType) -> FileType {
    match kind {
        FileType::Unknown => {
            sys::lstatat(folder, name).map_or(kind, |stat| FileType::from_raw_mode(stat.st_mode))
        }
        kind => kind,
    }
}

/// `readdirRecursive(path, withKinds, areBytes, followsLinks, done)`: names relative to `path`,
/// directory after directory.
pub fn readdir_recursive<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, form) = (arguments.path(0)?, Form::of(arguments, 1));
    let follows_links = arguments.flag(3);
    perform(scope, arguments.done(4), move || {
        let entries = scan(&path, follows_links)?;
        Ok(form.answer(entries.iter().map(|(name, kind)| (&**name, *kind))))
    })
}

fn scan(root: &CStr, follows_links: bool) -> Result<Vec<(CString, FileType)>, Failure> {
    let root = open(root).map_err(|errno| Failure::at(errno, "scandir", root.to_owned()))?;
    let root = root.as_fd();
    let mut found: Vec<(CString, FileType)> = Vec::new();
    let mut next = 0;
    let mut folder: Option<CString> = None;
    loop {
        let path = folder.as_deref().unwrap_or(c".");
        let entries =
            list(root, path, true).map_err(|errno| Failure::at(errno, "scandir", path.to_owned()))?;
        for entry in entries {
            let name = match &folder {
                Some(folder) => joined(folder, &entry.name),
                None => entry.name,
            };
            found.push((name, entry.kind));
        }
        loop {
            let Some((name, kind)) = found.get(next) else { return Ok(found) };
            next += 1;
            if *kind == FileType::Directory || (follows_links && leads_to_folder(root, name, *kind)) {
                folder = Some(name.clone());
                break;
            }
        }
    }
}

fn open(path: &CStr) -> sys::Result<sys::OwnedFd> {
    sys::open_directory(CWD, path)
}

fn joined(folder: &CStr, name: &CStr) -> CString {
    let bytes = [folder.to_bytes(), b"/", name.to_bytes()].concat();
    CString::new(bytes).expect("neither has a null")
}

fn leads_to_folder(root: BorrowedFd<'_>, name: &CStr, kind: FileType) -> bool {
    kind == FileType::Symlink
        && sys::statat(root, name)
            .is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::Directory)
}

/// `opendir(path, done)`: a descriptor, to be closed as any.
pub fn opendir<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let path = arguments.path(0)?;
    perform(scope, arguments.done(1), move || {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        match raw_fd::open(&path, flags, Mode::empty()) {
            Ok(number) => Ok(Answer::Number(f64::from(number))),
            Err(errno) => Err(Failure::at(errno, "opendir", path)),
        }
    })
}

/// `readBatch(fd, areBytes, done)`: what comes next in a directory, with kinds; nothing when it has
/// ended.
pub fn read_batch<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (number, are_bytes) = (arguments.integer(0)?, arguments.flag(1));
    perform(scope, arguments.done(2), move || {
        let fail = |errno: Errno| Failure::new(errno, "scandir");
        let folder = raw_fd::borrow(number).map_err(fail)?;
        let mut entries = Vec::new();
        let mut buffer = vec![std::mem::MaybeUninit::uninit(); BATCH_BYTES];
        // A look may give nothing but `.` and `..`.
        loop {
            let batch = directory::read_batch(folder, &mut buffer, &mut |name, kind| {
                entries.push((name.to_owned(), kind));
            });
            match batch.map_err(fail)? {
                _ if !entries.is_empty() => break,
                Batch::Last => return Ok(Answer::Nothing),
                Batch::Some => {}
            }
        }
        for (name, kind) in &mut entries {
            *kind = known(folder, name, *kind);
        }
        let form = Form { with_kinds: true, are_bytes };
        Ok(form.answer(entries.iter().map(|(name, kind)| (&**name, *kind))))
    })
}
