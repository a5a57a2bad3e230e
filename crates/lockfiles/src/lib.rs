//! Lockfiles of npm, pnpm, Yarn and bun as values: text in, a bound graph out, and back with the
//! smallest difference. In: the text of a lockfile, or a new graph beside the old text. Out: a
//! [`Lockfile`], or a new text. Absent: files, the network, resolution. How to add a format is
//! written in `docs/contributing/lockfiles.md`.

pub mod begin;
pub mod bun;
pub mod format;
pub mod locations;
pub mod npm;
pub mod pnpm;
pub mod pnpm_workspace;
mod problem;
pub mod settings;
pub mod unfinished_migration;
mod yaml;
pub mod yarn;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rusk_base::Result;
use rusk_npm::bun_lock::Rules;
use rusk_npm::bunfig::Linker;
use rusk_npm::graph::Text;
use rusk_npm::graph::{Graph, PackageId};
use rusk_npm::manifest::{Manifest, Pairs};
use rusk_npm::package_extensions::PackageExtensions;
use rusk_npm::tree::Tree;
use sha2::{Digest, Sha256};

pub use format::{Format, Tool, choose};

/// A lockfile larger than this is not one: 100,000 packages take about 80 MB in npm's format.
pub const BYTES_MAX: u64 = 256 << 20;

/// What a lockfile says.
#[derive(Clone, Debug)]
pub struct Lockfile {
    /// Every dependency is bound to the package that its own package manager gives it.
    pub graph: Graph,
    /// Overrides and catalogs of package.json that the file repeats. `None`: the format repeats
    /// none, so whether they still hold is checked by the versions.
    pub rules: Option<Rules>,
    /// Where packages lie; `None` for a format that does not say.
    pub tree: Option<Tree>,
    /// By package: what tells it from others of its name and version, for a format in which the
    /// peers of each package are bound for good. `None`: a layout resolves peers from each
    /// dependent.
    pub instances: Option<Vec<Text>>,
    pub details: FormatDetails,
}

/// What only one format has, and must be written again.
#[derive(Clone, Debug)]
pub enum FormatDetails {
    Bun(bun::BunDetails),
    /// The rest is in the text itself.
    Npm,
    YarnClassic,
    YarnBerry(yarn::berry::BerryDetails),
    Pnpm(pnpm::PnpmDetails),
}

/// The lockfile that is replaced.
#[derive(Clone, Copy)]
pub struct Previous<'a> {
    pub text: &'a str,
    pub lockfile: &'a Lockfile,
    /// By package of the new graph: the package of the old graph that it is.
    pub origins: &'a [Option<PackageId>],
}

/// What is to be written.
pub struct NewLockfile<'a> {
    pub graph: &'a Graph,
    pub rules: &'a Rules,
    /// From [`arrange`], or else hoisted.
    pub tree: &'a Tree,
    /// The project first, then its members.
    pub members: &'a [MemberText<'a>],
    /// Fields of a registry's release that the graph does not hold.
    pub facts: &'a mut dyn FnMut(PackageId) -> Option<ReleaseFacts>,
}

/// A package.json of the project.
#[derive(Clone, Copy, Debug)]
pub struct MemberText<'a> {
    /// Relative to the project; empty for the project.
    pub path: &'a str,
    pub text: &'a str,
    /// Parsed, with the settings that the project has elsewhere.
    pub manifest: Option<&'a Manifest>,
}

/// What a packument says about one version, and a lockfile may repeat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReleaseFacts {
    /// Of a package that is in no registry.
    pub version: Option<String>,
    /// package.json of a directory that is linked.
    pub manifest_text: Option<String>,
    pub engines: Pairs,
    pub os: Vec<String>,
    pub cpu: Vec<String>,
    pub libc: Vec<String>,
    pub deprecated: Option<String>,
    /// All that `peerDependenciesMeta` names as optional.
    pub optional_peers: Vec<String>,
    pub license: Option<String>,
    /// JSON: an address, an object, or a list of them.
    pub funding: Option<String>,
    /// SHA-1 of the tarball, in hex.
    pub shasum: Option<String>,
}

/// Reads a lockfile of this format. `members`: the project first, then its members, for a format
/// that does not repeat their dependencies.
pub fn read(format: Format, text: &str, members: &[MemberText<'_>]) -> Result<Lockfile> {
    match format {
        Format::Bun => bun::read(text),
        Format::NpmShrinkwrap | Format::NpmLock => npm::read(format.file_name(), text),
        Format::Pnpm => pnpm::read(text, members),
        Format::Yarn => yarn::read(text, members),
    }
}

/// Where the packages of a new graph lie, for a format that records it; optional peers are bound to
/// what they find there. `None` for a format whose tree follows from the graph.
pub fn arrange(format: Format, previous: Option<&Previous<'_>>, graph: &mut Graph) -> Result<Option<Tree>> {
    match format {
        Format::Bun | Format::Pnpm | Format::Yarn => Ok(None),
        Format::NpmShrinkwrap | Format::NpmLock => npm::arrange(previous, graph).map(Some),
    }
}

/// Renders the new lockfile. What did not change keeps its text.
pub fn render(format: Format, previous: Option<&Previous<'_>>, new: &mut NewLockfile<'_>) -> String {
    match format {
        Format::Bun => bun::render(previous, new),
        Format::NpmShrinkwrap | Format::NpmLock => npm::render(previous, new),
        Format::Yarn => yarn::render(previous, new),
        Format::Pnpm => pnpm::render(previous, new),
    }
}

/// `packageExtensionsChecksum` of pnpm-lock.yaml; `None` without extensions.
pub fn extensions_checksum(extensions: &PackageExtensions) -> Option<String> {
    let digest = Sha256::digest(extensions.hash_text());
    (!extensions.is_empty()).then(|| format!("sha256-{}", STANDARD.encode(digest)))
}

impl Lockfile {
    /// The linker that the project uses if nothing is configured.
    pub fn default_linker(&self, has_workspaces: bool) -> Linker {
        match &self.details {
            FormatDetails::Bun(details) => details.default_linker(has_workspaces),
            FormatDetails::Npm | FormatDetails::YarnClassic | FormatDetails::YarnBerry(_) => Linker::Hoisted,
            FormatDetails::Pnpm(_) => Linker::Isolated,
        }
    }

    /// A dependency that its package has as a peer, too, is the dependent's, as Yarn installs it.
    pub fn bind_own_peers(&self, graph: &mut Graph) {
        if let FormatDetails::YarnBerry(details) = &self.details {
            details.bind_own_peers(graph);
        }
    }

    /// Whether the peers of the project and its members, optional ones too, are among their
    /// dependencies.
    pub fn installs_peers(&self) -> bool {
        matches!(self.details, FormatDetails::Pnpm(details) if details.installs_peers)
    }

    /// Whether the file does not say which peers packages have.
    pub fn omits_peers(&self) -> bool {
        matches!(self.details, FormatDetails::YarnClassic)
    }

    /// Whether the file does not say for which platforms packages are.
    pub fn omits_platforms(&self) -> bool {
        matches!(self.details, FormatDetails::YarnClassic)
    }
}
