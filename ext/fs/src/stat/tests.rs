//! Conversion of seconds to a timespec.

use super::timespec;

#[test]
fn times_are_truncated_to_microseconds() {
    let cases = [
        (0.0, 0, 0),
        (1.5, 1, 500_000_000),
        (-1.5, -2, 500_000_000),
        (1.999_999_9, 1, 999_999_000),
        (-0.25, -1, 750_000_000),
    ];
    for (seconds, expected_seconds, expected_nanos) in cases {
        let actual = timespec(seconds);
        assert_eq!((actual.tv_sec, actual.tv_nsec), (expected_seconds, expected_nanos), "{seconds}");
    }
}
