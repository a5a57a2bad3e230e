//! OCI index, manifest and configuration: image-spec version 1. In: JSON documents. Out: values; an
//! error is a message with what was found. Absent: layers.

use std::ffi::OsString;
use std::path::{Component, Path};

use rusk_npm::json::{self, Dialect, Node};

use super::Defaults;
use super::digest::Digest;

/// More layers than any builder makes; registries refuse beyond 127.
const LAYERS_MAX: usize = 256;

/// What an index entry refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexEntry {
    Manifest(Digest),
    Index(Digest),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Manifest {
    pub config: Digest,
    /// From the lowest to the highest.
    pub layers: Vec<Digest>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config(pub Defaults);

/// Selects the entry of an index for this platform.
pub fn select(index: &[u8]) -> Result<IndexEntry, String> {
    let text = text(index)?;
    let root = parse(text)?;
    let entries = root.find("manifests").ok_or("its index has no `manifests`")?.elements();
    let ours: Vec<&Node<'_>> = entries.iter().filter(|entry| is_ours(entry)).collect();
    match ours[..] {
        [entry] => {
            let digest = digest_of(entry)?;
            let kind = entry.find("mediaType").and_then(Node::as_str).unwrap_or_default();
            let is_index = kind.ends_with("image.index.v1+json") || kind.ends_with("manifest.list.v2+json");
            Ok(if is_index { IndexEntry::Index(digest) } else { IndexEntry::Manifest(digest) })
        }
        [] => Err(format!("none of its {} images is for linux on {}", entries.len(), architecture())),
        _ => Err(format!("{} of its images are for linux on {}, expected one", ours.len(), architecture())),
    }
}

impl Manifest {
    pub fn parse(bytes: &[u8]) -> Result<Manifest, String> {
        let root = parse(text(bytes)?)?;
        let config = digest_of(root.find("config").ok_or("its manifest has no `config`")?)?;
        let layers = root.find("layers").ok_or("its manifest has no `layers`")?.elements();
        if layers.len() > LAYERS_MAX {
            return Err(format!("it has {} layers, expected at most {LAYERS_MAX}", layers.len()));
        }
        Ok(Manifest { config, layers: layers.iter().map(digest_of).collect::<Result<_, _>>()? })
    }
}

impl Config {
    pub fn parse(bytes: &[u8]) -> Result<Config, String> {
        let root = parse(text(bytes)?)?;
        if let Some(machine) =
            root.find("architecture").and_then(Node::as_str).filter(|name| *name != architecture())
        {
            return Err(format!("it is for {machine}, this machine is {}", architecture()));
        }
        let Some(config) = root.find("config") else { return Ok(Config(Defaults::default())) };
        let list = |key| {
            let arguments = config.find(key).map(Node::elements).unwrap_or_default();
            arguments.iter().filter_map(Node::as_str).filter(|word| !word.contains('\0')).map(str::to_owned)
        };
        let one = |key| {
            config.find(key).and_then(Node::as_str).filter(|text| !text.is_empty() && !text.contains('\0'))
        };
        let variables = list("Env").filter_map(|word| {
            let (name, value) = word.split_once('=').filter(|(name, _)| !name.is_empty())?;
            Some((OsString::from(name), OsString::from(value)))
        });
        let plain = |directory: &&Path| {
            directory.has_root() && !directory.components().any(|part| part == Component::ParentDir)
        };
        Ok(Config(Defaults {
            variables: variables.collect(),
            workdir: one("WorkingDir").map(Path::new).filter(plain).map(Path::to_owned),
            user: one("User").map(str::to_owned),
            arguments: list("Entrypoint").chain(list("Cmd")).collect(),
        }))
    }
}

/// An entry without a platform is for all platforms.
fn is_ours(entry: &Node<'_>) -> bool {
    let Some(platform) = entry.find("platform") else { return true };
    let is = |key, expected| platform.find(key).and_then(Node::as_str).is_none_or(|found| found == expected);
    is("os", "linux") && is("architecture", architecture())
}

/// In Go's terms, as the specification requires.
fn architecture() -> &'static str {
    match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        other => other,
    }
}

fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|_| "what it says of itself is not UTF-8".to_owned())
}

fn parse(text: &str) -> Result<Node<'_>, String> {
    json::parse(text, Dialect::Strict).map_err(|error| format!("what it says of itself is not JSON: {error}"))
}

fn digest_of(entry: &Node<'_>) -> Result<Digest, String> {
    let found = entry.find("digest").and_then(Node::as_str).unwrap_or_default();
    Digest::parse(found)
        .ok_or_else(|| format!("expected `sha256:` and 64 hex digits as a digest, found `{found}`"))
}
