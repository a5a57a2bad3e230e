//! TypeScript, JSX and ES modules become what the engine evaluates. In: a text, its language, what
//! it is to be. Out: a `Script`: a text for the engine, tables of imports and exports, places; or
//! errors of syntax. See docs/internals/transpile.md. Absent: files, resolution, linking, the
//! engine.

mod about;
mod ahead;
mod amended;
mod async_context;
mod awaits;
pub mod cache;
mod cjs;
mod declared;
mod decorators;
mod defines;
mod depth;
mod directives;
mod edits;
mod imported;
mod javascript;
mod metadata;
mod module;
mod names;
mod namespaces;
mod options;
mod outline;
mod parse;
mod positions;
mod required;
mod scan;
mod script;
mod skim;
mod source_map;
mod syntax_error;
mod syntax_words;
mod transform;
mod transpile;
mod unknown;

pub use about::{Evaluated, Pattern, Wrong, about, evaluated, patterns_on_line, shown, shown_of_new};
pub use awaits::top_level_awaits;
pub use cache::Cache;
pub use cjs::{CjsExports, cjs_exports};
pub use declared::{Declared, declared};
pub use defines::{DefineFlaw, Defines};
pub use directives::first_statement;
pub use imported::{Word, place_of_name};
pub use javascript::{Callee, JavaScript, javascript};
pub use options::{
    AsyncContext, Decorators, Fields, Imports, Jsx, Language, Names, Nulls, Options, Strictness,
};
pub use outline::{Asked, Outline, outline};
pub use positions::{Place, Positions};
pub use script::{
    Binding, Export, Form, Import, IndirectExport, Input, Kind, Name, Phase, Request, Script, Tables,
};
pub use source_map::{Followed, Found, SourceMap, followed};
pub use syntax_error::{SyntaxError, SyntaxErrors};
pub use syntax_words::token_width;
pub use transpile::{transpile, transpile_parsed};
