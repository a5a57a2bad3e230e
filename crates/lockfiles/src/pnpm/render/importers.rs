//! What package.json files say: `importers`, and the `catalogs` and `overrides` that are repeated.
//! In: what members' dependencies lead to. Out: the sections. Absent: packages.

use std::collections::{BTreeMap, BTreeSet};

use rusk_npm::graph::{DependencyId, PackageId, Role, Source};
use rusk_npm::manifest::Manifest;
use rusk_npm::overrides::Rule;

use super::super::dep_path::DepPath;
use super::super::instances::{EdgeTarget, is_importer};
use super::{Members, Renderer};
use crate::yaml::YamlNode;
use crate::yaml::print::Yaml;

impl Renderer<'_> {
    pub(super) fn importers(&mut self) -> Members {
        let mut importers: BTreeMap<String, Yaml> = BTreeMap::new();
        let ids: Vec<PackageId> =
            self.graph.package_ids().filter(|&id| is_importer(&self.graph.package(id).source)).collect();
        for id in ids {
            let path = match &self.graph.package(id).source {
                Source::Workspace { path, .. } => path.to_string(),
                _ => String::new(),
            };
            let entry = self.importer(id, &path);
            importers.insert(if path.is_empty() { ".".to_owned() } else { path }, entry);
        }
        importers.into_iter().collect()
    }

    fn importer(&mut self, id: PackageId, path: &str) -> Yaml {
        let key = if path.is_empty() { "." } else { path };
        let old = self.old.importers.get(key).copied();
        let mut groups: [BTreeMap<String, Yaml>; 3] = Default::default();
        let manifest = self.manifests.iter().find(|(own, _)| own == path).map(|(_, manifest)| manifest);
        let mut edges = self.instances.importers.get(&id).cloned().unwrap_or_default();
        // Of two groups with one name, the one that is installed without the other is written.
        edges.sort_by_key(|(dependency, _)| match self.graph.dependency(*dependency).role {
            Role::Optional => 0,
            Role::Production => 1,
            Role::Development => 2,
            _ => 3,
        });
        let mut known: BTreeSet<String> = BTreeSet::new();
        for (dependency, found) in edges {
            let own = self.graph.dependency(dependency);
            let group = match own.role {
                Role::Production => 0,
                Role::Development => 1,
                Role::Optional => 2,
                Role::Peer if self.old.has_peers => 0,
                _ => continue,
            };
            let alias = self.graph.name(own.name).to_string();
            let Some(version) = self.version(&alias, found, path).filter(|_| known.insert(alias.clone()))
            else {
                continue;
            };
            let specifier = self.specifier(manifest, &alias, &own.literal);
            let entry = Yaml::pairs([("specifier", specifier), ("version", version)]);
            groups[group].insert(alias, entry);
        }
        let mut members: Members = Vec::new();
        let keys = ["dependencies", "devDependencies", "optionalDependencies"];
        for (key, group) in keys.into_iter().zip(groups) {
            if !group.is_empty() {
                members.push((key.to_owned(), Yaml::Map(group.into_iter().collect())));
            }
        }
        let others = old.map(YamlNode::members).unwrap_or_default().iter();
        let others = others.filter(|(key, _)| !keys.contains(&key.as_ref()));
        members.extend(others.map(|(key, node)| (key.to_string(), Yaml::of(node))));
        Yaml::Map(members)
    }

    /// What package.json says, or the override in its place.
    fn specifier(&self, manifest: Option<&Manifest>, alias: &str, literal: &str) -> String {
        let version = manifest.and_then(|manifest| manifest.name.as_deref());
        let rules = self.rules.overrides.rules.iter().filter(|rule| {
            rule.target.name == alias
                && rule.target.fits(literal)
                && rule.parent.as_ref().is_none_or(|parent| Some(parent.name.as_str()) == version)
        });
        let is_alias = ["npm:", "jsr:", "workspace:"].iter().any(|scheme| literal.starts_with(scheme));
        let weight = |rule: &&Rule| (rule.parent.is_some(), !rule.target.range.is_empty());
        let rule = rules.filter(|_| !is_alias).max_by_key(weight);
        rule.map_or_else(|| literal.to_owned(), |rule| rule.literal.clone())
    }

    /// The entries of catalogs that members use.
    pub(super) fn catalogs(&mut self) -> Yaml {
        let mut catalogs: BTreeMap<String, BTreeMap<String, Yaml>> = BTreeMap::new();
        let importers: Vec<(DependencyId, EdgeTarget)> =
            self.instances.importers.values().flatten().copied().collect();
        for (dependency, found) in importers {
            let own = self.graph.dependency(dependency);
            let Some(group) = own.literal.strip_prefix("catalog:") else { continue };
            let alias = self.graph.name(own.name).to_string();
            let specifier = self.rules.catalog_literal(&alias, &own.literal).to_string();
            let Some(EdgeTarget::Instance(id)) = self.instances.resolve(found) else { continue };
            let key = self.key(id);
            let version = DepPath::parse(&key).map(|path| path.version.to_owned()).unwrap_or_default();
            let group = if group.trim().is_empty() { "default" } else { group.trim() };
            let entry = Yaml::pairs([("specifier", specifier), ("version", version)]);
            catalogs.entry(group.to_owned()).or_default().insert(alias, entry);
        }
        Yaml::Map(
            catalogs
                .into_iter()
                .map(|(name, entries)| (name, Yaml::Map(entries.into_iter().collect())))
                .collect(),
        )
    }

    /// In the order of the old file, then the new ones.
    pub(super) fn overrides(&self) -> Yaml {
        let rules = self.rules.overrides.rules.iter().map(|rule| {
            let parent = rule.parent.as_ref().map_or_else(String::new, |parent| format!("{parent}>"));
            (format!("{parent}{}", rule.target), rule.literal.clone())
        });
        let mut new: Vec<(String, String)> = rules.collect();
        let mut pairs: Vec<(String, String)> = Vec::new();
        for (key, _) in &self.old.overrides {
            if let Some(at) = new.iter().position(|(other, _)| other == key) {
                pairs.push(new.remove(at));
            }
        }
        pairs.extend(new);
        Yaml::pairs(pairs)
    }
}
