//! The `srcset` attribute, <https://html.spec.whatwg.org/#parsing-a-srcset-attribute>. In: its
//! value. Out: URLs, each with its descriptor.

/// A URL ends at white space, or at a comma that white space follows.
pub(super) fn candidates(value: &str) -> Vec<(&str, &str)> {
    let mut candidates = Vec::new();
    let mut rest = value;
    loop {
        rest = rest.trim_start_matches(|one: char| one.is_ascii_whitespace() || one == ',');
        if rest.is_empty() {
            return candidates;
        }
        let end = rest.find(|one: char| one.is_ascii_whitespace()).unwrap_or(rest.len());
        let (url, after) = rest.split_at(end);
        if let Some(url) = url.strip_suffix(',') {
            candidates.push((url.trim_end_matches(','), ""));
            rest = after;
            continue;
        }
        let end = after.find(',').unwrap_or(after.len());
        candidates.push((url, after[..end].trim()));
        rest = &after[end..];
    }
}
