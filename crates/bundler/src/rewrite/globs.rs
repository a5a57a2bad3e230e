//! Imports with a path that is known in part: a table of the files that it may mean. In: a call.
//! Out: the call of a function that has the table; a path that is not in it is for the program that
//! runs.

use oxc::allocator::TakeIn;
use oxc::ast::ast::{Argument, Expression};
use oxc::ast_visit::VisitMut;
use oxc::span::Span;

use super::Rewriter;
use crate::glob_import::PathPattern;
use crate::module::{RecordKind, RecordTarget};

impl<'a> Rewriter<'_, 'a> {
    pub(super) fn glob(&mut self, expression: &mut Expression<'a>) -> Option<Expression<'a>> {
        match expression {
            Expression::CallExpression(call) if self.is_require(&call.callee) => {
                let span = call.span;
                let [argument] = call.arguments.as_mut_slice() else { return None };
                let source = argument.as_expression_mut()?;
                let table = self.table(source, RecordKind::Require, span)?;
                let missing = format!("{}(__path)", self.require_name());
                let source = source.take_in(&self.allocator);
                Some(self.lookup(&table, &missing, source, span))
            }
            Expression::ImportExpression(import) => {
                let table = self.table(&import.source, RecordKind::Dynamic, import.span)?;
                let source = import.source.take_in(&self.allocator);
                Some(self.lookup(&table, "import(__path)", source, import.span))
            }
            _ => None,
        }
    }

    /// Members of an object: what loads each file.
    fn table(&mut self, source: &Expression<'a>, kind: RecordKind, span: Span) -> Option<String> {
        let linked = self.linked;
        let records = &linked.modules[self.plan.index].records;
        let is_own = |index: &usize| {
            let record = &records[*index];
            let is_bundled = matches!(record.target, RecordTarget::Module(_));
            record.span.start == span.start && record.kind == kind && is_bundled
        };
        let own: Vec<usize> = (0..records.len()).filter(is_own).collect();
        if own.is_empty() {
            return None;
        }
        let pattern = PathPattern::of(source)?;
        let mut table = String::new();
        for index in own {
            let loading = match kind {
                RecordKind::Require => self.required(index)?,
                _ => self.imported(index)?,
            };
            for name in pattern.names_of(&records[index].specifier) {
                table.push_str(", ");
                rusk_npm::json::quote_into(&mut table, name);
                table.push_str(&format!(": () => {loading}"));
            }
        }
        Some(table)
    }

    fn lookup(
        &mut self,
        table: &str,
        missing: &str,
        mut source: Expression<'a>,
        span: Span,
    ) -> Expression<'a> {
        self.visit_expression(&mut source);
        let text = format!(
            "((__path, __files = {{ __proto__: null{table} }}) => __files[__path] ? __files[__path]() : {missing})"
        );
        let callee = self.text(span, &text);
        let arguments = [Argument::from(source)];
        Expression::new_call_expression(span, callee, None, arguments, false, &self.ast)
    }
}
