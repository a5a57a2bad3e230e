//! Permits that are granted, and requests that wait.

use super::*;

const ALL: Demand = Demand::Bytes(BYTES_MAX as u64);

#[test]
fn a_dropped_body_releases_its_permit() {
    let budget = MemoryBudget::default();
    let permit = budget.try_acquire(ALL).expect("the budget is unused");
    assert!(budget.try_acquire(Demand::Bytes(1)).is_none());
    drop(Body::new(Vec::new(), permit));
    assert!(budget.try_acquire(ALL).is_some());
}

#[test]
fn one_large_body_at_a_time_is_allowed_beside_the_others() {
    let budget = MemoryBudget::default();
    let _all = budget.try_acquire(ALL).expect("the budget is unused");
    let large = Demand::of(Some(BYTES_MAX as u64 + 1));
    assert_eq!(large, Demand::Large);
    let first = budget.try_acquire(large).expect("there is none");
    assert!(budget.try_acquire(large).is_none());
    assert!(first.covers(ALL) && first.bytes() > BYTES_MAX);
}

#[test]
fn a_body_of_unknown_length_starts_with_a_small_permit() {
    let demand = Demand::of(None);
    assert_eq!(demand, Demand::Bytes(UNKNOWN_BYTES));
    let permit = MemoryBudget::default().try_acquire(demand).expect("the budget is unused");
    assert!(permit.covers(Demand::of(Some(1000))) && !permit.covers(Demand::Large));
}
