//! Fuzz targets of what an install reads besides packages: bodies of a registry, answers of a
//! security scanner, and records in the cache, as read from a damaged disk.

use rusk_install::closure_uses as uses;
use rusk_install::exec_cache::record::Record;
use rusk_npm::scanner_answer as answer;

const BODY_BYTES_MAX: usize = 1 << 20;

pub const USES: &[&str] = &["project\t/home/me/app\nclosure\t0123456789abcdef\nclosure\tfedcba9876543210\n"];

pub const RECORDS: &[&str] = &["rusk x 2\nmade\t1800000000\nfolder\t0123456789abcdef\n\
     kept\tfedcba9876543210\nprogram\ttool\ttool\t../tool/cli.js\nend\n"];

pub const ANSWERS: &[&str] = &[
    r#"{"advisories":[{"level":"fatal","package":"left","description":"a\nb","url":null},{"level":"warn","package":"r"}]}"#,
    r#"{"error":"no network"}"#,
];

/// A body, and one of two members.
pub fn bodies() -> Vec<Vec<u8>> {
    let mut compressor = libdeflater::Compressor::new(libdeflater::CompressionLvl::default());
    let mut compress = |text: &[u8]| {
        let mut bytes = vec![0; compressor.gzip_compress_bound(text.len())];
        let length = compressor.gzip_compress(text, &mut bytes).expect("it fits");
        bytes.truncate(length);
        bytes
    };
    let (one, other) = (compress(b"{\"name\":\"left\",\"versions\":{}}"), compress(&[b' '; 4000]));
    vec![one.clone(), other.clone(), [one, other].concat()]
}

/// What is decompressed is within the limit.
pub fn gunzip(input: &[u8]) {
    if let Ok(bytes) = rusk_registry::gunzip(input, BODY_BYTES_MAX, &mut Vec::new()) {
        assert!(bytes.len() <= BODY_BYTES_MAX);
    }
}

/// Closures are names of one line.
pub fn closure_uses(input: &[u8]) {
    let Some(found) = uses::parse(&String::from_utf8_lossy(input)) else { return };
    assert!(found.closures.iter().all(|closure| !closure.contains('\n')));
}

/// Directories are in the slot; what was read is written as something that can be read.
pub fn exec_record(input: &[u8]) {
    let Some(record) = Record::parse(&String::from_utf8_lossy(input)) else { return };
    for name in record.previous.iter().chain([&record.name]) {
        assert!(name.bytes().all(|byte| byte.is_ascii_hexdigit()), "{name:?}");
    }
    assert!(Record::parse(&record.render()).is_some());
}

/// An advisory is one line.
pub fn scanner_answer(input: &[u8]) {
    let Ok(advisories) = answer::parse(&String::from_utf8_lossy(input)) else { return };
    assert!(advisories.iter().all(|advisory| !advisory.line().contains('\n')));
}
