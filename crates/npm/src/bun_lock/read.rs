//! The text of a lockfile parsed into packages and rules. Nothing in it is believed: names must be safe as
//! paths, tags as folder names, and every error names its line.

use std::collections::{HashMap, HashSet};

use rusk_base::{Problem, Result};

use super::bind::{Place, Unbound, bind};
use super::render::is_safe_tag;
use super::{ConfigVersion, Format, Lockfile, Rules};
use crate::graph::{
    Bin, Constraints, Dependency, Graph, NameId, NameSet, Package, PackageId, Role, Source, Text,
    VERSIONS_MAX,
};
use crate::integrity::Integrity;
use crate::json::{self, Dialect, Member, Node, Value};
use crate::problem;
use crate::semver::Version;

/// Stands for the project among the packages when its package.json has no name that could be a package's.
const PROJECT: &str = "project";

/// Bytes of a key of `packages`: the path that it stands for is longer, and the kernel takes 4,096.
const PATH_BYTES_MAX: usize = 4096;
/// Dependencies of one package; the largest ever published have some hundreds of each kind.
const DEPENDENCIES_MAX: usize = 20_000;

/// Parses and binds a lockfile.
pub fn parse(text: &str) -> Result<Lockfile> {
    refuse_conflict_markers(text)?;
    let root = json::parse(text, Dialect::Relaxed).map_err(|error| problem::lockfile_syntax(&error))?;
    let mut reader = Reader { text, graph: Graph::default(), format: Format::V0 };
    reader.format = reader.format(&root)?;
    let rules = reader.rules(&root)?;
    let mut places = Vec::new();
    reader.workspaces(&root, &mut places)?;
    reader.packages(&root, &mut places)?;
    bind(&mut reader.graph, &places, &rules).map_err(|unbound| reader.unbound(&unbound))?;
    let config_version = reader.config_version(&root)?;
    Ok(Lockfile { format: Some(reader.format), config_version, graph: reader.graph, rules })
}

/// git's marks are looked for first: the JSON error they lead to would not say what happened.
fn refuse_conflict_markers(text: &str) -> Result<()> {
    let marks = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "];
    match text.lines().position(|line| marks.iter().any(|mark| line.starts_with(mark))) {
        Some(index) => Err(problem::lockfile_conflict(index + 1)),
        None => Ok(()),
    }
}

struct Reader<'a> {
    text: &'a str,
    graph: Graph,
    format: Format,
}

impl<'a> Reader<'a> {
    fn error(&self, node: &Node<'_>, expected: &str) -> Problem {
        problem::lockfile(self.line(node.start), expected)
    }

    fn unbound(&self, unbound: &Unbound) -> Problem {
        let expected = match &unbound.found {
            None => format!("a package for `{}`", unbound.dependency),
            Some(found) => {
                format!(
                    "a package from the registry or a member for `{}`, found `{found}`",
                    unbound.dependency
                )
            }
        };
        problem::lockfile(self.line(unbound.offset), &expected)
            .note(format!("wanted by {}", unbound.dependent))
    }

    /// Counted only for errors: counting takes a walk over all that is before.
    fn line(&self, offset: usize) -> usize {
        json::line_and_column(self.text, offset).0
    }

    fn format(&self, root: &Node<'_>) -> Result<Format> {
        let node = root.find("lockfileVersion").ok_or_else(|| self.error(root, "`lockfileVersion`"))?;
        let Value::Number(digits) = node.value else {
            return Err(self.error(node, "a number as `lockfileVersion`"));
        };
        digits
            .parse()
            .ok()
            .and_then(Format::from_number)
            .ok_or_else(|| problem::lockfile_version(self.line(node.start), digits))
    }

    /// A number above the newest is the newest: the linker it stands for has not changed since.
    fn config_version(&self, root: &Node<'_>) -> Result<ConfigVersion> {
        match root.find("configVersion").map(|node| (node, &node.value)) {
            None | Some((_, Value::Number("0"))) => Ok(ConfigVersion::V0),
            Some((_, Value::Number(_))) => Ok(ConfigVersion::V1),
            Some((node, _)) => Err(self.error(node, "a number as `configVersion`")),
        }
    }

    fn object<'n>(&self, root: &'n Node<'a>, key: &str) -> Result<&'n [Member<'a>]> {
        match root.find(key) {
            None => Ok(&[]),
            Some(node) if node.is_object() => Ok(node.members()),
            Some(node) => Err(self.error(node, &format!("an object as `{key}`"))),
        }
    }

    fn string<'n>(&self, node: &'n Node<'a>, what: &str) -> Result<&'n str> {
        node.as_str().ok_or_else(|| self.error(node, what))
    }

    fn name(&mut self, node: &Node<'_>, name: &str) -> Result<NameId> {
        match self.graph.intern(name) {
            Ok(id) => Ok(id),
            Err(_) => Err(self.error(node, &format!("a package name, found `{name}`"))),
        }
    }

    fn rules(&mut self, root: &Node<'a>) -> Result<Rules> {
        let trusted = match root.find("trustedDependencies") {
            None => None,
            Some(node) => Some(self.texts(node)?),
        };
        self.object(root, "overrides")?;
        let overrides = crate::overrides::of_lockfile(self.text, root)?;
        let mut catalogs = Vec::new();
        for member in self.object(root, "catalogs")? {
            catalogs.push((member.key.as_ref().into(), self.pairs(&member.node)?));
        }
        let catalog = root.find("catalog").map_or(Ok(Vec::new()), |node| self.pairs(node))?;
        let patched = root.find("patchedDependencies").map_or(Ok(Vec::new()), |node| self.pairs(node))?;
        Ok(Rules { overrides, catalog, catalogs, trusted, patched })
    }

    fn texts(&self, node: &Node<'a>) -> Result<Vec<Text>> {
        if !node.is_array() {
            return Err(self.error(node, "an array of strings"));
        }
        node.elements().iter().map(|element| Ok(self.string(element, "a string")?.into())).collect()
    }

    fn pairs(&self, node: &Node<'a>) -> Result<Vec<(Text, Text)>> {
        if !node.is_object() {
            return Err(self.error(node, "an object of strings"));
        }
        let mut pairs = Vec::new();
        for member in node.members() {
            pairs.push((member.key.as_ref().into(), self.string(&member.node, "a string")?.into()));
        }
        Ok(pairs)
    }

    fn workspaces(&mut self, root: &Node<'a>, places: &mut Vec<Place>) -> Result<()> {
        let members = self.object(root, "workspaces")?;
        let project = members.iter().find(|member| member.key.is_empty());
        let project = project.ok_or_else(|| self.error(root, "a workspace `\"\"`, the project"))?;
        self.project(&project.node, members)?;
        let mut names: HashSet<String> = HashSet::new();
        for member in members.iter().filter(|member| !member.key.is_empty()) {
            let place = self.workspace(&member.key, &member.node)?;
            if !names.insert(place.path.clone()) {
                return Err(self.error(&member.node, &format!("workspace `{}` once", place.path)));
            }
            places.push(place);
        }
        Ok(())
    }

    fn project(&mut self, node: &Node<'a>, members: &[Member<'a>]) -> Result<()> {
        let name = node.find("name").map(|name| self.string(name, "a string as name")).transpose()?;
        self.graph.project_name = name.filter(|name| !name.is_empty()).map(Text::from);
        let mut dependencies = self.dependencies(node)?;
        for member in members.iter().filter(|member| !member.key.is_empty()) {
            let name = member.node.find("name").and_then(Node::as_str);
            let name = name.ok_or_else(|| self.error(&member.node, "a workspace with a `name`"))?;
            let name = self.name(&member.node, name)?;
            let literal = member.key.as_ref().into();
            dependencies.push(Dependency { name, literal, role: Role::Workspace, bundled: false });
        }
        let name = self.graph.project_name.clone();
        let name = name.and_then(|name| self.graph.intern(&name).ok());
        let name = name.unwrap_or_else(|| self.graph.intern(PROJECT).expect("a valid name"));
        self.graph.add(Package::new(name, Source::Root), dependencies);
        Ok(())
    }

    fn workspace(&mut self, path: &str, node: &Node<'a>) -> Result<Place> {
        if !is_path_within(path) {
            return Err(self.error(node, "a workspace's path within the project"));
        }
        let text = node.find("name").and_then(Node::as_str);
        let text = text.ok_or_else(|| self.error(node, "a workspace with a `name`"))?;
        let name = self.name(node, text)?;
        let version = match node.find("version") {
            None => None,
            Some(version) => Some(self.version(version, self.string(version, "a version")?)?),
        };
        let source = Source::Workspace { path: path.into(), version };
        let mut package = Package::new(name, source);
        package.bin = self.bin(node)?;
        let dependencies = self.dependencies(node)?;
        let id = self.graph.add(package, dependencies);
        Ok(Place {
            path: text.to_owned(),
            package: id,
            bundled: false,
            unresolved: Vec::new(),
            offset: node.start,
        })
    }

    fn version(&self, node: &Node<'_>, text: &str) -> Result<Version> {
        Version::parse(text).ok_or_else(|| self.error(node, &format!("a version, found `{text}`")))
    }

    /// The four groups of an entry. A name in two groups stands in both, as it does in package.json.
    fn dependencies(&mut self, node: &Node<'a>) -> Result<Vec<Dependency>> {
        let optional_peers: HashSet<Text> = match node.find("optionalPeers") {
            None => HashSet::new(),
            Some(list) => self.texts(list)?.into_iter().collect(),
        };
        let groups = [
            ("dependencies", Role::Production),
            ("devDependencies", Role::Development),
            ("optionalDependencies", Role::Optional),
            ("peerDependencies", Role::Peer),
        ];
        let mut dependencies = Vec::new();
        for (group, role) in groups {
            let mut names = HashSet::new();
            for member in self.object(node, group)? {
                let literal = self.string(&member.node, "a specifier")?.into();
                let name = self.name(&member.node, &member.key)?;
                if !names.insert(name) {
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

    fn bin(&self, node: &Node<'a>) -> Result<Bin> {
        if let Some(folder) = node.find("binDir") {
            return Ok(Bin::Directory(self.string(folder, "a folder as `binDir`")?.into()));
        }
        match node.find("bin") {
            None => Ok(Bin::None),
            Some(bin) => match bin.as_str() {
                Some(file) => Ok(Bin::File(file.into())),
                None => Ok(Bin::Named(self.pairs(bin)?)),
            },
        }
    }

    fn packages(&mut self, root: &Node<'a>, places: &mut Vec<Place>) -> Result<()> {
        let mut known: HashSet<&str> = HashSet::new();
        let workspaces: HashMap<String, PackageId> =
            places.iter().map(|place| (place.path.clone(), place.package)).collect();
        for member in self.object(root, "packages")? {
            let path = member.key.to_string();
            self.check_path(&member.node, &path)?;
            if !known.insert(&member.key) {
                return Err(self.error(&member.node, &format!("`{path}` once")));
            }
            let (package, bundled) = self.package(&member.node)?;
            let unresolved = self.unresolved(&member.node)?;
            // A workspace's own line says again what `workspaces` says.
            match workspaces.get(&path) == Some(&package) {
                true => {}
                false => places.push(Place { path, package, bundled, unresolved, offset: member.start }),
            }
        }
        Ok(())
    }

    fn unresolved(&self, node: &Node<'a>) -> Result<Vec<String>> {
        let list = node.elements().iter().find_map(|element| element.find("unresolved"));
        let names = list.map_or(Ok(Vec::new()), |list| self.texts(list))?;
        Ok(names.iter().map(|name| name.to_string()).collect())
    }

    fn check_path(&mut self, node: &Node<'_>, path: &str) -> Result<()> {
        if path.len() > PATH_BYTES_MAX {
            return Err(self.error(node, &format!("a path of at most {PATH_BYTES_MAX} bytes")));
        }
        match super::bind::segments(path) {
            Some(names) => {
                for name in names {
                    self.name(node, name)?;
                }
                Ok(())
            }
            None => Err(self.error(node, &format!("a path of package names, found `{path}`"))),
        }
    }

    /// One entry of `packages`: the package, and whether it lies in its dependent's tarball.
    fn package(&mut self, node: &Node<'a>) -> Result<(PackageId, bool)> {
        let elements = node.elements();
        let label =
            elements.first().ok_or_else(|| self.error(node, "an array that begins with `name@version`"))?;
        let text = self.string(label, "`name@version`")?;
        let (name, rest) = split_label(text).ok_or_else(|| self.error(label, "`name@version`"))?;
        let name = self.name(label, name)?;
        let mut entry = Entry { elements: &elements[1..], next: 0 };
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

    /// What stands behind `name@`, and for a registry's release the address beside it.
    fn source(&self, node: &Node<'a>, rest: &str, entry: &mut Entry<'_, 'a>) -> Result<Source> {
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
            return Ok(Source::Folder { path });
        }
        if let Some(path) = path_after("link:") {
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

    fn with_tag(&self, source: Source, node: &Node<'a>, entry: &mut Entry<'_, 'a>) -> Result<Source> {
        let (Source::Git { .. } | Source::Github { .. }) = source else { return Ok(source) };
        let tag = entry.take().ok_or_else(|| self.error(node, "an entry with its commit's tag"))?;
        let text = self.string(tag, "a commit's tag")?;
        if !is_safe_tag(text) {
            return Err(self.error(tag, "a commit's tag that is a plain folder name"));
        }
        Ok(match source {
            Source::Git { repository, .. } => Source::Git { repository, tag: text.into() },
            Source::Github { repository, .. } => Source::Github { repository, tag: text.into() },
            other => other,
        })
    }

    /// An algorithm we do not know is no integrity; from version 2 on, a tarball that lies off the
    /// registry must have one that we do.
    fn integrity(
        &self,
        source: &Source,
        node: &Node<'a>,
        entry: &mut Entry<'_, 'a>,
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
                None => self.texts(node),
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

/// The elements of an entry behind its label, taken in turn.
struct Entry<'n, 'a> {
    elements: &'n [Node<'a>],
    next: usize,
}

impl<'n, 'a> Entry<'n, 'a> {
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

/// A relative path that does not climb out of the project.
fn is_path_within(path: &str) -> bool {
    !path.is_empty()
        && !path.starts_with('/')
        && !path.contains(['\\', '\0'])
        && path.split('/').all(|part| !part.is_empty() && part != ".." && part != ".")
}
