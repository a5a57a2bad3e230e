//! What comes of a tarball in pieces: the same as of a whole one, however it is cut.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::os::unix::fs::PermissionsExt;

use rusk_base::Problem;
use rusk_testkit::project::Project;
use rusk_testkit::tarball::{Builder, Entry, gzip};

use super::*;
use crate::integrity::{of_sha512, sha512};
use crate::tarball::pieces::Piece;

/// Shorter than a header, as long as one, about what the network hands on.
const CUTS: [usize; 3] = [7, 512, 64 << 10];

/// A store in a project, which lives as long as it.
struct Scratch {
    _project: Project,
    store: Store,
}

impl Scratch {
    fn new() -> Scratch {
        let project = Project::new();
        Scratch { store: Store::open(&project.path().join("store")).expect("opened"), _project: project }
    }

    /// Adds what comes, in this order.
    fn add(&self, pieces: Vec<Piece>, bytes: usize, expected: &Expected<'_>) -> Result<Package> {
        let pieces = RefCell::new(VecDeque::from(pieces));
        let mut next = || {
            pieces.borrow_mut().pop_front().ok_or_else(|| Problem::new("cut-off", "the connection is gone"))
        };
        let mut pieces = Pieces { bytes: bytes as u64, next: &mut next };
        self.store.add_arriving(&key(), &mut pieces, expected)
    }

    /// Every file's path, modes and bytes; or the problem's code, and nothing left.
    fn outcome_of(&self, added: Result<Package>) -> String {
        let package = match added {
            Ok(package) => package,
            Err(problem) => {
                assert_eq!(self.left(), [] as [String; 0]);
                return problem.code().to_owned();
            }
        };
        assert_eq!(self.store.look_for(&key()).expect("read").as_ref(), Some(&package));
        let file = |file: index::Entry<'_>| {
            let place = self.store.find_file(&package, file.path).expect("a file of it");
            let body = std::fs::read(&place).expect("there");
            assert_eq!(body.len(), file.bytes as usize, "{}", file.path);
            let mode = std::fs::metadata(&place).expect("there").permissions().mode();
            format!("{} {:o} {:o} {:?}", file.path, file.mode, mode, String::from_utf8_lossy(&body))
        };
        let listing = package.index.listing().expect("its paths are plain");
        let files: Vec<String> = listing.files().map(file).collect();
        let stored = std::fs::read_dir(self.store.root().join(key().dir_name())).expect("listed");
        assert_eq!(stored.count(), files.len() + 1, "each file and the index");
        let dirs: Vec<&str> = listing.dirs().collect();
        format!("{:?} {dirs:?} {files:?}", package.index.manifest)
    }

    /// Packages, and what lies in staging directories.
    fn left(&self) -> Vec<String> {
        let mut left = self.store.dirs().expect("listed");
        for session in std::fs::read_dir(self.store.root().join(".staging")).into_iter().flatten() {
            let inside = std::fs::read_dir(session.expect("read").path()).expect("listed");
            left.extend(inside.map(|entry| entry.expect("read").file_name().to_string_lossy().into_owned()));
        }
        left
    }
}

fn key() -> Key {
    Key::new("left", "1.0.0", "")
}

fn cut(bytes: &[u8], length: usize) -> Vec<Piece> {
    let pieces = bytes.chunks(length).map(|piece| Piece::Bytes(piece.to_vec()));
    pieces.chain([Piece::End]).collect()
}

/// The same as of a whole tarball, whichever way it is cut.
fn check(tarball: &[u8]) {
    let whole = Scratch::new();
    let expected = whole.outcome_of(whole.store.add(&key(), tarball, &Expected::default()));
    for length in CUTS {
        let scratch = Scratch::new();
        let added = scratch.add(cut(tarball, length), tarball.len(), &Expected::default());
        assert_eq!(scratch.outcome_of(added), expected, "pieces of {length} bytes");
    }
}

fn left() -> Builder {
    Builder::package("left", "1.0.0").file("package/lib/a.js", "a").executable("package/run", "#!/bin/sh\n")
}

#[test]
fn files_are_the_same() {
    let long = format!("package/{}/file.js", "directory".repeat(40));
    let large: Vec<u8> = (0..700_000u32).map(|number| (number.wrapping_mul(number) >> 7) as u8).collect();
    check(&left().tgz());
    check(&left().tar());
    check(&left().file("package/large", &large).file("package/z", "z").tgz());
    check(&left().file("package/a", "first").file("package/b", "").file("package/a", "second").tgz());
    check(&left().file("package/package.json", r#"{"name":"other"}"#).tgz());
    check(&left().file(&long, "pax").gnu_long_path(&long).file("package/x", "gnu").tgz());
    check(&left().pax(&[("path", "package/b"), ("size", "4")]).file("package/a", "body").tgz());
    check(&left().special(b'2', "package/link", "../../x").directory("package/empty").tgz());
    check(&left().file("package/../out", "x").file("../up", "y").tgz());
    check(&[left().tgz(), vec![0; 1000]].concat());
    let tar = left().tar();
    check(&[gzip(&tar[..700]), gzip(&tar[700..])].concat());
}

#[test]
fn programs_are_made_runnable() {
    let manifest = r#"{"name":"left","bin":{"a":"a.js","b":"b.js","c":"c.js","gone":"gone.js"}}"#;
    let long = format!("#!/usr/bin/env node\r\n{}", "text\r\n".repeat(30_000));
    let builder = Builder::new().file("p/a.js", "#!/usr/bin/env node\r\ntext\r\n").file("p/b.js", long);
    check(&builder.executable("p/c.js", "#!/usr/bin/env node\n").file("p/package.json", manifest).tgz());
}

#[test]
fn what_is_refused_is_the_same() {
    let tgz = left().tgz();
    let damaged: Vec<u8> = tgz.iter().enumerate().map(|(at, byte)| byte ^ u8::from(at == 60)).collect();
    check(&damaged);
    check(&tgz[..tgz.len() - 1]);
    check(&tgz[..tgz.len() / 2]);
    check(&[&tgz[..], b"more"].concat());
    check(&[&tgz[..], b"\0\0more"].concat());
    check(&gzip(&left().tar()[..1000]));
    check(&left().entry(&Entry { claimed_bytes: Some(1 << 33), ..Entry::default() }).tar_without_end());
    check(&left().file("package/lib", "a file and a directory").tgz());
    check(&Builder::new().file("package/a", "no manifest").tgz());
    check(&Builder::new().file("package/package.json", "{").tgz());
    check(&Builder::new().file("package/package.json", vec![b' '; 5 << 20]).tgz());
    check(&left().file("package/zeros", vec![0; 70 << 20]).tgz());
    check(&left().tar().chunks(150).flat_map(gzip).collect::<Vec<u8>>());
}

#[test]
fn the_digest_judges_first() {
    let (tgz, other) = (left().tgz(), left().file("package/b", "b").tgz());
    let wanted = of_sha512(&sha512(&tgz));
    let expected = Expected { integrity: Some(&wanted), ..Expected::default() };
    let broken = tgz[..tgz.len() - 9].to_vec();
    for found in [&other, &broken] {
        let scratch = Scratch::new();
        assert_eq!(
            scratch.outcome_of(scratch.add(cut(found, 100), found.len(), &expected)),
            "integrity-differs"
        );
    }
    let scratch = Scratch::new();
    let package = scratch.add(cut(&tgz, 100), tgz.len(), &expected).expect("it is the right one");
    assert_eq!(package.integrity(), wanted.to_string());
    let version = Expected { version: Some("2.0.0"), ..expected };
    let scratch = Scratch::new();
    assert_eq!(scratch.outcome_of(scratch.add(cut(&tgz, 100), tgz.len(), &version)), "tarball-manifest");
}

#[test]
fn what_comes_again_counts_once() {
    let tgz = left().tgz();
    let first = tgz[..tgz.len() / 2].to_vec();
    let pieces = [Piece::Bytes(first), Piece::Again].into_iter().chain(cut(&tgz, 100)).collect();
    let (scratch, whole) = (Scratch::new(), Scratch::new());
    let expected = whole.outcome_of(whole.store.add(&key(), &tgz, &Expected::default()));
    assert_eq!(scratch.outcome_of(scratch.add(pieces, tgz.len(), &Expected::default())), expected);
}

#[test]
fn what_breaks_off_leaves_nothing() {
    let tgz = left().tgz();
    let scratch = Scratch::new();
    let pieces = vec![Piece::Bytes(tgz[..tgz.len() - 1].to_vec())];
    assert_eq!(scratch.outcome_of(scratch.add(pieces, tgz.len(), &Expected::default())), "cut-off");
}
