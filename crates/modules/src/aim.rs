//! Where `exports` and `imports` lead on disk. In: a package's folder and what is asked of it. Out:
//! a hit, or why there is none. Which target counts is decided by `package::targets`, without
//! looking at files.

use std::borrow::Cow;
use std::sync::Arc;

use crate::address::{self, Wrong};
use crate::failure::{Code, Failure, Reason};
use crate::files::{Entry, Folder};
use crate::package::Package;
use crate::package::targets::{self, Aim, Refusal};
use crate::resolver::{self, Hit, Kind, Search};
use crate::spot::{self, Spot};
use crate::{import, require, specifier};

/// LOAD_PACKAGE_EXPORTS.
pub(crate) fn of_exports(
    search: &Search<'_>,
    folder: &Arc<Folder>,
    package: &Package,
    subpath: &str,
) -> Result<Hit, Failure> {
    let exports = package.exports().expect("the caller has seen `exports`");
    match targets::of_exports(exports, subpath, search.conditions()) {
        Ok(aim) => follow(search, folder, aim),
        Err(Refusal::Undefined) => {
            let folder = resolver::path(folder);
            let reason = Reason::NotExported { folder, subpath: subpath.to_owned() };
            Err(search.fail(Code::ErrPackagePathNotExported, reason))
        }
        Err(refusal) => Err(refused(search, folder, subpath, refusal)),
    }
}

/// LOAD_PACKAGE_IMPORTS.
pub(crate) fn of_imports(
    search: &Search<'_>,
    folder: &Arc<Folder>,
    package: &Package,
) -> Result<Hit, Failure> {
    let wanted = search.specifier;
    check_internal(search)?;
    let aim = package
        .imports()
        .map_or(Err(Refusal::Undefined), |imports| targets::of_imports(imports, wanted, search.conditions()));
    match aim {
        Ok(aim) => follow(search, folder, aim),
        Err(Refusal::Undefined) => Err(not_imported(search, Some(folder))),
        Err(refusal) => Err(refused(search, folder, wanted, refusal)),
    }
}

/// `#` and `#…/` are no names.
pub(crate) fn check_internal(search: &Search<'_>) -> Result<(), Failure> {
    let wanted = search.specifier;
    if wanted == "#" || wanted.ends_with('/') {
        let expected = "`#` and a name, without a slash at its end";
        return Err(search.fail(Code::ErrInvalidModuleSpecifier, Reason::InvalidName { expected }));
    }
    Ok(())
}

pub(crate) fn not_imported(search: &Search<'_>, folder: Option<&Arc<Folder>>) -> Failure {
    let folder = folder.map(|folder| resolver::path(folder));
    search.fail(Code::ErrPackageImportNotDefined, Reason::NotImported { folder })
}

/// `asked`: of the package, `.`, `./…` or `#…`.
fn refused(search: &Search<'_>, folder: &Folder, asked: &str, refusal: Refusal) -> Failure {
    let folder = resolver::path(folder);
    match refusal {
        Refusal::InvalidTarget { key, target } => {
            search.fail(Code::ErrInvalidPackageTarget, Reason::InvalidTarget { folder, key, target })
        }
        Refusal::InvalidConfig(reason) => {
            let reason = Reason::BrokenManifest { folder, reason: reason.to_owned() };
            search.fail(Code::ErrInvalidPackageConfig, reason)
        }
        Refusal::InvalidSubpath { key } => {
            let reason = Reason::InvalidSubpath { folder, key, asked: asked.to_owned() };
            search.fail(Code::ErrInvalidModuleSpecifier, reason)
        }
        Refusal::Undefined => unreachable!("both callers answer this one"),
    }
}

fn follow(search: &Search<'_>, folder: &Arc<Folder>, aim: Aim<'_>) -> Result<Hit, Failure> {
    match aim {
        Aim::Bare(name) => import::package(search, folder, &name),
        Aim::Path { target, star } => {
            let is_plain = address::is_plain(target) && star.is_none_or(address::is_plain);
            if is_plain {
                let path = star.map_or(Cow::Borrowed(target), |star| target.replace('*', star).into());
                return exact(search, folder, &path, "");
            }
            let address =
                address::resolve(folder.path(), target, star).map_err(|wrong| no_address(search, wrong))?;
            let inside = address.path.strip_prefix(folder.path()).is_some_and(|rest| rest.starts_with(b"/"));
            if !inside {
                let (key, target) = (search.specifier.to_owned(), target.to_owned());
                return Err(refused(search, folder, "", Refusal::InvalidTarget { key, target }));
            }
            exact(search, folder, &String::from_utf8_lossy(&address.path), &address.suffix)
        }
    }
}

/// The file at exactly that path, seen from a folder: no extension, no index.
pub(crate) fn exact(
    search: &Search<'_>,
    base: &Arc<Folder>,
    path: &str,
    suffix: &str,
) -> Result<Hit, Failure> {
    let spot = spot::find(search.files, base, path.as_bytes());
    let names_folder = specifier::names_folder(path);
    // What `require` gives is a path and nothing else.
    let suffix = if search.kind == Kind::Require { "" } else { suffix };
    if !names_folder && let Some(hit) = search.file(&spot, suffix) {
        return Ok(hit);
    }
    let is_folder = is_folder(search, &spot);
    let path = require::wanted_path(base, path);
    Err(match search.kind {
        Kind::Import if is_folder => search.fail(Code::ErrUnsupportedDirImport, Reason::IsFolder { path }),
        _ => search.fail(search.absent(), Reason::NoFile { path }),
    })
}

fn is_folder(search: &Search<'_>, spot: &Spot) -> bool {
    matches!(spot.entry(search.files), Entry::Folder(_))
}

pub(crate) fn no_address(search: &Search<'_>, wrong: Wrong) -> Failure {
    let code = match wrong {
        Wrong::EncodedSlash | Wrong::Malformed => Code::ErrInvalidModuleSpecifier,
        Wrong::Host => Code::ErrInvalidFileUrlHost,
    };
    search.fail(code, Reason::InvalidAddress(wrong))
}
