//! What is kept of a file beside its bytes. In: a path or a descriptor. Out: nothing, or the words
//! of `stat(2)`. Absent: dates and classes; JavaScript makes them of the words.

use rusk_base::sys::metadata::{self, Access, SymlinkMode, Timespec, Timestamps, is_missing};
use rusk_base::sys::{self, raw_fd};
use rusk_jsc::{Call, Exception, Outcome, Scope};

use super::answer::{Answer, Failure, Numbers};
use super::arguments::Arguments;
use super::perform::{nothing, perform};

/// `access(path, mode, done)`
pub fn access<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, wanted) = (arguments.path(0)?, arguments.integer(1)?.cast_unsigned());
    perform(scope, arguments.done(2), move || {
        let outcome = metadata::access(&path, Access::from_bits_retain(wanted));
        nothing(outcome, |errno| Failure::at(errno, "access", path))
    })
}

/// `exists(path)`, at once.
pub fn exists<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = Arguments::new(scope, call).path(0)?;
    Ok(scope.boolean(metadata::access(&path, Access::EXISTS).is_ok()))
}

/// `stat(path, isLink, areBigints, mayMiss, done)`: whether there is one; false only if it may
/// miss.
pub fn stat<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let path = arguments.path(0)?;
    let (links, name) = match arguments.flag(1) {
        true => (SymlinkMode::NoFollow, "lstat"),
        false => (SymlinkMode::Follow, "stat"),
    };
    let (numbers, may_miss) = (Numbers::of(arguments.flag(2)), arguments.flag(3));
    perform(scope, arguments.done(4), move || match metadata::stat(&path, links) {
        Ok(stat) => Ok(Answer::Stat(Box::new(stat), numbers)),
        Err(errno) if may_miss && is_missing(errno) => Ok(Answer::Flag(false)),
        Err(errno) => Err(Failure::at(errno, name, path)),
    })
}

/// `fstat(fd, areBigints, done)`
pub fn fstat<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (number, numbers) = (arguments.integer(0)?, Numbers::of(arguments.flag(1)));
    perform(scope, arguments.done(2), move || {
        let stat = raw_fd::borrow(number).and_then(metadata::fstat);
        let stat = stat.map_err(|errno| Failure::new(errno, "fstat"))?;
        Ok(Answer::Stat(Box::new(stat), numbers))
    })
}

/// `statfs(path, areBigints, done)`
pub fn statfs<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, numbers) = (arguments.path(0)?, Numbers::of(arguments.flag(1)));
    perform(scope, arguments.done(2), move || {
        let found = metadata::file_system(&path).map_err(|errno| Failure::at(errno, "statfs", path))?;
        Ok(Answer::FileSystem(Box::new(found), numbers))
    })
}

/// `chmod(path, mode, done)`
pub fn chmod<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, mode) = (arguments.path(0)?, arguments.mode(1)?);
    perform(scope, arguments.done(2), move || {
        nothing(metadata::chmod(&path, mode), |errno| Failure::at(errno, "chmod", path))
    })
}

/// `fchmod(fd, mode, done)`
pub fn fchmod<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (number, mode) = (arguments.integer(0)?, arguments.mode(1)?);
    perform(scope, arguments.done(2), move || {
        let outcome = raw_fd::borrow(number).and_then(|file| sys::fchmod(file, mode));
        nothing(outcome, |errno| Failure::new(errno, "fchmod"))
    })
}

/// `chown(path, user, group, isLink, done)`
pub fn chown<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, user, group) = (arguments.path(0)?, arguments.owner(1)?, arguments.owner(2)?);
    let (links, name) = match arguments.flag(3) {
        true => (SymlinkMode::NoFollow, "lchown"),
        false => (SymlinkMode::Follow, "chown"),
    };
    perform(scope, arguments.done(4), move || {
        nothing(metadata::chown(&path, user, group, links), |errno| Failure::at(errno, name, path))
    })
}

/// `fchown(fd, user, group, done)`
pub fn fchown<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (number, user, group) = (arguments.integer(0)?, arguments.owner(1)?, arguments.owner(2)?);
    perform(scope, arguments.done(3), move || {
        let outcome = raw_fd::borrow(number).and_then(|file| metadata::fchown(file, user, group));
        nothing(outcome, |errno| Failure::new(errno, "fchown"))
    })
}

/// `utimes(path, accessed, modified, isLink, done)`, both in seconds.
pub fn utimes<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (path, times) = (arguments.path(0)?, times(arguments, 1)?);
    let (links, name) = match arguments.flag(3) {
        true => (SymlinkMode::NoFollow, "lutime"),
        false => (SymlinkMode::Follow, "utime"),
    };
    perform(scope, arguments.done(4), move || {
        nothing(metadata::set_times(&path, &times, links), |errno| Failure::at(errno, name, path))
    })
}

/// `futimes(fd, accessed, modified, done)`, both in seconds.
pub fn futimes<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let arguments = Arguments::new(scope, call);
    let (number, times) = (arguments.integer(0)?, times(arguments, 1)?);
    perform(scope, arguments.done(3), move || {
        let outcome = raw_fd::borrow(number).and_then(|file| metadata::set_times_fd(file, &times));
        nothing(outcome, |errno| Failure::new(errno, "futime"))
    })
}

fn times<'s>(arguments: Arguments<'_, 's>, first: usize) -> Result<Timestamps, Exception<'s>> {
    Ok(Timestamps {
        last_access: timespec(arguments.number(first)?),
        last_modification: timespec(arguments.number(first + 1)?),
    })
}

/// Seconds since 1970 as the kernel has them, cut to the microsecond as libuv does; infinity is
/// now, and NaN leaves a time as it is.
fn timespec(seconds: f64) -> Timespec {
    if seconds.is_nan() {
        return Timespec { tv_sec: 0, tv_nsec: metadata::UTIME_OMIT };
    }
    if seconds.is_infinite() {
        return Timespec { tv_sec: 0, tv_nsec: metadata::UTIME_NOW };
    }
    let whole = seconds.trunc() as i64;
    let nanos = ((seconds - seconds.trunc()) * 1e9) as i64;
    match nanos - nanos % 1000 {
        before @ ..0 => Timespec { tv_sec: whole - 1, tv_nsec: before + 1_000_000_000 },
        nanos => Timespec { tv_sec: whole, tv_nsec: nanos },
    }
}

#[cfg(test)]
mod tests;
