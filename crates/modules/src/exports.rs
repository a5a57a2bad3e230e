//! Resolution by `exports` and `imports` of package.json. In: the directory of a package and a
//! subpath. Out: a resolution, or an error. `package::targets` selects the target without file
//! access.

use std::borrow::Cow;
use std::sync::Arc;

use crate::error::{Code, Reason, ResolveError};
use crate::file_system::{Directory, Entry};
use crate::file_url::{self, UrlError};
use crate::location::{self, Location};
use crate::package::PackageConfig;
use crate::package::targets::{self, ResolvedTarget, TargetError};
use crate::resolver::{self, Kind, Resolution, Search};
use crate::{import, require, specifier};

/// LOAD_PACKAGE_EXPORTS.
pub(crate) fn resolve_exports(
    search: &Search<'_>,
    directory: &Arc<Directory>,
    package: &PackageConfig,
    subpath: &str,
) -> Result<Resolution, ResolveError> {
    let exports = package.exports().expect("the caller has seen `exports`");
    match targets::select_export(exports, subpath, search.conditions()) {
        Ok(target) => resolve_target(search, directory, target),
        Err(TargetError::Undefined) => {
            let directory = resolver::to_path(directory);
            let reason = Reason::NotExported { directory, subpath: subpath.to_owned() };
            Err(search.fail(Code::ErrPackagePathNotExported, reason))
        }
        Err(error) => Err(target_error(search, directory, subpath, error)),
    }
}

/// LOAD_PACKAGE_IMPORTS.
pub(crate) fn resolve_imports(
    search: &Search<'_>,
    directory: &Arc<Directory>,
    package: &PackageConfig,
) -> Result<Resolution, ResolveError> {
    let specifier = search.specifier;
    check_import_specifier(search)?;
    let target = package.imports().map_or(Err(TargetError::Undefined), |imports| {
        targets::select_import(imports, specifier, search.conditions())
    });
    match target {
        Ok(target) => resolve_target(search, directory, target),
        Err(TargetError::Undefined) => Err(not_imported(search, Some(directory))),
        Err(error) => Err(target_error(search, directory, specifier, error)),
    }
}

/// `#` and `#…/` are invalid.
pub(crate) fn check_import_specifier(search: &Search<'_>) -> Result<(), ResolveError> {
    let specifier = search.specifier;
    if specifier == "#" || specifier.ends_with('/') {
        let expected = "`#` and a name, without a slash at its end";
        return Err(search.fail(Code::ErrInvalidModuleSpecifier, Reason::InvalidName { expected }));
    }
    Ok(())
}

pub(crate) fn not_imported(search: &Search<'_>, directory: Option<&Arc<Directory>>) -> ResolveError {
    let directory = directory.map(|directory| resolver::to_path(directory));
    search.fail(Code::ErrPackageImportNotDefined, Reason::NotImported { directory })
}

/// `subpath` is relative to the package: `.`, `./…` or `#…`.
fn target_error(
    search: &Search<'_>,
    directory: &Directory,
    subpath: &str,
    error: TargetError,
) -> ResolveError {
    let directory = resolver::to_path(directory);
    match error {
        TargetError::InvalidTarget { key, target } => {
            search.fail(Code::ErrInvalidPackageTarget, Reason::InvalidTarget { directory, key, target })
        }
        TargetError::InvalidConfig(reason) => {
            let reason = Reason::InvalidManifest { directory, reason: reason.to_owned() };
            search.fail(Code::ErrInvalidPackageConfig, reason)
        }
        TargetError::InvalidSubpath { key } => {
            let reason = Reason::InvalidSubpath { directory, key, subpath: subpath.to_owned() };
            search.fail(Code::ErrInvalidModuleSpecifier, reason)
        }
        TargetError::Undefined => unreachable!("both callers answer this one"),
    }
}

fn resolve_target(
    search: &Search<'_>,
    directory: &Arc<Directory>,
    target: ResolvedTarget<'_>,
) -> Result<Resolution, ResolveError> {
    match target {
        ResolvedTarget::Bare(name) => import::resolve_package(search, directory, &name),
        ResolvedTarget::Path { target, star } => {
            let is_plain = file_url::is_plain(target) && star.is_none_or(file_url::is_plain);
            if is_plain {
                let path = star.map_or(Cow::Borrowed(target), |star| target.replace('*', star).into());
                return exact_file(search, directory, &path, "");
            }
            let address = file_url::resolve(directory.path(), target, star)
                .map_err(|error| url_error(search, error))?;
            let inside =
                address.path.strip_prefix(directory.path()).is_some_and(|rest| rest.starts_with(b"/"));
            if !inside {
                let (key, target) = (search.specifier.to_owned(), target.to_owned());
                return Err(target_error(search, directory, "", TargetError::InvalidTarget { key, target }));
            }
            exact_file(search, directory, &String::from_utf8_lossy(&address.path), &address.suffix)
        }
    }
}

/// The file at exactly that path, relative to a directory: no extensions, no index.
pub(crate) fn exact_file(
    search: &Search<'_>,
    base: &Arc<Directory>,
    path: &str,
    suffix: &str,
) -> Result<Resolution, ResolveError> {
    let location = location::locate(search.fs, base, path.as_bytes());
    let names_directory = specifier::names_directory(path);
    // `require` returns a path without query and fragment.
    let suffix = if search.kind == Kind::Require { "" } else { suffix };
    if !names_directory && let Some(resolution) = search.file(&location, suffix) {
        return Ok(resolution);
    }
    let is_directory = is_directory(search, &location);
    let path = require::absolute_path(base, path);
    Err(match search.kind {
        Kind::Import if is_directory => {
            search.fail(Code::ErrUnsupportedDirImport, Reason::IsDirectory { path })
        }
        _ => search.fail(search.not_found_code(), Reason::NoFile { path }),
    })
}

fn is_directory(search: &Search<'_>, location: &Location) -> bool {
    matches!(location.entry(search.fs), Entry::Directory(_))
}

pub(crate) fn url_error(search: &Search<'_>, error: UrlError) -> ResolveError {
    let code = match error {
        UrlError::EncodedSlash | UrlError::Malformed => Code::ErrInvalidModuleSpecifier,
        UrlError::Host => Code::ErrInvalidFileUrlHost,
    };
    search.fail(code, Reason::InvalidUrl(error))
}
