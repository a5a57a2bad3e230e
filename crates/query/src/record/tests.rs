//! Tests of records of queries: what is read is what was written, by this run of the same inputs.

use super::*;

fn inputs(text: &str) -> InputDigest {
    let mut hasher = InputHasher::new("outdated");
    hasher.add(text);
    hasher.finish()
}

fn outdated() -> OutdatedRecord {
    let row = |name: &str| OutdatedRow {
        name: name.to_owned(),
        group: "devDependencies".to_owned(),
        current: "1.0.0".to_owned(),
        update: "1.1.0".to_owned(),
        latest: "2.0.0".to_owned(),
        dependent: String::new(),
    };
    let rows = vec![row("left"), row("@s/ui")];
    let packuments = "1 2 3".to_owned();
    OutdatedRecord { fresh_until_s: 1_800_000_000, packuments, shows_dependents: true, rows }
}

fn audit() -> AuditRecord {
    let request = |registry: &str| AdvisoryRequest {
        registry: registry.to_owned(),
        names: 1,
        body: r#"{"left":["1.0.0"]}"#.to_owned(),
    };
    AuditRecord { audited: 2, requests: vec![request("http://a.test/"), request("http://b.test/")] }
}

#[test]
fn a_record_is_read_as_it_was_written() {
    let inputs = inputs("a");
    let empty = OutdatedRecord { rows: Vec::new(), shows_dependents: false, ..outdated() };
    for record in [outdated(), empty] {
        assert_eq!(OutdatedRecord::parse(&record.render(&inputs).unwrap(), &inputs), Some(record));
    }
    let empty = AuditRecord { audited: 0, requests: Vec::new() };
    for record in [audit(), empty] {
        assert_eq!(AuditRecord::parse(&record.render(&inputs).unwrap(), &inputs), Some(record));
    }
}

#[test]
fn other_inputs_have_another_record() {
    let text = outdated().render(&inputs("a")).unwrap();
    assert_eq!(OutdatedRecord::parse(&text, &inputs("b")), None);
    let parts = |parts: [&str; 2]| {
        let mut hasher = InputHasher::new("audit");
        parts.into_iter().for_each(|part| hasher.add(part));
        hasher.finish()
    };
    assert_ne!(parts(["ab", "c"]), parts(["a", "bc"]));
}

#[test]
fn a_damaged_record_counts_as_absent() {
    let inputs = inputs("a");
    let text = outdated().render(&inputs).unwrap();
    for at in 0..text.len() {
        let mut bytes = text.clone().into_bytes();
        bytes[at] ^= 1;
        let damaged = String::from_utf8(bytes).unwrap();
        assert_eq!(OutdatedRecord::parse(&damaged, &inputs), None, "byte {at}");
        assert_eq!(OutdatedRecord::parse(&text[..at], &inputs), None, "{at} bytes");
    }
    assert_eq!(AuditRecord::parse(&text, &inputs), None, "of another query");
}

#[test]
fn a_field_that_cannot_be_written_is_not() {
    let mut record = outdated();
    record.rows[0].dependent = "a\tb".to_owned();
    assert_eq!(record.render(&inputs("a")), None);
}
