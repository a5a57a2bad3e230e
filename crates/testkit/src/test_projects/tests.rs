//! Counts of reports.

use super::passed;

#[test]
fn counts_of_all_runners_are_read() {
    assert_eq!(passed(" 2711 pass\n 1 fail\nRan 2712 tests across 247 files. [1.00s]\n"), Some(2711.0));
    assert_eq!(passed(" Test Files  2 passed (2)\n      Tests  1 failed | 12 passed (13)\n"), Some(12.0));
    assert_eq!(passed("Ran 0 tests\n"), None);
}
