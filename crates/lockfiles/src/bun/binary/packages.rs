//! The columns of packages, and the graph made of them.

use std::collections::HashMap;
use std::ops::Range;

use rusk_base::{Problem, Result};
use rusk_npm::graph::{
    Bin, Constraints, Dependency, Graph, NameId, NameSet, Names, Package, PackageId, Role, Source, Text,
    VERSIONS_MAX,
};
use rusk_npm::integrity::{Algorithm, Integrity};
use rusk_npm::semver::Version;

use super::FormatVersion;
use super::buffers::{Buffers, STRING_BYTES, StoredDependency};
use super::cursor::{Cursor, to_usize, u16_at, u32_at, u64_at};
use crate::problem;

const META_BYTES: usize = 88;
const BIN_BYTES: usize = 20;
/// Kind and padding in front of what a package is resolved to.
const RESOLUTION_HEAD_BYTES: usize = 8;
/// Since bun 0.6.8; before, scripts were missing.
const FIELDS: [u64; 2] = [7, 8];

/// Bits of `os` in the file, from the second on.
const OS: [&str; 8] = ["aix", "darwin", "freebsd", "linux", "openbsd", "sunos", "win32", "android"];
const CPU: [&str; 11] =
    ["arm", "arm64", "ia32", "mips", "mipsel", "ppc", "ppc64", "s390", "s390x", "x32", "x64"];
const LIBC: [&str; 2] = ["glibc", "musl"];

const MEMBER_PREFIX: &str = "workspace:";

/// Stands for a project whose name could not be a package's, as in `bun.lock`.
const PROJECT: &str = "project";

pub(super) struct PackageColumns<'a> {
    count: usize,
    names: &'a [u8],
    hashes: &'a [u8],
    resolutions: &'a [u8],
    dependencies: &'a [u8],
    bindings: &'a [u8],
    meta: &'a [u8],
    bins: &'a [u8],
    resolution_bytes: usize,
}

impl<'a> PackageColumns<'a> {
    pub(super) fn read(cursor: &mut Cursor<'a>, layout: FormatVersion) -> Result<PackageColumns<'a>> {
        let count = to_usize(cursor.u64()?)?;
        // The alignment of a row.
        cursor.u64()?;
        if !FIELDS.contains(&cursor.u64()?) {
            return Err(problem::binary_lockfile("packages have an unknown number of fields"));
        }
        let (begin, end) = (to_usize(cursor.u64()?)?, to_usize(cursor.u64()?)?);
        cursor.skip_to(begin)?;
        let resolution_bytes = RESOLUTION_HEAD_BYTES + STRING_BYTES + layout.version_bytes();
        let mut column = |bytes: usize| {
            let length = count.checked_mul(bytes);
            cursor.take(length.ok_or_else(|| problem::binary_lockfile("it has too many packages"))?)
        };
        let columns = PackageColumns {
            count,
            names: column(STRING_BYTES)?,
            hashes: column(8)?,
            resolutions: column(resolution_bytes)?,
            dependencies: column(8)?,
            bindings: column(8)?,
            meta: column(META_BYTES)?,
            bins: column(BIN_BYTES)?,
            resolution_bytes,
        };
        cursor.skip_to(end)?;
        Ok(columns)
    }

    fn row(&self, column: &'a [u8], bytes: usize, index: usize) -> &'a [u8] {
        &column[index * bytes..][..bytes]
    }

    /// Names of packages by their hash: what the file says of a name, it says of its hash.
    pub(super) fn names_by_hash(&self, buffers: &Buffers<'a>) -> Result<HashMap<u64, &'a str>> {
        (0..self.count)
            .map(|index| {
                let name = buffers.text(self.row(self.names, STRING_BYTES, index))?;
                Ok((self.hash(index), name))
            })
            .collect()
    }

    fn hash(&self, index: usize) -> u64 {
        u64_at(self.hashes, index * 8)
    }
}

pub(super) fn graph(
    columns: &PackageColumns<'_>,
    buffers: &Buffers<'_>,
    layout: FormatVersion,
    member_versions: &HashMap<u64, String>,
) -> Result<Graph> {
    let mut builder = GraphBuilder {
        columns,
        buffers,
        layout,
        member_versions,
        graph: Graph::default(),
        dependencies_left: buffers.dependency_count(),
        bindings: Vec::new(),
    };
    if columns.count == 0 {
        return Err(problem::binary_lockfile("it has no project"));
    }
    for index in 0..columns.count {
        builder.add(index)?;
    }
    builder.bind()
}

struct GraphBuilder<'c, 'a> {
    columns: &'c PackageColumns<'a>,
    buffers: &'c Buffers<'a>,
    layout: FormatVersion,
    member_versions: &'c HashMap<u64, String>,
    graph: Graph,
    /// Each stored dependency belongs to one package, so that a small file cannot be a large graph.
    dependencies_left: usize,
    /// By package: name and role of its dependencies, and what they are bound to.
    bindings: Vec<HashMap<(NameId, Role), PackageId>>,
}

impl GraphBuilder<'_, '_> {
    fn add(&mut self, index: usize) -> Result<()> {
        let columns = self.columns;
        let text = self.buffers.text(columns.row(columns.names, STRING_BYTES, index))?;
        let source = self.source(index)?;
        if (source == Source::Root) != (index == 0) {
            return Err(problem::binary_lockfile("the project is not its first package"));
        }
        let name = match index {
            0 => self.project_name(text),
            _ => self.name(text)?,
        };
        if self.graph.packages_named(name).len() >= VERSIONS_MAX {
            return Err(problem::binary_lockfile(&format!("`{text}` has more than {VERSIONS_MAX} versions")));
        }
        let mut package = Package::new(name, source);
        let meta = columns.row(columns.meta, META_BYTES, index);
        package.constraints = constraints(meta);
        package.integrity = integrity(meta);
        package.has_install_script = meta[META_SCRIPT_AT] == HAS_SCRIPT;
        package.bin = self.bin(columns.row(columns.bins, BIN_BYTES, index))?;
        let dependencies = self.dependencies(index)?;
        self.graph.add(package, dependencies);
        Ok(())
    }

    fn project_name(&mut self, text: &str) -> NameId {
        self.graph.project_name = Some(text).filter(|text| !text.is_empty()).map(Text::from);
        let own = self.graph.intern(text).ok();
        own.unwrap_or_else(|| self.graph.intern(PROJECT).expect("a valid name"))
    }

    fn name(&mut self, text: &str) -> Result<NameId> {
        let name = self.graph.intern(text);
        name.map_err(|_| problem::binary_lockfile(&format!("`{text}` is not a package name")))
    }

    fn dependencies(&mut self, index: usize) -> Result<Vec<Dependency>> {
        let columns = self.columns;
        let range = |column| range(columns.row(column, 8, index));
        let stored = self.buffers.dependencies(range(columns.dependencies), range(columns.bindings))?;
        let left = self.dependencies_left.checked_sub(stored.len());
        self.dependencies_left =
            left.ok_or_else(|| problem::binary_lockfile("packages share their dependencies"))?;
        let mut bindings = HashMap::new();
        let mut dependencies = Vec::with_capacity(stored.len());
        for (StoredDependency { name, literal, role, bundled, is_member }, bound) in stored {
            let name = self.name(name)?;
            if let Some(id) = bound {
                if id as usize >= columns.count {
                    return Err(problem::binary_lockfile("a dependency is bound to no package"));
                }
                bindings.insert((name, role), PackageId(id));
            }
            let literal = match (role, bound) {
                (Role::Workspace, Some(id)) => self.member_path(id as usize)?,
                _ if is_member && !literal.starts_with(MEMBER_PREFIX) => format!("{MEMBER_PREFIX}{literal}"),
                _ => literal.to_owned(),
            };
            dependencies.push(Dependency { name, literal: literal.into(), role, bundled });
        }
        self.bindings.push(bindings);
        Ok(dependencies)
    }

    fn member_path(&self, index: usize) -> Result<String> {
        match self.source(index)? {
            Source::Workspace { path, .. } => Ok(path.to_string()),
            _ => Err(problem::binary_lockfile("a member is no directory of the project")),
        }
    }

    fn bind(mut self) -> Result<Graph> {
        for (package, bindings) in self.graph.package_ids().zip(&self.bindings) {
            for id in self.graph.dependencies_of(package) {
                let dependency = self.graph.dependency(id);
                let (key, role) = ((dependency.name, dependency.role), dependency.role);
                let bound = bindings.get(&key).copied();
                if bound.is_none() && !role.may_stay_unbound() {
                    let name = self.graph.name(key.0);
                    return Err(problem::binary_lockfile(&format!("it has no package for `{name}`")));
                }
                self.graph.bind(id, bound);
            }
        }
        Ok(self.graph)
    }

    fn source(&self, index: usize) -> Result<Source> {
        let columns = self.columns;
        let row = columns.row(columns.resolutions, columns.resolution_bytes, index);
        let value = &row[RESOLUTION_HEAD_BYTES..];
        let first = || self.buffers.text_at(value, 0).map(Text::from);
        Ok(match row[0] {
            1 => Source::Root,
            2 => {
                let version = self.buffers.version(&value[STRING_BYTES..], self.layout)?;
                Source::Npm { version: parse_version(&version)?, tarball: first()? }
            }
            4 => Source::Directory { path: first()? },
            8 => Source::LocalTarball { path: first()? },
            16 | 32 => self.repository(row[0] == 16, value)?,
            64 => Source::Link { path: first()? },
            72 => {
                let version = self.member_versions.get(&columns.hash(index));
                let version = version.map(|version| parse_version(version)).transpose()?;
                Source::Workspace { path: first()?, version }
            }
            80 => Source::RemoteTarball { url: first()? },
            other => {
                return Err(problem::binary_lockfile(&format!("a package is of the unknown kind {other}")));
            }
        })
    }

    /// Owner, repository, what package.json names, the commit with what is before it in the name of
    /// its directory.
    fn repository(&self, is_github: bool, value: &[u8]) -> Result<Source> {
        let text = |at: usize| self.buffers.text_at(value, at * STRING_BYTES);
        let (owner, repository, committish, tag) = (text(0)?, text(1)?, text(2)?, text(3)?);
        let commit = tag.rsplit('-').next().filter(|commit| !commit.is_empty()).unwrap_or(committish);
        // `git@host:path`, as ssh takes it.
        let is_scp = owner.is_empty() && !repository.contains("://") && repository.contains(':');
        let place = match (owner, is_scp) {
            ("", true) => format!("ssh://{repository}"),
            ("", false) => repository.to_owned(),
            _ => format!("{owner}/{repository}"),
        };
        let repository: Text = format!("{place}#{commit}").into();
        Ok(match is_github {
            true => Source::Github { repository, tag: tag.into() },
            false => Source::Git { repository, tag: tag.into() },
        })
    }

    fn bin(&self, row: &[u8]) -> Result<Bin> {
        let value = &row[4..];
        let text = |at: usize| self.buffers.text_at(value, at * STRING_BYTES).map(Text::from);
        Ok(match row[0] {
            0 => Bin::None,
            1 => Bin::File(text(0)?),
            2 => Bin::Named(vec![(text(0)?, text(1)?)]),
            3 => Bin::Directory(text(0)?),
            4 => {
                let texts = self.buffers.external_strings_at(range(value))?;
                let pairs = texts.chunks_exact(2).map(|pair| (Text::from(pair[0]), Text::from(pair[1])));
                Bin::Named(pairs.collect())
            }
            other => {
                return Err(problem::binary_lockfile(&format!("programs are of the unknown kind {other}")));
            }
        })
    }
}

const META_INTEGRITY_AT: usize = 20;
const META_SCRIPT_AT: usize = 85;
const HAS_SCRIPT: u8 = 2;

fn constraints(meta: &[u8]) -> Constraints {
    // Before bun knew libc, the byte was zero.
    let libc = if meta[6] == 0 { u16::MAX } else { u16::from(meta[6]) };
    Constraints {
        cpu: names(&CPU, u16_at(meta, 2)),
        os: names(&OS, u16_at(meta, 4)),
        libc: names(&LIBC, libc),
    }
}

/// All names together are no restriction.
fn names<N: Names>(all: &[&str], bits: u16) -> NameSet<N> {
    let present: Vec<&str> =
        all.iter().enumerate().filter(|(bit, _)| bits >> (bit + 1) & 1 == 1).map(|(_, name)| *name).collect();
    match present.len() {
        0 => NameSet::parse(["none"]),
        count if count == all.len() => NameSet::all(),
        _ => NameSet::parse(present),
    }
}

fn integrity(meta: &[u8]) -> Option<Integrity> {
    let algorithm = match meta[META_INTEGRITY_AT] {
        1 => Algorithm::Sha1,
        2 => Algorithm::Sha256,
        3 => Algorithm::Sha384,
        4 => Algorithm::Sha512,
        _ => return None,
    };
    Integrity::new(algorithm, &meta[META_INTEGRITY_AT + 1..][..algorithm.digest_bytes()])
}

fn parse_version(text: &str) -> Result<Version> {
    let problem = || -> Problem { problem::binary_lockfile(&format!("`{text}` is not a version")) };
    Version::parse(text).ok_or_else(problem)
}

/// An offset and a length.
fn range(row: &[u8]) -> Range<usize> {
    let (offset, length) = (u32_at(row, 0) as usize, u32_at(row, 4) as usize);
    offset..offset.saturating_add(length)
}
