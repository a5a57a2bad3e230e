//! Batches of directory entries have each name once.

use super::*;
use crate::files::tests::scratch;
use crate::sys::{self, CWD};
use std::os::fd::AsFd;

#[test]
fn batches_have_every_name_once() {
    for count in [0, 1, 5, 300] {
        let directory = scratch();
        let mut expected: Vec<String> = (0..count).map(|number| format!("name-{number}")).collect();
        for name in &expected {
            std::fs::write(directory.path().join(name), "").unwrap();
        }
        let open = sys::open_directory(CWD, directory.path()).unwrap();
        let mut found = Vec::new();
        let mut buffer = [MaybeUninit::uninit(); 1024];
        let mut push = |name: &CStr, _| found.push(name.to_str().unwrap().to_owned());
        while read_batch(open.as_fd(), &mut buffer, &mut push).unwrap() == Batch::Some {}
        found.sort();
        expected.sort();
        assert_eq!(found, expected);
    }
}
