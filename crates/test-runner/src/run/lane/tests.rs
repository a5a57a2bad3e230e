//! How long a file may block while it is loaded.

use std::time::Duration;

use super::load_limit;

#[test]
fn a_file_loads_within_ten_times_the_limit_of_its_tests_within_bounds() {
    assert_eq!(load_limit(2000.0), Duration::from_secs(20));
    assert_eq!(load_limit(500.0), Duration::from_secs(5));
    assert_eq!(load_limit(60_000.0), Duration::from_secs(60));
    // No limit, and one that no duration can have.
    assert_eq!(load_limit(0.0), Duration::from_secs(60));
    assert_eq!(load_limit(f64::INFINITY), Duration::from_secs(60));
}
