//! Dates of HTTP.

use super::*;

#[test]
fn dates_are_rendered_and_parsed() {
    for (seconds, text) in [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (784_903_526, "Tue, 15 Nov 1994 12:45:26 GMT"),
        (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"),
        (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"),
    ] {
        assert_eq!(http_date(seconds), text);
        assert_eq!(parse_http_date(text.as_bytes()), Some(seconds));
    }
}

#[test]
fn other_formats_are_no_dates() {
    for text in [
        "",
        "Tuesday, 15-Nov-94 12:45:26 GMT",
        "Tue Nov 15 12:45:26 1994",
        "Tue, 15 Nov 1994 12:45:26",
        "Tue, 15 Nov 1994 25:45:26 GMT",
        "Tue, 00 Nov 1994 12:45:26 GMT",
        "Tue, 15 Nov 0094 12:45:26 GMT",
        "Tue, 15 Nov 1994 12:45:26 GMT x",
    ] {
        assert_eq!(parse_http_date(text.as_bytes()), None, "{text}");
    }
}
