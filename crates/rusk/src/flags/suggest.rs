//! What somebody may have meant: the nearest known word, or the word for it in another tool's
//! language.

/// Longer words are not compared: no name in the table comes near, and the comparison is quadratic.
const LETTERS_MAX: usize = 40;

/// Flags of npm, pnpm and yarn that say here what the second column says.
const FOREIGN: &[(&str, &str)] = &[
    ("save-dev", "--dev"),
    ("save-exact", "--exact"),
    ("save-optional", "--optional"),
    ("save-peer", "--peer"),
    ("no-optional", "--omit=optional"),
    ("ignore-optional", "--omit=optional"),
    ("no-dev", "--omit=dev"),
    ("immutable", "--frozen-lockfile"),
    ("package-lock-only", "--lockfile-only"),
    ("prefix", "--cwd"),
    ("dir", "--cwd"),
    ("quiet", "--silent"),
];

/// What another tool's flag is called here.
pub fn translated(flag: &str) -> Option<&'static str> {
    FOREIGN.iter().find(|(foreign, _)| *foreign == flag).map(|(_, ours)| *ours)
}

/// The known word nearest to `wanted`, if it is near enough to be a slip of the finger.
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = wanted.chars().take(LETTERS_MAX + 1).collect();
    if letters.len() > LETTERS_MAX {
        return None;
    }
    let slips_max = (letters.len() / 3).max(1);
    known
        .into_iter()
        .map(|word| (distance(&letters, &word.chars().collect::<Vec<_>>()), word))
        .filter(|(slips, word)| *slips <= slips_max && *slips < word.len())
        .min_by_key(|(slips, _)| *slips)
        .map(|(_, word)| word)
}

/// Letters added, dropped, replaced, or swapped with their neighbour.
fn distance(left: &[char], right: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=right.len()).collect();
    for (row, &letter) in left.iter().enumerate() {
        let mut current = vec![row + 1];
        for (column, &other) in right.iter().enumerate() {
            let replaced = above[column] + usize::from(letter != other);
            let mut best = replaced.min(above[column + 1] + 1).min(current[column] + 1);
            if row > 0 && column > 0 && letter == right[column - 1] && left[row - 1] == other {
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
