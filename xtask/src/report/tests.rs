//! Rendered results.

use super::*;

#[test]
fn numbers_stand_in_one_line_and_members_in_their_own() {
    let json = Json::object([
        ("a", Json::List(vec![Json::number(1.0), Json::number(0.12345)])),
        ("b", Json::text("c")),
        ("d", Json::line([("e", Json::number(2.0)), ("f", Json::text("g"))])),
    ]);
    let lines =
        ["{", "  \"a\": [1, 0.123],", "  \"b\": \"c\",", "  \"d\": {\"e\": 2, \"f\": \"g\"}", "}", ""];
    assert_eq!(json.render(), lines.join("\n"));
}

#[test]
fn days_are_dates() {
    for (day, wanted) in [(0, "1970-01-01"), (11_016, "2000-02-29"), (20_778, "2026-11-21")] {
        assert_eq!(date(day), wanted);
    }
}
