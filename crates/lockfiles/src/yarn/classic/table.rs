//! The entries of the file, by descriptor. In: the parsed blocks. Out: what each entry is.

use std::collections::HashMap;

use rusk_base::Result;
use rusk_npm::graph::Source;
use rusk_npm::integrity::Integrity;
use rusk_npm::specifier::Specifier;

use super::super::descriptor;
use super::super::syntax::{Block, FILE};
use crate::problem;

pub(super) struct ClassicTable<'b, 't> {
    pub entries: &'b [Block<'t>],
    by_descriptor: HashMap<&'b str, usize>,
}

impl<'b, 't> ClassicTable<'b, 't> {
    pub fn of(entries: &'b [Block<'t>]) -> Result<ClassicTable<'b, 't>> {
        let mut by_descriptor = HashMap::new();
        for (index, entry) in entries.iter().enumerate() {
            if entry.value.is_some() {
                return Err(problem::entry(FILE, entry.line, "an entry, `name@range:`"));
            }
            for key in &entry.keys {
                if by_descriptor.insert(key.as_ref(), index).is_some() {
                    return Err(problem::entry(FILE, entry.line, &format!("`{key}` once")));
                }
            }
        }
        Ok(ClassicTable { entries, by_descriptor })
    }

    pub fn find(&self, name: &str, range: &str) -> Option<usize> {
        self.by_descriptor.get(format!("{name}@{range}").as_str()).copied()
    }
}

/// The package's own name and its source. `base`: the directory of local paths; `None` where there
/// must be none.
pub(super) fn identity(
    entry: &Block<'_>,
    name: &str,
    range: &str,
    base: Option<&str>,
) -> Result<(String, Source)> {
    let error = |expected: &str| problem::entry(FILE, entry.line, expected);
    let resolved = entry.text("resolved").unwrap_or_default();
    let url = resolved.split('#').next().unwrap_or_default();
    let local = || base.ok_or_else(|| error("no local path from a published package"));
    let specifier = Specifier::parse(name, range).map_err(|_| error(&format!("a range, found `{range}`")))?;
    let source = match &specifier {
        Specifier::Npm { name, .. } | Specifier::DistTag { name, .. } => {
            let version = entry.text("version").ok_or_else(|| error("a `version`"))?;
            let source = descriptor::release(name.as_str(), version, url);
            let source = source.ok_or_else(|| error(&format!("a version, found `{version}`")))?;
            return Ok((name.to_string(), source));
        }
        Specifier::Directory(path) => Source::Directory { path: descriptor::within(local()?, path) },
        Specifier::Link(path) => Source::Link { path: descriptor::within(local()?, path) },
        Specifier::TarballPath(path) => {
            let base = local()?;
            let is_own = base.is_empty();
            Source::LocalTarball {
                path: if is_own { (&**path).into() } else { descriptor::within(base, path) },
            }
        }
        Specifier::TarballUrl(literal) => {
            Source::RemoteTarball { url: if url.is_empty() { literal } else { url }.into() }
        }
        Specifier::Git { .. } | Specifier::Github { .. } => descriptor::repository(&specifier, resolved)
            .ok_or_else(|| error("a repository with its commit as `resolved`"))?,
        Specifier::Workspace(_) | Specifier::Catalog { .. } => {
            return Err(error(&format!("a range of a package, found `{range}`")));
        }
    };
    Ok((name.to_owned(), source))
}

/// The digest of the tarball: old entries have it behind the URL alone.
pub(super) fn integrity(entry: &Block<'_>, source: &Source) -> Option<Integrity> {
    let is_tarball =
        matches!(source, Source::Npm { .. } | Source::RemoteTarball { .. } | Source::LocalTarball { .. });
    let stated = || entry.text("integrity").and_then(Integrity::parse);
    let fragment =
        || entry.text("resolved")?.split_once('#').and_then(|(_, sum)| Integrity::from_shasum(sum));
    is_tarball.then(|| stated().or_else(fragment)).flatten()
}
