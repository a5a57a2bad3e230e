//! Lockfile renderer. In: graph, tree and rules. Out: the bytes that bun writes for them.

mod packages;

use std::collections::BTreeMap;

use super::{ConfigVersion, Format, Lockfile, Rules};
use crate::graph::{Bin, DependencyId, Graph, PackageId, Role, Source, Text};
use crate::json::quote_into;
use crate::overrides::{Overrides, Selector};
use crate::tree::Tree;

/// Renders the file. `default_registry`: tarball URLs of this registry are omitted.
pub fn render(lockfile: &Lockfile, tree: &Tree, default_registry: &str) -> String {
    let mut writer = Writer { out: String::new(), graph: &lockfile.graph, default_registry };
    writer.out.push_str("{\n");
    let format = writer.format(lockfile, tree);
    let config = match lockfile.config_version {
        ConfigVersion::V0 => 0,
        ConfigVersion::V1 => 1,
    };
    writer.line(1, &format!("\"lockfileVersion\": {},", format.number()));
    writer.line(1, &format!("\"configVersion\": {config},"));
    writer.workspaces();
    writer.rules(&lockfile.rules, tree);
    writer.packages(tree);
    writer.out.push_str("}\n");
    writer.out
}

struct Writer<'a> {
    out: String,
    graph: &'a Graph,
    default_registry: &'a str,
}

/// The groups of package.json in the order of the file.
const GROUPS: [(&str, &[Role]); 4] = [
    ("dependencies", &[Role::Production]),
    ("devDependencies", &[Role::Development]),
    ("optionalDependencies", &[Role::Optional]),
    ("peerDependencies", &[Role::Peer, Role::OptionalPeer]),
];

impl<'a> Writer<'a> {
    fn line(&mut self, depth: usize, text: &str) {
        self.indent(depth);
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn indent(&mut self, depth: usize) {
        for _ in 0..depth {
            self.out.push_str("  ");
        }
    }

    fn quote(&mut self, text: &str) {
        quote_into(&mut self.out, text);
    }

    /// A member of an object on a line of its own.
    fn member(&mut self, depth: usize, key: &str, value: &str) {
        self.indent(depth);
        self.quote(key);
        self.out.push_str(": ");
        self.quote(value);
        self.out.push_str(",\n");
    }

    /// The version that is stamped: the one that was read, which is never raised, except that
    /// scoped overrides need 3. A new file gets the newest that every reader can check without
    /// knowing our configuration: 2, or 1 where a tarball has no integrity and is not the default
    /// registry's.
    fn format(&self, lockfile: &Lockfile, tree: &Tree) -> Format {
        let scoped = lockfile.rules.has_scoped_overrides();
        match lockfile.format {
            Some(read) if !scoped && read < Format::V3 => read.max(Format::V1),
            _ if !self.can_be_checked_by_all(tree) => Format::V1,
            _ if scoped => Format::V3,
            _ => Format::V2,
        }
    }

    fn can_be_checked_by_all(&self, tree: &Tree) -> bool {
        let mut packages = tree
            .dirs()
            .flat_map(|dir| tree.entries(dir))
            .filter_map(|&entry| self.graph.binding(entry))
            .map(|id| self.graph.package(id));
        packages.all(|package| match &package.source {
            Source::Npm { tarball, .. } => package.integrity.is_some() || self.address(tarball).is_empty(),
            Source::Git { tag, .. } => is_safe_tag(tag),
            _ => true,
        })
    }

    fn workspaces(&mut self) {
        self.line(1, "\"workspaces\": {");
        self.workspace(PackageId(0), "");
        let graph = self.graph;
        let mut members: Vec<(&str, PackageId)> = graph
            .package_ids()
            .filter_map(|id| match &graph.package(id).source {
                Source::Workspace { path, .. } => Some((&**path, id)),
                _ => None,
            })
            .collect();
        members.sort_unstable();
        for (path, id) in members {
            self.workspace(id, path);
        }
        self.line(1, "},");
    }

    fn workspace(&mut self, id: PackageId, path: &str) {
        self.indent(2);
        self.quote(path);
        self.out.push_str(": {");
        let empty = self.out.len();
        self.out.push('\n');
        let graph = self.graph;
        let package = graph.package(id);
        match &package.source {
            Source::Workspace { version, .. } => {
                self.member(3, "name", graph.package_name(id).as_str());
                if let Some(version) = version {
                    self.member(3, "version", &version.to_string());
                }
                self.member_bin(&package.bin);
            }
            _ => {
                if let Some(name) = &graph.project_name {
                    self.member(3, "name", name);
                }
            }
        }
        for (group, roles) in GROUPS {
            self.workspace_group(id, group, roles);
        }
        self.workspace_optional_peers(id);
        if self.out.len() == empty + 1 {
            self.out.truncate(empty);
        } else {
            self.indent(2);
        }
        self.out.push_str("},\n");
    }

    fn member_bin(&mut self, bin: &Bin) {
        match bin {
            Bin::None => {}
            Bin::File(file) => self.member(3, "bin", file),
            Bin::Directory(dir) => self.member(3, "binDir", dir),
            Bin::Named(files) => {
                self.line(3, "\"bin\": {");
                for (name, file) in files {
                    self.member(4, name, file);
                }
                self.line(3, "},");
            }
        }
    }

    fn workspace_group(&mut self, id: PackageId, group: &str, roles: &[Role]) {
        let members = self.group(id, roles);
        if members.is_empty() {
            return;
        }
        self.line(3, &format!("\"{group}\": {{"));
        for (name, literal) in members {
            self.member(4, name, literal);
        }
        self.line(3, "},");
    }

    fn workspace_optional_peers(&mut self, id: PackageId) {
        let peers = self.group(id, &[Role::OptionalPeer]);
        if peers.is_empty() {
            return;
        }
        self.line(3, "\"optionalPeers\": [");
        for (name, _) in peers {
            self.indent(4);
            self.quote(name);
            self.out.push_str(",\n");
        }
        self.line(3, "],");
    }

    /// Names and specifiers of the dependencies with one of these roles, by name.
    fn group(&self, id: PackageId, roles: &[Role]) -> Vec<(&'a str, &'a str)> {
        let graph = self.graph;
        graph
            .dependencies_of(id)
            .map(|dependency| graph.dependency(dependency))
            .filter(|dependency| roles.contains(&dependency.role))
            .map(|dependency| (graph.name(dependency.name).as_str(), &*dependency.literal))
            .collect()
    }

    fn rules(&mut self, rules: &Rules, tree: &Tree) {
        self.trusted(rules, tree);
        self.patched(rules, tree);
        if !rules.overrides.rules.is_empty() {
            self.line(1, "\"overrides\": {");
            for (selector, members) in override_groups(&rules.overrides) {
                let members: Vec<(&str, &str)> =
                    members.iter().map(|(key, value)| (key.as_str(), *value)).collect();
                match members.as_slice() {
                    [(".", literal)] if selector.range.is_empty() => self.member(2, &selector.name, literal),
                    _ => self.group_of_members(&selector.to_string(), &members),
                }
            }
            self.line(1, "},");
        }
        self.pairs(1, "catalog", &rules.catalog);
        if !rules.catalogs.is_empty() {
            self.line(1, "\"catalogs\": {");
            for (name, members) in &rules.catalogs {
                let members: Vec<(&str, &str)> =
                    members.iter().map(|(key, value)| (&**key, &**value)).collect();
                self.group_of_members(name, &members);
            }
            self.line(1, "},");
        }
    }

    /// Only names that are in the tree.
    fn trusted(&mut self, rules: &Rules, tree: &Tree) {
        let mut names: Vec<&str> = rules.trusted.iter().flatten().map(|name| &**name).collect();
        names.retain(|name| {
            let id = self.graph.find_name(name);
            id.is_some_and(|id| self.entries(tree).any(|entry| self.graph.dependency(entry).name == id))
        });
        names.sort_unstable();
        names.dedup();
        if names.is_empty() {
            return;
        }
        self.line(1, "\"trustedDependencies\": [");
        for name in names {
            self.indent(2);
            self.quote(name);
            self.out.push_str(",\n");
        }
        self.line(1, "],");
    }

    /// Only packages that are in the tree.
    fn patched(&mut self, rules: &Rules, tree: &Tree) {
        let mut patches = rules.patched.clone();
        patches.retain(|(label, _)| {
            let mut packages = self.entries(tree).filter_map(|entry| self.graph.binding(entry));
            packages.any(|package| self.graph.label(package) == **label)
        });
        patches.sort_unstable();
        self.pairs(1, "patchedDependencies", &patches);
    }

    fn entries<'t>(&self, tree: &'t Tree) -> impl Iterator<Item = DependencyId> + use<'t> {
        tree.dirs().flat_map(|dir| tree.entries(dir).iter().copied())
    }

    fn group_of_members(&mut self, name: &str, members: &[(&str, &str)]) {
        self.indent(2);
        self.quote(name);
        self.out.push_str(": {\n");
        for (key, value) in members {
            self.member(3, key, value);
        }
        self.line(2, "},");
    }

    fn pairs(&mut self, depth: usize, key: &str, members: &[(Text, Text)]) {
        if members.is_empty() {
            return;
        }
        self.line(depth, &format!("\"{key}\": {{"));
        for (name, value) in members {
            self.member(depth + 1, name, value);
        }
        self.line(depth, "},");
    }
}

/// Overrides by their selector; `.` is the selected package itself and is first.
fn override_groups(overrides: &Overrides) -> BTreeMap<&Selector, BTreeMap<String, &str>> {
    let mut groups: BTreeMap<&Selector, BTreeMap<String, &str>> = BTreeMap::new();
    for rule in &overrides.rules {
        let (selector, key) = match &rule.parent {
            Some(parent) => (parent, rule.target.to_string()),
            None => (&rule.target, ".".to_owned()),
        };
        groups.entry(selector).or_default().insert(key, &rule.literal);
    }
    groups
}

/// A tag becomes a directory's name, and an argument of `git`.
pub(super) fn is_safe_tag(tag: &str) -> bool {
    !tag.is_empty()
        && !tag.starts_with(['.', '-'])
        && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}
