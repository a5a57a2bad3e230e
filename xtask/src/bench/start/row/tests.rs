//! When the check fails, and the table.

use super::*;

fn row(baseline: &[(&str, u64)], now: &[(&str, u64)]) -> StartRow {
    let calls = |counts: &[(&str, u64)]| Calls {
        counts: counts.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect(),
        lacks_io_uring: false,
    };
    StartRow { case: Case::Idle, baseline: Some(calls(baseline)), now: calls(now), null_calls: vec![12345.0] }
}

#[test]
fn a_count_that_grew_is_an_error_that_names_the_call() {
    assert_eq!(check(&[row(&[("read", 2)], &[("read", 2), ("futex", 7)])]), Ok(()));
    let message = check(&[row(&[("read", 2)], &[("read", 3)])]).unwrap_err();
    assert!(message.ends_with(":\n  idle install: read 2 -> 3"), "{message}");
    assert_eq!(check(&[StartRow { baseline: None, ..row(&[], &[("read", 3)]) }]), Ok(()));
}

#[test]
fn a_line_of_the_table_fits_a_narrow_screen() {
    let line = row(&[("read", 200)], &[("read", 199), ("futex", 3)]).line();
    assert_eq!(line, "idle install      199    200          3                 12,345");
}
