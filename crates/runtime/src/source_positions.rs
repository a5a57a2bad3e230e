//! Where a place in what the engine evaluated stands in the file. In: file, line, column, as the
//! engine's stacks have them. Out: the place in the source as V8 tells it, or by the file's own
//! source map where those are followed, whether a constructor is called there, and whether the body
//! of an asynchronous function; `undefined` for files that were not loaded by us. Absent: whose
//! stack it is.

mod about;
mod maps;
mod texts;

use std::cell::RefCell;
use std::collections::HashMap;

use rusk_jsc::{Call, Exception, Object, Outcome, Scope};
use rusk_transpile::{ModuleForm, PositionMap, Script, SourcePosition, SyntaxErrors, token_width};

use crate::bindings::{add, object};
use crate::state::RuntimeState;

thread_local! {
    /// By what stacks call them.
    static FILES: RefCell<HashMap<String, PositionMap>> = RefCell::default();
}

use texts::Called;
pub(super) use texts::note as note_text;

/// What stands where in a file.
pub(super) fn note(file: &str, script: &Script, form: ModuleForm) {
    let positions = script.position_map(form);
    FILES.with_borrow_mut(|files| files.insert(in_stacks(file).to_owned(), positions));
}

/// What stacks call a file: the engine leaves the query and the fragment of an URL out.
fn in_stacks(file: &str) -> &str {
    let is_url = file.starts_with("file:") || file.starts_with("data:");
    file.find(['?', '#']).filter(|_| is_url).map_or(file, |end| &file[..end])
}

/// Says where a text does not parse.
pub(super) fn mark_syntax(scope: &Scope, thrown: Exception<'_>, file: &str, errors: &SyntaxErrors) {
    let Some(error) = thrown.value().as_object(scope) else { return };
    let number = |number: u32| scope.number(f64::from(number));
    let place = errors.first().position;
    for (name, value) in [
        ("sourceURL", scope.string(file)),
        ("line", number(place.line + 1)),
        ("column", number(place.column + 1)),
    ] {
        // An error of ours takes properties.
        let _ = error.set_property(scope, name, value);
    }
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add(scope, natives, "original", original)?;
    add(scope, natives, "generated", generated)?;
    add(scope, natives, "about", about::words)?;
    add(scope, natives, "patterns", about::patterns)?;
    add(scope, natives, "tokenWidth", |scope, call| {
        let text = call.argument(scope, 0).to_rust_string(scope)?;
        Ok(scope.number(token_width(&text) as f64))
    })?;
    add(scope, natives, "areMapsFollowed", |scope, _| Ok(scope.boolean(maps::are_followed())))?;
    add(scope, natives, "followMaps", |scope, call| {
        maps::follow(call.argument(scope, 0).is_truthy(scope));
        Ok(scope.undefined())
    })?;
    Ok(natives)
}

/// file, line, column, both from 1; whether maps are followed where they are followed at all.
fn original<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let file = call.argument(scope, 0).to_rust_string(scope)?;
    let line = call.argument(scope, 1).to_number(scope)? as u32;
    let column = call.argument(scope, 2).to_number(scope)? as u32;
    let place = FILES.with_borrow(|files| {
        let place = SourcePosition { line: line.checked_sub(1)?, column: column.saturating_sub(1) };
        Some(files.get(&file)?.source(place).unwrap_or(place))
    });
    let Some(place) = place else { return Ok(scope.undefined()) };
    let Called { place, is_new, is_async } = texts::called(&file, place);
    let is_followed = call.argument(scope, 3).is_truthy(scope) && maps::are_followed();
    let mapped = is_followed.then(|| maps::mapped(&file, place)).flatten();
    let (file, place) = mapped.unwrap_or((file, place));
    let number = |number: u32| scope.number(f64::from(number) + 1.0);
    let parts = [
        scope.string(&file),
        number(place.line),
        number(place.column),
        scope.boolean(is_new),
        scope.boolean(is_async),
    ];
    scope.array(&parts).map(Object::value)
}

/// file, line, column of what was written: [line, column] of what was made of it.
fn generated<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let file = call.argument(scope, 0).to_rust_string(scope)?;
    let line = call.argument(scope, 1).to_number(scope)? as u32;
    let column = call.argument(scope, 2).to_number(scope)? as u32;
    let written = SourcePosition { line: line.saturating_sub(1), column: column.saturating_sub(1) };
    let place =
        FILES.with_borrow(|files| files.get(&file).map_or(written, |positions| positions.generated(written)));
    let number = |number: u32| scope.number(f64::from(number) + 1.0);
    scope.array(&[number(place.line), number(place.column)]).map(Object::value)
}
