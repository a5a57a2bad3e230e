//! Reads `bun.lockb` as the `bun.lock` that replaces it. In: the project's directory and
//! package.json. Out: the text and what it says, which is what every later install reads.

use std::collections::HashMap;
use std::path::Path;

use rusk_base::{Result, files};
use rusk_lockfiles::bun::binary::{self, BinaryLockfile};
use rusk_lockfiles::{BYTES_MAX, Format, bun};
use rusk_npm::graph::{Graph, PackageId, Role, Source};
use rusk_npm::manifest::Manifest;
use rusk_resolver::hoist::{AllDependencies, hoist};
use rusk_resolver::members::Members;
use rusk_resolver::rules;

use crate::project::{LoadedLockfile, LockfileOrigin};

const MEMBER_PREFIX: &str = "workspace:";

/// `None` when the project has no such file.
pub fn read(dir: &Path, members: &Members) -> Result<Option<LoadedLockfile>> {
    let Some(bytes) = files::find_bytes(&dir.join(binary::FILE_NAME), BYTES_MAX)? else { return Ok(None) };
    let BinaryLockfile { mut lockfile, patches } = binary::read(&bytes)?;
    // The file has the paths of patches, package.json has what they are for.
    let patched = rules::of_manifest(&members.project.manifest).patched;
    lockfile.rules.patched = patched.into_iter().filter(|(_, path)| patches.contains(path)).collect();
    name_members(&mut lockfile.graph, members);
    let tree = hoist(&mut lockfile.graph, &AllDependencies)?;
    let text = bun::render_binary(&lockfile, &tree);
    let loaded = LoadedLockfile::parse(Format::Bun, text, members, LockfileOrigin::Binary(bytes));
    loaded.map(Some).map_err(|problem| {
        problem.note(format!("the line is of {} in the form of bun.lock", binary::FILE_NAME))
    })
}

/// The file has the path of a member where package.json has `workspace:*` or another range.
fn name_members(graph: &mut Graph, members: &Members) {
    let path = |id: PackageId| match &graph.package(id).source {
        Source::Root => Some(String::new()),
        Source::Workspace { path, .. } => Some(path.to_string()),
        _ => None,
    };
    let manifests: HashMap<&str, &Manifest> =
        members.all().map(|member| (member.path.as_str(), &member.manifest)).collect();
    let mut renamed = Vec::new();
    for package in graph.package_ids() {
        let Some(manifest) = path(package).and_then(|path| manifests.get(path.as_str()).copied()) else {
            continue;
        };
        for id in graph.dependencies_of(package) {
            let dependency = graph.dependency(id);
            let name = graph.name(dependency.name).as_str();
            if dependency.literal.starts_with(MEMBER_PREFIX) && dependency.role != Role::Workspace {
                let groups = manifest.groups();
                let mut written = groups.iter().flat_map(|(_, pairs)| pairs.iter());
                let written =
                    written.find(|(other, literal)| other == name && literal.starts_with(MEMBER_PREFIX));
                renamed.extend(written.map(|(_, literal)| (id, literal.as_str().into())));
            }
        }
    }
    for (id, literal) in renamed {
        graph.rewrite(id, literal);
    }
}

#[cfg(test)]
mod tests;
