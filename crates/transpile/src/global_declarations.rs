//! Global declarations of a script. In: the source text. Out: the names of top-level `var` and
//! functions, which become properties of the global object; and those of `let`, `const` and
//! classes, which do not. Empty if the source text does not parse.

use oxc::allocator::Allocator;
use oxc::semantic::SymbolFlags;

use crate::depth;
use crate::options::Language;
use crate::parse;
use crate::script::SourceKind;
use crate::syntax_error::SyntaxErrors;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GlobalDeclarations {
    pub variables: Vec<String>,
    pub functions: Vec<String>,
    /// `let`, `const` and classes.
    pub lexical: Vec<String>,
}

/// The names that a script declares globally.
pub fn global_declarations(source: &str) -> GlobalDeclarations {
    depth::with_deep_stack(source, || parse_and_read(source)).unwrap_or_default()
}

fn parse_and_read(source: &str) -> Result<GlobalDeclarations, SyntaxErrors> {
    let allocator = Allocator::default();
    let parsed = parse::parse(&allocator, source, Language::JavaScript, Some(SourceKind::CommonJs))?;
    let scoping = parse::scopes(&parsed.program, source)?;
    let mut declared = GlobalDeclarations::default();
    for (name, &symbol) in scoping.get_bindings(scoping.root_scope_id()) {
        let flags = scoping.symbol_flags(symbol);
        if flags.contains(SymbolFlags::Function) {
            declared.functions.push(name.to_string());
        } else if flags.contains(SymbolFlags::FunctionScopedVariable) {
            declared.variables.push(name.to_string());
        } else if flags.intersects(SymbolFlags::BlockScopedVariable | SymbolFlags::Class) {
            declared.lexical.push(name.to_string());
        }
    }
    declared.variables.sort();
    declared.functions.sort();
    declared.lexical.sort();
    Ok(declared)
}

#[cfg(test)]
mod tests;
