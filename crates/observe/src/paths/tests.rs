//! Counts of path lookups.

use super::*;

fn noted(lookups: &[(&str, PathOperation, i64)]) -> Paths {
    let mut paths = Paths::default();
    for (path, operation, result) in lookups {
        paths.add(path, *operation, Outcome::of(*operation, *result), true);
    }
    paths
}

fn pairs(counts: Vec<PathCount>) -> Vec<(String, u64)> {
    counts.into_iter().map(|count| (count.path, count.count)).collect()
}

#[test]
fn lookups_are_counted_by_operation() {
    let paths = noted(&[
        ("/a", PathOperation::Open, 3),
        ("/a", PathOperation::Open, 4),
        ("/b", PathOperation::Open, -2),
        ("/a", PathOperation::Stat, 0),
        ("/c", PathOperation::Stat, -20),
    ]);
    assert_eq!(pairs(paths.top(PathOperation::Open, 9)), [("/a".into(), 2), ("/b".into(), 1)]);
    assert_eq!(pairs(paths.top_failed(PathOperation::Open, 9)), [("/b".into(), 1)]);
    assert_eq!(pairs(paths.top_failed(PathOperation::Stat, 9)), [("/c".into(), 1)]);
    assert_eq!(paths.sums(PathOperation::Stat), (2, 1));
}

#[test]
fn readlink_of_a_file_fails_and_the_path_exists() {
    let paths = noted(&[("/a", PathOperation::Readlink, -22), ("/a", PathOperation::Stat, -13)]);
    assert_eq!(paths.sums(PathOperation::Readlink), (1, 1));
    assert_eq!(paths.sums(PathOperation::Stat), (1, 0));
    assert!(paths.iter().all(|(_, stats)| stats.exists));
}

#[test]
fn dropped_lookups_are_counted() {
    let mut paths = Paths::default();
    assert!(paths.add("/a", PathOperation::Open, Outcome::Found, true));
    assert!(!paths.add("/a", PathOperation::Open, Outcome::Found, false));
    assert!(!paths.add("/b", PathOperation::Open, Outcome::Found, false));
    assert_eq!((paths.dropped, paths.sums(PathOperation::Open)), (1, (2, 0)));
}

#[test]
fn merging_adds() {
    let mut left = noted(&[("/a", PathOperation::Open, 3), ("/b", PathOperation::Stat, -2)]);
    left.merge(&noted(&[("/b", PathOperation::Stat, 0), ("/c", PathOperation::Open, -2)]));
    assert_eq!(left.sums(PathOperation::Open), (2, 1));
    assert_eq!(left.sums(PathOperation::Stat), (2, 1));
}
