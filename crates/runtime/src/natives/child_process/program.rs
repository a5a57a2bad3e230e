//! A program, found before it is started: whoever asks for one that is not there hears of it at once, and nobody has to wait for
//! one that is. In: a name, or a path. Out: a path, and whether its file begins as something that the kernel runs. Absent: what
//! only the start can tell; that is an error of the start.

use std::path::Path;

use rusk_base::sys::attributes::{Access, access};
use rusk_base::sys::{CURRENT, Errno, Mode, OFlags, Result, openat, read};

/// Where programs are looked for when there is no PATH, as libc has it.
const PATH_UNSET: &str = "/bin:/usr/bin";

pub(super) struct Found {
    /// With a slash in it.
    pub path: String,
    pub is_sure: bool,
}

/// As `execvp(3)` finds it, in the child's folder: a name in the folders of `search`, a path where it stands.
pub(super) fn find(name: &str, search: Option<&str>, folder: Option<&str>) -> Result<Found> {
    let look = |path: String| {
        let place = folder.map_or_else(|| path.clone().into(), |folder| Path::new(folder).join(&path));
        access(&place, Access::EXEC_OK)?;
        let is_sure = begins_well(&place)?;
        Ok(Found { path, is_sure })
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
    let Ok(file) = openat(CURRENT, path, OFlags::RDONLY, Mode::empty()) else { return Ok(false) };
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
