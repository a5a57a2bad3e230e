//! Facts of the packages in node_modules that lockfiles do not have: licenses, authors. In: a
//! project's directories. Out: facts by name and version. Every layout is searched; links are not
//! followed, so that each package is read once.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use rusk_base::files;
use rusk_install::virtual_store::VirtualStore;
use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::manifest::MANIFEST_BYTES_MAX;

/// Packages that are read; the largest known projects have a tenth of it.
const PACKAGES_MAX: usize = 100_000;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PackageFacts {
    /// An SPDX expression, or what the package says instead.
    pub license: Option<String>,
    pub author: Option<String>,
    pub description: Option<String>,
    pub homepage: Option<String>,
    pub path: PathBuf,
}

/// By name and version.
pub type InstalledManifests = BTreeMap<(String, String), PackageFacts>;

/// `dirs`: the directories of the project and its workspaces.
pub fn scan(dirs: &[PathBuf]) -> InstalledManifests {
    let mut found = InstalledManifests::new();
    let mut waiting: Vec<PathBuf> = dirs.iter().map(|dir| dir.join("node_modules")).collect();
    while let Some(modules) = waiting.pop().filter(|_| found.len() < PACKAGES_MAX) {
        for (name, dir, is_link) in entries(&modules) {
            match name.as_str() {
                // The isolated layout; its entries may be links to shared packages.
                name if VirtualStore::is_name(name) => {
                    waiting.extend(entries(&dir).into_iter().map(|(_, dir, _)| dir.join("node_modules")));
                }
                name if name.starts_with('.') || is_link => {}
                name if name.starts_with('@') => {
                    for (_, dir, is_link) in entries(&dir) {
                        if !is_link {
                            read(dir, &mut found, &mut waiting);
                        }
                    }
                }
                _ => read(dir, &mut found, &mut waiting),
            }
        }
    }
    found
}

/// Name and path of the directories in a directory, and whether each is a link.
fn entries(dir: &Path) -> Vec<(String, PathBuf, bool)> {
    let Ok(entries) = dir.read_dir() else { return Vec::new() };
    let mut found: Vec<_> = entries
        .flatten()
        .filter_map(|entry| {
            let kind = entry.file_type().ok()?;
            let name = entry.file_name().into_string().ok()?;
            (kind.is_dir() || kind.is_symlink()).then(|| (name, entry.path(), kind.is_symlink()))
        })
        .collect();
    found.sort();
    found
}

/// A package.json that cannot be read is that of no package.
fn read(dir: PathBuf, found: &mut InstalledManifests, waiting: &mut Vec<PathBuf>) {
    let nested = dir.join("node_modules");
    let text = files::find_string(&dir.join("package.json"), MANIFEST_BYTES_MAX as u64).ok().flatten();
    if let Some((key, facts)) = text.and_then(|text| parse(&text, dir)) {
        found.entry(key).or_insert(facts);
    }
    if files::exists(&nested) {
        waiting.push(nested);
    }
}

fn parse(text: &str, path: PathBuf) -> Option<((String, String), PackageFacts)> {
    let root = json::parse(text, Dialect::Relaxed).ok()?;
    let string = |key| root.find(key).and_then(Node::as_str).map(str::to_owned);
    let author = root.find("author").and_then(|author| {
        author.as_str().or_else(|| author.find("name").and_then(Node::as_str)).map(str::to_owned)
    });
    let facts = PackageFacts {
        license: license(&root),
        author,
        description: string("description"),
        homepage: string("homepage"),
        path,
    };
    Some(((string("name")?, string("version")?), facts))
}

/// `license`, or the older forms: an object with `type`, and a list in `licenses`.
fn license(root: &Node<'_>) -> Option<String> {
    let one = |node: &Node<'_>| {
        node.as_str().or_else(|| node.find("type").and_then(Node::as_str)).map(|text| text.trim().to_owned())
    };
    let single = root.find("license").and_then(one);
    let list = || {
        let nodes = root.find("licenses")?;
        let all: Vec<String> = nodes.elements().iter().filter_map(one).collect();
        match all.as_slice() {
            [] => one(nodes),
            [only] => Some(only.clone()),
            _ => Some(format!("({})", all.join(" OR "))),
        }
    };
    single.or_else(list).filter(|license| !license.is_empty())
}

#[cfg(test)]
mod tests;
