//! What resolution gives. Values only.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use crate::deprecation::Deprecation;
use crate::package::{Package, PackageType};

/// What a specifier stands for.
#[derive(Clone, Debug)]
pub enum Resolved {
    /// A module that the runtime brings along, by its name without `node:`.
    Builtin(&'static str),
    /// Something with an address that is no file: `data:`, `https:`.
    Url(String),
    File(File),
}

/// A file that is there.
#[derive(Clone, Debug)]
pub struct File {
    /// Absolute; without links, unless they are kept.
    pub path: PathBuf,
    /// `?query#fragment` of an import, or nothing: the same file with another one is another
    /// module.
    pub suffix: String,
    pub scope: Scope,
    /// What Node warns of.
    pub deprecation: Option<Arc<Deprecation>>,
}

/// The nearest package.json above a file, up to the node_modules it is in.
#[derive(Clone, Debug)]
pub enum Scope {
    None,
    Package(Arc<Package>),
    /// It is no JSON, and why. Node fails when it has to know the file's format.
    Broken {
        directory: PathBuf,
        reason: Arc<str>,
    },
}

/// How a file is to be read, as far as its name and its package say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Module,
    CommonJs,
    /// JavaScript or TypeScript whose package does not say: its text decides.
    Unspecified,
    Json,
    Addon,
    Wasm,
    Other,
}

impl File {
    /// By extension, and where that leaves it open by the package's `type`.
    pub fn format(&self) -> Format {
        match self.path.extension().and_then(OsStr::to_str) {
            Some("mjs" | "mts") => Format::Module,
            Some("cjs" | "cts") => Format::CommonJs,
            Some("json") => Format::Json,
            Some("node") => Format::Addon,
            Some("wasm") => Format::Wasm,
            None | Some("js" | "jsx" | "ts" | "tsx") => match &self.scope {
                Scope::Package(package) => match package.kind() {
                    PackageType::Module => Format::Module,
                    PackageType::CommonJs => Format::CommonJs,
                    PackageType::Unspecified => Format::Unspecified,
                },
                Scope::None | Scope::Broken { .. } => Format::Unspecified,
            },
            Some(_) => Format::Other,
        }
    }
}
