//! Medians and spreads of small lists.

use super::*;

#[test]
fn of_an_even_count_the_lower_middle_is_the_median() {
    for (numbers, expected) in [(&[][..], 0.0), (&[3.0], 3.0), (&[4.0, 1.0], 1.0), (&[9.0, 1.0, 2.0], 2.0)] {
        assert_eq!(median(numbers.to_vec()), expected);
    }
}

#[test]
fn spread_is_a_share_of_the_median() {
    for (numbers, expected) in [(&[][..], 0.0), (&[3.0], 0.0), (&[2.0, 1.0, 3.0], 1.0), (&[4.0, 4.0], 0.0)] {
        assert_eq!(spread(numbers), expected);
    }
}
