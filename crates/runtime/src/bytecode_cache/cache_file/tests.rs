//! Packs, whole and damaged.

use std::collections::BTreeMap;
use std::fs;

use rusk_testkit::project::Project;

use super::{CacheFile, render};

const MAKER: [u8; 16] = *b"an engine and us";
const ONE: [u8; 16] = *b"the name of one.";
const OTHER: [u8; 16] = *b"the other's name";

fn rendered() -> Vec<u8> {
    let codes: BTreeMap<_, &[u8]> = [(ONE, &b"code"[..]), (OTHER, &[7; 100])].into();
    render(&MAKER, &codes).expect("it is small")
}

fn pack(bytes: &[u8]) -> CacheFile {
    let project = Project::new();
    let file = project.path().join("pack");
    fs::write(&file, bytes).unwrap();
    CacheFile::open(&file, &MAKER)
}

#[test]
fn what_was_written_is_found() {
    let pack = pack(&rendered());
    assert_eq!((pack.find(&ONE), pack.find(&OTHER)), (Some(&b"code"[..]), Some(&[7; 100][..])));
    assert_eq!(pack.find(b"a name of nobody").map(<[u8]>::len), None);
    assert_eq!(pack.all().len(), 2);
}

#[test]
fn a_damaged_byte_damages_one_piece() {
    let mut bytes = rendered();
    *bytes.last_mut().unwrap() ^= 1;
    let pack = pack(&bytes);
    assert_eq!((pack.find(&ONE), pack.find(&OTHER)), (Some(&b"code"[..]), None));
}

#[test]
fn no_damage_gives_other_code() {
    let whole = rendered();
    for at in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x55;
        let pack = pack(&bytes);
        for (name, code) in [(ONE, &b"code"[..]), (OTHER, &[7; 100])] {
            assert!(pack.find(&name).is_none_or(|found| found == code), "byte {at}");
        }
        let cut = self::pack(&whole[..at]);
        assert!(cut.find(&ONE).is_none_or(|found| found == b"code"), "cut at {at}");
    }
}

#[test]
fn another_maker_has_none() {
    let mut bytes = rendered();
    bytes[0] ^= 1;
    assert_eq!(pack(&bytes).len(), 0);
}
