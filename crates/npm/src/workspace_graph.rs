//! Which members of a project depend on each other. In: members with their manifests. Out: edges
//! between them. Absent: packages outside the project.

use std::collections::HashMap;

use crate::manifest::Manifest;
use crate::semver::Version;
use crate::specifier::Specifier;

/// A member: the project itself, or one of its workspaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WorkspaceMember {
    /// Relative to the project, with `/`; empty for the project.
    pub path: String,
    /// No other member has it.
    pub name: Option<String>,
    /// The name in package.json, which pnpm accepts for several members.
    pub declared_name: Option<String>,
}

/// Members and the dependencies between them; indexes are positions in `members`.
#[derive(Clone, Debug, Default)]
pub struct WorkspaceGraph {
    pub members: Vec<WorkspaceMember>,
    dependencies: Vec<Vec<usize>>,
    dependents: Vec<Vec<usize>>,
}

impl WorkspaceGraph {
    /// `members`: path and manifest of each.
    pub fn new<'a>(members: impl IntoIterator<Item = (&'a str, &'a Manifest)>) -> WorkspaceGraph {
        let manifests: Vec<(&str, &Manifest)> = members.into_iter().collect();
        let member = |(path, manifest): &(&str, &Manifest)| WorkspaceMember {
            path: (*path).to_owned(),
            name: manifest.name.clone(),
            declared_name: manifest.name.clone(),
        };
        let count = manifests.len();
        let mut graph = WorkspaceGraph {
            members: manifests.iter().map(member).collect(),
            dependencies: vec![Vec::new(); count],
            dependents: vec![Vec::new(); count],
        };
        let targets = Targets::of(&manifests);
        for (index, (path, manifest)) in manifests.iter().enumerate() {
            let mut found: Vec<usize> = manifest
                .groups()
                .iter()
                .flat_map(|(_, dependencies)| dependencies.iter())
                .filter_map(|(name, literal)| targets.find(path, name, literal))
                .filter(|&target| target != index)
                .collect();
            found.sort_unstable();
            found.dedup();
            found.iter().for_each(|&target| graph.dependents[target].push(index));
            graph.dependencies[index] = found;
        }
        graph
    }

    /// The members that a member depends on directly, in order.
    pub fn dependencies(&self, member: usize) -> &[usize] {
        &self.dependencies[member]
    }

    /// The members that depend on a member directly, in order.
    pub fn dependents(&self, member: usize) -> &[usize] {
        &self.dependents[member]
    }

    /// For each of the selected members, the selected ones that it depends on, also through members
    /// that are not selected. A member may depend on itself through a cycle; that is left out.
    pub fn order(&self, selected: &[usize]) -> Vec<Vec<usize>> {
        let mut position = vec![None; self.members.len()];
        for (at, &member) in selected.iter().enumerate() {
            position[member] = Some(at);
        }
        let before = |(at, &member): (usize, &usize)| {
            let mut found = Vec::new();
            let mut visited = vec![false; self.members.len()];
            let mut open = self.dependencies[member].clone();
            while let Some(next) = open.pop() {
                if std::mem::replace(&mut visited[next], true) {
                    continue;
                }
                match position[next] {
                    Some(other) if other != at => found.push(other),
                    _ => open.extend(&self.dependencies[next]),
                }
            }
            found.sort_unstable();
            found
        };
        selected.iter().enumerate().map(before).collect()
    }
}

/// Members by what a dependency may say.
struct Targets<'a> {
    by_name: HashMap<&'a str, (usize, Option<Version>)>,
    by_path: HashMap<&'a str, usize>,
}

impl<'a> Targets<'a> {
    fn of(manifests: &[(&'a str, &'a Manifest)]) -> Targets<'a> {
        let mut targets = Targets { by_name: HashMap::new(), by_path: HashMap::new() };
        for (index, (path, manifest)) in manifests.iter().enumerate() {
            targets.by_path.insert(path, index);
            if let Some(name) = &manifest.name {
                let version = manifest.version.as_deref().and_then(Version::parse);
                targets.by_name.entry(name).or_insert((index, version));
            }
        }
        targets
    }

    /// The member that a dependency of the member at `path` means.
    fn find(&self, path: &str, name: &str, literal: &str) -> Option<usize> {
        match Specifier::parse(name, literal).ok()? {
            Specifier::Workspace(text) => self.of_workspace(path, name, &text),
            Specifier::Npm { name, range, .. } => {
                let (index, version) = self.by_name.get(name.as_str())?;
                version.as_ref().is_none_or(|version| range.contains(version)).then_some(*index)
            }
            Specifier::Catalog { .. } => self.by_name.get(name).map(|(index, _)| *index),
            Specifier::Directory(text) | Specifier::Link(text) => self.at(path, &text),
            _ => None,
        }
    }

    /// `workspace:*`, `workspace:alias@*`, `workspace:../path`.
    fn of_workspace(&self, path: &str, name: &str, text: &str) -> Option<usize> {
        let alias = text.rfind('@').filter(|&at| at > 0).map(|at| &text[..at]);
        let by_name = |name: &str| self.by_name.get(name).map(|(index, _)| *index);
        alias.and_then(by_name).or_else(|| self.at(path, text)).or_else(|| by_name(name))
    }

    fn at(&self, base: &str, text: &str) -> Option<usize> {
        self.by_path.get(joined(base, text)?.as_str()).copied()
    }
}

/// A path relative to `base`, both relative to the project. `None` if it leaves the project.
pub fn joined(base: &str, path: &str) -> Option<String> {
    let mut segments: Vec<&str> = Vec::new();
    for segment in base.split('/').chain(path.split('/')) {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()?),
            segment => segments.push(segment),
        }
    }
    Some(segments.join("/"))
}

#[cfg(test)]
mod tests;
