//! Both formats, and ranges that overlap or do not.

use super::*;

fn counts(list: &[(&str, u64, u64)]) -> CallCounts {
    list.iter().map(|(name, calls, errors)| ((*name).to_owned(), [*calls, *errors])).collect()
}

fn ranges(runs: &[&[(&str, u64, u64)]]) -> Ranges {
    let mut ranges = Ranges::default();
    runs.iter().for_each(|run| ranges.add(&counts(run)));
    ranges
}

#[test]
fn straces_table_is_read() {
    let text = "% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ----------------
 50.00    0.000010           1        10         2 openat
 50.00    0.000010           1         5           read
------ ----------- ----------- --------- --------- ----------------
100.00    0.000020           1        15         2 total
System call usage summary for 32 bit mode:
100.00    0.000002           1         2           read
";
    assert_eq!(of_strace(text), counts(&[("openat", 10, 2), ("read", 7, 0)]));
}

#[test]
fn our_report_is_read() {
    let text = r#"{"calls":[{"name":"read","waits":true,"count":2,"errors":{}},
        {"name":"read","waits":false,"count":3,"errors":{"EAGAIN":1,"EINTR":1}}]}"#;
    assert_eq!(of_rusk(text), Ok(counts(&[("read", 5, 2)])));
    assert!(of_rusk("hello").is_err());
}

#[test]
fn counts_that_never_change_must_be_equal() {
    let own = ranges(&[&[("read", 5, 0)], &[("read", 5, 0)]]);
    assert_eq!(own.differing(&ranges(&[&[("read", 5, 0)]])), [""; 0]);
    assert_eq!(own.differing(&ranges(&[&[("read", 6, 0)]])).len(), 1);
    assert_eq!(own.differing(&ranges(&[&[("read", 5, 1)]])).len(), 1);
    assert_eq!(own.differing(&ranges(&[&[]])).len(), 1);
}

#[test]
fn counts_that_change_must_overlap() {
    let own = ranges(&[&[("futex", 5, 0)], &[("futex", 9, 3)], &[]]);
    assert_eq!(own.differing(&ranges(&[&[("futex", 7, 0)]])), [""; 0]);
    assert_eq!(own.differing(&ranges(&[&[]])), [""; 0]);
    assert_eq!(own.differing(&ranges(&[&[("futex", 10, 0)]])).len(), 1);
}
