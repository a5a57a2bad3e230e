//! What is counted, when it is not any more, and that sums never show half a call.

use super::*;
use crate::sys::Errno;

const OPEN: c_long = libc::SYS_openat;
const READ: c_long = libc::SYS_read;

fn find(sums: &SyscallSummary, number: c_long) -> SyscallRow {
    sums.rows.iter().find(|row| c_long::from(row.number) == number).cloned().unwrap_or_default()
}

#[test]
fn calls_are_counted_by_number_with_their_errors() {
    static RECORD: Record = Record::new();
    RECORD.begin();
    for number in 0..10 {
        let answer = RECORD.traced(OPEN, || if number < 3 { Err(Errno::NOENT) } else { Ok(number) });
        assert_eq!(answer, if number < 3 { Err(Errno::NOENT) } else { Ok(number) });
    }
    let _ = RECORD.traced(READ, || Ok(()));
    RECORD.freeze();
    let sums = RECORD.summary().expect("it is frozen");
    let (open, read) = (find(&sums, OPEN), find(&sums, READ));
    assert_eq!((open.count, open.errors, read.count, read.errors), (10, 3, 1, 0));
    assert_eq!(sums.rows.len(), 2);
}

#[test]
fn nothing_is_counted_before_the_beginning_or_once_it_is_frozen() {
    static RECORD: Record = Record::new();
    let _ = RECORD.traced(OPEN, || Ok(()));
    assert_eq!(RECORD.summary(), None);
    RECORD.begin();
    let _ = RECORD.traced(READ, || Ok(()));
    // A call that began before and ends after is not counted.
    let _ = RECORD.traced(OPEN, || {
        RECORD.freeze();
        Ok(())
    });
    let _ = RECORD.traced(READ, || Ok(()));
    let sums = RECORD.summary().expect("it is frozen");
    assert_eq!((sums.rows.len(), find(&sums, READ).count), (1, 1));
    RECORD.freeze();
    assert_eq!(RECORD.summary(), Some(sums));
}

#[test]
fn percentiles_are_bounds_by_powers_of_two() {
    let slot = Slot::empty();
    slot.octaves[3].store(98, Ordering::Relaxed);
    slot.octaves[10].store(2, Ordering::Relaxed);
    slot.max.store(1500, Ordering::Relaxed);
    let row = slot.row(7, 0.5);
    assert_eq!((row.number, row.count, row.p50_ns, row.p99_ns, row.max_ns), (7, 100, 8, 750, 750));
}

#[test]
fn sums_taken_while_others_write_hold_whole_calls() {
    static RECORD: Record = Record::new();
    RECORD.begin();
    let sums = std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while RECORD.state.load(Ordering::Relaxed) == ON {
                    // Each call takes 4 ticks and fails: what is whole has as many errors as calls.
                    RECORD.note(READ as usize, 4, true);
                }
            });
        }
        while RECORD.slots[READ as usize].errors.load(Ordering::Relaxed) < 10_000 {
            spin_loop();
        }
        RECORD.freeze();
        RECORD.summary().expect("it is frozen")
    });
    let slot = &RECORD.slots[READ as usize];
    let read = find(&sums, READ);
    assert_eq!(read.count, read.errors);
    assert_eq!(read.count * 4, slot.total.load(Ordering::Relaxed));
    assert_eq!(RECORD.summary(), Some(sums));
}
