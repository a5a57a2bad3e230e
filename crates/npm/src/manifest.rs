//! package.json. In: source text. Out: the values that an install needs. Keys are read as in bun:
//! those that an install needs (dependency groups, overrides, workspaces, trust) must have the
//! right type; others are ignored if they have another type. Absent: parsing specifiers and ranges.

use std::collections::HashSet;
use std::sync::Arc;

use rusk_base::Result;

use crate::dev_engines::DevEngines;
use crate::hoisting_limit::HoistingLimit;
use crate::json::{self, Dialect, Node};
use crate::overrides::{self, Overrides};
use crate::package_extensions::PackageExtensions;
use crate::problem;
use crate::script_approvals::ScriptApprovals;
use crate::yarn_patch::YarnPatch;

use fields::Fields;
pub use scripts::Scripts;

pub(crate) mod fields;
mod scripts;

/// Names and literals, in the order of the file. A duplicate name has its last literal, at the
/// first position.
pub type Pairs = Vec<(String, String)>;

/// A larger package.json is rejected, because it is read into memory. Real ones are below 1 MiB.
pub const MANIFEST_BYTES_MAX: usize = 16 << 20;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    pub name: Option<String>,
    pub version: Option<String>,
    pub private: bool,
    pub dependencies: Pairs,
    pub dev_dependencies: Pairs,
    pub optional_dependencies: Pairs,
    /// Names that are only in `peerDependenciesMeta` are included, as `*`.
    pub peer_dependencies: Pairs,
    /// Names with `optional: true` in `peerDependenciesMeta`.
    pub optional_peers: Vec<String>,
    pub bundled: Bundled,
    /// From `overrides`, else from `resolutions`; never both.
    pub overrides: Overrides,
    /// Globs; `!` in front of a glob takes directories away.
    pub workspaces: Vec<String>,
    /// The default catalog.
    pub catalog: Pairs,
    pub catalogs: Vec<(String, Pairs)>,
    pub trusted_dependencies: Option<Vec<String>>,
    /// Whose install scripts may run; matters in the project itself only.
    pub script_approvals: ScriptApprovals,
    /// `name@version` and the path of its patch.
    pub patched_dependencies: Pairs,
    /// pnpm's `pnpm.packageExtensions`.
    pub package_extensions: Arc<PackageExtensions>,
    pub scripts: Pairs,
    pub bin: Bin,
    pub engines: Pairs,
    pub os: Vec<String>,
    pub cpu: Vec<String>,
    pub libc: Vec<String>,
    /// `packageManager`, as written.
    pub package_manager: Option<String>,
    /// `devEngines`; an error says what was expected, and matters in the project itself only.
    pub dev_engines: Option<std::result::Result<DevEngines, String>>,
    /// `installConfig.hoistingLimits` of Yarn.
    pub hoisting_limit: Option<HoistingLimit>,
    /// Filled by `separate_patches`.
    pub yarn_patches: Vec<YarnPatch>,
    /// What was passed over and the user should know: one line each, with its line number.
    pub warnings: Vec<String>,
}

/// One of the four maps of package.json that name dependencies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Group {
    Production,
    Development,
    Optional,
    Peer,
}

/// Dependencies that are bundled in the package's tarball.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Bundled {
    #[default]
    None,
    All,
    Names(Vec<String>),
}

/// The programs of a package; paths are relative to the package and not yet checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Bin {
    #[default]
    None,
    /// One program, called as the package is without its scope.
    File(String),
    /// Program name and path.
    Map(Pairs),
    /// `directories.bin`: every file of a directory.
    Directory(String),
}

impl Group {
    pub const ALL: [Group; 4] = [Group::Production, Group::Development, Group::Optional, Group::Peer];

    /// The key in package.json and `bun.lock`.
    pub fn key(self) -> &'static str {
        match self {
            Group::Production => "dependencies",
            Group::Development => "devDependencies",
            Group::Optional => "optionalDependencies",
            Group::Peer => "peerDependencies",
        }
    }
}

impl Manifest {
    /// Reads package.json as bun does: comments and trailing commas are allowed.
    pub fn parse(text: &str) -> Result<Manifest> {
        let root = parse_root(text)?;
        let fields = Fields { text, root: &root };
        let mut manifest = Manifest::default();
        manifest.read_identity(&fields);
        manifest.read_groups(&fields)?;
        manifest.read_workspaces(&fields)?;
        manifest.read_trust(&fields)?;
        manifest.read_platform(&fields);
        manifest.overrides = overrides::read(&fields, &mut manifest)?;
        Ok(manifest)
    }

    /// Replaces literals of Yarn's `patch:` protocol by those of the packages themselves; the
    /// patches are listed apart.
    pub fn separate_patches(&mut self) {
        let mut patches = Vec::new();
        let mut separate = |name: &str, literal: &mut String| {
            if let Some(patch) = YarnPatch::parse(name, literal) {
                literal.clone_from(&patch.literal);
                patches.push(patch);
            }
        };
        let groups = [&mut self.dependencies, &mut self.dev_dependencies, &mut self.optional_dependencies];
        for (name, literal) in groups.into_iter().flatten() {
            separate(name, literal);
        }
        for rule in &mut self.overrides.rules {
            separate(&rule.target.name, &mut rule.literal);
        }
        self.yarn_patches.extend(patches);
    }

    /// The four groups in the order of [`Group::ALL`].
    pub fn groups(&self) -> [(Group, &Pairs); 4] {
        Group::ALL.map(|group| (group, self.group(group)))
    }

    pub fn group(&self, group: Group) -> &Pairs {
        match group {
            Group::Production => &self.dependencies,
            Group::Development => &self.dev_dependencies,
            Group::Optional => &self.optional_dependencies,
            Group::Peer => &self.peer_dependencies,
        }
    }

    fn read_identity(&mut self, fields: &Fields<'_>) {
        self.name = fields.string("name").filter(|name| !name.is_empty());
        self.version = fields.string("version");
        self.private = fields.find("private").and_then(Node::as_bool).unwrap_or(false);
        self.package_manager = fields.string("packageManager");
        self.dev_engines = fields.find("devEngines").map(DevEngines::parse);
        self.scripts = fields.strings_of("scripts");
        self.engines = fields.strings_of("engines");
        self.bin = bin(fields);
        let limit = fields.find("installConfig").and_then(|config| config.find("hoistingLimits"));
        self.hoisting_limit = limit.and_then(Node::as_str).and_then(HoistingLimit::of_name);
    }

    fn read_groups(&mut self, fields: &Fields<'_>) -> Result<()> {
        self.dependencies = fields.dependencies(Group::Production.key())?;
        self.dev_dependencies = fields.dependencies(Group::Development.key())?;
        self.optional_dependencies = fields.dependencies(Group::Optional.key())?;
        self.peer_dependencies = fields.dependencies(Group::Peer.key())?;
        self.optional_peers = fields.optional_peers()?;
        let named: HashSet<&str> = self.peer_dependencies.iter().map(|(peer, _)| peer.as_str()).collect();
        let implied = self.optional_peers.iter().filter(|name| !named.contains(name.as_str()));
        let implied: Pairs = implied.map(|name| (name.clone(), "*".to_owned())).collect();
        self.peer_dependencies.extend(implied);
        self.bundled = bundled(fields);
        Ok(())
    }

    /// `workspaces` is a list of globs, or an object with such a list and catalogs. Catalogs at the
    /// top level are used only if `workspaces` has none.
    fn read_workspaces(&mut self, fields: &Fields<'_>) -> Result<()> {
        let Some(node) = fields.find("workspaces") else {
            return self.read_catalogs(fields);
        };
        if node.is_array() {
            self.workspaces = fields.names("workspaces", node)?;
            return self.read_catalogs(fields);
        }
        if !node.is_object() {
            return Err(fields.wrong_kind("workspaces", node, "a list of globs"));
        }
        if let Some(packages) = node.find("packages") {
            self.workspaces = fields.names("workspaces.packages", packages)?;
        }
        match node.find("catalog").or_else(|| node.find("catalogs")) {
            Some(_) => self.read_catalogs(&Fields { text: fields.text, root: node }),
            None => self.read_catalogs(fields),
        }
    }

    fn read_catalogs(&mut self, fields: &Fields<'_>) -> Result<()> {
        if let Some(node) = fields.find("catalog").filter(|node| node.is_object()) {
            self.catalog = fields.literals("catalog", node)?;
        }
        let mut catalogs = Vec::new();
        for member in fields.find("catalogs").map(Node::members).unwrap_or_default() {
            if member.node.is_object() {
                let literals = fields.literals(&format!("catalogs.{}", member.key), &member.node)?;
                catalogs.push((member.key.to_string(), literals));
            }
        }
        self.catalogs = fields::last_of_each(catalogs);
        Ok(())
    }

    fn read_trust(&mut self, fields: &Fields<'_>) -> Result<()> {
        if let Some(node) = fields.find("trustedDependencies") {
            self.trusted_dependencies = Some(fields.names("trustedDependencies", node)?);
        }
        self.script_approvals = ScriptApprovals::read(fields)?;
        self.patched_dependencies = fields.strings_of("patchedDependencies");
        if let Some(node) = fields.find("pnpm").and_then(|pnpm| pnpm.find("packageExtensions")) {
            let extensions = PackageExtensions::parse(node);
            let extensions =
                extensions.map_err(|expected| problem::package_extensions(fields.text, node, &expected))?;
            self.package_extensions = Arc::new(extensions);
        }
        Ok(())
    }

    fn read_platform(&mut self, fields: &Fields<'_>) {
        self.os = fields.string_or_list("os");
        self.cpu = fields.string_or_list("cpu");
        self.libc = fields.string_or_list("libc");
    }
}

fn parse_root(text: &str) -> Result<Node<'_>> {
    if text.len() > MANIFEST_BYTES_MAX {
        return Err(problem::manifest_too_large(text.len()));
    }
    let root = json::parse(text, Dialect::Relaxed).map_err(problem::manifest_syntax)?;
    match root.is_object() {
        true => Ok(root),
        false => Err(problem::manifest_kind(text, "package.json", &root, "an object")),
    }
}

fn bundled(fields: &Fields<'_>) -> Bundled {
    let node = fields.find("bundleDependencies").or_else(|| fields.find("bundledDependencies"));
    match node {
        Some(node) if node.as_bool() == Some(true) => Bundled::All,
        Some(node) if !node.elements().is_empty() => Bundled::Names(fields::strings(node)),
        _ => Bundled::None,
    }
}

fn bin(fields: &Fields<'_>) -> Bin {
    match fields.find("bin") {
        Some(node) if node.is_object() => Bin::Map(fields.strings_of("bin")),
        Some(node) if node.as_str().is_some_and(|path| !path.is_empty()) => {
            Bin::File(node.as_str().unwrap_or_default().to_owned())
        }
        _ => fields
            .find("directories")
            .and_then(|directories| directories.find("bin"))
            .and_then(Node::as_str)
            .filter(|path| !path.is_empty())
            .map_or(Bin::None, |path| Bin::Directory(path.to_owned())),
    }
}

#[cfg(test)]
mod tests;
