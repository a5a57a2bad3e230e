//! Branches whose condition is known: literals, and what macros and earlier builds put there. In: a
//! condition. Out: whether it has one value. Absent: removing what cannot run (`defines`).

use oxc::ast::ast::Expression;
use oxc::syntax::operator::UnaryOperator;

/// Whether a condition consists of literals alone, or is decided by its left side.
pub(super) fn is_known(condition: &Expression<'_>) -> bool {
    match condition.get_inner_expression() {
        Expression::BooleanLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::StringLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::BigIntLiteral(_) => true,
        Expression::UnaryExpression(unary) => {
            let is_pure = !matches!(unary.operator, UnaryOperator::Delete);
            is_pure && is_known(&unary.argument)
        }
        Expression::BinaryExpression(binary) => is_known(&binary.left) && is_known(&binary.right),
        Expression::LogicalExpression(logical) => is_known(&logical.left),
        _ => false,
    }
}
