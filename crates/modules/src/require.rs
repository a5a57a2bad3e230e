//! `require.resolve`: Node's CommonJS algorithm, and what bundlers make of it for `import`. In: a
//! search. Out: a hit, or why there is none. The steps have the names that `node:modules` gives
//! them: LOAD_AS_FILE, LOAD_AS_DIRECTORY, LOAD_NODE_MODULES, LOAD_PACKAGE_IMPORTS,
//! LOAD_PACKAGE_SELF, LOAD_PACKAGE_EXPORTS.

use std::ffi::OsStr;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::failure::{Failure, Reason};
use crate::files::{Entry, Folder};
use crate::remark::Remark;
use crate::resolver::{self, Hit, Kind, Search};
use crate::spot::{self, Spot};
use crate::{aim, builtins, configs, import, specifier};

pub(crate) fn resolve(search: &Search<'_>) -> Result<Hit, Failure> {
    let wanted = search.specifier;
    let is_path = wanted.starts_with('/') || specifier::is_relative_for_require(wanted);
    if !is_path && let Some(hit) = configs::mapped(search)? {
        return Ok(hit);
    }
    if let Some(name) = builtins::find(wanted) {
        return Ok(Hit::Builtin(name));
    }
    if search.kind == Kind::Import
        && let Some(found) = import::by_address(search)
    {
        return found;
    }
    let scope = search.scope(&search.folder)?;
    if let Some((folder, package)) = &scope {
        if wanted.starts_with('#') && package.imports().is_some() {
            return aim::of_imports(search, folder, package);
        }
        if let Some(subpath) = own_subpath(wanted, package.name()).filter(|_| package.exports().is_some()) {
            return aim::of_exports(search, folder, package, &subpath);
        }
    }
    if is_path {
        let found = path(search, &search.folder, wanted)?;
        return found.ok_or_else(|| no_file(search));
    }
    match configs::below_base(search)? {
        Some(hit) => Ok(hit),
        None => node_modules(search),
    }
}

/// LOAD_PACKAGE_SELF: what a package asks of itself by its own name.
fn own_subpath(wanted: &str, name: Option<&str>) -> Option<String> {
    let rest = wanted.strip_prefix(name?)?;
    (rest.is_empty() || rest.starts_with('/')).then(|| format!(".{rest}"))
}

/// LOAD_NODE_MODULES: every node_modules above, then the folders of the options; or the folders of
/// the search.
fn node_modules(search: &Search<'_>) -> Result<Hit, Failure> {
    let mut at = Some(&search.folder).filter(|_| search.folders.is_none());
    while let Some(folder) = at {
        at = folder.parent();
        if folder.name() == b"node_modules" {
            continue;
        }
        if let Some(modules) = folder.enter(search.files, b"node_modules")
            && let Some(hit) = in_modules(search, &modules)?
        {
            return Ok(hit);
        }
    }
    if search.kind == Kind::Require {
        for folder in search.folders.unwrap_or(&search.options.folders) {
            let folder = search.files.folder(folder.as_os_str().as_bytes());
            if let Some(hit) = in_modules(search, &folder)? {
                return Ok(hit);
            }
        }
    }
    let name = specifier::parse_for_import(search.specifier).map_or(search.specifier, |bare| bare.name);
    Err(search.fail(search.absent(), Reason::NoPackage { name: name.to_owned() }))
}

fn in_modules(search: &Search<'_>, modules: &Arc<Folder>) -> Result<Option<Hit>, Failure> {
    // LOAD_PACKAGE_EXPORTS: a package that has `exports` answers for itself.
    if let Some(bare) = specifier::parse_for_require(search.specifier)
        && let Spot::In(above, name) = spot::find(search.files, modules, bare.name.as_bytes())
        && let Some(folder) = above.enter(search.files, &name)
        && let Some(package) = search.package(&folder)?
        && package.exports().is_some()
    {
        return aim::of_exports(search, &folder, &package, &bare.subpath()).map(Some);
    }
    path(search, modules, search.specifier)
}

/// LOAD_AS_FILE, then LOAD_AS_DIRECTORY; what ends in a slash is no file.
pub(crate) fn path(search: &Search<'_>, base: &Arc<Folder>, path: &str) -> Result<Option<Hit>, Failure> {
    let spot = spot::find(search.files, base, path.as_bytes());
    if !specifier::names_folder(path)
        && let Some(hit) = as_file(search, &spot)
    {
        return Ok(Some(hit));
    }
    match spot.entry(search.files) {
        Entry::Folder(folder) => as_directory(search, &folder),
        _ => Ok(None),
    }
}

fn as_file(search: &Search<'_>, spot: &Spot) -> Option<Hit> {
    let found = search.file(spot, "").or_else(|| with_extensions(search, spot, &search.options.extensions));
    found.or_else(|| rewritten(search, spot))
}

fn with_extensions(search: &Search<'_>, spot: &Spot, extensions: &[String]) -> Option<Hit> {
    let (folder, name) = match spot {
        Spot::In(folder, name) => (folder, &**name),
        Spot::Is(folder) => (folder.parent()?, folder.name()),
        Spot::Nowhere => return None,
    };
    let mut longer = Vec::with_capacity(name.len() + 8);
    extensions.iter().find_map(|extension| {
        longer.clear();
        longer.extend_from_slice(name);
        longer.extend_from_slice(extension.as_bytes());
        match folder.find(search.files, &longer) {
            Entry::Absent | Entry::Folder(_) => None,
            entry => {
                let name = std::mem::take(&mut longer);
                Some(Hit::File { folder: folder.clone(), name, entry, suffix: String::new() })
            }
        }
    })
}

/// `./x.js` where there is `x.ts`.
fn rewritten(search: &Search<'_>, spot: &Spot) -> Option<Hit> {
    let Spot::In(folder, name) = spot else { return None };
    if search.options.rewrites.is_empty() || is_installed(folder) {
        return None;
    }
    search.options.rewrites.iter().find_map(|(from, to)| {
        let stem = name.strip_suffix(from.as_bytes()).filter(|stem| !stem.is_empty())?;
        with_extensions(search, &Spot::In(folder.clone(), stem.to_vec()), to)
    })
}

pub(crate) fn is_installed(folder: &Arc<Folder>) -> bool {
    folder.real().path().split(|&byte| byte == b'/').any(|name| name == b"node_modules")
}

/// LOAD_AS_DIRECTORY: a main file that package.json names, else `index`.
fn as_directory(search: &Search<'_>, folder: &Arc<Folder>) -> Result<Option<Hit>, Failure> {
    let package = search.package(folder)?;
    let mut mains = package.iter().flat_map(|package| package.mains()).peekable();
    let Some(first) = mains.peek().copied() else { return Ok(index(search, folder)) };
    for main in mains {
        let spot = spot::find(search.files, folder, main.as_bytes());
        let found = as_file(search, &spot).or_else(|| match spot.entry(search.files) {
            Entry::Folder(folder) => index(search, &folder),
            _ => None,
        });
        if found.is_some() {
            return Ok(found);
        }
    }
    let Some(found) = index(search, folder) else {
        let reason = Reason::NoMain { folder: resolver::path(folder), main: first.to_owned() };
        return Err(search.fail(search.absent(), reason));
    };
    if search.kind == Kind::Require {
        let remark = Remark::MainAbsent { folder: resolver::path(folder), main: first.to_owned() };
        search.remark.replace(Some(remark));
    }
    Ok(Some(found))
}

fn index(search: &Search<'_>, folder: &Arc<Folder>) -> Option<Hit> {
    with_extensions(search, &Spot::In(folder.clone(), b"index".to_vec()), &search.options.extensions)
}

fn no_file(search: &Search<'_>) -> Failure {
    let path = wanted_path(&search.folder, search.specifier);
    search.fail(search.absent(), Reason::NoneOf { path })
}

/// The path that was meant, to be said.
pub(crate) fn wanted_path(base: &Folder, path: &str) -> PathBuf {
    let whole = Path::new(OsStr::from_bytes(base.path())).join(path);
    let names = crate::files::normal_names(whole.as_os_str().as_bytes());
    PathBuf::from(std::ffi::OsString::from_vec([b"/", &*names.join(&b'/')].concat()))
}
