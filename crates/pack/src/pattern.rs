//! Glob patterns of ignore files and of `files` in package.json, as npm matches them: case does not
//! count, `*` matches names that begin with a dot, a pattern without a slash matches the last
//! segment of a path, and `!` in front marks the pattern as negated without changing what it
//! matches. Braces and extended globs (`+(a|b)`) are understood. In: a pattern and a path with `/`.
//! Out: whether it matches.

use rusk_npm::glob::expand_braces;

/// A longer pattern matches nothing: real ones are a path.
const PATTERN_BYTES_MAX: usize = 4096;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub is_negated: bool,
    /// One for each alternative of the braces.
    alternatives: Vec<Vec<Segment>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Segment {
    /// `**`: any number of segments.
    Globstar,
    Name(Vec<Part>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Character(char),
    /// `?`
    Any,
    /// `*`
    Star,
    /// `[a-z]`
    Class {
        is_negated: bool,
        ranges: Vec<(char, char)>,
    },
    /// `?(a|b)` and the other extended globs.
    Group {
        kind: GroupKind,
        alternatives: Vec<Vec<Part>>,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum GroupKind {
    Optional,
    ZeroOrMore,
    OneOrMore,
    Once,
    Not,
}

/// How much of the path must be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    Whole,
    /// The path may be a parent directory of what the pattern matches.
    Prefix,
}

impl Pattern {
    pub fn parse(text: &str) -> Pattern {
        let body = text.trim_start_matches('!');
        let is_negated = (text.len() - body.len()) % 2 == 1;
        let expanded = match body.len() <= PATTERN_BYTES_MAX {
            true => expand_braces(body).unwrap_or_default(),
            false => Vec::new(),
        };
        let alternatives = expanded.iter().map(|text| split(text).map(segment).collect());
        Pattern { is_negated, alternatives: alternatives.collect() }
    }

    /// Whether a path matches; a directory may end in `/`, and a path from the root begins with
    /// `/`.
    pub fn matches(&self, path: &str, extent: Extent) -> bool {
        let path = path.to_lowercase();
        let segments: Vec<&str> = path.split('/').collect();
        self.alternatives.iter().any(|pattern| match pattern.as_slice() {
            [Segment::Name(_)] => {
                let last = segments.iter().rev().find(|segment| !segment.is_empty());
                last.is_some_and(|&last| matches_segments(&[last], pattern, extent))
            }
            pattern => matches_segments(&segments, pattern, extent),
        })
    }

    /// Whether an alternative has one segment, or one with a slash at its end.
    pub fn is_relative(&self) -> bool {
        let is_relative = |pattern: &Vec<Segment>| match pattern.last() {
            Some(Segment::Name(parts)) if parts.is_empty() => pattern.len() <= 2,
            _ => pattern.len() <= 1,
        };
        self.alternatives.iter().any(is_relative)
    }
}

/// Splits at slashes; several slashes are one, but not at the beginning.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let count = text.split('/').count();
    text.split('/').enumerate().filter_map(move |(index, segment)| {
        (!segment.is_empty() || index == 0 || index + 1 == count).then_some(segment)
    })
}

fn segment(text: &str) -> Segment {
    match text {
        "**" => Segment::Globstar,
        _ => {
            let characters: Vec<char> = text.to_lowercase().chars().collect();
            let mut at = 0;
            Segment::Name(parts(&characters, &mut at, false))
        }
    }
}

/// The parts up to the end, or to the `|` or `)` of the group that they are in.
fn parts(text: &[char], at: &mut usize, in_group: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    while let Some(&character) = text.get(*at) {
        if in_group && matches!(character, '|' | ')') {
            break;
        }
        *at += 1;
        let group = group_kind(character).filter(|_| text.get(*at) == Some(&'('));
        parts.push(match character {
            _ if group.is_some() && closes(&text[*at..]) => {
                let kind = group.unwrap_or(GroupKind::Once);
                Part::Group { kind, alternatives: alternatives(text, at) }
            }
            '*' => Part::Star,
            '?' => Part::Any,
            '[' => class(text, at).unwrap_or(Part::Character('[')),
            '\\' => {
                let escaped = text.get(*at).copied().unwrap_or('\\');
                *at += 1;
                Part::Character(escaped)
            }
            other => Part::Character(other),
        });
    }
    parts
}

fn group_kind(character: char) -> Option<GroupKind> {
    match character {
        '?' => Some(GroupKind::Optional),
        '*' => Some(GroupKind::ZeroOrMore),
        '+' => Some(GroupKind::OneOrMore),
        '@' => Some(GroupKind::Once),
        '!' => Some(GroupKind::Not),
        _ => None,
    }
}

/// Whether the parenthesis that opens here is closed.
fn closes(text: &[char]) -> bool {
    let mut depth = 0;
    for character in text {
        depth += i32::from(*character == '(') - i32::from(*character == ')');
        if depth == 0 {
            return true;
        }
    }
    false
}

fn alternatives(text: &[char], at: &mut usize) -> Vec<Vec<Part>> {
    let mut alternatives = Vec::new();
    while text.get(*at).is_some_and(|character| *character != ')') {
        // Past `(` or `|`.
        *at += 1;
        alternatives.push(parts(text, at, true));
    }
    *at += 1;
    alternatives
}

/// A character class; `None` when no `]` closes it.
fn class(text: &[char], at: &mut usize) -> Option<Part> {
    let mut index = *at;
    let is_negated = matches!(text.get(index), Some('!' | '^'));
    index += usize::from(is_negated);
    let start = index;
    let mut ranges = Vec::new();
    loop {
        let first = *text.get(index)?;
        if first == ']' && index > start {
            break;
        }
        index += 1;
        match (text.get(index), text.get(index + 1)) {
            (Some('-'), Some(&last)) if last != ']' => {
                ranges.push((first, last));
                index += 2;
            }
            _ => ranges.push((first, first)),
        }
    }
    *at = index + 1;
    Some(Part::Class { is_negated, ranges })
}

/// Follows all positions in the path that the pattern can reach, segment by segment.
fn matches_segments(path: &[&str], pattern: &[Segment], extent: Extent) -> bool {
    let length = path.len();
    let mut reached = vec![false; length + 1];
    reached[0] = true;
    for (index, segment) in pattern.iter().enumerate() {
        if reached[length] && extent == Extent::Prefix {
            return true;
        }
        let mut next = vec![false; length + 1];
        for at in (0..length).filter(|&at| reached[at]) {
            match segment {
                Segment::Globstar => {
                    let is_last = index + 1 == pattern.len();
                    let plain = path[at..].iter().take_while(|name| !is_dots(name)).count();
                    (at + usize::from(is_last)..=at + plain).for_each(|end| next[end] = true);
                }
                Segment::Name(parts) => next[at + 1] |= matches_whole_name(path[at], parts),
            }
        }
        reached = next;
    }
    reached[length] || (path.last() == Some(&"") && reached[length - 1])
}

fn is_dots(name: &str) -> bool {
    matches!(name, "." | "..")
}

fn matches_whole_name(name: &str, parts: &[Part]) -> bool {
    let characters: Vec<char> = name.chars().collect();
    (!is_dots(name) || is_literal(parts)) && matches_name(&characters, parts)
}

fn is_literal(parts: &[Part]) -> bool {
    parts.iter().all(|part| matches!(part, Part::Character(_)))
}

/// Whether a name matches: `*` alone wants one character at least.
fn matches_name(name: &[char], parts: &[Part]) -> bool {
    match parts {
        [Part::Star] => !name.is_empty(),
        parts => ends(name, parts).contains(&name.len()),
    }
}

/// The lengths of the beginnings of `name` that the parts match, ascending. A set, so that the time
/// is bounded by parts times length.
fn ends(name: &[char], parts: &[Part]) -> Vec<usize> {
    let mut reached = vec![false; name.len() + 1];
    reached[0] = true;
    for part in parts {
        let mut next = vec![false; name.len() + 1];
        for at in (0..=name.len()).filter(|&at| reached[at]) {
            for end in part_ends(&name[at..], part) {
                next[at + end] = true;
            }
        }
        reached = next;
    }
    (0..=name.len()).filter(|&at| reached[at]).collect()
}

fn part_ends(rest: &[char], part: &Part) -> Vec<usize> {
    match part {
        Part::Star => (0..=rest.len()).collect(),
        Part::Group { kind, alternatives } => group_ends(rest, *kind, alternatives),
        single => match rest.first().is_some_and(|&character| matches_character(character, single)) {
            true => vec![1],
            false => Vec::new(),
        },
    }
}

fn matches_character(character: char, part: &Part) -> bool {
    match part {
        Part::Character(expected) => character == *expected,
        Part::Any => true,
        Part::Class { is_negated, ranges } => {
            ranges.iter().any(|&(first, last)| (first..=last).contains(&character)) != *is_negated
        }
        Part::Star | Part::Group { .. } => false,
    }
}

fn group_ends(rest: &[char], kind: GroupKind, alternatives: &[Vec<Part>]) -> Vec<usize> {
    let once = |from: usize| {
        let ends = alternatives.iter().flat_map(move |parts| ends(&rest[from..], parts));
        ends.map(move |end| from + end).collect::<Vec<_>>()
    };
    let repeated = |mut found: Vec<usize>| {
        let mut at = 0;
        while at < found.len() {
            for end in once(found[at]) {
                if !found.contains(&end) {
                    found.push(end);
                }
            }
            at += 1;
        }
        found
    };
    match kind {
        GroupKind::Once => once(0),
        GroupKind::Optional => [vec![0], once(0)].concat(),
        GroupKind::ZeroOrMore => repeated(vec![0]),
        GroupKind::OneOrMore => repeated(once(0)),
        GroupKind::Not => {
            let excluded = once(0);
            (0..=rest.len()).filter(|end| !excluded.contains(end)).collect()
        }
    }
}

#[cfg(test)]
mod tests;
