//! Options of the transpiler: from the file name, tsconfig.json and flags. Absent: reading those.

use std::sync::Arc;

use crate::defines::Defines;
use crate::script::SourceKind;

/// Default prefix of generated names.
pub(crate) const PREFIX: &str = "$r";

/// The language of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    JavaScript,
    Jsx,
    TypeScript,
    Tsx,
}

impl Language {
    /// By the file name extension, without the dot. None if it is no program.
    pub fn of_extension(extension: &str) -> Option<Language> {
        match extension {
            "js" | "mjs" | "cjs" => Some(Language::JavaScript),
            "jsx" => Some(Language::Jsx),
            "ts" | "mts" | "cts" => Some(Language::TypeScript),
            "tsx" => Some(Language::Tsx),
            _ => None,
        }
    }
}

/// Everything besides the source text that determines the output.
#[derive(Clone, Debug)]
pub struct Options {
    pub language: Language,
    /// None: detected by the syntax, as in Node for a file of undeclared type.
    pub kind: Option<SourceKind>,
    pub jsx: Jsx,
    pub decorators: Decorators,
    pub fields: ClassFields,
    pub imports: Imports,
    pub cjs_globals: CjsGlobals,
    pub strictness: Strictness,
    pub async_context: AsyncContext,
    pub module_state: ModuleState,
    /// Prefix of generated names; it is extended if the file uses it.
    pub prefix: String,
    pub defines: Arc<Defines>,
}

impl Options {
    pub fn new(language: Language, kind: Option<SourceKind>) -> Options {
        Options {
            language,
            kind,
            jsx: Jsx::default(),
            decorators: Decorators::Standard,
            fields: ClassFields::Define,
            imports: Imports::Used,
            cjs_globals: CjsGlobals::CommonJsOnly,
            strictness: Strictness::AsWritten,
            async_context: AsyncContext::Ignored,
            module_state: ModuleState::Hidden,
            prefix: PREFIX.to_owned(),
            defines: Arc::default(),
        }
    }
}

/// `jsx` of tsconfig.json and its related options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jsx {
    /// `react-jsx`, `react-jsxdev`: calls of `SOURCE/jsx-runtime`.
    Automatic { source: String, is_development: bool },
    /// `react`: calls of a factory.
    Classic { factory: String, fragment: String },
}

impl Default for Jsx {
    fn default() -> Jsx {
        Jsx::Automatic { source: "react".to_owned(), is_development: false }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decorators {
    /// Standard decorators.
    Standard,
    /// `experimentalDecorators`
    Legacy,
    /// `experimentalDecorators` and `emitDecoratorMetadata`
    LegacyWithMetadata(StrictNullChecks),
}

/// `strictNullChecks`: the metadata type of `T | null`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrictNullChecks {
    /// The type of `T`.
    Off,
    /// `Object`.
    On,
}

/// `useDefineForClassFields`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClassFields {
    Define,
    Assign,
}

/// Which imports TypeScript preserves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imports {
    /// Those that are used as values.
    Used,
    /// All without `type`: `verbatimModuleSyntax`.
    Verbatim,
}

/// In which files the CommonJS globals exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CjsGlobals {
    /// In CommonJS only.
    CommonJsOnly,
    /// `require`, `__filename` and `__dirname` also in modules: the file was written for a compiler
    /// that emits CommonJS.
    AllFiles,
}

/// `alwaysStrict`, for CommonJS files without module syntax.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// Strict only with a `use strict` directive.
    AsWritten,
    Always,
}

/// Whether AsyncLocalStorage contexts are propagated across `await`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AsyncContext {
    /// For programs without AsyncLocalStorage: `await` stays.
    Ignored,
    Propagated,
}

/// Whether ES modules tell the values of their bindings, if these are all their state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ModuleState {
    Hidden,
    /// For a process that evaluates the same modules for one program after another.
    Reported,
}
