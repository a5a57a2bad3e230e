//! Instances of packages: entries that are the same package and find the same packages. In: for
//! each entry, a label and what its dependencies find. Out: a class for each entry; entries of one
//! class have equal labels, and find entries of equal classes.

use std::collections::HashMap;
use std::hash::Hash;

/// Splits classes by what they find until none is split any more.
pub(super) fn classes<L: Hash + Eq>(labels: &[L], edges: &[Vec<Option<usize>>]) -> Vec<usize> {
    let mut numbers = HashMap::new();
    let mut classes: Vec<usize> = labels.iter().map(|label| number(&mut numbers, label)).collect();
    let mut count = numbers.len();
    // Where no label repeats, nothing can be split.
    while count < labels.len() {
        let mut numbers = HashMap::new();
        let found = |index: usize| -> Vec<Option<usize>> {
            edges[index].iter().map(|edge| edge.map(|target| classes[target])).collect()
        };
        let next: Vec<usize> =
            (0..labels.len()).map(|index| number(&mut numbers, (classes[index], found(index)))).collect();
        if numbers.len() == count {
            break;
        }
        (classes, count) = (next, numbers.len());
    }
    classes
}

fn number<K: Hash + Eq>(numbers: &mut HashMap<K, usize>, key: K) -> usize {
    let next = numbers.len();
    *numbers.entry(key).or_insert(next)
}

#[cfg(test)]
mod tests;
