//! Module loader, the native half: resolves, reads, transpiles and compiles modules. In:
//! specifiers, paths, sources. Out: resolutions (js/internal/modules/resolution_result.js),
//! functions, tables of imports and exports. Absent: module records and the require cache;
//! js/internal/esm and js/node/module.js have them.

mod file_watches;
mod global_scripts;
mod kept_modules;
mod prefetch;
mod resolution;
mod scripts;
mod transpile_options;
mod unchanged_files;

use std::cell::RefCell;
use std::path::Path;

use rusk_base::files;
use rusk_jsc::{ErrorKind, Exception, Object, Scope};

use crate::bindings::{add, add_fast, object};
use crate::constants::add_constants;
use crate::program::Preload;
use crate::state::RuntimeState;

pub(crate) use kept_modules::start as keep_modules;
pub(crate) use resolution::release_directories;

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "importer", resolution::importer::ALL)?;
    add_constants(scope, binding, "resolution", resolution::result::ALL)?;
    let formats: Vec<_> = resolution::FORMATS.iter().map(|(_, name)| scope.string(name)).collect();
    binding.set_property(scope, "formats", scope.array(&formats)?.value())?;
    add(scope, binding, "resolve", resolution::resolve)?;
    add(scope, binding, "resolveMain", resolution::resolve_main)?;
    add(scope, binding, "kind", resolution::kind)?;
    add(scope, binding, "realpath", resolution::realpath)?;
    add(scope, binding, "currentDir", |scope, _| {
        Ok(scope.string(&RuntimeState::current().current_dir.borrow().to_string_lossy()))
    })?;
    // Directory of the bytecode cache; undefined: bytecode is not cached.
    add(scope, binding, "bytecodeCacheDir", |scope, _| {
        let state = RuntimeState::current();
        let directory = state
            .bytecode_cache
            .as_ref()
            .map(|codes| codes.builtins().directory().to_string_lossy().into_owned());
        Ok(directory.map_or_else(|| scope.undefined(), |directory| scope.string(&directory)))
    })?;
    add(scope, binding, "preloads", |scope, _| {
        let state = RuntimeState::current();
        let preloads = state.program.preloads.iter();
        let words: Vec<_> = preloads
            .flat_map(|Preload { kind, name }| [scope.string(kind.name()), scope.string(name)])
            .collect();
        scope.array(&words).map(Object::value)
    })?;
    add(scope, binding, "trackAsyncContext", |scope, _| {
        RuntimeState::current().tracks_async_context.set(true);
        Ok(scope.undefined())
    })?;
    add(scope, binding, "read", |scope, call| {
        let path = call.argument(scope, 0).to_rust_string(scope)?;
        read(scope, &path).map(|text| scope.string(&text))
    })?;
    add(scope, binding, "compileFile", scripts::compile_file)?;
    add(scope, binding, "compileText", scripts::compile_text)?;
    add(scope, binding, "parseModule", scripts::parse_module)?;
    add(scope, binding, "isUnchanged", unchanged_files::is_unchanged)?;
    add_fast(scope, binding, "fileChanges", file_watches::changes)?;
    add(scope, binding, "noteFile", unchanged_files::note_file)?;
    add(scope, binding, "clearPrefetched", |scope, _| {
        prefetch::clear();
        Ok(scope.undefined())
    })?;
    add(scope, binding, "compileModule", scripts::compile_module)?;
    add(scope, binding, "isModule", scripts::is_module)?;
    add(scope, binding, "awaitPositions", scripts::await_positions)?;
    add(scope, binding, "importedNamePosition", scripts::imported_name_position)?;
    add(scope, binding, "commonJsExports", scripts::commonjs_exports)?;
    add(scope, binding, "evaluate", |scope, call| {
        let text = call.argument(scope, 0).to_rust_string(scope)?;
        let name = call.argument(scope, 1).to_rust_string(scope)?;
        scope.evaluate(&text, &name, 1)
    })?;
    add(scope, binding, "prepareScript", global_scripts::prepare)?;
    add(scope, binding, "syntaxErrorOf", global_scripts::syntax_error_of)?;
    Ok(binding)
}

thread_local! {
    /// Path and source of a file that is loaded next.
    static READ_AHEAD: RefCell<Option<(String, String)>> = const { RefCell::new(None) };
}

/// Calls `body` with the source of a file that is loaded next, and then is not read again. `None`:
/// it cannot be read.
pub fn with_next_source<R>(path: &str, body: impl FnOnce(&str) -> R) -> Option<R> {
    let source = read_source(path).ok()?;
    let result = body(&source);
    READ_AHEAD.set(Some((path.to_owned(), source)));
    Some(result)
}

/// Forgets modules that were read and not run.
pub(crate) fn clear() {
    READ_AHEAD.take();
    scripts::clear();
    prefetch::clear();
    unchanged_files::clear();
}

fn read<'s>(scope: &'s Scope, path: &str) -> Result<String, Exception<'s>> {
    (RuntimeState::current().on_read)(path);
    if let Some((_, source)) = READ_AHEAD.take().filter(|(next, _)| next == path) {
        return Ok(source);
    }
    read_source(path)
        .map_err(|error| Exception::new(scope, ErrorKind::Error, &format!("cannot read '{path}': {error}")))
}

/// Invalid UTF-8 becomes the replacement character, as in Node.
fn read_source(path: &str) -> std::io::Result<String> {
    if let Some(bytes) = rusk_embedded::files().and_then(|files| files.find(path)) {
        return Ok(String::from_utf8_lossy(bytes).into_owned());
    }
    // Other than a regular file is read as a stream; errors are reported with the system's message.
    let bytes = match files::find_bytes(Path::new(path), u64::MAX) {
        Ok(Some(bytes)) => bytes,
        _ => std::fs::read(path)?,
    };
    let text = String::from_utf8(bytes);
    let mut text = text.unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}
