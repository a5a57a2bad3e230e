//! Ignore rules of one directory: the lines of `.npmignore` or `.gitignore`, or of a list in the
//! program. Later rules win; a negated rule includes again.

use crate::pattern::{Extent, Pattern};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IgnoreRules(Vec<Pattern>);

/// What is asked about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    File,
    /// A directory is included when something in it may be.
    Directory,
}

impl IgnoreRules {
    /// Parses an ignore file: one pattern per line, `#` begins a comment.
    pub fn parse(text: &str) -> IgnoreRules {
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        IgnoreRules::of(lines)
    }

    pub fn of<'a>(patterns: impl IntoIterator<Item = &'a str>) -> IgnoreRules {
        IgnoreRules(patterns.into_iter().map(Pattern::parse).collect())
    }

    /// Whether `path`, relative to the directory of the rules, is included after them, where it was
    /// `included` before. `name` is the last segment, for a path in a subdirectory.
    pub fn apply(&self, mut included: bool, path: &str, name: Option<&str>, kind: EntryKind) -> bool {
        for rule in &self.0 {
            if rule.is_negated != included && rule_matches(rule, path, name, kind) {
                included = rule.is_negated;
            }
        }
        included
    }
}

fn rule_matches(rule: &Pattern, path: &str, name: Option<&str>, kind: EntryKind) -> bool {
    let anchored = format!("/{path}");
    let whole = |path: &str| rule.matches(path, Extent::Whole);
    if whole(&anchored) || whole(path) {
        return true;
    }
    if kind == EntryKind::File {
        return false;
    }
    matches_directory(rule, path)
        || name.is_some_and(|name| rule.is_relative() && matches_directory(rule, name))
}

fn matches_directory(rule: &Pattern, path: &str) -> bool {
    let forms = [format!("/{path}"), path.to_owned()];
    forms.iter().any(|form| {
        rule.matches(&format!("{form}/"), Extent::Whole)
            || (rule.is_negated && rule.matches(form, Extent::Prefix))
    })
}

#[cfg(test)]
mod tests;
