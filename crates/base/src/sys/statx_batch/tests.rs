//! Many answers by one call are the answers of single ones.

use std::ffi::CString;
use std::os::fd::AsFd;

use super::{
    PATHS_A_THREAD, PATHS_AT_ONCE_MAX, PATHS_MIN, PathBatch, Ring, StatxStrategy, THREADS_MAX, lstatx_each,
};
use crate::files::tests::scratch;
use crate::sys::{self, Errno, lstatx};

/// Names in turn of a file, of nothing, of a link that leads nowhere, and below a file.
fn names(count: usize) -> Vec<CString> {
    let kinds = ["file", "nothing", "link", "file/below"];
    (0..count).map(|at| CString::new(kinds[at % kinds.len()]).unwrap()).collect()
}

/// What is told, in order.
fn told(ask: impl FnOnce(&mut dyn FnMut(sys::Result<&sys::Statx>))) -> Vec<sys::Result<sys::Statx>> {
    let mut found = Vec::new();
    ask(&mut |answer| found.push(answer.copied()));
    found
}

fn check(count: usize) {
    let folder = scratch();
    std::fs::write(folder.path().join("file"), "text").unwrap();
    std::os::unix::fs::symlink("nowhere", folder.path().join("link")).unwrap();
    let opened = sys::open_directory(sys::CWD, folder.path()).unwrap();
    let names = names(count);
    let paths: Vec<_> = names.iter().map(CString::as_c_str).collect();
    let facts = |found: &sys::Result<sys::Statx>| {
        found.map(|stat| {
            (stat.stx_ino, stat.stx_mode, stat.stx_size, stat.stx_mtime.tv_nsec, stat.stx_btime.tv_sec)
        })
    };
    let mut all = PathBatch::default();
    names.iter().for_each(|name| all.add(name.to_str().unwrap()));
    for means in [StatxStrategy::FewestCalls, StatxStrategy::LeastTime] {
        let one_by_one = told(|tell| lstatx_each(opened.as_fd(), &paths, means, tell));
        for found in [one_by_one, all.lstatx_all(opened.as_fd(), means, |stat| stat.copied())] {
            assert_eq!(found.len(), count);
            for (path, together) in paths.iter().zip(&found) {
                assert_eq!(facts(together), facts(&lstatx(opened.as_fd(), *path)), "{path:?} {means:?}");
            }
        }
    }
}

#[test]
fn few_and_many_are_told_alike() {
    let by_threads = [2 * PATHS_A_THREAD, PATHS_A_THREAD * THREADS_MAX + 3];
    [0, 1, PATHS_MIN, PATHS_MIN + 1, PATHS_AT_ONCE_MAX, 5 * PATHS_AT_ONCE_MAX + 3]
        .into_iter()
        .chain(by_threads)
        .for_each(check);
}

#[test]
fn a_ring_answers_each_path() {
    let opened = sys::open_directory(sys::CWD, "/").unwrap();
    let names = [c"proc", c"no-such-name", c"."];
    match Ring::open(names.len() as u32) {
        Ok(mut ring) => {
            let found = told(|tell| ring.lstatx_each(opened.as_fd(), &names, tell).unwrap());
            let errors: Vec<_> = found.iter().map(|found| found.as_ref().err().copied()).collect();
            assert_eq!(errors, [None, Some(Errno::NOENT), None]);
        }
        // A sandbox; what is told apart above then is two ways to the same single calls.
        Err(errno) => {
            assert!(matches!(errno, Errno::NOSYS | Errno::PERM | Errno::NOMEM | Errno::ACCESS), "{errno}")
        }
    }
}
