//! Resolution of `import`: Node's ESM algorithm, ESM_RESOLVE and PACKAGE_RESOLVE in the
//! documentation of `node:esm`. In: a search. Out: a resolution, or an error. A specifier is a URL,
//! a relative reference or a bare specifier; no extensions are tried.

use std::sync::Arc;

use url::Url;

use crate::deprecation::Deprecation;
use crate::error::{Code, Reason, ResolveError};
use crate::file_system::{Directory, Entry};
use crate::location;
use crate::package::PackageConfig;
use crate::resolver::{self, Resolution, Search};
use crate::{builtins, config_cache, exports, file_url, require, specifier};

pub(crate) fn resolve(search: &Search<'_>) -> Result<Resolution, ResolveError> {
    let specifier = search.specifier;
    if specifier::is_path_for_import(specifier) {
        return resolve_reference(search, &search.directory, specifier);
    }
    if let Some(resolution) = config_cache::resolve_paths(search)? {
        return Ok(resolution);
    }
    if specifier.starts_with('#') {
        exports::check_import_specifier(search)?;
        return match search.scope(&search.directory)? {
            Some((directory, package)) => exports::resolve_imports(search, &directory, &package),
            None => Err(exports::not_imported(search, None)),
        };
    }
    if let Some(found) = resolve_url(search) {
        return found;
    }
    if builtins::find(specifier).is_none()
        && let Some(resolution) = config_cache::resolve_base_url(search)?
    {
        return Ok(resolution);
    }
    resolve_package(search, &search.directory, specifier)
}

/// A specifier that is a URL: `node:`, `file:`, `data:` or another scheme.
pub(crate) fn resolve_url(search: &Search<'_>) -> Option<Result<Resolution, ResolveError>> {
    let specifier = search.specifier;
    if !specifier.contains(':') {
        return None;
    }
    let url = Url::parse(specifier).ok()?;
    Some(match url.scheme() {
        "node" => builtins::find(specifier)
            .map(Resolution::Builtin)
            .ok_or_else(|| search.fail(Code::ErrUnknownBuiltinModule, Reason::UnknownBuiltin)),
        "file" => resolve_file_url(search, file_url::decode(&url)),
        "bun" if let Some(name) = builtins::find(specifier) => Ok(Resolution::Builtin(name)),
        _ => Ok(Resolution::Url(url.into())),
    })
}

/// A path, as a URL reference relative to a directory.
fn resolve_reference(
    search: &Search<'_>,
    base: &Arc<Directory>,
    reference: &str,
) -> Result<Resolution, ResolveError> {
    if file_url::is_plain(reference) && !reference.starts_with("//") {
        return exports::exact_file(search, base, reference, "");
    }
    resolve_file_url(search, file_url::resolve(base.path(), reference, None))
}

fn resolve_file_url(
    search: &Search<'_>,
    url: Result<file_url::FileUrl, file_url::UrlError>,
) -> Result<Resolution, ResolveError> {
    let url = url.map_err(|error| exports::url_error(search, error))?;
    let path = String::from_utf8_lossy(&url.path);
    exports::exact_file(search, search.fs.root(), &path, &url.suffix)
}

/// PACKAGE_RESOLVE: a builtin, the package itself, or one in a node_modules above `from`.
pub(crate) fn resolve_package(
    search: &Search<'_>,
    from: &Arc<Directory>,
    specifier: &str,
) -> Result<Resolution, ResolveError> {
    if let Some(name) = builtins::find(specifier) {
        return Ok(Resolution::Builtin(name));
    }
    let Some(bare) = specifier::parse_for_import(specifier) else {
        let expected = "the name of a package, or a path that begins with `./`, `../` or `/`";
        return Err(search.fail(Code::ErrInvalidModuleSpecifier, Reason::InvalidName { expected }));
    };
    if let Some((directory, package)) = search.scope(from)?
        && package.name() == Some(bare.name)
        && package.exports().is_some()
    {
        return exports::resolve_exports(search, &directory, &package, &bare.subpath());
    }
    let mut at = Some(from);
    while let Some(directory) = at {
        if let Some(modules) = directory.enter(search.fs, b"node_modules")
            && let Entry::Directory(found) =
                location::locate(search.fs, &modules, bare.name.as_bytes()).entry(search.fs)
        {
            return in_package(search, &found, &bare.subpath());
        }
        at = directory.parent();
    }
    Err(search.fail(search.not_found_code(), Reason::NoPackage { name: bare.name.to_owned() }))
}

fn in_package(
    search: &Search<'_>,
    directory: &Arc<Directory>,
    subpath: &str,
) -> Result<Resolution, ResolveError> {
    let package = search.package(directory)?;
    match package {
        Some(package) if package.exports().is_some() => {
            exports::resolve_exports(search, directory, &package, subpath)
        }
        package if subpath == "." => legacy_main(search, directory, package.as_deref()),
        _ => resolve_reference(search, directory, subpath),
    }
}

/// LEGACY_MAIN_RESOLVE, the only step in which `import` tries extensions. `main` is a path, not a
/// part of a URL.
fn legacy_main(
    search: &Search<'_>,
    directory: &Arc<Directory>,
    package: Option<&PackageConfig>,
) -> Result<Resolution, ResolveError> {
    const OF_MAIN: &[&str] = &["", ".js", ".json", ".node", "/index.js", "/index.json", "/index.node"];
    const OF_INDEX: &[&str] = &["index.js", "index.json", "index.node"];
    let file = |path: &str| {
        let location = location::locate(search.fs, directory, path.as_bytes());
        (!specifier::names_directory(path)).then(|| search.file(&location, "")).flatten()
    };
    let taken = |path: String| file(&path).map(|resolution| (resolution, path));
    let main = package.and_then(|package| package.mains().next());
    let of_main = |main: &str| OF_MAIN.iter().find_map(|end| taken(format!("{main}{end}")));
    if let Some(main) = main
        && let Some((resolution, path)) = of_main(main)
    {
        record_implicit_main(search, directory, Some(main), &path);
        // The path becomes a URL, in which a backslash is invalid.
        return match main.contains('\\') {
            true => Err(exports::url_error(search, file_url::UrlError::EncodedSlash)),
            false => Ok(resolution),
        };
    }
    let reason = || Reason::NoMain {
        directory: resolver::to_path(directory),
        main: main.unwrap_or("index.js").to_owned(),
    };
    let index = OF_INDEX.iter().find_map(|&name| taken(name.to_owned()));
    let (resolution, path) = index.ok_or_else(|| search.fail(search.not_found_code(), reason()))?;
    record_implicit_main(search, directory, main, &path);
    Ok(resolution)
}

/// Records the deprecation of a main field that is not the whole path of the file. `taken`: that
/// path, relative to the directory.
fn record_implicit_main(search: &Search<'_>, directory: &Arc<Directory>, main: Option<&str>, taken: &str) {
    if main == Some(taken) {
        return;
    }
    let path = require::absolute_path(directory, taken);
    if main.is_some_and(|main| require::absolute_path(directory, main) == path) {
        return;
    }
    let directory = resolver::to_path(directory);
    let taken = path.strip_prefix(&directory).unwrap_or(&path).to_string_lossy().into_owned();
    search.deprecation.replace(Some(Deprecation::ImplicitMain {
        directory,
        main: main.map(str::to_owned),
        taken,
    }));
}
