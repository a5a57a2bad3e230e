//! Compiles modules: transpiles and evaluates CommonJS and ES modules. In: a file or a source. Out:
//! its function; for an ES module first its tables of imports and exports, then its function. A
//! source that was parsed to detect its kind is not parsed again. Absent: linking and running.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

use rusk_jsc::{Call, ErrorKind, Exception, Object, Outcome, Scope, Value};
use rusk_transpile::{
    Cache, CjsExports, Language, ModuleArgument, ModuleForm, Options, Script, SourceKind, SyntaxErrors,
    Tables, cache, cjs_exports, top_level_awaits, transpile, transpile_parsed,
};

use super::kept_modules::{self, ModuleCode};
use super::{prefetch, read, transpile_options, unchanged_files};
use crate::bytecode_cache::{self, ProgramCache};
use crate::state::RuntimeState;
use crate::values::string_argument;
use crate::{contexts, source_positions};

/// An ES module between its tables and its function.
struct ParsedModule {
    /// Its name in stack traces.
    url: String,
    code: ModuleCode,
    /// Its source is not that of a file.
    is_from_source: bool,
}

#[derive(Default)]
struct Scripts {
    parsed: HashMap<u32, ParsedModule>,
    next: u32,
    /// ES modules that were found while compiling them as CommonJS.
    detected: HashMap<String, (String, Script)>,
}

thread_local! {
    static SCRIPTS: RefCell<Scripts> = RefCell::default();
}

/// Forgets modules that were read and not run.
pub fn clear() {
    SCRIPTS.with_borrow_mut(|scripts| {
        scripts.parsed.clear();
        scripts.detected.clear();
    });
}

/// Arguments: path, whether it is known to be CommonJS. Out: its function; `undefined`: it is a
/// module.
pub fn compile_file<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = call.argument(scope, 0).to_rust_string(scope)?;
    let kind = call.argument(scope, 1).is_truthy(scope).then_some(SourceKind::CommonJs);
    if RuntimeState::current().instrument.get().is_none()
        && let Some(file) = kept_modules::find(&path, (kind, transpile_options::async_context(&path)))
        && file.is_commonjs()
    {
        let outcome = file.evaluate(scope, &path, ModuleForm::Function);
        RuntimeState::current().begin();
        return outcome;
    }
    let source = read_program(scope, &path)?;
    compile(scope, path, source, kind, SourceOrigin::File)
}

/// Reads a file that is evaluated.
fn read_program<'s>(scope: &'s Scope, path: &str) -> Result<String, Exception<'s>> {
    let source = read(scope, path)?;
    Ok(match RuntimeState::current().instrument.get() {
        Some(instrument) => instrument(scope, path, source),
        None => source,
    })
}

/// Arguments: path, source, whether it is known to be CommonJS.
pub fn compile_text<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = call.argument(scope, 0).to_rust_string(scope)?;
    let source = call.argument(scope, 1).to_rust_string(scope)?;
    let is_certain = call.argument(scope, 2).is_truthy(scope);
    compile(scope, path, source, is_certain.then_some(SourceKind::CommonJs), SourceOrigin::Text)
}

/// Where a source comes from. One that is passed in may differ each time, so it is not cached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SourceOrigin {
    File,
    Text,
}

fn compile<'s>(
    scope: &'s Scope,
    path: String,
    source: String,
    kind: Option<SourceKind>,
    origin: SourceOrigin,
) -> Outcome<'s> {
    let state = RuntimeState::current();
    let options = options(scope, &path, kind)?;
    let script = transpiled(&source, &path, &options, &ScriptCaches::of(&state))
        .or_else(|errors| as_jsx(&source, &path, &options, errors))
        .map_err(|errors| syntax_error(scope, &path, &errors))?;
    if script.kind == SourceKind::Module {
        return Ok(store_module(scope, path, source, script));
    }
    let code = script.code(&source, ModuleForm::Function);
    source_positions::add_file(&path, &script, ModuleForm::Function);
    let outcome = match origin {
        SourceOrigin::File => bytecode_cache::evaluate(scope, &code, &path),
        SourceOrigin::Text => {
            source_positions::add_source(&path, &source);
            scope.evaluate(&code, &path, 1)
        }
    };
    match outcome {
        Err(thrown) if !script.is_parsed => parse_rejected(scope, path, source, kind, thrown),
        outcome => {
            RuntimeState::current().begin();
            let is_commonjs = script.kind == SourceKind::CommonJs && origin == SourceOrigin::File;
            if is_commonjs && outcome.is_ok() && state.instrument.get().is_none() {
                let variant = (kind, transpile_options::async_context(&path));
                kept_modules::keep_commonjs(&path, variant, source, script);
            }
            outcome
        }
    }
}

/// Caches of transpiled scripts: of this program, and of all programs. For any thread.
#[derive(Clone, Default)]
pub(super) struct ScriptCaches {
    program: Option<Arc<ProgramCache>>,
    cache: Option<Cache>,
}

impl ScriptCaches {
    pub(super) fn of(state: &RuntimeState) -> ScriptCaches {
        let program = state.bytecode_cache.as_ref().and_then(|codes| codes.program().cloned());
        ScriptCaches { program, cache: state.transpile_cache.clone() }
    }
}

/// Transpiles a source, or takes it from a cache.
fn transpiled(
    source: &str,
    path: &str,
    options: &Options,
    caches: &ScriptCaches,
) -> Result<Script, SyntaxErrors> {
    let make = || match &caches.cache {
        Some(cache) => cache.transpile(source, path, options),
        None => transpile(source, path, options),
    };
    let Some(program) = &caches.program else { return make() };
    let Some(name) = cache::entry_name(source, path, options) else { return make() };
    if let Some(script) = program.find_script(&name) {
        return Ok(script);
    }
    let script = make()?;
    program.add_script(name, &script);
    Ok(script)
}

/// Parses a source that the engine rejected and that was not parsed before: it is a module, uses
/// syntax that the engine lacks (`using`), or has an error, which now gets its position.
fn parse_rejected<'s>(
    scope: &'s Scope,
    path: String,
    source: String,
    kind: Option<SourceKind>,
    thrown: Exception<'s>,
) -> Outcome<'s> {
    let options = options(scope, &path, kind)?;
    let parsed = transpile_parsed(&source, &path, &options);
    match parsed.or_else(|errors| as_jsx(&source, &path, &options, errors)) {
        Ok(script) if script.kind == SourceKind::Module => Ok(store_module(scope, path, source, script)),
        Ok(script) if script.text.is_some() => {
            let code = script.code(&source, ModuleForm::Function);
            source_positions::add_file(&path, &script, ModuleForm::Function);
            scope.evaluate(&code, &path, 1)
        }
        Ok(_) => Err(thrown),
        Err(errors) => Err(syntax_error(scope, &path, &errors)),
    }
}

/// Parses a JavaScript file with errors as JSX, as bun does; not if it is installed.
fn as_jsx(source: &str, path: &str, options: &Options, errors: SyntaxErrors) -> Result<Script, SyntaxErrors> {
    let is_own = options.language == Language::JavaScript && !path.contains("/node_modules/");
    if !is_own || !source.contains('<') {
        return Err(errors);
    }
    let options = transpile_options::with_jsx(path, options);
    transpiled(source, path, &options, &ScriptCaches::of(&RuntimeState::current())).map_err(|_| errors)
}

/// Stores an ES module until it is imported.
pub(super) fn store_module<'s>(scope: &'s Scope, path: String, source: String, script: Script) -> Value<'s> {
    SCRIPTS.with_borrow_mut(|scripts| scripts.detected.insert(path, (source, script)));
    scope.undefined()
}

fn options<'s>(scope: &'s Scope, path: &str, kind: Option<SourceKind>) -> Result<Options, Exception<'s>> {
    transpile_options::options(path, kind).map_err(|failure| transpile_options::config_error(scope, &failure))
}

pub(super) fn syntax_error<'s>(scope: &'s Scope, path: &str, errors: &SyntaxErrors) -> Exception<'s> {
    let thrown = Exception::new(scope, ErrorKind::Syntax, &errors.first().message);
    source_positions::set_syntax_error_position(scope, thrown, path, errors);
    thrown
}

/// Transpiles a source that is imported.
pub(super) fn module_of(
    source: &str,
    path: &str,
    options: &Options,
    caches: &ScriptCaches,
) -> Result<Script, SyntaxErrors> {
    match transpiled(source, path, options, caches) {
        // Top-level `await` makes it a module.
        Ok(script) if !script.is_parsed && source.contains("await") => {
            transpile_parsed(source, path, options)
        }
        script => script,
    }
}

/// Arguments: path or URL, source or `undefined`, whether it is known to be a module, whether its
/// imports are prefetched, whether its file is noted in any case. Out: id, whether it has top-level
/// await, tables, whether changes of the file would show; `undefined`: it is CommonJS.
pub fn parse_module<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = call.argument(scope, 0).to_rust_string(scope)?;
    let given = call.argument(scope, 1);
    let is_certain = call.argument(scope, 2).is_truthy(scope);
    // Prefetched sources have no counters.
    let is_prefetched =
        call.argument(scope, 3).is_truthy(scope) && RuntimeState::current().instrument.get().is_none();
    let detected = SCRIPTS
        .with_borrow_mut(|scripts| scripts.detected.remove(&path))
        .filter(|_| given.is_undefined(scope));
    let is_kept = is_prefetched && given.is_undefined(scope);
    let kind = is_certain.then_some(SourceKind::Module);
    let variant = (kind, transpile_options::async_context(&path));
    let found = if is_kept { kept_modules::find(&path, variant) } else { None };
    let code = match (detected, found) {
        (None, Some(module)) => ModuleCode::Kept(module),
        (Some((source, script)), _) => ModuleCode::Own { source, script: Box::new(script) },
        (None, None) => {
            let (source, script) = read_module(scope, &path, given, kind, is_prefetched)?;
            let script = Box::new(script);
            match is_kept {
                true => kept_modules::keep(&path, variant, source, script),
                false => ModuleCode::Own { source, script },
            }
        }
    };
    let script = code.script();
    if script.kind == SourceKind::CommonJs {
        return Ok(scope.undefined());
    }
    if is_prefetched {
        prefetch::prefetch_imports(&path, &script.tables);
    }
    let is_noted = (call.argument(scope, 4).is_truthy(scope) || script.tells_state())
        && is_kept
        && RuntimeState::current().instrument.get().is_none()
        && unchanged_files::note(&path);
    let has_await = scope.boolean(script.has_top_level_await);
    let tables = tables(scope, &script.tables)?;
    let id = SCRIPTS.with_borrow_mut(|scripts| {
        scripts.next += 1;
        let is_from_source = !given.is_undefined(scope);
        scripts.parsed.insert(scripts.next, ParsedModule { url: path, code, is_from_source });
        scripts.next
    });
    let [names, numbers] = tables;
    let parts = [scope.number(f64::from(id)), has_await, names, numbers, scope.boolean(is_noted)];
    scope.array(&parts).map(Object::value)
}

/// Source and script of a module that is not kept. `given`: its source, or `undefined`.
fn read_module<'s>(
    scope: &'s Scope,
    path: &str,
    given: Value<'s>,
    kind: Option<SourceKind>,
    is_prefetched: bool,
) -> Result<(String, Script), Exception<'s>> {
    let options = options(scope, path, kind)?;
    if let Some(made) = if is_prefetched { prefetch::take(path, &options) } else { None } {
        return Ok(made);
    }
    let is_file = given.is_undefined(scope);
    let source = if is_file { read_program(scope, path)? } else { given.to_rust_string(scope)? };
    let script = module_of(&source, path, &options, &ScriptCaches::of(&RuntimeState::current()))
        .or_else(|errors| as_jsx(&source, path, &options, errors));
    script.map(|script| (source, script)).map_err(|errors| syntax_error(scope, path, &errors))
}

/// The names, and one list of numbers with the tables of requests, arguments, imports, exports,
/// indirect exports and star exports, each with its length first. js/internal/esm/record.js reads
/// them.
fn tables<'s>(scope: &'s Scope, tables: &Tables) -> Result<[Value<'s>; 2], Exception<'s>> {
    let names: Vec<Value<'_>> = tables.names.iter().map(|name| scope.string(name)).collect();
    let mut numbers = Numbers::default();
    numbers.table(&tables.requests, |numbers, request| {
        numbers.push(request.specifier.into());
        numbers.push(request.phase as i64);
        numbers.push(2 * request.attributes.len() as i64);
        for (key, value) in &request.attributes {
            numbers.extend([i64::from(*key), i64::from(*value)]);
        }
    });
    numbers.table(&tables.arguments, |numbers, argument| match argument {
        ModuleArgument::Bindings { request } => numbers.extend([0, i64::from(*request)]),
        ModuleArgument::Namespace { request } => numbers.extend([1, i64::from(*request)]),
    });
    numbers.table(&tables.imports, |numbers, import| {
        numbers.extend([i64::from(import.request), i64::from(import.name)]);
    });
    numbers.table(&tables.exports, |numbers, export| numbers.push(export.name.into()));
    numbers.table(&tables.indirect_exports, |numbers, export| {
        let from = export.imported.map_or(-1, i64::from);
        numbers.extend([i64::from(export.name), i64::from(export.request), from]);
    });
    numbers.table(&tables.star_exports, |numbers, request| numbers.push((*request).into()));
    let numbers: Vec<Value<'_>> = numbers.0.iter().map(|number| scope.number(*number as f64)).collect();
    Ok([scope.array(&names)?.value(), scope.array(&numbers)?.value()])
}

#[derive(Default)]
struct Numbers(Vec<i64>);

impl Numbers {
    fn table<T>(&mut self, rows: &[T], write: impl Fn(&mut Vec<i64>, &T)) {
        self.0.push(rows.len() as i64);
        rows.iter().for_each(|row| write(&mut self.0, row));
    }
}

/// Arguments: id, whether it is part of a cycle and runs as a generator, a context or `undefined`.
pub fn compile_module<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let id = call.argument(scope, 0).to_number(scope)? as u32;
    let form =
        if call.argument(scope, 1).is_truthy(scope) { ModuleForm::Generator } else { ModuleForm::Function };
    let parsed = SCRIPTS.with_borrow_mut(|scripts| scripts.parsed.remove(&id));
    let ParsedModule { url, code, is_from_source } = parsed.expect("a module is compiled once");
    let url = if url.starts_with('/') { format!("file://{url}") } else { url };
    let (source, script) = match code {
        ModuleCode::Own { source, script } => (source, script),
        ModuleCode::Kept(module) => {
            let function = module.evaluate(scope, &url, form);
            RuntimeState::current().begin();
            return function;
        }
    };
    source_positions::add_file(&url, &script, form);
    if is_from_source {
        source_positions::add_source(&url, &source);
    }
    let (context, code) = (call.argument(scope, 2), script.code(&source, form));
    let function = match url.starts_with("file:") && context.is_undefined(scope) {
        true => bytecode_cache::evaluate(scope, &code, &url),
        false => contexts::evaluate_in(scope, context, &code, &url, 1),
    };
    RuntimeState::current().begin();
    function
}

/// Arguments: path, source. Out: whether its syntax makes it a module; false if it cannot be
/// parsed.
pub fn is_module<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = call.argument(scope, 0).to_rust_string(scope)?;
    let source = call.argument(scope, 1).to_rust_string(scope)?;
    let script =
        module_of(&source, &path, &options(scope, &path, None)?, &ScriptCaches::of(&RuntimeState::current()));
    Ok(scope.boolean(script.is_ok_and(|script| script.kind == SourceKind::Module)))
}

/// Arguments: path or URL, source. Out: positions of top-level awaits: line, column, line, column.
pub fn await_positions<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = call.argument(scope, 0).to_rust_string(scope)?;
    let source = call.argument(scope, 1).to_rust_string(scope)?;
    let options = options(scope, &path, Some(SourceKind::Module))?;
    let positions = top_level_awaits(&source, options.language);
    let numbers = positions.into_iter().flat_map(|(line, column)| [line, column]);
    let numbers: Vec<Value<'_>> = numbers.map(|number| scope.number(number.into())).collect();
    scope.array(&numbers).map(Object::value)
}

/// Arguments: path or URL, source, specifier, imported name. Out: line of the import, its text,
/// what is before the name, the name; `undefined` if there is no such import.
pub fn imported_name_position<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let [path, source, specifier, name] = std::array::from_fn(|index| string_argument(scope, call, index));
    let (source, specifier, name) = (source?, specifier?, name?);
    let options = options(scope, &path?, Some(SourceKind::Module))?;
    let Some(word) = rusk_transpile::find_imported_name(&source, options.language, &specifier, &name) else {
        return Ok(scope.undefined());
    };
    let [line, before, name] = [word.text, word.before, word.word].map(|text| scope.string(text));
    scope.array(&[scope.number(word.line.into()), line, before, name]).map(Object::value)
}

/// Arguments: path, source or `undefined`. Out: exported names, and specifiers of re-exports.
pub fn commonjs_exports<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let path = call.argument(scope, 0).to_rust_string(scope)?;
    let given = call.argument(scope, 1);
    let source = if given.is_undefined(scope) { read(scope, &path)? } else { given.to_rust_string(scope)? };
    let source = without_types(scope, &path, source)?;
    let CjsExports { names, reexports } = cjs_exports(&source).unwrap_or_default();
    let list = |names: &[String]| {
        let names: Vec<Value<'_>> = names.iter().map(|name| scope.string(name)).collect();
        scope.array(&names).map(Object::value)
    };
    scope.array(&[list(&names)?, list(&reexports)?]).map(Object::value)
}

/// A source without its types; unchanged if it cannot be parsed.
fn without_types<'s>(scope: &'s Scope, path: &str, source: String) -> Result<String, Exception<'s>> {
    let options = options(scope, path, None)?;
    if options.language == Language::JavaScript {
        return Ok(source);
    }
    let script = transpiled(&source, path, &options, &ScriptCaches::of(&RuntimeState::current()));
    Ok(script.ok().and_then(|script| script.text).unwrap_or(source))
}
