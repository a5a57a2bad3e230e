//! `overrides` (npm) and `resolutions` (yarn) of the root package.json: one list of rules, as bun
//! accepts them. A rule has a target and at most one parent, each a name with or without a range.
//! What bun passes over with a warning is passed over here with the same meaning.

use std::collections::HashMap;

use rusk_base::Result;

use crate::json::{Member, Node, line_and_column};
use crate::manifest::fields::{Fields, last_of_each};
use crate::manifest::{Group, Manifest, Pairs};
use crate::semver::Range;
use crate::specifier::Specifier;
use crate::yarn_patch::YarnPatch;

/// Rules in the order of the file; no two have the same parent and target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Overrides {
    pub rules: Vec<Rule>,
}

/// Replaces the specifier of `target` (among the dependencies of `parent`, if set) by `literal`, or
/// takes the dependency away if it is `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    pub parent: Option<Selector>,
    pub target: Selector,
    /// A specifier as in `dependencies`; a reference `$name` is already resolved.
    pub literal: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Selector {
    pub name: String,
    /// Empty: every version.
    pub range: String,
}

/// The literal of a rule of pnpm that takes the dependency away.
const REMOVED: &str = "-";

/// Whether a literal takes the dependency away.
pub fn is_removal(literal: &str) -> bool {
    literal == REMOVED
}

impl Rule {
    /// Whether the dependency is taken away.
    pub fn removes(&self) -> bool {
        is_removal(&self.literal)
    }
}

impl Selector {
    /// Whether it selects a dependency of its name: one whose range intersects its own.
    pub fn fits(&self, literal: &str) -> bool {
        if self.range.is_empty() {
            return true;
        }
        let Some(range) = Range::parse(&self.range) else { return false };
        match Specifier::parse(&self.name, literal) {
            Ok(Specifier::Npm { range: wanted, .. }) => range.intersects(&wanted),
            _ => false,
        }
    }
}

/// Parses the rules; warnings are added to the manifest, to whose groups `$name` refers.
pub(crate) fn read(fields: &Fields<'_>, manifest: &mut Manifest) -> Result<Overrides> {
    let found = ["overrides", "resolutions"].map(|key| fields.find(key).map(|node| (key, node)));
    let Some((key, node)) = found.into_iter().flatten().next() else {
        return Ok(Overrides::default());
    };
    if !node.is_object() {
        return Err(fields.wrong_kind(key, node, "an object of names and versions"));
    }
    let mut reader =
        OverridesReader { text: fields.text, key, direct: direct(manifest), rules: vec![], warnings: vec![] };
    for member in node.members() {
        reader.member(member);
    }
    let rules = last_of_each(std::mem::take(&mut reader.rules)).into_iter();
    let rules = rules.map(|((parent, target), literal)| Rule { parent, target, literal }).collect();
    let warnings = reader.warnings;
    manifest.warnings.extend(warnings);
    Ok(Overrides { rules })
}

/// The `overrides` of a lockfile, which has the form of those in package.json.
pub(crate) fn of_lockfile(text: &str, root: &Node<'_>) -> Result<Overrides> {
    let mut overrides = read(&Fields { text, root }, &mut Manifest::default())?;
    overrides.rules.sort_by(|a, b| (&a.parent, &a.target).cmp(&(&b.parent, &b.target)));
    Ok(overrides)
}

impl std::fmt::Display for Selector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.range.as_str() {
            "" => f.write_str(&self.name),
            range => write!(f, "{}@{range}", self.name),
        }
    }
}

/// The specifier that `$name` refers to; of several groups with the name npm's first one.
fn direct(manifest: &Manifest) -> HashMap<String, String> {
    let last_wins = [Group::Peer, Group::Production, Group::Optional, Group::Development];
    last_wins.into_iter().flat_map(|group| manifest.group(group).iter().cloned()).collect()
}

struct OverridesReader<'a> {
    text: &'a str,
    key: &'static str,
    direct: HashMap<String, String>,
    rules: Vec<(Path, String)>,
    warnings: Vec<String>,
}

impl OverridesReader<'_> {
    fn member(&mut self, member: &Member<'_>) {
        // npm's way to write a comment into JSON.
        if member.key.starts_with("//") {
            return;
        }
        if member.node.is_object() && self.key == "overrides" {
            return self.nested(member);
        }
        match path(&member.key) {
            Ok((parent, target)) => self.rule(parent, target, member),
            Err(reason) => self.warn(member, reason),
        }
    }

    /// `"parent": { ".": "1.0.0", "child": "2.0.0" }`
    fn nested(&mut self, member: &Member<'_>) {
        let parent = match selector(&member.key) {
            Ok(parent) => parent,
            Err(reason) => return self.warn(member, reason),
        };
        for child in member.node.members() {
            if child.key.starts_with("//") {
                continue;
            }
            if child.node.is_object() {
                self.warn(child, Unusable::TooDeep);
                continue;
            }
            if child.key == "." {
                self.rule(None, parent.clone(), child);
                continue;
            }
            match path(&child.key) {
                Ok((None, target)) => self.rule(Some(parent.clone()), target, child),
                Ok((Some(_), _)) => self.warn(child, Unusable::TooDeep),
                Err(reason) => self.warn(child, reason),
            }
        }
    }

    fn rule(&mut self, parent: Option<Selector>, target: Selector, member: &Member<'_>) {
        match self.literal(&target.name, &member.node) {
            Ok(literal) => self.rules.push(((parent, target), literal)),
            Err(reason) => self.warn(member, reason),
        }
    }

    fn literal(&self, name: &str, node: &Node<'_>) -> Result<String, Unusable> {
        let literal = node.as_str().ok_or(Unusable::NotString(node.kind()))?;
        if literal.is_empty() {
            return Err(Unusable::NoValue);
        }
        if literal.starts_with("patch:") && YarnPatch::parse(name, literal).is_none() {
            return Err(Unusable::Patch);
        }
        match literal.strip_prefix('$') {
            Some(name) => {
                self.direct.get(name).cloned().ok_or_else(|| Unusable::NoSuchDependency(name.to_owned()))
            }
            None => Ok(literal.to_owned()),
        }
    }

    fn warn(&mut self, member: &Member<'_>, reason: Unusable) {
        let (line, _) = line_and_column(self.text, member.start);
        let (key, name) = (self.key, &member.key);
        let warning = format!("`{name}` in `{key}` is passed over: {reason} (package.json, line {line})");
        self.warnings.push(warning);
    }
}

impl Overrides {
    /// The rules of a file that has been read by another program: flat, and without references. A
    /// rule that this program passes over is passed over.
    pub fn of_pairs(pairs: &Pairs) -> Overrides {
        let mut rules = Vec::new();
        for (key, literal) in pairs.iter().filter(|(_, literal)| !literal.is_empty()) {
            rules.extend(path(key).ok().map(|path| (path, literal.clone())));
        }
        let rules = last_of_each(rules).into_iter();
        let rules = rules.map(|((parent, target), literal)| Rule { parent, target, literal }).collect();
        Overrides { rules }
    }

    /// Whether any rule takes dependencies away.
    pub fn remove_some(&self) -> bool {
        self.rules.iter().any(Rule::removes)
    }

    pub fn is_empty(&self) -> bool {
        self.rules.is_empty()
    }
}

/// Why a rule is passed over.
#[derive(Debug, PartialEq, Eq)]
enum Unusable {
    NoName,
    BareScope,
    NoRange,
    TooDeep,
    NoValue,
    Patch,
    NotString(&'static str),
    NoSuchDependency(String),
}

impl std::fmt::Display for Unusable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Unusable::NoName => f.write_str("a package's name is missing"),
            Unusable::BareScope => f.write_str("a scope without a name"),
            Unusable::NoRange => f.write_str("no range after `@`"),
            Unusable::TooDeep => f.write_str("more than one level of nesting"),
            Unusable::NoValue => f.write_str("its value is empty"),
            Unusable::Patch => f.write_str("expected `patch:name@range#file`"),
            Unusable::NotString(found) => write!(f, "its value is {found}, expected a string"),
            Unusable::NoSuchDependency(name) => write!(f, "`${name}` is not a direct dependency"),
        }
    }
}

type Path = (Option<Selector>, Selector);

/// `name`, `name@range`, `parent/name` and `**/name` (yarn), `parent>name` (pnpm).
fn path(key: &str) -> Result<Path, Unusable> {
    match arrow(key) {
        Some(at) => {
            let child = key[at + 1..].trim_ascii();
            if arrow(child).is_some() {
                return Err(Unusable::TooDeep);
            }
            Ok((Some(selector(key[..at].trim_ascii())?), selector(child)?))
        }
        None => slashes(key),
    }
}

/// The first `>` that separates names rather than belonging to a range: not after a space, `|` or
/// `@`.
fn arrow(key: &str) -> Option<usize> {
    let bytes = key.as_bytes();
    (1..bytes.len()).find(|&at| bytes[at] == b'>' && !matches!(bytes[at - 1], b' ' | b'|' | b'@'))
}

fn slashes(key: &str) -> Result<Path, Unusable> {
    let mut names: Vec<String> = Vec::new();
    let mut tokens = key.split('/').peekable();
    while let Some(token) = tokens.next() {
        match token {
            "" => return Err(Unusable::NoName),
            "**" if tokens.peek().is_none() => return Err(Unusable::NoName),
            "**" => continue,
            _ if names.len() == 2 => return Err(Unusable::TooDeep),
            scope if scope.starts_with('@') => match tokens.next() {
                Some("") => return Err(Unusable::NoName),
                Some(name) => names.push(format!("{scope}/{name}")),
                None => return Err(Unusable::BareScope),
            },
            name => names.push(name.to_owned()),
        }
    }
    match names.as_slice() {
        [target] => Ok((None, selector(target)?)),
        [parent, target] => Ok((Some(selector(parent)?), selector(target)?)),
        _ => Err(Unusable::NoName),
    }
}

/// `name`, `name@range`, `name@npm:range`.
fn selector(text: &str) -> Result<Selector, Unusable> {
    let at = text.char_indices().skip(1).find(|&(_, one)| one == '@').map(|(at, _)| at);
    let (name, range) = at.map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])));
    if name.is_empty() {
        return Err(Unusable::NoName);
    }
    if name.starts_with('@') && !name.contains('/') {
        return Err(Unusable::BareScope);
    }
    let range = range.map(|range| range.strip_prefix("npm:").unwrap_or(range));
    match range {
        Some("") => Err(Unusable::NoRange),
        _ => Ok(Selector { name: name.to_owned(), range: range.unwrap_or_default().to_owned() }),
    }
}

#[cfg(test)]
mod tests;
