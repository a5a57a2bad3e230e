//! A program, found before it is started: whoever asks for one that is not there hears of it at
//! once, and nobody has to wait for one that is. In: a name, or a path. Out: a path, and whether
//! its file begins as something that the kernel runs. Absent: what only the start can tell; that is
//! an error of the start.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusk_base::sys::metadata::{Access, SymlinkMode, access, stat};
use rusk_base::sys::{CWD, Errno, Mode, OFlags, Result, openat, read};

/// Where programs are looked for when there is no PATH, as libc has it.
const PATH_UNSET: &str = "/bin:/usr/bin";

pub(super) struct Found {
    /// With a slash in it.
    pub path: String,
    pub is_sure: bool,
}

/// As `execvp(3)` finds it, in the child's folder: a name in the folders of `search`, a path where
/// it stands.
pub(super) fn find(name: &str, search: Option<&str>, folder: Option<&str>) -> Result<Found> {
    let look = |path: String| match folder {
        None => look_at(Path::new(&path)).map(|is_sure| Found { path, is_sure }),
        Some(folder) => look_at(&Path::new(folder).join(&path)).map(|is_sure| Found { path, is_sure }),
    };
    if name.is_empty() {
        return Err(Errno::NOENT);
    }
    if name.contains('/') {
        return look(name.to_owned());
    }
    let mut failure = Errno::NOENT;
    for part in search.unwrap_or(PATH_UNSET).split(':') {
        let part = if part.is_empty() { "." } else { part };
        match look(format!("{part}/{name}")) {
            Ok(found) => return Ok(found),
            Err(Errno::ACCESS) => failure = Errno::ACCESS,
            Err(_) => {}
        }
    }
    Err(failure)
}

/// What tells a file from another, and from what it was before: where it lies, and its last change.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mark {
    device: (u32, u32),
    inode: u64,
    changed: (i64, u32),
}

/// Files that are remembered; a program starts few.
const REMEMBERED_MAX: usize = 64;

thread_local! {
    /// Files that began well when they were looked at.
    static REMEMBERED: RefCell<HashMap<PathBuf, Mark>> = RefCell::default();
}

/// Whether the file there runs for sure. One look is enough for a file that was seen before, and is
/// the same.
fn look_at(place: &Path) -> Result<bool> {
    let stat = stat(place, SymlinkMode::Follow)?;
    let mark = Mark {
        device: (stat.stx_dev_major, stat.stx_dev_minor),
        inode: stat.stx_ino,
        changed: (stat.stx_ctime.tv_sec, stat.stx_ctime.tv_nsec),
    };
    if REMEMBERED.with_borrow(|remembered| remembered.get(place) == Some(&mark)) {
        return Ok(true);
    }
    access(place, Access::EXEC_OK)?;
    let is_sure = begins_well(place)?;
    if is_sure {
        REMEMBERED.with_borrow_mut(|remembered| {
            if remembered.len() == REMEMBERED_MAX {
                remembered.clear();
            }
            remembered.insert(place.to_owned(), mark);
        });
    }
    Ok(is_sure)
}

/// Whether a child may begin there.
pub(super) fn check_folder(folder: &str) -> Result<()> {
    access(format!("{folder}/.").as_str(), Access::EXEC_OK)
}

/// As much as the kernel reads of a file to see what it is.
const HEAD_BYTES: usize = 256;
/// Of this processor, as the head of an executable file says it.
const MACHINE: u16 = if cfg!(target_arch = "x86_64") { 62 } else { 183 };
const MACHINE_AT: usize = 18;

/// What cannot be read, or is something else, may run all the same.
fn begins_well(path: &Path) -> Result<bool> {
    let Ok(file) = openat(CWD, path, OFlags::RDONLY, Mode::empty()) else { return Ok(false) };
    let mut head = [0; HEAD_BYTES];
    let count = match read(std::os::fd::AsFd::as_fd(&file), &mut head) {
        // The kernel's own answer to a folder that is to be run.
        Err(Errno::ISDIR) => return Err(Errno::ACCESS),
        Err(_) => return Ok(false),
        Ok(count) => count,
    };
    let head = &head[..count];
    if head.starts_with(b"\x7fELF") {
        let machine =
            head.get(MACHINE_AT..MACHINE_AT + 2).map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
        return Ok(machine == Some(MACHINE));
    }
    Ok(interpreter(head).is_some_and(|path| access(path, Access::EXEC_OK).is_ok()))
}

/// The program that a script's first line names, by its path.
fn interpreter(head: &[u8]) -> Option<&str> {
    let line = head.strip_prefix(b"#!")?;
    let line = &line[..line.iter().position(|byte| *byte == b'\n')?];
    let path = std::str::from_utf8(line).ok()?.trim_matches([' ', '\t']).split([' ', '\t']).next()?;
    path.starts_with('/').then_some(path)
}
