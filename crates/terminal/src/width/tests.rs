//! Columns, cuts and breaks.

use super::*;

#[test]
fn columns_are_counted_as_terminals_do() {
    assert_eq!(columns("left"), 4);
    assert_eq!(columns("été"), 3);
    assert_eq!(columns("e\u{301}"), 1);
    assert_eq!(columns("日本"), 4);
    assert_eq!(columns("a → b…"), 6);
}

fn check_cut(text: &str, limit: usize, expected: &str) {
    assert_eq!(cut(text, limit, "…"), expected);
    assert!(columns(&cut(text, limit, "…")) <= limit);
}

#[test]
fn a_line_is_cut_to_its_room() {
    check_cut("linking", 7, "linking");
    check_cut("linking", 6, "linki…");
    check_cut("日本語", 5, "日本…");
    check_cut("日本語", 4, "日…");
    check_cut("linking", 1, "…");
    check_cut("linking", 0, "");
    assert_eq!(cut("linking", 2, "..."), "li");
}

#[test]
fn text_is_broken_at_spaces() {
    assert_eq!(wrap("one two three", 7, 0), ["one two", "three"]);
    assert_eq!(wrap("one two three", 7, 2), ["one two", "  three"]);
    assert_eq!(wrap("one enormous", 4, 2), ["one", "  enormous"]);
    assert_eq!(wrap("", 4, 2), [""]);
}
