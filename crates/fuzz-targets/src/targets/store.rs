//! Fuzz targets of `rusk-store`: tarballs from registries, indexes and inventories from a disk that
//! may be damaged.

use rusk_store::integrity::Digests;
use rusk_store::inventory::{self, Inventory};
use rusk_store::tarball::pieces::{Piece, Pieces, Stream};
use rusk_store::tarball::{inflate, read_files};
use rusk_store::{Index, Key, Package};
use rusk_testkit::tarball::{Builder, Entry};

const TAR_BLOCK: usize = 512;
/// A prime, so that chunks align with no block.
const PIECE_BYTES: usize = 509;
/// The offset of a header's checksum.
const CHECKSUM: std::ops::Range<usize> = 148..156;
/// An inventory begins with 8 fixed bytes, the length of its table and the table's checksum.
const INVENTORY_HEAD: usize = 16;
/// An index begins with 8 fixed bytes, its length and its checksum.
const INDEX_HEAD: usize = 16;

pub fn tarballs() -> Vec<Vec<u8>> {
    let package = || Builder::package("left", "1.0.0");
    let long = format!("package/{}/file.js", "folder".repeat(20));
    vec![
        package().file("package/index.js", "text").executable("package/cli.js", "#!/bin/sh").tar(),
        package()
            .directory("package/lib")
            .special(b'2', "package/link", "../../x")
            .special(b'1', "package/hard", "a")
            .tar(),
        package().file(&long, "pax").gnu_long_path(&long).file("package/x", "gnu").tar(),
        package().pax(&[("path", "package/b"), ("size", "4")]).file("package/a", "body").tar(),
        package().entry(&Entry { claimed_bytes: Some(1 << 33), ..Entry::default() }).tar_without_end(),
        package().file("package/index.js", "text").tgz(),
    ]
}

/// No path leaves the package. Inputs are also tried with corrected header checksums, because
/// mutations rarely get past them.
pub fn tarball(input: &[u8]) {
    let mut repaired = input.to_vec();
    for block in repaired.chunks_exact_mut(TAR_BLOCK).filter(|block| &block[257..262] == b"ustar") {
        block[CHECKSUM].fill(b' ');
        let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
        block[CHECKSUM.start..CHECKSUM.end - 1].copy_from_slice(format!("{sum:06o}\0").as_bytes());
    }
    for tarball in [input, &repaired] {
        let _ = inflate::with_tar(tarball, |tar| {
            for file in read_files(tar)? {
                let mut parts = file.path.split('/');
                assert!(parts.all(|part| !matches!(part, "" | "." | "..")), "path {:?}", file.path);
            }
            Ok(())
        });
        pieces(tarball);
    }
}

/// Both ways to unpack give the same result.
fn pieces(tarball: &[u8]) {
    let mut rest = tarball.chunks(PIECE_BYTES);
    let mut next = || Ok(rest.next().map_or(Piece::End, |piece| Piece::Bytes(piece.to_vec())));
    let mut pieces = Pieces { bytes: tarball.len() as u64, next: &mut next };
    let mut stream = Stream::new(&mut pieces, Digests::new(None));
    let mut unpacked = Vec::new();
    let outcome = loop {
        match stream.block() {
            Ok(Some(block)) => unpacked.extend_from_slice(&block),
            Ok(None) => break Ok(()),
            Err(problem) => break Err(problem),
        }
    };
    if outcome.is_ok() {
        let _ = inflate::with_tar(tarball, |tar| {
            let whole = tar.len() / TAR_BLOCK * TAR_BLOCK;
            assert!(tar[..whole] == unpacked, "{} bytes, {} in pieces", tar.len(), unpacked.len());
            Ok(())
        });
    }
    let _ = stream.finish();
}

pub fn indexes() -> Vec<Vec<u8>> {
    let files = tarballs();
    let files = read_files(&files[0]).expect("a good tarball");
    let manifest = rusk_store::Manifest::read(&files).expect("a good manifest");
    let proof = rusk_store::index::Proof { sha512: [7; 64], written_ns: 7 };
    vec![Index::new(manifest, proof, &[], &rusk_store::index::entries(&files)).as_bytes().to_vec()]
}

/// Paths stay inside the package; length and checksum are corrected first, as for tarballs.
pub fn index(input: &[u8]) {
    let mut bytes = input.to_vec();
    if bytes.len() >= INDEX_HEAD {
        let length = bytes.len() as u32;
        bytes[8..12].copy_from_slice(&length.to_le_bytes());
        let checksum = libdeflater::crc32(&bytes[INDEX_HEAD..]);
        bytes[12..16].copy_from_slice(&checksum.to_le_bytes());
    }
    if let Some(index) = Index::parse(bytes.into()) {
        check(&index);
    }
}

fn check(index: &Index) {
    let Some(listing) = index.listing() else { return };
    assert_eq!(listing.files().len(), index.file_count());
    let paths = listing.dirs().chain(listing.files().map(|file| file.path));
    for path in paths.chain(index.manifest.bins.iter().map(|bin| bin.path.as_str())) {
        assert!(path.split('/').all(|part| !matches!(part, "" | "." | "..")), "{path:?}");
    }
}

pub fn inventories() -> Vec<Vec<u8>> {
    let package = |name: &str| {
        let index = Index::parse(indexes().swap_remove(0).into()).expect("a good index");
        Package { key: Key::new(name, "1.0.0", ""), index }
    };
    vec![inventory::render("state", &[&package("left"), &package("right")])]
}

/// No inconsistent entry is found; the table's checksum is corrected first.
pub fn inventory(input: &[u8]) {
    let mut bytes = input.to_vec();
    if bytes.len() >= INVENTORY_HEAD {
        let (head, rest) = bytes.split_at_mut(INVENTORY_HEAD);
        let length = u32::from_le_bytes([head[8], head[9], head[10], head[11]]) as usize;
        if let Some(table) = rest.get(..length) {
            head[12..].copy_from_slice(&libdeflater::crc32(table).to_le_bytes());
        }
    }
    if let Some(inventory) = Inventory::parse(bytes, "state") {
        for name in ["left", "right", "none"] {
            inventory.find(Key::new(name, "1.0.0", "").dir_name()).iter().for_each(check);
        }
    }
}
