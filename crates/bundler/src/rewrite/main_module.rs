//! `require.main === module`: whether the module is the program that runs. In: a comparison. Out:
//! the same for the output, in which `module` is that of the bundle.

use oxc::ast::ast::{BinaryExpression, Expression};
use oxc::span::GetSpan;
use oxc::syntax::operator::BinaryOperator;

use super::Rewriter;
use crate::options::{BuildTarget, ModuleFormat};
use crate::render::RuntimeFunctions;

impl<'a> Rewriter<'_, 'a> {
    pub(super) fn main_comparison(&mut self, comparison: &BinaryExpression<'a>) -> Option<Expression<'a>> {
        let is_equal = match comparison.operator {
            BinaryOperator::StrictEquality | BinaryOperator::Equality => true,
            BinaryOperator::StrictInequality | BinaryOperator::Inequality => false,
            _ => return None,
        };
        let (left, right) = (&comparison.left, &comparison.right);
        let is_pair = |main: &Expression<'a>, module: &Expression<'a>| {
            self.is_main_module(main) && self.is_global(module, "module")
        };
        if !is_pair(left, right) && !is_pair(right, left) {
            return None;
        }
        let linked = self.linked;
        let is_entry = linked.entries[..linked.user_entries].contains(&self.plan.index);
        let can_be_main =
            is_entry && linked.target != BuildTarget::Browser && linked.format != ModuleFormat::Iife;
        let text = match (can_be_main, is_equal) {
            (true, true) => "__isMain",
            (true, false) => "!__isMain",
            (false, true) => "false",
            (false, false) => "true",
        };
        if can_be_main {
            self.helpers.add(RuntimeFunctions::IS_MAIN);
            if linked.format == ModuleFormat::Esm && linked.target == BuildTarget::Node {
                self.helpers.add(RuntimeFunctions::REQUIRE);
            }
        }
        Some(self.text(comparison.span(), text))
    }

    fn is_main_module(&self, expression: &Expression<'a>) -> bool {
        matches!(expression, Expression::StaticMemberExpression(member)
            if member.property.name == "main" && self.is_global(&member.object, "require"))
    }
}
