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
