//! Texts whose declarations are global ones: `-e`, `-p`, standard input, scripts of `node:vm`. In:
//! a text. Out: what the engine is to evaluate in its place, where `import()` is a call of the
//! script's own object; or that it is a module. Absent: files (`scripts`).

use rusk_jsc::{Call, Object, Outcome, Scope};
use rusk_transpile::{
    Language, ModuleForm, Options, Script, SourceKind, SyntaxError, SyntaxErrors, transpile_parsed,
};

use super::{language, scripts};
use crate::source_positions;
use crate::state::RuntimeState;

/// text, what stacks call it, its path, what it is ('script' of JavaScript, 'commonjs', 'module',
/// or '': the text says it), how the name of its own object is to begin. Out: [text, the name of
/// its own object where it is used]; `undefined`: it is a module, which waits under its path.
pub fn prepare<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let text = |index| call.argument(scope, index).to_rust_string(scope);
    let (source, name, path, given, prefix) = (text(0)?, text(1)?, text(2)?, text(3)?, text(4)?);
    let options = language::options(&path, None).map_err(|failure| language::refuse(scope, &failure))?;
    let options = Options { prefix, ..options };
    match script_of(&source, &path, &options, &given) {
        Ok(script) if script.kind == SourceKind::Module => {
            source_positions::note_text(&format!("file://{path}"), &source);
            Ok(scripts::meet(scope, path, source, script))
        }
        Ok(script) => as_text(scope, &name, &source, &script),
        Err(errors) => Err(scripts::refuse(scope, &name, &errors)),
    }
}

/// text, its path: where it is no script: the line, from 0, its text, the column, from 0, how wide;
/// `undefined`: it is one.
pub fn fault_in<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (source, path) =
        (call.argument(scope, 0).to_rust_string(scope)?, call.argument(scope, 1).to_rust_string(scope)?);
    let options = language::options(&path, None).map_err(|failure| language::refuse(scope, &failure))?;
    let Err(errors) = script_of(&source, &path, &options, "script") else { return Ok(scope.undefined()) };
    let SyntaxError { position: place, text, width, .. } = errors.first();
    let number = |value: u32| scope.number(f64::from(value));
    let parts = [number(place.line), scope.string(text), number(place.column), number(*width)];
    scope.array(&parts).map(Object::value)
}

fn as_text<'s>(scope: &'s Scope, name: &str, source: &str, script: &Script) -> Outcome<'s> {
    RuntimeState::current().begin();
    source_positions::note(name, script, ModuleForm::Function);
    source_positions::note_text(name, source);
    let text = scope.string(&script.code(source, ModuleForm::Function));
    // Where nothing was changed, nothing was put in.
    let is_used = script.text.as_ref().is_some_and(|text| text.contains(&script.prefix));
    let own = if is_used { scope.string(&script.prefix) } else { scope.undefined() };
    scope.array(&[text, own]).map(Object::value)
}

/// A script before a module, JavaScript before TypeScript: `a < b > (c)` is one thing here and
/// another one there.
fn script_of(source: &str, path: &str, options: &Options, given: &str) -> Result<Script, SyntaxErrors> {
    const LANGUAGES: &[Language] = &[Language::JavaScript, Language::TypeScript, Language::Tsx];
    let (kinds, languages, likely): (&[SourceKind], _, _) = match given {
        "script" => (&[SourceKind::Script], &LANGUAGES[..1], Some(SourceKind::Script)),
        "commonjs" => (&[SourceKind::Script], LANGUAGES, Some(SourceKind::Script)),
        "module" => (&[SourceKind::Module], LANGUAGES, Some(SourceKind::Module)),
        _ => (&[SourceKind::Script, SourceKind::Module], LANGUAGES, None),
    };
    let attempt =
        |language, kind| transpile_parsed(source, path, &Options { language, kind, ..options.clone() });
    let attempts = languages.iter().flat_map(|language| kinds.iter().map(move |kind| (*language, *kind)));
    for (language, kind) in attempts {
        if let Ok(script) = attempt(language, Some(kind)) {
            return Ok(script);
        }
    }
    // What is wrong with it as what it most likely is.
    let Err(errors) = attempt(Language::JavaScript, likely) else {
        // A function's body, as it seems: `return`.
        return attempt(Language::JavaScript, Some(SourceKind::Script));
    };
    Err(errors)
}
