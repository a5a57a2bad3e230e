//! Fuzz targets of `rusk-runtime` and of what a program gets: data formats that are converted to
//! JSON, IPC messages, URLs, .env files, DNS responses.

use std::collections::BTreeMap;

use rusk_data_formats as data_formats;
use rusk_dns::{self as dns, Field};
use rusk_ipc::{BUN_GREETING, FrameDecoder, Framing};
use rusk_npm::json::{self, Dialect};
use rusk_scripts::dotenv;
use rusk_url_parser::{UrlRecord, parse as parse_url, parse_fast, parse_relative_fast};

/// Comments become blanks: no position changes.
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

pub fn json5(input: &[u8]) {
    check(data_formats::json5(&String::from_utf8_lossy(input)));
}

pub fn xml(input: &[u8]) {
    check(data_formats::xml_text(input).and_then(|text| data_formats::xml(&text)));
}

/// Every text is Markdown.
pub fn markdown(input: &[u8]) {
    data_formats::markdown(&String::from_utf8_lossy(input));
}

pub const XML: &[&str] = &[
    "<?xml version=\"1.0\"?>\n<!DOCTYPE a [<!ENTITY e \"x&#33;\"><!ATTLIST a b NMTOKEN \"c\">]>\n<a d='1'>&e;<b/>t<b/></a>",
    "<a><![CDATA[ <b> ]]><!-- c --><?p q?></a>",
];

pub const MARKDOWN: &[&str] = &[
    "# a\n\n- [x] b **c** `d` ![e](f \"g\")\n\n| a | b |\n|:--|--:|\n| 1 | ~~2~~ |\n",
    "1. a\n\n   > b\n\n```js\nc\n```\n<d>\n",
];

/// Undefined symbols of a native addon.
pub fn elf(input: &[u8]) {
    let names = rusk_node_api::elf::undefined_symbols(&mut |offset, size| {
        let start = usize::try_from(offset).ok()?;
        Some(input.get(start..start.checked_add(usize::try_from(size).ok()?)?)?.to_vec())
    });
    assert!(names.unwrap_or_default().iter().all(|name| !name.is_empty() && !name.contains('\0')));
}

/// A file with one undefined symbol: header, two sections, symbols, names.
pub fn shared_objects() -> Vec<Vec<u8>> {
    const SECTIONS: usize = 64;
    const SYMBOLS: usize = SECTIONS + 2 * 64;
    const NAMES: usize = SYMBOLS + 24;
    let mut file = vec![0; NAMES];
    file[..6].copy_from_slice(b"\x7fELF\x02\x01");
    (file[40], file[58], file[60]) = (SECTIONS as u8, 64, 2);
    (file[SECTIONS + 4], file[SECTIONS + 24], file[SECTIONS + 32]) = (11, SYMBOLS as u8, 24);
    file[SECTIONS + 40] = 1;
    let strings = SECTIONS + 64;
    (file[strings + 24], file[strings + 32]) = (NAMES as u8, 6);
    (file[SYMBOLS], file[SYMBOLS + 4]) = (1, 0x10);
    file.extend(b"\0name\0");
    vec![file]
}

/// One byte for the form and one for the chunk size, then the other end's bytes: the messages are
/// the same however they are split.
pub fn frames(input: &[u8]) {
    let [framing, size, bytes @ ..] = input else { return };
    let framing =
        [Framing::Lines, Framing::LengthPrefix, Framing::TypeAndLengthPrefix][usize::from(framing % 3)];
    let cut = |size: usize| {
        let (mut decoder, mut found) = (FrameDecoder::new(framing), Vec::new());
        let mut pieces = bytes.chunks(size);
        let outcome =
            pieces.try_for_each(|piece| decoder.decode(piece, |message, _| found.push(message.to_vec())));
        (outcome, found)
    };
    let (outcome, found) = cut(bytes.len().max(1));
    assert_eq!((outcome, found.clone()), cut(usize::from(*size).max(1)));
    let framed: Vec<u8> =
        found.iter().flat_map(|message| framing.encode(message).expect("it is short")).collect();
    let mut again = Vec::new();
    FrameDecoder::new(framing)
        .decode(&framed, |message, _| again.push(message.to_vec()))
        .expect("what is sent is read");
    assert_eq!(again, found);
}

/// A base, if the first line is one, and a URL: a parsed URL serializes to one that parses the
/// same, and the fast path agrees with the full parser.
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

/// The properties that programs set on a URL.
const PARTS: [&str; 9] =
    ["protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"];

fn check_address(address: &UrlRecord) {
    let (text, offsets) = address.write();
    let offsets = offsets.map(|offset| offset as usize);
    assert!(offsets.iter().all(|offset| text.is_char_boundary(*offset)), "{text}: {offsets:?}");
    assert!(offsets[0] <= offsets[6] && offsets[6..].is_sorted(), "{text}: {offsets:?}");
    assert!(address.host.is_none() || offsets.is_sorted(), "{text}: {offsets:?}");
    let again = parse_url(&text, None).map(|again| again.write().0);
    // Blanks at the end of an opaque path are retained as long as a query or fragment follows.
    let is_same = again
        .as_deref()
        .is_some_and(|again| again == text || again == text.trim_end() || again == drive_as_parsed(&text));
    assert!(is_same, "{text} is read as {again:?}");
}

/// `text` with the `|` of a drive letter read as `:`. The URL standard changes it only if the
/// scheme is file while parsing: a URL that became one by its protocol setter retains the `|` until
/// it is parsed again.
fn drive_as_parsed(text: &str) -> String {
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

/// Existing variables stay, names are complete, and the second of two files does not hide variables
/// of the first.
pub fn dotenv(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let given = BTreeMap::from([("A".to_owned(), "given".to_owned())]);
    let alone = dotenv::parse_files(&[&text], &given);
    assert!(!alone.contains_key("A"));
    for (name, value) in &alone {
        assert!(!name.is_empty() && !name.contains(['=', '\n', ' ']), "{name:?}");
        assert!(value.len() <= VARIABLE_BYTES_MAX.max(text.len()), "{name} has {} bytes", value.len());
    }
    assert_eq!(dotenv::parse_files(&[&text, &text], &given), alone);
    let names: Vec<_> = dotenv::parse_files(&[&text, "LAST=1"], &given).into_keys().collect();
    assert!(alone.keys().all(|name| names.contains(name)));
}

/// What the kernel accepts as one variable, plus what a last substitution may add.
const VARIABLE_BYTES_MAX: usize = 2 * 128 * 1024;

/// Streams of each framing, complete and truncated.
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
        // Our JSON parser limits depth and refuses duplicate keys, unlike the engine.
        Ok(json) => assert!(json.len() > 100 || json::parse(&json, Dialect::Strict).is_ok(), "{json}"),
        Err(fault) => assert!(!fault.message.is_empty() && fault.line > 0 && fault.column > 0),
    }
}

/// Elements of DER stay within the input; a signature in both encodings means the same.
pub fn der(input: &[u8]) {
    if let Some((element, rest)) = rusk_openssl::read_tlv(input) {
        assert!(element.content.len() + rest.len() < input.len());
    }
    for bytes in [1, 20, 32] {
        let Some(p1363) = rusk_openssl::der_to_p1363(input, bytes) else { continue };
        let der = rusk_openssl::p1363_to_der(&p1363, bytes).expect("it has the length");
        assert_eq!(rusk_openssl::der_to_p1363(&der, bytes), Some(p1363));
    }
}

pub fn signatures() -> Vec<Vec<u8>> {
    [[1_u8; 64], [0xff; 64], [0; 64]]
        .iter()
        .filter_map(|signature| rusk_openssl::p1363_to_der(signature, 32))
        .collect()
}

/// A DNS response: its names are within the limits, and its question can be sent again.
pub fn dns(input: &[u8]) {
    if let Ok(query) = dns::decode_query(input) {
        let response = dns::decode_response(&dns::encode_answer(&query, 0, &[], 60)).expect("our own answer");
        assert_eq!((response.host, response.record_type), (query.host, query.record_type));
    }
    let Ok(response) = dns::decode_response(input) else { return };
    // An escaped byte has at most four characters.
    let bytes_max = 4 * 255;
    assert!(response.host.len() <= bytes_max);
    for field in response.records.iter().flat_map(|record| &record.fields) {
        assert!(!matches!(field, Field::Name(name) if name.len() > bytes_max));
    }
    if response.host.contains('\\') {
        return;
    }
    let mut again =
        dns::encode_query(response.id, &response.host, response.record_type).expect("a valid name");
    again[2] |= 0x80;
    let again = dns::decode_response(&again).expect("a response");
    assert_eq!((again.id, again.host, again.record_type), (response.id, response.host, response.record_type));
}

/// An A record, a service whose name is a compression pointer, TXT records, one of another class.
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
        let mut bytes = dns::encode_query(7, "host.example", 255).expect("a name");
        bytes[2] |= 0x80;
        bytes[7] = records.len() as u8;
        bytes.extend(records.concat());
        bytes
    };
    records.iter().map(|record| message(&[record])).chain([message(records)]).collect()
}
