//! What a scanner may answer.

use super::{Level, parse};

#[test]
fn answers_are_checked() {
    let found = parse(
        r#"{"advisories":[{"level":"warn","package":"left","url":null,"description":"old\nand slow"}]}"#,
    );
    let found = found.unwrap();
    assert_eq!(found[0].level, Level::Warn);
    assert_eq!(found[0].line(), "left, warning: old and slow");
    for (answer, reason) in [
        ("", "it ended without an answer"),
        ("{}", "it returned no list of advisories"),
        (r#"{"error":"no key"}"#, "no key"),
        (
            r#"{"advisories":[{"level":"bad","package":"left"}]}"#,
            "the `level` of an advisory is neither `fatal` nor `warn`",
        ),
        (r#"{"advisories":[{"level":"fatal"}]}"#, "an advisory has no `package`"),
        (
            r#"{"advisories":[{"level":"fatal","package":"left","url":1}]}"#,
            "the `url` of an advisory is no string",
        ),
    ] {
        assert_eq!(parse(answer).unwrap_err(), reason, "{answer}");
    }
}
