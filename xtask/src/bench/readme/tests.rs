//! The README files and the docs say what was measured.

use super::*;

#[test]
fn the_readmes_show_the_stored_results() {
    for drawing in DRAWINGS {
        let stored = place::find(&place::root().join(drawing.file)).unwrap();
        assert!(drawing.drawn().unwrap() == stored, "{}: run `cargo xtask bench readme`", drawing.file);
    }
}

#[test]
fn the_pictures_show_the_stored_results() {
    for (file, drawn) in pictures().unwrap() {
        assert!(place::find(&place::root().join(&file)) == drawn, "{file}: run `cargo xtask bench readme`");
    }
}

#[test]
fn only_what_stands_between_the_marks_is_drawn() {
    let drawn = with_tables("a\n<!-- b -->\nold\n<!-- end -->\nc\n", "<!-- b -->\n", "new\n");
    assert_eq!(drawn.as_deref(), Some("a\n<!-- b -->\nnew\n<!-- end -->\nc\n"));
    assert_eq!(with_tables("a\n", "<!-- b -->\n", "new\n"), None);
}
