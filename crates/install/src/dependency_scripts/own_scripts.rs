//! Scripts of one package before it is linked, and what an approval of them pins. In: a package of
//! the store, or a directory. Out: commands, and an integrity. A repository is not built before it
//! is published, so its `prepare` is a script, too. A directory has no tarball: the integrity is
//! that of the names and contents of its files.

use std::path::Path;

use rusk_base::sys::FileType;
use rusk_base::{Result, files};
use rusk_dependency_scripts::{LifecycleScript, PackageForm, find_manifest, scripts_in};
use rusk_npm::graph::{Graph, PackageId, Source};
use rusk_resolver::members::MANIFEST_NAME;
use rusk_store::Package;
use rusk_store::integrity::{Digests, of_sha512};

use crate::context::InstallContext;
use crate::problem;

/// Nested directories that are followed; no package has more.
const DEPTH_MAX: usize = 64;
/// Of one file of a directory.
const FILE_BYTES_MAX: u64 = 1 << 30;
const NATIVE_ADDON: &str = "binding.gyp";

/// A package that may run scripts.
pub struct OwnScripts {
    pub scripts: Vec<LifecycleScript>,
    pub integrity: String,
}

/// Whether `prepare` is one of the package's scripts.
pub fn form(graph: &Graph, id: PackageId) -> PackageForm {
    match graph.package(id).source {
        Source::Git { .. } | Source::Github { .. } => PackageForm::Repository,
        _ => PackageForm::Published,
    }
}

/// Whether a package of the store has scripts. package.json is read only where its index does not
/// say.
pub fn has_scripts(
    context: &InstallContext,
    graph: &Graph,
    id: PackageId,
    package: &Package,
) -> Result<bool> {
    if package.index.manifest.scripts.any() || form(graph, id) == PackageForm::Published {
        return Ok(package.index.manifest.scripts.any());
    }
    Ok(!of_stored(context, graph, id, package)?.is_empty())
}

/// The scripts of a package of the store.
pub fn of_stored(
    context: &InstallContext,
    graph: &Graph,
    id: PackageId,
    package: &Package,
) -> Result<Vec<LifecycleScript>> {
    let file = context.store.find_file(package, MANIFEST_NAME);
    let text = file.map(|file| find_manifest(&file)).transpose()?.flatten().unwrap_or_default();
    Ok(scripts_in(&text, package.index.manifest.scripts.binding_gyp, form(graph, id)))
}

/// Whether a package has scripts that was made in a directory.
pub fn has_scripts_in(graph: &Graph, id: PackageId, dir: &Path) -> Result<bool> {
    let text = find_manifest(&dir.join(MANIFEST_NAME))?.unwrap_or_default();
    Ok(!scripts_in(&text, files::is_file(&dir.join(NATIVE_ADDON)), form(graph, id)).is_empty())
}

/// The scripts of a directory that is copied (`file:`); `None`: it is no such package, or has no
/// scripts.
pub fn of_directory(context: &InstallContext, graph: &Graph, id: PackageId) -> Result<Option<OwnScripts>> {
    let Source::Directory { path } = &graph.package(id).source else { return Ok(None) };
    let dir = context.project.dir.join(&**path);
    let text = find_manifest(&dir.join(MANIFEST_NAME))?.unwrap_or_default();
    let scripts = scripts_in(&text, files::is_file(&dir.join(NATIVE_ADDON)), PackageForm::Published);
    if scripts.is_empty() {
        return Ok(None);
    }
    let mut digests = Digests::new(None);
    add_directory(&dir, "", &mut digests, 0)?;
    let integrity = of_sha512(&digests.verify()?).to_string();
    Ok(Some(OwnScripts { scripts, integrity }))
}

/// The files that an install copies: `link::local`.
fn add_directory(dir: &Path, below: &str, digests: &mut Digests<'_>, depth: usize) -> Result<()> {
    if depth > DEPTH_MAX {
        return Err(problem::dir_too_deep(dir));
    }
    let mut entries = files::read_directory(dir).map_err(|errno| problem::list(dir, errno.into()))?;
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    for entry in entries {
        let Ok(name) = entry.name.into_string() else { continue };
        if ["node_modules", ".git"].contains(&name.as_str()) {
            continue;
        }
        let (path, relative) = (dir.join(&name), format!("{below}{name}"));
        match entry.kind {
            FileType::Directory => add_directory(&path, &format!("{relative}/"), digests, depth + 1)?,
            FileType::RegularFile => {
                let content = files::read_bytes(&path, FILE_BYTES_MAX)?;
                digests.update(format!("{relative}\0{}\0", content.len()).as_bytes());
                digests.update(&content);
            }
            _ => {}
        }
    }
    Ok(())
}
