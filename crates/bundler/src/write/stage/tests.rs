//! Files in pieces are written as a whole.

use std::fs;

use rusk_testkit::project::Project;

use super::{LARGE_BYTES_MIN, stage};

fn check(files: &[&[&[u8]]]) {
    let directory = Project::with(&[]);
    let regular: Vec<_> = files
        .iter()
        .enumerate()
        .map(|(number, slices)| (directory.path().join(format!("{number}/file")), *slices))
        .collect();
    let mut staged = Vec::new();
    stage(&regular, &mut staged, &|| None).expect("written");
    assert_eq!(staged.len(), files.len());
    for ((temporary, path), (wanted, slices)) in staged.iter().zip(&regular) {
        assert_eq!(path, wanted);
        assert_eq!(temporary.parent(), path.parent());
        assert!(fs::read(temporary).expect("a file") == slices.concat());
    }
}

#[test]
fn pieces_are_one_file() {
    // More than one call of writev(2) takes.
    let many = vec![b"piece".as_slice(); 3000];
    check(&[&[], &[b"a", b"", b"b"], &[b"", b""], &many]);
}

#[test]
fn a_large_file_beside_others() {
    let large = vec![b'x'; LARGE_BYTES_MIN];
    check(&[&[b"small"], &[&large, b"y"], &[b"z"]]);
    check(&[&[&large]]);
}

#[test]
fn a_signal_ends_it() {
    let directory = Project::with(&[]);
    let slices: [&[u8]; 1] = [b"text"];
    let files = [(directory.path().join("file"), slices.as_slice())];
    let written = stage(&files, &mut Vec::new(), &|| Some(2)).expect("no error");
    assert_eq!(written, super::Written::Interrupted(2));
    assert_eq!(fs::read_dir(directory.path()).expect("a directory").count(), 0);
}
