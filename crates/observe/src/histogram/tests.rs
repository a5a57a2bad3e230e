//! Buckets, percentiles, merging.

use super::*;

#[test]
fn a_value_is_within_its_bucket() {
    let values = (0..64).flat_map(|bit| [1_u64 << bit, (1 << bit) + (1 << bit) / 3, (1_u64 << bit) - 1]);
    for value in values.chain([u64::MAX, 5, 6, 7, 9, 100, 999_999]) {
        let (from, to) = bounds(bucket_of(value));
        assert!(from <= value && value <= to, "{value}: {from} {to}");
        assert!(to - from <= from / 4, "{value}: a bucket is as wide as an eighth to either side");
    }
    assert_eq!(bucket_of(u64::MAX), BUCKETS - 1);
}

#[test]
fn buckets_have_no_gaps() {
    for bucket in 1..BUCKETS {
        assert_eq!(bounds(bucket).0, bounds(bucket - 1).1 + 1, "{bucket}");
    }
}

#[test]
fn percentiles_are_within_an_eighth() {
    let mut histogram = Histogram::default();
    (1..=10_000).for_each(|value| histogram.add(value * 100));
    for (percent, exact) in [(50, 500_000), (90, 900_000), (99, 990_000), (100, 1_000_000)] {
        let found = histogram.percentile(percent);
        assert!(found.abs_diff(exact) <= exact / 8, "p{percent}: {found} is not near {exact}");
    }
    assert_eq!(histogram.max(), 1_000_000);
}

#[test]
fn an_empty_histogram_has_no_percentiles_and_one_value_is_all_of_them() {
    let mut histogram = Histogram::default();
    assert_eq!((histogram.percentile(50), histogram.max(), histogram.count()), (0, 0, 0));
    histogram.add(12_345);
    assert!(histogram.percentile(1) <= 12_345 && histogram.percentile(99) <= 12_345);
}

#[test]
fn merging_is_adding_all() {
    let (mut left, mut right, mut both) = Default::default();
    let add = |histogram: &mut Histogram, value| histogram.add(value);
    for value in [3, 70, 9_000, 12] {
        add(&mut left, value);
        add(&mut both, value);
    }
    for value in [1 << 40, 0, 70] {
        add(&mut right, value);
        add(&mut both, value);
    }
    left.merge(&right);
    assert_eq!(left, both);
}

#[test]
fn octaves_count_powers_of_two() {
    let mut histogram = Histogram::default();
    [0, 1, 2, 3, 4, 7, 8, 1024].into_iter().for_each(|value| histogram.add(value));
    assert_eq!(histogram.octaves(), [2, 2, 2, 1, 0, 0, 0, 0, 0, 0, 1]);
}
