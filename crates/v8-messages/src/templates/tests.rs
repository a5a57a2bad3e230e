//! The order on which the binary search of templates relies.

use super::TEMPLATES;

#[test]
fn templates_are_sorted_and_none_is_a_prefix_of_another() {
    for pair in TEMPLATES.windows(2) {
        let (first, second) = (pair[0][0], pair[1][0]);
        assert!(first == second || (first < second && !second.starts_with(first)), "{first} {second}");
    }
}
