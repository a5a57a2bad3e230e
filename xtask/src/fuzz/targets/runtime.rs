//! The targets of `rusk-runtime` and of what a program is given: formats of data that programs
//! import, of which JSON comes; messages between programs; addresses; files of variables; answers
//! of servers of names.

use std::collections::BTreeMap;

use rusk_data_formats as data_formats;
use rusk_dns::{self as dns, Part};
use rusk_ipc::{BUN_GREETING, Form, Frames};
use rusk_npm::json::{self, Dialect};
use rusk_scripts::dotenv;
use rusk_url_parser::{UrlRecord, parse as parse_url, parse_fast, parse_relative_fast};

/// Blanks for comments: nothing moves.
pub fn jsonc(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    if let Ok(found) = data_formats::jsonc(&text) {
        let given = text.strip_prefix('\u{feff}').unwrap_or(&text);
        assert_eq!(found.encode_utf16().count(), given.encode_utf16().count());
        assert_eq!(found.matches('\n').count(), given.matches('\n').count());
    }
}

pub fn toml(input: &[u8]) {
    check(data_formats::toml(&String::from_utf8_lossy(input)));
}

pub fn yaml(input: &[u8]) {
    check(data_formats::yaml(&String::from_utf8_lossy(input)));
}

/// A byte for the form and one for the size of pieces, then what the other end sends: the same
/// messages, however they come.
pub fn frames(input: &[u8]) {
    let [form, size, bytes @ ..] = input else { return };
    let form = [Form::Lines, Form::Lengths, Form::Kinds][usize::from(form % 3)];
    let cut = |size: usize| {
        let (mut frames, mut found) = (Frames::new(form), Vec::new());
        let mut pieces = bytes.chunks(size);
        let outcome =
            pieces.try_for_each(|piece| frames.cut(piece, |message, _| found.push(message.to_vec())));
        (outcome, found)
    };
    let (outcome, found) = cut(bytes.len().max(1));
    assert_eq!((outcome, found.clone()), cut(usize::from(*size).max(1)));
    let framed: Vec<u8> =
        found.iter().flat_map(|message| form.framed(message).expect("it is short")).collect();
    let mut again = Vec::new();
    Frames::new(form).cut(&framed, |message, _| again.push(message.to_vec())).expect("what is sent is read");
    assert_eq!(again, found);
}

/// A base, if the first line is one, and an address: what was read is written as something that is
/// read as the same, and what is read quickly is what is read with care.
pub fn address(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let (first, rest) = text.split_once('\n').unwrap_or(("", &text));
    let base = parse_url(first, None);
    let found = parse_url(rest, base.as_ref());
    if let Some(quick) = base.as_ref().and_then(|_| parse_relative_fast(first.as_bytes(), rest.as_bytes())) {
        assert_eq!(found.as_ref().map(UrlRecord::write), Some(quick), "{first} {rest}");
    }
    if let Some(quick) = parse_fast(rest.as_bytes()) {
        let (href, places) = found.as_ref().expect("it is an address").write();
        assert_eq!((quick.offsets, quick.lacks_path), (places, href != rest), "{rest}");
    }
    let Some(found) = found else { return };
    check_address(&found);
    for part in PARTS {
        if let Some(changed) = found.with(part, first) {
            check_address(&changed);
        }
    }
}

/// What programs set of an address.
const PARTS: [&str; 9] =
    ["protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];

fn check_address(address: &UrlRecord) {
    let (text, places) = address.write();
    let places = places.map(|place| place as usize);
    assert!(places.iter().all(|place| text.is_char_boundary(*place)), "{text}: {places:?}");
    assert!(places[0] <= places[6] && places[6..].is_sorted(), "{text}: {places:?}");
    assert!(address.host.is_none() || places.is_sorted(), "{text}: {places:?}");
    let again = parse_url(&text, None).map(|again| again.write().0);
    // Blanks at the end of an opaque path are kept as long as something stands behind them.
    let is_same = again.as_deref().is_some_and(|again| {
        again == text || again == text.trim_end() || again == drive_letter_as_read(&text)
    });
    assert!(is_same, "{text} is read as {again:?}");
}

/// `text` with the `|` of a drive letter read as `:`. The URL standard changes it only in an
/// address that is a file's as it is read: one that became a file's by its protocol keeps the `|`
/// until it is read again.
fn drive_letter_as_read(text: &str) -> String {
    let path =
        text.strip_prefix("file://").and_then(|rest| rest.find('/')).map(|at| "file://".len() + at + 1);
    let mut read = text.to_owned();
    if let Some(path) = path
        && let Some([character, b'|', rest @ ..]) = text.as_bytes().get(path..)
        && character.is_ascii_alphabetic()
        && matches!(rest, [] | [b'/' | b'?' | b'#', ..])
    {
        read.replace_range(path + 1..path + 2, ":");
    }
    read
}

/// What is there stays, names are whole, and the last of two files hides nothing of the first.
pub fn dotenv(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let given = BTreeMap::from([("A".to_owned(), "given".to_owned())]);
    let alone = dotenv::read_together(&[&text], &given);
    assert!(!alone.contains_key("A"));
    for (name, value) in &alone {
        assert!(!name.is_empty() && !name.contains(['=', '\n', ' ']), "{name:?}");
        assert!(value.len() <= VARIABLE_BYTES_MAX.max(text.len()), "{name} has {} bytes", value.len());
    }
    assert_eq!(dotenv::read_together(&[&text, &text], &given), alone);
    let names: Vec<_> = dotenv::read_together(&[&text, "LAST=1"], &given).into_keys().collect();
    assert!(alone.keys().all(|name| names.contains(name)));
}

/// What the kernel takes as one variable, and what a piece that is put in last may have beyond.
const VARIABLE_BYTES_MAX: usize = 2 * 128 * 1024;

/// Streams of each form, whole and cut.
pub fn streams() -> Vec<Vec<u8>> {
    let kinds = [&[2, 3], BUN_GREETING.as_slice(), &[2, 1, 0, 0, 0, 9, 3, 0, 0, 0, 0]].concat();
    let foreign = [&[1, 2], BUN_GREETING.as_slice()].concat();
    vec![
        b"\x00\x01{}\n[1,2]\n\"x\"\nhalf".to_vec(),
        vec![1, 3, 0, 0, 0, 2, 0xff, 15, 0, 0, 0, 0, 0, 0, 1],
        vec![1, 7, 0xff, 0xff, 0xff, 0xff],
        kinds,
        foreign,
    ]
}

fn check(found: Result<String, data_formats::Fault>) {
    match found {
        // Our parser of JSON bounds depth and refuses keys that come twice sooner than the engine.
        Ok(json) => assert!(json.len() > 100 || json::parse(&json, Dialect::Strict).is_ok(), "{json}"),
        Err(fault) => assert!(!fault.message.is_empty() && fault.line > 0 && fault.column > 0),
    }
}

/// An answer of a server of names: its names are no longer than names are, and what was asked can
/// be asked again.
pub fn dns(input: &[u8]) {
    let Ok(found) = dns::answer(input) else { return };
    // A byte is at most four letters.
    let bytes_max = 4 * 255;
    assert!(found.host.len() <= bytes_max);
    for part in found.records.iter().flat_map(|record| &record.parts) {
        assert!(!matches!(part, Part::Name(name) if name.len() > bytes_max));
    }
    if found.host.contains('\\') {
        return;
    }
    let mut again = dns::question(found.id, &found.host, found.kind).expect("it was asked");
    again[2] |= 0x80;
    let again = dns::answer(&again).expect("it is one");
    assert_eq!((again.id, again.host, again.kind), (found.id, found.host, found.kind));
}

/// An address, a service whose name points back, texts, one of another class.
pub fn answers() -> Vec<Vec<u8>> {
    let records: &[&[u8]] = &[
        b"\xc0\x0c\0\x01\0\x01\0\0\0\x3c\0\x04\x01\x02\x03\x04",
        b"\xc0\x0c\0\x21\0\x01\0\0\0\x3c\0\x0a\0\x01\0\x02\0\x03\x01s\xc0\x0c",
        b"\x01x\xc0\x0c\0\x10\0\x01\0\0\0\x3c\0\x04\x02ab\0",
        b"\0\0\x06\0\x01\0\0\0\x3c\0\x18\x01n\0\xc0\x0c\0\0\0\x01\0\0\0\x02\0\0\0\x03\0\0\0\x04\0\0\0\x05",
        b"\0\x01\x01\0\x01\0\0\0\x3c\0\x09\x80\x05issueca",
        b"\0\0\x23\0\x01\0\0\0\x3c\0\x0b\0\x01\0\x02\x01s\x01t\0\x01r\0",
        b"\0\0\x01\0\x03\0\0\0\x3c\0\x01x",
    ];
    let message = |records: &[&[u8]]| {
        let mut bytes = dns::question(7, "host.example", 255).expect("a name");
        bytes[2] |= 0x80;
        bytes[7] = records.len() as u8;
        bytes.extend(records.concat());
        bytes
    };
    records.iter().map(|record| message(&[record])).chain([message(records)]).collect()
}
