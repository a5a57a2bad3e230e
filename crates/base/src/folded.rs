//! Warnings of one kind as one line. In: what each of them is about. Out: a line that names the
//! first few and counts the rest. Absent: the wording of a single warning.

/// Names in a line before the rest is counted: three fit a line of a terminal.
const NAMED_MAX: usize = 3;

/// `a`, or `a, b, c and 14 more`.
pub fn listed<'a>(items: impl ExactSizeIterator<Item = &'a str>) -> String {
    let hidden = items.len().saturating_sub(NAMED_MAX);
    let named: Vec<&str> = items.take(NAMED_MAX).collect();
    match (hidden, named.split_last()) {
        (0, Some((last, rest))) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        (0, _) => named.join(", "),
        _ => format!("{} and {hidden} more", named.join(", ")),
    }
}

#[cfg(test)]
mod tests;
