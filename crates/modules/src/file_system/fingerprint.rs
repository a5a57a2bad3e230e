//! What tells one state of a directory or file from another: device, inode, and both times. In:
//! `stat`. Out: a key, and whether a change right after it would show in it. Absent: reading
//! anything.

use std::time::{SystemTime, UNIX_EPOCH};

use rusk_base::sys::Stat;

/// Times of files move in steps, of 10 ms where the kernel's clock is slowest: what changed less
/// than two of them ago may change once more and look the same.
const SETTLED_AFTER_NS: i128 = 20_000_000;

/// Equal keys, the first of them settled: nothing changed in between.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    device: u64,
    inode: u64,
    bytes: i64,
    modified_ns: i128,
    changed_ns: i128,
}

impl Fingerprint {
    pub(crate) fn new(stat: &Stat) -> Fingerprint {
        Fingerprint {
            device: stat.st_dev,
            inode: stat.st_ino,
            bytes: stat.st_size,
            modified_ns: nanoseconds(stat.st_mtime, stat.st_mtime_nsec),
            changed_ns: nanoseconds(stat.st_ctime, stat.st_ctime_nsec),
        }
    }

    /// The same thing, changed or not.
    pub(crate) fn is_same_inode(&self, other: &Fingerprint) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    /// Whether any later change gives another key; times from the future prove nothing.
    pub(crate) fn is_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as i128);
        self.modified_ns.max(self.changed_ns) + SETTLED_AFTER_NS < now
    }
}

fn nanoseconds(seconds: impl Into<i128>, nanoseconds: impl Into<i128>) -> i128 {
    seconds.into() * 1_000_000_000 + nanoseconds.into()
}
