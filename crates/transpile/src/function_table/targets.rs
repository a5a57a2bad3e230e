//! Targets of assignments: type names of the objects that functions are assigned to. In: parts of
//! the syntax tree. Out: receivers, keys, paths. Absent: `this`.

use oxc::ast::ast::{Expression, StaticMemberExpression};
use oxc::span::GetSpan;

use super::ReceiverType;

/// Whether V8 takes the value of an assignment for the result of a call.
pub(super) fn is_call(value: &Expression<'_>) -> bool {
    matches!(value.get_inner_expression(), Expression::CallExpression(_) | Expression::NewExpression(_))
}

/// The name of a property in brackets, if V8 has it as a name: not an index.
pub(super) fn literal_key<'a>(key: &Expression<'a>) -> Option<&'a str> {
    let text = match key {
        Expression::StringLiteral(text) => text.value.as_str(),
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            template.quasis.first()?.value.cooked.as_ref()?.as_str()
        }
        _ => return None,
    };
    let is_index =
        text == "0" || (!text.starts_with('0') && text.parse::<u32>().is_ok_and(|index| index < u32::MAX));
    (!is_index).then_some(text)
}

/// `a.b.c`
pub(super) fn path(expression: &Expression<'_>) -> Option<String> {
    match expression.get_inner_expression() {
        Expression::Identifier(name) => Some(name.name.to_string()),
        Expression::StaticMemberExpression(member) => {
            path(&member.object).map(|object| format!("{object}.{}", member.property.name))
        }
        _ => None,
    }
}

/// `X` of `X.prototype`.
pub(super) fn prototype_of(member: &StaticMemberExpression<'_>) -> Option<String> {
    (member.property.name == "prototype").then(|| path(&member.object)).flatten()
}

/// Type of the object that a member is assigned to.
pub(super) fn receiver_of(object: &Expression<'_>) -> Option<ReceiverType> {
    match object {
        Expression::StaticMemberExpression(member) => {
            prototype_of(member).map(|class| ReceiverType::Instance(class.into()))
        }
        Expression::Identifier(name) => Some(ReceiverType::Object(name.name.as_str().into())),
        _ => None,
    }
}

/// Where the functions and classes begin that an expression may result in.
pub(super) fn functions_of(value: &Expression<'_>, starts: &mut Vec<u32>) {
    match value.get_inner_expression() {
        function @ (Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_)) => {
            starts.push(function.span().start);
        }
        Expression::LogicalExpression(logical) => {
            functions_of(&logical.left, starts);
            functions_of(&logical.right, starts);
        }
        Expression::ConditionalExpression(conditional) => {
            functions_of(&conditional.consequent, starts);
            functions_of(&conditional.alternate, starts);
        }
        Expression::AssignmentExpression(assignment) => functions_of(&assignment.right, starts),
        Expression::SequenceExpression(sequence) => {
            if let Some(last) = sequence.expressions.last() {
                functions_of(last, starts);
            }
        }
        _ => {}
    }
}
