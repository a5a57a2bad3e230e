//! Conditional and range requests.

use super::*;

fn part(start: u64, end: u64, size: u64) -> RangeOutcome {
    RangeOutcome::Part(ByteRange { start, end, size })
}

#[test]
fn a_range_is_within_the_size() {
    for (field, expected) in [
        ("bytes=0-3", part(0, 4, 10)),
        ("bytes=4-", part(4, 10, 10)),
        ("bytes=-3", part(7, 10, 10)),
        ("bytes=-30", part(0, 10, 10)),
        ("bytes=8-99999999999999999999999", part(8, 10, 10)),
        ("bytes=10-", RangeOutcome::Unsatisfiable),
        ("bytes=-0", RangeOutcome::Unsatisfiable),
        ("bytes=3-2", RangeOutcome::Whole),
        ("bytes=0-1,3-4", RangeOutcome::Whole),
        ("Bytes=1-2", part(1, 3, 10)),
        ("bytes=a-b", RangeOutcome::Whole),
        ("items=0-3", RangeOutcome::Whole),
        ("bytes=", RangeOutcome::Whole),
        ("bytes=-", RangeOutcome::Whole),
    ] {
        assert_eq!(requested_range(Some(field.as_bytes()), 10), expected, "{field}");
    }
    assert_eq!(requested_range(None, 10), RangeOutcome::Whole);
    assert_eq!(requested_range(Some(b"bytes=0-"), 0), RangeOutcome::Unsatisfiable);
}

#[test]
fn an_unchanged_resource_is_not_modified() {
    let date = b"Tue, 15 Nov 1994 12:45:26 GMT";
    let validators = Validators { etag: Some(b"\"a\""), modified: Some(784_903_526) };
    let check = |none_match: Option<&str>, since: Option<&[u8]>| {
        let if_none_match = none_match.map(str::as_bytes);
        let conditions = Conditions { if_none_match, if_modified_since: since, ..Conditions::default() };
        conditions.evaluate(validators) == ConditionOutcome::NotModified
    };
    assert!(check(Some("\"x\", W/\"a\""), None));
    assert!(check(Some("*"), None));
    assert!(!check(Some("\"x\""), Some(date)), "the date is ignored");
    assert!(check(None, Some(date)));
    assert!(!check(None, Some(b"Tue, 15 Nov 1994 12:45:25 GMT")));
    assert!(!check(None, Some(b"yesterday")));
    assert!(!check(None, None));
    let any = Conditions { if_none_match: Some(b"*"), ..Conditions::default() };
    assert_eq!(any.evaluate(Validators::default()), ConditionOutcome::NotModified, "without an ETag");
}

#[test]
fn a_resource_that_is_not_the_wanted_one_fails() {
    let strong = Validators { etag: Some(b"\"a\""), modified: Some(784_903_526) };
    let weak = Validators { etag: Some(b"W/\"a\""), modified: None };
    let check = |if_match: &str, validators| {
        let conditions = Conditions { if_match: Some(if_match.as_bytes()), ..Conditions::default() };
        conditions.evaluate(validators)
    };
    assert_eq!(check("\"x\", \"a\"", strong), ConditionOutcome::Proceed);
    assert_eq!(check("*", weak), ConditionOutcome::Proceed);
    assert_eq!(check("\"x\"", strong), ConditionOutcome::Failed);
    assert_eq!(check("W/\"a\"", weak), ConditionOutcome::Failed, "a weak one is never the same");
    let since = |date: &'static str| {
        let conditions = Conditions { if_unmodified_since: Some(date.as_bytes()), ..Conditions::default() };
        conditions.evaluate(strong)
    };
    assert_eq!(since("Tue, 15 Nov 1994 12:45:26 GMT"), ConditionOutcome::Proceed);
    assert_eq!(since("Tue, 15 Nov 1994 12:45:25 GMT"), ConditionOutcome::Failed);
    assert_eq!(since("yesterday"), ConditionOutcome::Proceed);
}

#[test]
fn a_range_of_another_version_is_the_whole() {
    let strong = Validators { etag: Some(b"\"a\""), modified: Some(784_903_526) };
    let weak = Validators { etag: Some(b"W/\"a\""), modified: None };
    assert!(allows_range(None, strong));
    assert!(allows_range(Some(b"\"a\""), strong));
    assert!(!allows_range(Some(b"\"b\""), strong));
    assert!(!allows_range(Some(b"W/\"a\""), weak));
    assert!(allows_range(Some(b"Tue, 15 Nov 1994 12:45:26 GMT"), strong));
    assert!(!allows_range(Some(b"Tue, 15 Nov 1994 12:45:26 GMT"), weak));
}
