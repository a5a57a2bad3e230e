//! Range parser, in the steps of node-semver. In: a string. Out: comparators. Blanks and build
//! metadata are removed, hyphen ranges become bounds, operators are joined to their versions, then
//! each part becomes zero to two comparators.

use super::super::grammar::{self, Part, Partial};
use super::super::version::Flaw;
use super::super::{Prereleases, Rules, Syntax, Version};
use super::{Comparator, Operator};
use std::borrow::Cow;

/// A longer string is not a range. Real ones are below 1 KiB.
pub const RANGE_BYTES_MAX: usize = 64 * 1024;
/// A string with more parts is not a range: comparing two ranges takes the product of their counts.
/// Real ones have less than 50.
pub const RANGE_WORDS_MAX: usize = 512;

pub(super) fn alternatives(text: &str, rules: Rules) -> Option<Vec<Vec<Comparator>>> {
    if text.len() > RANGE_BYTES_MAX {
        return None;
    }
    let text = single_blanks(text);
    let mut words_left = RANGE_WORDS_MAX;
    let mut alternatives = Vec::new();
    for alternative in text.split("||") {
        alternatives.extend(comparators(alternative.trim_matches(' '), rules, &mut words_left)?);
    }
    if alternatives.len() > 1 {
        simplify(&mut alternatives);
    }
    Some(alternatives).filter(|alternatives| !alternatives.is_empty())
}

/// Removes alternatives without any version, unless all are such; one with every version replaces
/// all.
fn simplify(alternatives: &mut Vec<Vec<Comparator>>) {
    let is_nothing = |set: &Vec<Comparator>| set.first().is_some_and(Comparator::is_nothing);
    if alternatives.iter().all(is_nothing) {
        alternatives.truncate(1);
    } else if alternatives.iter().any(Vec::is_empty) {
        *alternatives = vec![Vec::new()];
    } else {
        alternatives.retain(|set| !is_nothing(set));
    }
}

/// One alternative. The inner iterator is empty when no word of it means anything, which is allowed
/// in loose ranges.
fn comparators(text: &str, rules: Rules, words_left: &mut usize) -> Option<Option<Vec<Comparator>>> {
    let text = without_builds(text);
    let text = match hyphen_bounds(&text, rules) {
        Some(bounds) => Cow::Owned(bounds),
        None => text,
    };
    let text = close_operators(&text);
    let mut found = Vec::new();
    let mut meant_something = false;
    for word in text.split(' ') {
        *words_left = words_left.checked_sub(1)?;
        match Word::parse(word, rules) {
            Ok(word) => {
                meant_something = true;
                found.extend(word.0.into_iter().flatten().filter(|found| !is_floor(found, rules)));
            }
            Err(Flaw::Shape) if rules.syntax == Syntax::Loose => {}
            Err(_) => return None,
        }
    }
    Some(meant_something.then(|| reduce(found)))
}

fn reduce(found: Vec<Comparator>) -> Vec<Comparator> {
    let mut kept: Vec<Comparator> = Vec::with_capacity(found.len());
    for comparator in found {
        if comparator.is_nothing() {
            return vec![comparator];
        }
        if !kept.contains(&comparator) {
            kept.push(comparator);
        }
    }
    kept
}

/// Whether it is `>=0.0.0`, which contains every version.
fn is_floor(comparator: &Comparator, rules: Rules) -> bool {
    let lowest = match rules.prereleases {
        Prereleases::Named => None,
        Prereleases::Included => Some("0"),
    };
    comparator.operator == Operator::GreaterOrEqual
        && comparator.version.numbers() == [0, 0, 0]
        && comparator.version.pre() == lowest
}

/// The bounds of one word: a lower bound, an upper bound, both, or neither (`*`).
struct Word([Option<Comparator>; 2]);

impl Word {
    fn parse(word: &str, rules: Rules) -> Result<Word, Flaw> {
        if let Some(rest) = word.strip_prefix('^')
            && let Some(partial) = Partial::parse(rest, rules.syntax)
        {
            return caret(&partial, rules);
        }
        if let Some(rest) = word.strip_prefix('~')
            && let Some(partial) = Partial::parse(rest.strip_prefix('>').unwrap_or(rest), rules.syntax)
        {
            return tilde(&partial, rules);
        }
        let (operator, rest) = split_operator(word);
        match Partial::parse(rest, rules.syntax) {
            Some(partial) if partial.is_ordered() && !partial.is_complete() => {
                wildcard(operator, &partial, rules)
            }
            _ => comparison(word, rules),
        }
    }

    fn any() -> Word {
        Word([None, None])
    }

    fn one(operator: Operator, version: Version) -> Word {
        Word([Some(Comparator { operator, version }), None])
    }

    fn between(lower: Version, upper: Version) -> Word {
        Word([
            Some(Comparator { operator: Operator::GreaterOrEqual, version: lower }),
            Some(Comparator { operator: Operator::Less, version: upper }),
        ])
    }
}

/// `^1.2.3`: up to the next change of the first number that is not zero.
fn caret(partial: &Partial<'_>, rules: Rules) -> Result<Word, Flaw> {
    let [major, minor, patch] = [partial.major.floor(), partial.minor.floor(), partial.patch.floor()];
    if partial.major.is_any() {
        return Ok(Word::any());
    }
    let upper = if major > 0 || partial.minor.is_any() {
        before(major.saturating_add(1), 0, 0)
    } else if minor > 0 || partial.patch.is_any() {
        before(0, minor.saturating_add(1), 0)
    } else {
        before(0, 0, patch.saturating_add(1))
    };
    Ok(Word::between(lower(partial, rules)?, upper?))
}

/// `~1.2.3`: up to the next minor; `~1`: up to the next major.
fn tilde(partial: &Partial<'_>, rules: Rules) -> Result<Word, Flaw> {
    match partial.major.is_any() {
        true => Ok(Word::any()),
        false => Ok(Word::between(lower(partial, rules)?, end(partial)?)),
    }
}

/// `1.x`, `>1.2`, `<=*`: a partial version after an operator.
fn wildcard(operator: Option<Operator>, partial: &Partial<'_>, rules: Rules) -> Result<Word, Flaw> {
    if partial.major.is_any() {
        return match operator {
            Some(Operator::Less | Operator::Greater) => Ok(Word::one(Operator::Less, before(0, 0, 0)?)),
            _ => Ok(Word::any()),
        };
    }
    match operator {
        None | Some(Operator::Equal) => Ok(Word::between(lower(partial, rules)?, end(partial)?)),
        Some(Operator::GreaterOrEqual) => Ok(Word::one(Operator::GreaterOrEqual, lower(partial, rules)?)),
        Some(Operator::LessOrEqual) => Ok(Word::one(Operator::Less, end(partial)?)),
        Some(Operator::Less) => {
            Ok(Word::one(Operator::Less, before(partial.major.floor(), partial.minor.floor(), 0)?))
        }
        Some(Operator::Greater) => {
            let end = end(partial)?;
            let start = Version::new(end.major, end.minor, 0, floor_pre(rules))?;
            Ok(Word::one(Operator::GreaterOrEqual, start))
        }
    }
}

/// The lowest version that the partial one matches.
fn lower(partial: &Partial<'_>, rules: Rules) -> Result<Version, Flaw> {
    let [major, minor, patch] = [partial.major.floor(), partial.minor.floor(), partial.patch.floor()];
    if partial.minor.is_any() {
        Version::new(major, 0, 0, floor_pre(rules))
    } else if partial.patch.is_any() {
        Version::new(major, minor, 0, floor_pre(rules))
    } else {
        Version::new(major, minor, patch, partial.pre)
    }
}

/// Where the versions with the same major, or major and minor if given, have ended.
fn end(partial: &Partial<'_>) -> Result<Version, Flaw> {
    match partial.minor {
        Part::Any => before(partial.major.floor().saturating_add(1), 0, 0),
        Part::Number(minor) => before(partial.major.floor(), minor.saturating_add(1), 0),
    }
}

/// The lowest prerelease: no version of this patch is lower.
fn before(major: u64, minor: u64, patch: u64) -> Result<Version, Flaw> {
    Version::new(major, minor, patch, Some("0"))
}

fn floor_pre(rules: Rules) -> Option<&'static str> {
    match rules.prereleases {
        Prereleases::Named => None,
        Prereleases::Included => Some("0"),
    }
}

/// A complete version after an operator, or the rest of a word without its star.
fn comparison(word: &str, rules: Rules) -> Result<Word, Flaw> {
    let word = without_star(word);
    if word.is_empty() {
        return Ok(Word::any());
    }
    let (operator, rest) = split_operator(&word);
    let version = Version::read(rest, rules.syntax)?.without_build();
    Ok(Word::one(operator.unwrap_or(Operator::Equal), version))
}

/// Removes the star after an operator; `1.2.3*` is `1.2.3` in node-semver.
fn without_star(word: &str) -> Cow<'_, str> {
    let Some((front, back)) = word.split_once('*') else { return Cow::Borrowed(word) };
    let front = front.strip_suffix('=').unwrap_or(front);
    let front = front.strip_suffix(['<', '>']).unwrap_or(front);
    Cow::Owned([front, back].concat())
}

fn split_operator(word: &str) -> (Option<Operator>, &str) {
    let operators = [
        (">=", Operator::GreaterOrEqual),
        ("<=", Operator::LessOrEqual),
        (">", Operator::Greater),
        ("<", Operator::Less),
        ("=", Operator::Equal),
    ];
    for (text, operator) in operators {
        if let Some(rest) = word.strip_prefix(text) {
            return (Some(operator), rest);
        }
    }
    (None, word)
}

/// Trims the string, and replaces runs of blanks by one space.
fn single_blanks(text: &str) -> Cow<'_, str> {
    let trimmed = text.trim_matches(grammar::is_blank);
    let untidy = |character| grammar::is_blank(character) && character != ' ';
    if !trimmed.contains(untidy) && !trimmed.contains("  ") {
        return Cow::Borrowed(trimmed);
    }
    let words = trimmed.split(grammar::is_blank).filter(|word| !word.is_empty());
    Cow::Owned(words.collect::<Vec<_>>().join(" "))
}

/// Build metadata does not affect the order and is removed everywhere.
fn without_builds(text: &str) -> Cow<'_, str> {
    if !text.contains('+') {
        return Cow::Borrowed(text);
    }
    let mut kept = String::with_capacity(text.len());
    let mut pieces = text.split('+');
    kept.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let length = build_length(piece);
        kept.push_str(if length == 0 { "+" } else { "" });
        kept.push_str(&piece[length..]);
    }
    Cow::Owned(kept)
}

/// The number of bytes of dot-separated identifiers at the start.
fn build_length(text: &str) -> usize {
    let identifier = |text: &str| text.bytes().take_while(|&byte| grammar::is_identifier_byte(byte)).count();
    let mut length = identifier(text);
    while length > 0 && text[length..].starts_with('.') {
        match identifier(&text[length + 1..]) {
            0 => break,
            more => length += 1 + more,
        }
    }
    length
}

/// `1.2 - 3.4` as `>=1.2.0 <3.5.0-0`; `None` if it is not a hyphen range.
fn hyphen_bounds(text: &str, rules: Rules) -> Option<String> {
    let (from, to) = text.trim_matches(' ').split_once(" - ")?;
    let low = Partial::parse(from, rules.syntax)?;
    let high = Partial::parse(to, rules.syntax)?;
    let included = rules.prereleases == Prereleases::Included;
    let floor = if included && (low.pre.is_none() || !low.is_complete()) { "-0" } else { "" };
    let [major, minor] = [low.major.floor(), low.minor.floor()];
    let from = match (low.major, low.minor, low.patch) {
        (Part::Any, _, _) => String::new(),
        (_, Part::Any, _) => format!(">={major}.0.0{floor}"),
        (_, _, Part::Any) => format!(">={major}.{minor}.0{floor}"),
        _ => format!(">={from}{floor}"),
    };
    let [major, minor, patch] = [high.major.floor(), high.minor.floor(), high.patch.floor()];
    let to = match (high.major, high.minor, high.patch, high.pre) {
        (Part::Any, ..) => String::new(),
        (_, Part::Any, ..) => format!("<{}.0.0-0", major.saturating_add(1)),
        (_, _, Part::Any, _) => format!("<{major}.{}.0-0", minor.saturating_add(1)),
        (.., Some(pre)) => format!("<={major}.{minor}.{patch}-{pre}"),
        (.., None) if included => format!("<{major}.{minor}.{}-0", patch.saturating_add(1)),
        (.., None) => format!("<={to}"),
    };
    Some(format!("{from} {to}").trim_matches(' ').to_owned())
}

/// `> 1.2`, `~ 1.2`, `~> 1.2` and `^ 1.2` lose the space after the operator.
fn close_operators(text: &str) -> Cow<'_, str> {
    let opens = |pair: &[u8]| matches!(pair, [b'<' | b'>' | b'=' | b'~' | b'^', b' ']);
    if !text.as_bytes().windows(2).any(opens) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(close_comparisons(text).replace("~> ", "~").replace("~ ", "~").replace("^ ", "^"))
}

/// Only a space with a version after it closes; `> foo` stays two words.
fn close_comparisons(text: &str) -> String {
    let mut closed = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (_, behind) = split_operator(rest.trim_start_matches(' '));
        let operator = rest[..rest.len() - behind.len()].trim_end_matches(' ');
        let version = behind.trim_start_matches(grammar::is_prefix);
        let names_version = version
            .starts_with(|character: char| character.is_ascii_digit() || grammar::is_wildcard(character));
        // Whatever begins inside this run of prefixes ends where it ends.
        let run_bytes = (rest.len() - version.len()).max(first.len_utf8());
        if names_version && !operator.is_empty() {
            closed.push_str(operator);
            let prefixes = &behind[..behind.len() - version.len()];
            closed.push_str(prefixes.strip_prefix(' ').unwrap_or(prefixes));
        } else {
            closed.push_str(&rest[..run_bytes]);
        }
        rest = &rest[run_bytes..];
    }
    closed
}
