//! File metadata: stat, access, mode, owner, times. In: a path or a file descriptor. Out: nothing,
//! or the stat values. Absent: `Stats` objects and dates (`js/internal/fs/stats.js`).

use rusk_base::sys::metadata::{self, Access, SymlinkMode, Timespec, Timestamps, is_missing};
use rusk_base::sys::{self, raw_fd};
use rusk_jsc::{Call, Exception, Outcome, Scope};

use super::arguments::Arguments;
use super::dispatch::{dispatch, undefined};
use super::result::{FsError, NumberFormat, Output};

/// `access(path, mode, callback)`
pub fn access<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, mode) = (arguments.path_or_directory(0)?, arguments.integer(1)?.cast_unsigned());
    dispatch(scope, arguments.callback(2), move || {
        let outcome = metadata::access(&path, Access::from_bits_retain(mode));
        undefined(outcome, |errno| FsError::at(errno, "access", path))
    })
}

/// `exists(path)`: always synchronous.
pub fn exists<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = Arguments::new(scope, call).path_or_directory(0)?;
    Ok(scope.boolean(metadata::access(&path, Access::EXISTS).is_ok()))
}

/// `stat(path, isLink, asBigInts, mayBeMissing, callback)`: true, and the stat values; false if the
/// file does not exist and may be missing.
pub fn stat<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let path = arguments.path_or_directory(0)?;
    let (links, name) = match arguments.flag(1) {
        true => (SymlinkMode::NoFollow, "lstat"),
        false => (SymlinkMode::Follow, "stat"),
    };
    let (format, may_be_missing) = (NumberFormat::of(arguments.flag(2)), arguments.flag(3));
    dispatch(scope, arguments.callback(4), move || match metadata::stat(&path, links) {
        Ok(stat) => Ok(Output::Stat(Box::new(stat), format)),
        Err(errno) if may_be_missing && is_missing(errno) => Ok(Output::Boolean(false)),
        Err(errno) => Err(FsError::at(errno, name, path)),
    })
}

/// `fstat(fd, asBigInts, callback)`
pub fn fstat<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (fd, format) = (arguments.integer(0)?, NumberFormat::of(arguments.flag(1)));
    dispatch(scope, arguments.callback(2), move || {
        let stat = raw_fd::borrow(fd).and_then(metadata::fstat);
        let stat = stat.map_err(|errno| FsError::new(errno, "fstat"))?;
        Ok(Output::Stat(Box::new(stat), format))
    })
}

/// `statfs(path, asBigInts, callback)`
pub fn statfs<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, format) = (arguments.path(0)?, NumberFormat::of(arguments.flag(1)));
    dispatch(scope, arguments.callback(2), move || {
        let statfs = metadata::file_system(&path).map_err(|errno| FsError::at(errno, "statfs", path))?;
        Ok(Output::FileSystem(Box::new(statfs), format))
    })
}

/// `chmod(path, mode, callback)`
pub fn chmod<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, mode) = (arguments.path(0)?, arguments.mode(1)?);
    dispatch(scope, arguments.callback(2), move || {
        undefined(metadata::chmod(&path, mode), |errno| FsError::at(errno, "chmod", path))
    })
}

/// `fchmod(fd, mode, callback)`
pub fn fchmod<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (fd, mode) = (arguments.integer(0)?, arguments.mode(1)?);
    dispatch(scope, arguments.callback(2), move || {
        let outcome = raw_fd::borrow(fd).and_then(|file| sys::fchmod(file, mode));
        undefined(outcome, |errno| FsError::new(errno, "fchmod"))
    })
}

/// `chown(path, user, group, isLink, callback)`
pub fn chown<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, user, group) = (arguments.path(0)?, arguments.owner(1)?, arguments.owner(2)?);
    let (links, name) = match arguments.flag(3) {
        true => (SymlinkMode::NoFollow, "lchown"),
        false => (SymlinkMode::Follow, "chown"),
    };
    dispatch(scope, arguments.callback(4), move || {
        undefined(metadata::chown(&path, user, group, links), |errno| FsError::at(errno, name, path))
    })
}

/// `fchown(fd, user, group, callback)`
pub fn fchown<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (fd, user, group) = (arguments.integer(0)?, arguments.owner(1)?, arguments.owner(2)?);
    dispatch(scope, arguments.callback(3), move || {
        let outcome = raw_fd::borrow(fd).and_then(|file| metadata::fchown(file, user, group));
        undefined(outcome, |errno| FsError::new(errno, "fchown"))
    })
}

/// `utimes(path, atime, mtime, isLink, callback)`, in seconds.
pub fn utimes<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, times) = (arguments.path(0)?, times(arguments, 1)?);
    let (links, name) = match arguments.flag(3) {
        true => (SymlinkMode::NoFollow, "lutime"),
        false => (SymlinkMode::Follow, "utime"),
    };
    dispatch(scope, arguments.callback(4), move || {
        undefined(metadata::set_times(&path, &times, links), |errno| FsError::at(errno, name, path))
    })
}

/// `futimes(fd, atime, mtime, callback)`, in seconds.
pub fn futimes<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (fd, times) = (arguments.integer(0)?, times(arguments, 1)?);
    dispatch(scope, arguments.callback(3), move || {
        let outcome = raw_fd::borrow(fd).and_then(|file| metadata::set_times_fd(file, &times));
        undefined(outcome, |errno| FsError::new(errno, "futime"))
    })
}

fn times<'s>(arguments: Arguments<'_, 's>, first: usize) -> Result<Timestamps, Exception<'s>> {
    Ok(Timestamps {
        last_access: timespec(arguments.number(first)?),
        last_modification: timespec(arguments.number(first + 1)?),
    })
}

/// Seconds since the epoch as a timespec, truncated to microseconds as in libuv. Infinity is now,
/// NaN leaves the time unchanged.
fn timespec(seconds: f64) -> Timespec {
    if seconds.is_nan() {
        return Timespec { tv_sec: 0, tv_nsec: metadata::UTIME_OMIT };
    }
    if seconds.is_infinite() {
        return Timespec { tv_sec: 0, tv_nsec: metadata::UTIME_NOW };
    }
    let integral = seconds.trunc() as i64;
    let nanos = ((seconds - seconds.trunc()) * 1e9) as i64;
    match nanos - nanos % 1000 {
        before @ ..0 => Timespec { tv_sec: integral - 1, tv_nsec: before + 1_000_000_000 },
        nanos => Timespec { tv_sec: integral, tv_nsec: nanos },
    }
}

#[cfg(test)]
mod tests;
