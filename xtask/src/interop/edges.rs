//! Every edge of an installed project: which version of each dependency a package finds. In: the
//! directories of one project, installed twice. Out: the edges that find other versions, and the
//! peers that are out of range. Absent: where packages lie; only what Node finds counts.

use rusk_npm::json::{self, Dialect, Node};
use rusk_npm::semver::{Range, Version};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// What was found in two installations.
#[derive(Debug, Default)]
pub struct Edges {
    pub count: usize,
    pub differences: Vec<String>,
    /// The same of peers.
    pub peer_differences: Vec<String>,
    /// Peers out of range in the first and in the second.
    pub violated_peers: [usize; 2],
}

struct InstalledManifest {
    /// `name@version`.
    label: String,
    /// Name, specifier, and whether it is a peer.
    dependencies: Vec<(String, String, bool)>,
}

/// Follows each dependency from the project and its members in both at once.
pub fn compare(first: &Path, second: &Path, members: &[String]) -> Edges {
    let mut edges = Edges::default();
    let mut seen = HashSet::new();
    let mut queue: Vec<(PathBuf, PathBuf)> =
        members.iter().map(|member| (first.join(member), second.join(member))).collect();
    while let Some((a, b)) = queue.pop() {
        if !seen.insert((a.clone(), b.clone())) {
            continue;
        }
        let Some(package) = read(&a) else { continue };
        for (name, literal, is_peer) in &package.dependencies {
            let found = [(&a, first), (&b, second)].map(|(from, top)| find(from, top, name));
            let labels = found.each_ref().map(|dir| dir.as_deref().and_then(read).map(|found| found.label));
            edges.count += 1;
            let is_foreign = found[0].is_none() && found[1].as_deref().is_some_and(is_for_another_libc);
            if labels[0] != labels[1] && !is_foreign {
                let [ours, theirs] = labels.each_ref().map(|label| label.as_deref().unwrap_or("nothing"));
                let line = format!("{} finds {ours} for {name}, expected {theirs}", package.label);
                if *is_peer { &mut edges.peer_differences } else { &mut edges.differences }.push(line);
            }
            for (violated, label) in edges.violated_peers.iter_mut().zip(&labels) {
                *violated += usize::from(*is_peer && label.as_deref().is_some_and(|it| !fits(it, literal)));
            }
            // Below two different packages, everything differs.
            if let ([Some(a), Some(b)], true) = (found, labels[0] == labels[1]) {
                queue.push((a, b));
            }
        }
    }
    edges.differences.sort();
    edges.peer_differences.sort();
    edges
}

/// Yarn 1 installs programs for every C library; here they are for that of glibc.
fn is_for_another_libc(directory: &Path) -> bool {
    let Ok(text) = std::fs::read_to_string(directory.join("package.json")) else { return false };
    let Ok(root) = json::parse(&text, Dialect::Relaxed) else { return false };
    let libc = root.find("libc").map(Node::elements).unwrap_or_default();
    !libc.is_empty() && libc.iter().all(|name| name.as_str() != Some("glibc"))
}

fn fits(label: &str, literal: &str) -> bool {
    let version = label.rsplit_once('@').and_then(|(_, version)| Version::parse(version));
    version.zip(Range::parse(literal)).is_none_or(|(version, range)| range.contains(&version))
}

/// What `require` finds: in the nearest node_modules, up to the project's.
fn find(from: &Path, top: &Path, name: &str) -> Option<PathBuf> {
    let top = top.canonicalize().ok()?;
    let from = from.canonicalize().ok()?;
    let above = from.ancestors().take_while(|dir| dir.starts_with(&top));
    let mut candidates = above.map(|dir| dir.join("node_modules").join(name));
    candidates.find(|dir| dir.join("package.json").is_file())?.canonicalize().ok()
}

fn read(directory: &Path) -> Option<InstalledManifest> {
    let text = std::fs::read_to_string(directory.join("package.json")).ok()?;
    let root = json::parse(&text, Dialect::Relaxed).ok()?;
    let field = |key: &str| root.find(key).and_then(Node::as_str).unwrap_or_default().to_owned();
    let is_installed = directory.components().any(|part| part.as_os_str() == "node_modules");
    let groups = ["dependencies", "optionalDependencies", "peerDependencies", "devDependencies"];
    let mut dependencies = Vec::new();
    for group in groups.into_iter().filter(|group| !is_installed || *group != "devDependencies") {
        for member in root.find(group).map_or(&[][..], Node::members) {
            let literal = member.node.as_str().unwrap_or_default().to_owned();
            dependencies.push((member.key.to_string(), literal, group == "peerDependencies"));
        }
    }
    Some(InstalledManifest { label: format!("{}@{}", field("name"), field("version")), dependencies })
}

#[cfg(test)]
mod tests;
