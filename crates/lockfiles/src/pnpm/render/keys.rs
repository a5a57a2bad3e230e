//! Keys of packages and of their instances. In: an instance with its peers. Out: its key in
//! `snapshots`, and that of its package in `packages`. Absent: which peers it has.

use std::collections::BTreeSet;

use rusk_npm::graph::{PackageId, Source};

use super::super::instances::{EdgeTarget, InstanceId};
use super::Renderer;

impl Renderer<'_> {
    /// The key in `snapshots`.
    pub(super) fn key(&mut self, id: InstanceId) -> String {
        self.key_below(id, &mut Vec::new()).0
    }

    /// `open`: the instances whose keys are being made. One of them as a peer is written without
    /// its own peers, and then the key holds only here.
    fn key_below(&mut self, id: InstanceId, open: &mut Vec<InstanceId>) -> (String, Extent) {
        if let Some(key) = self.keys.get(&id) {
            return (key.clone(), Extent::Everywhere);
        }
        let instance = &self.instances.list[id.0];
        let package = instance.package;
        let base = self.base(package);
        if let (Some(old), Some(previous)) = (instance.old, self.previous) {
            let suffixes = previous.lockfile.instances.as_ref();
            let suffix = suffixes.map_or("", |suffixes| &*suffixes[old.0 as usize]);
            let key = format!("{base}{}", self.kept_suffix(package, suffix));
            self.keys.insert(id, key.clone());
            return (key, Extent::Everywhere);
        }
        open.push(id);
        let mut peers: BTreeSet<String> = BTreeSet::new();
        let mut extent = Extent::Everywhere;
        for &(_, found) in &instance.peers {
            match self.instances.resolve(found) {
                Some(EdgeTarget::Instance(peer)) if open.contains(&peer) || open.len() > PEERS_DEPTH_MAX => {
                    extent = Extent::Here;
                    peers.insert(self.base(self.instances.list[peer.0].package));
                }
                Some(EdgeTarget::Instance(peer)) => {
                    let (key, below) = self.key_below(peer, open);
                    extent = if below == Extent::Here { Extent::Here } else { extent };
                    peers.insert(key);
                }
                Some(EdgeTarget::Local(package)) => drop(peers.insert(self.local_peer(package))),
                Some(EdgeTarget::Slot(_)) | None => {}
            }
        }
        open.pop();
        let suffix: String = peers.iter().map(|peer| format!("({peer})")).collect();
        let patch = self.patch_suffix(package);
        let key = match suffix.len() > SUFFIX_BYTES_MAX {
            // pnpm has a hash there, which it does not check.
            true => format!("{base}{patch}({:016x})", suffix_hash(&suffix)),
            false => format!("{base}{patch}{suffix}"),
        };
        if open.is_empty() || extent == Extent::Everywhere {
            self.keys.insert(id, key.clone());
        }
        (key, extent)
    }

    /// The key in `packages`.
    pub(super) fn base(&self, package: PackageId) -> String {
        let name = self.graph.package_name(package).as_str();
        let source = &self.graph.package(package).source;
        if let Some(key) = self.old.keys.get(&(name.to_owned(), source.clone())) {
            return key.clone();
        }
        match source {
            Source::LocalTarball { path } => format!("{name}@file:{}", path.trim_start_matches("./")),
            Source::Git { repository, .. } => format!("{name}@git+{repository}"),
            Source::Github { repository, .. } => {
                let (place, commit) = repository.split_once('#').unwrap_or((repository, ""));
                format!("{name}@https://codeload.github.com/{place}/tar.gz/{commit}")
            }
            source => format!("{name}@{}", source.text()),
        }
    }

    /// A member as a peer: its path, with `+` in the place of `/`.
    fn local_peer(&self, package: PackageId) -> String {
        let path = match &self.graph.package(package).source {
            Source::Workspace { path, .. } | Source::Link { path } => path.replace('/', "+"),
            _ => String::new(),
        };
        format!("{}@{path}", self.graph.package_name(package))
    }
}

/// Where a key holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Extent {
    Everywhere,
    /// For a peer of an instance whose own key is being made.
    Here,
}

/// A longer suffix is written as its hash: pnpm's `peersSuffixMaxLength`.
const SUFFIX_BYTES_MAX: usize = 1000;

/// FNV-1a, 64 bits.
fn suffix_hash(suffix: &str) -> u64 {
    suffix.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Peers of peers in a key; deeper ones are written without theirs.
pub(super) const PEERS_DEPTH_MAX: usize = 32;
