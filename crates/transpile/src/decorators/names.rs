//! NamedEvaluation of anonymous classes, as the specification defines it. In: assignments,
//! declarations and properties. Out: the start of the class, and its name. Absent: computed keys.

use oxc::ast::ast::{
    AssignmentExpression, AssignmentPattern, AssignmentTarget, AssignmentTargetPropertyIdentifier,
    AssignmentTargetWithDefault, BindingPattern, Expression, FormalParameter, ObjectProperty, PropertyKey,
    VariableDeclarator,
};

pub(super) type NamedClass = Option<(u32, String)>;

fn named(name: &str, value: &Expression<'_>) -> NamedClass {
    match value.without_parentheses() {
        Expression::ClassExpression(class) if class.id.is_none() => Some((class.span.start, name.to_owned())),
        _ => None,
    }
}

fn bound(pattern: &BindingPattern<'_>, value: &Expression<'_>) -> NamedClass {
    match pattern {
        BindingPattern::BindingIdentifier(identifier) => named(&identifier.name, value),
        _ => None,
    }
}

fn assigned(target: &AssignmentTarget<'_>, value: &Expression<'_>) -> NamedClass {
    match target {
        AssignmentTarget::AssignmentTargetIdentifier(identifier) => named(&identifier.name, value),
        _ => None,
    }
}

pub(super) fn of_declarator(declarator: &VariableDeclarator<'_>) -> NamedClass {
    bound(&declarator.id, declarator.init.as_ref()?)
}

pub(super) fn of_parameter(parameter: &FormalParameter<'_>) -> NamedClass {
    bound(&parameter.pattern, parameter.initializer.as_deref()?)
}

pub(super) fn of_pattern(pattern: &AssignmentPattern<'_>) -> NamedClass {
    bound(&pattern.left, &pattern.right)
}

pub(super) fn of_assignment(assignment: &AssignmentExpression<'_>) -> NamedClass {
    let is_plain = assignment.operator.is_assign() || assignment.operator.is_logical();
    is_plain.then(|| assigned(&assignment.left, &assignment.right))?
}

pub(super) fn of_target(target: &AssignmentTargetWithDefault<'_>) -> NamedClass {
    assigned(&target.binding, &target.init)
}

pub(super) fn of_shorthand(target: &AssignmentTargetPropertyIdentifier<'_>) -> NamedClass {
    named(&target.binding.name, target.init.as_ref()?)
}

pub(super) fn of_property(property: &ObjectProperty<'_>) -> NamedClass {
    // `__proto__: class {}` sets no name.
    let name = property.key.static_name().filter(|name| !property.computed && name != "__proto__")?;
    named(&name, &property.value)
}

pub(super) fn of_field(key: &PropertyKey<'_>, value: Option<&Expression<'_>>) -> NamedClass {
    let value = value?;
    match key {
        PropertyKey::PrivateIdentifier(name) => named(&format!("#{}", name.name), value),
        key => named(&key.static_name()?, value),
    }
}
