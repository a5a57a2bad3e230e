//! Reads pnpm-lock.yaml into a graph. In: the text, the parsed package.json files of the project.
//! Out: the packages that members reach, each dependency bound. Absent: entries that nothing
//! reaches, which pnpm removes too.

use std::collections::HashMap;

use rusk_base::{Problem, Result};
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{Dependency, Graph, NameId, Package, PackageId, Source, Text};
use rusk_npm::manifest::{Manifest, Pairs};
use rusk_npm::overrides::Overrides;

use super::PnpmDetails;
use super::importers::{self, Importer};
use super::snapshots::{self, Snapshots};
use crate::yaml::{self, YamlError, YamlNode};
use crate::{FormatDetails, Lockfile, MemberText, problem};

pub(super) const FILE: &str = "pnpm-lock.yaml";

/// Instances of the packages of one name: a workspace with some hundred members may have one for
/// each member.
const INSTANCES_MAX: usize = 4096;

/// A dependency, and what it is bound to.
pub(super) struct BoundDependency<'t> {
    pub declared: Declared<'t>,
    pub target: Option<DependencyTarget>,
}

/// As in [`Dependency`].
pub(super) struct Declared<'t> {
    pub name: &'t str,
    pub literal: Text,
    pub role: rusk_npm::graph::Role,
    pub line: usize,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum DependencyTarget {
    /// By its position in `importers`.
    Importer(usize),
    /// By its position in `snapshots`.
    Snapshot(usize),
    /// A directory that is no member, by its path from the project.
    Link(String),
}

pub fn read(text: &str, members: &[MemberText<'_>]) -> Result<Lockfile> {
    let parsed: Vec<Option<Manifest>> = members
        .iter()
        .map(|member| match member.manifest {
            Some(_) => Ok(None),
            None => Manifest::parse(member.text).map(Some),
        })
        .collect::<Result<_>>()?;
    let members: Vec<Member<'_>> = members
        .iter()
        .zip(&parsed)
        .filter_map(|(member, own)| {
            Some(Member { path: member.path, manifest: member.manifest.or(own.as_ref())? })
        })
        .collect();
    read_with(text, &members)
}

/// A package.json of the project.
pub(super) struct Member<'a> {
    pub path: &'a str,
    pub manifest: &'a Manifest,
}

fn read_with(text: &str, members: &[Member<'_>]) -> Result<Lockfile> {
    let documents = yaml::parse(text).map_err(|error| syntax(text, &error))?;
    // pnpm itself and its plugins may be locked in a document before this one.
    let root = documents.last().filter(|root| root.is_map());
    let root = root.ok_or_else(|| problem::entry(FILE, 1, "a map with `lockfileVersion`"))?;
    check_version(root)?;
    let snapshots = Snapshots::of(root)?;
    let importers = importers::read(root, &snapshots, members)?;
    let mut builder = GraphBuilder::new(&importers, &snapshots);
    builder.reach()?;
    builder.add_all(members)?;
    let rules = rules(root, members)?;
    let GraphBuilder { graph, instances, .. } = builder;
    Ok(Lockfile {
        graph,
        rules: Some(rules),
        tree: None,
        instances: Some(instances),
        details: FormatDetails::Pnpm(PnpmDetails { installs_peers: importers::has_peers(root) }),
    })
}

pub(super) fn error(line: usize, expected: &str) -> Problem {
    problem::entry(FILE, line, expected)
}

/// git's marks lead to an error that would not say what happened.
fn syntax(text: &str, error: &YamlError) -> Problem {
    let marks = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "];
    match text.lines().position(|line| marks.iter().any(|mark| line.starts_with(mark))) {
        Some(index) => problem::conflict(FILE, index + 1),
        None => problem::yaml_syntax(FILE, error),
    }
}

fn check_version(root: &YamlNode<'_>) -> Result<()> {
    let node = root.find("lockfileVersion").ok_or_else(|| error(root.line, "`lockfileVersion`"))?;
    match node.as_str() {
        Some(version) if version == "9" || version.starts_with("9.") => Ok(()),
        found => Err(problem::version(FILE, node.line, found.unwrap_or_default(), "9.0")
            .hint("write it again with pnpm 9 or newer: `pnpm install --lockfile-only`")),
    }
}

/// The file repeats overrides, and of the catalogs only what is used: the rest is the project's.
fn rules(root: &YamlNode<'_>, members: &[Member<'_>]) -> Result<Rules> {
    let manifest = members.iter().find(|member| member.path.is_empty()).map(|member| member.manifest);
    let mut overrides = Overrides::default();
    if let Some(node) = root.find("overrides") {
        overrides = Overrides::of_pairs(&pairs(node)?);
        overrides.rules.sort_by(|a, b| (&a.parent, &a.target).cmp(&(&b.parent, &b.target)));
    }
    let mut catalog = manifest.map_or_else(Vec::new, |manifest| manifest.catalog.clone());
    let mut catalogs = manifest.map_or_else(Vec::new, |manifest| manifest.catalogs.clone());
    for (name, node) in root.find("catalogs").map(YamlNode::members).unwrap_or_default() {
        let own: &mut Pairs = match name.as_ref() {
            "default" => &mut catalog,
            name => match catalogs.iter().position(|(other, _)| other == name) {
                Some(at) => &mut catalogs[at].1,
                None => {
                    catalogs.push((name.to_owned(), Pairs::new()));
                    &mut catalogs.last_mut().expect("it was just added").1
                }
            },
        };
        for (alias, entry) in node.members() {
            let specifier = entry.find("specifier").and_then(YamlNode::as_str);
            let specifier = specifier.ok_or_else(|| error(entry.line, "a `specifier`"))?.to_owned();
            own.retain(|(other, _)| other != alias);
            own.push((alias.to_string(), specifier));
        }
    }
    let sorted = |pairs: &Pairs| {
        let mut pairs: Vec<(Text, Text)> =
            pairs.iter().map(|(name, value)| (name.as_str().into(), value.as_str().into())).collect();
        pairs.sort();
        pairs
    };
    let mut named: Vec<(Text, Vec<(Text, Text)>)> =
        catalogs.iter().map(|(name, pairs)| (name.as_str().into(), sorted(pairs))).collect();
    named.sort();
    let checksum = root.find("packageExtensionsChecksum").and_then(YamlNode::as_str);
    Ok(Rules {
        overrides,
        catalog: sorted(&catalog),
        catalogs: named,
        extensions_checksum: checksum.map(Text::from),
        patch_hashes: Some(patch_hashes(root)),
        ..Rules::default()
    })
}

/// By package: older versions of pnpm write a path beside the hash.
fn patch_hashes(root: &YamlNode<'_>) -> Vec<(Text, Text)> {
    let patched = root.find("patchedDependencies").map(YamlNode::members).unwrap_or_default();
    let hash = |node: &YamlNode<'_>| node.as_str().or_else(|| node.find("hash")?.as_str()).map(Text::from);
    patched.iter().filter_map(|(label, node)| Some((Text::from(label.as_ref()), hash(node)?))).collect()
}

/// The members of a map whose values are strings.
pub(super) fn pairs(node: &YamlNode<'_>) -> Result<Pairs> {
    let pair = |(key, value): &(std::borrow::Cow<'_, str>, YamlNode<'_>)| {
        let value = value.as_str().ok_or_else(|| error(value.line, &format!("a text for `{key}`")))?;
        Ok((key.to_string(), value.to_owned()))
    };
    node.members().iter().map(pair).collect()
}

struct GraphBuilder<'a, 't> {
    importers: &'a [Importer<'t>],
    snapshots: &'a Snapshots<'t>,
    /// What members reach, by position in `snapshots`.
    reached: HashMap<usize, Vec<BoundDependency<'t>>>,
    links: Vec<(String, String)>,
    graph: Graph,
    ids: HashMap<DependencyTarget, PackageId>,
    instances: Vec<Text>,
}

impl<'a, 't> GraphBuilder<'a, 't> {
    fn new(importers: &'a [Importer<'t>], snapshots: &'a Snapshots<'t>) -> GraphBuilder<'a, 't> {
        GraphBuilder {
            importers,
            snapshots,
            reached: HashMap::new(),
            links: Vec::new(),
            graph: Graph::default(),
            ids: HashMap::new(),
            instances: Vec::new(),
        }
    }

    fn reach(&mut self) -> Result<()> {
        let mut queue: Vec<usize> = Vec::new();
        for dependency in self.importers.iter().flat_map(|importer| &importer.dependencies) {
            visit(dependency, &mut self.links, &mut queue);
        }
        while let Some(position) = queue.pop() {
            if self.reached.contains_key(&position) {
                continue;
            }
            let dependencies = snapshots::dependencies(self.snapshots, self.importers, position)?;
            dependencies.iter().for_each(|dependency| visit(dependency, &mut self.links, &mut queue));
            self.reached.insert(position, dependencies);
        }
        Ok(())
    }

    /// The project comes first, then its members, then what they reach in the order of the file.
    fn add_all(&mut self, members: &[Member<'_>]) -> Result<()> {
        let project = members.iter().find(|member| member.path.is_empty());
        let name = project.and_then(|project| project.manifest.name.as_deref());
        self.graph.project_name = name.map(Text::from);
        let (importers, snapshots) = (self.importers, self.snapshots);
        for (at, importer) in importers.iter().enumerate() {
            let package = importer.package(&mut self.graph)?;
            self.add(DependencyTarget::Importer(at), package, "", &importer.dependencies)?;
        }
        let mut positions: Vec<usize> = self.reached.keys().copied().collect();
        positions.sort_unstable();
        for position in positions {
            let package = snapshots.package(&mut self.graph, position)?;
            let line = snapshots.list[position].node.line;
            if self.graph.packages_named(package.name).len() >= INSTANCES_MAX {
                return Err(error(line, &format!("at most {INSTANCES_MAX} packages of one name")));
            }
            let dependencies = self.reached.remove(&position).expect("it is one of the keys");
            let suffix = snapshots.list[position].path.suffix;
            self.add(DependencyTarget::Snapshot(position), package, suffix, &dependencies)?;
            self.reached.insert(position, dependencies);
        }
        for (name, path) in std::mem::take(&mut self.links) {
            let target = DependencyTarget::Link(path.clone());
            if self.ids.contains_key(&target) {
                continue;
            }
            let name = intern(&mut self.graph, 1, &name)?;
            let package = Package::new(name, Source::Link { path: path.as_str().into() });
            self.add(target, package, "", &[])?;
        }
        self.bind();
        Ok(())
    }

    fn add(
        &mut self,
        target: DependencyTarget,
        package: Package,
        suffix: &str,
        dependencies: &[BoundDependency<'t>],
    ) -> Result<()> {
        let mut declared = Vec::with_capacity(dependencies.len());
        for BoundDependency { declared: Declared { name, literal, role, line }, .. } in dependencies {
            let name = intern(&mut self.graph, *line, name)?;
            declared.push(Dependency { name, literal: literal.clone(), role: *role, bundled: false });
        }
        let id = self.graph.add(package, declared);
        self.ids.insert(target, id);
        self.instances.push(suffix.into());
        Ok(())
    }

    fn bind(&mut self) {
        let importers = self.importers.iter().enumerate();
        let importers =
            importers.map(|(at, importer)| (DependencyTarget::Importer(at), &importer.dependencies));
        let reached =
            self.reached.iter().map(|(&at, dependencies)| (DependencyTarget::Snapshot(at), dependencies));
        for (owner, dependencies) in importers.chain(reached) {
            let id = self.ids[&owner];
            let mut targets: HashMap<(&str, &str, _), &DependencyTarget> = HashMap::new();
            for BoundDependency { declared, target } in dependencies {
                if let Some(target) = target {
                    targets.insert((declared.name, &*declared.literal, declared.role), target);
                }
            }
            for dependency in self.graph.dependencies_of(id) {
                let own = self.graph.dependency(dependency);
                let key = (self.graph.name(own.name).as_str(), &*own.literal, own.role);
                let bound = targets.get(&key).map(|target| self.ids[target]);
                self.graph.bind(dependency, bound);
            }
        }
    }
}

fn visit(dependency: &BoundDependency<'_>, links: &mut Vec<(String, String)>, queue: &mut Vec<usize>) {
    match &dependency.target {
        Some(DependencyTarget::Snapshot(position)) => queue.push(*position),
        Some(DependencyTarget::Link(path)) => links.push((dependency.declared.name.to_owned(), path.clone())),
        Some(DependencyTarget::Importer(_)) | None => {}
    }
}

pub(super) fn intern(graph: &mut Graph, line: usize, name: &str) -> Result<NameId> {
    graph.intern(name).map_err(|_| error(line, &format!("a package name, found `{name}`")))
}
