//! A generated project has as many packages as its name says.

use super::*;
use std::collections::BTreeSet;

#[test]
fn the_closure_of_the_first_packages_is_all_of_them() {
    for packages in [BLOCK, 500] {
        let mut reached: BTreeSet<usize> = (0..packages).step_by(BLOCK).collect();
        let mut open: Vec<usize> = reached.iter().copied().collect();
        while let Some(index) = open.pop() {
            open.extend(dependencies(index).into_iter().filter(|&index| reached.insert(index)));
        }
        assert_eq!(reached, (0..packages).collect());
    }
}

#[test]
fn a_size_that_cannot_be_made_is_refused() {
    for packages in [0, BLOCK + 1, PACKAGES_MAX + BLOCK] {
        assert!(make(packages).is_err(), "{packages}");
    }
}
