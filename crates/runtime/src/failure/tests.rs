//! Which line is shown.

use rusk_jsc::Position;

use super::line_of;

fn check(text: &str, line: u32, wanted: Option<&str>) {
    let position = Position { url: "a.js".to_owned(), line, column: Some(1) };
    assert_eq!(line_of(&position, Some(("a.js", text))).as_deref(), wanted, "{text:?} {line}");
}

#[test]
fn a_text_that_ends_too_early_has_a_last_line() {
    check("f() {\n", 1, Some("f() {"));
    check("f() {\n", 2, Some(""));
    check("f() {", 2, None);
    check("f() {\n", 3, None);
}
