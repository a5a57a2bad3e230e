//! Tests of `event`.

use super::*;

#[test]
fn a_result_has_its_errors() {
    let line = r#"{"t":"end","p":["math","adds"],"s":"fail","ms":1.5,"a":2,"e":[{"name":"TypeError","message":"no","stack":"TypeError: no\n    at f (/a.ts:1:2)","cause":{"name":"","message":"why","stack":""}}],"n":3}"#;
    let Some(TestEvent::TestEnd(result)) = TestEvent::parse(line) else { panic!("it is a result") };
    assert_eq!(result.path, ["math", "adds"]);
    assert_eq!(
        (result.status, result.duration_ms, result.assertions, result.attempts),
        (Status::Fail, 1.5, 2, 3)
    );
    assert_eq!(result.errors[0].cause.as_ref().unwrap().message, "why");
}

#[test]
fn the_end_of_a_file_has_snapshots_and_open_handles() {
    let line = r#"{"t":"file-end","a":7,"snapshots":{"added":2,"obsolete":["x 1"]},"open":{"Timeout":2},"coverage":{"a":[1]}}"#;
    let Some(TestEvent::FileEnd(summary)) = TestEvent::parse(line) else { panic!("it is an end") };
    assert_eq!((summary.assertions, summary.snapshots.added), (7, 2));
    assert_eq!(summary.snapshots.obsolete, ["x 1"]);
    assert_eq!(summary.open, [("Timeout".to_owned(), 2)]);
    assert_eq!(summary.coverage, r#"{"a":[1]}"#);
}

#[test]
fn a_test_that_begins_and_passes_has_a_short_form() {
    let start = TestEvent::TestBegin { path: vec!["a".to_owned(), "b c".to_owned()], limit_ms: 5000.0 };
    assert_eq!(TestEvent::parse(r#"s5000 ["a","b c"]"#), Some(start));
    let Some(TestEvent::TestEnd(result)) = TestEvent::parse("p0.031 2") else { panic!("it is a result") };
    assert_eq!(
        (result.path, result.status, result.duration_ms, result.assertions, result.attempts),
        (Vec::new(), Status::Pass, 0.031, 2, 1)
    );
}

#[test]
fn what_is_no_event_is_left_out() {
    for line in [
        "",
        "{",
        "[]",
        "{\"t\":\"end\"}",
        "{\"t\":\"end\",\"s\":\"odd\"}",
        "{\"t\":\"file\"}",
        "{\"t\":1}",
        "null",
        "s",
        "s1",
        "sx []",
        "s1 [",
        "p1",
        "p 1",
        "p1 -1",
    ] {
        assert_eq!(TestEvent::parse(line), None, "{line}");
    }
}
