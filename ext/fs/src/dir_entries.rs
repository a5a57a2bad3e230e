//! Directory entries: mkdir, mkdtemp, rmdir, unlink, rename, link, symlink, readlink. In: paths.
//! Out: nothing, the created path, or a link's target.

use std::ffi::{CStr, CString};

use rusk_base::files::unpredictable_name;
use rusk_base::sys::{self, CWD, Errno, FileType, Mode};
use rusk_jsc::{Call, Outcome, Scope};

use super::arguments::Arguments;
use super::dispatch::{dispatch, undefined};
use super::result::{FsError, Output};

/// Random characters at the end of a `mkdtemp(3)` name.
const RANDOM_CHARACTERS: usize = 6;

/// Attempts at an unused name; even a second one is improbable.
const ATTEMPTS_MAX: u32 = 64;

/// `mkdir(path, mode, isRecursive, callback)`. If recursive, returns the first created directory.
pub fn mkdir<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, mode) = (arguments.path(0)?, arguments.mode(1)?);
    let is_recursive = arguments.flag(2);
    dispatch(scope, arguments.callback(3), move || {
        if !is_recursive {
            return undefined(sys::mkdirat(CWD, &path, mode), |errno| FsError::at(errno, "mkdir", path));
        }
        match make_directories(&path, mode) {
            Ok(None) => Ok(Output::Undefined),
            Ok(Some(first)) => Ok(Output::String(first.to_string_lossy().into_owned())),
            Err(errno) => Err(FsError::at(errno, "mkdir", path)),
        }
    })
}

/// Creates a directory and its missing parents: walks up until one can be created, then down again.
fn make_directories(path: &CStr, mode: Mode) -> sys::Result<Option<CString>> {
    let mut missing = vec![path.to_owned()];
    let mut first = None;
    while let Some(path) = missing.last() {
        match sys::mkdirat(CWD, path, mode) {
            Ok(()) => {
                let created = missing.pop();
                first = first.or(created);
            }
            Err(Errno::NOENT) => match parent(path) {
                Some(parent) => missing.push(parent),
                None => return Err(Errno::NOENT),
            },
            Err(errno @ (Errno::EXIST | Errno::ROFS | Errno::ACCESS | Errno::PERM)) => {
                let is_last = missing.len() == 1;
                match sys::statat(CWD, path) {
                    Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => {}
                    Ok(_) if errno == Errno::EXIST && !is_last => return Err(Errno::NOTDIR),
                    _ => return Err(errno),
                }
                missing.pop();
            }
            Err(errno) => return Err(errno),
        }
    }
    Ok(first)
}

fn parent(path: &CStr) -> Option<CString> {
    let mut bytes = path.to_bytes();
    while let Some(rest) = bytes.strip_suffix(b"/") {
        bytes = rest;
    }
    let end = bytes.iter().rposition(|byte| *byte == b'/')?;
    let length = bytes[..end].iter().rposition(|byte| *byte != b'/').map_or(1, |last| last + 1);
    (length < path.count_bytes()).then(|| CString::new(&bytes[..length]).expect("a part of what has no null"))
}

/// `mkdtemp(prefix, asBytes, callback)`: the path of the created directory.
pub fn mkdtemp<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (prefix, as_bytes) = (arguments.path(0)?, arguments.flag(1));
    dispatch(scope, arguments.callback(2), move || {
        let with_suffix = |suffix: &str| {
            CString::new([prefix.to_bytes(), suffix.as_bytes()].concat()).expect("neither has a null")
        };
        for _ in 0..ATTEMPTS_MAX {
            let name = unpredictable_name();
            let path = with_suffix(&name[name.len() - RANDOM_CHARACTERS..]);
            match sys::mkdirat(CWD, &path, Mode::RWXU) {
                Ok(()) => return Ok(Output::path(path, as_bytes)),
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(FsError::at(errno, "mkdtemp", with_suffix("XXXXXX"))),
            }
        }
        Err(FsError::at(Errno::EXIST, "mkdtemp", with_suffix("XXXXXX")))
    })
}

/// `rmdir(path, callback)`
pub fn rmdir<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let path = arguments.path(0)?;
    dispatch(scope, arguments.callback(1), move || {
        undefined(sys::rmdirat(CWD, &path), |errno| FsError::at(errno, "rmdir", path))
    })
}

/// `unlink(path, callback)`
pub fn unlink<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let path = arguments.path(0)?;
    dispatch(scope, arguments.callback(1), move || {
        undefined(sys::unlinkat(CWD, &path), |errno| FsError::at(errno, "unlink", path))
    })
}

/// `rename(from, to, callback)`
pub fn rename<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    two_paths(scope, call, "rename", |from, to| sys::renameat(CWD, from, CWD, to))
}

/// `link(from, to, callback)`
pub fn link<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    two_paths(scope, call, "link", |from, to| sys::linkat(CWD, from, CWD, to))
}

/// `symlink(target, path, callback)`
pub fn symlink<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    two_paths(scope, call, "symlink", |target, path| sys::symlinkat(target, CWD, path))
}

fn two_paths<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    name: &'static str,
    work: fn(&CStr, &CStr) -> sys::Result<()>,
) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (from, to) = (arguments.path(0)?, arguments.path(1)?);
    dispatch(scope, arguments.callback(2), move || {
        undefined(work(&from, &to), |errno| FsError::between(errno, name, from, to))
    })
}

/// `readlink(path, asBytes, callback)`
pub fn readlink<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, as_bytes) = (arguments.path(0)?, arguments.flag(1));
    dispatch(scope, arguments.callback(2), move || match sys::readlinkat(CWD, &path) {
        Ok(target) => Ok(Output::path(target, as_bytes)),
        Err(errno) => Err(FsError::at(errno, "readlink", path)),
    })
}

#[cfg(test)]
mod tests;
