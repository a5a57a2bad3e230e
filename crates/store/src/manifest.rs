//! The parts of a package's package.json that linking needs. In: its text and the package's
//! files. Out: name, version, bins, which install scripts there are, whether dependencies are
//! bundled. Absent: dependencies; resolution has them from the packument or the lockfile.

mod program_names;

use rusk_base::Result;
use rusk_npm::json::{self, Dialect, Node};

use crate::problem;
use crate::tarball::File;

/// Bytes of package.json. Those with thousands of `exports` stay below 1 MiB.
const MANIFEST_BYTES_MAX: usize = 4 << 20;
/// Bins of one package; the most known has some 50.
const BINS_MAX: usize = 1000;

/// The contents of package.json, normalised.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Empty when missing.
    pub name: String,
    /// As written; empty when missing.
    pub version: String,
    pub bins: Vec<Bin>,
    pub scripts: InstallScripts,
    /// The package carries a `node_modules` of its own.
    pub bundles_dependencies: bool,
}

/// A program of the package.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bin {
    /// A single path component; empty for `"bin": "./cli.js"`, which is named as the package is
    /// installed.
    pub name: String,
    /// In the package, `/` between components. It may be missing: some are made by an install
    /// script.
    pub path: String,
}

/// Which of the scripts exist that npm would run when the package is installed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InstallScripts {
    pub preinstall: bool,
    pub install: bool,
    pub postinstall: bool,
    /// Without `install` and `preinstall`, npm builds it with node-gyp.
    pub binding_gyp: bool,
}

impl InstallScripts {
    /// Whether anything would run.
    pub fn any(self) -> bool {
        self.preinstall || self.install || self.postinstall || self.binding_gyp
    }
}

impl Bin {
    /// The name under `.bin` of a package installed as `installed`.
    pub fn name_in<'a>(&'a self, installed: &'a str) -> &'a str {
        match self.name.as_str() {
            "" => installed.rsplit('/').next().unwrap_or(installed),
            name => name,
        }
    }
}

impl Manifest {
    /// Reads the `package.json` among the files of a package, which are sorted.
    pub fn read(files: &[File<'_>]) -> Result<Manifest> {
        let body = find(files, "package.json").ok_or_else(problem::manifest_missing)?;
        Manifest::check_size(body.len())?;
        let text = String::from_utf8_lossy(body);
        let root = json::parse(&text, Dialect::Relaxed).map_err(problem::manifest_invalid)?;
        let text_of = |key| root.find(key).and_then(Node::as_str).unwrap_or_default().to_owned();
        let name = text_of("name");
        let bins = bins(&root, &name, files);
        Ok(Manifest {
            version: text_of("version"),
            bins,
            scripts: scripts(&root, files),
            name,
            bundles_dependencies: bundles(files),
        })
    }
}

impl Manifest {
    /// A problem when package.json has so many bytes that none is read.
    pub fn check_size(bytes: usize) -> Result<()> {
        match bytes > MANIFEST_BYTES_MAX {
            true => Err(problem::manifest_too_large(bytes, MANIFEST_BYTES_MAX)),
            false => Ok(()),
        }
    }
}

fn find<'a>(files: &'a [File<'_>], path: &str) -> Option<&'a [u8]> {
    files.binary_search_by(|file| file.path.as_ref().cmp(path)).ok().map(|at| files[at].body.as_ref())
}

fn scripts(root: &Node<'_>, files: &[File<'_>]) -> InstallScripts {
    let scripts = root.find("scripts");
    let has =
        |name| scripts.and_then(|scripts| scripts.find(name)?.as_str()).is_some_and(|line| !line.is_empty());
    let gyp_unwanted = root.find("gypfile").and_then(Node::as_bool) == Some(false);
    let own_build = has("preinstall") || has("install");
    InstallScripts {
        preinstall: has("preinstall"),
        install: has("install"),
        postinstall: has("postinstall"),
        binding_gyp: !own_build && !gyp_unwanted && find(files, "binding.gyp").is_some(),
    }
}

fn bundles(files: &[File<'_>]) -> bool {
    let from = files.partition_point(|file| file.path.as_ref() < "node_modules/");
    files.get(from).is_some_and(|file| file.path.starts_with("node_modules/"))
}

/// `bin` as a path or a map of paths, else the files of `directories.bin`. Entries whose name or
/// path bun would pass over are passed over: a path that leaves the package, a name that is none.
fn bins(root: &Node<'_>, package: &str, files: &[File<'_>]) -> Vec<Bin> {
    let Some(bin) = root.find("bin") else {
        let dir = root.find("directories").and_then(|dirs| dirs.find("bin")?.as_str());
        return dir.map_or_else(Vec::new, |dir| bins_in_dir(dir, package, files));
    };
    if let Some(path) = bin.as_str() {
        return inside(path).map(|path| Bin { name: String::new(), path }).into_iter().collect();
    }
    let mut bins: Vec<Bin> = Vec::new();
    for member in bin.members() {
        let (Some(name), Some(path)) =
            (bin_name(&member.key, package), member.node.as_str().and_then(inside))
        else {
            continue;
        };
        // As bun: of two keys that normalise to one name the first counts.
        if bins.len() < BINS_MAX && bins.iter().all(|bin| bin.name != name) {
            bins.push(Bin { name: name.to_owned(), path });
        }
    }
    bins
}

fn bins_in_dir(dir: &str, package: &str, files: &[File<'_>]) -> Vec<Bin> {
    let Some(dir) = inside(dir) else { return Vec::new() };
    let direct = |file: &File<'_>| {
        let name = file.path.strip_prefix(&dir)?.strip_prefix('/')?;
        let name = bin_name(name, package).filter(|_| !name.contains('/'))?;
        Some(Bin { name: name.to_owned(), path: file.path.clone().into_owned() })
    };
    files.iter().filter_map(direct).take(BINS_MAX).collect()
}

/// A bin's name as one path component: what follows the last separator, as npm has it. `None` when
/// nothing is left, or `package` may not offer a program of that name.
pub fn bin_name<'a>(key: &'a str, package: &str) -> Option<&'a str> {
    let name = key.rsplit(['/', '\\', ':']).next().unwrap_or(key);
    // A name like a flag, or that no listing shows, is no program's.
    let plain = !name.is_empty()
        && !name.starts_with(['-', '.'])
        && name.len() <= 255
        && !name.contains(char::is_control);
    (plain && program_names::may_offer(package, name)).then_some(name)
}

/// A path of package.json as a path in the package: `./bin//x` is `bin/x`. `None` when it is
/// absolute, leaves the package, or names the package itself.
pub fn inside(path: &str) -> Option<String> {
    let path = path.replace('\\', "/");
    if path.starts_with('/') || path.contains(char::is_control) {
        return None;
    }
    let mut components: Vec<&str> = Vec::new();
    for component in path.split('/') {
        match component {
            "" | "." => {}
            ".." => drop(components.pop()?),
            _ => components.push(component),
        }
    }
    (!components.is_empty()).then(|| components.join("/"))
}

#[cfg(test)]
mod tests;
