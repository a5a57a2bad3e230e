//! SPDX license expressions: `MIT`, `(MIT OR Apache-2.0)`. In: the text in package.json. Out:
//! whether it is one license or several. The identifiers are those of the npm packages
//! spdx-license-ids 3.0.23 and spdx-exceptions 2.5.0, which npm checks against. Absent: what the
//! expression means.

const IDENTIFIERS: &str = include_str!("license_expression/identifiers.txt");
const EXCEPTIONS: &str = include_str!("license_expression/exceptions.txt");

/// Parentheses in parentheses; no real license has three.
const DEPTH_MAX: usize = 32;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum License {
    /// One identifier; without its `+` and exception, as npm writes it.
    Single(String),
    /// Several, joined by `AND` or `OR`.
    Expression,
}

/// `None` for a text that is no expression, such as `UNLICENSED`.
pub fn parse(text: &str) -> Option<License> {
    let mut words = words(text).into_iter().peekable();
    let license = any_of(&mut words, 0)?;
    words.next().is_none().then_some(license)
}

type Words<'a> = std::iter::Peekable<std::vec::IntoIter<&'a str>>;

/// Identifiers, parentheses, `+`.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    for part in text.split_ascii_whitespace() {
        let mut start = 0;
        for (at, _) in part.match_indices(['(', ')', '+']) {
            words.extend([&part[start..at], &part[at..=at]].into_iter().filter(|word| !word.is_empty()));
            start = at + 1;
        }
        words.extend(Some(&part[start..]).filter(|word| !word.is_empty()));
    }
    words
}

/// `a OR b`; `AND` binds more tightly.
fn any_of(words: &mut Words<'_>, depth: usize) -> Option<License> {
    joined(words, "OR", &mut |words| joined(words, "AND", &mut |words| one(words, depth)))
}

fn joined(
    words: &mut Words<'_>,
    operator: &str,
    operand: &mut dyn FnMut(&mut Words<'_>) -> Option<License>,
) -> Option<License> {
    let mut license = operand(words)?;
    while words.next_if(|word| *word == operator).is_some() {
        operand(words)?;
        license = License::Expression;
    }
    Some(license)
}

fn one(words: &mut Words<'_>, depth: usize) -> Option<License> {
    let word = words.next()?;
    if word == "(" {
        if depth >= DEPTH_MAX {
            return None;
        }
        let license = any_of(words, depth + 1)?;
        return (words.next() == Some(")")).then_some(license);
    }
    let is_reference = |word: &str| {
        let reference = word.strip_prefix("LicenseRef-").or_else(|| {
            let (document, reference) = word.strip_prefix("DocumentRef-")?.split_once(":LicenseRef-")?;
            is_identifier(document).then_some(reference)
        });
        reference.is_some_and(is_identifier)
    };
    if !is_reference(word) {
        if !IDENTIFIERS.lines().any(|known| known == word) {
            return None;
        }
        let _ = words.next_if(|word| *word == "+");
        if words.next_if(|word| *word == "WITH").is_some() {
            let exception = words.next()?;
            EXCEPTIONS.lines().find(|known| *known == exception)?;
        }
    }
    Some(License::Single(word.to_owned()))
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
}

#[cfg(test)]
mod tests;
