//! Options of the transpiler for a file: bunfig.toml, then the nearest tsconfig.json, then flags,
//! then `@jsx` comments. As the runtime does (`crates/runtime/src/loader/transpile_options.rs`).

use std::path::Path;

use rusk_modules::tsconfig::{CompilerOptions, JsxSettings};
use rusk_transpile::{
    ClassFields, Decorators, Imports, Jsx, Language, Options, SourceKind, StrictNullChecks, Strictness,
};

use super::Scanner;
use crate::options::JsxOverrides;

/// Targets without class fields: TypeScript assigns there unless an option says otherwise.
const WITHOUT_FIELDS: [&str; 10] =
    ["es3", "es5", "es6", "es2015", "es2016", "es2017", "es2018", "es2019", "es2020", "es2021"];

impl Scanner {
    pub(super) fn transpile_options(
        &self,
        path: &Path,
        language: Language,
        kind: Option<SourceKind>,
        source: &str,
    ) -> Options {
        let is_installed = path.components().any(|part| part.as_os_str() == "node_modules");
        // Many programs have JSX in `.js` files; packages do not.
        let may_have_jsx = language == Language::JavaScript && !is_installed && contains_jsx(source);
        let language = if may_have_jsx { Language::Jsx } else { language };
        let mut options = Options::new(language, kind);
        if language != Language::JavaScript {
            let compiler = self.resolver.compiler_options(path);
            if let Some(compiler) = &compiler {
                apply(compiler, &mut options);
            }
            let settings = compiler.unwrap_or_default().jsx_settings(&self.options.jsx_defaults);
            options.jsx = jsx(settings, !self.options.is_production());
        }
        override_jsx(&self.options.jsx, &mut options.jsx);
        options
    }
}

/// Whether a text may contain an element: `<` before a name, `/` or `>`.
fn contains_jsx(source: &str) -> bool {
    memchr::memmem::find(source.as_bytes(), b"</").is_some()
        || memchr::memmem::find(source.as_bytes(), b"/>").is_some()
}

fn apply(compiler: &CompilerOptions, options: &mut Options) {
    options.decorators = match (compiler.experimental_decorators, compiler.emit_decorator_metadata) {
        (Some(true), Some(true)) => Decorators::LegacyWithMetadata(nulls(compiler)),
        (Some(true), _) => Decorators::Legacy,
        _ => Decorators::Standard,
    };
    let target = compiler.target.as_deref().unwrap_or("esnext");
    let is_old = WITHOUT_FIELDS.iter().any(|old| target.eq_ignore_ascii_case(old));
    options.fields = match compiler.use_define_for_class_fields.unwrap_or(!is_old) {
        true => ClassFields::Define,
        false => ClassFields::Assign,
    };
    if compiler.always_strict.or(compiler.strict) == Some(true) {
        options.strictness = Strictness::Always;
    }
    if compiler.verbatim_module_syntax == Some(true) {
        options.imports = Imports::Verbatim;
    }
}

fn nulls(compiler: &CompilerOptions) -> StrictNullChecks {
    match compiler.strict_null_checks.or(compiler.strict).unwrap_or(false) {
        true => StrictNullChecks::On,
        false => StrictNullChecks::Off,
    }
}

fn jsx(settings: JsxSettings, is_development: bool) -> Jsx {
    match settings.kind.as_deref() {
        Some("react") => Jsx::Classic { factory: settings.factory, fragment: settings.fragment },
        kind => Jsx::Automatic {
            is_development: is_development && kind != Some("react-jsx"),
            source: settings.import_source,
        },
    }
}

fn override_jsx(given: &JsxOverrides, jsx: &mut Jsx) {
    let is_classic =
        given.is_classic.unwrap_or(matches!(jsx, Jsx::Classic { .. }) || given.factory.is_some());
    let (factory, fragment, source, development) = match jsx {
        Jsx::Classic { factory, fragment } => (factory.clone(), fragment.clone(), "react".to_owned(), false),
        Jsx::Automatic { source, is_development } => {
            ("React.createElement".to_owned(), "React.Fragment".to_owned(), source.clone(), *is_development)
        }
    };
    *jsx = match is_classic {
        true => Jsx::Classic {
            factory: given.factory.clone().unwrap_or(factory),
            fragment: given.fragment.clone().unwrap_or(fragment),
        },
        false => Jsx::Automatic {
            source: given.import_source.clone().unwrap_or(source),
            is_development: given.is_development.unwrap_or(development),
        },
    };
}
