//! Where a path leads. In: a path. Out: the same place without links. Two ways, as Node has two:
//! the kernel's, which is used wherever it succeeds, and part by part, for its errors and for where
//! `/proc` is not there. Absent: making a path absolute by its characters; JavaScript does that.

use std::collections::HashSet;
use std::ffi::{CStr, CString};
use std::os::fd::AsRawFd;

use rusk_base::sys::{self, CWD, Errno, FileType, Mode, OFlags};
use rusk_jsc::{Call, Outcome, Scope};

use super::answer::{Answer, Failure};
use super::arguments::Arguments;
use super::perform::perform;

/// Links that one path may lead through: `MAXSYMLINKS` of the kernel.
const LINKS_MAX: usize = 40;

/// `realpath(path, areBytes, done)`: as `realpath(3)` says it.
pub fn realpath<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, are_bytes) = (arguments.path(0)?, arguments.flag(1));
    perform(scope, arguments.done(2), move || {
        let found = match by_kernel(&path) {
            Err(Unsure::Proc) => absolute(&path)
                .map_err(|errno| Failure::new(errno, "realpath"))
                .and_then(|absolute| stepwise(&absolute))
                .map_err(|failure| failure.errno),
            Err(Unsure::Errno(errno)) => Err(errno),
            Ok(found) => Ok(found),
        };
        match found {
            Ok(found) => Ok(Answer::path(found, are_bytes)),
            Err(errno) => Err(Failure::at(errno, "realpath", path)),
        }
    })
}

/// `realpathStepwise(path, areBytes, done)` of an absolute path: what is missing on the way is
/// named.
pub fn realpath_stepwise<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, are_bytes) = (arguments.path(0)?, arguments.flag(1));
    perform(scope, arguments.done(2), move || {
        let found = by_kernel(&path).or_else(|_| stepwise(&path))?;
        Ok(Answer::path(found, are_bytes))
    })
}

/// Why the kernel has no answer.
enum Unsure {
    /// It has no place to ask.
    Proc,
    Errno(Errno),
}

/// A descriptor's own path: proc(5).
fn by_kernel(path: &CStr) -> Result<CString, Unsure> {
    let open = sys::openat(CWD, path, OFlags::PATH, Mode::empty()).map_err(Unsure::Errno)?;
    let link = format!("/proc/self/fd/{}", open.as_raw_fd());
    let found = sys::readlinkat(CWD, link.as_str()).map_err(|_| Unsure::Proc)?;
    // What has been removed meanwhile, or stands outside of our root, has a path that leads
    // nowhere.
    match found.to_bytes() {
        [b'/', ..] if !found.to_bytes().ends_with(b" (deleted)") => Ok(found),
        _ => Err(Unsure::Proc),
    }
}

fn absolute(path: &CStr) -> sys::Result<CString> {
    if path.to_bytes().starts_with(b"/") {
        return Ok(path.to_owned());
    }
    let bytes = [sys::current_dir()?.to_bytes(), b"/", path.to_bytes()].concat();
    CString::new(bytes).map_err(|_| Errno::INVAL)
}

/// Follows one link after the other, as Node does in JavaScript: `lstat` names what is missing,
/// `stat` what never ends.
fn stepwise(path: &CStr) -> Result<CString, Failure> {
    let mut waiting: Vec<Vec<u8>> = parts(path.to_bytes()).rev().collect();
    let mut found: Vec<u8> = Vec::new();
    let mut links = HashSet::new();
    let mut leads_to_pipe = false;
    while let Some(part) = waiting.pop() {
        match &*part {
            b"" | b"." => continue,
            b".." => {
                found.truncate(found.iter().rposition(|byte| *byte == b'/').unwrap_or(0));
                continue;
            }
            _ => {}
        }
        let length = found.len();
        found.push(b'/');
        found.extend_from_slice(&part);
        let here = CString::new(found.clone()).expect("it came from a path");
        let stat = match sys::lstatat(CWD, &here) {
            Ok(stat) => stat,
            // Pipes in `/proc` are links whose text is no path.
            Err(Errno::NOENT) if leads_to_pipe && waiting.is_empty() => return Ok(here),
            Err(errno) => return Err(Failure::at(errno, "lstat", here)),
        };
        if FileType::from_raw_mode(stat.st_mode) != FileType::Symlink {
            continue;
        }
        match sys::statat(CWD, &here) {
            Ok(stat) => {
                let kind = FileType::from_raw_mode(stat.st_mode);
                leads_to_pipe = matches!(kind, FileType::Fifo | FileType::Socket);
            }
            Err(errno) => return Err(Failure::at(errno, "stat", here)),
        }
        links.insert(here.clone());
        if links.len() > LINKS_MAX {
            return Err(Failure::at(Errno::LOOP, "stat", here));
        }
        let text = match sys::readlinkat(CWD, &here) {
            Ok(text) => text,
            Err(errno) => return Err(Failure::at(errno, "readlink", here)),
        };
        let is_absolute = text.to_bytes().starts_with(b"/");
        found.truncate(if is_absolute { 0 } else { length });
        waiting.extend(parts(text.to_bytes()).rev());
    }
    if found.is_empty() {
        found.push(b'/');
    }
    Ok(CString::new(found).expect("it came from a path"))
}

fn parts(path: &[u8]) -> impl DoubleEndedIterator<Item = Vec<u8>> {
    path.split(|byte| *byte == b'/').map(<[u8]>::to_vec)
}
