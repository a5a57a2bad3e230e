//! Software bill of materials for `rusk sbom`: CycloneDX 1.5 and SPDX 2.3 with the fields that npm
//! writes. In: a bound graph, where its packages lie, and their descriptions. Out: JSON text.
//! Absent: files, the clock; packages that no lockfile knows.

mod cyclonedx;
mod json;
pub mod license_expression;
mod package_description;
mod spdx;

use std::collections::{BTreeMap, HashSet};

use rusk_npm::credential::without_credentials;
use rusk_npm::graph::{DependencyId, Graph, IdMap, IdSet, PackageId, Source};
use rusk_npm::integrity::Integrity;
use rusk_npm::json::{self as npm_json, Dialect, Node};
use rusk_npm::tree::Tree;
use sha2::{Digest, Sha256};

use crate::members::{OmittedGroups, is_member, members, reachable};

pub use package_description::PackageDescription;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SbomFormat {
    CycloneDx,
    Spdx,
}

/// Whether the packages were read from node_modules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FactSource {
    NodeModules,
    /// `--package-lock-only`
    Lockfile,
}

/// What a bill of materials is made from.
pub struct Materials<'a> {
    pub graph: &'a Graph,
    pub tree: &'a Tree,
    /// The members whose packages are in it; the project itself always is.
    pub from: &'a [PackageId],
    pub omit: OmittedGroups,
    /// Facts of a package that the graph does not have; `None` leaves it out.
    pub describe: &'a dyn Fn(PackageId) -> Option<PackageDescription>,
    /// The usual URL of a release's tarball.
    pub tarball_url: &'a dyn Fn(PackageId) -> String,
    /// The project's name if its package.json has none.
    pub project_name: &'a str,
    /// `library`, `application` or `framework`: what the project is.
    pub project_type: &'a str,
    pub facts: FactSource,
    /// Version of the program that writes it.
    pub tool_version: &'a str,
    /// ISO 8601 in UTC.
    pub timestamp: &'a str,
}

/// Renders the bill. The number of the document is made from its contents, the time among them.
pub fn render(materials: &Materials<'_>, format: SbomFormat) -> String {
    let bill = Bill::of(materials);
    let document = |uuid: &str| match format {
        SbomFormat::CycloneDx => cyclonedx::document(materials, &bill, uuid),
        SbomFormat::Spdx => spdx::document(materials, &bill, uuid),
    };
    let uuid = uuid(&Sha256::digest(document("").text()));
    document(&uuid).text()
}

/// A UUID of version 8 (RFC 9562), which is made from data.
fn uuid(digest: &[u8]) -> String {
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&digest[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// The project and its packages, each once.
struct Bill {
    project: Component,
    /// By location.
    components: Vec<Component>,
    by_package: IdMap<PackageId, usize>,
}

struct Component {
    package: PackageId,
    /// The package's own name.
    name: String,
    /// The name of its directory, which differs for an alias.
    directory_name: String,
    version: Option<String>,
    /// Relative to the project.
    location: String,
    is_development: bool,
    is_optional: bool,
    is_bundled: bool,
    resolved: Option<String>,
    integrity: Option<Integrity>,
    description: PackageDescription,
}

impl Bill {
    fn of(materials: &Materials<'_>) -> Bill {
        let graph = materials.graph;
        let groups = Groups::of(graph);
        let locations = locations(graph, materials.tree);
        let reached = reachable(graph, materials.from, materials.omit);
        let mut ids: Vec<PackageId> = reached.into_iter().filter(|id| *id != PackageId(0)).collect();
        let location = |id: &PackageId| match &graph.package(*id).source {
            Source::Workspace { path, .. } | Source::Directory { path } | Source::Link { path } => {
                path.to_string()
            }
            _ => locations.get(id).cloned().unwrap_or_default(),
        };
        ids.sort_by_key(|id| (location(id), graph.label(*id)));
        let component = |id: PackageId| Component::of(materials, &groups, id, location(&id));
        let mut seen = HashSet::new();
        let all = ids.into_iter().filter_map(component);
        let components: Vec<Component> = all.filter(|component| seen.insert(component.id())).collect();
        let by_package =
            components.iter().enumerate().map(|(at, component)| (component.package, at)).collect();
        let project = Component::of(materials, &groups, PackageId(0), String::new());
        let project = project.unwrap_or_else(|| Component::undescribed(materials));
        Bill { project, components, by_package }
    }

    /// The bound dependencies of a component, and the component of each; the project itself may be
    /// one.
    fn edges<'b>(&'b self, materials: &Materials<'_>, of: &Component) -> Vec<(DependencyId, &'b Component)> {
        let graph = materials.graph;
        let included = graph
            .dependencies_of(of.package)
            .filter(|id| materials.omit.includes(graph.dependency(*id).role));
        let target = |id: DependencyId| match graph.binding(id)? {
            PackageId(0) => Some((id, &self.project)),
            bound => Some((id, &self.components[*self.by_package.get(&bound)?])),
        };
        included.filter_map(target).collect()
    }
}

impl Component {
    fn of(
        materials: &Materials<'_>,
        groups: &Groups,
        package: PackageId,
        location: String,
    ) -> Option<Component> {
        let graph = materials.graph;
        let description = (materials.describe)(package)?;
        let own = graph.package(package);
        let name = match own.source {
            Source::Root => description.name.clone().unwrap_or_else(|| materials.project_name.to_owned()),
            _ => graph.package_name(package).to_string(),
        };
        let directory_name = match location.rsplit_once("node_modules/") {
            Some((_, directory)) => directory.to_owned(),
            None => name.clone(),
        };
        let version = match own.source.npm_version() {
            Some(version) => Some(version.to_string()),
            None => description.version.clone(),
        };
        Some(Component {
            package,
            directory_name,
            version,
            location,
            is_development: !groups.without_development.contains(&package),
            is_optional: !groups.production.contains(&package) && !groups.is_only_development(package),
            is_bundled: groups.bundled.contains(&package),
            resolved: resolved(materials, package),
            integrity: own.integrity,
            description,
            name,
        })
    }

    /// A project of which only the name of its directory is known.
    fn undescribed(materials: &Materials<'_>) -> Component {
        Component {
            package: PackageId(0),
            name: materials.project_name.to_owned(),
            directory_name: materials.project_name.to_owned(),
            version: None,
            location: String::new(),
            is_development: false,
            is_optional: false,
            is_bundled: false,
            resolved: None,
            integrity: None,
            description: PackageDescription::default(),
        }
    }

    /// `name@version`: npm's key of a package.
    fn id(&self) -> String {
        match &self.version {
            Some(version) => format!("{}@{version}", self.name),
            None => self.name.clone(),
        }
    }

    /// Package URL: `pkg:npm/%40scope/name@1.0.0`.
    fn purl(&self) -> String {
        let name = self.name.replacen('@', "%40", 1);
        let version =
            self.version.as_ref().map_or_else(String::new, |version| format!("@{}", encoded(version)));
        let repository = match &self.resolved {
            Some(url) if url.starts_with("git") => format!("?vcs_url={}", encoded(url)),
            _ => String::new(),
        };
        format!("pkg:npm/{name}{version}{repository}")
    }
}

/// As `encodeURIComponent`.
fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for &byte in text.as_bytes() {
        match byte.is_ascii_alphanumeric() || b"-_.!~*'()".contains(&byte) {
            true => out.push(char::from(byte)),
            false => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

/// Where a package was downloaded from, without credentials: the document is published. `None` for
/// directories.
fn resolved(materials: &Materials<'_>, package: PackageId) -> Option<String> {
    download_location(materials, package).map(|url| without_credentials(&url))
}

fn download_location(materials: &Materials<'_>, package: PackageId) -> Option<String> {
    match &materials.graph.package(package).source {
        Source::Npm { tarball, .. } if tarball.is_empty() => Some((materials.tarball_url)(package)),
        Source::Npm { tarball, .. } => Some(tarball.to_string()),
        Source::RemoteTarball { url } => Some(url.to_string()),
        Source::LocalTarball { path } => Some(format!("file:{path}")),
        Source::Git { repository, .. } => Some(format!("git+{repository}")),
        Source::Github { repository, .. } => {
            let (name, commit) = repository.split_once('#').unwrap_or((repository, ""));
            Some(format!("git+ssh://git@github.com/{name}.git#{commit}"))
        }
        Source::Root | Source::Workspace { .. } | Source::Directory { .. } | Source::Link { .. } => None,
    }
}

/// The licenses in a package-lock.json, by name and version: all that `--package-lock-only` has.
pub fn licenses_in_lockfile(text: &str) -> BTreeMap<(String, String), String> {
    let Ok(root) = npm_json::parse(text, Dialect::Strict) else { return BTreeMap::new() };
    let entries = root.find("packages").map(Node::members).unwrap_or_default();
    let license = |path: &str, entry: &Node<'_>| {
        let string = |key: &str| entry.find(key).and_then(Node::as_str).map(str::to_owned);
        let in_path = path.rsplit_once("node_modules/").map(|(_, name)| name.to_owned());
        Some(((string("name").or(in_path)?, string("version")?), string("license")?))
    };
    entries.iter().filter_map(|entry| license(&entry.key, &entry.node)).collect()
}

/// Which packages are there for which groups of dependencies, as npm's flags say it.
struct Groups {
    /// Reached without devDependencies.
    without_development: IdSet<PackageId>,
    /// Reached without optionalDependencies.
    without_optional: IdSet<PackageId>,
    /// Reached without either.
    production: IdSet<PackageId>,
    bundled: IdSet<PackageId>,
}

impl Groups {
    fn of(graph: &Graph) -> Groups {
        let reached = |omit: OmittedGroups| reachable(graph, &members(graph), omit);
        let nothing = OmittedGroups::default();
        let bundled = graph.package_ids().flat_map(|id| graph.dependencies_of(id));
        let bundled = bundled.filter(|id| graph.dependency(*id).bundled).filter_map(|id| graph.binding(id));
        Groups {
            without_development: reached(OmittedGroups { development: true, ..nothing }),
            without_optional: reached(OmittedGroups { optional: true, ..nothing }),
            production: reached(OmittedGroups { development: true, optional: true, ..nothing }),
            bundled: bundled.filter(|id| !is_member(graph, *id)).collect(),
        }
    }

    /// Only devDependencies need it, and no optional one.
    fn is_only_development(&self, package: PackageId) -> bool {
        !self.without_development.contains(&package) && self.without_optional.contains(&package)
    }
}

/// The first location of each package in the tree: `node_modules/a/node_modules/b`.
fn locations(graph: &Graph, tree: &Tree) -> BTreeMap<PackageId, String> {
    let mut found: BTreeMap<PackageId, String> = BTreeMap::new();
    for dir in tree.dirs() {
        let mut path = String::new();
        let mut above = Vec::new();
        let mut at = Some(dir);
        while let Some(dir) = at {
            above.extend(tree.via(dir));
            at = tree.parent(dir);
        }
        above.reverse();
        above.into_iter().for_each(|via| path = below(graph, &path, via));
        for &entry in tree.entries(dir) {
            let location = below(graph, &path, entry);
            if let Some(package) = graph.binding(entry) {
                let known = found.entry(package).or_insert_with(|| location.clone());
                if location < *known {
                    *known = location;
                }
            }
        }
    }
    found
}

/// The location of a dependency's package in the directory at `path`; a member has its own.
fn below(graph: &Graph, path: &str, dependency: DependencyId) -> String {
    if let Some(package) = graph.binding(dependency)
        && let Source::Workspace { path, .. } = &graph.package(package).source
    {
        return path.to_string();
    }
    let name = graph.name(graph.dependency(dependency).name);
    match path {
        "" => format!("node_modules/{name}"),
        path => format!("{path}/node_modules/{name}"),
    }
}

#[cfg(test)]
mod tests;
