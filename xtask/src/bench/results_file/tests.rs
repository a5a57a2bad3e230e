//! Numbers and versions as tables show them.

use super::*;

#[test]
fn thousands_are_grouped() {
    for (digits, expected) in [("1", "1"), ("123", "123"), ("1234", "1,234"), ("1234567.25", "1,234,567.25")]
    {
        assert_eq!(grouped(digits), expected);
    }
}

#[test]
fn of_a_version_its_number_is_shown() {
    for (message, expected) in [
        ("1.4.5", "1.4.5"),
        ("v20.20.2", "20.20.2"),
        ("deno 2.9.6 (stable)", "2.9.6"),
        ("cc (Debian 12.2.0-14) 12.2.0", "12.2.0-14"),
    ] {
        assert_eq!(number_of(message), expected);
    }
}
