//! Finding, reading and compiling what a program is made of. In: specifiers, paths, texts. Out:
//! what stands in js/internal/resolved.js, functions, tables, texts. Absent: what modules are;
//! js/node/module.js and js/internal/esm.js know.

mod ahead;
mod find;
mod global_scripts;
mod language;
mod scripts;

use std::path::Path;

use rusk_base::files;
use rusk_jsc::{ErrorKind, Exception, Object, Scope};

use crate::bindings::{add, object};
use crate::program::Preload;
use crate::state::RuntimeState;

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    natives.set_property(scope, "FILE", scope.number(0.0))?;
    natives.set_property(scope, "FOLDER", scope.number(1.0))?;
    add(scope, natives, "resolve", find::resolve)?;
    add(scope, natives, "resolveMain", find::resolve_main)?;
    add(scope, natives, "kind", find::kind)?;
    add(scope, natives, "realpath", find::realpath)?;
    add(scope, natives, "currentDir", |scope, _| {
        Ok(scope.string(&RuntimeState::current().current_dir.borrow().to_string_lossy()))
    })?;
    // Where code is kept between starts; undefined: nowhere.
    add(scope, natives, "codeDir", |scope, _| {
        let state = RuntimeState::current();
        let folder = state
            .bytecode_cache
            .as_ref()
            .map(|codes| codes.builtins().directory.to_string_lossy().into_owned());
        Ok(folder.map_or_else(|| scope.undefined(), |folder| scope.string(&folder)))
    })?;
    add(scope, natives, "preloads", |scope, _| {
        let state = RuntimeState::current();
        let preloads = state.program.preloads.iter();
        let words: Vec<_> = preloads
            .flat_map(|Preload { kind, name }| [scope.string(kind.name()), scope.string(name)])
            .collect();
        scope.array(&words).map(Object::value)
    })?;
    add(scope, natives, "keepContext", |scope, _| {
        RuntimeState::current().tracks_async_context.set(true);
        Ok(scope.undefined())
    })?;
    add(scope, natives, "read", |scope, call| {
        let path = call.argument(scope, 0).to_rust_string(scope)?;
        read(scope, &path).map(|text| scope.string(&text))
    })?;
    add(scope, natives, "compileFile", scripts::compile_file)?;
    add(scope, natives, "compileText", scripts::compile_text)?;
    add(scope, natives, "parseModule", scripts::parse_module)?;
    add(scope, natives, "forgetAhead", |scope, _| {
        ahead::forget();
        Ok(scope.undefined())
    })?;
    add(scope, natives, "compileModule", scripts::compile_module)?;
    add(scope, natives, "isModule", scripts::is_module)?;
    add(scope, natives, "placesOfAwaits", scripts::places_of_awaits)?;
    add(scope, natives, "placeOfName", scripts::place_of_name)?;
    add(scope, natives, "exportsOfCommonJs", scripts::exports_of_cjs)?;
    add(scope, natives, "evaluate", |scope, call| {
        let text = call.argument(scope, 0).to_rust_string(scope)?;
        let name = call.argument(scope, 1).to_rust_string(scope)?;
        scope.evaluate(&text, &name, 1)
    })?;
    add(scope, natives, "prepareScript", global_scripts::prepare)?;
    add(scope, natives, "faultIn", global_scripts::fault_in)?;
    Ok(natives)
}

fn read<'s>(scope: &'s Scope, path: &str) -> Result<String, Exception<'s>> {
    (RuntimeState::current().on_read)(path);
    text_of(path)
        .map_err(|error| Exception::new(scope, ErrorKind::Error, &format!("cannot read '{path}': {error}")))
}

/// What is no UTF-8 is read as the replacement character, as in Node.
fn text_of(path: &str) -> std::io::Result<String> {
    // What is no regular file is read as a stream; what cannot be read is told in the system's
    // words.
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
