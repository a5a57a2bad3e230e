//! Filter of packages on the command line: `left`, `@types/*`, `!left`, `left@^1`.

use rusk_npm::graph::{Graph, PackageId};
use rusk_npm::semver::{Prereleases, Range, Rules, Syntax};

/// Arguments that select packages. An argument that begins with `!` excludes; the last argument
/// that fits decides. Exclusions alone start with all packages.
#[derive(Clone, Debug, Default)]
pub struct PackageFilter {
    patterns: Vec<Pattern>,
}

#[derive(Clone, Debug)]
struct Pattern {
    excludes: bool,
    name: String,
    range: Option<Range>,
}

impl PackageFilter {
    /// `Err`: the argument whose range is not one.
    pub fn parse(arguments: &[String]) -> Result<PackageFilter, String> {
        let patterns = arguments.iter().map(|argument| Pattern::parse(argument)).collect::<Result<_, _>>()?;
        Ok(PackageFilter { patterns })
    }

    pub fn is_empty(&self) -> bool {
        self.patterns.is_empty()
    }

    /// Whether a name is selected, whatever its version.
    pub fn selects_name(&self, name: &str) -> bool {
        self.decide(|pattern| fits(&pattern.name, name))
    }

    /// Whether a package of the graph is selected.
    pub fn selects(&self, graph: &Graph, id: PackageId) -> bool {
        let name = graph.package_name(id).as_str();
        self.decide(|pattern| {
            let in_range = |range: &Range| {
                graph.package(id).source.npm_version().is_some_and(|version| range.contains(version))
            };
            fits(&pattern.name, name) && pattern.range.as_ref().is_none_or(in_range)
        })
    }

    fn decide(&self, is_fitting: impl Fn(&Pattern) -> bool) -> bool {
        let last = self.patterns.iter().rfind(|pattern| is_fitting(pattern));
        last.map_or(self.patterns.iter().all(|pattern| pattern.excludes), |pattern| !pattern.excludes)
    }
}

impl Pattern {
    fn parse(argument: &str) -> Result<Pattern, String> {
        let (excludes, text) = match argument.strip_prefix('!') {
            Some(rest) => (true, rest),
            None => (false, argument),
        };
        let at = text.rfind('@').filter(|&at| at > 0);
        let (name, range) = at.map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])));
        let rules = Rules { syntax: Syntax::Strict, prereleases: Prereleases::Included };
        let range = match range {
            None => None,
            Some(range) => Some(Range::parse_with(range, rules).ok_or_else(|| argument.to_owned())?),
        };
        Ok(Pattern { excludes, name: name.to_owned(), range })
    }
}

/// Whether an argument, which is one of [`PackageFilter::parse`], names this package.
pub fn names(argument: &str, name: &str) -> bool {
    Pattern::parse(argument).is_ok_and(|pattern| fits(&pattern.name, name))
}

/// Whether a name consists of the pattern's parts in order, with any characters at each `*`.
fn fits(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut left) = name.strip_prefix(start) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = left.find(part) else { return false };
        left = &left[at + part.len()..];
    }
    left.ends_with(end)
}

#[cfg(test)]
mod tests;
