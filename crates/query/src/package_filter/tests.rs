//! Tests of the selection of packages by name and range.

use super::*;

fn check(arguments: &[&str], selected: &[&str], others: &[&str]) {
    let arguments: Vec<String> = arguments.iter().map(|argument| (*argument).to_owned()).collect();
    let filter = PackageFilter::parse(&arguments).unwrap();
    for name in selected {
        assert!(filter.selects_name(name), "{arguments:?} selects {name}");
    }
    for name in others {
        assert!(!filter.selects_name(name), "{arguments:?} does not select {name}");
    }
}

#[test]
fn a_name_selects_itself() {
    check(&["left"], &["left"], &["left-pad", "a-left"]);
}

#[test]
fn a_star_stands_for_any_characters() {
    check(&["@types/*"], &["@types/node"], &["@type/node", "types"]);
    check(&["*left*"], &["left", "a-left-b"], &["lef"]);
    check(&["a*a"], &["aa", "aba"], &["a"]);
}

#[test]
fn the_last_argument_that_fits_decides() {
    check(&["l*", "!left"], &["lid"], &["left", "right"]);
    check(&["!left"], &["right"], &["left"]);
    check(&["!l*", "left"], &["left"], &["lid", "right"]);
}

#[test]
fn a_range_follows_an_at_sign() {
    check(&["@scope/box@^1"], &["@scope/box"], &["box"]);
    assert_eq!(PackageFilter::parse(&["left@newest".to_owned()]).unwrap_err(), "left@newest");
}
