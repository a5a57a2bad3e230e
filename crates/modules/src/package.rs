//! package.json for module resolution, parsed once per directory. In: its bytes. Out: name, type,
//! `exports`, `imports`, main files, `sideEffects`; or why it is invalid. Absent: members that
//! matter for installation.

pub(crate) mod targets;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_npm::json::{self, Dialect, Node, Value};

use targets::{ResolvedTarget, Target};

pub(crate) const FILE_NAME: &[u8] = b"package.json";

/// The same limit as for installed manifests: the largest one published has 7 MB.
pub(crate) const BYTES_MAX: usize = 16 << 20;

/// A package.json and its directory.
#[derive(Debug)]
pub struct PackageConfig {
    directory: PathBuf,
    name: Option<Box<str>>,
    kind: PackageType,
    mains: Vec<Box<str>>,
    tsconfig: Option<Box<str>>,
    exports: Option<Target>,
    imports: Option<Target>,
    side_effects: SideEffects,
}

/// The member `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackageType {
    Module,
    CommonJs,
    /// Absent, or an unknown value, which Node ignores.
    Unspecified,
}

/// The member `sideEffects`, for bundlers: whether an unused file may be dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SideEffects {
    Unspecified,
    None,
    All,
    /// The files that match these globs have some.
    Globs(Vec<Box<str>>),
}

/// The package.json of a directory.
#[derive(Clone, Debug)]
pub(crate) enum Manifest {
    Absent,
    Package(Arc<PackageConfig>),
    Invalid(Arc<str>),
}

impl PackageConfig {
    /// Uses those main fields that are strings, in the order of `main_fields`.
    pub(crate) fn parse(directory: &[u8], bytes: &[u8], main_fields: &[String]) -> Manifest {
        let text = String::from_utf8_lossy(bytes);
        let root = match json::parse(&text, Dialect::Strict) {
            Ok(root) => root,
            Err(error) => return Manifest::Invalid(format!("it is not JSON: {error}").into()),
        };
        if root.value == Value::Null {
            return Manifest::Invalid("it is null, expected an object".into());
        }
        let string = |key: &str| root.find(key).and_then(Node::as_str);
        let mains = main_fields.iter().filter_map(|field| string(field)).filter(|main| !main.is_empty());
        let is_defined = |node: &&Node<'_>| node.value != Value::Null;
        let is_target =
            |node: &&Node<'_>| matches!(node.value, Value::String(_) | Value::Array(_) | Value::Object(_));
        Manifest::Package(Arc::new(PackageConfig {
            directory: Path::new(OsStr::from_bytes(directory)).to_owned(),
            name: string("name").map(Box::from),
            kind: match string("type") {
                Some("module") => PackageType::Module,
                Some("commonjs") => PackageType::CommonJs,
                _ => PackageType::Unspecified,
            },
            mains: mains.map(Box::from).collect(),
            tsconfig: string("tsconfig").map(Box::from),
            exports: root.find("exports").filter(is_target).map(Target::new),
            imports: root.find("imports").filter(is_defined).map(Target::new),
            side_effects: side_effects(root.find("sideEffects")),
        }))
    }

    /// Resolves a subpath (`.`, `./…` or, from inside, `#…`) by the package.json in `text`. Returns
    /// the target as written: a path that begins with `./`, or for `#…` a bare specifier. `None`:
    /// there is no target. Does not access files.
    pub fn resolve_target(text: &str, subpath: &str, conditions: &[String]) -> Option<String> {
        let Manifest::Package(package) = PackageConfig::parse(b"/", text.as_bytes(), &[]) else {
            return None;
        };
        let target = match subpath.starts_with('#') {
            true => targets::select_import(package.imports()?, subpath, conditions),
            false => targets::select_export(package.exports()?, subpath, conditions),
        };
        match target.ok()? {
            ResolvedTarget::Bare(name) => Some(name),
            ResolvedTarget::Path { target, star } => {
                Some(star.map_or_else(|| target.to_owned(), |star| target.replace('*', star)))
            }
        }
    }

    /// The real path, without symlinks.
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub fn kind(&self) -> PackageType {
        self.kind
    }

    pub fn side_effects(&self) -> &SideEffects {
        &self.side_effects
    }

    /// The files that the main fields name, in order of preference.
    pub(crate) fn mains(&self) -> impl Iterator<Item = &str> {
        self.mains.iter().map(|main| &**main)
    }

    /// The tsconfig that the package offers to be extended.
    pub(crate) fn tsconfig(&self) -> Option<&str> {
        self.tsconfig.as_deref()
    }

    pub(crate) fn exports(&self) -> Option<&Target> {
        self.exports.as_ref()
    }

    pub(crate) fn imports(&self) -> Option<&Target> {
        self.imports.as_ref()
    }
}

fn side_effects(node: Option<&Node<'_>>) -> SideEffects {
    let Some(node) = node else { return SideEffects::Unspecified };
    match &node.value {
        Value::Bool(false) => SideEffects::None,
        Value::Bool(true) => SideEffects::All,
        Value::String(glob) => SideEffects::Globs(vec![Box::from(&**glob)]),
        Value::Array(globs) => {
            SideEffects::Globs(globs.iter().filter_map(Node::as_str).map(Box::from).collect())
        }
        _ => SideEffects::Unspecified,
    }
}
