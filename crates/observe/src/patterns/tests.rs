//! What misses have in common.

use super::*;
use crate::calls::Aim;
use crate::paths::Outcome;

/// Paths that are there, and paths that are not with how often they were looked for.
fn found(there: &[&str], missed: &[(&str, u64)]) -> Vec<(String, Remedy, u64, usize)> {
    let mut paths = Paths::default();
    for path in there {
        paths.note(path, Aim::Open, Outcome::Found, true);
    }
    for (path, count) in missed {
        for _ in 0..*count {
            paths.note(path, Aim::Stat, Outcome::Missed, true);
        }
    }
    let patterns = find(&paths, 10);
    patterns.into_iter().map(|found| (found.text, found.remedy, found.misses, found.places)).collect()
}

#[test]
fn folders_of_one_name_that_are_not_there_are_one_pattern() {
    let there = ["/a/b/c/d/main.js", "/a/package.json"];
    let missed = [
        ("/a/b/c/d/node_modules/x/package.json", 100),
        ("/a/b/c/node_modules/x/package.json", 100),
        ("/a/b/node_modules/x/package.json", 100),
        ("/a/b/node_modules/y", 12),
    ];
    assert_eq!(found(&there, &missed), [("/a/b/**/node_modules".into(), Remedy::Absent, 312, 3)]);
}

#[test]
fn one_absent_folder_is_named() {
    assert_eq!(
        found(&["/a/x"], &[("/a/gone/x", 1), ("/a/gone/deep/y", 2)]),
        [("/a/gone".into(), Remedy::Absent, 3, 1)]
    );
}

#[test]
fn names_that_a_folder_lacks_are_read_once() {
    assert_eq!(
        found(&["/lib/c.so"], &[("/lib/a.so", 1), ("/lib/b.so", 1)]),
        [("/lib/*".into(), Remedy::List, 2, 2)]
    );
}

#[test]
fn a_name_that_many_folders_lack_is_a_pattern() {
    let there = ["/a/1/m", "/a/2/m", "/a/3/m"];
    let missed = [("/a/1/package.json", 2), ("/a/2/package.json", 1), ("/a/3/package.json", 1)];
    assert_eq!(found(&there, &missed), [("/a/**/package.json".into(), Remedy::Name, 4, 3)]);
}

#[test]
fn what_is_found_later_and_what_was_missed_once_is_no_pattern() {
    assert_eq!(found(&["/a/x", "/a/y"], &[("/a/y", 3), ("/a/z", 1)]), []);
}

#[test]
fn relative_paths_and_the_root_do_no_harm() {
    assert_eq!(found(&["/"], &[("x/y", 5), ("/", 1), ("/gone", 2)]), [("/*".into(), Remedy::List, 2, 1)]);
}
