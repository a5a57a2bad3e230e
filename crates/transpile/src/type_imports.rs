//! TypeScript files whose imports are only those of types, and that export by `module` or
//! `exports`. In: a syntax tree and its scopes. Out: whether the file is such a file. Without the
//! imports it is CommonJS, as TypeScript with `module: commonjs` and bun make it.

use oxc::ast::ast::{ImportDeclaration, Program, Statement};
use oxc::semantic::Scoping;

use crate::top_level_await;

pub(crate) fn is_commonjs_with_types(program: &Program<'_>, scoping: &Scoping, source: &str) -> bool {
    let globals = scoping.root_unresolved_references();
    ["module", "exports"].iter().any(|name| globals.contains_key(*name))
        && program.body.iter().all(|statement| is_code_or_type_import(statement, scoping))
        && !source.contains("import.meta")
        && !top_level_await::has_await(program, source)
}

/// Module syntax besides these imports makes a module of the file.
fn is_code_or_type_import(statement: &Statement<'_>, scoping: &Scoping) -> bool {
    match statement {
        Statement::ImportDeclaration(import) => is_type_import(import, scoping),
        Statement::TSImportEqualsDeclaration(_) => false,
        statement => !statement.is_module_declaration(),
    }
}

fn is_type_import(import: &ImportDeclaration<'_>, scoping: &Scoping) -> bool {
    let is_value = |symbol| scoping.get_resolved_references(symbol).any(|reference| !reference.is_type());
    import.import_kind.is_type()
        || import.specifiers.as_ref().is_some_and(|specifiers| {
            let symbols = specifiers.iter().map(|specifier| specifier.local().symbol_id());
            !specifiers.is_empty() && symbols.into_iter().all(|symbol| !is_value(symbol))
        })
}
