//! Options of the transpiler for a file. In: its path, its kind if known. Out: options; those of
//! TypeScript and JSX come from the nearest tsconfig.json. Absent: reading the file.

use std::path::Path;
use std::sync::Arc;

use rusk_jsc::{ErrorKind, Exception, Scope};
use rusk_modules::ResolveError;
use rusk_modules::tsconfig::CompilerOptions;
use rusk_transpile::{
    AsyncContext, CjsGlobals, ClassFields, Decorators, Imports, Jsx, Language, ModuleState, Options,
    SourceKind, StrictNullChecks, Strictness,
};

use super::{kept_modules, resolution};
use crate::state::RuntimeState;

/// `kind`: `None` if it must be detected.
pub fn options(path: &str, kind: Option<SourceKind>) -> Result<Options, ResolveError> {
    let file = Path::new(path);
    let extension = file.extension().and_then(|end| end.to_str()).unwrap_or("js");
    let language = Language::of_extension(extension).unwrap_or(Language::JavaScript);
    let defines = Arc::clone(&RuntimeState::current().program.defines);
    let mut options = Options { defines, ..Options::new(language, kind) };
    options.async_context = async_context(path);
    if kept_modules::has_started() {
        options.module_state = ModuleState::Reported;
    }
    if matches!(extension, "ts" | "tsx" | "cts") {
        options.cjs_globals = CjsGlobals::AllFiles;
    }
    if resolution::is_typed(file) {
        match resolution::with_typescript(|own| own.compiler_options(file))? {
            Some(compiler) => apply(compiler, &mut options),
            None => options.jsx = jsx(&CompilerOptions::default()),
        }
    }
    Ok(options)
}

/// Installed packages are not transformed for async context unless the program uses it.
pub fn async_context(path: &str) -> AsyncContext {
    if RuntimeState::current().tracks_async_context.get() || !path.contains("/node_modules/") {
        AsyncContext::Propagated
    } else {
        AsyncContext::Ignored
    }
}

/// For a JavaScript file that may contain JSX.
pub fn with_jsx(path: &str, options: &Options) -> Options {
    let mut options = Options { language: Language::Jsx, ..options.clone() };
    if let Ok(compiler) = resolution::with_typescript(|own| own.compiler_options(Path::new(path))) {
        options.jsx = jsx(&compiler.unwrap_or_default());
    }
    options
}

/// The error of a tsconfig.json that cannot be read.
pub fn config_error<'s>(scope: &'s Scope, failure: &ResolveError) -> Exception<'s> {
    Exception::new(scope, ErrorKind::Error, failure.problem().message())
}

fn apply(compiler: CompilerOptions, options: &mut Options) {
    options.jsx = jsx(&compiler);
    options.decorators = match (compiler.experimental_decorators, compiler.emit_decorator_metadata) {
        (Some(true), Some(true)) => Decorators::LegacyWithMetadata(nulls(&compiler)),
        (Some(true), _) => Decorators::Legacy,
        _ => Decorators::Standard,
    };
    options.fields = fields(&compiler);
    if compiler.always_strict.or(compiler.strict) == Some(true) {
        options.strictness = Strictness::Always;
    }
    if compiler.verbatim_module_syntax == Some(true) {
        options.imports = Imports::Verbatim;
    }
}

/// Targets without class fields: TypeScript assigns there unless an option says otherwise.
const WITHOUT_FIELDS: [&str; 10] =
    ["es3", "es5", "es6", "es2015", "es2016", "es2017", "es2018", "es2019", "es2020", "es2021"];

fn fields(compiler: &CompilerOptions) -> ClassFields {
    let target = compiler.target.as_deref().unwrap_or("esnext");
    let is_old = WITHOUT_FIELDS.iter().any(|old| target.eq_ignore_ascii_case(old));
    if compiler.use_define_for_class_fields.unwrap_or(!is_old) {
        ClassFields::Define
    } else {
        ClassFields::Assign
    }
}

fn nulls(compiler: &CompilerOptions) -> StrictNullChecks {
    let is_strict = compiler.strict_null_checks.or(compiler.strict).unwrap_or(false);
    if is_strict { StrictNullChecks::On } else { StrictNullChecks::Off }
}

/// Each option comes from tsconfig.json, else from bunfig.toml.
fn jsx(compiler: &CompilerOptions) -> Jsx {
    let settings = compiler.jsx_settings(&RuntimeState::current().program.jsx);
    match settings.kind.as_deref() {
        Some("react") => Jsx::Classic { factory: settings.factory, fragment: settings.fragment },
        kind => {
            Jsx::Automatic { is_development: kind == Some("react-jsxdev"), source: settings.import_source }
        }
    }
}
