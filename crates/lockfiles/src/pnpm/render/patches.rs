//! Patches of packages: the section `patchedDependencies`, and the hash of a patch in the key of
//! the package that has it. In: labels, paths and hashes. Out: the section, parts of keys. Absent:
//! the patch files.

use rusk_npm::graph::{PackageId, Source, Text};

use super::super::dep_path::groups;
use super::Renderer;
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

    /// What stands before the peers in the key of a package that has a patch. `old`: the suffix
    /// that the old file has, whose hash stays where no patches are known.
    pub(super) fn patch_suffix(&self, package: PackageId, old: &str) -> String {
        let Some(hashes) = &self.rules.patch_hashes else {
            let old = groups(old).into_iter().find(|group| group.starts_with(PREFIX));
            return old.map(|group| format!("({group})")).unwrap_or_default();
        };
        let Source::Npm { version, .. } = &self.graph.package(package).source else {
            return String::new();
        };
        let name = self.graph.package_name(package).as_str();
        let find = |label: &str| hashes.iter().find(|(own, _)| **own == *label);
        let found = find(&format!("{name}@{version}")).or_else(|| find(name));
        found.map(|(_, hash)| format!("({PREFIX}{hash})")).unwrap_or_default()
    }
}

/// A suffix without the hash of a patch.
pub(super) fn peers_of(suffix: &str) -> String {
    let peers = groups(suffix).into_iter().filter(|group| !group.starts_with(PREFIX));
    peers.map(|group| format!("({group})")).collect()
}
