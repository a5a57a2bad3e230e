//! What can go wrong with a start, a wait, a signal: which step, which errno, about what.

use std::ffi::OsStr;
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

use crate::step::Step;

/// A start that went wrong. It knows what was being done, and about which file, if any.
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

    /// What was being done.
    pub fn step(&self) -> Step {
        self.step
    }

    /// A positive errno: `libc::ENOENT` and its like.
    pub fn errno(&self) -> i32 {
        self.errno
    }

    /// The program that could not be run, or the folder that could not be entered, as the command
    /// named it.
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
