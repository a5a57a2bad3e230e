//! Names in directories: made, taken away, changed. In: paths. Out: nothing, or what was made, or
//! what a link says. Absent: what has no name.

use std::ffi::{CStr, CString};

use rusk_base::files::unpredictable_name;
use rusk_base::sys::{self, CWD, Errno, FileType, Mode};
use rusk_jsc::{Call, Outcome, Scope};

use super::answer::{Answer, Failure};
use super::arguments::Arguments;
use super::perform::{nothing, perform};

/// Characters of `mkdtemp(3)` that replace the X.
const UNPREDICTABLE_LETTERS: usize = 6;

/// Tries at a name that nobody has; a second is already a wonder.
const NAME_TRIES_MAX: u32 = 64;

/// `mkdir(path, mode, isRecursive, done)`: recursively, the first directory that was made, if any.
pub fn mkdir<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, mode) = (arguments.path(0)?, arguments.mode(1)?);
    let is_recursive = arguments.flag(2);
    perform(scope, arguments.done(3), move || {
        if !is_recursive {
            return nothing(sys::mkdirat(CWD, &path, mode), |errno| Failure::at(errno, "mkdir", path));
        }
        match make_folders(&path, mode) {
            Ok(None) => Ok(Answer::Nothing),
            Ok(Some(first)) => Ok(Answer::Text(first.to_string_lossy().into_owned())),
            Err(errno) => Err(Failure::at(errno, "mkdir", path)),
        }
    })
}

/// Makes a directory and those above it that are missing: from below until one can be made, then
/// down again.
fn make_folders(path: &CStr, mode: Mode) -> sys::Result<Option<CString>> {
    let mut waiting = vec![path.to_owned()];
    let mut first = None;
    while let Some(path) = waiting.last() {
        match sys::mkdirat(CWD, path, mode) {
            Ok(()) => {
                let made = waiting.pop();
                first = first.or(made);
            }
            Err(Errno::NOENT) => match parent(path) {
                Some(parent) => waiting.push(parent),
                None => return Err(Errno::NOENT),
            },
            Err(errno @ (Errno::EXIST | Errno::ROFS | Errno::ACCESS | Errno::PERM)) => {
                let is_last = waiting.len() == 1;
                match sys::statat(CWD, path) {
                    Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Directory => {}
                    Ok(_) if errno == Errno::EXIST && !is_last => return Err(Errno::NOTDIR),
                    _ => return Err(errno),
                }
                waiting.pop();
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
    let kept = bytes[..end].iter().rposition(|byte| *byte != b'/').map_or(1, |last| last + 1);
    (kept < path.count_bytes()).then(|| CString::new(&bytes[..kept]).expect("a part of what has no null"))
}

/// `mkdtemp(prefix, areBytes, done)`: the directory's path.
pub fn mkdtemp<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (prefix, are_bytes) = (arguments.path(0)?, arguments.flag(1));
    perform(scope, arguments.done(2), move || {
        let with = |letters: &str| {
            CString::new([prefix.to_bytes(), letters.as_bytes()].concat()).expect("neither has a null")
        };
        for _ in 0..NAME_TRIES_MAX {
            let name = unpredictable_name();
            let path = with(&name[name.len() - UNPREDICTABLE_LETTERS..]);
            match sys::mkdirat(CWD, &path, Mode::RWXU) {
                Ok(()) => return Ok(Answer::path(path, are_bytes)),
                Err(Errno::EXIST) => {}
                Err(errno) => return Err(Failure::at(errno, "mkdtemp", with("XXXXXX"))),
            }
        }
        Err(Failure::at(Errno::EXIST, "mkdtemp", with("XXXXXX")))
    })
}

/// `rmdir(path, done)`
pub fn rmdir<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let path = arguments.path(0)?;
    perform(scope, arguments.done(1), move || {
        nothing(sys::rmdirat(CWD, &path), |errno| Failure::at(errno, "rmdir", path))
    })
}

/// `unlink(path, done)`
pub fn unlink<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let path = arguments.path(0)?;
    perform(scope, arguments.done(1), move || {
        nothing(sys::unlinkat(CWD, &path), |errno| Failure::at(errno, "unlink", path))
    })
}

/// `rename(from, to, done)`
pub fn rename<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    between(scope, call, "rename", |from, to| sys::renameat(CWD, from, CWD, to))
}

/// `link(from, to, done)`
pub fn link<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    between(scope, call, "link", |from, to| sys::linkat(CWD, from, CWD, to))
}

/// `symlink(text, path, done)`
pub fn symlink<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    between(scope, call, "symlink", |text, path| sys::symlinkat(text, CWD, path))
}

fn between<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    name: &'static str,
    work: fn(&CStr, &CStr) -> sys::Result<()>,
) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (from, to) = (arguments.path(0)?, arguments.path(1)?);
    perform(scope, arguments.done(2), move || {
        nothing(work(&from, &to), |errno| Failure::between(errno, name, from, to))
    })
}

/// `readlink(path, areBytes, done)`
pub fn readlink<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, are_bytes) = (arguments.path(0)?, arguments.flag(1));
    perform(scope, arguments.done(2), move || match sys::readlinkat(CWD, &path) {
        Ok(text) => Ok(Answer::path(text, are_bytes)),
        Err(errno) => Err(Failure::at(errno, "readlink", path)),
    })
}

#[cfg(test)]
mod tests;
