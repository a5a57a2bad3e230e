//! The `packages` of a lockfile: every path in the tree, level by level, and its package on
//! one line.

use std::collections::HashSet;
use std::fmt::Write;

use super::{GROUPS, Writer};
use crate::bun_lock::bind;
use crate::graph::{Bin, DependencyId, Package, PackageId, Role, Source};
use crate::name::PackageName;
use crate::tree::{DirId, Tree};

/// Whether an object on one line has members yet.
#[derive(Default)]
struct Fields {
    any: bool,
}

impl<'a> Writer<'a> {
    pub(super) fn packages(&mut self, tree: &Tree) {
        self.indent(1);
        self.out.push_str("\"packages\": {");
        let mut first = true;
        let paths = self.paths(tree);
        let taken: HashSet<&str> = paths.iter().map(|(path, _)| path.as_str()).collect();
        for (path, entry) in &paths {
            self.out.push_str(if first { "\n" } else { "\n\n" });
            first = false;
            self.indent(2);
            self.quote(path);
            self.out.push_str(": ");
            self.package(path, *entry, &taken);
            self.out.push(',');
        }
        if !first {
            self.out.push('\n');
            self.indent(1);
        }
        self.out.push_str("}\n");
    }

    /// All paths of the tree: by depth, then by the path of the directory, then by name.
    fn paths(&self, tree: &Tree) -> Vec<(String, DependencyId)> {
        let mut dirs: Vec<(usize, String, DirId)> = tree
            .dirs()
            .map(|dir| {
                let names = tree.names(self.graph, dir);
                (names.len(), names.join("/"), dir)
            })
            .collect();
        dirs.sort_unstable();
        let mut paths = Vec::new();
        for (depth, dir_path, dir) in dirs {
            let mut entries = tree.entries(dir).to_vec();
            entries.sort_by_key(|&entry| self.name_of(entry));
            for entry in entries {
                let name = self.name_of(entry);
                let path = if depth == 0 { name.to_string() } else { format!("{dir_path}/{name}") };
                paths.push((path, entry));
            }
        }
        paths
    }

    fn name_of(&self, entry: DependencyId) -> &'a PackageName {
        self.graph.name(self.graph.dependency(entry).name)
    }

    fn package(&mut self, path: &str, entry: DependencyId, taken: &HashSet<&str>) {
        let graph = self.graph;
        let id = graph.binding(entry).expect("the tree holds bound dependencies only");
        let package = graph.package(id);
        self.out.push('[');
        self.quote(&self.label(id));
        match &package.source {
            Source::Workspace { .. } => {}
            Source::Root => {
                self.out.push_str(", ");
                self.root_bin(&package.bin);
            }
            source => {
                if let Source::Npm { tarball, .. } = source {
                    self.out.push_str(", ");
                    let address = self.address(tarball).to_owned();
                    self.quote(&address);
                }
                self.out.push_str(", ");
                let unresolved = self.unresolved(path, id, taken);
                self.facts(entry, id, package, &unresolved);
                self.tail(package);
            }
        }
        self.out.push(']');
    }

    /// `name@version`; bun begins the path of a link with `./`.
    fn label(&self, id: PackageId) -> String {
        match &self.graph.package(id).source {
            Source::Link { path } if !path.starts_with(['.', '/']) => {
                format!("{}@link:./{path}", self.graph.package_name(id))
            }
            _ => self.graph.label(id),
        }
    }

    /// The tarball's URL, empty if it is below the default registry.
    pub(super) fn address<'t>(&self, tarball: &'t str) -> &'t str {
        let registry = self.default_registry.trim_end_matches('/');
        match tarball.strip_prefix(registry) {
            Some(rest) if rest.is_empty() || rest.starts_with('/') => "",
            _ => tarball,
        }
    }

    fn root_bin(&mut self, bin: &Bin) {
        self.out.push('{');
        let mut fields = Fields::default();
        self.bin(&mut fields, bin);
        self.close(fields);
    }

    /// Dependencies that went without a package although a reader would find one under their name.
    fn unresolved(&self, path: &str, id: PackageId, taken: &HashSet<&str>) -> Vec<&'a str> {
        let graph = self.graph;
        let unbound = graph.dependencies_of(id).filter(|&dependency| {
            graph.binding(dependency).is_none() && graph.dependency(dependency).role != Role::OptionalPeer
        });
        let names = unbound.map(|dependency| graph.name(graph.dependency(dependency).name).as_str());
        names.filter(|name| bind::lookups(path, name).any(|path| taken.contains(path.as_str()))).collect()
    }

    fn facts(&mut self, entry: DependencyId, id: PackageId, package: &Package, unresolved: &[&str]) {
        self.out.push('{');
        let mut fields = Fields::default();
        for (group, roles) in GROUPS {
            let members = self.group(id, roles);
            if !members.is_empty() {
                self.field(&mut fields, group);
                self.inline_object(&members);
            }
        }
        let optional_peers = self.group(id, &[Role::OptionalPeer]);
        if !optional_peers.is_empty() {
            self.field(&mut fields, "optionalPeers");
            self.inline_list(optional_peers.iter().map(|(name, _)| *name));
        }
        if !unresolved.is_empty() {
            self.field(&mut fields, "unresolved");
            self.inline_list(unresolved.iter().copied());
        }
        if self.graph.dependency(entry).bundled {
            self.field(&mut fields, "bundled");
            self.out.push_str("true");
        }
        let constraints = &package.constraints;
        self.set(&mut fields, "os", constraints.os.is_all(), constraints.os.render());
        self.set(&mut fields, "cpu", constraints.cpu.is_all(), constraints.cpu.render());
        self.set(&mut fields, "libc", constraints.libc.is_all(), constraints.libc.render());
        if package.has_install_script {
            self.field(&mut fields, "hasInstallScript");
            self.out.push_str("true");
        }
        self.bin(&mut fields, &package.bin);
        self.close(fields);
    }

    fn set(&mut self, fields: &mut Fields, key: &str, everything: bool, text: String) {
        if !everything {
            self.field(fields, key);
            self.out.push_str(&text);
        }
    }

    fn bin(&mut self, fields: &mut Fields, bin: &Bin) {
        match bin {
            Bin::None => {}
            Bin::File(file) => {
                self.field(fields, "bin");
                self.quote(file);
            }
            Bin::Directory(dir) => {
                self.field(fields, "binDir");
                self.quote(dir);
            }
            Bin::Named(files) => {
                self.field(fields, "bin");
                let files: Vec<(&str, &str)> = files.iter().map(|(name, file)| (&**name, &**file)).collect();
                self.inline_object(&files);
            }
        }
    }

    fn field(&mut self, fields: &mut Fields, key: &str) {
        self.out.push_str(if fields.any { ", " } else { " " });
        fields.any = true;
        let _ = write!(self.out, "\"{key}\": ");
    }

    fn close(&mut self, fields: Fields) {
        self.out.push_str(if fields.any { " }" } else { "}" });
    }

    fn inline_object(&mut self, members: &[(&str, &str)]) {
        self.out.push('{');
        for (index, (key, value)) in members.iter().enumerate() {
            self.out.push_str(if index == 0 { " " } else { ", " });
            self.quote(key);
            self.out.push_str(": ");
            self.quote(value);
        }
        self.out.push_str(" }");
    }

    fn inline_list<'t>(&mut self, members: impl Iterator<Item = &'t str>) {
        self.out.push('[');
        for (index, member) in members.enumerate() {
            self.out.push_str(if index == 0 { "" } else { ", " });
            self.quote(member);
        }
        self.out.push(']');
    }

    /// What follows the object: the commit's tag, the integrity.
    fn tail(&mut self, package: &Package) {
        if let Source::Git { tag, .. } | Source::Github { tag, .. } = &package.source {
            self.out.push_str(", ");
            self.quote(tag);
        }
        match (&package.integrity, &package.source) {
            (Some(integrity), _) => {
                self.out.push_str(", ");
                self.quote(&integrity.to_string());
            }
            (None, Source::Npm { .. }) => self.out.push_str(", \"\""),
            (None, _) => {}
        }
    }
}
