//! Resolution errors. In: what was looked for. Out: Node's error code, and the message on demand.
//! Programs often try modules that may be missing, so an error only holds its parts, and `problem`
//! formats them.

mod node_message;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_base::Problem;

use crate::file_url::UrlError;
use crate::options::Options;
use crate::problem;
use crate::resolver::Kind;

/// Node's error codes; see `node:errors`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Code {
    /// Not found by `require`.
    ModuleNotFound,
    /// Not found by `import`.
    ErrModuleNotFound,
    ErrPackagePathNotExported,
    ErrPackageImportNotDefined,
    ErrInvalidPackageTarget,
    ErrInvalidPackageConfig,
    ErrInvalidModuleSpecifier,
    ErrUnsupportedDirImport,
    ErrUnknownBuiltinModule,
    ErrInvalidFileUrlHost,
    /// Not a code of Node, which does not read tsconfig.json.
    InvalidTsConfig,
}

impl Code {
    pub fn name(self) -> &'static str {
        match self {
            Code::ModuleNotFound => "MODULE_NOT_FOUND",
            Code::ErrModuleNotFound => "ERR_MODULE_NOT_FOUND",
            Code::ErrPackagePathNotExported => "ERR_PACKAGE_PATH_NOT_EXPORTED",
            Code::ErrPackageImportNotDefined => "ERR_PACKAGE_IMPORT_NOT_DEFINED",
            Code::ErrInvalidPackageTarget => "ERR_INVALID_PACKAGE_TARGET",
            Code::ErrInvalidPackageConfig => "ERR_INVALID_PACKAGE_CONFIG",
            Code::ErrInvalidModuleSpecifier => "ERR_INVALID_MODULE_SPECIFIER",
            Code::ErrUnsupportedDirImport => "ERR_UNSUPPORTED_DIR_IMPORT",
            Code::ErrUnknownBuiltinModule => "ERR_UNKNOWN_BUILTIN_MODULE",
            Code::ErrInvalidFileUrlHost => "ERR_INVALID_FILE_URL_HOST",
            Code::InvalidTsConfig => "INVALID_TSCONFIG",
        }
    }
}

/// A specifier that could not be resolved, and its importer.
#[derive(Clone, Debug)]
pub struct ResolveError {
    importer: PathBuf,
    parts: Arc<Parts>,
}

/// What is the same for all importers in a directory.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) code: Code,
    pub(crate) specifier: String,
    pub(crate) kind: Kind,
    pub(crate) reason: Reason,
    pub(crate) options: Arc<Options>,
}

/// Why it could not be resolved.
#[derive(Clone, Debug)]
pub(crate) enum Reason {
    /// There is no file at exactly this path.
    NoFile {
        path: PathBuf,
    },
    /// There is no file at this path with any of the extensions.
    NoFileWithExtension {
        path: PathBuf,
    },
    /// There is no directory of that name in any node_modules.
    NoPackage {
        name: String,
    },
    /// package.json names a main file that does not exist, and there is no index.
    NoMain {
        directory: PathBuf,
        main: String,
    },
    NotExported {
        directory: PathBuf,
        subpath: String,
    },
    /// `None`: there is no package.json above the importer.
    NotImported {
        directory: Option<PathBuf>,
    },
    InvalidTarget {
        directory: PathBuf,
        key: String,
        target: String,
    },
    InvalidManifest {
        directory: PathBuf,
        reason: String,
    },
    /// The subpath is not valid for this key of `exports` or `imports`.
    InvalidSubpath {
        directory: PathBuf,
        key: String,
        /// `./…` or `#…`.
        subpath: String,
    },
    InvalidName {
        expected: &'static str,
    },
    InvalidUrl(UrlError),
    IsDirectory {
        path: PathBuf,
    },
    UnknownBuiltin,
    InvalidConfig {
        file: PathBuf,
        reason: String,
    },
}

impl ResolveError {
    pub(crate) fn new(importer: PathBuf, parts: Parts) -> ResolveError {
        ResolveError { importer, parts: Arc::new(parts) }
    }

    /// The same error for another importer in the same directory.
    pub(crate) fn of(&self, importer: &Path) -> ResolveError {
        ResolveError { importer: importer.to_owned(), parts: self.parts.clone() }
    }

    pub fn code(&self) -> Code {
        self.parts.code
    }

    /// The specifier, as it was written.
    pub fn specifier(&self) -> &str {
        &self.parts.specifier
    }

    /// The file or directory that contains the specifier.
    pub fn importer(&self) -> &Path {
        &self.importer
    }

    /// The resolved path, which has no file; `None` if several paths were tried.
    pub fn missing_path(&self) -> Option<&Path> {
        match &self.parts.reason {
            Reason::NoFile { path } | Reason::IsDirectory { path } => Some(path),
            Reason::NoFileWithExtension { path } if self.parts.kind == Kind::Import => Some(path),
            _ => None,
        }
    }

    /// The package.json whose main file does not exist, with no index either.
    pub fn manifest_without_main(&self) -> Option<PathBuf> {
        match &self.parts.reason {
            Reason::NoMain { directory, .. } => Some(directory.join("package.json")),
            _ => None,
        }
    }

    /// The error for people.
    pub fn problem(&self) -> Problem {
        problem::unresolved(&self.importer, &self.parts)
    }
}
