//! Which entries are one package.

use super::classes;

#[test]
fn equal_packages_that_find_the_same_are_one() {
    // a finds c, b finds c; both c find nothing.
    assert_eq!(classes(&["a", "b", "c", "c"], &[vec![Some(2)], vec![Some(3)], vec![], vec![]]), [0, 1, 2, 2]);
}

#[test]
fn equal_packages_that_find_others_are_two() {
    let edges = [vec![Some(2)], vec![Some(3)], vec![Some(4)], vec![Some(5)], vec![], vec![]];
    let found = classes(&["a", "a", "b", "b", "c@1", "c@2"], &edges);
    assert_ne!(found[0], found[1]);
    assert_ne!(found[2], found[3]);
}

#[test]
fn cycles_end() {
    let edges = [vec![Some(1)], vec![Some(0)], vec![Some(3)], vec![Some(2)]];
    let found = classes(&["a", "b", "a", "b"], &edges);
    assert_eq!((found[0], found[1]), (found[2], found[3]));
}

#[test]
fn a_missing_package_is_a_difference() {
    let found = classes(&["a", "a", "b"], &[vec![Some(2)], vec![None], vec![]]);
    assert_ne!(found[0], found[1]);
}
