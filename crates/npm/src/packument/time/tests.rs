//! Times as text and as seconds.

use super::*;

#[test]
fn both_ways_agree() {
    for (seconds, text) in [
        (0, "1970-01-01T00:00:00.000Z"),
        (951_782_399, "2000-02-28T23:59:59.000Z"),
        (951_782_400, "2000-02-29T00:00:00.000Z"),
        (1_738_108_800, "2025-01-29T00:00:00.000Z"),
        (4_107_542_399, "2100-02-28T23:59:59.000Z"),
        (4_107_542_400, "2100-03-01T00:00:00.000Z"),
    ] {
        assert_eq!(utc_text(seconds), text);
        assert_eq!(unix_seconds(text), Some(seconds));
    }
    for day in 0..100_000 {
        assert_eq!(unix_seconds(&utc_text(day * 86_400 + 1)), Some(day * 86_400 + 1));
    }
}
