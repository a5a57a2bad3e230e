//! Execution of a program inside: lookup by name, execve(2), and diagnosis of a failure. In: a plan
//! that was entered. Out: a path; or nothing, once the program runs.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rusk_base::sys::{self, CWD, Errno, FileType};

use crate::executable_format::{ExecutableFormat, HEADER_BYTES_MAX};
use crate::failure::{StartFailure, StartStep, at};
use crate::plan::Plan;

/// Runs files of unknown format, as execvp(3) does.
const SHELL: &str = "/bin/sh";

/// Nesting of interpreters; the kernel has the same limit.
const INTERPRETERS_MAX: usize = 4;

impl Plan {
    /// The path of a program: the name itself if it has a slash, otherwise found on PATH.
    pub fn find_program(&self, name: &OsStr) -> Result<PathBuf, StartFailure> {
        if name.as_bytes().contains(&b'/') {
            return Ok(PathBuf::from(name));
        }
        let path = self.path();
        let directories =
            path.as_bytes().split(|byte| *byte == b':').filter(|directory| !directory.is_empty());
        let mut files = directories.map(|directory| Path::new(OsStr::from_bytes(directory)).join(name));
        files.find(|file| is_executable(file)).ok_or_else(|| at(StartStep::Program, name)(Errno::NOENT))
    }
}

/// `execve(2)`: returns only on failure. The first argument is the program's name.
pub fn exec(file: &Path, arguments: &[OsString], variables: &[(OsString, OsString)]) -> StartFailure {
    let errno = sys::exec::exec(file, arguments, variables);
    if errno == Errno::NOEXEC && read_format(file) == Some(ExecutableFormat::Unknown) {
        let read = [OsString::from("sh"), file.into()].into_iter().chain(arguments.iter().skip(1).cloned());
        sys::exec::exec(Path::new(SHELL), &read.collect::<Vec<_>>(), variables);
    }
    check_executable(file).err().unwrap_or_else(|| at(StartStep::Exec, file)(errno))
}

/// Checks machine type and interpreters of a program.
pub fn check_executable(file: &Path) -> Result<(), StartFailure> {
    let mut file = file.to_owned();
    for _ in 0..INTERPRETERS_MAX {
        let interpreter = match read_format(&file) {
            Some(ExecutableFormat::Elf { machine, .. }) if !machine.is_native() => {
                return Err(at(StartStep::Architecture, machine.name())(Errno::NOEXEC));
            }
            Some(
                ExecutableFormat::Elf { interpreter: Some(interpreter), .. }
                | ExecutableFormat::Script { interpreter },
            ) => interpreter,
            _ => return Ok(()),
        };
        if sys::statat(CWD, &interpreter).is_err() {
            return Err(at(StartStep::Interpreter, &interpreter)(Errno::NOENT));
        }
        file = interpreter;
    }
    Ok(())
}

fn is_executable(file: &Path) -> bool {
    sys::statat(CWD, file).is_ok_and(|found| {
        FileType::from_raw_mode(found.st_mode) == FileType::RegularFile && found.st_mode & 0o111 != 0
    })
}

fn read_format(file: &Path) -> Option<ExecutableFormat> {
    if !sys::statat(CWD, file)
        .is_ok_and(|found| FileType::from_raw_mode(found.st_mode) == FileType::RegularFile)
    {
        return None;
    }
    let mut bytes = Vec::new();
    File::open(file).ok()?.take(HEADER_BYTES_MAX).read_to_end(&mut bytes).ok()?;
    Some(ExecutableFormat::parse(&bytes))
}
