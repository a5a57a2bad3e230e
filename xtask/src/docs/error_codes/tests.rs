//! Constructors as they are written in the sources.

use super::constructors::constructors;

#[track_caller]
fn check(source: &str, expected: &[(&str, &str, &str)]) {
    let found = constructors(source).unwrap();
    let found: Vec<(&str, &str, String)> = found
        .iter()
        .map(|found| (found.code.as_str(), found.message.as_str(), found.hints.join("|")))
        .collect();
    let expected: Vec<(&str, &str, String)> =
        expected.iter().map(|&(code, message, hints)| (code, message, hints.to_owned())).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_format_string_shows_its_values_in_capitals() {
    check(
        r#"pub fn a(name: &str) -> Problem {
            Problem::new("no-name", format!("no `{name}` in `{}`, \
                found {count:?}", 1))
                .hint("give it one")
        }
        fn b() { Problem::new("other", "it \"fails\"") }"#,
        &[("no-name", "no `NAME` in `…`, found COUNT", "give it one"), ("other", "it \"fails\"", "")],
    );
}

#[test]
fn a_hint_of_a_shared_function_is_listed() {
    check(
        r#"fn a(name: &str) -> Problem { let no = Problem::new("no-name", "no name"); with_unset_variable(no) }
        fn b() -> Problem { Problem::new("other", "another one") }"#,
        &[("no-name", "no name", "set the environment variable `NAME`"), ("other", "another one", "")],
    );
}

#[test]
fn a_code_that_is_an_argument_comes_from_the_callers() {
    check(
        r#"pub fn read(path: &Path) -> Problem { io("file-read", "read", path) }
        fn io(code: &'static str, verb: &str) -> Problem { Problem::new(code, format!("cannot {verb} it")) }"#,
        &[("file-read", "cannot read it", "")],
    );
}

#[test]
fn a_code_that_cannot_be_read_is_an_error() {
    assert_eq!(
        constructors("fn a() {\n Problem::new(x(), 1)").unwrap_err(),
        "2: expected a code as a string"
    );
}
