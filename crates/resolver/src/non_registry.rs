//! Packages that are in no registry: the source that a specifier names, and the package found
//! there.

use rusk_base::Result;
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{Graph, NameId, Package, PackageId, Role, Source, Text};
use rusk_npm::specifier::Specifier;

use super::NonRegistryPackage;
use super::initial::{bin, constraints, declared_dependencies};
use super::rules::drop_removed;
use crate::problem;

/// The source that a specifier of `owner` names. Paths are relative to the project.
pub fn source_of(graph: &Graph, owner: PackageId, specifier: &Specifier) -> Result<Source> {
    let base = match (&graph.package(owner).source, specifier) {
        (Source::Root, _) => "",
        (Source::Workspace { path, .. } | Source::Directory { path } | Source::Link { path }, _) => path,
        (_, Specifier::Directory(path) | Specifier::Link(path) | Specifier::TarballPath(path)) => {
            return Err(problem::path_of_published(&graph.label(owner), path));
        }
        _ => "",
    };
    source_of_request(base, specifier)
}

/// The source that a specifier names in the directory `base`, itself relative to the project.
pub fn source_of_request(base: &str, specifier: &Specifier) -> Result<Source> {
    Ok(match specifier {
        Specifier::Directory(path) => Source::Directory { path: within(base, path) },
        Specifier::Link(path) => Source::Link { path: within(base, path) },
        Specifier::TarballPath(path) => Source::LocalTarball { path: tarball_within(base, path) },
        Specifier::TarballUrl(url) => Source::RemoteTarball { url: (**url).into() },
        Specifier::Git { url, committish, .. } => {
            let scheme = if url.contains("://") { "" } else { "ssh://" };
            Source::Git { repository: format!("{scheme}{url}{committish}").into(), tag: "".into() }
        }
        Specifier::Github { owner, repo, committish } => {
            Source::Github { repository: format!("{owner}/{repo}{committish}").into(), tag: "".into() }
        }
        Specifier::Npm { .. }
        | Specifier::DistTag { .. }
        | Specifier::Workspace(_)
        | Specifier::Catalog { .. } => unreachable!("these are resolved before other sources"),
    })
}

/// A path relative to the project. Only local packages may name paths: a published one would choose
/// which local files are installed.
fn within(base: &str, path: &str) -> Text {
    if path.starts_with('/') {
        return path.into();
    }
    normal(&format!("{base}/{path}")).into()
}

/// bun writes a tarball's path as in package.json.
fn tarball_within(base: &str, path: &str) -> Text {
    if base.is_empty() { path.into() } else { within(base, path) }
}

/// `a/./b/../c` as `a/c`; leading `..` stay.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    match parts.is_empty() {
        true => ".".to_owned(),
        false => parts.join("/"),
    }
}

/// Scripts that npm runs when a package is installed from source.
const INSTALL_SCRIPTS: [&str; 6] =
    ["preinstall", "install", "postinstall", "preprepare", "prepare", "postprepare"];

/// Adds the package found at a source. `is_followed`: its dependencies are the project's to
/// install, those for development too.
pub fn add_package(
    graph: &mut Graph,
    alias: NameId,
    found: NonRegistryPackage,
    is_followed: bool,
    rules: &Rules,
) -> Result<PackageId> {
    let own_name = found.manifest.name.as_deref().and_then(|name| graph.intern(name).ok());
    let name = own_name.unwrap_or(alias);
    if let Some(known) = graph.find(name, &found.source) {
        return Ok(known);
    }
    let mut dependencies = declared_dependencies(graph, &found.manifest, &found.source.text())?;
    match &found.source {
        _ if is_followed => {}
        Source::Directory { .. } => {}
        Source::Link { .. } => dependencies.clear(),
        _ => dependencies.retain(|dependency| dependency.role != Role::Development),
    }
    drop_removed(rules, graph, (graph.name(name), None), &mut dependencies);
    let has_script = found.manifest.scripts.iter().any(|(name, _)| INSTALL_SCRIPTS.contains(&name.as_str()));
    let mut package = Package::new(name, found.source);
    package.has_install_script = has_script || found.has_binding;
    package.bin = bin(&found.manifest);
    package.constraints = constraints(&found.manifest);
    package.integrity = found.integrity;
    Ok(graph.add(package, dependencies))
}
