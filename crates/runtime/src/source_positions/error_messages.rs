//! V8 messages of engine errors that depend on the program's source. In: a file, a position of the
//! engine, the engine's message. Out: V8's message, or `undefined`. Absent: files that the loader
//! did not load.

use rusk_jsc::{Call, Exception, Object, Outcome, Scope};
use rusk_transpile::{EngineErrorKind, Language, SourcePosition, regexps_on_line, v8_message};

use super::functions::language;
use super::{FILES, sources};

/// Arguments: file, line and column from 1, the engine's message, the source if it is not a file.
pub(super) fn v8_message_at<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let column = call.argument(scope, 2).to_number(scope)? as u32;
    let message = call.argument(scope, 3).to_rust_string(scope)?;
    let kinds = kinds(&message);
    let found = with_source_at(scope, call, column.saturating_sub(1), 4, |text, language, position| {
        kinds.iter().find_map(|kind| v8_message(text, language, position, *kind))
    })?;
    let found = found.flatten().filter(|found| names_same_property(&message, found));
    Ok(found.map_or(scope.undefined(), |found| scope.string(&found)))
}

/// Whether a V8 message names the same property as the engine's, if that names one.
fn names_same_property(message: &str, v8_message: &str) -> bool {
    let key =
        message.strip_prefix("Cannot destructure property '").and_then(|rest| rest.rsplit_once("' from "));
    key.is_none_or(|(key, _)| v8_message.contains(&format!("'{key}'")))
}

/// Arguments: file, line from 1, the source if it is not a file. Out: that line, and of each
/// regular expression in it the pattern, the flags and its column.
pub(super) fn regexps<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let found = with_source_at(scope, call, 0, 2, |text, language, position| {
        let line = text.lines().nth(position.line as usize)?;
        Some((scope.string(line), regexps_on_line(text, language, position.line)))
    })?;
    let Some((line, found)) = found.flatten() else { return Ok(scope.undefined()) };
    let mut parts = vec![line];
    for found in found {
        let part =
            [scope.string(&found.pattern), scope.string(&found.flags), scope.number(f64::from(found.column))];
        parts.push(scope.array(&part)?.value());
    }
    scope.array(&parts).map(Object::value)
}

/// Calls `body` with the source of a file, or of the argument `given`, and the position in the
/// arguments.
fn with_source_at<'s, R>(
    scope: &'s Scope,
    call: &Call<'s>,
    column: u32,
    given: usize,
    body: impl FnOnce(&str, Language, SourcePosition) -> R,
) -> Result<Option<R>, Exception<'s>> {
    let file = call.argument(scope, 0).to_rust_string(scope)?;
    let line = call.argument(scope, 1).to_number(scope)? as u32;
    let position = SourcePosition { line: line.saturating_sub(1), column };
    let given = call.argument(scope, given);
    if given.is_truthy(scope) {
        return Ok(Some(body(&given.to_rust_string(scope)?, Language::JavaScript, position)));
    }
    let found = FILES.with_borrow(|files| Some(files.get(&file)?.source(position).unwrap_or(position)));
    Ok(found.and_then(|position| sources::with(&file, |text| Some(body(text, language(&file), position)))))
}

/// Kinds of error that an engine message may mean, the most likely first.
fn kinds(message: &str) -> Vec<EngineErrorKind> {
    match message {
        "Cannot access uninitialized variable." => return vec![EngineErrorKind::Uninitialized],
        "Attempted to assign to readonly property." => return vec![EngineErrorKind::ReadOnly],
        "Right side of assignment cannot be destructured" | "Cannot destructure null or undefined value" => {
            return vec![EngineErrorKind::NotDestructurable];
        }
        "Attempting to define property on object that is not extensible." => {
            return vec![EngineErrorKind::NotExtensible];
        }
        "Unable to delete property." => return vec![EngineErrorKind::NotDeletable],
        "Invalid flags supplied to RegExp constructor." => return vec![EngineErrorKind::InvalidRegExpFlags],
        _ => {}
    }
    if message.starts_with("Cannot destructure property '") {
        return vec![EngineErrorKind::NotDestructurable];
    }
    if message.ends_with(" is not iterable") {
        return vec![EngineErrorKind::NotIterable(None)];
    }
    if message.starts_with("Invalid regular expression: ") {
        return vec![EngineErrorKind::InvalidRegExp];
    }
    if message.starts_with("Attempting to change ") {
        return vec![EngineErrorKind::NotRedefinable];
    }
    if message.starts_with("Spread syntax requires ") {
        return vec![EngineErrorKind::NotSpreadable {
            is_nullish: message.ends_with(" not be null or undefined"),
        }];
    }
    if message.starts_with("undefined is not an object (") {
        return vec![EngineErrorKind::NotIterable(Some("undefined"))];
    }
    if message.starts_with("null is not an object (") {
        return vec![EngineErrorKind::NotIterable(Some("null"))];
    }
    // It quotes the whole expression that a loop iterates.
    let is_loop = message.contains(" of ");
    if is_loop || message.contains(" is not a function (near '") {
        return vec![EngineErrorKind::NotIterable(None), EngineErrorKind::NotCallable];
    }
    vec![EngineErrorKind::NotCallable]
}
