//! Executable lookup before a spawn, as execvp(3) does it. A missing program is reported without a
//! fork, and a spawn need not wait for the exec of a program that certainly runs. In: a name or a
//! path. Out: a path, and whether the file begins like an executable of this architecture. Absent:
//! errors that only execve(2) can find.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusk_base::sys::metadata::{Access, SymlinkMode, access, stat};
use rusk_base::sys::{CWD, Errno, Mode, OFlags, Result, openat, read};

/// The search path when there is no PATH, as in libc.
const DEFAULT_PATH: &str = "/bin:/usr/bin";

pub(super) struct Executable {
    /// Contains a slash, so that exec does not search again.
    pub path: String,
    /// Whether exec succeeds, as far as can be known.
    pub exec_is_certain: bool,
}

/// Finds a program as execvp(3) does, relative to the child's working directory: a name in the
/// directories of `search_path`, a path as it is.
pub(super) fn find(name: &str, search_path: Option<&str>, cwd: Option<&str>) -> Result<Executable> {
    let check = |path: String| {
        let exec_is_certain = match cwd {
            None => check_executable(Path::new(&path)),
            Some(cwd) => check_executable(&Path::new(cwd).join(&path)),
        }?;
        Ok(Executable { path, exec_is_certain })
    };
    if name.is_empty() {
        return Err(Errno::NOENT);
    }
    if name.contains('/') {
        return check(name.to_owned());
    }
    let mut failure = Errno::NOENT;
    for part in search_path.unwrap_or(DEFAULT_PATH).split(':') {
        let part = if part.is_empty() { "." } else { part };
        match check(format!("{part}/{name}")) {
            Ok(executable) => return Ok(executable),
            Err(Errno::ACCESS) => failure = Errno::ACCESS,
            Err(_) => {}
        }
    }
    Err(failure)
}

/// Identity of a file and of its last change.
#[derive(Clone, Copy, PartialEq, Eq)]
struct FileFingerprint {
    device: (u32, u32),
    inode: u64,
    changed: (i64, u32),
}

/// Entries of the cache; a process spawns few different programs.
const CACHED_MAX: usize = 64;

thread_local! {
    /// Files whose exec was certain when they were checked.
    static CACHE: RefCell<HashMap<PathBuf, FileFingerprint>> = RefCell::default();
}

/// Whether the file's exec is certain. An unchanged file in the cache costs one stat.
fn check_executable(path: &Path) -> Result<bool> {
    let stat = stat(path, SymlinkMode::Follow)?;
    let fingerprint = FileFingerprint {
        device: (stat.stx_dev_major, stat.stx_dev_minor),
        inode: stat.stx_ino,
        changed: (stat.stx_ctime.tv_sec, stat.stx_ctime.tv_nsec),
    };
    if CACHE.with_borrow(|cache| cache.get(path) == Some(&fingerprint)) {
        return Ok(true);
    }
    access(path, Access::EXEC_OK)?;
    let is_certain = is_native_executable(path)?;
    if is_certain {
        CACHE.with_borrow_mut(|cache| {
            if cache.len() == CACHED_MAX {
                cache.clear();
            }
            cache.insert(path.to_owned(), fingerprint);
        });
    }
    Ok(is_certain)
}

/// Whether a directory can be a child's working directory.
pub(super) fn check_cwd(cwd: &str) -> Result<()> {
    access(format!("{cwd}/.").as_str(), Access::EXEC_OK)
}

/// As much as execve(2) reads of a file to find its format (`BINPRM_BUF_SIZE`).
const HEADER_BYTES: usize = 256;
/// `e_machine` of this architecture in an ELF header (elf(5)).
const ELF_MACHINE: u16 = if cfg!(target_arch = "x86_64") { 62 } else { 183 };
const ELF_MACHINE_OFFSET: usize = 18;

/// Whether the file is an ELF executable of this architecture, or a script with an executable
/// interpreter. A file that cannot be read, or has another format, may still run.
fn is_native_executable(path: &Path) -> Result<bool> {
    let Ok(file) = openat(CWD, path, OFlags::RDONLY, Mode::empty()) else { return Ok(false) };
    let mut header = [0; HEADER_BYTES];
    let count = match read(std::os::fd::AsFd::as_fd(&file), &mut header) {
        // As execve(2) returns it for a directory.
        Err(Errno::ISDIR) => return Err(Errno::ACCESS),
        Err(_) => return Ok(false),
        Ok(count) => count,
    };
    let header = &header[..count];
    if header.starts_with(b"\x7fELF") {
        let machine = header
            .get(ELF_MACHINE_OFFSET..ELF_MACHINE_OFFSET + 2)
            .map(|bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
        return Ok(machine == Some(ELF_MACHINE));
    }
    Ok(interpreter(header).is_some_and(|path| access(path, Access::EXEC_OK).is_ok()))
}

/// The interpreter's path in a script's `#!` line.
fn interpreter(header: &[u8]) -> Option<&str> {
    let line = header.strip_prefix(b"#!")?;
    let line = &line[..line.iter().position(|byte| *byte == b'\n')?];
    let path = std::str::from_utf8(line).ok()?.trim_matches([' ', '\t']).split([' ', '\t']).next()?;
    path.starts_with('/').then_some(path)
}
