//! Tests of the tarball, read by the reader of the package store.

use rusk_store::tarball::read_files;
use rusk_testkit::project::Project;

use super::{Tarball, TarballOptions, pax_record, split_path, write};
use crate::file_list::{Surroundings, list};
use crate::published_manifest::PackageFields;

fn tarball_of(project: &Project, manifest: &str, options: &TarballOptions) -> Tarball {
    let fields = PackageFields::read(&project.path()).expect("it is valid");
    let list = list(&project.path(), &fields, &Surroundings::default()).expect("it is readable");
    write(&project.path(), &list, manifest, options).expect("it is readable")
}

fn unpack(tarball: &Tarball) -> Vec<u8> {
    let mut tar = vec![0; 1 << 20];
    let length =
        libdeflater::Decompressor::new().gzip_decompress(&tarball.bytes, &mut tar).expect("it is gzip");
    tar.truncate(length);
    tar
}

#[test]
fn the_reader_of_the_store_finds_the_files() {
    let long = format!("{}/{}.js", "directory".repeat(10), "name".repeat(20));
    let longer = format!("{}/é{}.js", "d".repeat(60), "name".repeat(50));
    let project = Project::with(&[
        ("package.json", "{ }"),
        ("bin/run", "#!"),
        ("é.js", "1"),
        (&long, "2"),
        (&longer, "3"),
    ]);
    let options = TarballOptions { programs: vec!["bin/run".into()], level: None };
    let tarball = tarball_of(&project, "{}", &options);
    let tar = unpack(&tarball);
    let files = read_files(&tar).expect("the archive is valid");
    let mut found: Vec<(&str, &[u8], bool)> =
        files.iter().map(|file| (&*file.path, &*file.body, file.mode & 0o100 != 0)).collect();
    found.sort_unstable();
    let mut expected: Vec<(&str, &[u8], bool)> = vec![
        ("package.json", b"{}", false),
        ("bin/run", b"#!", true),
        ("é.js", b"1", false),
        (&long, b"2", false),
        (&longer, b"3", false),
    ];
    expected.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(tarball.unpacked_bytes, 7);
}

#[test]
fn the_same_files_give_the_same_bytes() {
    let files = [("package.json", "{}"), ("b.js", "1"), ("a.js", "2")];
    let [first, again, second] = [(); 3].map(|()| Project::with(&files));
    second.make_executable("a.js");
    let options = TarballOptions::default();
    let bytes = |project: &Project| tarball_of(project, "{}", &options).bytes;
    assert_eq!(bytes(&first), bytes(&again));
    assert_ne!(bytes(&first), bytes(&second), "the executable bit is part of the package");
}

#[test]
fn a_path_is_split_where_both_parts_fit() {
    let path = format!("{}/{}", "a".repeat(120), "b".repeat(90));
    assert_eq!(split_path(&path).map(|(prefix, name)| (prefix.len(), name.len())), Some((120, 90)));
    assert_eq!(split_path(&"a".repeat(101)), None);
    assert_eq!(split_path("a/b"), Some(("", "a/b")));
}

#[test]
fn the_length_of_a_pax_record_counts_itself() {
    for length in [1, 80, 89, 90, 91, 980, 985, 990, 995] {
        let record = pax_record("path", &"x".repeat(length));
        let (stated, _) = record.split_once(' ').expect("it begins with its length");
        assert_eq!(stated.parse(), Ok(record.len()));
    }
}
