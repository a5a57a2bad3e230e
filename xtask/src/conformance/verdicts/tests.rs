//! Lists read and written, and what a run may change in them.

use super::*;

const BEFORE: &str = "\
fail a.js: needs a window
fail b.js: ? Error: one
pass c.js
skip d.js: node fails here
";

fn list(text: &str) -> VerdictList {
    VerdictList::parse(text).unwrap()
}

#[test]
fn a_list_is_the_same_after_reading() {
    assert_eq!(list(BEFORE).render(), BEFORE);
    let counts = list(BEFORE).counts();
    assert_eq!((counts.passed, counts.failed, counts.skipped, counts.counted()), (1, 2, 1, 3));
}

#[test]
fn reasons_of_people_stay_those_of_runs_do_not() {
    let mut now = list("fail a.js: ? Error: two\nfail b.js: ? Error: two\nfail c.js: ? Error: two\n");
    now.inherit_reasons(&list(BEFORE));
    assert_eq!(now.render(), "fail a.js: needs a window\nfail b.js: ? Error: two\nfail c.js: ? Error: two\n");
}

#[test]
fn what_passed_and_does_not_is_lost() {
    let before = list("pass a.js\npass b.js\npass c.js\npass d.js\n");
    let now = list("fail a.js: x\npass b.js\nskip c.js: x\n");
    assert_eq!(now.regressions(&before), ["a.js", "d.js"]);
}

#[test]
fn a_line_without_a_reason_or_out_of_order_is_refused() {
    for (text, what) in [
        ("fail a.js\n", "expected a reason"),
        ("fail a.js: ? \n", "expected a reason"),
        ("skip a.js: \n", "expected a reason"),
        ("pass a.js: well\n", "expected `pass`"),
        ("maybe a.js\n", "expected `pass`"),
        ("pass b.js\npass a.js\n", "expected names in order"),
        ("pass a.js\npass a.js\n", "expected names in order"),
    ] {
        let message = VerdictList::parse(text).unwrap_err();
        assert!(message.contains(what), "{text}: {message}");
    }
}

#[test]
fn every_stored_list_is_sorted_and_says_why() {
    let mut directories = vec![files::root().join("conformance")];
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|end| end == "txt") {
                assert!(!VerdictList::read(&path).unwrap().0.is_empty(), "{}", path.display());
            }
        }
    }
}
