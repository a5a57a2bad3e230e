//! The pieces that versions and ranges are written with: numbers, wildcards, prerelease and build
//! identifiers. Node's own behaviour is the rule, down to how its loose patterns split digits.

use super::Syntax;

/// JavaScript's largest safe integer: the maximum of a number in a version.
pub(super) const NUMBER_MAX: u64 = 9_007_199_254_740_991;

/// One of the three numbers of a version in a range, which may be left open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Part {
    /// `x`, `X`, `*` or empty.
    Any,
    /// Numbers beyond `u64` saturate; a version checks them against [`NUMBER_MAX`].
    Number(u64),
}

impl Part {
    pub(super) fn is_any(self) -> bool {
        self == Part::Any
    }

    /// The number, 0 where it is left open.
    pub(super) fn floor(self) -> u64 {
        match self {
            Part::Any => 0,
            Part::Number(number) => number,
        }
    }
}

/// A partial version, as in a range: `1`, `1.2.x`, `v1.2.3-beta`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Partial<'a> {
    pub major: Part,
    pub minor: Part,
    pub patch: Part,
    pub pre: Option<&'a str>,
}

impl<'a> Partial<'a> {
    /// Parses a complete string, which may start with any number of `v`, `=` and blanks.
    pub(super) fn parse(text: &'a str, syntax: Syntax) -> Option<Partial<'a>> {
        let (major, rest) = part(text.trim_start_matches(is_prefix), syntax)?;
        let mut partial = Partial { major, minor: Part::Any, patch: Part::Any, pre: None };
        if rest.is_empty() {
            return Some(partial);
        }
        let (minor, rest) = part(rest.strip_prefix('.')?, syntax)?;
        partial.minor = minor;
        if rest.is_empty() {
            return Some(partial);
        }
        let rest = rest.strip_prefix('.')?;
        match rest.strip_prefix(is_wildcard) {
            Some(rest) => partial.pre = Tail::parse(rest, syntax)?.pre,
            None => {
                let (patch, tail) = patch_and_tail(rest, syntax)?;
                partial.patch = Part::Number(patch);
                partial.pre = tail.pre;
            }
        }
        Some(partial)
    }

    pub(super) fn is_complete(&self) -> bool {
        !self.major.is_any() && !self.minor.is_any() && !self.patch.is_any()
    }

    /// False for `x.1` and `1.x.5`, which have no meaning.
    pub(super) fn is_ordered(&self) -> bool {
        let after_major = self.major.is_any() && !self.minor.is_any();
        let after_minor = self.minor.is_any() && !self.patch.is_any();
        !after_major && !after_minor
    }
}

/// The part after the three numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tail<'a> {
    pub pre: Option<&'a str>,
    pub build: Option<&'a str>,
}

impl<'a> Tail<'a> {
    fn parse(text: &'a str, syntax: Syntax) -> Option<Tail<'a>> {
        let (pre, build) = match text.split_once('+') {
            Some((pre, build)) => (pre, Some(build)),
            None => (text, None),
        };
        if build.is_some_and(|build| !build.split('.').all(is_identifier)) {
            return None;
        }
        if pre.is_empty() {
            return Some(Tail { pre: None, build });
        }
        let dashed = pre.strip_prefix('-').filter(|pre| is_prerelease(pre, syntax));
        let pre = match syntax {
            Syntax::Strict => dashed?,
            // `1.2.3-` has the prerelease `-` in node-semver.
            Syntax::Loose => dashed.or_else(|| Some(pre).filter(|pre| is_prerelease(pre, syntax)))?,
        };
        Some(Tail { pre: Some(pre), build })
    }
}

/// The third number and all that follows it.
pub(super) fn patch_and_tail(text: &str, syntax: Syntax) -> Option<(u64, Tail<'_>)> {
    let (digits, rest) = split_digits(text, syntax)?;
    let (digits, rest) = match (syntax, rest.starts_with('.')) {
        // node's loose pattern reads `1.2.34.5` as `1.2.3-4.5`.
        (Syntax::Loose, true) if digits.len() > 1 => text.split_at(digits.len() - 1),
        _ => (digits, rest),
    };
    Some((saturating(digits), Tail::parse(rest, syntax)?))
}

/// A number and the rest of the string.
pub(super) fn number(text: &str, syntax: Syntax) -> Option<(u64, &str)> {
    let (digits, rest) = split_digits(text, syntax)?;
    Some((saturating(digits), rest))
}

fn part(text: &str, syntax: Syntax) -> Option<(Part, &str)> {
    match text.strip_prefix(is_wildcard) {
        Some(rest) => Some((Part::Any, rest)),
        None => number(text, syntax).map(|(number, rest)| (Part::Number(number), rest)),
    }
}

fn split_digits(text: &str, syntax: Syntax) -> Option<(&str, &str)> {
    let length = text.bytes().take_while(u8::is_ascii_digit).count();
    let leading_zero = length > 1 && text.starts_with('0');
    match length {
        0 => None,
        _ if leading_zero && syntax == Syntax::Strict => None,
        _ => Some(text.split_at(length)),
    }
}

fn saturating(digits: &str) -> u64 {
    digits.bytes().fold(0u64, |sum, digit| sum.saturating_mul(10).saturating_add(u64::from(digit - b'0')))
}

fn is_prerelease(text: &str, syntax: Syntax) -> bool {
    text.split('.').all(|identifier| {
        is_identifier(identifier)
            && (syntax == Syntax::Loose
                || identifier == "0"
                || !identifier.starts_with('0')
                || !is_numeric(identifier))
    })
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(is_identifier_byte)
}

pub(super) fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

pub(super) fn is_numeric(identifier: &str) -> bool {
    identifier.bytes().all(|byte| byte.is_ascii_digit())
}

pub(super) fn is_wildcard(character: char) -> bool {
    matches!(character, 'x' | 'X' | '*')
}

/// Characters that may precede a version, any number of times.
pub(super) fn is_prefix(character: char) -> bool {
    character == 'v' || character == '=' || is_blank(character)
}

/// Matches `\s` of JavaScript, which differs from Unicode's white space.
pub(super) fn is_blank(character: char) -> bool {
    (character.is_whitespace() && character != '\u{85}') || character == '\u{feff}'
}
