//! Why a specifier stands for nothing. In: what was looked for. Out: Node's code to branch on, and
//! on demand the text. Made often, by programs that try what may be absent: so it holds parts, and
//! `problem` makes a text of them.

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
    /// `require` found nothing.
    ModuleNotFound,
    /// `import` found nothing.
    ErrModuleNotFound,
    ErrPackagePathNotExported,
    ErrPackageImportNotDefined,
    ErrInvalidPackageTarget,
    ErrInvalidPackageConfig,
    ErrInvalidModuleSpecifier,
    ErrUnsupportedDirImport,
    ErrUnknownBuiltinModule,
    ErrInvalidFileUrlHost,
    /// Not Node's, which reads no tsconfig.json.
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

/// A specifier that stands for nothing, and who said it.
#[derive(Clone, Debug)]
pub struct ResolveError {
    importer: PathBuf,
    parts: Arc<Parts>,
}

/// All that is the same for every file of a directory.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) code: Code,
    pub(crate) specifier: String,
    pub(crate) kind: Kind,
    pub(crate) reason: Reason,
    pub(crate) options: Arc<Options>,
}

/// What was found instead.
#[derive(Clone, Debug)]
pub(crate) enum Reason {
    /// No file at exactly this path.
    NoFile {
        path: PathBuf,
    },
    /// Nor with any of the extensions.
    NoneOf {
        path: PathBuf,
    },
    /// No directory of that name in any node_modules.
    NoPackage {
        name: String,
    },
    /// package.json names a file that is not there, and there is no index either.
    NoMain {
        directory: PathBuf,
        main: String,
    },
    NotExported {
        directory: PathBuf,
        subpath: String,
    },
    /// Without a directory: no package.json above.
    NotImported {
        directory: Option<PathBuf>,
    },
    InvalidTarget {
        directory: PathBuf,
        key: String,
        target: String,
    },
    BrokenManifest {
        directory: PathBuf,
        reason: String,
    },
    /// The importer asks for something that this key of `exports` or `imports` must not be asked
    /// for.
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
    BrokenConfig {
        file: PathBuf,
        reason: String,
    },
}

impl ResolveError {
    pub(crate) fn new(importer: PathBuf, parts: Parts) -> ResolveError {
        ResolveError { importer, parts: Arc::new(parts) }
    }

    /// The same for another file of the same directory.
    pub(crate) fn of(&self, importer: &Path) -> ResolveError {
        ResolveError { importer: importer.to_owned(), parts: self.parts.clone() }
    }

    pub fn code(&self) -> Code {
        self.parts.code
    }

    /// What was asked for, as it was written.
    pub fn specifier(&self) -> &str {
        &self.parts.specifier
    }

    /// Who asked for it.
    pub fn importer(&self) -> &Path {
        &self.importer
    }

    /// The path that the specifier stands for, where there is no file; `None` where more than one
    /// was tried.
    pub fn missing_path(&self) -> Option<&Path> {
        match &self.parts.reason {
            Reason::NoFile { path } | Reason::IsDirectory { path } => Some(path),
            Reason::NoneOf { path } if self.parts.kind == Kind::Import => Some(path),
            _ => None,
        }
    }

    /// The package.json that names a main file which is not there, with no index in its place.
    pub fn manifest_without_main(&self) -> Option<PathBuf> {
        match &self.parts.reason {
            Reason::NoMain { directory, .. } => Some(directory.join("package.json")),
            _ => None,
        }
    }

    /// The same code, with a text for people.
    pub fn problem(&self) -> Problem {
        problem::unresolved(&self.importer, &self.parts)
    }
}
