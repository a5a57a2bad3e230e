//! `packageExtensions`: dependencies that the project adds to packages of others whose package.json
//! lacks them. In: the object of pnpm's settings, or Yarn's, which has the same form. Out: the
//! dependencies of a package with those that are added. What a package declares itself stays.

use crate::graph::{Dependency, Graph, NameId, Role};
use crate::json::{Member, Node, Value};
use crate::manifest::Pairs;
use crate::name::{NameError, PackageName};
use crate::semver::{Range, Version};
use crate::specifier::split_name;

/// Extensions in one project. The largest known list, Yarn's own, has some 100.
const EXTENSIONS_MAX: usize = 10_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageExtensions {
    extensions: Vec<Extension>,
    /// What object-hash digests of the object, for pnpm's checksum.
    hash_text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Extension {
    name: PackageName,
    /// `None`: every version.
    range: Option<Range>,
    dependencies: Pairs,
    optional_dependencies: Pairs,
    peer_dependencies: Pairs,
    /// Names with `optional: true` in `peerDependenciesMeta`.
    optional_peers: Vec<String>,
}

impl PackageExtensions {
    /// By selector (`name`, `name@range`), objects with the four groups of package.json. The error
    /// says what was expected.
    pub fn parse(node: &Node<'_>) -> Result<PackageExtensions, String> {
        if node.value == Value::Null {
            return Ok(PackageExtensions::default());
        }
        if !node.is_object() {
            return Err(format!("an object as `packageExtensions`, found {}", node.kind()));
        }
        if node.members().len() > EXTENSIONS_MAX {
            return Err(format!("at most {EXTENSIONS_MAX} `packageExtensions`"));
        }
        let extensions = node.members().iter().map(Extension::parse).collect::<Result<Vec<_>, String>>()?;
        let mut hash_text = String::new();
        if !extensions.is_empty() {
            object_hash_into(&mut hash_text, node);
        }
        Ok(PackageExtensions { extensions, hash_text })
    }

    pub fn is_empty(&self) -> bool {
        self.extensions.is_empty()
    }

    /// The text of which pnpm-lock.yaml has the SHA-256; empty without extensions.
    pub fn hash_text(&self) -> &str {
        &self.hash_text
    }

    /// Whether an extension adds this dependency to a package that does not declare it.
    pub fn adds(&self, name: &str, version: &Version, dependency: &str, literal: &str) -> bool {
        let fits = |extension: &&Extension| {
            extension.name.as_str() == name
                && extension.range.as_ref().is_none_or(|range| range.contains(version))
        };
        self.extensions.iter().filter(fits).any(|extension| {
            let groups =
                [&extension.dependencies, &extension.optional_dependencies, &extension.peer_dependencies];
            let is_it = |(own, range): &(String, String)| own == dependency && range == literal;
            groups.into_iter().flatten().any(is_it)
        })
    }

    /// Adds what is missing to the dependencies of a package. Returns whether anything was. The
    /// error is the first name that is not that of a package.
    pub fn extend(
        &self,
        graph: &mut Graph,
        name: &PackageName,
        version: &Version,
        dependencies: &mut Vec<Dependency>,
    ) -> Result<bool, String> {
        let before = dependencies.clone();
        let fits = |extension: &&Extension| {
            extension.name == *name && extension.range.as_ref().is_none_or(|range| range.contains(version))
        };
        for extension in self.extensions.iter().filter(fits) {
            extension.apply(graph, dependencies)?;
        }
        Ok(*dependencies != before)
    }
}

impl Extension {
    fn parse(member: &Member<'_>) -> Result<Extension, String> {
        let selector = member.key.as_ref();
        let (name, range) = split_name(selector);
        let wrong = || format!("`name` or `name@range` in `packageExtensions`, found `{selector}`");
        let name = PackageName::parse(name).map_err(|_| wrong())?;
        let range = range.map(|range| Range::parse(range).ok_or_else(wrong)).transpose()?;
        if !member.node.is_object() {
            return Err(format!("an object as the extension of `{selector}`, found {}", member.node.kind()));
        }
        let group = |key: &str| pairs(selector, key, member.node.find(key));
        let meta = member.node.find("peerDependenciesMeta").map(Node::members).unwrap_or_default();
        let optional =
            meta.iter().filter(|peer| peer.node.find("optional").and_then(Node::as_bool) == Some(true));
        Ok(Extension {
            name,
            range,
            dependencies: group("dependencies")?,
            optional_dependencies: group("optionalDependencies")?,
            peer_dependencies: group("peerDependencies")?,
            optional_peers: optional.map(|peer| peer.key.to_string()).collect(),
        })
    }

    /// A dependency replaces a peer of the same name, as in package.json.
    fn apply(&self, graph: &mut Graph, dependencies: &mut Vec<Dependency>) -> Result<(), String> {
        for (group, role) in
            [(&self.dependencies, Role::Production), (&self.optional_dependencies, Role::Optional)]
        {
            for (name, literal) in group {
                let id = intern(graph, name)?;
                dependencies.retain(|known| known.name != id || !known.role.is_peer());
                add(dependencies, id, literal, role);
            }
        }
        for (name, literal) in &self.peer_dependencies {
            let id = intern(graph, name)?;
            add(dependencies, id, literal, Role::Peer);
        }
        for name in &self.optional_peers {
            let id = intern(graph, name)?;
            // A name that is only in `peerDependenciesMeta` is a peer of any version.
            add(dependencies, id, "*", Role::OptionalPeer);
            for known in dependencies.iter_mut().filter(|known| known.name == id && known.role == Role::Peer)
            {
                known.role = Role::OptionalPeer;
            }
        }
        Ok(())
    }
}

fn intern(graph: &mut Graph, name: &str) -> Result<NameId, String> {
    graph.intern(name).map_err(|_: NameError| name.to_owned())
}

fn add(dependencies: &mut Vec<Dependency>, name: NameId, literal: &str, role: Role) {
    if !dependencies.iter().any(|known| known.name == name) {
        dependencies.push(Dependency { name, literal: literal.into(), role, bundled: false });
    }
}

fn pairs(selector: &str, key: &str, node: Option<&Node<'_>>) -> Result<Pairs, String> {
    let Some(node) = node else { return Ok(Pairs::new()) };
    let wrong = |found: &Node<'_>| {
        format!("names and ranges as `{key}` of the extension of `{selector}`, found {}", found.kind())
    };
    if !node.is_object() {
        return Err(wrong(node));
    }
    let pair = |member: &Member<'_>| {
        let literal = member.node.as_str().ok_or_else(|| wrong(&member.node))?;
        match PackageName::parse(&member.key) {
            Ok(_) => Ok((member.key.to_string(), literal.to_owned())),
            Err(_) => Err(format!("package names in the extension of `{selector}`, found `{}`", member.key)),
        }
    };
    node.members().iter().map(pair).collect()
}

/// The stream that the npm package object-hash digests, with sorted keys.
fn object_hash_into(out: &mut String, node: &Node<'_>) {
    match &node.value {
        Value::Null => out.push_str("Null"),
        Value::Bool(truth) => out.push_str(&format!("bool:{truth}")),
        Value::Number(digits) => out.push_str(&format!("number:{digits}")),
        Value::String(text) => string_hash_into(out, text),
        // No part of an extension is a list.
        Value::Array(_) => {}
        Value::Object(members) => {
            let mut sorted: Vec<&Member<'_>> = members.iter().collect();
            // As JavaScript sorts strings: by UTF-16 code units.
            sorted.sort_by_key(|member| member.key.encode_utf16().collect::<Vec<u16>>());
            out.push_str(&format!("object:{}:", sorted.len()));
            for member in sorted {
                string_hash_into(out, &member.key);
                out.push(':');
                object_hash_into(out, &member.node);
                out.push(',');
            }
        }
    }
}

/// A length in UTF-16 code units, as in JavaScript.
fn string_hash_into(out: &mut String, text: &str) {
    out.push_str(&format!("string:{}:{text}", text.encode_utf16().count()));
}

#[cfg(test)]
mod tests;
