//! Converts a registry's release to a package of the graph.

use rusk_base::Result;
use rusk_npm::graph::{Bin, Constraints, Dependency, Graph, NameId, Package, Role, Source};
use rusk_npm::integrity::Integrity;
use rusk_npm::packument::{self, Bundled, Release};
use rusk_npm::semver::Version;

use crate::problem;

/// The package and its dependencies. A name that is also an ordinary dependency is not a peer.
pub fn package(
    graph: &mut Graph,
    name: NameId,
    version: Version,
    release: &Release<'_>,
) -> Result<(Package, Vec<Dependency>)> {
    let tarball = release.tarball.unwrap_or_default().into();
    let mut package = Package::new(name, Source::Npm { version, tarball });
    package.constraints = Constraints::of(&release.os, &release.cpu, &release.libc);
    package.bin = bin(&release.bin);
    package.integrity = release
        .integrity
        .and_then(Integrity::parse)
        .or_else(|| release.shasum.and_then(Integrity::from_shasum));
    package.has_install_script = release.has_install_script;
    let dependencies = dependencies(graph, name, release)?;
    Ok((package, dependencies))
}

/// Takes away the peers that only `peerDependenciesMeta` names.
pub fn drop_implied_peers(graph: &Graph, release: &Release<'_>, dependencies: &mut Vec<Dependency>) {
    dependencies.retain(|dependency| {
        let name = graph.name(dependency.name).as_str();
        dependency.role != Role::OptionalPeer || release.peer_dependencies.iter().any(|(own, _)| *own == name)
    });
}

fn dependencies(graph: &mut Graph, owner: NameId, release: &Release<'_>) -> Result<Vec<Dependency>> {
    let mut dependencies: Vec<Dependency> = Vec::new();
    let implied: Vec<(&str, &str)> = release
        .optional_peers
        .iter()
        .filter(|peer| !release.peer_dependencies.iter().any(|(name, _)| name == *peer))
        .map(|peer| (*peer, "*"))
        .collect();
    let groups = [
        (&release.dependencies, Role::Production),
        (&release.optional_dependencies, Role::Optional),
        (&release.peer_dependencies, Role::Peer),
        (&implied, Role::Peer),
    ];
    for (group, role) in groups {
        for &(name, literal) in group {
            let id = match graph.intern(name) {
                Ok(id) => id,
                Err(_) if role == Role::Optional => continue,
                Err(_) => {
                    let label = format!("{}@{}", graph.name(owner), release.version);
                    return Err(problem::dependency_name(&label, name));
                }
            };
            if role == Role::Peer && dependencies.iter().any(|other| other.name == id) {
                continue;
            }
            let is_optional_peer = role == Role::Peer && release.optional_peers.contains(&name);
            let role = if is_optional_peer { Role::OptionalPeer } else { role };
            let bundled = match &release.bundled {
                Bundled::Nothing => false,
                Bundled::Everything => true,
                Bundled::Names(names) => names.contains(&name),
            };
            dependencies.push(Dependency { name: id, literal: literal.into(), role, bundled });
        }
    }
    Ok(dependencies)
}

fn bin(bin: &packument::Bin<'_>) -> Bin {
    match bin {
        packument::Bin::Nothing => Bin::None,
        packument::Bin::File(file) => Bin::File((*file).into()),
        packument::Bin::Directory(dir) => Bin::Directory((*dir).into()),
        packument::Bin::Commands(files) => {
            Bin::Named(files.iter().map(|(name, file)| ((*name).into(), (*file).into())).collect())
        }
    }
}
