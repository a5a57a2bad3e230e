//! Names that code uses without declaring them. In: the code of an output. Out: names, or why it
//! cannot be parsed. For tests: a name that linking forgot to import is one.

use oxc::allocator::Allocator;
use oxc::parser::Parser;
use oxc::semantic::SemanticBuilder;
use oxc::span::SourceType;

/// Sorted. `is_module`: whether the code is an ES module.
pub fn free_names(code: &str, is_module: bool) -> Result<Vec<String>, String> {
    let allocator = Allocator::default();
    let source_type = if is_module { SourceType::mjs() } else { SourceType::cjs() };
    let parsed = Parser::new(&allocator, code, source_type).parse();
    if let Some(error) = parsed.diagnostics.errors().next() {
        return Err(error.message.to_string());
    }
    let built = SemanticBuilder::new().with_check_syntax_error(true).build(&parsed.program);
    if let Some(error) = built.diagnostics.errors().next() {
        return Err(error.message.to_string());
    }
    let scoping = built.semantic.into_scoping();
    let mut names: Vec<String> =
        scoping.root_unresolved_references().keys().map(|name| name.to_string()).collect();
    names.sort_unstable();
    Ok(names)
}
