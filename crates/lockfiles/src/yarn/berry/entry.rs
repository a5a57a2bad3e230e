//! One entry: what it says of its package. In: the parsed block. Out: its name and source, its
//! dependencies, programs and platforms.

use std::collections::HashSet;

use rusk_base::Result;
use rusk_npm::graph::{Bin, Constraints, Role, Source};
use rusk_npm::name::PackageName;
use rusk_npm::specifier::Specifier;

use super::super::descriptor;
use super::super::syntax::{Block, FILE};
use super::format::plain;
use super::table::descriptors;
use crate::problem;

/// Dependencies of one package; the largest ever published have some hundreds.
const DEPENDENCIES_MAX: usize = 20_000;

#[derive(Clone, Copy, Debug)]
pub(super) struct Declared<'b> {
    pub name: &'b str,
    /// As in a package.json.
    pub literal: &'b str,
    pub role: Role,
}

/// The locator without its parameters: `a@npm:1.0.0::hash=x` is `a` and `npm:1.0.0`.
pub(super) fn locator<'b>(entry: &'b Block<'_>) -> (&'b str, &'b str) {
    let resolution = entry.text("resolution").unwrap_or_default();
    let resolution = resolution.split("::").next().unwrap_or_default();
    descriptor::split(resolution)
}

/// The directory of a member, empty for the project.
pub(super) fn workspace<'b>(entry: &'b Block<'_>) -> Option<&'b str> {
    let path = locator(entry).1.strip_prefix("workspace:")?;
    Some(if path == "." { "" } else { path })
}

/// Checks that an entry leads to what its descriptors say. Absent: entries of protocols that are
/// not supported, which are refused where a dependency leads to them.
pub(super) fn check(entry: &Block<'_>) -> Result<()> {
    let (name, _) = locator(entry);
    let is_supported = |descriptor: &str| {
        let (name, range) = descriptor::split(descriptor);
        let range = range.split("::").next().unwrap_or(range);
        range.starts_with("npm:") || Specifier::parse(name, range).is_ok()
    };
    if workspace(entry).is_some() || !descriptors(entry).any(is_supported) {
        return Ok(());
    }
    PackageName::parse(name)
        .map_err(|_| problem::entry(FILE, entry.line, &format!("a package name, found `{name}`")))?;
    identity(entry, Some("")).map(drop)
}

/// `base`: the directory of local paths; `None` where there must be none.
pub(super) fn identity(entry: &Block<'_>, base: Option<&str>) -> Result<(String, Source)> {
    let error = |expected: &str| problem::entry(FILE, entry.line, expected);
    let (name, reference) = locator(entry);
    let is_of_registry =
        || descriptors(entry).any(|descriptor| descriptor::split(descriptor).1.starts_with("npm:"));
    let local = || match base {
        None => Err(error("no local path from a published package")),
        Some(_) if is_of_registry() => Err(error("no local path for a range of a registry")),
        Some(base) => Ok(base),
    };
    if let Some(version) = reference.strip_prefix("npm:") {
        let resolution = entry.text("resolution").unwrap_or_default();
        let url =
            resolution.split_once("__archiveUrl=").map(|(_, rest)| rest.split('&').next().unwrap_or(rest));
        let url = url.map(decoded).unwrap_or_default();
        let source = descriptor::release(name, version, &url);
        let source = source.ok_or_else(|| error(&format!("a version, found `{version}`")))?;
        return Ok((name.to_owned(), source));
    }
    if let Some(path) = reference.strip_prefix("link:") {
        return Ok((name.to_owned(), Source::Link { path: descriptor::within(local()?, path) }));
    }
    if let Some(path) = reference.strip_prefix("portal:") {
        return Ok((name.to_owned(), Source::Directory { path: descriptor::within(local()?, path) }));
    }
    if let Some(rest) = reference.strip_prefix("file:") {
        let path = rest.split('#').next().unwrap_or(rest);
        let path = descriptor::within(local()?, path);
        let is_tarball = [".tgz", ".tar.gz", ".tar"].iter().any(|ending| path.ends_with(ending));
        let source = if is_tarball { Source::LocalTarball { path } } else { Source::Directory { path } };
        return Ok((name.to_owned(), source));
    }
    let unsupported =
        || error(&format!("a package of a registry, found `{reference}`, which is not supported"));
    if ["patch:", "exec:", "workspace:", "virtual:"].iter().any(|it| reference.starts_with(it)) {
        return Err(unsupported());
    }
    let specifier = Specifier::parse(name, reference).map_err(|_| unsupported())?;
    let source = match &specifier {
        Specifier::TarballUrl(url) => Source::RemoteTarball { url: (**url).into() },
        _ => descriptor::repository(&specifier, reference).ok_or_else(unsupported)?,
    };
    Ok((name.to_owned(), source))
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, tail @ ..] = rest {
        let digits = tail.get(..2).and_then(|two| std::str::from_utf8(two).ok());
        match digits.and_then(|digits| u8::from_str_radix(digits, 16).ok()).filter(|_| *first == b'%') {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[2..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

pub(super) fn dependencies<'b>(entry: &'b Block<'_>) -> Result<Vec<Declared<'b>>> {
    let optional = |group: &str| -> HashSet<&'b str> {
        let children = entry.find(group).map_or(&[][..], |group| &group.children);
        children.iter().filter(|child| child.text("optional") == Some("true")).map(Block::key).collect()
    };
    let (optional_own, optional_peers) = (optional("dependenciesMeta"), optional("peerDependenciesMeta"));
    let mut found = Vec::new();
    let mut known = HashSet::new();
    for (name, range) in entry.pairs("dependencies") {
        let role = if optional_own.contains(name) { Role::Optional } else { Role::Production };
        if known.insert(name) {
            found.push(Declared { name, literal: plain(range), role });
        }
    }
    for (name, literal) in entry.pairs("peerDependencies") {
        let role = if optional_peers.contains(name) { Role::OptionalPeer } else { Role::Peer };
        if known.insert(name) {
            found.push(Declared { name, literal, role });
        }
    }
    match found.len() > DEPENDENCIES_MAX {
        true => {
            let expected = format!("at most {DEPENDENCIES_MAX} dependencies of one package");
            Err(problem::entry(FILE, entry.line, &expected))
        }
        false => Ok(found),
    }
}

pub(super) fn has_peer(entry: &Block<'_>, name: &str) -> bool {
    entry.pairs("peerDependencies").any(|(peer, _)| peer == name)
}

pub(super) fn bin(entry: &Block<'_>) -> Bin {
    let files: Vec<_> = entry.pairs("bin").map(|(name, file)| (name.into(), file.into())).collect();
    if files.is_empty() { Bin::None } else { Bin::Named(files) }
}

/// `os=linux & (cpu=x64 | cpu=arm64)`.
pub(super) fn constraints(entry: &Block<'_>) -> Constraints {
    let conditions = entry.text("conditions").unwrap_or_default();
    let of = |key: &str| -> Vec<&str> {
        let parts = conditions.split(['&', '|', '(', ')']).map(str::trim);
        parts.filter_map(|part| part.strip_prefix(key)?.strip_prefix('=')).collect()
    };
    Constraints::of(&of("os"), &of("cpu"), &of("libc"))
}
