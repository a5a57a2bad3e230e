//! Packages that a rule about versions does not apply to. In: names, patterns, names with exact
//! versions. Out: for each package, whether all of its versions are exempt, or which.

use crate::semver::Version;
use crate::wildcard;

/// A list of exclusions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageExclusions {
    list: Vec<Exclusion>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Exclusion {
    /// A name; `*` in it stands for any characters.
    pattern: String,
    /// Only these versions; `None`: all.
    versions: Option<Vec<Version>>,
}

impl PackageExclusions {
    /// An exclusion that cannot be read is returned, to be reported: it excludes nothing.
    pub fn parse(texts: &[String]) -> (PackageExclusions, Vec<String>) {
        let (mut list, mut unread) = (Vec::new(), Vec::new());
        for text in texts {
            match Exclusion::parse(text) {
                Some(exclusion) => list.push(exclusion),
                None => unread.push(text.clone()),
            }
        }
        (PackageExclusions { list }, unread)
    }

    /// The versions of a package that are exempt; `None`: the package is, as a whole.
    pub fn exempt_versions(&self, name: &str) -> Option<Vec<Version>> {
        let mut exempt = Vec::new();
        for exclusion in self.list.iter().filter(|it| wildcard::matches(&it.pattern, name)) {
            exempt.extend(exclusion.versions.as_ref()?.iter().cloned());
        }
        Some(exempt)
    }
}

impl Exclusion {
    /// `name`, `@scope/*`, `name@1.0.0`, `name@1.0.0 || 1.0.1`.
    fn parse(text: &str) -> Option<Exclusion> {
        let text = text.trim();
        let scope_bytes = usize::from(text.starts_with('@'));
        let (pattern, versions) = match text.get(scope_bytes..)?.split_once('@') {
            None => (text, None),
            Some((name, list)) => {
                let versions = list.split("||").map(|version| Version::parse(version.trim()));
                (&text[..scope_bytes + name.len()], Some(versions.collect::<Option<Vec<Version>>>()?))
            }
        };
        (!pattern.is_empty()).then(|| Exclusion { pattern: pattern.to_owned(), versions })
    }
}
