//! The README files and the docs show the stored results.

use super::*;

#[test]
fn the_readmes_show_the_stored_results() {
    for drawing in SECTIONS {
        let stored = files::find(&files::root().join(drawing.file)).unwrap();
        assert!(drawing.rendered().unwrap() == stored, "{}: run `cargo xtask bench readme`", drawing.file);
    }
}

#[test]
fn the_pictures_show_the_stored_results() {
    for (file, rendered) in pictures().unwrap() {
        assert!(
            files::find(&files::root().join(&file)) == rendered,
            "{file}: run `cargo xtask bench readme`"
        );
    }
}

#[test]
fn only_what_stands_between_the_marks_is_drawn() {
    let rendered = with_tables("a\n<!-- b -->\nold\n<!-- end -->\nc\n", "<!-- b -->\n", "new\n");
    assert_eq!(rendered.as_deref(), Some("a\n<!-- b -->\nnew\n<!-- end -->\nc\n"));
    assert_eq!(with_tables("a\n", "<!-- b -->\n", "new\n"), None);
}
