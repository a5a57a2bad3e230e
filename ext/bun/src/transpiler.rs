//! `internalBinding('transpiler')`: `Bun.Transpiler`'s work. In: texts, a language, settings. Out:
//! texts; imports and exports; where a text does not parse, what is wrong with it and where.
//! Absent: checks of arguments.

use std::sync::Arc;

use rusk_jsc::{Call, Exception, Object, Outcome, Root, Scope, Value};
use rusk_transpile::{
    AsyncContext, Decorators, Defines, HelperFunction, ImportKind, JavaScriptOutput, Jsx, Language, Options,
    StrictNullChecks, SyntaxErrors, outline, to_javascript,
};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add, object};
use rusk_runtime::values::{id, text, texts};

const LANGUAGES: [Language; 4] = [Language::JavaScript, Language::Jsx, Language::TypeScript, Language::Tsx];

/// A text's transformation, ready for another thread.
struct Job {
    source: String,
    options: Options,
}

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    // text, number of the language, settings. Out: a text; where it calls what is ours, it and
    // their names and local names by turns, within an array of their own; or an array of errors.
    add(scope, natives, "transform", |scope, call| {
        let job = job(scope, call)?;
        let outcome = job.run();
        answer(scope, outcome)
    })?;
    add(scope, natives, "transformLater", |scope, call| {
        let job = job(scope, call)?;
        let then = Root::new(scope, call.argument(scope, 3));
        RuntimeState::current().handle.queue_work(
            move || job.run(),
            move |scope, outcome| {
                let answer = answer(scope, outcome)?;
                let function = then.value(scope).as_function(scope).expect("JavaScript passes one");
                function.call(scope, &[answer]).map(|_| ())
            },
        );
        Ok(scope.undefined())
    })?;
    // text, number of the language. Out: kinds and names by turns, names of exports; or an array of
    // errors.
    add(scope, natives, "outline", |scope, call| {
        let source = text(scope, call, 0)?;
        match outline(&source, language(scope, call)?) {
            Err(errors) => faults(scope, &errors),
            Ok(found) => {
                let imports: Vec<Value<'_>> = found
                    .imports
                    .iter()
                    .flat_map(|(how, name)| [scope.string(word(*how)), scope.string(name)])
                    .collect();
                let exports: Vec<Value<'_>> = found.exports.iter().map(|name| scope.string(name)).collect();
                let both = [scope.array(&imports)?.value(), scope.array(&exports)?.value()];
                scope.array(&both).map(Object::value)
            }
        }
    })?;
    // name, value: whether they may stand for each other.
    add(scope, natives, "isDefine", |scope, call| {
        let flaw = Defines::default().add(&text(scope, call, 0)?, &text(scope, call, 1)?);
        Ok(scope.boolean(flaw.is_ok()))
    })?;
    Ok(natives)
}

impl Job {
    fn run(self) -> Result<JavaScriptOutput, SyntaxErrors> {
        to_javascript(&self.source, "input", &self.options)
    }
}

fn language<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Language, Exception<'s>> {
    let number = id(scope, call, 1)? as usize;
    Ok(LANGUAGES.get(number).copied().unwrap_or(Language::JavaScript))
}

/// The settings: names and values by turns; then of JSX the source, or the factory and the
/// fragment; whether decorators are the old ones, and leave types behind.
fn job<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Job, Exception<'s>> {
    let settings = call.argument(scope, 2).as_object(scope).expect("JavaScript passes one");
    let of = |name: &str| settings.property(scope, name);
    let mut defines = Defines::default();
    for pair in texts(scope, of("defines")?)?.chunks_exact(2) {
        // JavaScript asked whether it is one.
        let _ = defines.add(&pair[0], &pair[1]);
    }
    let mut options = Options::new(language(scope, call)?, None);
    options.async_context = AsyncContext::Ignored;
    options.defines = Arc::new(defines);
    let jsx = texts(scope, of("jsx")?)?;
    options.jsx = match jsx.as_slice() {
        [source] => {
            Jsx::Automatic { source: source.clone(), is_development: of("isDevelopment")?.is_truthy(scope) }
        }
        [factory, fragment] => Jsx::Classic { factory: factory.clone(), fragment: fragment.clone() },
        _ => Jsx::default(),
    };
    if of("hasDecorators")?.is_truthy(scope) {
        let has_metadata = of("hasMetadata")?.is_truthy(scope);
        let nulls =
            if of("isStrict")?.is_truthy(scope) { StrictNullChecks::On } else { StrictNullChecks::Off };
        options.decorators =
            if has_metadata { Decorators::LegacyWithMetadata(nulls) } else { Decorators::Legacy };
    }
    Ok(Job { source: text(scope, call, 0)?, options })
}

fn answer<'s>(scope: &'s Scope, outcome: Result<JavaScriptOutput, SyntaxErrors>) -> Outcome<'s> {
    let JavaScriptOutput { text, helpers } = match outcome {
        Ok(made) => made,
        Err(errors) => return faults(scope, &errors),
    };
    if helpers.is_empty() {
        return Ok(scope.string(&text));
    }
    let names =
        helpers.iter().flat_map(|HelperFunction { name, local }| [scope.string(name), scope.string(local)]);
    let parts: Vec<Value<'_>> = std::iter::once(scope.string(&text)).chain(names).collect();
    let whole = scope.array(&parts)?;
    scope.array(&[whole.value()]).map(Object::value)
}

/// Messages, lines from 1, columns from 1, texts of the lines, by turns.
fn faults<'s>(scope: &'s Scope, errors: &SyntaxErrors) -> Outcome<'s> {
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

fn word(how: ImportKind) -> &'static str {
    match how {
        ImportKind::Statement => "import-statement",
        ImportKind::RequireCall => "require-call",
        ImportKind::RequireResolve => "require-resolve",
        ImportKind::Dynamic => "dynamic-import",
    }
}
