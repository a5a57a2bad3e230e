//! Tests of `timings`.

use super::*;

#[test]
fn timings_are_read_as_written_slowest_first() {
    let times = BTreeMap::from([("a.test.ts".into(), 12), ("b \"x\".test.ts".into(), 400)]);
    let changed = BTreeSet::from(["b \"x\".test.ts".into()]);
    let timings = Timings { times, changed };
    let text = timings.render();
    assert!(text.find("b \\\"x\\\"").unwrap() < text.find("a.test.ts").unwrap());
    assert_eq!(Timings::parse(&text), Ok(timings));
    assert_eq!(Timings::parse(&Timings::default().render()), Ok(Timings::default()));
}

#[test]
fn another_file_is_refused() {
    for text in ["", "[]", "{}", "{\"version\":2,\"files\":{}}", "{\"version\":1,\"files\":[]}"] {
        assert!(Timings::parse(text).is_err(), "{text}");
    }
}
