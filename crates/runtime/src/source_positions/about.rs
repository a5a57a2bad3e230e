//! What an error of the engine's is about, by the program's text at its place. In: a file, a place
//! as the engine has it, the engine's message. Out: V8's message, or `undefined`. Absent: files
//! that were not loaded by us.

use std::path::Path;

use rusk_jsc::{Call, Exception, Object, Outcome, Scope};
use rusk_transpile::{EngineErrorKind, Language, SourcePosition, regexps_on_line, v8_message};

use super::{FILES, texts};

/// file, line, column, both from 1; what the engine said; the text, where it is in no file.
pub(super) fn words<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let column = call.argument(scope, 2).to_number(scope)? as u32;
    let message = call.argument(scope, 3).to_rust_string(scope)?;
    let wrongs = wrongs(&message);
    let words = in_text(scope, call, column.saturating_sub(1), 4, |text, language, place| {
        wrongs.iter().find_map(|wrong| v8_message(text, language, place, *wrong))
    })?;
    let words = words.flatten().filter(|words| names_what(&message, words));
    Ok(words.map_or(scope.undefined(), |words| scope.string(&words)))
}

/// Whether words are about the property that the message names, if it does.
fn names_what(message: &str, words: &str) -> bool {
    let key =
        message.strip_prefix("Cannot destructure property '").and_then(|rest| rest.rsplit_once("' from "));
    key.is_none_or(|(key, _)| words.contains(&format!("'{key}'")))
}

/// file, line from 1; the text, where it is in no file: that line, and of each regular expression
/// on it what is between its slashes, its flags and the letters before it.
pub(super) fn patterns<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let found = in_text(scope, call, 0, 2, |text, language, place| {
        let line = text.lines().nth(place.line as usize)?;
        Some((scope.string(line), regexps_on_line(text, language, place.line)))
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

/// Looks at the text of a file or at that of the argument `given`, at the place that stands in
/// them.
fn in_text<'s, R>(
    scope: &'s Scope,
    call: &Call<'s>,
    column: u32,
    given: usize,
    body: impl FnOnce(&str, Language, SourcePosition) -> R,
) -> Result<Option<R>, Exception<'s>> {
    let file = call.argument(scope, 0).to_rust_string(scope)?;
    let line = call.argument(scope, 1).to_number(scope)? as u32;
    let place = SourcePosition { line: line.saturating_sub(1), column };
    let given = call.argument(scope, given);
    if given.is_truthy(scope) {
        return Ok(Some(body(&given.to_rust_string(scope)?, Language::JavaScript, place)));
    }
    let found = FILES.with_borrow(|files| Some(files.get(&file)?.source(place).unwrap_or(place)));
    Ok(found.and_then(|place| {
        let extension = Path::new(&file).extension().and_then(|extension| extension.to_str());
        let language = extension.and_then(Language::of_extension).unwrap_or(Language::JavaScript);
        texts::with(&file, |text| Some(body(text, language, place)))
    }))
}

/// What a message of the engine's may mean, the likelier first.
fn wrongs(message: &str) -> Vec<EngineErrorKind> {
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
    // It quotes the whole of what a loop goes through.
    let is_loop = message.contains(" of ");
    if is_loop || message.contains(" is not a function (near '") {
        return vec![EngineErrorKind::NotIterable(None), EngineErrorKind::NotCallable];
    }
    vec![EngineErrorKind::NotCallable]
}
