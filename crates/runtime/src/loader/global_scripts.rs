//! Global scripts: sources whose declarations become globals (`-e`, `-p`, standard input,
//! `node:vm`). In: a source. Out: the code to evaluate, where `import()` is a call of the script's
//! own object; or that it is a module. Absent: files (`scripts`).

use rusk_jsc::{Call, Object, Outcome, Scope};
use rusk_transpile::{
    Language, ModuleForm, Options, Script, SourceKind, SyntaxError, SyntaxErrors, transpile_parsed,
};

use super::{scripts, transpile_options};
use crate::source_positions;
use crate::state::RuntimeState;

/// Arguments: source, its name in stack traces, its path, its kind ('script' of JavaScript,
/// 'commonjs', 'module', or '' to detect it), the prefix of its own object's name. Out: [code, the
/// name of its own object if it is used]; `undefined`: it is a module, which is stored under its
/// path.
pub fn prepare<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let text = |index| call.argument(scope, index).to_rust_string(scope);
    let (source, name, path, given, prefix) = (text(0)?, text(1)?, text(2)?, text(3)?, text(4)?);
    let options = transpile_options::options(&path, None)
        .map_err(|failure| transpile_options::config_error(scope, &failure))?;
    let options = Options { prefix, ..options };
    match script_of(&source, &path, &options, &given) {
        Ok(script) if script.kind == SourceKind::Module => {
            source_positions::add_source(&format!("file://{path}"), &source);
            Ok(scripts::store_module(scope, path, source, script))
        }
        Ok(script) => to_code(scope, &name, &source, &script),
        Err(errors) => Err(scripts::syntax_error(scope, &name, &errors)),
    }
}

/// Arguments: source, its path. Out: position of its syntax error: line from 0, the text of the
/// line, column from 0, width; `undefined`: it is a script.
pub fn syntax_error_of<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let (source, path) =
        (call.argument(scope, 0).to_rust_string(scope)?, call.argument(scope, 1).to_rust_string(scope)?);
    let options = transpile_options::options(&path, None)
        .map_err(|failure| transpile_options::config_error(scope, &failure))?;
    let Err(errors) = script_of(&source, &path, &options, "script") else { return Ok(scope.undefined()) };
    let SyntaxError { position: place, text, width, .. } = errors.first();
    let number = |value: u32| scope.number(f64::from(value));
    let parts = [number(place.line), scope.string(text), number(place.column), number(*width)];
    scope.array(&parts).map(Object::value)
}

fn to_code<'s>(scope: &'s Scope, name: &str, source: &str, script: &Script) -> Outcome<'s> {
    RuntimeState::current().begin();
    source_positions::add_file(name, script, ModuleForm::Function);
    source_positions::add_source(name, source);
    let text = scope.string(&script.code(source, ModuleForm::Function));
    // If the source is unchanged, the object is not used.
    let is_used = script.text.as_ref().is_some_and(|text| text.contains(&script.prefix));
    let own_name = if is_used { scope.string(&script.prefix) } else { scope.undefined() };
    scope.array(&[text, own_name]).map(Object::value)
}

/// Tries a script before a module, and JavaScript before TypeScript: `a < b > (c)` means different
/// things in the two.
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
    // Report the errors of the most likely kind.
    let Err(errors) = attempt(Language::JavaScript, likely) else {
        // It looks like a function's body: `return`.
        return attempt(Language::JavaScript, Some(SourceKind::Script));
    };
    Err(errors)
}
