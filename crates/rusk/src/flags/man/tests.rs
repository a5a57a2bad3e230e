//! The manual page holds the table, and only macros that it means.

use super::*;

#[test]
fn every_command_and_flag_has_a_paragraph() {
    let page = page();
    for row in COMMANDS {
        assert!(page.contains(&format!("\n.B {}\n", escape(&row.usage()))), "{}", row.name);
    }
    for row in FLAGS {
        assert!(page.contains(&escape(&row.spelled())), "{}", row.long);
        assert!(page.contains(&format!("\n{}.\n", escape(&row.described()))), "{}", row.long);
    }
}

#[test]
fn every_line_with_a_dot_is_a_macro_of_man() {
    for line in page().lines().filter(|line| line.starts_with(['.', '\''])) {
        let name = line.split(' ').next().unwrap();
        assert!([".TH", ".SH", ".SS", ".TP", ".B", ".I", ".br", ".nh"].contains(&name), "{line}");
    }
}

#[test]
fn text_is_printed_as_it_stands() {
    assert_eq!(escape("a-b"), "a\\-b");
    assert_eq!(escape("a\\b"), "a\\eb");
    assert_eq!(escape(".npmrc"), "\\&.npmrc");
}
