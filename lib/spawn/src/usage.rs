//! Resource usage of a child. In: the kernel's `rusage`. Out: a [`Usage`].

use std::time::Duration;

/// The usage of a child and of the descendants that were waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    pub user: Duration,
    pub system: Duration,
    /// The peak resident set size. A child begins in its parent's memory, which counts.
    pub resident_bytes_max: u64,
    pub shared_bytes: u64,
    pub swaps: u64,
    /// Blocks read and written.
    pub blocks_in: u64,
    pub blocks_out: u64,
    pub messages_sent: u64,
    pub messages_received: u64,
    pub signals: u64,
    pub switches_voluntary: u64,
    pub switches_involuntary: u64,
}

impl From<libc::rusage> for Usage {
    fn from(usage: libc::rusage) -> Usage {
        let time = |time: libc::timeval| {
            Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
        };
        Usage {
            user: time(usage.ru_utime),
            system: time(usage.ru_stime),
            // The kernel counts in KiB.
            resident_bytes_max: usage.ru_maxrss as u64 * 1024,
            shared_bytes: usage.ru_ixrss as u64,
            swaps: usage.ru_nswap as u64,
            blocks_in: usage.ru_inblock as u64,
            blocks_out: usage.ru_oublock as u64,
            messages_sent: usage.ru_msgsnd as u64,
            messages_received: usage.ru_msgrcv as u64,
            signals: usage.ru_nsignals as u64,
            switches_voluntary: usage.ru_nvcsw as u64,
            switches_involuntary: usage.ru_nivcsw as u64,
        }
    }
}
