//! Pauses after changes.

use super::ReusePolicy;

#[test]
fn pauses_grow_until_a_global_object_was_unchanged() {
    let mut policy = ReusePolicy::default();
    let pause = |policy: &mut ReusePolicy, is_unchanged| {
        policy.note(is_unchanged);
        std::iter::repeat_with(|| policy.looks()).take_while(|looks| !looks).count()
    };
    let pauses: Vec<usize> = (0..9).map(|_| pause(&mut policy, false)).collect();
    assert_eq!(pauses, [1, 2, 4, 8, 16, 32, 64, 64, 64]);
    assert_eq!(pause(&mut policy, true), 0);
    assert_eq!(pause(&mut policy, false), 1);
}
