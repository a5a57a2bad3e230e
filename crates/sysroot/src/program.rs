//! A program inside: found by its name, started, and looked at when it cannot be. In: a plan, after
//! it was entered. Out: a file; nothing at all, once it runs. Absent: the way in.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusk_base::sys::{self, CWD, Errno, FileType, exec};

use crate::failure::{Failure, Step, at};
use crate::head::{HEAD_BYTES_MAX, Head};
use crate::plan::Plan;

/// What reads a file that is no program and does not say who reads it.
const SHELL: &str = "/bin/sh";

/// A program that is read by one that is read by one; the kernel goes no further either.
const READERS_MAX: usize = 4;

impl Plan {
    /// The file that a name stands for: with a slash a path from the folder to work in, else looked
    /// for on PATH.
    pub fn find_program(&self, name: &OsStr) -> Result<PathBuf, Failure> {
        if name.as_bytes().contains(&b'/') {
            return Ok(PathBuf::from(name));
        }
        let path = self.path();
        let folders = path.as_bytes().split(|byte| *byte == b':').filter(|folder| !folder.is_empty());
        let mut files = folders.map(|folder| Path::new(OsStr::from_bytes(folder)).join(name));
        files.find(|file| is_executable(file)).ok_or_else(|| at(Step::Program, name)(Errno::NOENT))
    }
}

/// Becomes the program; returns only why that could not be done. `words` begin with its name.
pub fn replace(file: &Path, words: &[OsString], variables: &[(OsString, OsString)]) -> Failure {
    let errno = exec::exec(file, words, variables);
    if errno == Errno::NOEXEC && read_head(file) == Some(Head::Other) {
        let read = [OsString::from("sh"), file.into()].into_iter().chain(words.iter().skip(1).cloned());
        exec::exec(Path::new(SHELL), &read.collect::<Vec<_>>(), variables);
    }
    check(file).err().unwrap_or_else(|| at(Step::Exec, file)(errno))
}

/// Whether what a program needs to begin is there.
pub fn check(file: &Path) -> Result<(), Failure> {
    let mut file = file.to_owned();
    for _ in 0..READERS_MAX {
        let reader = match read_head(&file) {
            Some(Head::Program { machine, .. }) if !machine.is_ours() => {
                return Err(at(Step::Machine, machine.name())(Errno::NOEXEC));
            }
            Some(Head::Program { loader: Some(reader), .. } | Head::Script { reader }) => reader,
            _ => return Ok(()),
        };
        if sys::statat(CWD, &reader).is_err() {
            return Err(at(Step::Loader, &reader)(Errno::NOENT));
        }
        file = reader;
    }
    Ok(())
}

fn is_executable(file: &Path) -> bool {
    sys::statat(CWD, file).is_ok_and(|found| {
        FileType::from_raw_mode(found.st_mode) == FileType::RegularFile && found.st_mode & 0o111 != 0
    })
}

fn read_head(file: &Path) -> Option<Head> {
    if !sys::statat(CWD, file)
        .is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::RegularFile)
    {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(file).ok()?.take(HEAD_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    Some(Head::parse(&bytes))
}
