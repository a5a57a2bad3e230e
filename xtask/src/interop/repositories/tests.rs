//! The list, and how differences are shown.

use super::*;
use std::collections::BTreeMap;

#[test]
fn the_list_has_five_repositories_of_each_tool() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let list = list::read(&[]).unwrap();
    for entry in &list {
        let (tool, _) = entry.tool.split_once('@').unwrap();
        *counts.entry(tool.to_owned()).or_default() += 1;
        assert!(entry.commit.len() == 40 && entry.repository.contains('/'), "{}", entry.name);
    }
    assert!(list.len() >= 20 && counts.len() == 4 && counts.values().all(|count| *count >= 5), "{counts:?}");
}

#[test]
fn an_unknown_name_is_an_error() {
    let error = list::read(&["nothing".to_owned()]).err().unwrap();
    assert!(error.ends_with("found `nothing`"), "{error}");
}

#[test]
fn the_first_line_that_differs_is_shown() {
    for (before, after, wanted) in [
        ("a\nb\n", "a\nb\n", None),
        ("a\n  b\n", "a\n  c\n", Some("`c` for `b`")),
        ("a\n", "a\nb\n", Some("`b` for `nothing`")),
        ("a\r\n", "a\n", Some("other line ends")),
    ] {
        assert_eq!(first_difference(before, after).as_deref(), wanted);
    }
}
