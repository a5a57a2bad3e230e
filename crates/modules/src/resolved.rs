//! Results of module resolution. Values only.

use std::ffi::OsStr;
use std::path::PathBuf;
use std::sync::Arc;

use crate::deprecation::Deprecation;
use crate::package::{PackageConfig, PackageType};

/// What a specifier resolves to.
#[derive(Clone, Debug)]
pub enum Resolved {
    /// A builtin module of the runtime, by its name without `node:`.
    Builtin(&'static str),
    /// A URL that is not a file: `data:`, `https:`.
    Url(String),
    File(File),
}

/// An existing file.
#[derive(Clone, Debug)]
pub struct File {
    /// Absolute; the real path, unless symlinks are preserved.
    pub path: PathBuf,
    /// `?query#fragment` of an import, or empty: the same file with another suffix is another
    /// module.
    pub suffix: String,
    pub scope: Scope,
    /// Node's deprecation warning.
    pub deprecation: Option<Arc<Deprecation>>,
}

/// Package scope: the nearest package.json above a file, within its node_modules.
#[derive(Clone, Debug)]
pub enum Scope {
    None,
    Package(Arc<PackageConfig>),
    /// It is not valid JSON, and why. Node fails when it needs the format of the file.
    Invalid {
        directory: PathBuf,
        reason: Arc<str>,
    },
}

/// Module format of a file, by its name and its package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Module,
    CommonJs,
    /// JavaScript or TypeScript in a package without `type`: the source text decides.
    Unspecified,
    Json,
    Addon,
    Wasm,
    Other,
}

impl File {
    /// By extension, and for `.js` and `.ts` by the package's `type`.
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
                Scope::None | Scope::Invalid { .. } => Format::Unspecified,
            },
            Some(_) => Format::Other,
        }
    }
}
