//! What a scanner sees, and what it may answer.

use super::answer::{Level, parse};
use super::packages::{Query, without_secrets};

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

#[test]
fn no_secret_of_a_url_is_shown() {
    for (url, kept, removed) in [
        ("https://u:p@r.test/a.tgz?sig=1", "https://r.test/a.tgz?sig=1", "https://r.test/a.tgz"),
        (
            "git+https://t@git.test/a.git#abc",
            "git+https://git.test/a.git#abc",
            "git+https://git.test/a.git#abc",
        ),
        ("https://r.test/a?t=1#b", "https://r.test/a?t=1#b", "https://r.test/a#b"),
        ("^1.0.0", "^1.0.0", "^1.0.0"),
    ] {
        assert_eq!(without_secrets(url, Query::Kept), kept);
        assert_eq!(without_secrets(url, Query::Removed), removed);
    }
}
