//! Version texts in semver's order: numbers, then prerelease identifiers, build metadata ignored.

use std::cmp::Ordering;

/// What decides a version's place. `None` from [`key`] for text that is not a version.
#[derive(PartialEq, Eq)]
pub(super) struct Key<'a> {
    numbers: [u64; 3],
    prerelease: Option<&'a str>,
}

pub(super) fn key(text: &str) -> Option<Key<'_>> {
    let text = text.split_once('+').map_or(text, |(version, _)| version);
    let (numbers, prerelease) = match text.split_once('-') {
        Some((numbers, prerelease)) => (numbers, Some(prerelease)),
        None => (text, None),
    };
    let mut parts = numbers.split('.').map(|part| part.parse().ok());
    let numbers = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(Key { numbers, prerelease })
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.numbers.cmp(&other.numbers).then_with(|| match (self.prerelease, other.prerelease) {
            (None, None) => Ordering::Equal,
            (None, Some(_)) => Ordering::Greater,
            (Some(_), None) => Ordering::Less,
            (Some(left), Some(right)) => {
                left.split('.').map(identifier).cmp(right.split('.').map(identifier))
            }
        })
    }
}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Numbers come before words, and are compared as numbers.
fn identifier(text: &str) -> Result<u64, &str> {
    text.parse().map_err(|_| text)
}
