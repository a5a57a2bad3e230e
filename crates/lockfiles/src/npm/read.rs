//! Reads package-lock.json into a graph and a tree. In: the text. Out: the packages that the
//! project reaches, each dependency bound to the package at the path that it finds. Absent: entries
//! that nothing reaches, which npm removes too.

use std::collections::HashMap;

use rusk_base::{Problem, Result};
use rusk_npm::WorkspacePatterns;
use rusk_npm::graph::{
    Dependency, DependencyId, Graph, NameId, Package, PackageId, Role, Source, Text, VERSIONS_MAX,
};
use rusk_npm::integrity::Integrity;
use rusk_npm::json::{self, Dialect, Node, SyntaxError, Value};
use rusk_npm::semver::Version;

use super::entry::{self, DeclaredDependency, Owner};
use super::entry_table::{Context, EntryTable, PROJECT};
use super::instances;
use crate::locations::{LocationId, Locations, is_inside};
use crate::{FormatDetails, Lockfile, problem};

pub fn read(file: &'static str, text: &str) -> Result<Lockfile> {
    let root = json::parse(text, Dialect::Strict).map_err(|error| syntax(file, text, &error))?;
    let context = Context { file, text };
    check_version(&context, &root)?;
    let packages = root.find("packages").filter(|packages| packages.is_object());
    let packages = packages.ok_or_else(|| context.error(root.start, "an object as `packages`"))?;
    let table = EntryTable::of(&context, packages)?;
    let mut reader =
        LockReader { context, table: &table, members: members(&context, &table)?, walk: Walk::default() };
    reader.walk()?;
    let (graph, ids) = reader.graph(&root)?;
    let tree = reader.locations(&graph, &ids).tree(&|_| true);
    Ok(Lockfile { graph, rules: None, tree: Some(tree), instances: None, details: FormatDetails::Npm })
}

/// git's marks lead to an error that would not say what happened.
fn syntax(file: &str, text: &str, error: &SyntaxError) -> Problem {
    let marks = ["<<<<<<< ", "||||||| ", "=======", ">>>>>>> "];
    match text.lines().position(|line| marks.iter().any(|mark| line.starts_with(mark))) {
        Some(index) => problem::conflict(file, index + 1),
        None => problem::syntax(file, error),
    }
}

fn check_version(context: &Context<'_>, root: &Node<'_>) -> Result<()> {
    let error = |offset: usize, found: &str| {
        problem::version(context.file, context.line(offset), found, "2 or 3")
            .hint("write it again with npm 7 or newer: `npm install --package-lock-only`")
    };
    match root.find("lockfileVersion").map(|node| (node.start, &node.value)) {
        Some((_, Value::Number("2" | "3"))) => Ok(()),
        Some((offset, Value::Number(found))) => Err(error(offset, found)),
        Some((offset, _)) => Err(context.error(offset, "a number as `lockfileVersion`")),
        None => Err(context.error(root.start, "`lockfileVersion`")),
    }
}

/// The links to members of the workspace, by the paths of the members.
fn members(context: &Context<'_>, table: &EntryTable<'_>) -> Result<Vec<usize>> {
    let project = &table.entries[PROJECT];
    let globs = project.node.find("workspaces").map(|node| node.find("packages").unwrap_or(node));
    let globs: Vec<String> =
        globs.map_or(&[][..], Node::elements).iter().filter_map(Node::as_str).map(str::to_owned).collect();
    let patterns = WorkspacePatterns::parse(&globs)
        .map_err(|error| context.error(project.offset, "globs as `workspaces`").cause(error))?;
    let is_member = |path: &str| patterns.matches(path) || patterns.paths().iter().any(|own| own == path);
    let is_link = |index: &usize| {
        let target = table.entries[*index].target.map(|target| table.entries[target].path);
        table.above(*index) == Some(PROJECT) && target.is_some_and(is_member)
    };
    let mut members: Vec<usize> = (1..table.entries.len()).filter(is_link).collect();
    members.sort_by_key(|&index| table.entries[table.home(index)].path);
    members.dedup_by_key(|index| table.home(*index));
    Ok(members)
}

struct LockReader<'n> {
    context: Context<'n>,
    table: &'n EntryTable<'n>,
    /// Links to members.
    members: Vec<usize>,
    walk: Walk<'n>,
}

/// What the project reaches, in the order in which it is reached.
#[derive(Default)]
struct Walk<'n> {
    /// Entries that dependencies found, links not followed.
    found: Vec<FoundEntry<'n>>,
    known: HashMap<usize, ()>,
    /// Entries of packages.
    homes: Vec<usize>,
    /// By entry of a package: its position in `homes`.
    positions: HashMap<usize, usize>,
    dependencies: Vec<Vec<DeclaredDependency<'n>>>,
    /// The first dependency that led to each of `homes`.
    wanted: Vec<Option<(&'n str, &'n str)>>,
}

struct FoundEntry<'n> {
    entry: usize,
    /// The package whose dependency found it, as a position in `homes`.
    dependent: usize,
    name: &'n str,
}

impl<'n> LockReader<'n> {
    fn walk(&mut self) -> Result<()> {
        self.reach(PROJECT, None)?;
        for link in self.members.clone() {
            let name = self.table.entries[link].name.unwrap_or_default();
            self.find(link, 0, name, None)?;
        }
        let mut next = 0;
        while next < self.walk.homes.len() {
            let home = self.walk.homes[next];
            for dependency in self.walk.dependencies[next].clone() {
                if let Some(found) = self.table.find(home, dependency.name) {
                    self.find(found, next, dependency.name, Some(dependency.literal))?;
                }
            }
            next += 1;
        }
        Ok(())
    }

    fn find(
        &mut self,
        entry: usize,
        dependent: usize,
        name: &'n str,
        literal: Option<&'n str>,
    ) -> Result<()> {
        if self.walk.known.insert(entry, ()).is_none() {
            self.walk.found.push(FoundEntry { entry, dependent, name });
        }
        self.reach(self.table.home(entry), literal.map(|literal| (name, literal)))
    }

    fn reach(&mut self, home: usize, wanted: Option<(&'n str, &'n str)>) -> Result<()> {
        if self.walk.positions.contains_key(&home) {
            return Ok(());
        }
        let entry = &self.table.entries[home];
        let dependencies = match entry.name {
            Some(_) => entry::dependencies(&self.context, entry.node, Owner::Published)?,
            None if is_inside(entry.path) => entry::dependencies(&self.context, entry.node, Owner::Member)?,
            // npm installs nothing for a directory that it does not install into.
            None => Vec::new(),
        };
        self.walk.positions.insert(home, self.walk.homes.len());
        self.walk.homes.push(home);
        self.walk.dependencies.push(dependencies);
        self.walk.wanted.push(wanted);
        Ok(())
    }

    /// The graph, and the package of each position in `homes`.
    fn graph(&self, root: &Node<'_>) -> Result<(Graph, Vec<PackageId>)> {
        let count = self.walk.homes.len();
        let facts: Vec<(String, Source)> =
            (0..count).map(|position| self.name_and_source(position)).collect::<Result<_>>()?;
        let in_bundle: Vec<bool> =
            (0..count).map(|position| self.is_bundled(self.walk.homes[position])).collect();
        let labels: Vec<(&str, String, bool)> =
            (0..count).map(|at| (facts[at].0.as_str(), facts[at].1.text(), in_bundle[at])).collect();
        let edges: Vec<Vec<Option<usize>>> = (0..count).map(|position| self.edges(position)).collect();
        let classes = instances::classes(&labels, &edges);
        let mut graph = Graph::default();
        let name = self.table.entries[PROJECT].node.find("name").or_else(|| root.find("name"));
        graph.project_name = name.and_then(Node::as_str).filter(|name| !name.is_empty()).map(Text::from);
        let mut packages: HashMap<usize, (PackageId, usize)> = HashMap::new();
        // What a registry has comes before what a tarball brought: new dependencies take the first.
        for bundled in [false, true] {
            for position in (0..count).filter(|&position| in_bundle[position] == bundled) {
                if let std::collections::hash_map::Entry::Vacant(e) = packages.entry(classes[position]) {
                    let (name, source) = &facts[position];
                    let id = self.add(&mut graph, position, name, source)?;
                    e.insert((id, position));
                }
            }
        }
        let ids: Vec<PackageId> = classes.iter().map(|class| packages[class].0).collect();
        for &(id, position) in packages.values() {
            self.bind(&mut graph, id, position, &ids);
        }
        Ok((graph, ids))
    }

    fn is_bundled(&self, entry: usize) -> bool {
        entry::is_true(self.table.entries[entry].node, "inBundle")
    }

    fn edges(&self, position: usize) -> Vec<Option<usize>> {
        let home = self.walk.homes[position];
        let find = |dependency: &DeclaredDependency<'n>| {
            let found = self.table.find(home, dependency.name)?;
            self.walk.positions.get(&self.table.home(found)).copied()
        };
        self.walk.dependencies[position].iter().map(find).collect()
    }

    /// The package's own name, and where it comes from.
    fn name_and_source(&self, position: usize) -> Result<(String, Source)> {
        let home = self.walk.homes[position];
        let entry = &self.table.entries[home];
        let stated = entry.node.find("name").and_then(Node::as_str);
        if home == PROJECT {
            return Ok((stated.unwrap_or_default().to_owned(), Source::Root));
        }
        if let Some(link) = self.members.iter().find(|&&link| self.table.home(link) == home) {
            let name = self.table.entries[*link].name.unwrap_or_default().to_owned();
            let version = entry.node.find("version").and_then(Node::as_str).and_then(Version::parse);
            return Ok((name, Source::Workspace { path: entry.path.into(), version }));
        }
        let wanted = self.walk.wanted[position];
        let alias = entry.name.or(wanted.map(|(name, _)| name)).unwrap_or_default();
        let name = stated.unwrap_or(alias).to_owned();
        let source = match entry.name {
            None => Source::Link { path: entry.path.into() },
            Some(_) => entry::source(&self.context, entry, &name, wanted)?,
        };
        Ok((name, source))
    }

    fn add(&self, graph: &mut Graph, position: usize, name: &str, source: &Source) -> Result<PackageId> {
        let entry = &self.table.entries[self.walk.homes[position]];
        let node = entry.node;
        let name = match graph.intern(name) {
            Ok(name) => name,
            Err(_) if *source == Source::Root => graph.intern("project").expect("a valid name"),
            Err(_) => {
                return Err(self.context.error(entry.offset, &format!("a package name, found `{name}`")));
            }
        };
        let mut package = Package::new(name, source.clone());
        package.bin = entry::bin(node);
        package.constraints = entry::constraints(node);
        package.node = entry::node_range(node);
        package.integrity = node.find("integrity").and_then(Node::as_str).and_then(Integrity::parse);
        package.has_install_script = entry::is_true(node, "hasInstallScript");
        let mut dependencies = Vec::new();
        if *source == Source::Root {
            for &link in &self.members {
                let name = self.intern(graph, link, self.table.entries[link].name.unwrap_or_default())?;
                let literal = self.table.entries[self.table.home(link)].path.into();
                dependencies.push(Dependency { name, literal, role: Role::Workspace, bundled: false });
            }
        }
        for declared in &self.walk.dependencies[position] {
            let name = self.intern(graph, self.walk.homes[position], declared.name)?;
            let (literal, role, bundled) = (declared.literal.into(), declared.role, declared.bundled);
            dependencies.push(Dependency { name, literal, role, bundled });
        }
        if graph.packages_named(name).len() >= VERSIONS_MAX {
            let expected = format!("at most {VERSIONS_MAX} packages of one name");
            return Err(self.context.error(entry.offset, &expected));
        }
        Ok(graph.add(package, dependencies))
    }

    fn intern(&self, graph: &mut Graph, entry: usize, name: &str) -> Result<NameId> {
        let offset = self.table.entries[entry].offset;
        graph.intern(name).map_err(|_| self.context.error(offset, &format!("a package name, found `{name}`")))
    }

    /// `position`: one of the entries of the package.
    fn bind(&self, graph: &mut Graph, id: PackageId, position: usize, ids: &[PackageId]) {
        let found: HashMap<&str, usize> = self.walk.dependencies[position]
            .iter()
            .filter_map(|it| Some((it.name, self.table.find(self.walk.homes[position], it.name)?)))
            .collect();
        let member = |name: &str| {
            self.members.iter().copied().find(|&link| self.table.entries[link].name == Some(name))
        };
        for dependency in graph.dependencies_of(id) {
            let name = graph.name(graph.dependency(dependency).name).as_str();
            let entry = match graph.dependency(dependency).role {
                Role::Workspace => member(name),
                _ => found.get(name).copied(),
            };
            let Some(entry) = entry else { continue };
            let is_bundled = self.is_bundled(entry) && id != PackageId(0);
            let target = self.walk.positions[&self.table.home(entry)];
            graph.bind(dependency, Some(ids[target]));
            if is_bundled {
                graph.mark_bundled(dependency);
            }
        }
    }

    /// The paths of what was found, as locations.
    fn locations(&self, graph: &Graph, ids: &[PackageId]) -> Locations {
        let mut locations = Locations::new();
        let mut known = HashMap::from([(PROJECT, LocationId::PROJECT)]);
        let mut open: Vec<&FoundEntry<'_>> = self.walk.found.iter().collect();
        open.sort_by_key(|found| self.table.entries[found.entry].path.matches("node_modules/").count());
        loop {
            let before = open.len();
            open.retain(|found| {
                let above = self.table.above(found.entry).and_then(|above| known.get(&above).copied());
                let Some(above) = above else { return true };
                let home = self.table.home(found.entry);
                let package = ids[self.walk.positions[&home]];
                let dependent = ids[found.dependent];
                let name = graph.find_name(found.name);
                let is_via = |id: &DependencyId| {
                    Some(graph.dependency(*id).name) == name && graph.binding(*id) == Some(package)
                };
                let via = graph.dependencies_of(dependent).find(is_via);
                if let Some(via) = via {
                    let location = locations.add(graph, above, via, package);
                    known.entry(home).or_insert(location);
                }
                false
            });
            if open.len() == before {
                return locations;
            }
        }
    }
}
