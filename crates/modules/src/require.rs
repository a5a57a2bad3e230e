//! Resolution of `require`: Node's CommonJS algorithm, which bundlers also use for `import`. In: a
//! search. Out: a resolution, or an error. The steps are named as in the documentation of
//! `node:modules`: LOAD_AS_FILE, LOAD_AS_DIRECTORY, LOAD_NODE_MODULES, LOAD_PACKAGE_IMPORTS,
//! LOAD_PACKAGE_SELF, LOAD_PACKAGE_EXPORTS.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::deprecation::Deprecation;
use crate::error::{Reason, ResolveError};
use crate::file_system::{Directory, Entry};
use crate::location::{self, Location};
use crate::resolver::{self, Kind, Resolution, Search};
use crate::{builtins, config_cache, exports, import, specifier};

pub(crate) fn resolve(search: &Search<'_>) -> Result<Resolution, ResolveError> {
    let found = resolve_whole(search);
    match found {
        Err(_) if search.kind == Kind::Import => without_suffix(search).map_or(found, Ok),
        _ => found,
    }
}

/// The file of an import with a query or a fragment, `./x.ts?v=1`, which are parts of the module's
/// URL. A file whose name has these characters goes first.
fn without_suffix(search: &Search<'_>) -> Option<Resolution> {
    let at = search.specifier.find(['?', '#']).filter(|&at| at > 0)?;
    let (specifier, suffix) = search.specifier.split_at(at);
    match resolve_whole(&search.of(specifier)) {
        Ok(Resolution::File { directory, name, entry, .. }) => {
            Some(Resolution::File { directory, name, entry, suffix: suffix.to_owned() })
        }
        _ => None,
    }
}

fn resolve_whole(search: &Search<'_>) -> Result<Resolution, ResolveError> {
    let specifier = search.specifier;
    let is_path = specifier.starts_with('/') || specifier::is_relative_for_require(specifier);
    if !is_path && let Some(resolution) = config_cache::resolve_paths(search)? {
        return Ok(resolution);
    }
    if let Some(name) = builtins::find(specifier) {
        return Ok(Resolution::Builtin(name));
    }
    if search.kind == Kind::Import
        && let Some(found) = import::resolve_url(search)
    {
        return found;
    }
    let scope = search.scope(&search.directory)?;
    if let Some((directory, package)) = &scope {
        if specifier.starts_with('#') && package.imports().is_some() {
            return exports::resolve_imports(search, directory, package);
        }
        if let Some(subpath) = self_subpath(specifier, package.name()).filter(|_| package.exports().is_some())
        {
            return exports::resolve_exports(search, directory, package, &subpath);
        }
    }
    if is_path {
        let found = resolve_path(search, &search.directory, specifier)?;
        return found.ok_or_else(|| no_file(search));
    }
    match config_cache::resolve_base_url(search)? {
        Some(resolution) => Ok(resolution),
        None => load_node_modules(search),
    }
}

/// LOAD_PACKAGE_SELF: the subpath, if a package refers to itself by its own name.
fn self_subpath(specifier: &str, name: Option<&str>) -> Option<String> {
    let rest = specifier.strip_prefix(name?)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| format!(".{rest}"))
}

/// LOAD_NODE_MODULES: every node_modules above, then the global paths of the options; or the
/// directories of the search instead.
fn load_node_modules(search: &Search<'_>) -> Result<Resolution, ResolveError> {
    let mut at = Some(&search.directory).filter(|_| search.search_paths.is_none());
    while let Some(directory) = at {
        at = directory.parent();
        if directory.name() == b"node_modules" {
            continue;
        }
        if let Some(modules) = directory.enter(search.fs, b"node_modules")
            && let Some(resolution) = load_from_node_modules(search, &modules)?
        {
            return Ok(resolution);
        }
    }
    if search.kind == Kind::Require {
        for directory in search.search_paths.unwrap_or(&search.options.global_paths) {
            let directory = search.fs.directory(directory.as_os_str().as_bytes());
            if let Some(resolution) = load_from_node_modules(search, &directory)? {
                return Ok(resolution);
            }
        }
    }
    let name = specifier::parse_for_import(search.specifier).map_or(search.specifier, |bare| bare.name);
    Err(search.fail(search.not_found_code(), Reason::NoPackage { name: name.to_owned() }))
}

fn load_from_node_modules(
    search: &Search<'_>,
    modules: &Arc<Directory>,
) -> Result<Option<Resolution>, ResolveError> {
    // LOAD_PACKAGE_EXPORTS: `exports` decide for a package that has them.
    if let Some(bare) = specifier::parse_for_require(search.specifier)
        && let Location::Entry(above, name) = location::locate(search.fs, modules, bare.name.as_bytes())
        && let Some(directory) = above.enter(search.fs, &name)
        && let Some(package) = search.package(&directory)?
        && package.exports().is_some()
    {
        return exports::resolve_exports(search, &directory, &package, &bare.subpath()).map(Some);
    }
    resolve_path(search, modules, search.specifier)
}

/// LOAD_AS_FILE, then LOAD_AS_DIRECTORY; a path with a trailing slash is not a file.
pub(crate) fn resolve_path(
    search: &Search<'_>,
    base: &Arc<Directory>,
    path: &str,
) -> Result<Option<Resolution>, ResolveError> {
    let location = location::locate(search.fs, base, path.as_bytes());
    if !specifier::names_directory(path)
        && let Some(resolution) = load_as_file(search, &location)
    {
        return Ok(Some(resolution));
    }
    match location.entry(search.fs) {
        Entry::Directory(directory) => load_as_directory(search, &directory),
        _ => Ok(None),
    }
}

fn load_as_file(search: &Search<'_>, location: &Location) -> Option<Resolution> {
    let found =
        search.file(location, "").or_else(|| with_extensions(search, location, &search.options.extensions));
    found.or_else(|| with_extension_alias(search, location))
}

fn with_extensions(search: &Search<'_>, location: &Location, extensions: &[String]) -> Option<Resolution> {
    let (directory, name) = match location {
        Location::Entry(directory, name) => (directory, &**name),
        Location::Directory(directory) => (directory.parent()?, directory.name()),
        Location::Missing => return None,
    };
    let mut longer = Vec::with_capacity(name.len() + 8);
    extensions.iter().find_map(|extension| {
        longer.clear();
        longer.extend_from_slice(name);
        longer.extend_from_slice(extension.as_bytes());
        match directory.find(search.fs, &longer) {
            Entry::Absent | Entry::Directory(_) => None,
            entry => {
                let name = std::mem::take(&mut longer);
                Some(Resolution::File { directory: directory.clone(), name, entry, suffix: String::new() })
            }
        }
    })
}

/// `./x.js` where there is `x.ts`.
fn with_extension_alias(search: &Search<'_>, location: &Location) -> Option<Resolution> {
    let Location::Entry(directory, name) = location else { return None };
    if search.options.extension_aliases.is_empty() || is_installed(directory) {
        return None;
    }
    search.options.extension_aliases.iter().find_map(|(from, to)| {
        let stem = name.strip_suffix(from.as_bytes()).filter(|stem| !stem.is_empty())?;
        with_extensions(search, &Location::Entry(directory.clone(), stem.to_vec()), to)
    })
}

pub(crate) fn is_installed(directory: &Arc<Directory>) -> bool {
    directory.real().path().split(|&byte| byte == b'/').any(|name| name == b"node_modules")
}

/// LOAD_AS_DIRECTORY: the main file of package.json, else `index`.
fn load_as_directory(
    search: &Search<'_>,
    directory: &Arc<Directory>,
) -> Result<Option<Resolution>, ResolveError> {
    let package = search.package(directory)?;
    let mut mains = package.iter().flat_map(|package| package.mains()).peekable();
    let Some(first) = mains.peek().copied() else { return Ok(load_index(search, directory)) };
    for main in mains {
        let location = location::locate(search.fs, directory, main.as_bytes());
        let found = load_as_file(search, &location).or_else(|| match location.entry(search.fs) {
            Entry::Directory(directory) => load_index(search, &directory),
            _ => None,
        });
        if found.is_some() {
            return Ok(found);
        }
    }
    let Some(found) = load_index(search, directory) else {
        let reason = Reason::NoMain { directory: resolver::to_path(directory), main: first.to_owned() };
        return Err(search.fail(search.not_found_code(), reason));
    };
    if search.kind == Kind::Require {
        let deprecation =
            Deprecation::InvalidMain { directory: resolver::to_path(directory), main: first.to_owned() };
        search.deprecation.replace(Some(deprecation));
    }
    Ok(Some(found))
}

fn load_index(search: &Search<'_>, directory: &Arc<Directory>) -> Option<Resolution> {
    with_extensions(
        search,
        &Location::Entry(directory.clone(), b"index".to_vec()),
        &search.options.extensions,
    )
}

fn no_file(search: &Search<'_>) -> ResolveError {
    let path = absolute_path(&search.directory, search.specifier);
    search.fail(search.not_found_code(), Reason::NoFileWithExtension { path })
}

/// The absolute path for messages.
pub(crate) fn absolute_path(base: &Directory, path: &str) -> PathBuf {
    let whole = Path::new(OsStr::from_bytes(base.path())).join(path);
    let names = crate::file_system::normal_names(whole.as_os_str().as_bytes());
    PathBuf::from(std::ffi::OsString::from_vec([b"/", &*names.join(&b'/')].concat()))
}
