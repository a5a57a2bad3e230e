//! Times are found, and versions left alone.

use super::{without_milliseconds, without_slowest_files, without_times, without_uuid};

#[track_caller]
fn check(line: &str, wanted: &str) {
    assert_eq!(without_times(line), wanted);
}

#[test]
fn times_lose_their_digits() {
    check("installed in 12ms\n", "installed in [time]\n");
    check("[1.30 s] done, 4 µs", "[[time]] done, [time]");
}

#[test]
fn other_numbers_stay() {
    check("left@1.3.0 3 scripts, 2 seconds, sha512-4s", "left@1.3.0 3 scripts, 2 seconds, sha512-4s");
}

#[test]
fn an_object_of_milliseconds_loses_its_numbers() {
    let line = r#"{"added":2,"milliseconds":{"link":1.250,"total":12.000},"warnings":[]}"#;
    let wanted = r#"{"added":2,"milliseconds":{"link":[time],"total":[time]},"warnings":[]}"#;
    assert_eq!(without_milliseconds(line), wanted);
    let lines = r#"[{"milliseconds":1.135,"a":1},{"milliseconds":null},{"milliseconds":20}]"#;
    let wanted = r#"[{"milliseconds":[time],"a":1},{"milliseconds":null},{"milliseconds":[time]}]"#;
    assert_eq!(without_milliseconds(lines), wanted);
}

#[test]
fn slow_files_are_left_out() {
    let said = "left open: 1 timer\n\nslowest files:\n   600ms b.test.js\n   510ms a.test.js\n\n 3 pass\n";
    assert_eq!(without_slowest_files(said), "left open: 1 timer\n\n 3 pass\n");
    assert_eq!(without_slowest_files("slowest files:\n"), "slowest files:\n");
}

#[test]
fn a_uuid_loses_its_digits() {
    let line = "urn:uuid:aeebbe0a-683f-8de6-8300-660ebb162273\",";
    assert_eq!(without_uuid(line), "urn:uuid:[uuid]\",");
    for other in ["aeebbe0a-683f-8de6-8300-660ebb16227", "é1-2-3-4", ""] {
        assert_eq!(without_uuid(other), other);
    }
}
