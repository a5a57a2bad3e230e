//! Positions of top-level awaits in a module. In: the source text, its language. Out: line numbers
//! from 1, and columns in UTF-16 code units. Absent: which of them is pending, which only the
//! engine knows.

use oxc::allocator::Allocator;
use oxc::ast::ast::{
    ArrowFunctionExpression, AwaitExpression, ForOfStatement, Function, Program, VariableDeclaration,
};
use oxc::ast_visit::{Visit, walk};
use oxc::syntax::scope::ScopeFlags;

use crate::depth;
use crate::options::Language;
use crate::parse;
use crate::script::SourceKind;
use crate::syntax_error::SyntaxErrors;

/// Empty if the source text does not parse.
pub fn top_level_awaits(source: &str, language: Language) -> Vec<(u32, u32)> {
    depth::with_deep_stack(source, || parse_and_find(source, language)).unwrap_or_default()
}

fn parse_and_find(source: &str, language: Language) -> Result<Vec<(u32, u32)>, SyntaxErrors> {
    let allocator = Allocator::default();
    let parsed = parse::parse(&allocator, source, language, Some(SourceKind::Module))?;
    let mut finder = AwaitFinder { source, functions: 0, positions: Vec::new() };
    finder.visit_program(&parsed.program);
    Ok(finder.positions)
}

/// Whether code outside of functions waits.
pub(crate) fn has_await(program: &Program<'_>, source: &str) -> bool {
    let mut finder = AwaitFinder { source, functions: 0, positions: Vec::new() };
    finder.visit_program(program);
    !finder.positions.is_empty()
}

struct AwaitFinder<'s> {
    source: &'s str,
    /// Enclosing functions.
    functions: usize,
    positions: Vec<(u32, u32)>,
}

impl AwaitFinder<'_> {
    fn note(&mut self, start: u32) {
        if self.functions == 0 {
            let before = &self.source[..start as usize];
            let line = before.rsplit_once('\n').map_or(before, |(_, line)| line);
            let breaks = before.bytes().filter(|byte| *byte == b'\n').count();
            self.positions.push((breaks as u32 + 1, line.encode_utf16().count() as u32));
        }
    }
}

impl<'a> Visit<'a> for AwaitFinder<'_> {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.functions += 1;
        walk::walk_function(self, function, flags);
        self.functions -= 1;
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.functions += 1;
        walk::walk_arrow_function_expression(self, arrow);
        self.functions -= 1;
    }

    fn visit_await_expression(&mut self, expression: &AwaitExpression<'a>) {
        self.note(expression.span.start);
        walk::walk_await_expression(self, expression);
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        if statement.r#await {
            self.note(statement.span.start);
        }
        walk::walk_for_of_statement(self, statement);
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        if declaration.kind.is_await() {
            self.note(declaration.span.start);
        }
        walk::walk_variable_declaration(self, declaration);
    }
}

#[cfg(test)]
mod tests;
