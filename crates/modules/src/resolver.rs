//! The resolver: who imports, what and how; and what that stands for. One resolver serves many
//! threads. In: options, then specifiers. Out: [`Resolved`], or [`Failure`]. The two algorithms
//! stand in `require` and `import`.

use std::cell::RefCell;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusk_base::sys::FileType;

use crate::configs::{self, Configs};
use crate::failure::{Code, Failure, Parts, Reason};
use crate::files::{Entry, Files, Folder};
use crate::options::{Imports, Links, Options};
use crate::package::{Manifest, Package};
use crate::remark::Remark;
use crate::resolved::{File, Resolved, Scope};
use crate::spot::Spot;
use crate::tsconfig::{Compiler, Config};
use crate::{import, require};

/// Resolves specifiers, and remembers what it saw of the file system.
pub struct Resolver {
    options: Arc<Options>,
    files: Files,
    configs: Configs,
}

/// Who imports, by absolute path.
#[derive(Clone, Copy, Debug)]
pub enum Importer<'a> {
    File(&'a Path),
    /// Something without a file of its own in this folder: a command line, standard input.
    Folder(&'a Path),
}

/// How it is imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Require,
    Import,
}

/// What a name is, for [`Resolver::hand_over`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Listed {
    File,
    Folder,
    Link,
}

impl Resolver {
    pub fn new(options: Options) -> Resolver {
        let files = Files::new(options.lifetime);
        Resolver { files, options: Arc::new(options), configs: Configs::default() }
    }

    /// What `specifier` stands for. Files of one folder get the same answer, so a folder remembers
    /// it for the epoch; not where a tsconfig leaves it to others to speak for some of them.
    pub fn resolve(&self, importer: Importer<'_>, specifier: &str, kind: Kind) -> Result<Resolved, Failure> {
        let mut search = Search::new(self, importer, specifier, kind);
        let config = self.configs.find(&search)?;
        let is_same_for_all = config.as_ref().is_none_or(|config| !config.has_references());
        search.config = config.map(|config| config.of_file(importer.path()));
        if !is_same_for_all {
            return self.search(&search);
        }
        if let Some(known) = search.folder.find_answer(&self.files, kind, specifier) {
            return known.map_err(|failure| failure.of(importer.path()));
        }
        let found = self.search(&search);
        search.folder.remember_answer(&self.files, kind, specifier, &found);
        found
    }

    /// What `require` finds where packages are looked for in other folders than the importer's
    /// place tells: Node's `module.paths`. No answer is remembered, for it is one file's alone.
    pub fn resolve_among(
        &self,
        importer: Importer<'_>,
        specifier: &str,
        folders: &[PathBuf],
    ) -> Result<Resolved, Failure> {
        let mut search = Search::new(self, importer, specifier, Kind::Require);
        search.config = self.configs.find(&search)?.map(|config| config.of_file(importer.path()));
        search.folders = Some(folders);
        self.search(&search)
    }

    /// What `paths` and `baseUrl` of the tsconfig that speaks for the importer make of a name, and
    /// nothing else.
    pub fn find_alias(&self, importer: Importer<'_>, specifier: &str, kind: Kind) -> Option<Resolved> {
        let mut search = Search::new(self, importer, specifier, kind);
        let config = self.configs.find(&search).ok()??;
        search.config = Some(config.of_file(importer.path()));
        let hit = match configs::mapped(&search).ok()? {
            Some(hit) => hit,
            None => configs::below_base(&search).ok()??,
        };
        search.finish(hit).ok()
    }

    fn search(&self, search: &Search<'_>) -> Result<Resolved, Failure> {
        let hit = match (search.kind, self.options.imports) {
            (Kind::Import, Imports::Exact) => import::resolve(search),
            (Kind::Import, Imports::Searched) | (Kind::Require, _) => require::resolve(search),
        };
        search.finish(hit?)
    }

    /// What the tsconfig that speaks for a file says of how it becomes JavaScript; `None`: there is
    /// none.
    pub fn compiler(&self, file: &Path) -> Result<Option<Compiler>, Failure> {
        let search = Search::new(self, Importer::File(file), "", Kind::Import);
        let config = self.configs.find(&search)?;
        Ok(config.map(|config| config.of_file(file).compiler().clone()))
    }

    /// From here on the file system may have changed. Until the next epoch nothing is looked at
    /// twice.
    pub fn begin_epoch(&mut self) {
        self.files.begin_epoch();
        self.configs.clear();
    }

    /// Tells what is in a folder, all of it, by who has just written it: then it is not asked for
    /// in this epoch.
    pub fn hand_over(&self, folder: &Path, names: &[(&OsStr, Listed)]) {
        let kind = |listed| match listed {
            Listed::File => FileType::RegularFile,
            Listed::Folder => FileType::Directory,
            Listed::Link => FileType::Symlink,
        };
        let names: Vec<_> = names.iter().map(|&(name, listed)| (name.as_bytes(), kind(listed))).collect();
        self.files.folder(folder.as_os_str().as_bytes()).hand_over(&self.files, &names);
    }
}

impl<'a> Importer<'a> {
    fn path(self) -> &'a Path {
        let (Importer::File(path) | Importer::Folder(path)) = self;
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

/// One specifier being resolved.
pub(crate) struct Search<'a> {
    pub(crate) files: &'a Files,
    pub(crate) options: &'a Arc<Options>,
    pub(crate) specifier: &'a str,
    pub(crate) kind: Kind,
    importer: Importer<'a>,
    /// Where the importer is.
    pub(crate) folder: Arc<Folder>,
    /// Where packages are looked for, if not in every node_modules above.
    pub(crate) folders: Option<&'a [PathBuf]>,
    /// The tsconfig that speaks for it.
    pub(crate) config: Option<Arc<Config>>,
    /// What is to be warned of if a file is found.
    pub(crate) remark: RefCell<Option<Remark>>,
}

/// A folder with a package.json, by the path it was reached, and what that says.
pub(crate) type Owned = (Arc<Folder>, Arc<Package>);

/// What the algorithms find.
pub(crate) enum Hit {
    Builtin(&'static str),
    Address(String),
    /// A file in a folder, or behind a link there.
    File {
        folder: Arc<Folder>,
        name: Vec<u8>,
        entry: Entry,
        suffix: String,
    },
}

impl<'a> Search<'a> {
    fn new(resolver: &'a Resolver, importer: Importer<'a>, specifier: &'a str, kind: Kind) -> Search<'a> {
        let files = &resolver.files;
        let folder = match importer {
            Importer::File(path) => path.parent().unwrap_or(path),
            Importer::Folder(path) => path,
        };
        let folder = files.folder(folder.as_os_str().as_bytes());
        let (options, remark) = (&resolver.options, RefCell::default());
        Search { files, options, specifier, kind, importer, folder, folders: None, config: None, remark }
    }

    pub(crate) fn conditions(&self) -> &'a [String] {
        self.kind.conditions(self.options)
    }

    /// The code for what is not there, which differs.
    pub(crate) fn absent(&self) -> Code {
        match self.kind {
            Kind::Require => Code::ModuleNotFound,
            Kind::Import => Code::ErrModuleNotFound,
        }
    }

    pub(crate) fn fail(&self, code: Code, reason: Reason) -> Failure {
        let (specifier, options) = (self.specifier.to_owned(), self.options.clone());
        let parts = Parts { code, specifier, kind: self.kind, reason, options };
        Failure::new(self.importer.path().to_owned(), parts)
    }

    /// The package.json of a folder; one that is no JSON fails.
    pub(crate) fn package(&self, folder: &Arc<Folder>) -> Result<Option<Arc<Package>>, Failure> {
        match folder.manifest(self.files, &self.options.main_fields) {
            Manifest::Absent => Ok(None),
            Manifest::Package(package) => Ok(Some(package)),
            Manifest::Broken(reason) => Err(self.broken(folder, &reason)),
        }
    }

    pub(crate) fn broken(&self, folder: &Folder, reason: &str) -> Failure {
        let reason = Reason::BrokenManifest { folder: path(folder), reason: reason.to_owned() };
        self.fail(Code::ErrInvalidPackageConfig, reason)
    }

    /// The nearest package.json above, with the folder by the path it was reached; none beyond a
    /// node_modules.
    pub(crate) fn scope(&self, from: &Arc<Folder>) -> Result<Option<Owned>, Failure> {
        let mut at = Some(from);
        while let Some(folder) = at.filter(|folder| folder.name() != b"node_modules") {
            if let Some(package) = self.package(folder)? {
                return Ok(Some((folder.clone(), package)));
            }
            at = folder.parent();
        }
        Ok(None)
    }

    /// The file at a spot, if there is one.
    pub(crate) fn file(&self, spot: &Spot, suffix: &str) -> Option<Hit> {
        let Spot::In(folder, name) = spot else { return None };
        match folder.find(self.files, name) {
            Entry::Absent | Entry::Folder(_) => None,
            entry => Some(Hit::File {
                folder: folder.clone(),
                name: name.clone(),
                entry,
                suffix: suffix.to_owned(),
            }),
        }
    }

    /// Follows links, and finds the package.
    fn finish(&self, hit: Hit) -> Result<Resolved, Failure> {
        let (folder, name, entry, suffix) = match hit {
            Hit::Builtin(name) => return Ok(Resolved::Builtin(name)),
            Hit::Address(address) => return Ok(Resolved::Address(address)),
            Hit::File { folder, name, entry, suffix } => (folder, name, entry, suffix),
        };
        let (folder, name): (&Arc<Folder>, &[u8]) = match (self.options.links, &entry) {
            (Links::Kept, _) => (&folder, &name),
            (Links::Followed, Entry::Linked(real)) => (&real.0, &real.1),
            (Links::Followed, _) => (folder.real(), &name),
        };
        let path = PathBuf::from(OsString::from_vec(folder.join(name)));
        let scope = self.scope_of_file(folder);
        if let (Scope::Broken { reason, .. }, Kind::Import, Imports::Exact) =
            (&scope, self.kind, self.options.imports)
            && matches!(path.extension().map(OsStrExt::as_bytes), None | Some(b"js"))
        {
            return Err(self.broken(folder, reason));
        }
        let mut file = File { path, suffix, scope, remark: None };
        file.remark = self.remark.take().filter(|remark| remark.is_about(file.format())).map(Arc::new);
        Ok(Resolved::File(file))
    }

    fn scope_of_file(&self, from: &Arc<Folder>) -> Scope {
        let mut at = Some(from);
        while let Some(folder) = at.filter(|folder| folder.name() != b"node_modules") {
            match folder.manifest(self.files, &self.options.main_fields) {
                Manifest::Absent => at = folder.parent(),
                Manifest::Package(package) => return Scope::Package(package),
                Manifest::Broken(reason) => return Scope::Broken { folder: path(folder), reason },
            }
        }
        Scope::None
    }
}

/// A folder's path, to be said.
pub(crate) fn path(folder: &Folder) -> PathBuf {
    Path::new(OsStr::from_bytes(folder.path())).to_owned()
}

#[cfg(test)]
mod tests;
