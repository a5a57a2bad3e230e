//! Patches of `patchedDependencies`. In: package.json, the patch files. Out: patched packages in
//! the store, each under a key of its own, so that nothing else changes in a project that shares
//! the store. Absent: packages that are in no registry.

use std::collections::BTreeMap;
use std::path::Path;

use rusk_base::{Problem, Result, files};
use rusk_configuration::request::{HostEnvironment, InstallRequest};
use rusk_lockfiles::Lockfile;
use rusk_npm::graph::{Graph, PackageId, Source, Text};
use rusk_npm::manifest::Manifest;
use rusk_npm::patch::{PATCH_BYTES_MAX, PackageFile, Patch};
use rusk_store::tarball::File;
use rusk_store::{Expected, Key, Package, Store};
use sha2::{Digest, Sha256};

use crate::context::ProjectRoot;
use crate::event::Reporter;
use crate::problem;
use crate::store_keys::StoreKeys;

/// The patches of a project.
#[derive(Clone, Debug, Default)]
pub struct Patches {
    files: Vec<PatchFile>,
}

#[derive(Clone, Debug)]
pub struct PatchFile {
    /// `name@version`, or a name for all its versions.
    package: String,
    /// Relative to the project.
    path: String,
    bytes: Vec<u8>,
}

impl Patches {
    /// Reads the files that package.json names.
    pub fn read(project_dir: &Path, manifest: &Manifest) -> Result<Patches> {
        let files = manifest.patched_dependencies.iter().map(|(package, path)| {
            let is_inside = Path::new(path)
                .components()
                .all(|part| matches!(part, std::path::Component::Normal(_) | std::path::Component::CurDir));
            if !is_inside {
                return Err(problem::patch_outside(package, path));
            }
            let bytes = files::find_bytes(&project_dir.join(path), PATCH_BYTES_MAX)?
                .ok_or_else(|| problem::no_patch(package, path))?;
            Ok(PatchFile { package: package.clone(), path: path.clone(), bytes })
        });
        Ok(Patches { files: files.collect::<Result<_>>()? })
    }

    /// The patch of a package: that of its version, or of its name.
    pub fn find(&self, name: &str, version: &str) -> Option<&PatchFile> {
        let of = |wanted: &str| self.files.iter().find(|file| file.package == wanted);
        // Most projects have none: nothing is allocated for them.
        if self.files.is_empty() { None } else { of(&format!("{name}@{version}")).or_else(|| of(name)) }
    }

    /// The patch of a package of the graph.
    pub fn of(&self, graph: &Graph, id: PackageId) -> Option<&PatchFile> {
        let Source::Npm { version, .. } = &graph.package(id).source else { return None };
        self.find(graph.package_name(id).as_str(), &version.to_string())
    }

    /// The keys of `patchedDependencies` that no package of the graph has.
    pub fn unused<'a>(&'a self, graph: &Graph) -> Vec<&'a str> {
        let found = graph.package_ids().filter_map(|id| self.of(graph, id));
        let used: Vec<&str> = found.map(|file| file.package.as_str()).collect();
        let packages = self.files.iter().map(|file| file.package.as_str());
        packages.filter(|package| !used.contains(package)).collect()
    }

    /// By the keys of `patchedDependencies`, the hash of each patch, as pnpm computes it: SHA-256
    /// of the text with the line ends of Unix. `locked`: the hashes of a lockfile; one in the form
    /// of pnpm before 10 stays.
    pub fn hashes(&self, locked: Option<&[(Text, Text)]>) -> Vec<(Text, Text)> {
        let is_sha256 = |hash: &str| hash.len() == 64;
        let older = |label: &str| {
            let locked = locked.unwrap_or_default().iter().find(|(own, _)| **own == *label);
            locked.map(|(_, hash)| hash.clone()).filter(|hash| !is_sha256(hash))
        };
        let hash = |file: &PatchFile| {
            let text = String::from_utf8_lossy(&file.bytes).replace("\r\n", "\n");
            let digest = Sha256::digest(text.as_bytes());
            digest.iter().map(|byte| format!("{byte:02x}")).collect::<String>()
        };
        let files = self.files.iter();
        let hashes = files.map(|file| {
            let hash = older(&file.package).unwrap_or_else(|| hash(file).into());
            (Text::from(file.package.as_str()), hash)
        });
        hashes.collect()
    }

    /// Whether a lockfile that repeats hashes has others; the reason.
    pub fn find_mismatch(&self, lockfile: &Lockfile) -> Option<String> {
        let mut locked = lockfile.rules.as_ref()?.patch_hashes.clone()?;
        let mut own = self.hashes(Some(&locked));
        own.sort_unstable();
        locked.sort_unstable();
        (own != locked).then(|| "`patchedDependencies` differ".to_owned())
    }

    /// Paths of the patch files, relative to the project.
    pub fn paths(&self) -> impl Iterator<Item = &str> {
        self.files.iter().map(|file| file.path.as_str())
    }

    /// Whether the files on disk are still the same.
    pub fn match_disk(&self, project_dir: &Path) -> bool {
        self.files.iter().all(|file| {
            let found = files::find_bytes(&project_dir.join(&file.path), PATCH_BYTES_MAX);
            found.is_ok_and(|found| found.as_ref() == Some(&file.bytes))
        })
    }
}

impl PatchFile {
    /// The store key of the patched package. `proof`: that of the original.
    pub fn key(&self, name: &str, version: &str, proof: &str) -> Key {
        // Every byte as one character: two patches never have one text.
        let text: String = self.bytes.iter().map(|&byte| char::from(byte)).collect();
        Key::new(name, version, &format!("{proof}\npatched by\n{text}"))
    }

    /// Adds the patched package to the store.
    pub fn apply(&self, store: &Store, original: &Package, key: &Key) -> Result<Package> {
        let patched = self.patched(store.read_files(original)?).map_err(|problem| self.located(problem))?;
        let files = patched.iter().map(|(path, file)| File {
            path: path.as_str().into(),
            body: file.bytes.as_slice().into(),
            mode: file.mode,
        });
        store.add_files(key, files.collect(), &Expected::default())
    }

    fn patched(&self, files: Vec<File<'static>>) -> Result<BTreeMap<String, PackageFile>> {
        let patch = Patch::parse(&self.bytes)?;
        let mut files = by_path(files);
        patch.apply(&mut files)?;
        Ok(files)
    }

    fn located(&self, problem: Problem) -> Problem {
        problem.note(format!("patch of `{}`: `{}`", self.package, self.path))
    }
}

/// The files of an installed package without its patch, from the store. `release`: name and
/// version.
pub fn original_files(
    dir: &Path,
    release: (&str, &str),
    request: &InstallRequest,
    host: &HostEnvironment,
    reporter: &mut dyn Reporter,
) -> Result<BTreeMap<String, PackageFile>> {
    let context = ProjectRoot::find(dir, request, host)?.open(request, host, reporter)?;
    let (name, version) = release;
    let unknown = || problem::not_locked(name, version);
    let graph = &context.project.lockfile.as_ref().ok_or_else(unknown)?.lockfile.graph;
    let is_release = |id: &PackageId| match &graph.package(*id).source {
        Source::Npm { version: found, .. } => {
            graph.package_name(*id).as_str() == name && found.to_string() == version
        }
        _ => false,
    };
    let id = graph.package_ids().find(is_release).ok_or_else(unknown)?;
    let none = Patches::default();
    let keys = StoreKeys::of(graph, &context.configuration, &none, request.verify);
    let key = keys.find(graph, id).ok_or_else(unknown)?;
    let package = context.store.find(key)?.ok_or_else(|| problem::original_not_in_store(name, version))?;
    Ok(by_path(context.store.read_files(&package)?))
}

fn by_path(files: Vec<File<'static>>) -> BTreeMap<String, PackageFile> {
    let file = |file: File<'static>| {
        (file.path.into_owned(), PackageFile { bytes: file.body.into_owned(), mode: file.mode })
    };
    files.into_iter().map(file).collect()
}
