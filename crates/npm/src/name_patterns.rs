//! Matches names against a list of patterns, by the rules of pnpm and bun: `*` matches any
//! characters, a leading `!` excludes, the last matching pattern wins. A list of exclusions only
//! starts with all names.

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePatterns {
    patterns: Vec<String>,
}

impl NamePatterns {
    pub fn new(patterns: Vec<String>) -> NamePatterns {
        NamePatterns { patterns }
    }

    pub fn matches(&self, name: &str) -> bool {
        let takes_away = |pattern: &&String| pattern.starts_with('!');
        let all = !self.patterns.is_empty() && self.patterns.iter().all(|pattern| takes_away(&pattern));
        let fits = |pattern: &&String| fits(pattern.strip_prefix('!').unwrap_or(pattern), name);
        let last = self.patterns.iter().rfind(fits);
        last.map_or(all, |pattern| !takes_away(&pattern))
    }
}

/// Whether a name consists of the pattern's pieces in order, with any characters at each `*`.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(start) else { return false };
    let mut pieces: Vec<&str> = rest.split('*').collect();
    let end = pieces.pop().unwrap_or_default();
    for piece in pieces {
        let Some(at) = left.find(piece) else { return false };
        left = &left[at + piece.len()..];
    }
    left.ends_with(end)
}

#[cfg(test)]
mod tests;
