//! A batch has the same results as single calls.

use std::ffi::CString;
use std::os::fd::AsFd;

use super::{
    PATHS_IN_FLIGHT_MAX, PATHS_MIN, PATHS_PER_THREAD, PathBatch, Ring, StatxStrategy, THREADS_MAX,
    lstatx_each,
};
use crate::files::tests::scratch;
use crate::sys::{self, Errno, lstatx};

/// Names in turn of a file, of nothing, of a broken symbolic link, and below a file.
fn names(count: usize) -> Vec<CString> {
    let kinds = ["file", "nothing", "link", "file/below"];
    (0..count).map(|at| CString::new(kinds[at % kinds.len()]).unwrap()).collect()
}

/// What is visited, in order.
fn collect(batch: impl FnOnce(&mut dyn FnMut(sys::Result<&sys::Statx>))) -> Vec<sys::Result<sys::Statx>> {
    let mut stats = Vec::new();
    batch(&mut |answer| stats.push(answer.copied()));
    stats
}

fn check(count: usize) {
    let directory = scratch();
    std::fs::write(directory.path().join("file"), "text").unwrap();
    std::os::unix::fs::symlink("nowhere", directory.path().join("link")).unwrap();
    let opened = sys::open_directory(sys::CWD, directory.path()).unwrap();
    let names = names(count);
    let paths: Vec<_> = names.iter().map(CString::as_c_str).collect();
    let fields = |stats: &sys::Result<sys::Statx>| {
        stats.map(|stat| {
            (stat.stx_ino, stat.stx_mode, stat.stx_size, stat.stx_mtime.tv_nsec, stat.stx_btime.tv_sec)
        })
    };
    let mut all = PathBatch::default();
    names.iter().for_each(|name| all.add(name.to_str().unwrap()));
    for strategy in [StatxStrategy::FewestCalls, StatxStrategy::LeastTime] {
        let one_by_one = collect(|visit| lstatx_each(opened.as_fd(), &paths, strategy, visit));
        for stats in [one_by_one, all.lstatx_all(opened.as_fd(), strategy, |stat| stat.copied())] {
            assert_eq!(stats.len(), count);
            for (path, together) in paths.iter().zip(&stats) {
                assert_eq!(fields(together), fields(&lstatx(opened.as_fd(), *path)), "{path:?} {strategy:?}");
            }
        }
    }
}

#[test]
fn batches_of_all_sizes_equal_single_calls() {
    let by_threads = [2 * PATHS_PER_THREAD, PATHS_PER_THREAD * THREADS_MAX + 3];
    [0, 1, PATHS_MIN, PATHS_MIN + 1, PATHS_IN_FLIGHT_MAX, 5 * PATHS_IN_FLIGHT_MAX + 3]
        .into_iter()
        .chain(by_threads)
        .for_each(check);
}

#[test]
fn a_ring_completes_each_path() {
    let opened = sys::open_directory(sys::CWD, "/").unwrap();
    let names = [c"proc", c"no-such-name", c"."];
    match Ring::open(names.len() as u32) {
        Ok(mut ring) => {
            let stats = collect(|visit| ring.lstatx_each(opened.as_fd(), &names, visit).unwrap());
            let errors: Vec<_> = stats.iter().map(|stats| stats.as_ref().err().copied()).collect();
            assert_eq!(errors, [None, Some(Errno::NOENT), None]);
        }
        // A sandbox without io_uring; the test above then compares single calls with each other.
        Err(errno) => {
            assert!(matches!(errno, Errno::NOSYS | Errno::PERM | Errno::NOMEM | Errno::ACCESS), "{errno}")
        }
    }
}
