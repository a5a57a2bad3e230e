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
    for (seconds, whole, nanos) in cases {
        let found = timespec(seconds);
        assert_eq!((found.tv_sec, found.tv_nsec), (whole, nanos), "{seconds}");
    }
}
