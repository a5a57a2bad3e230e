//! Tests of tables on a terminal.

use super::*;
use crate::style::OutputContext;
use crate::style::StreamTarget::Other;
use std::collections::BTreeMap;

fn table(locale: &str, head: &[&str], rows: &[&[&str]], columns_max: Option<usize>) -> String {
    let environment = BTreeMap::from([("LANG".to_owned(), locale.to_owned())]);
    let style = OutputStyle::plain(OutputContext { environment: &environment, stdout: Other, stderr: Other });
    let rows: Vec<Vec<String>> =
        rows.iter().map(|row| row.iter().map(|cell| (*cell).to_owned()).collect()).collect();
    render(head, &rows, &style, columns_max)
}

#[test]
fn cells_are_as_wide_as_their_columns() {
    assert_eq!(
        table("C", &["Package", "Now"], &[&["a", "1.0.0-rc"], &["longer-name", "2"]], None),
        "|------------------------|\n".replace("|------------------------|", "|-------------|----------|")
            + "| Package     | Now      |\n|-------------|----------|\n| a           | 1.0.0-rc |\n\
               |-------------|----------|\n| longer-name | 2        |\n|-------------|----------|\n"
    );
}

#[test]
fn a_terminal_with_utf8_gets_box_drawing() {
    let text = table("C.UTF-8", &["A"], &[&["b"]], Some(80));
    assert_eq!(text, "┌───┐\n│ A │\n├───┤\n│ b │\n└───┘\n");
}

#[test]
fn no_line_is_wider_than_the_terminal() {
    let long = "x".repeat(100);
    let rows: [&[&str]; 2] = [&[&long, "1.0.0"], &["a\u{1b}[31m", &long]];
    for width in [40, 80, 120] {
        let text = table("C", &["Package", "Current"], &rows, Some(width));
        assert!(text.lines().all(|line| columns(line) == width), "{text}");
        assert!(!text.contains('\u{1b}'));
    }
    assert!(table("C", &["Package", "Current"], &rows, None).contains(&long));
}
