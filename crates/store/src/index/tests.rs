//! That an index survives its bytes, and that other bytes are no index.

use super::*;

const NO_PROOF: Proof = Proof { sha512: [0; 64], written_ns: 0 };

fn sample() -> Index {
    let manifest = Manifest {
        name: "@scope/left".into(),
        version: "1.0.0".into(),
        bins: vec![
            Bin { name: "left".into(), path: "bin/left".into() },
            Bin { name: String::new(), path: "é".into() },
        ],
        scripts: InstallScripts { postinstall: true, ..InstallScripts::default() },
        bundles_dependencies: true,
    };
    let file =
        |path: &'static str, body: &'static [u8], mode| File { path: path.into(), body: body.into(), mode };
    let files =
        [file("bin/left", b"abc", 0o777), file("package.json", b"{}", 0o666), file("é/☃", b"", 0o666)];
    Index::new(manifest, Proof { sha512: [7; 64], written_ns: 5 }, &["bin", "é"], &entries(&files))
}

fn parse(bytes: &[u8]) -> Option<Index> {
    Index::parse(bytes.to_vec().into())
}

#[test]
fn an_index_reads_as_it_was_written() {
    for index in [sample(), Index::new(Manifest::default(), NO_PROOF, &[], &[])] {
        assert_eq!(parse(index.as_bytes()), Some(index));
    }
    let index = sample();
    assert_eq!((index.file_count(), index.written_ns), (3, 5));
    let index = index.listing().expect("its paths are plain");
    assert_eq!(index.dirs().collect::<Vec<_>>(), ["bin", "é"]);
    let files: Vec<_> = index.files().map(|file| (file.path, file.mode, file.bytes, file.number)).collect();
    assert_eq!(files, [("bin/left", 0o777, 3, 0), ("package.json", 0o666, 2, 1), ("é/☃", 0o666, 0, 2)]);
    assert_eq!(index.files().map(|file| file.checksum).collect::<Vec<_>>(), [0x352441c2, 0xa3a6bf43, 0]);
    assert!(index.has_file("package.json") && index.has_file("é/☃") && !index.has_file("bin"));
}

#[test]
fn a_damaged_index_is_none() {
    let bytes = sample().as_bytes().to_vec();
    for length in 0..bytes.len() {
        assert_eq!(parse(&bytes[..length]), None, "{length}");
    }
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert_eq!(parse(&damaged), None, "{at}");
    }
    assert_eq!(parse(&[bytes, vec![0]].concat()), None);
}

#[test]
fn no_bytes_with_a_fitting_checksum_panic() {
    let bytes = sample().as_bytes().to_vec();
    let mut random = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random as usize
    };
    for _ in 0..20_000 {
        let mut damaged = bytes.clone();
        for _ in 0..=next() % 3 {
            let at = HEAD_BYTES + next() % (bytes.len() - HEAD_BYTES);
            damaged[at] = if next() % 2 == 0 { 0xff } else { next() as u8 };
        }
        damaged.truncate(HEAD_BYTES + next() % (bytes.len() - HEAD_BYTES + 1));
        let length = damaged.len() as u32;
        damaged[8..12].copy_from_slice(&length.to_le_bytes());
        let checksum = libdeflater::crc32(&damaged[HEAD_BYTES..]);
        damaged[12..16].copy_from_slice(&checksum.to_le_bytes());
        if let Some(index) = parse(&damaged) {
            let Some(listing) = index.listing() else { continue };
            assert_eq!(listing.dirs().count() + listing.files().count(), listing.ends.len());
            assert_eq!(listing.files().count(), index.file_count());
        }
    }
}

#[test]
fn an_index_that_leads_out_of_its_package_lists_nothing() {
    let check = |dir: &str, path: &'static str, bin: (&str, &str)| {
        let file = File { path: path.into(), body: (b"" as &[u8]).into(), mode: 0o666 };
        let bins = vec![Bin { name: bin.0.into(), path: bin.1.into() }];
        let index = Index::new(Manifest { bins, ..Manifest::default() }, NO_PROOF, &[dir], &entries(&[file]));
        parse(index.as_bytes()).is_some_and(|index| index.listing().is_some())
    };
    let bin = ("cli", "a/cli.js");
    assert!(check("a", "a/cli.js", bin));
    for path in ["../x", "a/../../x", "/etc/x", "a//x", "./x", "..", ""] {
        assert!(!check("a", path, bin), "the file {path:?}");
        assert!(!check(path, "a/cli.js", bin), "the directory {path:?}");
        assert!(!check("a", "a/cli.js", ("cli", path)), "the program {path:?}");
    }
    for name in ["../x", "a/b", "..", "."] {
        assert!(!check("a", "a/cli.js", (name, "a/cli.js")), "the name {name:?}");
    }
}
