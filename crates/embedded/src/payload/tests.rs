//! Payloads are read as they were written; other bytes are refused.

use super::{EntryKind, Header, Payload};

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
fn directories_are_those_of_the_paths() {
    let names = ["a.txt", "pages/b.txt", "pages/deep/c.txt", "pages-2/d.txt"];
    let assets = names.map(|name| (format!("/$bunfs/root/{name}"), Vec::new()));
    let payload = Payload { assets: assets.to_vec(), code: Vec::new(), ..payload() };
    let header = Header::parse(&payload.to_bytes()).expect("a payload");
    let entries = |path: &str| header.directory(path).map(|entries| entries.into_iter().collect::<Vec<_>>());
    let pages = vec![("b.txt", EntryKind::File), ("deep", EntryKind::Directory)];
    assert_eq!(entries("/$bunfs/root/pages"), Some(pages.clone()));
    assert_eq!(entries("/$bunfs/root/pages/"), Some(pages));
    let names = entries("/$bunfs/root").map(|all| all.iter().map(|(name, _)| *name).collect::<Vec<_>>());
    assert_eq!(names, Some(vec!["a.txt", "pages", "pages-2"]));
    for absent in ["/$bunfs/root/page", "/$bunfs/root/a.txt", "/$bunfs/root/pages/none"] {
        assert_eq!(entries(absent), None, "{absent}");
    }
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
