//! Suggestions for mistyped names: the nearest known name, or rusk's name for the one of another
//! package manager.

pub mod other_tools;

/// Longer names are not compared: no name in the table is near, and the comparison is quadratic.
const CHARACTERS_MAX: usize = 40;

/// The known name nearest to `name`, if it is near enough to be a typing error.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let characters: Vec<char> = name.chars().take(CHARACTERS_MAX + 1).collect();
    if characters.len() > CHARACTERS_MAX {
        return None;
    }
    let typos_max = (characters.len() / 3).max(1);
    known
        .into_iter()
        .map(|known| (distance(&characters, &known.chars().collect::<Vec<_>>()), known))
        .filter(|(typos, known)| *typos <= typos_max && *typos < known.len())
        .min_by_key(|(typos, _)| *typos)
        .map(|(_, known)| known)
}

/// The edit distance (optimal string alignment): characters added, removed, replaced, or swapped
/// with a neighbour.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, &character) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &other) in right.iter().enumerate() {
            let replaced = above[column] + usize::from(character != other);
            let mut best = replaced.min(above[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && character == right[column - 1] && left[row - 1] == other {
                best = best.min(before[column - 1] + 1);
            }
            current.push(best);
        }
        before = std::mem::replace(&mut above, current);
    }
    above[right.len()]
}

#[cfg(test)]
mod tests;
