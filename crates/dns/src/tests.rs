//! Valid and malformed messages.

use super::*;

fn message(host: &str, count: u16, records: &[u8]) -> Vec<u8> {
    let mut bytes = encode_query(7, host, 1).expect("a name");
    bytes[2] |= 0x80;
    bytes[6..8].copy_from_slice(&count.to_be_bytes());
    bytes.extend(records);
    bytes
}

/// A record with the name of the question section.
fn record(record_type: u16, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![POINTER, 12];
    bytes.extend(record_type.to_be_bytes());
    bytes.extend(CLASS_IN.to_be_bytes());
    bytes.extend(60_u32.to_be_bytes());
    bytes.extend((body.len() as u16).to_be_bytes());
    bytes.extend(body);
    bytes
}

fn fields(record_type: u16, bytes: &[u8]) -> Result<Vec<Field>, Malformed> {
    decode_response(&message("a.b", 1, &record(record_type, bytes)))
        .map(|response| response.records[0].fields.clone())
}

fn name(text: &str) -> Field {
    Field::Name(text.to_owned())
}

#[test]
fn a_query_has_a_header_and_a_question() {
    let bytes = encode_query(0x1234, "ab.c", 28).expect("a name");
    assert_eq!(bytes, b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x02ab\x01c\x00\x00\x1c\x00\x01");
    assert_eq!(encode_query(0x1234, "ab.c.", 28), Some(bytes));
    assert!(encode_query(1, "", 1).is_some());
    for wrong in [".", "a..b", ".a", &"x".repeat(64), &"abc.".repeat(64)] {
        let expected = wrong == ".";
        assert_eq!(encode_query(1, wrong, 1).is_some(), expected, "{wrong}");
    }
}

#[test]
fn a_response_has_flags_an_rcode_and_the_question() {
    let mut bytes = message("a.b", 0, &[]);
    bytes[3] |= 3;
    bytes[2] |= 2;
    let expected = Response {
        id: 7,
        rcode: 3,
        is_truncated: true,
        host: "a.b".to_owned(),
        record_type: 1,
        records: Vec::new(),
    };
    assert_eq!(decode_response(&bytes), Ok(expected));
}

#[test]
fn fields_follow_the_record_type() {
    let number = Field::Number;
    let text = |text: &[u8]| Field::Text(text.to_vec());
    assert_eq!(fields(1, &[1, 2, 3, 4]), Ok(vec![Field::Address(Ipv4Addr::new(1, 2, 3, 4).into())]));
    assert_eq!(fields(28, &[0; 16]), Ok(vec![Field::Address(Ipv6Addr::UNSPECIFIED.into())]));
    assert_eq!(fields(2, b"\x01c\xc0\x0c"), Ok(vec![name("c.a.b")]));
    assert_eq!(fields(15, b"\x00\x0a\x00"), Ok(vec![number(10), name("")]));
    assert_eq!(fields(16, b"\x02ab\x00"), Ok(vec![text(b"ab"), text(b"")]));
    assert_eq!(
        fields(33, b"\0\x01\0\x02\0\x03\x01c\0"),
        Ok(vec![number(1), number(2), number(3), name("c")])
    );
    assert_eq!(fields(257, b"\x80\x05issueca"), Ok(vec![number(128), text(b"issue"), text(b"ca")]));
    assert_eq!(fields(52, &[3, 1, 1, 9]), Ok(vec![number(3), number(1), number(1), Field::Bytes(vec![9])]));
    assert_eq!(fields(9999, b"anything"), Ok(Vec::new()));
}

#[test]
fn names_are_escaped_as_in_master_files() {
    assert_eq!(fields(2, b"\x05a.b\x00\xff\x00"), Ok(vec![name("a\\.b\\000\\255")]));
    assert_eq!(fields(2, b"\x02$ \x00"), Ok(vec![name("\\$\\032")]));
}

#[test]
fn malformed_responses_are_rejected() {
    for (record_type, wrong) in [
        (1, &b"\x01\x02\x03"[..]),
        (1, b"\x01\x02\x03\x04\x05"),
        (2, b"\x05ab\x00"),
        // A pointer to itself, a forward pointer, one beyond the end.
        (2, b"\xc0\x21"),
        (2, b"\xc0\x22"),
        (2, b"\xff\xff"),
        (2, b"\x40a\x00"),
        (2, b"\xc0"),
        (16, b"\x09ab"),
        (6, b"\x00\x00\x00\x01"),
    ] {
        assert_eq!(fields(record_type, wrong), Err(Malformed), "{record_type} {wrong:?}");
    }
    assert_eq!(decode_response(&message("a.b", 2, &record(1, &[1, 2, 3, 4]))), Err(Malformed));
    assert_eq!(decode_response(&encode_query(1, "a", 1).expect("a name")), Err(Malformed));
    for end in 0..17 {
        assert_eq!(decode_response(&message("a.b", 0, &[])[..end]), Err(Malformed));
    }
}

#[test]
fn pointers_cannot_make_a_name_too_long() {
    // Each name ends with a pointer to the one before: together they exceed the limit.
    let mut records = Vec::new();
    let mut target = 12_u16;
    for _ in 0..8 {
        let offset = (message("a.b", 1, &records).len() + 12) as u16;
        let mut label = vec![40];
        label.extend([b'x'; 40]);
        label.extend((0xc000 | target).to_be_bytes());
        records.extend(record(2, &label));
        target = offset;
    }
    assert_eq!(decode_response(&message("a.b", 8, &records)), Err(Malformed));
    assert_eq!(decode_response(&message("a.b", 5, &records)).map(|response| response.records.len()), Ok(5));
}

#[test]
fn an_answer_has_the_addresses_of_the_type_that_was_asked_for() {
    let addresses: Vec<IpAddr> =
        ["192.0.2.1", "2001:db8::1"].iter().map(|text| text.parse().expect("an address")).collect();
    for (record_type, expected) in [(record_type::A, &addresses[..1]), (record_type::AAAA, &addresses[1..])] {
        let query = decode_query(&encode_query(9, "a.test", record_type).expect("a name")).expect("a query");
        assert_eq!((query.id, query.host.as_str(), query.record_type), (9, "a.test", record_type));
        let response = decode_response(&encode_answer(&query, 0, &addresses, 60)).expect("a response");
        assert_eq!((response.id, response.rcode, response.host.as_str()), (9, 0, "a.test"));
        let found: Vec<&Field> = response.records.iter().flat_map(|record| &record.fields).collect();
        assert_eq!(
            found,
            expected
                .iter()
                .map(|address| Field::Address(*address))
                .collect::<Vec<_>>()
                .iter()
                .collect::<Vec<_>>()
        );
        let none = decode_response(&encode_answer(&query, NAME_ERROR, &[], 60)).expect("a response");
        assert_eq!((none.rcode, none.records.len()), (NAME_ERROR, 0));
    }
}

#[test]
fn a_query_that_is_none_is_refused() {
    let query = encode_query(9, "a.test", 1).expect("a name");
    for length in 0..query.len() {
        assert_eq!(decode_query(&query[..length]), Err(Malformed), "{length}");
    }
    let with = |at: usize, byte: u8| {
        let mut query = query.clone();
        query[at] = byte;
        decode_query(&query)
    };
    assert_eq!(with(2, 0x80), Err(Malformed), "a response");
    assert_eq!(with(5, 2), Err(Malformed), "two questions");
    assert_eq!(with(query.len() - 1, 3), Err(Malformed), "another class");
    let compressed = [&query[..12], b"\x01a\xc0\x04\0\x01\0\x01"].concat();
    assert_eq!(decode_query(&compressed), Err(Malformed), "a pointer into the header");
}
