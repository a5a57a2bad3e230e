//! What is written is found again, and what is damaged is not.

use std::borrow::Cow;

use super::*;

fn written() -> Vec<u8> {
    let all: [(&str, &[u8]); 3] = [("node/fs", b"bytecode of fs"), ("heap", b"of heap"), ("web/url", b"")];
    render(&all.map(|(name, bytecode)| (name.as_bytes(), Cow::from(bytecode))).into()).unwrap()
}

fn read(bytes: &[u8]) -> Option<Compiled> {
    let file = std::env::temp_dir().join(format!(
        "rusk-compiled-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    fs::write(&file, bytes).unwrap();
    let map = Map::of(&File::open(&file).unwrap());
    fs::remove_file(&file).unwrap();
    Compiled::read(map?)
}

#[test]
fn each_name_finds_its_bytecode() {
    let compiled = read(&written()).unwrap();
    assert_eq!(compiled.find("node/fs"), Some(&b"bytecode of fs"[..]));
    assert_eq!(compiled.find("heap"), Some(&b"of heap"[..]));
    assert_eq!(compiled.find("web/url"), Some(&b""[..]));
    assert_eq!(compiled.find("web"), None);
    assert_eq!(compiled.find("zlib"), None);
}

#[test]
fn what_is_cut_off_or_of_another_form_is_not_read() {
    let whole = written();
    for length in 0..whole.len() {
        assert!(read(&whole[..length]).is_none(), "{length}");
    }
    assert!(read(&[whole.as_slice(), b"more"].concat()).is_none());
    let mut other = whole;
    other[7] ^= 1;
    assert!(read(&other).is_none());
}

#[test]
fn no_number_leads_outside() {
    let whole = written();
    for at in HEAD_BYTES - 4..HEAD_BYTES + 3 * ENTRY_BYTES {
        for value in [0xff, 0x7f, 0x01] {
            let mut damaged = whole.clone();
            damaged[at] = value;
            if let Some(compiled) = read(&damaged) {
                for name in ["node/fs", "heap", "web/url", "zzz"] {
                    let _ = compiled.find(name);
                }
            }
        }
    }
}
