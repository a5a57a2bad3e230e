//! Typed access to the members of package.json. In: a key. Out: owned values, or a Problem with
//! key, line, actual and expected type.

use std::collections::HashMap;
use std::hash::Hash;

use rusk_base::{Problem, Result};

use super::Pairs;
use crate::json::{Member, Node};
use crate::problem;

/// An object and the source text of its spans.
pub(crate) struct Fields<'a> {
    pub(crate) text: &'a str,
    pub(crate) root: &'a Node<'a>,
}

impl<'a> Fields<'a> {
    pub(crate) fn find(&self, key: &str) -> Option<&'a Node<'a>> {
        self.root.find(key)
    }

    pub(crate) fn string(&self, key: &str) -> Option<String> {
        self.find(key)?.as_str().map(str::to_owned)
    }

    /// The string members of an object; others are passed over.
    pub(crate) fn strings_of(&self, key: &str) -> Pairs {
        let members = self.find(key).map(Node::members).unwrap_or_default();
        let pair = |member: &Member<'_>| Some((member.key.to_string(), member.node.as_str()?.to_owned()));
        last_of_each(members.iter().filter_map(pair))
    }

    pub(crate) fn string_or_list(&self, key: &str) -> Vec<String> {
        match self.find(key) {
            Some(node) => node.as_str().map_or_else(|| strings(node), |one| vec![one.to_owned()]),
            None => Vec::new(),
        }
    }

    /// A list that contains only strings.
    pub(crate) fn names(&self, key: &str, node: &Node<'_>) -> Result<Vec<String>> {
        if !node.is_array() {
            return Err(self.wrong_kind(key, node, "a list of strings"));
        }
        let name = |element: &Node<'_>| match element.as_str() {
            Some(name) => Ok(name.to_owned()),
            None => Err(self.wrong_kind(key, element, "a list of strings")),
        };
        node.elements().iter().map(name).collect()
    }

    /// A dependency group: safe names, string literals.
    pub(crate) fn dependencies(&self, key: &str) -> Result<Pairs> {
        match self.find(key) {
            Some(node) if node.is_object() => self.literals(key, node),
            Some(node) => Err(self.wrong_kind(key, node, "an object of names and ranges")),
            None => Ok(Pairs::new()),
        }
    }

    /// The members of an object, each of which is a dependency.
    pub(crate) fn literals(&self, key: &str, node: &Node<'_>) -> Result<Pairs> {
        let mut pairs = Pairs::with_capacity(node.members().len());
        for member in node.members() {
            self.check_name(key, member)?;
            let Some(literal) = member.node.as_str() else {
                let key = format!("{key}.{}", member.key);
                return Err(self.wrong_kind(&key, &member.node, "a string such as `^1.2.3`"));
            };
            pairs.push((member.key.to_string(), literal.to_owned()));
        }
        Ok(last_of_each(pairs))
    }

    pub(crate) fn optional_peers(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for member in self.find("peerDependenciesMeta").map(Node::members).unwrap_or_default() {
            if member.node.find("optional").and_then(Node::as_bool) == Some(true) {
                self.check_name("peerDependenciesMeta", member)?;
                names.push((member.key.to_string(), ()));
            }
        }
        Ok(last_of_each(names).into_iter().map(|(name, ())| name).collect())
    }

    pub(crate) fn wrong_kind(&self, key: &str, node: &Node<'_>, expected: &str) -> Problem {
        problem::manifest_kind(self.text, key, node, expected)
    }

    fn check_name(&self, key: &str, member: &Member<'_>) -> Result<()> {
        match is_path_safe(&member.key) {
            true => Ok(()),
            false => Err(problem::manifest_name(self.text, key, member)),
        }
    }
}

/// The strings of a list; other elements are passed over.
pub(crate) fn strings(node: &Node<'_>) -> Vec<String> {
    node.elements().iter().filter_map(Node::as_str).map(str::to_owned).collect()
}

/// Removes duplicate keys: the last value at the position of the first, as in `JSON.parse`.
pub(crate) fn last_of_each<K: Clone + Eq + Hash, V>(
    entries: impl IntoIterator<Item = (K, V)>,
) -> Vec<(K, V)> {
    let mut kept: Vec<(K, V)> = Vec::new();
    let mut places: HashMap<K, usize> = HashMap::new();
    for (key, value) in entries {
        match places.get(&key) {
            Some(&place) => kept[place].1 = value,
            None => {
                places.insert(key.clone(), kept.len());
                kept.push((key, value));
            }
        }
    }
    kept
}

/// Longer names are refused: npm's limit for new names is 214, a directory's name ends at 255
/// bytes.
const NAME_BYTES_MAX: usize = 255;

/// Whether a name is one directory below `node_modules`, or one below its scope's directory. Old
/// names have capitals or unusual characters, so only names that are unsafe in a path are rejected.
fn is_path_safe(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part != "node_modules"
            && !part.chars().any(|one| one.is_control() || matches!(one, '/' | '\\'))
    };
    let unscoped = match name.strip_prefix('@') {
        Some(scoped) => match scoped.split_once('/') {
            Some((scope, rest)) if is_part(scope) => rest,
            _ => return false,
        },
        None => name,
    };
    name.len() <= NAME_BYTES_MAX && is_part(unscoped)
}
