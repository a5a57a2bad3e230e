//! Tests that the manual page contains the tables, and only macros of man.

use super::*;

#[test]
fn every_command_and_flag_has_a_paragraph() {
    let page = page();
    for spec in COMMANDS {
        assert!(page.contains(&format!("\n.B {}\n", escape(&spec.usage()))), "{}", spec.name);
    }
    for spec in FLAGS {
        assert!(page.contains(&escape(&spec.spelling())), "{}", spec.long);
        assert!(page.contains(&format!("\n{}.\n", escape(&spec.full_help()))), "{}", spec.long);
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
fn text_is_escaped() {
    assert_eq!(escape("a-b"), "a\\-b");
    assert_eq!(escape("a\\b"), "a\\eb");
    assert_eq!(escape(".npmrc"), "\\&.npmrc");
}
