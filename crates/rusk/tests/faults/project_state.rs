//! State of a project that an install must keep whole: package.json, the lockfile, and each package
//! in node_modules. In: a directory. Out: the difference from one of two states.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use rusk_testkit::project::Project;

/// Paths and contents: of a link its target, of a directory nothing.
pub type Tree = BTreeMap<String, String>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectState {
    pub manifest: Option<String>,
    pub lockfile: Option<String>,
    /// Without what rusk itself records there.
    pub modules: Tree,
}

impl ProjectState {
    pub fn read(project: &Project) -> ProjectState {
        let read = |name: &str| fs::read_to_string(project.path().join(name)).ok();
        let mut modules = Tree::new();
        scan(&project.path().join("node_modules"), "", &mut modules);
        // Shared packages are linked by absolute paths.
        let home = project.home().display().to_string();
        modules.values_mut().for_each(|content| *content = content.replace(&home, "[home]"));
        ProjectState { manifest: read("package.json"), lockfile: read("bun.lock"), modules }
    }

    /// Why this is neither the state before nor the one after, part by part; `None` if it is. A
    /// package is whole as in one of them, or absent.
    pub fn loss(&self, before: &ProjectState, after: &ProjectState) -> Option<String> {
        for (name, own, states) in [
            ("package.json", &self.manifest, [&before.manifest, &after.manifest]),
            ("bun.lock", &self.lockfile, [&before.lockfile, &after.lockfile]),
        ] {
            if !states.contains(&own) {
                return Some(format!("{name} is {own:?}"));
            }
        }
        if self.lockfile == after.lockfile && self.manifest != after.manifest {
            return Some("bun.lock was written before package.json".to_owned());
        }
        let roots: BTreeSet<&str> =
            [before, after].into_iter().flat_map(|state| package_roots(&state.modules)).collect();
        let mut own = by_package(&self.modules, &roots);
        let [mut before, mut after] = [before, after].map(|state| by_package(&state.modules, &roots));
        for root in &roots {
            let [own, before, after] = [&mut own, &mut before, &mut after].map(|all| all.remove(root));
            if own.is_some() && own != before && own != after {
                return Some(format!("node_modules/{root} is not whole: {own:?}"));
            }
        }
        None
    }
}

/// Directories with a package.json.
fn package_roots(modules: &Tree) -> impl Iterator<Item = &str> {
    modules.keys().filter_map(|path| path.strip_suffix("/package.json"))
}

/// The files of each package, without those of packages inside of it, and without links, which are
/// made one by one.
fn by_package<'a>(modules: &'a Tree, roots: &BTreeSet<&'a str>) -> BTreeMap<&'a str, Tree> {
    let mut found: BTreeMap<&str, Tree> = BTreeMap::new();
    for (path, content) in modules {
        let owner = roots
            .iter()
            .rev()
            .find(|root| path.strip_prefix(**root).is_some_and(|rest| rest.starts_with('/')));
        let Some(owner) = owner else { continue };
        let inner = &path[owner.len() + 1..];
        if !inner.starts_with("node_modules") {
            found.entry(*owner).or_default().insert(inner.to_owned(), content.clone());
        }
    }
    found
}

fn scan(dir: &Path, prefix: &str, into: &mut Tree) {
    let Ok(entries) = fs::read_dir(dir) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        if prefix.is_empty() && name == ".rusk" {
            continue;
        }
        let path = format!("{prefix}{name}");
        let kind = entry.file_type().expect("an entry has a type");
        if kind.is_symlink() {
            let target = fs::read_link(entry.path()).expect("a link has a target");
            // A shared package: its files count, too.
            if target.is_absolute() {
                scan(&target, &format!("{path}/"), into);
            }
            into.insert(path, format!("-> {}", target.display()));
        } else if kind.is_dir() {
            scan(&entry.path(), &format!("{path}/"), into);
        } else {
            into.insert(path, fs::read_to_string(entry.path()).expect("a file of a test is text"));
        }
    }
}
