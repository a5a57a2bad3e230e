//! Fingerprint of a directory or file: device, inode, size and both times. In: `stat`. Out: a
//! fingerprint, and whether a change right after it would be noticed. Absent: reading anything.

use std::time::{SystemTime, UNIX_EPOCH};

use rusk_base::sys::Stat;

/// Timestamps have a granularity of at most 10 ms: a file that changed less than two steps ago may
/// change again with the same timestamp.
const SETTLED_AFTER_NS: i128 = 20_000_000;

/// If two fingerprints are equal and the first was settled, nothing changed in between.
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

    /// The same inode, changed or not.
    pub(crate) fn is_same_inode(&self, other: &Fingerprint) -> bool {
        (self.device, self.inode) == (other.device, other.inode)
    }

    /// Whether any later change results in another fingerprint; timestamps in the future prove
    /// nothing.
    pub(crate) fn is_settled(&self) -> bool {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_nanos() as i128);
        self.modified_ns.max(self.changed_ns) + SETTLED_AFTER_NS < now
    }
}

fn nanoseconds(seconds: impl Into<i128>, nanoseconds: impl Into<i128>) -> i128 {
    seconds.into() * 1_000_000_000 + nanoseconds.into()
}
