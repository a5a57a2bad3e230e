//! Every encoding against its own words.

use super::{base64, encode_hex_into, find, units, utf8, write_hex, write_latin1, write_utf16};
use rusk_jsc::CodeUnits;

fn wide(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

#[test]
fn characters_become_utf8() {
    for text in ["", "plain", "caf\u{e9}", "\u{20ac}uro", "a\u{1f600}b", "\u{7ff}\u{800}\u{ffff}"] {
        let units = wide(text);
        assert_eq!(utf8::encode(CodeUnits::Utf16(&units)), text.as_bytes(), "{text}");
        assert_eq!(utf8::length(CodeUnits::Utf16(&units)), text.len(), "{text}");
        let latin: Result<Vec<u8>, _> = units.iter().map(|unit| u8::try_from(*unit)).collect();
        if let Ok(latin) = latin {
            assert_eq!(utf8::encode(CodeUnits::Latin1(&latin)), text.as_bytes(), "{text}");
        }
    }
    let halves = [0xd83d, 0x61, 0xde00, 0xd83d, 0xd83d, 0xde00, 0xd83d];
    let expected = "\u{fffd}a\u{fffd}\u{fffd}\u{1f600}\u{fffd}";
    assert_eq!(utf8::encode(CodeUnits::Utf16(&halves)), expected.as_bytes());
}

#[test]
fn characters_are_not_split() {
    let text = wide("a\u{e9}\u{20ac}\u{1f600}");
    for (room, written, read) in [
        (0, 0, 0),
        (1, 1, 1),
        (2, 1, 1),
        (3, 3, 2),
        (5, 3, 2),
        (6, 6, 3),
        (9, 6, 3),
        (10, 10, 5),
        (12, 10, 5),
    ] {
        assert_eq!(utf8::write(&mut vec![0; room], CodeUnits::Utf16(&text)), (written, read), "{room}");
    }
    for (room, written, read) in [(0, 0, 0), (1, 1, 1), (2, 1, 1), (3, 3, 2), (4, 4, 3), (9, 4, 3)] {
        assert_eq!(utf8::write(&mut vec![0; room], CodeUnits::Latin1(b"a\xe9b")), (written, read), "{room}");
    }
}

#[test]
fn code_units_are_cut_to_the_target() {
    let mut target = [9; 5];
    assert_eq!(write_utf16(&mut target, CodeUnits::Utf16(&[0x20ac, 0x41, 0x42])), 4);
    assert_eq!(target, [0xac, 0x20, 0x41, 0, 9]);
    assert_eq!(write_utf16(&mut target, CodeUnits::Latin1(b"z")), 2);
    assert_eq!(units(&target), [u16::from(b'z'), 0x41]);
    assert_eq!(write_latin1(&mut target, CodeUnits::Utf16(&[0x20ac])), 1);
    assert_eq!((write_latin1(&mut target[1..], CodeUnits::Latin1(b"0123456")), target), (4, *b"\xac0123"));
}

#[test]
fn hex_ends_at_the_first_other_character() {
    for (text, expected) in [
        ("00ffAb", &[0, 255, 0xab][..]),
        ("0", &[]),
        ("01zz02", &[1]),
        ("0g", &[]),
        ("012", &[1]),
        ("+1", &[]),
    ] {
        let mut target = [0; 4];
        let written = write_hex(&mut target, CodeUnits::Latin1(text.as_bytes()));
        assert_eq!(&target[..written], expected, "{text}");
        assert_eq!(write_hex(&mut target, CodeUnits::Utf16(&wide(text))), written, "{text}");
    }
    // Of a wide unit the low byte counts, as in Node.
    assert_eq!(write_hex(&mut [0; 4], CodeUnits::Utf16(&[0x130, 0x131])), 1);
}

#[test]
fn base64_ignores_other_characters() {
    for (text, expected) in [
        ("", ""),
        ("YQ==", "a"),
        ("YQ", "a"),
        ("YQ=YQ", "a"),
        ("Y", ""),
        ("YWJj", "abc"),
        ("YW\nJj", "abc"),
        ("YWJjZA=", "abcd"),
        ("*YW-", "ao"),
    ] {
        let mut target = [0; 16];
        let written = base64::write(&mut target, text.as_bytes());
        let found: String = target[..written].iter().map(|byte| char::from(*byte)).collect();
        assert_eq!(found, expected, "{text}");
    }
    assert_eq!(base64::write(&mut [0; 2], b"YWJjZGVm"), 2);
}

#[test]
fn atob_forgives_white_space_and_missing_padding() {
    for (text, expected) in [
        ("", Some("")),
        (" YQ == ", Some("a")),
        ("YQ", Some("a")),
        ("YWI=", Some("ab")),
        ("YQ=", None),
        ("Y", None),
        ("YQ===", None),
        ("Y-==", None),
        ("=", None),
        ("ab=c", None),
    ] {
        let found = base64::forgiving(text.as_bytes());
        assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{text}");
    }
}

#[test]
fn needles_are_found_both_ways() {
    let hay = b"abcabcab";
    for (needle, from, is_forward, expected) in [
        (&b"abc"[..], 0, true, Some(0)),
        (b"abc", 1, true, Some(3)),
        (b"abc", 4, true, None),
        (b"abc", 7, false, Some(3)),
        (b"abc", 3, false, Some(3)),
        (b"abc", 2, false, Some(0)),
        (b"b", 99, false, Some(7)),
        (b"b", 99, true, None),
        (b"abcabcabc", 0, true, None),
    ] {
        assert_eq!(find(hay, needle, from, is_forward, 1), expected, "{needle:?} {from} {is_forward}");
    }
    // Of UTF-16, odd offsets do not count.
    let hay = [0x61, 0x62, 0x61, 0x62, 0x62, 0x61, 0x62, 0x61];
    assert_eq!(find(&hay, &[0x62, 0x61], 0, true, 2), Some(4));
    assert_eq!(find(&hay, &[0x62, 0x61], 7, false, 2), Some(6));
    assert_eq!(find(&hay, &[0x61, 0x62], 8, false, 2), Some(2));
}

#[test]
fn bytes_are_written_as_digits() {
    let bytes: Vec<u8> = (0..=255).collect();
    let expected: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut characters = vec![0; bytes.len() * 2];
    encode_hex_into(&bytes, &mut characters);
    assert_eq!(String::from_utf8(characters).unwrap(), expected);
    let mut read = vec![0; bytes.len()];
    assert_eq!(write_hex(&mut read, CodeUnits::Latin1(expected.to_uppercase().as_bytes())), bytes.len());
    assert_eq!(read, bytes);
}

#[test]
fn bytes_are_written_in_base64url() {
    for (bytes, expected) in
        [(&b""[..], ""), (b"\xfb", "-w"), (b"\xfb\xff", "-_8"), (b"\xfb\xff\xfe", "-__-")]
    {
        let mut characters = vec![0; base64::length(bytes.len())];
        base64::encode_into(bytes, &mut characters);
        assert_eq!(characters, expected.as_bytes());
    }
}

#[test]
fn latin1_fills_exactly_its_utf8_length() {
    for count in 0..80 {
        let characters: Vec<u8> =
            (0..count).map(|at| if at % 5 == 3 { 0xe9 } else { b'a' + at % 26 }).collect();
        let text: String = characters.iter().map(|character| char::from(*character)).collect();
        let mut target = vec![9; text.len() + 4];
        assert_eq!(utf8::write(&mut target, CodeUnits::Latin1(&characters)), (text.len(), characters.len()));
        assert_eq!((&target[..text.len()], &target[text.len()..]), (text.as_bytes(), &[9; 4][..]));
        target.truncate(text.len());
        assert_eq!(utf8::write(&mut target, CodeUnits::Latin1(&characters)), (text.len(), characters.len()));
    }
}
