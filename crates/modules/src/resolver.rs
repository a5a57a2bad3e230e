//! Module resolver. In: options, then importers and specifiers. Out: [`Resolved`], or
//! [`ResolveError`]. One resolver serves several threads. The algorithms are in `require` and
//! `import`.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_base::sys::FileType;

use crate::config_cache::{self, ConfigCache};
use crate::deprecation::Deprecation;
use crate::error::{Code, Parts, Reason, ResolveError};
use crate::file_system::{Directory, Entry, FileSystem};
use crate::location::Location;
use crate::options::{ImportMode, Options, Symlinks};
use crate::package::{Manifest, PackageConfig};
use crate::resolved::{File, Resolved, Scope};
use crate::tsconfig::{CompilerOptions, Config};
use crate::{import, require};

/// Resolves specifiers, and caches the file system.
pub struct Resolver {
    options: Arc<Options>,
    fs: FileSystem,
    configs: ConfigCache,
}

/// The importer, by absolute path.
#[derive(Clone, Copy, Debug)]
pub enum Importer<'a> {
    File(&'a Path),
    /// A directory, for source text without a file: the command line, standard input.
    Directory(&'a Path),
}

/// How a module is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Require,
    Import,
}

/// The type of a directory entry, for [`Resolver::prime_listing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Directory,
    Symlink,
}

impl Resolver {
    pub fn new(options: Options) -> Resolver {
        let fs = FileSystem::new(options.lifetime);
        Resolver { fs, options: Arc::new(options), configs: ConfigCache::default() }
    }

    /// Resolves `specifier`. All files of a directory have the same result, so the directory caches
    /// it for the epoch; except where a tsconfig with `references` may select another one for some
    /// of them.
    pub fn resolve(
        &self,
        importer: Importer<'_>,
        specifier: &str,
        kind: Kind,
    ) -> Result<Resolved, ResolveError> {
        let mut search = Search::new(self, importer, specifier, kind);
        let config = self.configs.find(&search)?;
        let is_same_for_all = config.as_ref().is_none_or(|config| !config.has_references());
        search.config = config.map(|config| config.of_file(importer.path()));
        if !is_same_for_all {
            return self.search(&search);
        }
        if let Some(known) = search.directory.find_resolution(&self.fs, kind, specifier) {
            return known.map_err(|failure| failure.of(importer.path()));
        }
        let found = self.search(&search);
        search.directory.cache_resolution(&self.fs, kind, specifier, &found);
        found
    }

    /// Resolves as `require` does, but searches packages in these directories, as with Node's
    /// `module.paths`. The result is not cached, because it is for one file only.
    pub fn resolve_with_paths(
        &self,
        importer: Importer<'_>,
        specifier: &str,
        directories: &[PathBuf],
    ) -> Result<Resolved, ResolveError> {
        let mut search = Search::new(self, importer, specifier, Kind::Require);
        search.config = self.configs.find(&search)?.map(|config| config.of_file(importer.path()));
        search.search_paths = Some(directories);
        self.search(&search)
    }

    /// Resolves a name by `paths` and `baseUrl` of the importer's tsconfig, and by nothing else.
    pub fn find_alias(&self, importer: Importer<'_>, specifier: &str, kind: Kind) -> Option<Resolved> {
        let mut search = Search::new(self, importer, specifier, kind);
        let config = self.configs.find(&search).ok()??;
        search.config = Some(config.of_file(importer.path()));
        let resolution = match config_cache::resolve_paths(&search).ok()? {
            Some(resolution) => resolution,
            None => config_cache::resolve_base_url(&search).ok()??,
        };
        search.finish(resolution).ok()
    }

    fn search(&self, search: &Search<'_>) -> Result<Resolved, ResolveError> {
        let resolution = match (search.kind, self.options.import_mode) {
            (Kind::Import, ImportMode::Exact) => import::resolve(search),
            (Kind::Import, ImportMode::Search) | (Kind::Require, _) => require::resolve(search),
        };
        search.finish(resolution?)
    }

    /// The compiler options of a file's tsconfig; `None`: there is no tsconfig.
    pub fn compiler_options(&self, file: &Path) -> Result<Option<CompilerOptions>, ResolveError> {
        let search = Search::new(self, Importer::File(file), "", Kind::Import);
        let config = self.configs.find(&search)?;
        Ok(config.map(|config| config.of_file(file).compiler_options().clone()))
    }

    /// Gives up and closes all directories. A process that makes many resolvers calls it before it
    /// drops one.
    pub fn release(&mut self) {
        self.configs.clear();
        self.fs.release();
    }

    /// Starts an epoch: the file system may have changed. Within an epoch nothing is looked up
    /// twice.
    pub fn begin_epoch(&mut self) {
        self.fs.begin_epoch();
        self.configs.clear();
    }

    /// Fills the listing of a directory that the caller has just written completely, so that it is
    /// not read in this epoch.
    pub fn prime_listing(&self, directory: &Path, names: &[(&OsStr, EntryKind)]) {
        let file_type = |kind| match kind {
            EntryKind::File => FileType::RegularFile,
            EntryKind::Directory => FileType::Directory,
            EntryKind::Symlink => FileType::Symlink,
        };
        let names: Vec<_> = names.iter().map(|&(name, kind)| (name.as_bytes(), file_type(kind))).collect();
        self.fs.directory(directory.as_os_str().as_bytes()).prime_listing(&self.fs, &names);
    }
}

impl<'a> Importer<'a> {
    fn path(self) -> &'a Path {
        let (Importer::File(path) | Importer::Directory(path)) = self;
        path
    }
}

impl Kind {
    pub(crate) fn conditions(self, options: &Options) -> &[String] {
        match self {
            Kind::Require => &options.require_conditions,
            Kind::Import => &options.import_conditions,
        }
    }
}

/// The resolution of one specifier.
pub(crate) struct Search<'a> {
    pub(crate) fs: &'a FileSystem,
    pub(crate) options: &'a Arc<Options>,
    pub(crate) specifier: &'a str,
    pub(crate) kind: Kind,
    importer: Importer<'a>,
    /// The directory of the importer.
    pub(crate) directory: Arc<Directory>,
    /// Directories in which packages are searched instead of every node_modules above.
    pub(crate) search_paths: Option<&'a [PathBuf]>,
    /// The tsconfig of the importer.
    pub(crate) config: Option<Arc<Config>>,
    /// The warning for the file that is found.
    pub(crate) deprecation: RefCell<Option<Deprecation>>,
}

/// A package scope: a directory with a package.json, by the path on which it was reached, and the
/// package.
pub(crate) type PackageScope = (Arc<Directory>, Arc<PackageConfig>);

/// The result of the algorithms.
pub(crate) enum Resolution {
    Builtin(&'static str),
    Url(String),
    /// A file in a directory, or a symlink there.
    File {
        directory: Arc<Directory>,
        name: Vec<u8>,
        entry: Entry,
        suffix: String,
    },
}

impl<'a> Search<'a> {
    fn new(resolver: &'a Resolver, importer: Importer<'a>, specifier: &'a str, kind: Kind) -> Search<'a> {
        let fs = &resolver.fs;
        let directory = match importer {
            Importer::File(path) => path.parent().unwrap_or(path),
            Importer::Directory(path) => path,
        };
        let directory = fs.directory(directory.as_os_str().as_bytes());
        let (options, deprecation) = (&resolver.options, RefCell::default());
        Search {
            fs,
            options,
            specifier,
            kind,
            importer,
            directory,
            search_paths: None,
            config: None,
            deprecation,
        }
    }

    /// The search for another specifier from the same place.
    pub(crate) fn of(&self, specifier: &'a str) -> Search<'a> {
        let (directory, config) = (self.directory.clone(), self.config.clone());
        Search { specifier, directory, config, deprecation: RefCell::default(), ..*self }
    }

    pub(crate) fn conditions(&self) -> &'a [String] {
        self.kind.conditions(self.options)
    }

    /// The code of a missing module, which depends on the kind.
    pub(crate) fn not_found_code(&self) -> Code {
        match self.kind {
            Kind::Require => Code::ModuleNotFound,
            Kind::Import => Code::ErrModuleNotFound,
        }
    }

    pub(crate) fn fail(&self, code: Code, reason: Reason) -> ResolveError {
        let (specifier, options) = (self.specifier.to_owned(), self.options.clone());
        let parts = Parts { code, specifier, kind: self.kind, reason, options };
        ResolveError::new(self.importer.path().to_owned(), parts)
    }

    /// The package.json of a directory; invalid JSON is an error.
    pub(crate) fn package(
        &self,
        directory: &Arc<Directory>,
    ) -> Result<Option<Arc<PackageConfig>>, ResolveError> {
        match directory.manifest(self.fs, &self.options.main_fields) {
            Manifest::Absent => Ok(None),
            Manifest::Package(package) => Ok(Some(package)),
            Manifest::Invalid(reason) => Err(self.invalid_manifest(directory, &reason)),
        }
    }

    pub(crate) fn invalid_manifest(&self, directory: &Directory, reason: &str) -> ResolveError {
        let reason = Reason::InvalidManifest { directory: to_path(directory), reason: reason.to_owned() };
        self.fail(Code::ErrInvalidPackageConfig, reason)
    }

    /// The nearest package.json above, with its directory by the path on which it was reached; not
    /// above a node_modules.
    pub(crate) fn scope(&self, from: &Arc<Directory>) -> Result<Option<PackageScope>, ResolveError> {
        let mut at = Some(from);
        while let Some(directory) = at.filter(|directory| directory.name() != b"node_modules") {
            if let Some(package) = self.package(directory)? {
                return Ok(Some((directory.clone(), package)));
            }
            at = directory.parent();
        }
        Ok(None)
    }

    /// The file at a location, if there is one.
    pub(crate) fn file(&self, location: &Location, suffix: &str) -> Option<Resolution> {
        let Location::Entry(directory, name) = location else { return None };
        match directory.find(self.fs, name) {
            Entry::Absent | Entry::Directory(_) => None,
            entry => Some(Resolution::File {
                directory: directory.clone(),
                name: name.clone(),
                entry,
                suffix: suffix.to_owned(),
            }),
        }
    }

    /// Follows symlinks, and finds the package scope.
    fn finish(&self, resolution: Resolution) -> Result<Resolved, ResolveError> {
        let (directory, name, entry, suffix) = match resolution {
            Resolution::Builtin(name) => return Ok(Resolved::Builtin(name)),
            Resolution::Url(url) => return Ok(Resolved::Url(url)),
            Resolution::File { directory, name, entry, suffix } => (directory, name, entry, suffix),
        };
        let (directory, name): (&Arc<Directory>, &[u8]) = match (self.options.symlinks, &entry) {
            (Symlinks::Preserve, _) => (&directory, &name),
            (Symlinks::Follow, Entry::Symlink(real)) => (&real.0, &real.1),
            (Symlinks::Follow, _) => (directory.real(), &name),
        };
        let path = PathBuf::from(OsString::from_vec(directory.join(name)));
        let scope = self.scope_of_file(directory);
        if let (Scope::Invalid { reason, .. }, Kind::Import, ImportMode::Exact) =
            (&scope, self.kind, self.options.import_mode)
            && matches!(path.extension().map(OsStrExt::as_bytes), None | Some(b"js"))
        {
            return Err(self.invalid_manifest(directory, reason));
        }
        let mut file = File { path, suffix, scope, deprecation: None };
        file.deprecation =
            self.deprecation.take().filter(|deprecation| deprecation.applies_to(file.format())).map(Arc::new);
        Ok(Resolved::File(file))
    }

    fn scope_of_file(&self, from: &Arc<Directory>) -> Scope {
        let mut at = Some(from);
        while let Some(directory) = at.filter(|directory| directory.name() != b"node_modules") {
            match directory.manifest(self.fs, &self.options.main_fields) {
                Manifest::Absent => at = directory.parent(),
                Manifest::Package(package) => return Scope::Package(package),
                Manifest::Invalid(reason) => return Scope::Invalid { directory: to_path(directory), reason },
            }
        }
        Scope::None
    }
}

/// The path of a directory for messages.
pub(crate) fn to_path(directory: &Directory) -> PathBuf {
    Path::new(OsStr::from_bytes(directory.path())).to_owned()
}

#[cfg(test)]
mod tests;
