//! Names are different, short, and no keywords. In: counts. Out: names.

use rustc_hash::FxHashSet;

use super::{INNER, assign, name};

#[test]
fn names_are_different_and_grow() {
    let names: Vec<String> = (0..300_000).map(name).collect();
    assert_eq!(names.iter().collect::<FxHashSet<_>>().len(), names.len());
    assert!(names.is_sorted_by_key(String::len));
    assert_eq!(names[53].len(), 1);
    assert_eq!(names[54].len(), 2);
    assert_eq!(names[54 + 54 * 64].len(), 3);
}

#[test]
fn frequent_names_are_shorter_and_taken_ones_are_not_used() {
    let mut counts = vec![1; 60];
    counts[59] = 9;
    let names = assign(&counts, |name| name == "x");
    assert_eq!(names[59].len(), 1);
    assert_eq!(names.iter().filter(|name| name.len() == 1).count(), 54 - INNER.len() - 1);
    assert!(!names.contains(&"x".to_owned()));
}

#[test]
fn keywords_are_no_names() {
    let names = assign(&vec![1; 200_000], |_| false);
    assert!(
        !names.iter().any(|name| ["do", "if", "in", "var", "new", "for", "let"].contains(&name.as_str()))
    );
}
