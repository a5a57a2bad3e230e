//! What surrounds a dynamic import: its attributes, and whether its rejection is handled. In: a
//! call. Out: the value of `type`, the place of the import. Absent: what is imported (`globs`).

use oxc::ast::ast::{CallExpression, Expression};

/// `type` in `import(…, { with: { type: '…' } })`.
pub(super) fn attribute(options: Option<&Expression<'_>>) -> Option<String> {
    let attributes = property(options?, &["with", "assert"])?;
    match property(attributes, &["type"])? {
        Expression::StringLiteral(text) => Some(text.value.to_string()),
        _ => None,
    }
}

/// The value of a property of an object literal.
fn property<'e, 'a>(object: &'e Expression<'a>, names: &[&str]) -> Option<&'e Expression<'a>> {
    let Expression::ObjectExpression(object) = object.get_inner_expression() else { return None };
    object.properties.iter().filter_map(|property| property.as_property()).find_map(|property| {
        let name = property.key.static_name().filter(|_| !property.computed)?;
        names.contains(&name.as_ref()).then_some(&property.value)
    })
}

/// Where the import begins in `import('…').catch(…)` and `import('…').then(…, …)`: a missing module
/// is for the program to handle.
pub(super) fn handled(call: &CallExpression<'_>) -> Option<u32> {
    let (mut call, mut is_handled) = (call, false);
    loop {
        let Expression::StaticMemberExpression(member) = &call.callee else { return None };
        match member.property.name.as_str() {
            "catch" => is_handled = true,
            "then" => is_handled |= call.arguments.len() > 1,
            "finally" => {}
            _ => return None,
        }
        match member.object.get_inner_expression() {
            Expression::ImportExpression(import) => return is_handled.then_some(import.span.start),
            Expression::CallExpression(inner) => call = inner,
            _ => return None,
        }
    }
}
