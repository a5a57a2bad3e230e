//! package.json as resolution needs it, parsed once for each directory. In: its bytes. Out: name,
//! type, `exports`, `imports`, main files, `sideEffects`; or why it is none. Absent: everything
//! that installs are about.

pub(crate) mod targets;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_npm::json::{self, Dialect, Node, Value};

use targets::{ResolvedTarget, Target};

pub(crate) const FILE_NAME: &[u8] = b"package.json";

/// As for manifests that are installed: the largest that was ever published has 7 MB.
pub(crate) const BYTES_MAX: usize = 16 << 20;

/// A package.json and where it lies.
#[derive(Debug)]
pub struct Package {
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
    /// Absent, or something else, which Node passes over.
    Unspecified,
}

/// The member `sideEffects`, for bundlers: whether a file that nobody uses may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SideEffects {
    Unspecified,
    None,
    All,
    /// Those that these globs match have some.
    Globs(Vec<Box<str>>),
}

/// What a directory has of a package.json.
#[derive(Clone, Debug)]
pub(crate) enum Manifest {
    Absent,
    Package(Arc<Package>),
    Broken(Arc<str>),
}

impl Package {
    /// Of the main fields those that are strings, in the order of `main_fields`.
    pub(crate) fn parse(directory: &[u8], bytes: &[u8], main_fields: &[String]) -> Manifest {
        let text = String::from_utf8_lossy(bytes);
        let root = match json::parse(&text, Dialect::Strict) {
            Ok(root) => root,
            Err(error) => return Manifest::Broken(format!("it is not JSON: {error}").into()),
        };
        if root.value == Value::Null {
            return Manifest::Broken("it is null, expected an object".into());
        }
        let string = |key: &str| root.find(key).and_then(Node::as_str);
        let mains = main_fields.iter().filter_map(|field| string(field)).filter(|main| !main.is_empty());
        let is_said = |node: &&Node<'_>| node.value != Value::Null;
        let leads =
            |node: &&Node<'_>| matches!(node.value, Value::String(_) | Value::Array(_) | Value::Object(_));
        Manifest::Package(Arc::new(Package {
            directory: Path::new(OsStr::from_bytes(directory)).to_owned(),
            name: string("name").map(Box::from),
            kind: match string("type") {
                Some("module") => PackageType::Module,
                Some("commonjs") => PackageType::CommonJs,
                _ => PackageType::Unspecified,
            },
            mains: mains.map(Box::from).collect(),
            tsconfig: string("tsconfig").map(Box::from),
            exports: root.find("exports").filter(leads).map(Target::new),
            imports: root.find("imports").filter(is_said).map(Target::new),
            side_effects: side_effects(root.find("sideEffects")),
        }))
    }

    /// Where the package.json in `text` leads who asks for `.`, `./…` or, from inside, `#…`, as it
    /// is written there: a path that begins with `./`, or for `#…` a name. `None`: nowhere. Values
    /// alone; nobody looks whether it is there.
    pub fn resolve_target(text: &str, subpath: &str, conditions: &[String]) -> Option<String> {
        let Manifest::Package(package) = Package::parse(b"/", text.as_bytes(), &[]) else { return None };
        let aim = match subpath.starts_with('#') {
            true => targets::of_imports(package.imports()?, subpath, conditions),
            false => targets::of_exports(package.exports()?, subpath, conditions),
        };
        match aim.ok()? {
            ResolvedTarget::Bare(name) => Some(name),
            ResolvedTarget::Path { target, star } => {
                Some(star.map_or_else(|| target.to_owned(), |star| target.replace('*', star)))
            }
        }
    }

    /// Without links.
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

    /// The files that the main fields name, the best first.
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
