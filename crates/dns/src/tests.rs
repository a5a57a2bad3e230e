//! Messages as servers send them, and as nobody should.

use super::*;

fn message(host: &str, count: u16, records: &[u8]) -> Vec<u8> {
    let mut bytes = question(7, host, 1).expect("a name");
    bytes[2] |= 0x80;
    bytes[6..8].copy_from_slice(&count.to_be_bytes());
    bytes.extend(records);
    bytes
}

/// Of the question's name.
fn record(kind: u16, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![POINTER, 12];
    bytes.extend(kind.to_be_bytes());
    bytes.extend(INTERNET.to_be_bytes());
    bytes.extend(60_u32.to_be_bytes());
    bytes.extend((body.len() as u16).to_be_bytes());
    bytes.extend(body);
    bytes
}

fn parts(kind: u16, bytes: &[u8]) -> Result<Vec<Part>, Malformed> {
    answer(&message("a.b", 1, &record(kind, bytes))).map(|answer| answer.records[0].parts.clone())
}

fn name(text: &str) -> Part {
    Part::Name(text.to_owned())
}

#[test]
fn a_question_says_what_is_asked() {
    let bytes = question(0x1234, "ab.c", 28).expect("a name");
    assert_eq!(bytes, b"\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x02ab\x01c\x00\x00\x1c\x00\x01");
    assert_eq!(question(0x1234, "ab.c.", 28), Some(bytes));
    assert!(question(1, "", 1).is_some());
    for wrong in [".", "a..b", ".a", &"x".repeat(64), &"abc.".repeat(64)] {
        let expected = wrong == ".";
        assert_eq!(question(1, wrong, 1).is_some(), expected, "{wrong}");
    }
}

#[test]
fn an_answer_says_what_was_asked_and_how_it_went() {
    let mut bytes = message("a.b", 0, &[]);
    bytes[3] |= 3;
    bytes[2] |= 2;
    let expected =
        Answer { id: 7, code: 3, is_cut: true, host: "a.b".to_owned(), kind: 1, records: Vec::new() };
    assert_eq!(answer(&bytes), Ok(expected));
}

#[test]
fn parts_of_records_are_read_by_their_kind() {
    let number = Part::Number;
    let text = |text: &[u8]| Part::Text(text.to_vec());
    assert_eq!(parts(1, &[1, 2, 3, 4]), Ok(vec![Part::Address(Ipv4Addr::new(1, 2, 3, 4).into())]));
    assert_eq!(parts(28, &[0; 16]), Ok(vec![Part::Address(Ipv6Addr::UNSPECIFIED.into())]));
    assert_eq!(parts(2, b"\x01c\xc0\x0c"), Ok(vec![name("c.a.b")]));
    assert_eq!(parts(15, b"\x00\x0a\x00"), Ok(vec![number(10), name("")]));
    assert_eq!(parts(16, b"\x02ab\x00"), Ok(vec![text(b"ab"), text(b"")]));
    assert_eq!(parts(33, b"\0\x01\0\x02\0\x03\x01c\0"), Ok(vec![number(1), number(2), number(3), name("c")]));
    assert_eq!(parts(257, b"\x80\x05issueca"), Ok(vec![number(128), text(b"issue"), text(b"ca")]));
    assert_eq!(parts(52, &[3, 1, 1, 9]), Ok(vec![number(3), number(1), number(1), Part::Bytes(vec![9])]));
    assert_eq!(parts(9999, b"anything"), Ok(Vec::new()));
}

#[test]
fn names_are_escaped_as_in_master_files() {
    assert_eq!(parts(2, b"\x05a.b\x00\xff\x00"), Ok(vec![name("a\\.b\\000\\255")]));
    assert_eq!(parts(2, b"\x02$ \x00"), Ok(vec![name("\\$\\032")]));
}

#[test]
fn what_lies_is_refused() {
    for (kind, wrong) in [
        (1, &b"\x01\x02\x03"[..]),
        (1, b"\x01\x02\x03\x04\x05"),
        (2, b"\x05ab\x00"),
        // To itself, ahead, and beyond the end.
        (2, b"\xc0\x21"),
        (2, b"\xc0\x22"),
        (2, b"\xff\xff"),
        (2, b"\x40a\x00"),
        (2, b"\xc0"),
        (16, b"\x09ab"),
        (6, b"\x00\x00\x00\x01"),
    ] {
        assert_eq!(parts(kind, wrong), Err(Malformed), "{kind} {wrong:?}");
    }
    assert_eq!(answer(&message("a.b", 2, &record(1, &[1, 2, 3, 4]))), Err(Malformed));
    assert_eq!(answer(&question(1, "a", 1).expect("a name")), Err(Malformed));
    for end in 0..17 {
        assert_eq!(answer(&message("a.b", 0, &[])[..end]), Err(Malformed));
    }
}

#[test]
fn a_name_that_grows_by_pointers_ends() {
    // Each part points to the one before: together they are longer than a name may be.
    let mut records = Vec::new();
    let mut target = 12_u16;
    for _ in 0..8 {
        let place = (message("a.b", 1, &records).len() + 12) as u16;
        let mut own = vec![40];
        own.extend([b'x'; 40]);
        own.extend((0xc000 | target).to_be_bytes());
        records.extend(record(2, &own));
        target = place;
    }
    assert_eq!(answer(&message("a.b", 8, &records)), Err(Malformed));
    assert_eq!(answer(&message("a.b", 5, &records)).map(|answer| answer.records.len()), Ok(5));
}
