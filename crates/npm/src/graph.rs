//! The dependency graph: packages, the dependencies each one declares, and the package each
//! dependency is bound to. A structure of arrays named by `u32` ids; the lockfile, the resolver,
//! the hoister and the planner all read this one shape. Names enter through [`PackageName`], so
//! every name here is safe as a path.

mod constraints;
mod ids;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use crate::credential::without_credentials;
use crate::integrity::Integrity;
use crate::manifest;
use crate::name::{NameError, PackageName};
use crate::semver::Version;

pub use constraints::{Constraints, Cpu, Libc, NameSet, Names, Os, Platform};
pub use ids::{IdMap, IdSet};

/// Packages of one name in one graph. Real projects have up to 30, and each dependency on the name
/// is compared with all of them.
pub const VERSIONS_MAX: usize = 256;

/// Immutable string, shared by the graph, packuments and manifests.
pub type Text = Arc<str>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PackageId(pub u32);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DependencyId(pub u32);

/// An interned package name: equal ids are equal names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(pub u32);

#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// The name in the project's package.json; any string.
    pub project_name: Option<Text>,
    /// Clones share all except the bindings until one of them changes it.
    names: Arc<Interned>,
    packages: Arc<Vec<Package>>,
    dependencies: Arc<Vec<Dependency>>,
    /// Parallel to `dependencies`.
    bindings: Vec<Option<PackageId>>,
}

#[derive(Clone, Debug, Default)]
struct Interned {
    list: Vec<PackageName>,
    ids: HashMap<PackageName, NameId>,
    /// Parallel to `list`: the packages with this real name, in order of creation.
    packages: Vec<Vec<PackageId>>,
}

/// A package at one version from one source.
#[derive(Clone, Debug)]
pub struct Package {
    /// The package's own name; its directory is named by the dependency.
    pub name: NameId,
    pub source: Source,
    pub dependencies: Range<u32>,
    pub constraints: Constraints,
    /// `engines.node`, if the lockfile states it.
    pub node: Option<Text>,
    pub bin: Bin,
    pub integrity: Option<Integrity>,
    pub has_install_script: bool,
}

/// The source of a package.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// The project itself. A dependency may point at it: `[ "name@root:" ]` in the lockfile.
    Root,
    /// A member, by its path from the project, and the version its package.json states.
    Workspace {
        path: Text,
        version: Option<Version>,
    },
    /// A registry's release. `tarball` is empty for the usual URL of the default registry.
    Npm {
        version: Version,
        tarball: Text,
    },
    /// `file:` a directory, by its path from the project.
    Directory {
        path: Text,
    },
    /// `link:` a directory, by its path from the project.
    Link {
        path: Text,
    },
    /// A tarball on this machine, by its path from the project.
    LocalTarball {
        path: Text,
    },
    RemoteTarball {
        url: Text,
    },
    /// A repository at a commit; `tag` names the directory it is unpacked into in bun's cache.
    Git {
        repository: Text,
        tag: Text,
    },
    Github {
        repository: Text,
        tag: Text,
    },
}

/// One entry of a package's dependency groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dependency {
    /// The directory's name in node_modules.
    pub name: NameId,
    /// The specifier as written.
    pub literal: Text,
    pub role: Role,
    /// It came inside its dependent's tarball.
    pub bundled: bool,
}

/// The group of a dependency. The order is the one in which a package's dependencies are
/// decided and placed, so it is part of the lockfile's format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A member of the workspace, implied by the `workspaces` of the root.
    Workspace,
    Development,
    Optional,
    Production,
    Peer,
    OptionalPeer,
}

/// The programs a package offers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Bin {
    #[default]
    None,
    /// One file, called like the package without its scope.
    File(Text),
    /// Name and file, in the order of the manifest.
    Named(Vec<(Text, Text)>),
    /// Every file of this directory, by its own name.
    Directory(Text),
}

impl From<&manifest::Bin> for Bin {
    fn from(bin: &manifest::Bin) -> Bin {
        match bin {
            manifest::Bin::None => Bin::None,
            manifest::Bin::File(file) => Bin::File(file.as_str().into()),
            manifest::Bin::Directory(dir) => Bin::Directory(dir.as_str().into()),
            manifest::Bin::Map(files) => Bin::Named(
                files.iter().map(|(name, file)| (name.as_str().into(), file.as_str().into())).collect(),
            ),
        }
    }
}

impl Package {
    /// A package of which only name and source are known.
    pub fn new(name: NameId, source: Source) -> Package {
        Package {
            name,
            source,
            dependencies: 0..0,
            constraints: Constraints::default(),
            node: None,
            bin: Bin::None,
            integrity: None,
            has_install_script: false,
        }
    }
}

impl Role {
    pub fn is_peer(self) -> bool {
        matches!(self, Role::Peer | Role::OptionalPeer)
    }

    /// Whether an install may continue without it.
    pub fn may_stay_unbound(self) -> bool {
        matches!(self, Role::Optional | Role::Peer | Role::OptionalPeer)
    }

    /// The position among a package's dependencies; the two kinds of peers mix.
    pub fn rank(self) -> u8 {
        match self {
            Role::Workspace => 0,
            Role::Development => 1,
            Role::Optional => 2,
            Role::Production => 3,
            Role::Peer | Role::OptionalPeer => 4,
        }
    }
}

impl Graph {
    /// The id of a name; equal names have equal ids. Fails for a name that is not safe as a path.
    pub fn intern(&mut self, name: &str) -> Result<NameId, NameError> {
        if let Some(&id) = self.names.ids.get(name) {
            return Ok(id);
        }
        let name = PackageName::parse(name)?;
        let id = NameId(to_u32(self.names.list.len()));
        let names = Arc::make_mut(&mut self.names);
        names.list.push(name.clone());
        names.packages.push(Vec::new());
        names.ids.insert(name, id);
        Ok(id)
    }

    pub fn name(&self, id: NameId) -> &PackageName {
        &self.names.list[id.0 as usize]
    }

    pub fn find_name(&self, name: &str) -> Option<NameId> {
        self.names.ids.get(name).copied()
    }

    /// Makes room for that many more packages with names of their own.
    pub fn reserve(&mut self, packages: usize) {
        Arc::make_mut(&mut self.packages).reserve(packages);
        let names = Arc::make_mut(&mut self.names);
        names.list.reserve(packages);
        names.ids.reserve(packages);
        names.packages.reserve(packages);
    }

    /// Adds a package with its dependencies, which are put in order and left unbound.
    pub fn add(&mut self, mut package: Package, mut dependencies: Vec<Dependency>) -> PackageId {
        dependencies
            .sort_by(|a, b| (a.role.rank(), self.name(a.name)).cmp(&(b.role.rank(), self.name(b.name))));
        let start = self.dependencies.len();
        Arc::make_mut(&mut self.dependencies).append(&mut dependencies);
        let end = self.dependencies.len();
        self.bindings.resize(end, None);
        package.dependencies = to_u32(start)..to_u32(end);
        let id = PackageId(to_u32(self.packages.len()));
        Arc::make_mut(&mut self.names).packages[package.name.0 as usize].push(id);
        Arc::make_mut(&mut self.packages).push(package);
        id
    }

    /// Adds a package of another graph with its dependencies, unbound.
    pub fn copy(&mut self, other: &Graph, id: PackageId) -> PackageId {
        let mut package = other.package(id).clone();
        package.name = self.intern_known(other.package_name(id));
        let dependencies = other.dependencies_of(id).map(|dependency| {
            let mut dependency = other.dependency(dependency).clone();
            dependency.name = self.intern_known(other.name(dependency.name));
            dependency
        });
        let dependencies = dependencies.collect();
        self.add(package, dependencies)
    }

    fn intern_known(&mut self, name: &PackageName) -> NameId {
        self.intern(name.as_str()).expect("it was a package name in the other graph")
    }

    pub fn package(&self, id: PackageId) -> &Package {
        &self.packages[id.0 as usize]
    }

    pub fn package_mut(&mut self, id: PackageId) -> &mut Package {
        &mut Arc::make_mut(&mut self.packages)[id.0 as usize]
    }

    pub fn package_name(&self, id: PackageId) -> &PackageName {
        self.name(self.package(id).name)
    }

    pub fn package_ids(&self) -> impl Iterator<Item = PackageId> + use<> {
        (0..to_u32(self.packages.len())).map(PackageId)
    }

    pub fn len(&self) -> usize {
        self.packages.len()
    }

    pub fn is_empty(&self) -> bool {
        self.packages.is_empty()
    }

    /// The packages with this real name, oldest first.
    pub fn packages_named(&self, name: NameId) -> &[PackageId] {
        self.names.packages.get(name.0 as usize).map_or(&[], Vec::as_slice)
    }

    /// The package with this name and source. Registry packages are equal if their versions are.
    pub fn find(&self, name: NameId, source: &Source) -> Option<PackageId> {
        self.packages_named(name).iter().copied().find(|&id| self.package(id).source.is_same(source))
    }

    pub fn dependency(&self, id: DependencyId) -> &Dependency {
        &self.dependencies[id.0 as usize]
    }

    /// A package's dependencies, in order.
    pub fn dependencies_of(&self, id: PackageId) -> impl DoubleEndedIterator<Item = DependencyId> + use<> {
        self.package(id).dependencies.clone().map(DependencyId)
    }

    pub fn binding(&self, id: DependencyId) -> Option<PackageId> {
        self.bindings[id.0 as usize]
    }

    /// Every dependency's binding, by its id.
    pub fn bindings(&self) -> &[Option<PackageId>] {
        &self.bindings
    }

    pub fn bind(&mut self, id: DependencyId, package: Option<PackageId>) {
        self.bindings[id.0 as usize] = package;
    }

    /// Replaces a dependency's specifier by another one that means the same package.
    pub fn rewrite(&mut self, id: DependencyId, literal: Text) {
        Arc::make_mut(&mut self.dependencies)[id.0 as usize].literal = literal;
    }

    pub fn mark_bundled(&mut self, id: DependencyId) {
        Arc::make_mut(&mut self.dependencies)[id.0 as usize].bundled = true;
    }

    /// `name@version`, `name@workspace:path` …: how messages and the lockfile name a package.
    pub fn label(&self, id: PackageId) -> String {
        format!("{}@{}", self.package_name(id), self.package(id).source.text())
    }
}

impl Source {
    /// The part after `name@` in the lockfile.
    pub fn text(&self) -> String {
        match self {
            Source::Root => "root:".to_owned(),
            Source::Workspace { path, .. } => format!("workspace:{path}"),
            Source::Npm { version, .. } => version.to_string(),
            Source::Directory { path } => format!("file:{path}"),
            Source::Link { path } => format!("link:{path}"),
            Source::LocalTarball { path } => path.to_string(),
            Source::RemoteTarball { url } => url.to_string(),
            Source::Git { repository, .. } => format!("git+{repository}"),
            Source::Github { repository, .. } => format!("github:{repository}"),
        }
    }

    /// [`Source::text`] without the credentials of a URL, for what is shown or published.
    pub fn shown(&self) -> String {
        without_credentials(&self.text())
    }

    pub fn npm_version(&self) -> Option<&Version> {
        match self {
            Source::Npm { version, .. } => Some(version),
            _ => None,
        }
    }

    /// Whether two packages of one name are one package: a registry's release is known by its
    /// version, independent of its tarball's URL, and a workspace by its path.
    pub fn is_same(&self, other: &Source) -> bool {
        match (self, other) {
            (Source::Npm { version: a, .. }, Source::Npm { version: b, .. }) => a == b,
            (Source::Workspace { path: a, .. }, Source::Workspace { path: b, .. }) => a == b,
            _ => self == other,
        }
    }

    /// Whether both are sources of the same kind, regardless of their fields.
    pub fn is_same_kind(&self, other: &Source) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
    }
}

fn to_u32(index: usize) -> u32 {
    u32::try_from(index).expect("lockfiles and registries are bounded far below 2^32 entries")
}
