//! What bun 1.4.5 makes of the same strings, and what a file may not do.

use std::collections::BTreeMap;

use super::{VALUE_BYTES_MAX, names, parse_files};

/// Each case: the text, the variable, its value.
fn check(text: &str, expected: &[(&str, &str)]) {
    let given = BTreeMap::from([("K".to_owned(), "preset".to_owned()), ("OUTER".to_owned(), "o".to_owned())]);
    let found = parse_files(&[text], &given);
    for (name, value) in expected {
        assert_eq!(found.get(*name).map(String::as_str), Some(*value), "{name} of {text:?}");
    }
}

#[test]
fn values_end_with_their_line_or_quote() {
    check("A=1\nA=2", &[("A", "2")]);
    check(
        " B = x y \t\r\nC=x # c\nD=a#b\nE=#x\nF=",
        &[("B", "x y"), ("C", "x"), ("D", "a"), ("E", ""), ("F", "")],
    );
    check(
        "A=\"a#b\" # c\nB='it''s'\nC=x\"y\"\nD=`a`b\nE=\"un\nF=1",
        &[("A", "a#b"), ("B", "it"), ("C", "x\"y\""), ("D", "a")],
    );
    check("A=\"x\ny\"\nB=1", &[("A", "x\ny"), ("B", "1")]);
    check("P=\"abc\nX=1", &[("P", "\"abc"), ("X", "1")]);
    check(
        "A='a\\'b'\nB=\"\\r\\n\\t\\\"\"\nC='\\n'\nD=\\n",
        &[("A", "a\\'b"), ("B", "\r\n\\t\\\""), ("C", "\\n"), ("D", "\\n")],
    );
}

#[test]
fn names_are_words_before_an_equals_sign() {
    check(
        "\u{feff}A=1\nexport B=2\nexport=3\nC: 4\nX.Y-Z=5",
        &[("A", "1"), ("B", "2"), ("export", "3"), ("C", "4"), ("X.Y-Z", "5")],
    );
    let found = parse_files(&["A B=1\n=2\nC\n$D=3\n#E=4\n\"F\"=5"], &BTreeMap::new());
    assert_eq!(found, BTreeMap::new());
}

#[test]
fn names_behind_a_dollar_stand_for_values() {
    check(
        "A=1\nB=$A-${A}-$NO-${NO:-d}\nC='$A'\nD=\\$A\nE=$\nF=${A\nG=$$A",
        &[("B", "1-1--d"), ("C", "1"), ("D", "$A"), ("E", "$"), ("F", "${A"), ("G", "$1")],
    );
    check("A=$B\nB=$C\nC=c$OUTER$K", &[("A", "copreset")]);
    check(
        "A=${NO:-$B}\nC=${NO:-${B}}\nB=b\nD=${NO-x}\nE=${B:-x}",
        &[("A", "b"), ("C", "b"), ("D", "${NO-x}"), ("E", "b")],
    );
    check("X=$Y\nY=$X\nZ=$Z", &[("X", "$X"), ("Y", "$X"), ("Z", "$Z")]);
}

#[test]
fn what_is_there_counts_more_and_the_first_file_too() {
    let given = BTreeMap::from([("K".to_owned(), "preset".to_owned())]);
    let found = parse_files(&["A=first", "A=second\nB=$A\nK=file"], &given);
    assert_eq!(
        found,
        BTreeMap::from([("A".to_owned(), "first".to_owned()), ("B".to_owned(), "first".to_owned())])
    );
}

#[test]
fn files_are_those_of_the_mode() {
    assert_eq!(names(None), [".env.development.local", ".env.local", ".env.development", ".env"]);
    assert_eq!(names(Some("production")), [".env.production.local", ".env.local", ".env.production", ".env"]);
    assert_eq!(names(Some("test")), [".env.test.local", ".env.test", ".env"]);
    assert_eq!(names(Some("other")), names(None));
}

#[test]
fn values_do_not_grow_without_end() {
    let mut text = "A0=0123456789".to_owned();
    for index in 1..60 {
        text.push_str(&format!("\nA{index}=$A{0}$A{0}", index - 1));
    }
    let found = parse_files(&[&text], &BTreeMap::new());
    assert!(found.values().all(|value| value.len() <= 3 * VALUE_BYTES_MAX), "each has an end");
}
