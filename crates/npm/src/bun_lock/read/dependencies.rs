//! What members and packages have in common: groups of dependencies, programs.

use std::collections::HashSet;

use rusk_base::Result;

use super::LockfileReader;
use crate::graph::{Bin, Dependency, NameId, Role, Text};
use crate::json::Node;

/// Dependencies of one package; the largest ever published have some hundreds of each kind.
const DEPENDENCIES_MAX: usize = 20_000;

impl<'a> LockfileReader<'a> {
    /// The four groups of an entry. A name may be in two groups, as in package.json.
    pub(super) fn dependencies(&mut self, node: &Node<'a>) -> Result<Vec<Dependency>> {
        let optional_peers: HashSet<Text> = match node.find("optionalPeers") {
            None => HashSet::new(),
            Some(list) => self.strings(list)?.into_iter().collect(),
        };
        let groups = [
            ("dependencies", Role::Production),
            ("devDependencies", Role::Development),
            ("optionalDependencies", Role::Optional),
            ("peerDependencies", Role::Peer),
        ];
        let mut dependencies = Vec::new();
        for (group, role) in groups {
            self.group += 1;
            for member in self.object(node, group)? {
                let literal = self.string(&member.node, "a specifier")?.into();
                let name = self.name(&member.node, &member.key)?;
                if !self.is_first(name) {
                    return Err(self.error(&member.node, &format!("`{}` once in `{group}`", member.key)));
                }
                if dependencies.len() >= DEPENDENCIES_MAX {
                    let expected = format!("at most {DEPENDENCIES_MAX} dependencies of one package");
                    return Err(self.error(&member.node, &expected));
                }
                let is_optional = role == Role::Peer && optional_peers.contains(&*member.key);
                let role = if is_optional { Role::OptionalPeer } else { role };
                dependencies.push(Dependency { name, literal, role, bundled: false });
            }
        }
        Ok(dependencies)
    }

    /// Whether the name is new in the current group.
    fn is_first(&mut self, name: NameId) -> bool {
        let at = name.0 as usize;
        if self.groups.len() <= at {
            self.groups.resize(at + 1, 0);
        }
        std::mem::replace(&mut self.groups[at], self.group) != self.group
    }

    pub(super) fn bin(&self, node: &Node<'a>) -> Result<Bin> {
        if let Some(dir) = node.find("binDir") {
            return Ok(Bin::Directory(self.string(dir, "a directory as `binDir`")?.into()));
        }
        match node.find("bin") {
            None => Ok(Bin::None),
            Some(bin) => match bin.as_str() {
                Some(file) => Ok(Bin::File(file.into())),
                None => Ok(Bin::Named(self.pairs(bin)?)),
            },
        }
    }
}
