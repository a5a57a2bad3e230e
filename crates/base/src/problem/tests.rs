//! How problems are rendered.

use super::*;

#[test]
fn a_problem_has_message_notes_cause_and_hint() {
    let problem = Problem::new("no-version", "no version of `left` matches `^9.0.0`")
        .note("wanted by app > ui > left")
        .cause(std::io::Error::other("connection reset"))
        .hint("run `rusk add left@1.3.0`");
    assert_eq!(
        problem.to_string(),
        "error[no-version]: no version of `left` matches `^9.0.0`\n  wanted by app > ui > left\n  because: connection reset\nhint: run `rusk add left@1.3.0`"
    );
}

#[test]
fn escape_sequences_do_not_reach_the_terminal() {
    assert_eq!(printable("a\x1b[2Jb\u{202e}c"), "a\\u{1b}[2Jb\\u{202e}c");
}

#[test]
fn characters_that_hide_or_reorder_text_are_shown() {
    let hidden =
        ['\u{ad}', '\u{61c}', '\u{200b}', '\u{200e}', '\u{2028}', '\u{2029}', '\u{2066}', '\u{feff}'];
    for character in hidden {
        let expected = format!("a{}b", character.escape_unicode());
        assert_eq!(printable(&format!("a{character}b")), expected);
    }
    // The emoji of a family, and Persian, are written with joiners.
    for text in ["é", "\u{1f468}\u{200d}\u{1f469}", "می\u{200c}خواهم"] {
        assert_eq!(printable(text), text);
    }
}
