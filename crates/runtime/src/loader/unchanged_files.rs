//! Files whose modules a process evaluates again and again. In: paths of files that are read. Out:
//! whether they have changed since. Absent: what is kept of them; js/internal/esm.js has it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::time::{Duration, SystemTime};

use rusk_base::sys::Statx;
use rusk_base::sys::metadata::{self, SymlinkMode};
use rusk_jsc::{Call, Outcome, Scope};

use super::{file_watches, kept_modules};
use crate::state::RuntimeState;
use crate::values::string_argument;

/// A file that was changed so recently may change again without another time: clocks of file
/// systems tick up to every two seconds.
const SETTLED: Duration = Duration::from_secs(2);

/// What differs when a file has been changed or replaced.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    device: (u32, u32),
    inode: u64,
    bytes: u64,
    /// Seconds and nanoseconds; no program can set it.
    changed: (i64, u32),
}

thread_local! {
    static STAMPS: RefCell<HashMap<String, Stamp>> = RefCell::default();
}

/// Notes a file that was read just now. Out: whether changes of it would show.
pub fn note(path: &str) -> bool {
    // Before the look at it, so that no change is missed.
    let stat = if kept_modules::has_started() { file_watches::add(path) } else { None };
    let stamp = stat.map(Stamp::of_stat).or_else(|| Stamp::of(path)).filter(Stamp::is_settled);
    STAMPS.with_borrow_mut(|stamps| match stamp {
        Some(stamp) => stamps.insert(path.to_owned(), stamp),
        None => stamps.remove(path),
    });
    stamp.is_some()
}

/// Argument: a path of a file that was read just now. Out: whether changes of it would show.
/// Counters of coverage are made with each program: then they do not.
pub fn note_file<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = string_argument(scope, call, 0)?;
    Ok(scope.boolean(RuntimeState::current().instrument.get().is_none() && note(&path)))
}

/// Whether a file is known here.
pub fn has(path: &str) -> bool {
    STAMPS.with_borrow(|stamps| stamps.contains_key(path))
}

pub fn clear() {
    STAMPS.with_borrow_mut(HashMap::clear);
}

/// Argument: a path. Out: whether the file is as it was when it was noted.
pub fn is_unchanged<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = string_argument(scope, call, 0)?;
    let known = STAMPS.with_borrow(|stamps| stamps.get(&path).copied());
    Ok(scope.boolean(known.is_some() && known == Stamp::of(&path)))
}

impl Stamp {
    /// That of a file now; `None`: it is not there.
    pub fn of(path: &str) -> Option<Stamp> {
        metadata::stat(path, SymlinkMode::Follow).ok().map(Stamp::of_stat)
    }

    fn of_stat(stat: Statx) -> Stamp {
        let Statx { stx_dev_major, stx_dev_minor, stx_ino, stx_size, stx_ctime, .. } = stat;
        Stamp {
            device: (stx_dev_major, stx_dev_minor),
            inode: stx_ino,
            bytes: stx_size,
            changed: (stx_ctime.tv_sec, stx_ctime.tv_nsec),
        }
    }

    /// Whether a later change would give the file another stamp.
    pub fn is_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Duration::try_from_secs_f64(self.changed.0 as f64).is_ok_and(|changed| changed + SETTLED < now)
    }
}
