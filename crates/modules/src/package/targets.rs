//! Target selection in `exports` and `imports` of package.json: Node's PACKAGE_EXPORTS_RESOLVE,
//! PACKAGE_IMPORTS_RESOLVE and PACKAGE_TARGET_RESOLVE, without file access. In: the member as
//! written, a subpath, conditions. Out: the target as written. Absent: whether the target exists.

use rusk_npm::json::{Node, Value};

/// Node's message, which programs read.
const MIXED_KEYS: &str = "\"exports\" cannot contain some keys starting with '.' and some not. The exports object must either be an object of package subpath keys or an object of main entry condition name keys only.";

/// A value of `exports` or `imports`.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    Text(Box<str>),
    Null,
    List(Vec<Target>),
    /// In source order; a duplicate key has its first position and its last value, as in
    /// JavaScript.
    Map(Vec<(Box<str>, Target)>),
    /// A number or boolean, as written.
    Other(Box<str>),
}

/// The selected target.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum ResolvedTarget<'a> {
    /// `./…`, in which `star` replaces each `*`.
    Path { target: &'a str, star: Option<&'a str> },
    /// A package or builtin; only in `imports`.
    Bare(String),
}

/// Why no target was selected.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum TargetError {
    /// There is no target, or it is `null`.
    Undefined,
    InvalidTarget {
        key: String,
        target: String,
    },
    InvalidConfig(&'static str),
    InvalidSubpath {
        key: String,
    },
}

/// The member of package.json.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Member {
    Exports,
    Imports,
}

/// The result for one target: found, excluded by `null`, or undefined.
enum TargetMatch<'a> {
    Found(ResolvedTarget<'a>),
    Null,
    Undefined,
}

/// Selects the target of `.` or `./…`.
pub(crate) fn select_export<'a>(
    exports: &'a Target,
    subpath: &'a str,
    conditions: &[String],
) -> Result<ResolvedTarget<'a>, TargetError> {
    let matcher = Matcher { member: Member::Exports, conditions };
    if is_for_main_alone(exports)? {
        return match subpath {
            "." => matcher.resolve(exports, None, subpath),
            _ => Err(TargetError::Undefined),
        };
    }
    let Target::Map(entries) = exports else { return Err(TargetError::Undefined) };
    let is_exact = !subpath.contains('*') && !subpath.ends_with('/');
    matcher.select(entries, subpath, is_exact)
}

/// Selects the target of `#…`.
pub(crate) fn select_import<'a>(
    imports: &'a Target,
    specifier: &'a str,
    conditions: &[String],
) -> Result<ResolvedTarget<'a>, TargetError> {
    let Target::Map(entries) = imports else { return Err(TargetError::Undefined) };
    let matcher = Matcher { member: Member::Imports, conditions };
    matcher.select(entries, specifier, !specifier.contains('*'))
}

/// Whether `exports` is only for `.`: no key begins with a dot. Mixed keys are an error.
fn is_for_main_alone(exports: &Target) -> Result<bool, TargetError> {
    match exports {
        Target::Text(_) | Target::List(_) => Ok(true),
        Target::Null | Target::Other(_) => Ok(false),
        Target::Map(entries) => {
            let conditions = entries.iter().filter(|(key, _)| !key.starts_with('.')).count();
            match conditions {
                0 => Ok(false),
                count if count == entries.len() => Ok(true),
                _ => Err(TargetError::InvalidConfig(MIXED_KEYS)),
            }
        }
    }
}

struct Matcher<'c> {
    member: Member,
    conditions: &'c [String],
}

impl Matcher<'_> {
    /// The entry of the exact key, else of the best pattern.
    fn select<'a>(
        &self,
        entries: &'a [(Box<str>, Target)],
        subpath: &'a str,
        is_exact: bool,
    ) -> Result<ResolvedTarget<'a>, TargetError> {
        if is_exact && let Some((_, target)) = entries.iter().find(|(key, _)| **key == *subpath) {
            return self.resolve(target, None, subpath);
        }
        let fitting = entries.iter().filter_map(|(key, target)| Some((key, target, star(key, subpath)?)));
        let best = fitting.reduce(|best, next| if is_better(next.0, best.0) { next } else { best });
        let (key, target, star) = best.ok_or(TargetError::Undefined)?;
        self.resolve(target, Some(star), key)
    }

    fn resolve<'a>(
        &self,
        target: &'a Target,
        star: Option<&'a str>,
        key: &str,
    ) -> Result<ResolvedTarget<'a>, TargetError> {
        match self.match_target(target, star, key)? {
            TargetMatch::Found(target) => Ok(target),
            TargetMatch::Null | TargetMatch::Undefined => Err(TargetError::Undefined),
        }
    }

    fn match_target<'a>(
        &self,
        target: &'a Target,
        star: Option<&'a str>,
        key: &str,
    ) -> Result<TargetMatch<'a>, TargetError> {
        match target {
            Target::Null => Ok(TargetMatch::Null),
            Target::Text(text) => self.text(text, star, key).map(TargetMatch::Found),
            Target::List(targets) => self.first(targets, star, key),
            Target::Map(entries) => self.conditional(entries, star, key),
            Target::Other(text) => Err(invalid(key, text)),
        }
    }

    /// The first target that is valid and defined.
    fn first<'a>(
        &self,
        targets: &'a [Target],
        star: Option<&'a str>,
        key: &str,
    ) -> Result<TargetMatch<'a>, TargetError> {
        let mut last = if targets.is_empty() { Ok(TargetMatch::Null) } else { Ok(TargetMatch::Undefined) };
        for target in targets {
            match self.match_target(target, star, key) {
                Ok(TargetMatch::Undefined) => {}
                Ok(TargetMatch::Null) => last = Ok(TargetMatch::Null),
                Err(error @ TargetError::InvalidTarget { .. }) => last = Err(error),
                decided => return decided,
            }
        }
        last
    }

    /// The first active condition with a defined target.
    fn conditional<'a>(
        &self,
        entries: &'a [(Box<str>, Target)],
        star: Option<&'a str>,
        key: &str,
    ) -> Result<TargetMatch<'a>, TargetError> {
        if entries.iter().any(|(condition, _)| is_array_index(condition)) {
            return Err(TargetError::InvalidConfig("a condition is a number, expected a name"));
        }
        for (condition, target) in entries {
            if &**condition == "default" || self.conditions.iter().any(|held| **held == **condition) {
                match self.match_target(target, star, key)? {
                    TargetMatch::Undefined => {}
                    decided => return Ok(decided),
                }
            }
        }
        Ok(TargetMatch::Undefined)
    }

    fn text<'a>(
        &self,
        target: &'a str,
        star: Option<&'a str>,
        key: &str,
    ) -> Result<ResolvedTarget<'a>, TargetError> {
        let Some(inside) = target.strip_prefix("./") else {
            let may_be_bare = self.member == Member::Imports && !target.starts_with(['/']);
            if may_be_bare && !target.starts_with("../") && url::Url::parse(target).is_err() {
                return Ok(ResolvedTarget::Bare(
                    star.map_or_else(|| target.to_owned(), |star| target.replace('*', star)),
                ));
            }
            return Err(invalid(key, target));
        };
        if inside.split(['/', '\\']).any(leaves_package) {
            return Err(invalid(key, target));
        }
        if star.is_some_and(|star| star.split(['/', '\\']).any(leaves_package)) {
            return Err(TargetError::InvalidSubpath { key: key.to_owned() });
        }
        Ok(ResolvedTarget::Path { target, star })
    }
}

fn invalid(key: &str, target: &str) -> TargetError {
    TargetError::InvalidTarget { key: key.to_owned(), target: target.to_owned() }
}

/// What `*` matches, if `key` is a pattern that matches.
fn star<'a>(key: &str, subpath: &'a str) -> Option<&'a str> {
    let (before, after) = key.split_once('*')?;
    let fits = !after.contains('*') && subpath.len() >= key.len();
    let star = || subpath.strip_prefix(before)?.strip_suffix(after);
    fits.then(star).flatten()
}

/// PATTERN_KEY_COMPARE: the longer prefix before `*`, then the longer key.
fn is_better(key: &str, than: &str) -> bool {
    let rank = |key: &str| (key.find('*'), key.len());
    rank(key) > rank(than)
}

/// `.`, `..` and `node_modules`, case-insensitive and percent-decoded.
fn leaves_package(segment: &str) -> bool {
    const LONGEST: usize = "node_modules".len();
    if segment.len() > LONGEST * 3 {
        return false;
    }
    let bytes = segment.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = segment.get(at + 1..at + 3).filter(|_| bytes[at] == b'%');
        match code.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    matches!(&*decoded, b"." | b"..") || decoded.eq_ignore_ascii_case(b"node_modules")
}

/// An array index of JavaScript: the decimal digits of a number below 2^32 - 1.
fn is_array_index(key: &str) -> bool {
    key.parse::<u32>().is_ok_and(|number| number < u32::MAX && number.to_string() == key)
}

impl Target {
    pub(crate) fn new(node: &Node<'_>) -> Target {
        match &node.value {
            Value::Null => Target::Null,
            Value::String(text) => Target::Text(Box::from(&**text)),
            Value::Array(nodes) => Target::List(nodes.iter().map(Target::new).collect()),
            Value::Object(_) => Target::Map(entries(node)),
            Value::Bool(truth) => Target::Other(truth.to_string().into()),
            Value::Number(digits) => Target::Other(Box::from(*digits)),
        }
    }
}

fn entries(node: &Node<'_>) -> Vec<(Box<str>, Target)> {
    let members = node.members();
    // Most objects here have a handful of keys; some generated ones have thousands.
    let mut places = std::collections::HashMap::with_capacity(members.len());
    let mut entries: Vec<(Box<str>, Target)> = Vec::with_capacity(members.len());
    for member in members {
        let target = Target::new(&member.node);
        match places.insert(&*member.key, entries.len()) {
            Some(place) => {
                entries[place].1 = target;
                places.insert(&*member.key, place);
            }
            None => entries.push((Box::from(&*member.key), target)),
        }
    }
    entries
}

#[cfg(test)]
mod tests;
