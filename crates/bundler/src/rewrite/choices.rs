//! Choices between modules: `require(test ? 'a' : 'b')` is `test ? require('a') : require('b')`.
//! In: a call. Out: an expression, each of whose branches is rewritten as a call of its own.

use oxc::allocator::TakeIn;
use oxc::ast::ast::{Argument, ConditionalExpression, Expression};
use oxc::span::Span;

use super::Rewriter;
use crate::module::RecordKind;

impl<'a> Rewriter<'_, 'a> {
    pub(super) fn split_choice(&mut self, expression: &mut Expression<'a>) -> Option<Expression<'a>> {
        match expression {
            Expression::CallExpression(call) if self.is_require(&call.callee) => {
                let [Argument::ConditionalExpression(choice)] = call.arguments.as_mut_slice() else {
                    return None;
                };
                let choice = choice.take_in(&self.allocator);
                Some(self.choice(RecordKind::Require, choice, call.span))
            }
            Expression::ImportExpression(import) if import.options.is_none() => {
                let Expression::ConditionalExpression(choice) = &mut import.source else { return None };
                let choice = choice.take_in(&self.allocator);
                Some(self.choice(RecordKind::Dynamic, choice, import.span))
            }
            _ => None,
        }
    }

    fn choice(&mut self, kind: RecordKind, choice: ConditionalExpression<'a>, span: Span) -> Expression<'a> {
        let consequent = self.branch(kind, choice.consequent, span);
        let alternate = self.branch(kind, choice.alternate, span);
        Expression::new_conditional_expression(span, choice.test, consequent, alternate, &self.ast)
    }

    fn branch(&mut self, kind: RecordKind, branch: Expression<'a>, span: Span) -> Expression<'a> {
        if let Expression::ConditionalExpression(choice) = branch {
            return self.choice(kind, choice.unbox(), span);
        }
        let record = match branch.get_inner_expression() {
            Expression::StringLiteral(text) => self.record(text.span, &text.value),
            _ => None,
        };
        let text = match (record, kind) {
            (Some(record), RecordKind::Require) => self.required(record),
            (Some(record), _) => self.imported(record),
            (None, _) => None,
        };
        match (text, kind) {
            (Some(text), _) => self.text(span, &text),
            (None, RecordKind::Require) => {
                let callee = Expression::new_identifier(span, "require", &self.ast);
                let arguments = [Argument::from(branch)];
                Expression::new_call_expression(span, callee, None, arguments, false, &self.ast)
            }
            (None, _) => Expression::new_import_expression(span, branch, None, None, &self.ast),
        }
    }
}
