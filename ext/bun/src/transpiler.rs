//! `internalBinding('transpiler')`: the work of `Bun.Transpiler`. In: source text, a loader,
//! settings. Out: JavaScript; imports and exports; syntax errors with positions. Absent: checks of
//! arguments.

use std::sync::Arc;

use rusk_jsc::{Call, Exception, Object, Outcome, Root, Scope, Value};
use rusk_transpile::{
    AsyncContext, Decorators, Defines, HelperFunction, ImportKind, JavaScriptOutput, Jsx, Language, Options,
    SourceKind, StrictNullChecks, SyntaxErrors, outline, to_javascript,
};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::constants::add_constants;
use rusk_runtime::values::{string_argument, string_list, u32_argument};

rusk_runtime::shared_constants! {
    /// Numbers of the loaders.
    mod loader: u32 {
        JS = 0,
        JSX = 1,
        TS = 2,
        TSX = 3,
    }
}

/// A transformation, which can run on another thread.
struct Job {
    source: String,
    options: Options,
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_constants(scope, binding, "loader", loader::ALL)?;
    // (source, loader, settings): a string; if the code calls helpers, an array with one array of
    // the code and, in turn, names and local names of the helpers; or an array of errors.
    add(scope, binding, "transform", |scope, call| {
        let job = job(scope, call)?;
        let outcome = job.run();
        to_result(scope, outcome)
    })?;
    add(scope, binding, "transformAsync", |scope, call| {
        let job = job(scope, call)?;
        let callback = Root::new(scope, call.argument(scope, 3));
        RuntimeState::current().handle.queue_work(
            move || job.run(),
            move |scope, outcome| {
                let result = to_result(scope, outcome)?;
                let function = callback.value(scope).as_function(scope).expect("JavaScript passes one");
                function.call(scope, &[result]).map(|_| ())
            },
        );
        Ok(scope.undefined())
    })?;
    // (source, loader): kinds and specifiers of imports in turn, names of exports; or an array of
    // errors.
    add(scope, binding, "outline", |scope, call| {
        let source = string_argument(scope, call, 0)?;
        match outline(&source, language(scope, call)?) {
            Err(errors) => errors_to_array(scope, &errors),
            Ok(outline) => {
                let imports: Vec<Value<'_>> = outline
                    .imports
                    .iter()
                    .flat_map(|(kind, name)| [scope.string(kind_name(*kind)), scope.string(name)])
                    .collect();
                let exports: Vec<Value<'_>> = outline.exports.iter().map(|name| scope.string(name)).collect();
                let lists = [scope.array(&imports)?.value(), scope.array(&exports)?.value()];
                scope.array(&lists).map(Object::value)
            }
        }
    })?;
    // (name, value): whether the pair is a valid define.
    add(scope, binding, "isDefine", |scope, call| {
        let result =
            Defines::default().add(&string_argument(scope, call, 0)?, &string_argument(scope, call, 1)?);
        Ok(scope.boolean(result.is_ok()))
    })?;
    Ok(binding)
}

impl Job {
    fn run(self) -> Result<JavaScriptOutput, SyntaxErrors> {
        if self.may_be_module() {
            let options = Options { kind: Some(SourceKind::Module), ..self.options.clone() };
            if let Ok(output) = to_javascript(&self.source, "input", &options) {
                return Ok(output);
            }
        }
        to_javascript(&self.source, "input", &self.options)
    }

    /// Whether JSX without imports and exports should import what it calls. `require` would be for
    /// CommonJS only.
    fn may_be_module(&self) -> bool {
        let has_jsx =
            matches!(self.options.language, Language::Jsx | Language::Tsx) && self.source.contains('<');
        has_jsx && !["require", "module", "exports"].iter().any(|word| self.source.contains(word))
    }
}

fn language<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Language, Exception<'s>> {
    Ok(match u32_argument(scope, call, 1)? {
        loader::JSX => Language::Jsx,
        loader::TS => Language::TypeScript,
        loader::TSX => Language::Tsx,
        _ => Language::JavaScript,
    })
}

/// Reads the settings object: `defines`, names and values in turn; `jsx`, the import source, or
/// factory and fragment; whether decorators are the legacy ones, and emit metadata.
fn job<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Job, Exception<'s>> {
    let settings = call.argument(scope, 2).as_object(scope).expect("JavaScript passes one");
    let setting = |name: &str| settings.property(scope, name);
    let mut defines = Defines::default();
    for pair in string_list(scope, setting("defines")?)?.chunks_exact(2) {
        // JavaScript has checked it with `isDefine`.
        let _ = defines.add(&pair[0], &pair[1]);
    }
    let mut options = Options::new(language(scope, call)?, None);
    options.async_context = AsyncContext::Ignored;
    options.defines = Arc::new(defines);
    let jsx = string_list(scope, setting("jsx")?)?;
    options.jsx = match jsx.as_slice() {
        [source] => Jsx::Automatic {
            source: source.clone(),
            is_development: setting("isDevelopment")?.is_truthy(scope),
        },
        [factory, fragment] => Jsx::Classic { factory: factory.clone(), fragment: fragment.clone() },
        _ => Jsx::default(),
    };
    if setting("hasDecorators")?.is_truthy(scope) {
        let has_metadata = setting("hasMetadata")?.is_truthy(scope);
        let nulls =
            if setting("isStrict")?.is_truthy(scope) { StrictNullChecks::On } else { StrictNullChecks::Off };
        options.decorators =
            if has_metadata { Decorators::LegacyWithMetadata(nulls) } else { Decorators::Legacy };
    }
    Ok(Job { source: string_argument(scope, call, 0)?, options })
}

fn to_result<'s>(scope: &'s Scope, outcome: Result<JavaScriptOutput, SyntaxErrors>) -> Outcome<'s> {
    let JavaScriptOutput { text, helpers } = match outcome {
        Ok(output) => output,
        Err(errors) => return errors_to_array(scope, &errors),
    };
    if helpers.is_empty() {
        return Ok(scope.string(&text));
    }
    let names =
        helpers.iter().flat_map(|HelperFunction { name, local }| [scope.string(name), scope.string(local)]);
    let parts: Vec<Value<'_>> = std::iter::once(scope.string(&text)).chain(names).collect();
    let code_and_helpers = scope.array(&parts)?;
    scope.array(&[code_and_helpers.value()]).map(Object::value)
}

/// For each error: message, line from 1, column from 1, the line's source text.
fn errors_to_array<'s>(scope: &'s Scope, errors: &SyntaxErrors) -> Outcome<'s> {
    let parts: Vec<Value<'_>> = errors
        .errors
        .iter()
        .flat_map(|error| {
            let number = |number: u32| scope.number(f64::from(number + 1));
            let (line, column) = (number(error.position.line), number(error.position.column));
            [scope.string(&error.message), line, column, scope.string(&error.text)]
        })
        .collect();
    scope.array(&parts).map(Object::value)
}

fn kind_name(kind: ImportKind) -> &'static str {
    match kind {
        ImportKind::Statement => "import-statement",
        ImportKind::RequireCall => "require-call",
        ImportKind::RequireResolve => "require-resolve",
        ImportKind::Dynamic => "dynamic-import",
    }
}
