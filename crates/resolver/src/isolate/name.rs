//! Directory names of entries, exactly as bun names them: `@scope+name@1.0.0`, then `+` and sixteen
//! hexadecimal digits that hash the peers.

use rusk_npm::graph::{Graph, PackageId, Source};

use super::nodes::Node;
use rusk_hashes::wyhash;

/// Bytes of the part that identifies the package; a longer one is cut and ends in its hash.
const SOURCE_BYTES_MAX: usize = 80;
const SOURCE_BYTES_CUT: usize = SOURCE_BYTES_MAX - 1 - HASH_DIGITS;
const HASH_DIGITS: usize = 16;
/// Bytes of one path component.
const NAME_BYTES_MAX: usize = 255;

pub fn of(graph: &Graph, node: &Node) -> String {
    named(graph, node.package, hash(graph, node))
}

/// The name of a package of which a lockfile tells the instances apart, by a text.
pub fn of_instance(graph: &Graph, package: PackageId, instance: &str) -> String {
    let hash = (!instance.is_empty()).then(|| wyhash::v2(instance.as_bytes()));
    named(graph, package, hash)
}

fn named(graph: &Graph, package: PackageId, hash: Option<u64>) -> String {
    let mut source = escaped(&graph.package(package).source.shown());
    if source.len() > SOURCE_BYTES_MAX {
        source = cut(&source, SOURCE_BYTES_CUT);
    }
    let mut name = format!("{}@{source}", escaped(graph.package_name(package).as_str()));
    if let Some(hash) = hash {
        name.push_str(&format!("+{hash:016x}"));
    }
    match name.len() > NAME_BYTES_MAX {
        true => cut(&name, NAME_BYTES_MAX - 1 - HASH_DIGITS),
        false => name,
    }
}

/// Hash of the peers' names and versions; a tarball's own digest comes before them, and is used
/// alone when there are no peers.
fn hash(graph: &Graph, node: &Node) -> Option<u64> {
    let package = graph.package(node.package);
    let is_tarball = matches!(package.source, Source::LocalTarball { .. } | Source::RemoteTarball { .. });
    let digest = package.integrity.filter(|_| is_tarball);
    let mut bytes = digest.as_ref().map_or_else(Vec::new, |digest| digest.digest().to_vec());
    if node.peers.is_empty() {
        let first = bytes.first_chunk().copied();
        return first.map(u64::from_be_bytes);
    }
    for peer in &node.peers {
        bytes.extend_from_slice(graph.package_name(peer.package).as_str().as_bytes());
        bytes.extend_from_slice(shown(&graph.package(peer.package).source).as_bytes());
    }
    Some(wyhash::v2(&bytes))
}

/// How bun identifies a package of a given name.
fn shown(source: &Source) -> String {
    match source {
        Source::Root => String::new(),
        Source::Directory { path } => path.to_string(),
        other => other.text(),
    }
}

/// Characters with a meaning in paths or URLs become `+`.
fn escaped(text: &str) -> String {
    let has_meaning = |c: char| matches!(c, '/' | '\\' | ':' | '#') || c.is_control();
    text.chars().map(|c| if has_meaning(c) { '+' } else { c }).collect()
}

fn cut(text: &str, bytes_max: usize) -> String {
    let end = (0..=bytes_max).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    format!("{}+{:016x}", &text[..end], wyhash::v4(text.as_bytes()))
}
