//! Patches of packages: the section `patchedDependencies`, and the hash of a patch in the key of
//! the package that has it. In: labels, paths and hashes. Out: the section, parts of keys. Absent:
//! the patch files.

use rusk_npm::graph::{PackageId, Source, Text};

use super::super::dep_path::groups;
use super::Renderer;
use super::keys::PEERS_DEPTH_MAX;
use crate::yaml::YamlNode;
use crate::yaml::print::Yaml;

const PREFIX: &str = "patch_hash=";

impl Renderer<'_> {
    /// The section; `None` if what the old file says stays. pnpm before 11 writes the path, too;
    /// each pnpm reads both forms.
    pub(super) fn patched_dependencies(&self, root: Option<&YamlNode<'_>>) -> Option<Yaml> {
        let hashes = self.rules.patch_hashes.as_ref()?;
        let old = root.and_then(|root| root.find("patchedDependencies")).map(YamlNode::members);
        let old = old.unwrap_or_default();
        let is_short = old.iter().any(|(_, node)| node.members().is_empty());
        let path_of = |label: &str| {
            let own = self.rules.patched.iter().find(|(own, _)| **own == *label);
            let before = || old.iter().find(|(own, _)| own == label)?.1.find("path")?.as_str();
            own.map(|(_, path)| &**path).or_else(before)
        };
        let entry = |(label, hash): &(Text, Text)| match path_of(label).filter(|_| !is_short) {
            None => (label.to_string(), Yaml::text(&**hash)),
            Some(path) => {
                let pairs = [("hash", hash.to_string()), ("path", path.to_owned())];
                (label.to_string(), Yaml::pairs(pairs))
            }
        };
        let mut entries: Vec<(String, Yaml)> = hashes.iter().map(entry).collect();
        entries.sort_by(|(a, _), (b, _)| a.cmp(b));
        Some(Yaml::Map(entries))
    }

    /// The patch in the key of a package, with its parentheses; empty if it has none.
    pub(super) fn patch_suffix(&self, package: PackageId) -> String {
        let Source::Npm { version, .. } = &self.graph.package(package).source else {
            return String::new();
        };
        let name = self.graph.package_name(package).as_str();
        self.patch_of(name, &format!("{name}@{version}"))
    }

    fn patch_of(&self, name: &str, label: &str) -> String {
        let hashes = self.rules.patch_hashes.as_deref().unwrap_or_default();
        let find = |wanted: &str| hashes.iter().find(|(own, _)| **own == *wanted);
        let found = find(label).or_else(|| find(name));
        found.map(|(_, hash)| format!("({PREFIX}{hash})")).unwrap_or_default()
    }

    /// The suffix that the old file has for a package, with the patches of now: its own, and those
    /// of its peers. Where no patches are known it stays.
    pub(super) fn kept_suffix(&self, package: PackageId, suffix: &str) -> String {
        match self.rules.patch_hashes {
            Some(_) => self.patch_suffix(package) + &self.kept_peers(suffix, 0),
            None => suffix.to_owned(),
        }
    }

    fn kept_peers(&self, suffix: &str, depth: usize) -> String {
        if depth > PEERS_DEPTH_MAX {
            return suffix.to_owned();
        }
        let peers = groups(suffix).into_iter().filter(|group| !group.starts_with(PREFIX));
        let peers = peers.map(|group| {
            let (label, rest) = group.split_at(group.find('(').unwrap_or(group.len()));
            let name = label.rfind('@').map_or(label, |at| &label[..at]);
            format!("({label}{}{})", self.patch_of(name, label), self.kept_peers(rest, depth + 1))
        });
        peers.collect()
    }
}
