//! Payloads are read as they were written; other bytes are refused.

use super::{Header, Payload};

fn payload() -> Payload {
    Payload {
        entry: "/$bunfs/root/app".to_owned(),
        exec_arguments: vec!["--smol".to_owned()],
        reads_env: true,
        reads_bunfig: false,
        assets: vec![("/$bunfs/root/note.txt".to_owned(), b"note".to_vec())],
        code: vec![("/$bunfs/root/app".to_owned(), b"code()".to_vec())],
    }
}

#[test]
fn a_payload_is_read_as_it_was_written() {
    let bytes = payload().to_bytes();
    let header = Header::parse(&bytes).expect("a payload");
    let settings = Payload { assets: Vec::new(), code: Vec::new(), ..payload() };
    assert_eq!(header.settings, settings);
    assert_eq!(&bytes[header.files["/$bunfs/root/note.txt"].clone()], b"note");
    assert_eq!(&bytes[header.files["/$bunfs/root/app"].clone()], b"code()");
    assert_eq!(header.assets, ["/$bunfs/root/note.txt"]);
}

#[test]
fn bytes_that_are_no_payload_are_refused() {
    let bytes = payload().to_bytes();
    for length in 0..bytes.len() {
        assert_eq!(Header::parse(&bytes[..length]), None, "{length} bytes");
    }
    assert_eq!(Header::parse(&[bytes.as_slice(), b"x"].concat()), None);
    assert_eq!(Header::parse(&[0xff; 64]), None);
}
