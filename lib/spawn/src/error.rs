//! Errors of starts, waits and signals: a step, an errno, and a path.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use crate::step::Step;

/// A failed start, with the step and the file, if any.
#[derive(Clone, Debug)]
pub struct Error {
    step: Step,
    errno: i32,
    path: Option<Arc<[u8]>>,
}

pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    pub(crate) fn new(step: Step, errno: i32) -> Error {
        Error { step, errno, path: None }
    }

    pub(crate) fn about(step: Step, errno: i32, path: Option<Arc<[u8]>>) -> Error {
        Error { step, errno, path }
    }

    /// What failed.
    pub fn step(&self) -> Step {
        self.step
    }

    /// A positive errno, such as `libc::ENOENT`.
    pub fn errno(&self) -> i32 {
        self.errno
    }

    /// The program or directory that failed, as the command named it.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref().map(|path| Path::new(OsStr::from_bytes(path)))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = io::Error::from_raw_os_error(self.errno);
        match self.path() {
            Some(path) => write!(out, "{}: `{}`: {reason}", self.step, path.display()),
            None => write!(out, "{}: {reason}", self.step),
        }
    }
}

impl std::error::Error for Error {}

impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        io::Error::new(io::Error::from_raw_os_error(error.errno).kind(), error)
    }
}
