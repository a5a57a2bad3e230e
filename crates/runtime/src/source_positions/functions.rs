//! Functions at positions, for V8's names in stack traces. In: file, line and column of the
//! engine's stack trace. Out: of the function around the position its syntax, the name that V8
//! infers, type names; of the call there, what is called. A file is parsed when a name of its
//! functions is first asked for. Absent: names of frames; `ext/errors` makes them.

use std::path::Path;

use rusk_jsc::{Call, Object, Outcome, Scope};
use rusk_transpile::{FunctionAt, FunctionKind, FunctionTable, Language, SourcePosition};

use super::callee::{self, CallSyntax, CalleeObject};
use super::{sources, written_position};
use crate::bindings::object;

/// Arguments: file, line and column from 1, whether it is a script that `add_script` added. Out: an
/// object, or `undefined` for a file that the loader did not load, or that cannot be parsed.
pub(super) fn function_at<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let file = call.argument(scope, 0).to_rust_string(scope)?;
    let line = call.argument(scope, 1).to_number(scope)? as u32;
    let column = call.argument(scope, 2).to_number(scope)? as u32;
    let (file, position) = if call.argument(scope, 3).is_truthy(scope) {
        let position = SourcePosition { line: line.saturating_sub(1), column: column.saturating_sub(1) };
        (script_key(&file), position)
    } else {
        let Some(position) = written_position(&file, line, column) else { return Ok(scope.undefined()) };
        (file, position)
    };
    let position = sources::call_site(&file, position).position;
    let found = sources::with_functions(&file, position, |source| describe(scope, &source));
    found.map_or_else(|| Ok(scope.undefined()), |found| found.map(Object::value))
}

/// A position in a parsed file.
pub(super) struct FunctionPosition<'t> {
    pub text: &'t str,
    pub offset: usize,
    pub table: &'t FunctionTable,
    /// The position of a byte offset.
    pub position_of: &'t dyn Fn(usize) -> SourcePosition,
}

/// Arguments: the name of a script of `node:vm`, its text, which is retained as those of files are.
pub(super) fn add_script<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let name = call.argument(scope, 0).to_rust_string(scope)?;
    let text = call.argument(scope, 1).to_rust_string(scope)?;
    sources::insert(&script_key(&name), text);
    Ok(scope.undefined())
}

/// What no file has as its name begins with: a script may have the name of a file on disk.
const SCRIPT: &str = "script:";

fn script_key(name: &str) -> String {
    format!("{SCRIPT}{name}")
}

/// The language of a file, by its name.
pub(super) fn language(file: &str) -> Language {
    if file.starts_with(SCRIPT) {
        return Language::JavaScript;
    }
    let extension = Path::new(file).extension().and_then(|extension| extension.to_str());
    extension.and_then(Language::of_extension).unwrap_or(Language::JavaScript)
}

fn describe<'s>(
    scope: &'s Scope,
    source: &FunctionPosition<'_>,
) -> Result<Object<'s>, rusk_jsc::Exception<'s>> {
    let found = object(scope)?;
    let set = |name: &str, text: Option<&str>| match text {
        Some(text) => found.set_property(scope, name, scope.string(text)),
        None => Ok(()),
    };
    let function = source.table.at(u32::try_from(source.offset).unwrap_or(u32::MAX));
    if let Some(function) = &function {
        set("kind", Some(kind_name(function)))?;
        set("name", function.name)?;
        set("inferred", function.inferred)?;
        set("receiver", function.receiver)?;
        set("thisType", function.this)?;
        found.set_property(scope, "isAsync", scope.boolean(function.is_async))?;
        let begin = (source.position_of)(function.token as usize);
        found.set_property(scope, "line", scope.number(f64::from(begin.line) + 1.0))?;
        found.set_property(scope, "column", scope.number(f64::from(begin.column) + 1.0))?;
    }
    // It calls the base class, without words for it.
    let is_default = function.is_some_and(|function| function.kind == FunctionKind::DefaultConstructor);
    let syntax = if is_default {
        CallSyntax::Super
    } else {
        callee::callee(source.text, source.offset).unwrap_or(CallSyntax::Other)
    };
    let (callee, name, owner) = callee_parts(syntax, source.table);
    set("callee", Some(callee))?;
    set("calleeName", name)?;
    set("calleeOwner", owner)?;
    Ok(found)
}

/// How it is called, its name, and the type of the object.
fn callee_parts<'t>(
    syntax: CallSyntax<'t>,
    table: &'t FunctionTable,
) -> (&'static str, Option<&'t str>, Option<&'t str>) {
    match syntax {
        CallSyntax::Variable(name) => ("variable", Some(name), None),
        CallSyntax::Value => ("value", None, None),
        CallSyntax::New => ("new", None, None),
        CallSyntax::Super => ("super", None, None),
        CallSyntax::Other => ("other", None, None),
        CallSyntax::OnThis => ("on this", None, None),
        CallSyntax::Member { object, name } => match object {
            CalleeObject::This => ("this member", name, None),
            CalleeObject::Super => ("super member", name, None),
            CalleeObject::New(class) => ("member", name, Some(table.class_name(class))),
            CalleeObject::Variable("Reflect") if name == Some("construct") => ("new", None, None),
            CalleeObject::Variable(variable) => ("member", name, table.type_of(variable)),
            CalleeObject::Other => ("member", name, None),
        },
    }
}

fn kind_name(function: &FunctionAt<'_>) -> &'static str {
    match function.kind {
        FunctionKind::Function => "function",
        FunctionKind::Arrow => "arrow",
        FunctionKind::Method => "method",
        FunctionKind::Getter | FunctionKind::Setter => "accessor",
        FunctionKind::Constructor | FunctionKind::DefaultConstructor => "constructor",
        FunctionKind::InstanceInitializer | FunctionKind::StaticInitializer => "initializer",
    }
}
