//! Module resolution for the loader. In: a specifier, its importer, the kind of import. Out: an
//! array, see js/internal/modules/resolution_result.js. TypeScript files resolve as in bundlers;
//! JavaScript files as in Node, then by `paths` of tsconfig.json. Absent: the algorithm
//! (`crates/modules`).

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusk_jsc::{Call, Object, Outcome, Scope, Value};
use rusk_modules::{
    Format, ImportMode, Importer, Kind, Options, ResolveError, Resolved, Resolver, Symlinks, TsConfig,
};

use crate::state::RuntimeState;
use crate::values;

crate::shared_constants! {
    /// Whether the importer is a file, or a directory.
    pub mod importer: i32 {
        FILE = 0,
        DIRECTORY = 1,
    }
}

crate::shared_constants! {
    /// The first element of a result, with the elements after it.
    pub mod result: u32 {
        /// path, index in `formats`, suffix; code and message of a deprecation warning
        FILE = 0,
        /// name without `node:`
        BUILTIN = 1,
        /// URL
        URL = 2,
        /// code, message, the missing path, the package.json whose `main` does not exist
        ERROR = 3,
    }
}

/// Names of formats; a result has the index.
pub const FORMATS: &[(Format, &str)] = &[
    (Format::Module, "module"),
    (Format::CommonJs, "commonjs"),
    (Format::Unspecified, "unspecified"),
    (Format::Json, "json"),
    (Format::Addon, "addon"),
    (Format::Wasm, "wasm"),
    (Format::Other, "other"),
];

thread_local! {
    static NODE: RefCell<Option<Resolver>> = const { RefCell::new(None) };
    static TYPESCRIPT: RefCell<Option<Resolver>> = const { RefCell::new(None) };
    /// Resolved by `resolve_import_early` and not used yet.
    static EARLY: RefCell<HashMap<String, Resolved>> = RefCell::default();
}

/// Arguments: specifier, importer, FILE or DIRECTORY, whether it is an import, conditions or
/// `undefined` for the default ones, directories to search for packages or `undefined` for the
/// default ones.
pub fn resolve<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let specifier = call.argument(scope, 0).to_rust_string(scope)?;
    let importer_path = call.argument(scope, 1).to_rust_string(scope)?;
    let is_directory = call.argument(scope, 2).to_number(scope)? as i32 == importer::DIRECTORY;
    let is_import = call.argument(scope, 3).is_truthy(scope);
    let path = Path::new(&importer_path);
    if let Some((file, format)) = find_embedded(&specifier, path, is_directory) {
        return embedded_to_array(scope, &file, format);
    }
    if let Some(found) = EARLY.with_borrow_mut(|found| found.remove(&early_key(&importer_path, &specifier)))
        && is_import
        && !is_directory
    {
        return to_array(scope, Ok(found), path);
    }
    let from = if is_directory { Importer::Directory(path) } else { Importer::File(path) };
    let kind = if is_import { Kind::Import } else { Kind::Require };
    let conditions = call.argument(scope, 4);
    if !conditions.is_undefined(scope) {
        let conditions = values::string_list(scope, conditions)?;
        let options = options(&RuntimeState::current());
        let options =
            Options { require_conditions: conditions.clone(), import_conditions: conditions, ..options };
        let options = if is_typed(path) { typed(options) } else { options };
        return to_array(scope, Resolver::new(options).resolve(from, &specifier, kind), path);
    }
    let directories = call.argument(scope, 5);
    let directories = match directories.is_undefined(scope) {
        true => None,
        false => {
            Some(values::string_list(scope, directories)?.into_iter().map(PathBuf::from).collect::<Vec<_>>())
        }
    };
    let once = |own: &Resolver| match &directories {
        None => own.resolve(from, &specifier, kind),
        Some(directories) => own.resolve_with_paths(from, &specifier, directories),
    };
    let find = |own: &mut Resolver| match once(own) {
        // The program may have created the file since the directory was cached.
        Err(error) if error.code().name().ends_with("MODULE_NOT_FOUND") => {
            own.begin_epoch();
            once(own)
        }
        found => found,
    };
    let found = match is_typed(path) {
        true => with_typescript(find),
        false => with_node(find).or_else(|error| {
            let other = aliased(from, path, &specifier, kind);
            other.or_else(|| tested(from, path, &specifier, kind)).ok_or(error)
        }),
    };
    to_array(scope, found, path)
}

/// A name that a JavaScript file cannot resolve otherwise: `paths` of tsconfig.json or
/// jsconfig.json may have it, as in bun.
fn aliased(from: Importer<'_>, importer: &Path, specifier: &str, kind: Kind) -> Option<Resolved> {
    let is_name = !specifier.starts_with(['.', '/']) && !specifier.contains(':');
    let is_installed = importer.components().any(|part| part.as_os_str() == "node_modules");
    if !is_name || is_installed {
        return None;
    }
    with_typescript(|own| own.find_alias(from, specifier, kind))
}

/// A name without an extension, in a process that runs test files: bun, jest and vitest resolve it
/// as in TypeScript.
fn tested(from: Importer<'_>, importer: &Path, specifier: &str, kind: Kind) -> Option<Resolved> {
    let is_installed = importer.components().any(|part| part.as_os_str() == "node_modules");
    if is_installed || !rusk_modules::builtins::has_test_packages() {
        return None;
    }
    with_typescript(|own| own.resolve(from, specifier, kind).ok())
}

/// Resolves an import before it is loaded, and caches the result until then. Out: the path of a
/// file that may be a module, and whether it is known to be one.
pub fn resolve_import_early(specifier: &str, importer: &Path) -> Option<(String, bool)> {
    let find = |own: &mut Resolver| own.resolve(Importer::File(importer), specifier, Kind::Import).ok();
    let found = match is_typed(importer) {
        true => with_typescript(find),
        false => with_node(find),
    }?;
    let Resolved::File(file) = &found else { return None };
    let is_module = match file.format() {
        Format::Module => true,
        Format::Unspecified => false,
        _ => return None,
    };
    let path = file.path.to_str()?.to_owned();
    let key = early_key(&importer.to_string_lossy(), specifier);
    EARLY.with_borrow_mut(|all| all.insert(key, found));
    Some((path, is_module))
}

pub fn clear_early() {
    EARLY.with_borrow_mut(HashMap::clear);
}

/// A path has no NUL.
fn early_key(importer: &str, specifier: &str) -> String {
    [importer, "\0", specifier].concat()
}

/// Closes the directories of this thread's resolvers, whose program has ended.
pub fn release_directories() {
    for own in [NODE.take(), TYPESCRIPT.take()].iter_mut().flatten() {
        own.release();
    }
}

fn with_node<R>(body: impl FnOnce(&mut Resolver) -> R) -> R {
    NODE.with_borrow_mut(|own| {
        body(own.get_or_insert_with(|| Resolver::new(options(&RuntimeState::current()))))
    })
}

/// Whether tsconfig.json applies to a file.
pub fn is_typed(path: &Path) -> bool {
    path.extension().is_some_and(|end| ["ts", "tsx", "mts", "cts", "jsx"].iter().any(|own| end == *own))
}

/// Runs `body` with the resolver for such files.
pub fn with_typescript<R>(body: impl FnOnce(&mut Resolver) -> R) -> R {
    TYPESCRIPT.with_borrow_mut(|own| {
        body(own.get_or_insert_with(|| Resolver::new(typed(options(&RuntimeState::current())))))
    })
}

fn options(state: &RuntimeState) -> Options {
    let mut options = Options::node();
    options.require_conditions.extend(state.program.conditions.iter().cloned());
    options.import_conditions.extend(state.program.conditions.iter().cloned());
    if state.program.has_flag("--no-addons") {
        for conditions in [&mut options.require_conditions, &mut options.import_conditions] {
            conditions.retain(|condition| condition != "node-addons");
        }
    }
    let more = [".ts", ".cts", ".mts", ".tsx", ".jsx"];
    options.extensions.extend(more.iter().map(|&end| end.to_owned()));
    if state.program.has_flag("--preserve-symlinks") || state.program.has_variable("NODE_PRESERVE_SYMLINKS") {
        options.symlinks = Symlinks::Preserve;
    }
    options
}

/// TypeScript's rules: names without an extension, `.js` for a `.ts` file, `paths` of
/// tsconfig.json.
fn typed(options: Options) -> Options {
    let Options { extension_aliases, mut extensions, .. } = Options::bundler();
    extensions.push(".node".to_owned());
    Options {
        extension_aliases,
        extensions,
        import_mode: ImportMode::Search,
        tsconfig: TsConfig::Nearest,
        ..options
    }
}

/// An embedded file of this program, and its format. Its name need not have an extension.
fn find_embedded(specifier: &str, importer: &Path, is_directory: bool) -> Option<(String, Format)> {
    let files = rusk_embedded::files()?;
    let directory = if is_directory { importer } else { importer.parent()? };
    let path = match specifier.strip_prefix("file://") {
        Some(path) => PathBuf::from(path),
        None if specifier.starts_with(['.', '/']) => directory.join(specifier),
        None => return None,
    };
    let path = rusk_base::files::normalized(&path);
    let name = path.to_str()?.to_owned();
    files.find(&name)?;
    let is_code = !files.assets().contains(&name);
    let format = match path.extension().and_then(|end| end.to_str()) {
        _ if is_code => Format::Module,
        Some("node") => Format::Addon,
        Some("wasm") => Format::Wasm,
        Some("json") => Format::Json,
        _ => Format::Other,
    };
    Some((name, format))
}

fn embedded_to_array<'s>(scope: &'s Scope, path: &str, format: Format) -> Outcome<'s> {
    let number = |number: usize| scope.number(number as f64);
    let format = FORMATS.iter().position(|(own, _)| *own == format).expect("each format has a name");
    let parts = [number(result::FILE as usize), scope.string(path), number(format), scope.string("")];
    scope.array(&parts).map(Object::value)
}

fn to_array<'s>(scope: &'s Scope, found: Result<Resolved, ResolveError>, importer: &Path) -> Outcome<'s> {
    let number = |number: u32| scope.number(f64::from(number));
    let parts: Vec<Value<'_>> = match found {
        Ok(Resolved::File(file)) => {
            let format = file.format();
            let format = FORMATS.iter().position(|(own, _)| *own == format).expect("each format has a name");
            let mut parts = vec![
                number(result::FILE),
                scope.string(&file.path.to_string_lossy()),
                number(format as u32),
                scope.string(&file.suffix),
            ];
            if let Some(deprecation) = &file.deprecation {
                parts.extend(
                    [deprecation.code(), &deprecation.node_message(importer)].map(|text| scope.string(text)),
                );
            }
            parts
        }
        Ok(Resolved::Builtin(name)) => vec![number(result::BUILTIN), scope.string(name)],
        Ok(Resolved::Url(url)) => vec![number(result::URL), scope.string(&url)],
        Err(error) => {
            let path = |path: Option<&Path>| {
                path.map_or_else(|| scope.undefined(), |path| scope.string(&path.to_string_lossy()))
            };
            let (wanted, manifest) = (error.missing_path(), error.manifest_without_main());
            vec![
                number(result::ERROR),
                scope.string(error.code().name()),
                scope.string(&error.node_message()),
                path(wanted),
                path(manifest.as_deref()),
            ]
        }
    };
    scope.array(&parts).map(Object::value)
}

/// Resolves the entry file from the current directory. Symlinks of it have their own flag.
pub fn resolve_main<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let specifier = call.argument(scope, 0).to_rust_string(scope)?;
    let state = RuntimeState::current();
    if let Some((file, format)) = find_embedded(&specifier, Path::new("/"), true) {
        return embedded_to_array(scope, &file, format);
    }
    if state.program.has_option("--input-type") {
        let refusal = [
            scope.number(result::ERROR.into()),
            scope.string("ERR_INPUT_TYPE_NOT_ALLOWED"),
            scope.string("--input-type can only be used with string input via --eval, --print, or STDIN"),
        ];
        return scope.array(&refusal).map(Object::value);
    }
    let symlinks = match state.program.has_flag("--preserve-symlinks-main")
        || state.program.has_variable("NODE_PRESERVE_SYMLINKS_MAIN")
    {
        true => Symlinks::Preserve,
        false => Symlinks::Follow,
    };
    let directory = state.current_dir.borrow().clone();
    let find = |own: &Resolver| own.resolve(Importer::Directory(&directory), &specifier, Kind::Require);
    let options = options(&state);
    let found = match options.symlinks == symlinks {
        true => NODE.with_borrow_mut(|own| find(own.get_or_insert_with(|| Resolver::new(options)))),
        false => find(&Resolver::new(Options { symlinks, ..options })),
    };
    to_array(scope, found, &directory)
}

/// 1: a file, 2: something else, 0: it does not exist.
pub fn kind<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = call.argument(scope, 0).to_rust_string(scope)?;
    let kind = std::fs::metadata(path).map_or(0.0, |data| if data.is_file() { 1.0 } else { 2.0 });
    Ok(scope.number(kind))
}

pub fn realpath<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = call.argument(scope, 0).to_rust_string(scope)?;
    let real = std::fs::canonicalize(&path).ok();
    Ok(scope.string(&real.map_or(path, |real| real.to_string_lossy().into_owned())))
}
