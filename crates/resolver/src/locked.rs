//! Whether the versions of a lockfile satisfy their dependencies: for formats that do not repeat
//! the overrides and catalogs of package.json, and for lockfiles that somebody edited. In: the
//! lockfile's graph, the rules of package.json. Out: the first dependency that is not satisfied, or
//! a graph in which none of them is bound. Absent: peers, which may be out of range; what a tarball
//! brings.

use rusk_lockfiles::FormatDetails;
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{DependencyId, Graph, PackageId, Role, Source};
use rusk_npm::specifier::Specifier;

use super::rules::effective_literal;

/// The dependencies that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    All,
    /// Those of the project and its members: pnpm's file has no ranges of others.
    Members,
}

impl Extent {
    /// bun.lock is trusted, as bun trusts it.
    pub fn of(details: &FormatDetails) -> Option<Extent> {
        match details {
            FormatDetails::Bun(_) => None,
            FormatDetails::Npm | FormatDetails::YarnClassic | FormatDetails::YarnBerry(_) => {
                Some(Extent::All)
            }
            FormatDetails::Pnpm(_) => Some(Extent::Members),
        }
    }

    fn includes(self, source: &Source) -> bool {
        self == Extent::All || matches!(source, Source::Root | Source::Workspace { .. })
    }
}

/// One line about a dependency that the lockfile does not satisfy.
pub fn find_unsatisfied(graph: &Graph, rules: &Rules, extent: Extent) -> Option<String> {
    let (owner, id) =
        dependencies(graph, extent).find(|&(owner, id)| !is_satisfied(graph, rules, owner, id))?;
    let dependency = graph.dependency(id);
    let name = graph.name(dependency.name);
    let literal = effective_literal(rules, graph, owner, name, &dependency.literal);
    let found = match graph.binding(id) {
        Some(bound) => format!("has {}", graph.label(bound)),
        None => "has nothing for it".to_owned(),
    };
    Some(format!("`{}` wants {name}@{literal}, the lockfile {found}", dependent(graph, owner)))
}

fn dependent(graph: &Graph, owner: PackageId) -> String {
    match (&graph.package(owner).source, &graph.project_name) {
        (Source::Root, Some(name)) => name.to_string(),
        (Source::Root, None) => "package.json".to_owned(),
        _ => graph.label(owner),
    }
}

/// Unbinds the dependencies that are not satisfied.
pub fn unbind_unsatisfied(graph: &mut Graph, rules: &Rules, extent: Extent) {
    let open: Vec<DependencyId> = dependencies(graph, extent)
        .filter(|&(owner, id)| !is_satisfied(graph, rules, owner, id))
        .map(|(_, id)| id)
        .collect();
    open.into_iter().for_each(|id| graph.bind(id, None));
}

fn dependencies(graph: &Graph, extent: Extent) -> impl Iterator<Item = (PackageId, DependencyId)> + '_ {
    let packages = graph.package_ids().filter(move |&id| extent.includes(&graph.package(id).source));
    packages.flat_map(|owner| graph.dependencies_of(owner).map(move |id| (owner, id)))
}

fn is_satisfied(graph: &Graph, rules: &Rules, owner: PackageId, id: DependencyId) -> bool {
    let dependency = graph.dependency(id);
    if dependency.role.is_peer() || dependency.bundled {
        return true;
    }
    let Some(bound) = graph.binding(id) else { return dependency.role == Role::Optional };
    let source = &graph.package(bound).source;
    if dependency.role == Role::Workspace {
        return matches!(source, Source::Workspace { .. });
    }
    let name = graph.name(dependency.name);
    let literal = effective_literal(rules, graph, owner, name, &dependency.literal);
    let Ok(specifier) = Specifier::parse(name.as_str(), &literal) else { return false };
    match (&specifier, source) {
        (Specifier::Npm { name, range, .. }, Source::Npm { version, .. }) => {
            // A prerelease is a version, too, where any one will do.
            graph.package_name(bound) == name && (range.is_any() || range.contains(version))
        }
        (Specifier::Npm { range, .. }, Source::Workspace { version, .. }) => {
            range.is_any() || version.as_ref().is_some_and(|version| range.contains(version))
        }
        // pnpm may link a member for a tag.
        (Specifier::DistTag { name, .. }, Source::Npm { .. } | Source::Workspace { .. }) => {
            graph.package_name(bound) == name
        }
        (Specifier::Npm { .. } | Specifier::DistTag { .. }, source) => *source == Source::Root,
        // pnpm's injected members are copies.
        (Specifier::Workspace(_), source) => {
            matches!(source, Source::Workspace { .. } | Source::Directory { .. } | Source::Root)
        }
        (Specifier::Directory(_) | Specifier::Link(_), source) => matches!(
            source,
            Source::Directory { .. } | Source::Link { .. } | Source::Workspace { .. } | Source::Root
        ),
        (Specifier::TarballPath(_), source) => matches!(source, Source::LocalTarball { .. }),
        // pnpm locks the tarball of a release as the release.
        (Specifier::TarballUrl(_), source) => {
            matches!(source, Source::RemoteTarball { .. } | Source::Npm { .. })
        }
        (Specifier::Git { .. } | Specifier::Github { .. }, source) => {
            matches!(source, Source::Git { .. } | Source::Github { .. })
        }
        (Specifier::Catalog { .. }, _) => false,
    }
}
