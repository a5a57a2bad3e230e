//! What is counted and until when, and that a summary has no partly recorded call.

use super::*;
use crate::sys::Errno;

const OPEN: c_long = libc::SYS_openat;
const READ: c_long = libc::SYS_read;

fn find(summary: &SyscallSummary, number: c_long) -> SyscallRow {
    summary.rows.iter().find(|row| c_long::from(row.number) == number).cloned().unwrap_or_default()
}

#[test]
fn calls_are_counted_by_number_with_their_errors() {
    static STATISTICS: Statistics = Statistics::new();
    STATISTICS.begin();
    for number in 0..10 {
        let outcome = STATISTICS.traced(OPEN, || if number < 3 { Err(Errno::NOENT) } else { Ok(number) });
        assert_eq!(outcome, if number < 3 { Err(Errno::NOENT) } else { Ok(number) });
    }
    let _ = STATISTICS.traced(READ, || Ok(()));
    STATISTICS.freeze();
    let summary = STATISTICS.summary().expect("it is frozen");
    let (open, read) = (find(&summary, OPEN), find(&summary, READ));
    assert_eq!((open.count, open.errors, read.count, read.errors), (10, 3, 1, 0));
    assert_eq!(summary.rows.len(), 2);
}

#[test]
fn calls_before_the_start_and_after_the_freeze_are_not_counted() {
    static STATISTICS: Statistics = Statistics::new();
    let _ = STATISTICS.traced(OPEN, || Ok(()));
    assert_eq!(STATISTICS.summary(), None);
    STATISTICS.begin();
    let _ = STATISTICS.traced(READ, || Ok(()));
    // A call that began before the freeze and ends after it is not counted.
    let _ = STATISTICS.traced(OPEN, || {
        STATISTICS.freeze();
        Ok(())
    });
    let _ = STATISTICS.traced(READ, || Ok(()));
    let summary = STATISTICS.summary().expect("it is frozen");
    assert_eq!((summary.rows.len(), find(&summary, READ).count), (1, 1));
    STATISTICS.freeze();
    assert_eq!(STATISTICS.summary(), Some(summary));
}

#[test]
fn percentiles_are_bounds_by_powers_of_two() {
    let call = CallCounters::empty();
    call.buckets[3].store(98, Ordering::Relaxed);
    call.buckets[10].store(2, Ordering::Relaxed);
    call.max.store(1500, Ordering::Relaxed);
    let row = call.row(7, 0.5);
    assert_eq!((row.number, row.count, row.p50_ns, row.p99_ns, row.max_ns), (7, 100, 8, 750, 750));
}

#[test]
fn a_summary_during_writes_has_complete_calls() {
    static STATISTICS: Statistics = Statistics::new();
    STATISTICS.begin();
    let summary = std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while STATISTICS.state.load(Ordering::Relaxed) == ON {
                    // Each call takes 4 ticks and fails, so a complete record has as many errors as
                    // calls.
                    STATISTICS.add(READ as usize, 4, true);
                }
            });
        }
        while STATISTICS.counters[READ as usize].errors.load(Ordering::Relaxed) < 10_000 {
            spin_loop();
        }
        STATISTICS.freeze();
        STATISTICS.summary().expect("it is frozen")
    });
    let call = &STATISTICS.counters[READ as usize];
    let read = find(&summary, READ);
    assert_eq!(read.count, read.errors);
    assert_eq!(read.count * 4, call.total.load(Ordering::Relaxed));
    assert_eq!(STATISTICS.summary(), Some(summary));
}
