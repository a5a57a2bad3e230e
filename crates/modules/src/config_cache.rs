//! Cache of tsconfig files, and resolution of specifiers by their `paths` and `baseUrl`. In: a
//! search. Out: a resolution, or nothing. Never used in node_modules: an installed package is
//! independent of the configuration of its dependents.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use crate::error::{Code, Reason, ResolveError};
use crate::file_system::byte_map::ByteMap;
use crate::file_system::{Directory, Entry};
use crate::options::TsConfig;
use crate::package::targets::{self, ResolvedTarget};
use crate::resolver::{Resolution, Search};
use crate::tsconfig::{self, Config, InvalidConfig, Loader};
use crate::{require, specifier};

/// Configurations that were read in this epoch, by file, and the nearest one by directory.
#[derive(Default)]
pub(crate) struct ConfigCache {
    read: RwLock<ByteMap<LoadResult>>,
    nearest: RwLock<ByteMap<Option<LoadResult>>>,
}

type LoadResult = Result<Arc<Config>, InvalidConfig>;

impl ConfigCache {
    /// The tsconfig of the options, or the nearest one above the importer.
    pub(crate) fn find(&self, search: &Search<'_>) -> Result<Option<Arc<Config>>, ResolveError> {
        let found = match &search.options.tsconfig {
            TsConfig::Off => None,
            TsConfig::File(_) if require::is_installed(&search.directory) => None,
            TsConfig::File(path) => Some(self.of_path(search, path)),
            TsConfig::Nearest => self.nearest(search),
        };
        found.transpose().map_err(|InvalidConfig { file, reason }| {
            search.fail(Code::InvalidTsConfig, Reason::InvalidConfig { file, reason })
        })
    }

    fn nearest(&self, search: &Search<'_>) -> Option<LoadResult> {
        let directory = search.directory.path();
        let known = self.nearest.read().unwrap_or_else(PoisonError::into_inner).get(directory).cloned();
        known.unwrap_or_else(|| {
            let file = (!require::is_installed(&search.directory)).then(|| nearest_file(search)).flatten();
            let found = file.map(|file| self.of_path(search, &file));
            let mut nearest = self.nearest.write().unwrap_or_else(PoisonError::into_inner);
            nearest.insert(directory.into(), found.clone());
            found
        })
    }

    fn of_path(&self, search: &Search<'_>, file: &Path) -> LoadResult {
        let key = file.as_os_str().as_bytes();
        let known = self.read.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        known.unwrap_or_else(|| {
            let find_package = |directory: &Path, name: &str| find_package(search, directory, name);
            let loaded = Loader::new(&find_package).load(file).map(Arc::new);
            self.read.write().unwrap_or_else(PoisonError::into_inner).insert(key.into(), loaded.clone());
            loaded
        })
    }

    pub(crate) fn clear(&mut self) {
        *self = ConfigCache::default();
    }
}

/// Resolves a name by `paths`. The pattern `*` and `baseUrl` are tried later, so that they do not
/// hide builtins.
pub(crate) fn resolve_paths(search: &Search<'_>) -> Result<Option<Resolution>, ResolveError> {
    match &search.config {
        Some(config) => first(search, config.match_paths(search.specifier, false)),
        None => Ok(None),
    }
}

/// The pattern `*`, else `baseUrl`. As in TypeScript, neither is tried if another pattern matches,
/// even if its targets do not exist.
pub(crate) fn resolve_base_url(search: &Search<'_>) -> Result<Option<Resolution>, ResolveError> {
    let Some(config) = &search.config else { return Ok(None) };
    if !config.match_paths(search.specifier, false).is_empty() {
        return Ok(None);
    }
    match config.match_paths(search.specifier, true) {
        none if none.is_empty() => {
            first(search, config.base_url_path(search.specifier).into_iter().collect())
        }
        paths => first(search, paths),
    }
}

fn first(search: &Search<'_>, paths: Vec<PathBuf>) -> Result<Option<Resolution>, ResolveError> {
    for path in paths {
        if let Some(path) = path.to_str()
            && let Some(resolution) = require::resolve_path(search, search.fs.root(), path)?
        {
            return Ok(Some(resolution));
        }
    }
    Ok(None)
}

fn nearest_file(search: &Search<'_>) -> Option<PathBuf> {
    let mut at = Some(&search.directory);
    while let Some(directory) = at {
        let names = [tsconfig::FILE_NAME, tsconfig::JS_FILE_NAME];
        if let Some(name) = names.into_iter().find(|name| is_file(search, directory, name)) {
            return Some(as_path(directory.join(name)));
        }
        at = directory.parent();
    }
    None
}

/// The tsconfig of a package: by `exports`, by the member `tsconfig`, or by its path.
fn find_package(search: &Search<'_>, directory: &Path, specifier: &str) -> Option<PathBuf> {
    let bare = specifier::parse_for_import(specifier)?;
    let from = search.fs.directory(directory.as_os_str().as_bytes());
    let mut at = Some(&from);
    while let Some(directory) = at {
        let modules = directory.enter(search.fs, b"node_modules");
        if let Some(found) = modules.and_then(|modules| below(search, &modules, bare.name)) {
            return in_package(search, &found, &bare.subpath());
        }
        at = directory.parent();
    }
    None
}

fn below(search: &Search<'_>, directory: &Arc<Directory>, path: &str) -> Option<Arc<Directory>> {
    let names: Vec<&[u8]> = path.as_bytes().split(|&byte| byte == b'/').collect();
    names.iter().try_fold(directory.clone(), |at, name| at.enter(search.fs, name))
}

fn in_package(search: &Search<'_>, directory: &Arc<Directory>, subpath: &str) -> Option<PathBuf> {
    let package = search.package(directory).ok().flatten();
    let file = |path: &str| {
        let whole = [directory.path(), b"/", path.as_bytes()].concat();
        let names = crate::file_system::normal_names(&whole);
        let (name, above) = names.split_last()?;
        let above = search.fs.directory(&[b"/", &*above.join(&b'/')].concat());
        is_file(search, &above, name).then(|| as_path(above.join(name)))
    };
    if let Some(exports) = package.as_ref().and_then(|package| package.exports())
        && let Ok(ResolvedTarget::Path { target, star }) =
            targets::select_export(exports, subpath, &search.options.require_conditions)
    {
        return file(&star.map_or_else(|| target.to_owned(), |star| target.replace('*', star)));
    }
    if subpath == "." {
        let offered = package.as_ref().and_then(|package| package.tsconfig());
        return offered.and_then(file).or_else(|| file("tsconfig.json"));
    }
    [subpath, &format!("{subpath}.json"), &format!("{subpath}/tsconfig.json")].into_iter().find_map(file)
}

fn is_file(search: &Search<'_>, directory: &Arc<Directory>, name: &[u8]) -> bool {
    matches!(directory.find(search.fs, name), Entry::File | Entry::Symlink(_))
}

fn as_path(bytes: Vec<u8>) -> PathBuf {
    PathBuf::from(OsString::from_vec(bytes))
}
