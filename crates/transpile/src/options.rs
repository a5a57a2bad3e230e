//! How a file is to be read: what its name and a tsconfig.json say. Absent: reading either.

use std::sync::Arc;

use crate::defines::Defines;
use crate::script::SourceKind;

/// The usual beginning of our own names.
pub(crate) const PREFIX: &str = "$r";

/// What is written in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    JavaScript,
    Jsx,
    TypeScript,
    Tsx,
}

impl Language {
    /// By the end of a name: `.tsx`, `.mts`. None for what is no program.
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

/// Everything beside the text that decides what comes out.
#[derive(Clone, Debug)]
pub struct Options {
    pub language: Language,
    /// None: the text decides, as Node does for a file of which nobody says what it is.
    pub kind: Option<SourceKind>,
    pub jsx: Jsx,
    pub decorators: Decorators,
    pub fields: Fields,
    pub imports: Imports,
    pub cjs_globals: CjsGlobals,
    pub strictness: Strictness,
    pub async_context: AsyncContext,
    /// What names of ours begin with, where no name of the file does.
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
            fields: Fields::Define,
            imports: Imports::Used,
            cjs_globals: CjsGlobals::CommonJsOnly,
            strictness: Strictness::AsWritten,
            async_context: AsyncContext::Ignored,
            prefix: PREFIX.to_owned(),
            defines: Arc::default(),
        }
    }
}

/// `jsx` of tsconfig.json and what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Jsx {
    /// `react-jsx`, `react-jsxdev`: functions of `SOURCE/jsx-runtime`.
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
    /// The language's own.
    Standard,
    /// `experimentalDecorators`
    Legacy,
    /// `experimentalDecorators` and `emitDecoratorMetadata`
    LegacyWithMetadata(StrictNullChecks),
}

/// What metadata of types say of `T | null`: `strictNullChecks`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrictNullChecks {
    /// What `T` is.
    Off,
    /// That it is any object.
    On,
}

/// `useDefineForClassFields`
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fields {
    Define,
    Assign,
}

/// Imports that TypeScript keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imports {
    /// Those whose names are used as values.
    Used,
    /// All but those that say `type`: `verbatimModuleSyntax`.
    Verbatim,
}

/// The names that a file finds without declaring them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CjsGlobals {
    /// Those of CommonJS in CommonJS alone.
    CommonJsOnly,
    /// `require`, `__filename` and `__dirname` in modules, too: the text is one that compilers make
    /// CommonJS of.
    AllFiles,
}

/// CommonJS of TypeScript that is no module to it: `alwaysStrict`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strictness {
    /// Strict where it says `use strict`.
    AsWritten,
    Always,
}

/// What AsyncLocalStorage keeps, behind an `await`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AsyncContext {
    /// For programs that have none: `await` stays as it is.
    Ignored,
    Propagated,
}
