//! `realpath`: resolves symbolic links. In: a path. Out: the path without links. The kernel
//! resolves it where possible (`O_PATH` and `/proc/self/fd`). Component by component, as in Node's
//! JavaScript, is the fallback: it reports Node's errors and works without `/proc`. Absent: making
//! a path absolute lexically; JavaScript does that.

use std::collections::HashSet;
use std::ffi::{CStr, CString};
use std::os::fd::AsRawFd;

use rusk_base::sys::{self, CWD, Errno, FileType, Mode, OFlags};
use rusk_jsc::{Call, Outcome, Scope};

use super::arguments::Arguments;
use super::dispatch::dispatch;
use super::result::{FsError, Output};

/// The kernel's `MAXSYMLINKS`: links in the resolution of one path.
const SYMLINKS_MAX: usize = 40;

/// `realpath(path, asBytes, callback)`: with the errors of `realpath(3)`.
pub fn realpath<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, as_bytes) = (arguments.path(0)?, arguments.flag(1));
    dispatch(scope, arguments.callback(2), move || {
        let resolved = match kernel_path(&path) {
            Err(KernelPathError::Proc) => absolute(&path)
                .map_err(|errno| FsError::new(errno, "realpath"))
                .and_then(|absolute| stepwise(&absolute))
                .map_err(|failure| failure.errno),
            Err(KernelPathError::Errno(errno)) => Err(errno),
            Ok(resolved) => Ok(resolved),
        };
        match resolved {
            Ok(resolved) => Ok(Output::path(resolved, as_bytes)),
            Err(errno) => Err(FsError::at(errno, "realpath", path)),
        }
    })
}

/// `realpathStepwise(path, asBytes, callback)` of an absolute path: an error names the component
/// that is missing.
pub fn realpath_stepwise<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, as_bytes) = (arguments.path(0)?, arguments.flag(1));
    dispatch(scope, arguments.callback(2), move || {
        let resolved = kernel_path(&path).or_else(|_| stepwise(&path))?;
        Ok(Output::path(resolved, as_bytes))
    })
}

/// Why the kernel did not resolve a path.
enum KernelPathError {
    /// `/proc` is not available, or the path in it is not valid.
    Proc,
    Errno(Errno),
}

/// The path of a descriptor: proc(5).
fn kernel_path(path: &CStr) -> Result<CString, KernelPathError> {
    let open = sys::openat(CWD, path, OFlags::PATH, Mode::empty()).map_err(KernelPathError::Errno)?;
    let link = format!("/proc/self/fd/{}", open.as_raw_fd());
    let resolved = sys::readlinkat(CWD, link.as_str()).map_err(|_| KernelPathError::Proc)?;
    // A file that was removed meanwhile, or is outside our root directory, has no valid path.
    match resolved.to_bytes() {
        [b'/', ..] if !resolved.to_bytes().ends_with(b" (deleted)") => Ok(resolved),
        _ => Err(KernelPathError::Proc),
    }
}

fn absolute(path: &CStr) -> sys::Result<CString> {
    if path.to_bytes().starts_with(b"/") {
        return Ok(path.to_owned());
    }
    let bytes = [sys::current_dir()?.to_bytes(), b"/", path.to_bytes()].concat();
    CString::new(bytes).map_err(|_| Errno::INVAL)
}

/// Resolves one component after the other, as Node does in JavaScript: an error of `lstat` names
/// the missing component, one of `stat` a link cycle.
fn stepwise(path: &CStr) -> Result<CString, FsError> {
    let mut pending: Vec<Vec<u8>> = parts(path.to_bytes()).rev().collect();
    let mut resolved: Vec<u8> = Vec::new();
    let mut links = HashSet::new();
    let mut leads_to_pipe = false;
    while let Some(part) = pending.pop() {
        match &*part {
            b"" | b"." => continue,
            b".." => {
                resolved.truncate(resolved.iter().rposition(|byte| *byte == b'/').unwrap_or(0));
                continue;
            }
            _ => {}
        }
        let length = resolved.len();
        resolved.push(b'/');
        resolved.extend_from_slice(&part);
        let current = CString::new(resolved.clone()).expect("it came from a path");
        let stat = match sys::lstatat(CWD, &current) {
            Ok(stat) => stat,
            // Pipes in `/proc` are links whose target is not a path.
            Err(Errno::NOENT) if leads_to_pipe && pending.is_empty() => return Ok(current),
            Err(errno) => return Err(FsError::at(errno, "lstat", current)),
        };
        if FileType::from_raw_mode(stat.st_mode) != FileType::Symlink {
            continue;
        }
        match sys::statat(CWD, &current) {
            Ok(stat) => {
                let kind = FileType::from_raw_mode(stat.st_mode);
                leads_to_pipe = matches!(kind, FileType::Fifo | FileType::Socket);
            }
            Err(errno) => return Err(FsError::at(errno, "stat", current)),
        }
        links.insert(current.clone());
        if links.len() > SYMLINKS_MAX {
            return Err(FsError::at(Errno::LOOP, "stat", current));
        }
        let target = match sys::readlinkat(CWD, &current) {
            Ok(target) => target,
            Err(errno) => return Err(FsError::at(errno, "readlink", current)),
        };
        let is_absolute = target.to_bytes().starts_with(b"/");
        resolved.truncate(if is_absolute { 0 } else { length });
        pending.extend(parts(target.to_bytes()).rev());
    }
    if resolved.is_empty() {
        resolved.push(b'/');
    }
    Ok(CString::new(resolved).expect("it came from a path"))
}

fn parts(path: &[u8]) -> impl DoubleEndedIterator<Item = Vec<u8>> {
    path.split(|byte| *byte == b'/').map(<[u8]>::to_vec)
}
