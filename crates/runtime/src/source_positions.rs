//! Source positions: maps positions of generated code to the source, for stack traces. In: file,
//! line and column of the engine's stack trace. Out: the position in the source as V8 reports it,
//! or by the file's own source map if such maps are followed; whether a constructor is called
//! there, or the body of an async function; `undefined` for files that the loader did not load.
//! Absent: stack traces; `ext/errors` has them.

mod callee;
mod error_messages;
mod functions;
mod insertions;
mod maps;
mod sources;

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use rusk_jsc::{Call, Exception, Object, Outcome, Scope};
use rusk_transpile::{ModuleForm, PositionMap, Script, SourcePosition, SyntaxErrors, token_width};

use crate::bindings::{add, object};
use crate::state::RuntimeState;

thread_local! {
    /// By their names in stack traces.
    static FILES: RefCell<HashMap<String, Rc<PositionMap>>> = RefCell::default();
    /// Changes where a name gets another file.
    static VERSION: Cell<u32> = const { Cell::new(0) };
}

pub use insertions::add_insertions;
use sources::CallSite;
pub(super) use sources::{add as add_source, find_text};

/// Adds the position map of a file.
pub(super) fn add_file(file: &str, script: &Script, form: ModuleForm) {
    add_positions(file, Rc::new(script.position_map(form)));
}

/// The same with a map that was made before.
pub(super) fn add_positions(file: &str, positions: Rc<PositionMap>) {
    let name = stack_trace_name(file);
    if FILES.with_borrow_mut(|files| files.insert(name.to_owned(), positions)).is_some() {
        sources::forget(name);
        VERSION.set(VERSION.get() + 1);
    }
}

/// The name of a file in stack traces: the engine leaves query and fragment of a URL out.
fn stack_trace_name(file: &str) -> &str {
    let is_url = file.starts_with("file:") || file.starts_with("data:");
    file.find(['?', '#']).filter(|_| is_url).map_or(file, |end| &file[..end])
}

/// Sets the position of a syntax error.
pub(super) fn set_syntax_error_position(
    scope: &Scope,
    thrown: Exception<'_>,
    file: &str,
    errors: &SyntaxErrors,
) {
    let Some(error) = thrown.value().as_object(scope) else { return };
    let number = |number: u32| scope.number(f64::from(number));
    let position = errors.first().position;
    for (name, value) in [
        ("sourceURL", scope.string(file)),
        ("line", number(position.line + 1)),
        ("column", number(position.column + 1)),
    ] {
        // The error is our own, so it is extensible.
        let _ = error.set_property(scope, name, value);
    }
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add(scope, binding, "original", original)?;
    add(scope, binding, "generated", generated)?;
    add(scope, binding, "version", |scope, _| Ok(scope.number(f64::from(VERSION.get()))))?;
    add(scope, binding, "functionAt", functions::function_at)?;
    add(scope, binding, "addScript", functions::add_script)?;
    add(scope, binding, "v8MessageAt", error_messages::v8_message_at)?;
    add(scope, binding, "regexps", error_messages::regexps)?;
    add(scope, binding, "tokenWidth", |scope, call| {
        let text = call.argument(scope, 0).to_rust_string(scope)?;
        Ok(scope.number(token_width(&text) as f64))
    })?;
    add(scope, binding, "areSourceMapsEnabled", |scope, _| Ok(scope.boolean(maps::are_enabled())))?;
    binding.set_property(scope, "isExecutable", scope.boolean(rusk_embedded::files().is_some()))?;
    add(scope, binding, "enableSourceMaps", |scope, call| {
        maps::enable(call.argument(scope, 0).is_truthy(scope));
        VERSION.set(VERSION.get() + 1);
        Ok(scope.undefined())
    })?;
    Ok(binding)
}

/// Arguments: file, line and column from 1, whether source maps apply if they are enabled.
fn original<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let file = call.argument(scope, 0).to_rust_string(scope)?;
    let line = call.argument(scope, 1).to_number(scope)? as u32;
    let column = call.argument(scope, 2).to_number(scope)? as u32;
    let number = |number: u32| scope.number(f64::from(number) + 1.0);
    let Some(position) = written_position(&file, line, column) else {
        // A script of `node:vm`.
        let written = SourcePosition { line: line.saturating_sub(1), column: column.saturating_sub(1) };
        let Some(position) = insertions::find(&file, written) else { return Ok(scope.undefined()) };
        let parts = [call.argument(scope, 0), number(position.line), number(position.column)];
        return scope.array(&parts).map(Object::value);
    };
    let CallSite { position, is_new, is_async } = sources::call_site(&file, position);
    let is_wanted = call.argument(scope, 3).is_truthy(scope);
    let mapped = is_wanted.then(|| maps::mapped(&file, position)).flatten();
    let (file, position) = mapped.unwrap_or((file, position));
    let parts = [
        scope.string(&file),
        number(position.line),
        number(position.column),
        scope.boolean(is_new),
        scope.boolean(is_async),
    ];
    scope.array(&parts).map(Object::value)
}

/// The position in the source that a program was written in. `None`: the loader did not load it.
fn written_position(file: &str, line: u32, column: u32) -> Option<SourcePosition> {
    FILES.with_borrow(|files| {
        let position = SourcePosition { line: line.checked_sub(1)?, column: column.saturating_sub(1) };
        Some(insertions::original(file, files.get(file)?.source(position).unwrap_or(position)))
    })
}

/// Arguments: file, line, column in the source. Out: [line, column] in the generated code.
fn generated<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let file = call.argument(scope, 0).to_rust_string(scope)?;
    let line = call.argument(scope, 1).to_number(scope)? as u32;
    let column = call.argument(scope, 2).to_number(scope)? as u32;
    let written = SourcePosition { line: line.saturating_sub(1), column: column.saturating_sub(1) };
    let position =
        FILES.with_borrow(|files| files.get(&file).map_or(written, |positions| positions.generated(written)));
    let number = |number: u32| scope.number(f64::from(number) + 1.0);
    scope.array(&[number(position.line), number(position.column)]).map(Object::value)
}
