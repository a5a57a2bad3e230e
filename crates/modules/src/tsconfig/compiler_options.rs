//! Compiler options of tsconfig.json for TypeScript and JSX. In: `compilerOptions`. Out: the
//! members that affect the output; missing ones are `None`. Absent: options of the type checker.

use rusk_npm::json::Node;

/// Compiler options that affect the output.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompilerOptions {
    /// `react`, `react-jsx`, `react-jsxdev`, `preserve`.
    pub jsx: Option<String>,
    pub jsx_import_source: Option<String>,
    pub jsx_factory: Option<String>,
    pub jsx_fragment_factory: Option<String>,
    pub experimental_decorators: Option<bool>,
    pub emit_decorator_metadata: Option<bool>,
    pub strict: Option<bool>,
    /// Defaults to `strict`.
    pub always_strict: Option<bool>,
    /// Defaults to `strict`.
    pub strict_null_checks: Option<bool>,
    /// As written: `es2020`, `ESNext`.
    pub target: Option<String>,
    /// Defaults to a value that depends on `target`.
    pub use_define_for_class_fields: Option<bool>,
    pub verbatim_module_syntax: Option<bool>,
}

/// Options of JSX that are in effect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsxSettings {
    /// As in [`CompilerOptions::jsx`].
    pub kind: Option<String>,
    pub factory: String,
    pub fragment: String,
    pub import_source: String,
}

impl CompilerOptions {
    pub(crate) fn new(options: Option<&Node<'_>>) -> CompilerOptions {
        let find = |key: &str| options.and_then(|options| options.find(key));
        let text = |key: &str| find(key).and_then(Node::as_str).map(str::to_owned);
        let flag = |key: &str| find(key).and_then(Node::as_bool);
        CompilerOptions {
            jsx: text("jsx"),
            jsx_import_source: text("jsxImportSource"),
            jsx_factory: text("jsxFactory"),
            jsx_fragment_factory: text("jsxFragmentFactory"),
            experimental_decorators: flag("experimentalDecorators"),
            emit_decorator_metadata: flag("emitDecoratorMetadata"),
            strict: flag("strict"),
            always_strict: flag("alwaysStrict"),
            strict_null_checks: flag("strictNullChecks"),
            target: text("target"),
            use_define_for_class_fields: flag("useDefineForClassFields"),
            verbatim_module_syntax: flag("verbatimModuleSyntax"),
        }
    }

    /// Each option comes from these, else from `defaults`, else it is React's.
    pub fn jsx_settings(&self, defaults: &CompilerOptions) -> JsxSettings {
        let text = |given: &Option<String>, default: &Option<String>, usual: &str| {
            given.as_ref().or(default.as_ref()).map_or_else(|| usual.to_owned(), String::clone)
        };
        let CompilerOptions { jsx, jsx_import_source, jsx_factory, jsx_fragment_factory, .. } = defaults;
        JsxSettings {
            kind: self.jsx.as_ref().or(jsx.as_ref()).cloned(),
            factory: text(&self.jsx_factory, jsx_factory, "React.createElement"),
            fragment: text(&self.jsx_fragment_factory, jsx_fragment_factory, "React.Fragment"),
            import_source: text(&self.jsx_import_source, jsx_import_source, "react"),
        }
    }

    /// Later options take precedence.
    pub(crate) fn put(&mut self, later: CompilerOptions) {
        let earlier = std::mem::take(self);
        *self = CompilerOptions {
            jsx: later.jsx.or(earlier.jsx),
            jsx_import_source: later.jsx_import_source.or(earlier.jsx_import_source),
            jsx_factory: later.jsx_factory.or(earlier.jsx_factory),
            jsx_fragment_factory: later.jsx_fragment_factory.or(earlier.jsx_fragment_factory),
            experimental_decorators: later.experimental_decorators.or(earlier.experimental_decorators),
            emit_decorator_metadata: later.emit_decorator_metadata.or(earlier.emit_decorator_metadata),
            strict: later.strict.or(earlier.strict),
            always_strict: later.always_strict.or(earlier.always_strict),
            strict_null_checks: later.strict_null_checks.or(earlier.strict_null_checks),
            target: later.target.or(earlier.target),
            use_define_for_class_fields: later
                .use_define_for_class_fields
                .or(earlier.use_define_for_class_fields),
            verbatim_module_syntax: later.verbatim_module_syntax.or(earlier.verbatim_module_syntax),
        };
    }
}
