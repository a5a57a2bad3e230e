//! Wildcards in names of packages and scripts: `*` stands for any characters, `/` and `:` included.
//! In: a pattern and a name. Out: whether they match.

/// Whether a name has wildcards.
pub fn is_pattern(text: &str) -> bool {
    text.contains('*')
}

/// Whether the whole name matches. The time is the product of both lengths at most.
pub fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let Some(last) = parts.next_back() else { return rest.is_empty() };
    for part in parts {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests;
