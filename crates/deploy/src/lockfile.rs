//! The lockfile of a deployment. In: the graph of the project's lockfile, the members that are
//! deployed. Out: the text of a lockfile with the same versions, of which the install in the target
//! keeps what is needed.

use rusk_base::Result;
use rusk_install::project::Project;
use rusk_lockfiles::begin::{ProjectSettings, begin};
use rusk_lockfiles::settings::yarnrc;
use rusk_lockfiles::{FormatDetails, Lockfile, MemberText, NewLockfile, Previous, pnpm_workspace};
use rusk_npm::bun_lock::Rules;
use rusk_npm::graph::{Dependency, Graph, IdMap, PackageId, Role, Source};
use rusk_resolver::hoist::{AllDependencies, hoist};
use rusk_resolver::{find_mismatch, rules};

use crate::manifests::{DeployedMember, follows, literal};
use crate::problem;

/// The lockfile of the project, which must match its package.json files.
pub fn checked(project: &Project) -> Result<&Lockfile> {
    let file = project.format.file_name();
    let locked = project.lockfile.as_ref().ok_or_else(|| problem::no_lockfile(file))?;
    match find_mismatch(&project.members, &locked.lockfile)? {
        Some(reason) => Err(problem::mismatch(file, &reason)),
        None => Ok(&locked.lockfile),
    }
}

/// Settings that the package manager of the format needs beside package.json: name and text.
pub fn settings(locked: &Lockfile, members: &[DeployedMember]) -> Option<(&'static str, String)> {
    match locked.details {
        FormatDetails::Pnpm(_) => {
            pnpm_workspace::begin(&members[0].manifest).map(|text| (pnpm_workspace::FILE_NAME, text))
        }
        FormatDetails::YarnBerry(_) => Some((yarnrc::FILE_NAME, "nodeLinker: node-modules\n".to_owned())),
        FormatDetails::Bun(_) | FormatDetails::Npm | FormatDetails::YarnClassic => None,
    }
}

/// The text of a lockfile without entries, which is rendered over.
fn begun(project: &Project, locked: &Lockfile) -> Option<String> {
    let settings = ProjectSettings {
        has_yarnrc: matches!(locked.details, FormatDetails::YarnBerry(_)),
        installs_peers: locked.installs_peers(),
    };
    begin(project.format, &project.members.project.manifest, settings)
}

/// `project_rules`: those of the project, whose catalogs are left behind.
pub fn render(
    project: &Project,
    locked: &Lockfile,
    members: &[DeployedMember],
    project_rules: &Rules,
) -> Result<String> {
    let (format, old) = (project.format, &locked.graph);
    let rules = rules::of_manifest(&members[0].manifest);
    let mut graph = deployed_graph(old, members, project_rules);
    graph.project_name = members[0].manifest.name.as_deref().map(Into::into);
    let tree = match rusk_lockfiles::arrange(format, None, &mut graph)? {
        Some(tree) => tree,
        None => hoist(&mut graph, &AllDependencies)?,
    };
    let texts: Vec<MemberText<'_>> = members
        .iter()
        .map(|member| MemberText { path: &member.path, text: &member.text, manifest: Some(&member.manifest) })
        .collect();
    let mut new =
        NewLockfile { graph: &graph, rules: &rules, tree: &tree, members: &texts, facts: &mut |_| None };
    let begun = begun(project, locked);
    let empty = begun.as_deref().map(|text| rusk_lockfiles::read(format, text, &texts)).transpose()?;
    let origins = vec![None; graph.len()];
    let previous = begun.as_deref().zip(empty.as_ref());
    let previous = previous.map(|(text, lockfile)| Previous { text, lockfile, origins: &origins });
    Ok(rusk_lockfiles::render(format, previous.as_ref(), &mut new))
}

/// The deployed member becomes the project; every dependency keeps its package.
fn deployed_graph(old: &Graph, members: &[DeployedMember], rules: &Rules) -> Graph {
    let mut graph = Graph::default();
    let mut new_ids: IdMap<PackageId, PackageId> = IdMap::default();
    for (at, member) in members.iter().enumerate() {
        let id = add_member(&mut graph, old, member, if at == 0 { &members[1..] } else { &[] }, rules);
        new_ids.insert(member.id.0, id);
    }
    let mut waiting: Vec<PackageId> = members.iter().map(|member| member.id.0).collect();
    let mut next = 0;
    while let Some(&id) = waiting.get(next) {
        next += 1;
        let is_member = members.iter().any(|member| member.id.0 == id);
        for dependency in old.dependencies_of(id) {
            let is_followed = !is_member || follows(old.dependency(dependency).role);
            let bound = old.binding(dependency).filter(|bound| is_followed && !new_ids.contains_key(bound));
            if let Some(bound) = bound {
                let new = graph.copy(old, bound);
                new_ids.insert(bound, new);
                waiting.push(bound);
            }
        }
    }
    bind(&mut graph, old, &new_ids);
    graph
}

/// `others`: the members that the project lists.
fn add_member(
    graph: &mut Graph,
    old: &Graph,
    member: &DeployedMember,
    others: &[DeployedMember],
    rules: &Rules,
) -> PackageId {
    let mut intern = |name: &str| graph.intern(name).expect("it was a package name in the old graph");
    let mut package = old.package(member.id.0).clone();
    package.name = intern(old.package_name(member.id.0).as_str());
    if member.path.is_empty() {
        package.source = Source::Root;
    }
    let mut dependencies: Vec<Dependency> = others
        .iter()
        .map(|other| Dependency {
            name: intern(old.package_name(other.id.0).as_str()),
            literal: other.path.as_str().into(),
            role: Role::Workspace,
            bundled: false,
        })
        .collect();
    for id in old.dependencies_of(member.id.0).filter(|&id| follows(old.dependency(id).role)) {
        let dependency = old.dependency(id);
        dependencies.push(Dependency {
            name: intern(old.name(dependency.name).as_str()),
            literal: literal(old, id, rules).as_str().into(),
            ..dependency.clone()
        });
    }
    graph.add(package, dependencies)
}

/// Binds each dependency to the package that it had. A member that the project lists is found by
/// its name.
fn bind(graph: &mut Graph, old: &Graph, new_ids: &IdMap<PackageId, PackageId>) {
    for (&before, &now) in new_ids {
        for id in graph.dependencies_of(now) {
            let (name, role) = (graph.name(graph.dependency(id).name).clone(), graph.dependency(id).role);
            let same = old.dependencies_of(before).find(|&other| {
                let other = old.dependency(other);
                other.role == role && *old.name(other.name) == name
            });
            let bound = match role {
                Role::Workspace => {
                    let is_listed = |old_id: &&PackageId| {
                        matches!(old.package(**old_id).source, Source::Workspace { .. })
                            && *old.package_name(**old_id) == name
                    };
                    new_ids.keys().find(is_listed).copied()
                }
                _ => same.and_then(|same| old.binding(same)),
            };
            graph.bind(id, bound.and_then(|bound| new_ids.get(&bound)).copied());
        }
    }
}
