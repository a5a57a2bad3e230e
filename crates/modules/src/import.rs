//! `import`: Node's ESM algorithm. In: a search. Out: a hit, or why there is none. A specifier is
//! an address or the name of a package; nothing is tried but what it says. ESM_RESOLVE and
//! PACKAGE_RESOLVE of `node:esm`.

use std::sync::Arc;

use url::Url;

use crate::failure::{Code, Failure, Reason};
use crate::files::{Entry, Folder};
use crate::package::Package;
use crate::remark::Remark;
use crate::resolver::{self, Hit, Search};
use crate::spot;
use crate::{address, aim, builtins, configs, require, specifier};

pub(crate) fn resolve(search: &Search<'_>) -> Result<Hit, Failure> {
    let wanted = search.specifier;
    if specifier::is_path_for_import(wanted) {
        return reference(search, &search.folder, wanted);
    }
    if let Some(hit) = configs::mapped(search)? {
        return Ok(hit);
    }
    if wanted.starts_with('#') {
        aim::check_internal(search)?;
        return match search.scope(&search.folder)? {
            Some((folder, package)) => aim::of_imports(search, &folder, &package),
            None => Err(aim::not_imported(search, None)),
        };
    }
    if let Some(found) = by_address(search) {
        return found;
    }
    if builtins::find(wanted).is_none()
        && let Some(hit) = configs::below_base(search)?
    {
        return Ok(hit);
    }
    package(search, &search.folder, wanted)
}

/// A specifier that is an address by itself: `node:`, `file:`, `data:` and any other scheme.
pub(crate) fn by_address(search: &Search<'_>) -> Option<Result<Hit, Failure>> {
    let wanted = search.specifier;
    if !wanted.contains(':') {
        return None;
    }
    let address = Url::parse(wanted).ok()?;
    Some(match address.scheme() {
        "node" => builtins::find(wanted)
            .map(Hit::Builtin)
            .ok_or_else(|| search.fail(Code::ErrUnknownBuiltinModule, Reason::UnknownBuiltin)),
        "file" => decoded(search, address::parts(&address)),
        _ => Ok(Hit::Address(address.into())),
    })
}

/// A path, as an address seen from a folder.
fn reference(search: &Search<'_>, base: &Arc<Folder>, reference: &str) -> Result<Hit, Failure> {
    if address::is_plain(reference) && !reference.starts_with("//") {
        return aim::exact(search, base, reference, "");
    }
    decoded(search, address::resolve(base.path(), reference, None))
}

fn decoded(search: &Search<'_>, address: Result<address::Address, address::Wrong>) -> Result<Hit, Failure> {
    let address = address.map_err(|wrong| aim::no_address(search, wrong))?;
    let path = String::from_utf8_lossy(&address.path);
    aim::exact(search, search.files.root(), &path, &address.suffix)
}

/// PACKAGE_RESOLVE: a builtin, the package itself, or one in a node_modules above `from`.
pub(crate) fn package(search: &Search<'_>, from: &Arc<Folder>, wanted: &str) -> Result<Hit, Failure> {
    if let Some(name) = builtins::find(wanted) {
        return Ok(Hit::Builtin(name));
    }
    let Some(bare) = specifier::parse_for_import(wanted) else {
        let expected = "the name of a package, or a path that begins with `./`, `../` or `/`";
        return Err(search.fail(Code::ErrInvalidModuleSpecifier, Reason::InvalidName { expected }));
    };
    if let Some((folder, package)) = search.scope(from)?
        && package.name() == Some(bare.name)
        && package.exports().is_some()
    {
        return aim::of_exports(search, &folder, &package, &bare.subpath());
    }
    let mut at = Some(from);
    while let Some(folder) = at {
        if let Some(modules) = folder.enter(search.files, b"node_modules")
            && let Entry::Folder(found) =
                spot::find(search.files, &modules, bare.name.as_bytes()).entry(search.files)
        {
            return in_package(search, &found, &bare.subpath());
        }
        at = folder.parent();
    }
    Err(search.fail(search.absent(), Reason::NoPackage { name: bare.name.to_owned() }))
}

fn in_package(search: &Search<'_>, folder: &Arc<Folder>, subpath: &str) -> Result<Hit, Failure> {
    let package = search.package(folder)?;
    match package {
        Some(package) if package.exports().is_some() => aim::of_exports(search, folder, &package, subpath),
        package if subpath == "." => legacy_main(search, folder, package.as_deref()),
        _ => reference(search, folder, subpath),
    }
}

/// LEGACY_MAIN_RESOLVE: the one place where `import` tries extensions. `main` is a path, not a part
/// of an address.
fn legacy_main(search: &Search<'_>, folder: &Arc<Folder>, package: Option<&Package>) -> Result<Hit, Failure> {
    const OF_MAIN: &[&str] = &["", ".js", ".json", ".node", "/index.js", "/index.json", "/index.node"];
    const OF_INDEX: &[&str] = &["index.js", "index.json", "index.node"];
    let file = |path: &str| {
        let spot = spot::find(search.files, folder, path.as_bytes());
        (!specifier::names_folder(path)).then(|| search.file(&spot, "")).flatten()
    };
    let taken = |path: String| file(&path).map(|hit| (hit, path));
    let main = package.and_then(|package| package.mains().next());
    let of_main = |main: &str| OF_MAIN.iter().find_map(|end| taken(format!("{main}{end}")));
    if let Some(main) = main
        && let Some((hit, path)) = of_main(main)
    {
        note_unsaid(search, folder, Some(main), &path);
        // The path becomes an address, and those have no such letters.
        return match main.contains('\\') {
            true => Err(aim::no_address(search, address::Wrong::EncodedSlash)),
            false => Ok(hit),
        };
    }
    let reason =
        || Reason::NoMain { folder: resolver::path(folder), main: main.unwrap_or("index.js").to_owned() };
    let index = OF_INDEX.iter().find_map(|&name| taken(name.to_owned()));
    let (hit, path) = index.ok_or_else(|| search.fail(search.absent(), reason()))?;
    note_unsaid(search, folder, main, &path);
    Ok(hit)
}

/// That a package does not say all of its main file's path. `taken`: what it is, seen from the
/// folder.
fn note_unsaid(search: &Search<'_>, folder: &Arc<Folder>, main: Option<&str>, taken: &str) {
    if main == Some(taken) {
        return;
    }
    let path = require::wanted_path(folder, taken);
    if main.is_some_and(|main| require::wanted_path(folder, main) == path) {
        return;
    }
    let folder = resolver::path(folder);
    let taken = path.strip_prefix(&folder).unwrap_or(&path).to_string_lossy().into_owned();
    search.remark.replace(Some(Remark::MainUnsaid { folder, main: main.map(str::to_owned), taken }));
}
