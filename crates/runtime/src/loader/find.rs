//! What a specifier stands for. In: a specifier, who says it, how. Out: an array, see
//! js/internal/resolved.js. Files of TypeScript find what they name as bundlers do; files of
//! JavaScript as Node does, and then by aliases. Absent: reading what is found.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use rusk_jsc::{Call, Object, Outcome, Scope, Value};
use rusk_modules::{
    Format, ImportMode, Importer, Kind, Options, ResolveError, Resolved, Resolver, Symlinks, TsConfig,
};

use crate::state::RuntimeState;
use crate::values;

thread_local! {
    static NODE: RefCell<Option<Resolver>> = const { RefCell::new(None) };
    static TYPESCRIPT: RefCell<Option<Resolver>> = const { RefCell::new(None) };
    /// Found by `find_ahead`, and not asked for yet.
    static FOUND: RefCell<HashMap<String, Resolved>> = RefCell::default();
}

/// specifier, importer, FILE or FOLDER, whether it is an import, conditions other than the usual
/// ones or `undefined`, folders to look for packages in other than the usual ones or nothing.
pub fn resolve<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let specifier = call.argument(scope, 0).to_rust_string(scope)?;
    let importer = call.argument(scope, 1).to_rust_string(scope)?;
    let is_folder = call.argument(scope, 2).to_number(scope)? == 1.0;
    let is_import = call.argument(scope, 3).is_truthy(scope);
    let path = Path::new(&importer);
    if let Some(found) = FOUND.with_borrow_mut(|found| found.remove(&ahead_key(&importer, &specifier)))
        && is_import
        && !is_folder
    {
        return answer(scope, Ok(found), path);
    }
    let from = if is_folder { Importer::Directory(path) } else { Importer::File(path) };
    let kind = if is_import { Kind::Import } else { Kind::Require };
    let conditions = call.argument(scope, 4);
    if !conditions.is_undefined(scope) {
        let conditions = values::texts(scope, conditions)?;
        let options = options(&RuntimeState::current());
        let options =
            Options { require_conditions: conditions.clone(), import_conditions: conditions, ..options };
        let options = if is_typed(path) { typed(options) } else { options };
        return answer(scope, Resolver::new(options).resolve(from, &specifier, kind), path);
    }
    let folders = call.argument(scope, 5);
    let folders = match folders.is_undefined(scope) {
        true => None,
        false => Some(values::texts(scope, folders)?.into_iter().map(PathBuf::from).collect::<Vec<_>>()),
    };
    let once = |own: &Resolver| match &folders {
        None => own.resolve(from, &specifier, kind),
        Some(folders) => own.resolve_with_paths(from, &specifier, folders),
    };
    let find = |own: &mut Resolver| match once(own) {
        // The program may have made the file since the folder was looked at.
        Err(failure) if failure.code().name().ends_with("MODULE_NOT_FOUND") => {
            own.begin_epoch();
            once(own)
        }
        found => found,
    };
    let found = match is_typed(path) {
        true => with_typescript(find),
        false => with_node(find).or_else(|failure| aliased(from, path, &specifier, kind).ok_or(failure)),
    };
    answer(scope, found, path)
}

/// A name that a file of JavaScript finds nowhere else: `paths` of tsconfig.json or jsconfig.json
/// may have it, as in bun.
fn aliased(from: Importer<'_>, importer: &Path, specifier: &str, kind: Kind) -> Option<Resolved> {
    let is_name = !specifier.starts_with(['.', '/']) && !specifier.contains(':');
    let is_installed = importer.components().any(|part| part.as_os_str() == "node_modules");
    if !is_name || is_installed {
        return None;
    }
    with_typescript(|own| own.find_alias(from, specifier, kind))
}

/// What an import stands for, before it is asked for; the answer is kept until then. A file that
/// may be a module, and whether it is known to be one.
pub fn find_ahead(specifier: &str, importer: &Path) -> Option<(String, bool)> {
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
    let key = ahead_key(&importer.to_string_lossy(), specifier);
    FOUND.with_borrow_mut(|all| all.insert(key, found));
    Some((path, is_module))
}

pub fn forget_ahead() {
    FOUND.with_borrow_mut(HashMap::clear);
}

/// No path has a NUL.
fn ahead_key(importer: &str, specifier: &str) -> String {
    [importer, "\0", specifier].concat()
}

fn with_node<R>(body: impl FnOnce(&mut Resolver) -> R) -> R {
    NODE.with_borrow_mut(|own| {
        body(own.get_or_insert_with(|| Resolver::new(options(&RuntimeState::current()))))
    })
}

/// Whether a file is one that a tsconfig.json speaks for.
pub fn is_typed(path: &Path) -> bool {
    path.extension().is_some_and(|end| ["ts", "tsx", "mts", "cts", "jsx"].iter().any(|own| end == *own))
}

/// The resolver for such files.
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

/// What TypeScript says: names without an extension, `.js` for what is `.ts`, `paths` of
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

fn answer<'s>(scope: &'s Scope, found: Result<Resolved, ResolveError>, importer: &Path) -> Outcome<'s> {
    let number = |number: u32| scope.number(f64::from(number));
    let parts: Vec<Value<'_>> = match found {
        Ok(Resolved::File(file)) => {
            let format = match file.format() {
                Format::Module => 0,
                Format::CommonJs => 1,
                Format::Unspecified => 2,
                Format::Json => 3,
                Format::Addon => 4,
                Format::Wasm => 5,
                Format::Other => 6,
            };
            let mut parts = vec![
                number(0),
                scope.string(&file.path.to_string_lossy()),
                number(format),
                scope.string(&file.suffix),
            ];
            if let Some(deprecation) = &file.deprecation {
                parts.extend(
                    [deprecation.code(), &deprecation.node_message(importer)].map(|text| scope.string(text)),
                );
            }
            parts
        }
        Ok(Resolved::Builtin(name)) => vec![number(1), scope.string(name)],
        Ok(Resolved::Url(url)) => vec![number(2), scope.string(&url)],
        Err(failure) => {
            let path = |path: Option<&Path>| {
                path.map_or_else(|| scope.undefined(), |path| scope.string(&path.to_string_lossy()))
            };
            let (wanted, manifest) = (failure.missing_path(), failure.manifest_without_main());
            vec![
                number(3),
                scope.string(failure.code().name()),
                scope.string(&failure.node_message()),
                path(wanted),
                path(manifest.as_deref()),
            ]
        }
    };
    scope.array(&parts).map(Object::value)
}

/// The program's own file, seen from the current folder. Links count for it by a flag of its own.
pub fn resolve_main<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let specifier = call.argument(scope, 0).to_rust_string(scope)?;
    let state = RuntimeState::current();
    if state.program.has_option("--input-type") {
        let refusal = [
            scope.number(3.0),
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
    let folder = state.current_dir.borrow().clone();
    let find = |own: &Resolver| own.resolve(Importer::Directory(&folder), &specifier, Kind::Require);
    let options = options(&state);
    let found = match options.symlinks == symlinks {
        true => NODE.with_borrow_mut(|own| find(own.get_or_insert_with(|| Resolver::new(options)))),
        false => find(&Resolver::new(Options { symlinks, ..options })),
    };
    answer(scope, found, &folder)
}

/// 1: a file, 2: something else, 0: nothing.
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
