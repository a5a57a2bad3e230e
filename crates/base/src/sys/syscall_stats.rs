//! What we asked of the kernel, counted where we ask: by call number how often, how often in vain,
//! how long. In: calls as this module's neighbours make them. Out: sums, once it is frozen. Off,
//! which it nearly always is, a call costs one load more; on, two readings of the processor's own
//! counter and four additions, without a lock. Absent: names of calls, and calls that others make
//! in our process.
#![allow(unsafe_code)]

use std::ffi::c_long;
use std::hint::spin_loop;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::Result;
use super::stopped_child::now_ns;

/// More numbers than the kernel has on any processor that we know.
const CALLS: usize = 512;

/// Durations by the powers of two, in ticks: the last holds what takes hours.
const OCTAVES: usize = 48;

static RECORD: Record = Record::new();

/// Counts from now on.
pub fn begin() {
    RECORD.begin();
}

/// Counts nothing more. The first one of several decides when that is.
pub fn freeze() {
    RECORD.freeze();
}

/// What was counted; `None` where nothing was, or it is not frozen.
pub fn summary() -> Option<SyscallSummary> {
    RECORD.summary()
}

/// Makes a call, and takes it down where that is wanted.
#[inline]
pub fn traced<T>(number: c_long, call: impl FnOnce() -> Result<T>) -> Result<T> {
    RECORD.traced(number, call)
}

/// What was asked, by call, the one that took longest first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyscallSummary {
    /// From the beginning until it was frozen.
    pub wall_ns: u64,
    pub rows: Vec<SyscallRow>,
}

/// One call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SyscallRow {
    pub number: u32,
    pub count: u64,
    pub errors: u64,
    pub total_ns: u64,
    /// Half of them took no longer, 99 of 100 did not: up to the next power of two.
    pub p50_ns: u64,
    pub p99_ns: u64,
    pub max_ns: u64,
}

const OFF: u8 = 0;
const ON: u8 = 1;
const FROZEN: u8 = 2;

struct Record {
    state: AtomicU8,
    /// Who writes at this moment.
    writing: AtomicU64,
    from: Moment,
    until: Moment,
    slots: [Slot; CALLS],
}

/// The same time by both clocks, which tells how long a tick is.
struct Moment {
    ticks: AtomicU64,
    ns: AtomicU64,
}

/// All times in ticks.
struct Slot {
    errors: AtomicU64,
    total: AtomicU64,
    max: AtomicU64,
    /// How many took from 2ⁿ to twice that.
    octaves: [AtomicU64; OCTAVES],
}

impl Record {
    const fn new() -> Record {
        Record {
            state: AtomicU8::new(OFF),
            writing: AtomicU64::new(0),
            from: Moment::never(),
            until: Moment::never(),
            slots: [const { Slot::empty() }; CALLS],
        }
    }

    fn begin(&self) {
        self.from.set();
        self.state.store(ON, Ordering::SeqCst);
    }

    fn freeze(&self) {
        if self.state.compare_exchange(ON, FROZEN, Ordering::SeqCst, Ordering::SeqCst).is_ok() {
            self.until.set();
        }
    }

    #[inline]
    fn traced<T>(&self, number: c_long, call: impl FnOnce() -> Result<T>) -> Result<T> {
        if self.state.load(Ordering::Relaxed) != ON {
            return call();
        }
        let before = ticks();
        let outcome = call();
        self.note(number as usize, ticks().saturating_sub(before), outcome.is_err());
        outcome
    }

    fn note(&self, number: usize, ticks: u64, is_error: bool) {
        // In this order, and in the other one where the sums are taken, either we see that it is
        // over or we are waited for.
        self.writing.fetch_add(1, Ordering::SeqCst);
        if self.state.load(Ordering::SeqCst) == ON {
            let slot = &self.slots[number.min(CALLS - 1)];
            slot.total.fetch_add(ticks, Ordering::Relaxed);
            slot.octaves[(ticks.max(1).ilog2() as usize).min(OCTAVES - 1)].fetch_add(1, Ordering::Relaxed);
            if is_error {
                slot.errors.fetch_add(1, Ordering::Relaxed);
            }
            if ticks > slot.max.load(Ordering::Relaxed) {
                slot.max.fetch_max(ticks, Ordering::Relaxed);
            }
        }
        self.writing.fetch_sub(1, Ordering::Release);
    }

    fn summary(&self) -> Option<SyscallSummary> {
        if self.state.load(Ordering::SeqCst) != FROZEN {
            return None;
        }
        // A call that was being written down is written down wholly.
        while self.writing.load(Ordering::SeqCst) > 0 {
            spin_loop();
        }
        let between = |clock: fn(&Moment) -> u64| clock(&self.until).saturating_sub(clock(&self.from));
        let ticks = between(|moment| moment.ticks.load(Ordering::SeqCst));
        let wall_ns = between(|moment| moment.ns.load(Ordering::SeqCst));
        let scale = wall_ns as f64 / ticks.max(1) as f64;
        let rows = self.slots.iter().enumerate().map(|(number, slot)| slot.row(number as u32, scale));
        let mut rows: Vec<SyscallRow> = rows.filter(|row| row.count > 0).collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.total_ns));
        Some(SyscallSummary { wall_ns, rows })
    }
}

impl Moment {
    const fn never() -> Moment {
        Moment { ticks: AtomicU64::new(0), ns: AtomicU64::new(0) }
    }

    fn set(&self) {
        self.ticks.store(ticks(), Ordering::SeqCst);
        self.ns.store(now_ns(), Ordering::SeqCst);
    }
}

impl Slot {
    const fn empty() -> Slot {
        Slot {
            errors: AtomicU64::new(0),
            total: AtomicU64::new(0),
            max: AtomicU64::new(0),
            octaves: [const { AtomicU64::new(0) }; OCTAVES],
        }
    }

    /// `scale`: nanoseconds of a tick.
    fn row(&self, number: u32, scale: f64) -> SyscallRow {
        let ns = |ticks: u64| (ticks as f64 * scale).round() as u64;
        let octaves = self.octaves.each_ref().map(|octave| octave.load(Ordering::Relaxed));
        let count: u64 = octaves.iter().sum();
        let max = self.max.load(Ordering::Relaxed);
        let percentile = |percent: u64| {
            let mut left = (count * percent).div_ceil(100);
            let octave = octaves.iter().position(|found| {
                left = left.saturating_sub(*found);
                left == 0
            });
            octave.map_or(max, |octave| (2_u64 << octave).min(max))
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

/// The processor's own counter, a third of what `clock_gettime(2)` costs; it runs at one speed on
/// every processor that the kernel trusts it on.
#[cfg(target_arch = "x86_64")]
fn ticks() -> u64 {
    // SAFETY: every processor of this kind has the instruction, and Linux allows it unless a
    // process gives it up.
    unsafe { std::arch::x86_64::_rdtsc() }
}

#[cfg(not(target_arch = "x86_64"))]
fn ticks() -> u64 {
    now_ns()
}

#[cfg(test)]
mod tests;
