//! Patterns of failed lookups.

use super::*;
use crate::paths::Outcome;
use crate::syscalls::PathOperation;

/// Patterns of existing paths, and of missing paths with their lookups.
fn found(there: &[&str], failed: &[(&str, u64)]) -> Vec<(String, Suggestion, u64, usize)> {
    let mut paths = Paths::default();
    for path in there {
        paths.add(path, PathOperation::Open, Outcome::Found, true);
    }
    for (path, count) in failed {
        for _ in 0..*count {
            paths.add(path, PathOperation::Stat, Outcome::NotFound, true);
        }
    }
    let patterns = find(&paths, 10);
    patterns.into_iter().map(|found| (found.text, found.suggestion, found.misses, found.paths)).collect()
}

#[test]
fn missing_directories_of_one_name_are_one_pattern() {
    let there = ["/a/b/c/d/main.js", "/a/package.json"];
    let failed = [
        ("/a/b/c/d/node_modules/x/package.json", 100),
        ("/a/b/c/node_modules/x/package.json", 100),
        ("/a/b/node_modules/x/package.json", 100),
        ("/a/b/node_modules/y", 12),
    ];
    assert_eq!(found(&there, &failed), [("/a/b/**/node_modules".into(), Suggestion::Absent, 312, 3)]);
}

#[test]
fn one_missing_directory_is_named() {
    assert_eq!(
        found(&["/a/x"], &[("/a/gone/x", 1), ("/a/gone/deep/y", 2)]),
        [("/a/gone".into(), Suggestion::Absent, 3, 1)]
    );
}

#[test]
fn missing_names_of_a_directory_suggest_a_listing() {
    assert_eq!(
        found(&["/lib/c.so"], &[("/lib/a.so", 1), ("/lib/b.so", 1)]),
        [("/lib/*".into(), Suggestion::List, 2, 2)]
    );
}

#[test]
fn a_name_that_many_directories_lack_is_a_pattern() {
    let there = ["/a/1/m", "/a/2/m", "/a/3/m"];
    let failed = [("/a/1/package.json", 2), ("/a/2/package.json", 1), ("/a/3/package.json", 1)];
    assert_eq!(found(&there, &failed), [("/a/**/package.json".into(), Suggestion::Name, 4, 3)]);
}

#[test]
fn paths_found_later_and_single_misses_are_no_pattern() {
    assert_eq!(found(&["/a/x", "/a/y"], &[("/a/y", 3), ("/a/z", 1)]), []);
}

#[test]
fn relative_paths_and_the_root_are_no_pattern() {
    assert_eq!(found(&["/"], &[("x/y", 5), ("/", 1), ("/gone", 2)]), [("/*".into(), Suggestion::List, 2, 1)]);
}
