//! `packages`: a line for each path, with the package that is there.

use std::collections::{HashMap, HashSet};

use rusk_base::Result;

use super::{LockfileReader, is_path_within};
use crate::bun_lock::Format;
use crate::bun_lock::bind::{LockfileEntry, segments};
use crate::bun_lock::render::is_safe_tag;
use crate::graph::{Constraints, NameId, NameSet, Package, PackageId, Source, Text, VERSIONS_MAX};
use crate::integrity::Integrity;
use crate::json::Node;
use crate::semver::Version;

/// Bytes of a key of `packages`: its path is longer, and the kernel's limit is 4,096.
const PATH_BYTES_MAX: usize = 4096;

impl<'a> LockfileReader<'a> {
    pub(super) fn packages(&mut self, root: &Node<'a>, places: &mut Vec<LockfileEntry>) -> Result<()> {
        let entries = self.object(root, "packages")?;
        self.graph.reserve(entries.len());
        places.reserve(entries.len());
        let mut known: HashSet<&str> = HashSet::with_capacity(entries.len());
        let workspaces: HashMap<String, PackageId> =
            places.iter().map(|place| (place.path.clone(), place.package)).collect();
        for member in entries {
            let path = member.key.to_string();
            self.check_path(&member.node, &path)?;
            if !known.insert(&member.key) {
                return Err(self.error(&member.node, &format!("`{path}` once")));
            }
            let (package, bundled) = self.package(&member.node)?;
            let unresolved = self.unresolved(&member.node)?;
            // The entry of a workspace repeats the section `workspaces`.
            match !workspaces.is_empty() && workspaces.get(&path) == Some(&package) {
                true => {}
                false => {
                    places.push(LockfileEntry { path, package, bundled, unresolved, offset: member.start })
                }
            }
        }
        Ok(())
    }

    fn unresolved(&self, node: &Node<'a>) -> Result<Vec<String>> {
        let list = node.elements().iter().find_map(|element| element.find("unresolved"));
        let names = list.map_or(Ok(Vec::new()), |list| self.strings(list))?;
        Ok(names.iter().map(|name| name.to_string()).collect())
    }

    fn check_path(&mut self, node: &Node<'_>, path: &str) -> Result<()> {
        if path.len() > PATH_BYTES_MAX {
            return Err(self.error(node, &format!("a path of at most {PATH_BYTES_MAX} bytes")));
        }
        match segments(path) {
            Some(names) => {
                for name in names {
                    self.name(node, name)?;
                }
                Ok(())
            }
            None => Err(self.error(node, &format!("a path of package names, found `{path}`"))),
        }
    }

    /// One entry of `packages`: the package, and whether it is bundled in its dependent's tarball.
    fn package(&mut self, node: &Node<'a>) -> Result<(PackageId, bool)> {
        let elements = node.elements();
        let label =
            elements.first().ok_or_else(|| self.error(node, "an array that begins with `name@version`"))?;
        let text = self.string(label, "`name@version`")?;
        let (name, rest) = split_label(text).ok_or_else(|| self.error(label, "`name@version`"))?;
        let name = self.name(label, name)?;
        let mut entry = LockEntry { elements: &elements[1..], next: 0 };
        let source = self.source(label, rest, &mut entry)?;
        if let Some(id) = self.known_workspace(name, &source) {
            return Ok((id, false));
        }
        if let Source::Workspace { path, .. } = &source {
            return Err(self.error(label, &format!("a workspace that `workspaces` lists, found `{path}`")));
        }
        let facts = match entry.take() {
            Some(facts) if facts.is_object() => facts,
            Some(other) => return Err(self.error(other, "an object")),
            None if source == Source::Root => node,
            None => return Err(self.error(node, "an entry with its object")),
        };
        let source = self.with_tag(source, node, &mut entry)?;
        let integrity = self.integrity(&source, node, &mut entry)?;
        let bundled = facts.find("bundled").and_then(Node::as_bool).unwrap_or(false);
        let bin = self.bin(facts)?;
        if source == Source::Root {
            self.graph.package_mut(PackageId(0)).bin = bin;
            return Ok((PackageId(0), false));
        }
        if let Some(id) = self.graph.find(name, &source) {
            return Ok((id, bundled));
        }
        let mut package = Package::new(name, source);
        package.constraints = self.constraints(facts)?;
        package.bin = bin;
        package.integrity = integrity;
        package.has_install_script = facts.find("hasInstallScript").and_then(Node::as_bool) == Some(true);
        let dependencies = self.dependencies(facts)?;
        if self.graph.packages_named(name).len() >= VERSIONS_MAX {
            return Err(self.error(label, &format!("at most {VERSIONS_MAX} packages of one name")));
        }
        Ok((self.graph.add(package, dependencies), bundled))
    }

    fn known_workspace(&self, name: NameId, source: &Source) -> Option<PackageId> {
        matches!(source, Source::Workspace { .. }).then(|| self.graph.find(name, source)).flatten()
    }

    /// The source after `name@`; for a registry release also the URL of its tarball.
    fn source(&self, node: &Node<'a>, rest: &str, entry: &mut LockEntry<'_, 'a>) -> Result<Source> {
        let path_after = |prefix: &str| rest.strip_prefix(prefix).map(Text::from);
        if rest == "root:" {
            return Ok(Source::Root);
        }
        if let Some(path) = path_after("workspace:") {
            return match is_path_within(&path) {
                true => Ok(Source::Workspace { path, version: None }),
                false => Err(self.error(node, "a workspace's path within the project")),
            };
        }
        if let Some(path) = path_after("file:") {
            return Ok(Source::Directory { path });
        }
        if let Some(path) = path_after("link:./").or_else(|| path_after("link:")) {
            return Ok(Source::Link { path });
        }
        if let Some(repository) = path_after("git+") {
            return Ok(Source::Git { repository, tag: "".into() });
        }
        if let Some(repository) = path_after("github:") {
            return Ok(Source::Github { repository, tag: "".into() });
        }
        if rest.starts_with("http://") || rest.starts_with("https://") {
            return Ok(Source::RemoteTarball { url: rest.into() });
        }
        if let Some(version) = Version::parse(rest) {
            let address = entry.take().ok_or_else(|| self.error(node, "an entry with its address"))?;
            let tarball = self.string(address, "an address, or an empty string")?.into();
            return Ok(Source::Npm { version, tarball });
        }
        match is_tarball(rest) {
            true => Ok(Source::LocalTarball { path: rest.into() }),
            false => Err(self.error(node, &format!("a version or a place behind `@`, found `{rest}`"))),
        }
    }

    fn with_tag(&self, source: Source, node: &Node<'a>, entry: &mut LockEntry<'_, 'a>) -> Result<Source> {
        let (Source::Git { .. } | Source::Github { .. }) = source else { return Ok(source) };
        let tag = entry.take().ok_or_else(|| self.error(node, "an entry with its commit's tag"))?;
        let text = self.string(tag, "a commit's tag")?;
        if !is_safe_tag(text) {
            return Err(self.error(tag, "a commit's tag that is a plain directory name"));
        }
        Ok(match source {
            Source::Git { repository, .. } => Source::Git { repository, tag: text.into() },
            Source::Github { repository, .. } => Source::Github { repository, tag: text.into() },
            other => other,
        })
    }

    /// An unknown algorithm counts as no integrity. From version 2 on, a tarball from another host
    /// than the registry must have an integrity of a known algorithm.
    fn integrity(
        &self,
        source: &Source,
        node: &Node<'a>,
        entry: &mut LockEntry<'_, 'a>,
    ) -> Result<Option<Integrity>> {
        let integrity = match entry.take() {
            None if matches!(source, Source::Npm { .. }) => {
                return Err(self.error(node, "an entry with its integrity"));
            }
            None => None,
            Some(element) => Integrity::parse(self.string(element, "an integrity")?),
        };
        match source {
            Source::Npm { tarball, .. }
                if !tarball.is_empty() && integrity.is_none() && self.format >= Format::V2 =>
            {
                Err(self.error(node, "an integrity for a tarball that does not lie in the registry"))
            }
            _ => Ok(integrity),
        }
    }

    fn constraints(&self, facts: &Node<'a>) -> Result<Constraints> {
        let list = |key: &str| match facts.find(key) {
            None => Ok(Vec::new()),
            Some(node) => match node.as_str() {
                Some(one) => Ok(vec![Text::from(one)]),
                None => self.strings(node),
            },
        };
        let (os, cpu, libc) = (list("os")?, list("cpu")?, list("libc")?);
        Ok(Constraints {
            os: NameSet::parse(os.iter().map(|name| &**name)),
            cpu: NameSet::parse(cpu.iter().map(|name| &**name)),
            libc: NameSet::parse(libc.iter().map(|name| &**name)),
        })
    }
}

/// The elements of an entry after its label, in order.
struct LockEntry<'n, 'a> {
    elements: &'n [Node<'a>],
    next: usize,
}

impl<'n, 'a> LockEntry<'n, 'a> {
    fn take(&mut self) -> Option<&'n Node<'a>> {
        let element = self.elements.get(self.next);
        self.next += 1;
        element
    }
}

/// `name@rest`, where the name may begin with `@`.
fn split_label(label: &str) -> Option<(&str, &str)> {
    let at = 1 + label.get(1..)?.find('@')?;
    Some((&label[..at], &label[at + 1..]))
}

fn is_tarball(path: &str) -> bool {
    [".tgz", ".tar.gz", ".tar"].iter().any(|ending| path.ends_with(ending))
}
