//! Looks for paths, counted.

use super::*;

fn noted(looks: &[(&str, Aim, i64)]) -> Paths {
    let mut paths = Paths::default();
    for (path, aim, result) in looks {
        paths.note(path, *aim, Outcome::of(*aim, *result), true);
    }
    paths
}

fn pairs(counts: Vec<Count>) -> Vec<(String, u64)> {
    counts.into_iter().map(|count| (count.path, count.count)).collect()
}

#[test]
fn looks_are_counted_by_aim() {
    let paths = noted(&[
        ("/a", Aim::Open, 3),
        ("/a", Aim::Open, 4),
        ("/b", Aim::Open, -2),
        ("/a", Aim::Stat, 0),
        ("/c", Aim::Stat, -20),
    ]);
    assert_eq!(pairs(paths.top(Aim::Open, 9)), [("/a".into(), 2), ("/b".into(), 1)]);
    assert_eq!(pairs(paths.top_misses(Aim::Open, 9)), [("/b".into(), 1)]);
    assert_eq!(pairs(paths.top_misses(Aim::Stat, 9)), [("/c".into(), 1)]);
    assert_eq!(paths.sums(Aim::Stat), (2, 1));
}

#[test]
fn what_is_no_link_was_looked_at_in_vain_and_is_there() {
    let paths = noted(&[("/a", Aim::Readlink, -22), ("/a", Aim::Stat, -13)]);
    assert_eq!(paths.sums(Aim::Readlink), (1, 1));
    assert_eq!(paths.sums(Aim::Stat), (1, 0));
    assert!(paths.iter().all(|(_, seen)| seen.exists));
}

#[test]
fn what_may_not_be_kept_is_counted() {
    let mut paths = Paths::default();
    assert!(paths.note("/a", Aim::Open, Outcome::Found, true));
    assert!(!paths.note("/a", Aim::Open, Outcome::Found, false));
    assert!(!paths.note("/b", Aim::Open, Outcome::Found, false));
    assert_eq!((paths.left_out, paths.sums(Aim::Open)), (1, (2, 0)));
}

#[test]
fn merging_adds() {
    let mut left = noted(&[("/a", Aim::Open, 3), ("/b", Aim::Stat, -2)]);
    left.merge(&noted(&[("/b", Aim::Stat, 0), ("/c", Aim::Open, -2)]));
    assert_eq!(left.sums(Aim::Open), (2, 1));
    assert_eq!(left.sums(Aim::Stat), (2, 1));
}
