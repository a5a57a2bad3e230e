//! System call statistics of our own calls: by call number the count, errors and durations. In:
//! calls made through [`traced`]. Out: a summary, after the statistics are frozen. Absent: names of
//! calls, and calls that other code in the process makes.
//!
//! While off, which is the normal case, a call costs one more load; while on, two reads of the
//! CPU's time stamp counter and four additions, without a lock.
#![allow(unsafe_code)]

use std::ffi::c_long;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::Result;
use super::stopped_child::now_ns;

/// More than the highest call number of any supported architecture.
const CALLS: usize = 512;

/// Buckets of durations by powers of two, in ticks; the last one has everything longer.
const BUCKETS: usize = 48;

static STATISTICS: Statistics = Statistics::new();

/// Starts counting.
pub fn begin() {
    STATISTICS.begin();
}

/// Stops counting. Only the first call has an effect.
pub fn freeze() {
    STATISTICS.freeze();
}

/// The summary; `None` if nothing was counted or it is not frozen yet.
pub fn summary() -> Option<SyscallSummary> {
    STATISTICS.summary()
}

/// Makes a system call, and counts it while statistics are on.
#[inline]
pub fn traced<T>(number: c_long, call: impl FnOnce() -> Result<T>) -> Result<T> {
    STATISTICS.traced(number, call)
}

/// Statistics by call, in descending order of total time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyscallSummary {
    /// From [`begin`] to [`freeze`].
    pub wall_ns: u64,
    pub rows: Vec<SyscallRow>,
}

/// The statistics of one system call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyscallRow {
    pub number: u32,
    pub count: u64,
    pub errors: u64,
    pub total_ns: u64,
    /// Percentiles, rounded up to a power of two.
    pub p50_ns: u64,
    pub p99_ns: u64,
    pub max_ns: u64,
}

const OFF: u8 = 0;
const ON: u8 = 1;
const FROZEN: u8 = 2;

struct Statistics {
    state: AtomicU8,
    /// Threads that are writing at this clocks.
    writing: AtomicU64,
    start: ClockPair,
    end: ClockPair,
    counters: [CallCounters; CALLS],
}

/// One clocks by both clocks; two of them give the duration of a tick.
struct ClockPair {
    ticks: AtomicU64,
    ns: AtomicU64,
}

/// Counters of one system call; times in ticks.
struct CallCounters {
    errors: AtomicU64,
    total: AtomicU64,
    max: AtomicU64,
    /// Number of calls that took from 2ⁿ to 2ⁿ⁺¹ ticks.
    buckets: [AtomicU64; BUCKETS],
}

impl Statistics {
    const fn new() -> Statistics {
        Statistics {
            state: AtomicU8::new(OFF),
            writing: AtomicU64::new(0),
            start: ClockPair::unset(),
            end: ClockPair::unset(),
            counters: [const { CallCounters::empty() }; CALLS],
        }
    }

    fn begin(&self) {
        self.start.set();
        self.state.store(ON, Ordering::SeqCst);
    }

    fn freeze(&self) {
        if self.state.compare_exchange(ON, FROZEN, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            self.end.set();
        }
    }

    #[inline]
    fn traced<T>(&self, number: c_long, call: impl FnOnce() -> Result<T>) -> Result<T> {
        if self.state.load(Ordering::Relaxed) != ON {
            return call();
        }
        let before = ticks();
        let outcome = call();
        self.add(number as usize, ticks().saturating_sub(before), outcome.is_err());
        outcome
    }

    fn add(&self, number: usize, ticks: u64, is_error: bool) {
        // The summary reads these two in the opposite order, so either we see that it is frozen, or
        // the summary waits for us.
        self.writing.fetch_add(1, Ordering::SeqCst);
        if self.state.load(Ordering::SeqCst) == ON {
            let call = &self.counters[number.min(CALLS - 1)];
            call.total.fetch_add(ticks, Ordering::Relaxed);
            call.buckets[(ticks.max(1).ilog2() as usize).min(BUCKETS - 1)].fetch_add(1, Ordering::Relaxed);
            if is_error {
                call.errors.fetch_add(1, Ordering::Relaxed);
            }
            if ticks > call.max.load(Ordering::Relaxed) {
                call.max.fetch_max(ticks, Ordering::Relaxed);
            }
        }
        self.writing.fetch_sub(1, Ordering::Release);
    }

    fn summary(&self) -> Option<SyscallSummary> {
        if self.state.load(Ordering::SeqCst) != FROZEN {
            return None;
        }
        // A call that is being recorded is recorded completely.
        while self.writing.load(Ordering::SeqCst) > 0 {
            spin_loop();
        }
        let between = |clock: fn(&ClockPair) -> u64| clock(&self.end).saturating_sub(clock(&self.start));
        let ticks = between(|clocks| clocks.ticks.load(Ordering::SeqCst));
        let wall_ns = between(|clocks| clocks.ns.load(Ordering::SeqCst));
        let scale = wall_ns as f64 / ticks.max(1) as f64;
        let rows = self.counters.iter().enumerate().map(|(number, call)| call.row(number as u32, scale));
        let mut rows: Vec<SyscallRow> = rows.filter(|row| row.count > 0).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.total_ns));
        Some(SyscallSummary { wall_ns, rows })
    }
}

impl ClockPair {
    const fn unset() -> ClockPair {
        ClockPair { ticks: AtomicU64::new(0), ns: AtomicU64::new(0) }
    }

    fn set(&self) {
        self.ticks.store(ticks(), Ordering::SeqCst);
        self.ns.store(now_ns(), Ordering::SeqCst);
    }
}

impl CallCounters {
    const fn empty() -> CallCounters {
        CallCounters {
            errors: AtomicU64::new(0),
            total: AtomicU64::new(0),
            max: AtomicU64::new(0),
            buckets: [const { AtomicU64::new(0) }; BUCKETS],
        }
    }

    /// `scale`: nanoseconds per tick.
    fn row(&self, number: u32, scale: f64) -> SyscallRow {
        let ns = |ticks: u64| (ticks as f64 * scale).round() as u64;
        let buckets = self.buckets.each_ref().map(|bucket| bucket.load(Ordering::Relaxed));
        let count: u64 = buckets.iter().sum();
        let max = self.max.load(Ordering::Relaxed);
        let percentile = |percent: u64| {
            let mut left = (count * percent).div_ceil(100);
            let bucket = buckets.iter().position(|count| {
                left = left.saturating_sub(*count);
                left == 0
            });
            bucket.map_or(max, |bucket| (2_u64 << bucket).min(max))
        };
        SyscallRow {
            number,
            count,
            errors: self.errors.load(Ordering::Relaxed),
            total_ns: ns(self.total.load(Ordering::Relaxed)),
            p50_ns: ns(percentile(50)),
            p99_ns: ns(percentile(99)),
            max_ns: ns(max),
        }
    }
}

/// The time stamp counter costs a third of `clock_gettime(2)`. It has a constant rate on all CPUs
/// on which the kernel trusts it.
#[cfg(target_arch = "x86_64")]
fn ticks() -> u64 {
    // SAFETY: every x86-64 CPU has the instruction, and Linux allows it unless a process disables
    // it.
    unsafe { std::arch::x86_64::_rdtsc() }
}

#[cfg(not(target_arch = "x86_64"))]
fn ticks() -> u64 {
    now_ns()
}

#[cfg(test)]
mod tests;
