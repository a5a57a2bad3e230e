//! Values as the page shows them.

use super::*;

#[test]
fn text_stays_text() {
    let check = |text: &str, wanted: &str| assert_eq!(escaped(text), wanted);
    check("left@1.0.0", "left@1.0.0");
    check(
        "</script><img src=x onerror='a'>\"&",
        "&lt;/script&gt;&lt;img src=x onerror=&#39;a&#39;&gt;&quot;&amp;",
    );
    check("turned\u{202e}around", "turned\\u{202e}around");
    check("two\nlines", "two\nlines");
}

#[test]
fn times_have_three_digits_or_more() {
    let check =
        |microseconds: u64, wanted: &str| assert_eq!(time(Duration::from_micros(microseconds)), wanted);
    check(0, "0 µs");
    check(999, "999 µs");
    check(4120, "4.12 ms");
    check(1_240_000, "1.240 s");
}

#[test]
fn thousands_are_parted() {
    let check = |number: u64, wanted: &str| assert_eq!(count(number), wanted);
    check(0, "0");
    check(999, "999");
    check(88_866, "88,866");
    check(1_000_000, "1,000,000");
}

#[test]
fn dates_know_leap_days() {
    let check = |seconds: u64, wanted: &str| assert_eq!(date(seconds), wanted);
    check(0, "1970-01-01 00:00 UTC");
    check(951_782_400, "2000-02-29 00:00 UTC");
    check(1_798_761_599, "2026-12-31 23:59 UTC");
    check(4_107_542_400, "2100-03-01 00:00 UTC");
}
