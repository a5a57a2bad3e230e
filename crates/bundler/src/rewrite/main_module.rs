//! `require.main === module` and `import.meta.main`: whether the module is the program that runs.
//! In: an expression. Out: the same for the output, in which both are those of the bundle.

use oxc::ast::ast::{BinaryExpression, Expression, StaticMemberExpression};
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
        let can_be_main = self.is_entry() && self.has_main();
        let text = match (can_be_main, is_equal) {
            (true, true) => "__isMain",
            (true, false) => "!__isMain",
            (false, true) => "false",
            (false, false) => "true",
        };
        if can_be_main {
            self.add_is_main();
        }
        Some(self.text(comparison.span(), text))
    }

    /// Node before 24 has no `import.meta.main`, nor has CommonJS.
    pub(super) fn meta_main(&mut self, member: &StaticMemberExpression<'a>) -> Option<Expression<'a>> {
        if member.property.name != "main" || !matches!(member.object, Expression::ImportMeta(_)) {
            return None;
        }
        if !self.is_entry() {
            return Some(self.text(member.span, "false"));
        }
        let is_own = self.linked.format == ModuleFormat::Esm && self.linked.target != BuildTarget::Node;
        if is_own || !self.has_main() {
            return None;
        }
        self.add_is_main();
        Some(self.text(member.span, "__isMain"))
    }

    /// Whether the bundle, or the file of a worker, begins with the module.
    fn is_entry(&self) -> bool {
        let (linked, index) = (self.linked, self.plan.index);
        linked.entries[..linked.user_entries].contains(&index) || linked.modules[index].is_worker
    }

    /// Whether the output can tell that it is the program.
    fn has_main(&self) -> bool {
        self.linked.target != BuildTarget::Browser && self.linked.format != ModuleFormat::Iife
    }

    fn add_is_main(&mut self) {
        self.helpers.add(RuntimeFunctions::IS_MAIN);
        if self.linked.format == ModuleFormat::Esm && self.linked.target == BuildTarget::Node {
            self.helpers.add(RuntimeFunctions::REQUIRE);
        }
    }

    fn is_main_module(&self, expression: &Expression<'a>) -> bool {
        matches!(expression, Expression::StaticMemberExpression(member)
            if member.property.name == "main" && self.is_global(&member.object, "require"))
    }
}
