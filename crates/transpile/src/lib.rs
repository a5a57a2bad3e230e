//! Transpiler: TypeScript, JSX and ES modules to code that JavaScriptCore evaluates as a script.
//! In: the source text, its language, options. Out: a `Script`: code, tables of imports and
//! exports, a position map; or syntax errors. See docs/contributing/transpile.md. Absent: files,
//! resolution, linking, the engine.

mod async_context;
mod block_coverage;
mod bun_wrapper;
pub mod cache;
mod cjs;
mod coverage;
mod decorators;
mod defines;
mod depth;
mod directives;
mod edits;
mod fixups;
mod function_table;
mod global_declarations;
mod hoisted_mocks;
mod import_equals;
mod imported_name;
mod lexer;
mod metadata;
mod method_calls;
mod module;
mod module_state;
mod names;
mod namespaces;
mod options;
mod outline;
mod parse;
mod plain_typescript;
mod position_map;
mod pre_transform;
mod scan;
mod script;
mod source_map;
mod syntax_error;
mod syntax_features;
mod syntax_tree;
mod test_calls;
mod to_javascript;
mod top_level_await;
mod transform;
mod transpile;
mod type_imports;
mod v8_messages;
mod v8_syntax_errors;

pub use block_coverage::{
    BlockCoverage, CountedBlock, CountedFunction, CoverageRange, FunctionCoverage, count_blocks,
    function_coverage,
};
pub use cache::Cache;
pub use cjs::{CjsExports, cjs_exports};
pub use coverage::{CoveragePoint, Instrumentation, instrument};
pub use defines::{DefineError, Defines};
pub use directives::first_statement;
pub use function_table::{FunctionAt, FunctionKind, FunctionTable, function_table};
pub use global_declarations::{GlobalDeclarations, global_declarations};
pub use hoisted_mocks::{HOISTED_PREFIX, hoist_mocks};
pub use imported_name::{ImportedName, find_imported_name};
pub use method_calls::{CallArgument, MethodCall, method_calls};
pub use options::{
    AsyncContext, CjsGlobals, ClassFields, Decorators, Imports, Jsx, Language, ModuleState, Options,
    StrictNullChecks, Strictness,
};
pub use outline::{ImportKind, Outline, outline};
pub use parse::counts;
pub use position_map::{PositionMap, SourcePosition};
pub use script::{
    Export, ExportBinding, Import, ImportPhase, IndirectExport, ModuleArgument, ModuleForm, ModuleRequest,
    NameIndex, Script, SourceKind, Tables,
};
pub use source_map::{
    OriginalPosition, SourceMap, SourceMapLink, find_source_map, source_contents, source_map_url,
};
pub use syntax_error::{SyntaxError, SyntaxErrors};
pub use syntax_tree::{HELPERS_OBJECT, SyntaxTree, syntax_tree};
pub use test_calls::{NamePattern, TestCall, test_calls};
pub use to_javascript::{HelperFunction, JavaScriptOutput, to_javascript};
pub use top_level_await::top_level_awaits;
pub use transpile::{transpile, transpile_parsed};
pub use v8_messages::{
    EngineErrorKind, NullishUse, RegExpSource, nullish_use, print_callee, print_constructor, regexps_on_line,
    v8_message,
};
pub use v8_syntax_errors::token_width;
