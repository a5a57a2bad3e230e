//! Expressions that only make a value: nothing of the program runs, and nothing outside of the
//! module is read that a program may have changed, but for a few functions of `Math`, `Object` and
//! `Symbol`.

use oxc::ast::ast::{
    Argument, ArrayExpressionElement, BinaryOperator, CallExpression, Expression, FunctionBody,
    IdentifierReference, MemberExpression, NewExpression, ObjectExpression, ObjectPropertyKind, PropertyKey,
    PropertyKind, Statement, StaticMemberExpression, UnaryOperator,
};
use oxc::semantic::SymbolId;

use super::StateReader;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    /// No object, so that operators call none of its methods.
    Primitive,
    /// Perhaps an object.
    Any,
}

impl StateReader<'_> {
    pub(super) fn value(&self, value: &Expression<'_>) -> Option<ValueKind> {
        match value.without_parentheses() {
            Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_)
            | Expression::NumericLiteral(_)
            | Expression::BigIntLiteral(_)
            | Expression::StringLiteral(_) => Some(ValueKind::Primitive),
            Expression::RegExpLiteral(_)
            | Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_) => Some(ValueKind::Any),
            Expression::TemplateLiteral(template) => {
                template.expressions.iter().try_for_each(|part| self.primitive(part))?;
                Some(ValueKind::Primitive)
            }
            Expression::Identifier(name) => self.name(name),
            Expression::ClassExpression(class) => self.class(class).map(|()| ValueKind::Any),
            Expression::ArrayExpression(array) => {
                array.elements.iter().try_for_each(|element| match element {
                    ArrayExpressionElement::Elision(_) => Some(()),
                    element => self.value(element.as_expression()?).map(|_| ()),
                })?;
                Some(ValueKind::Any)
            }
            Expression::ObjectExpression(object) => self.object(object),
            Expression::UnaryExpression(unary) => {
                match unary.operator {
                    UnaryOperator::Delete => return None,
                    UnaryOperator::Typeof | UnaryOperator::Void | UnaryOperator::LogicalNot => {
                        self.value(&unary.argument)?;
                    }
                    _ => self.primitive(&unary.argument)?,
                }
                Some(ValueKind::Primitive)
            }
            Expression::BinaryExpression(binary) => {
                match binary.operator {
                    BinaryOperator::In | BinaryOperator::Instanceof => return None,
                    BinaryOperator::StrictEquality | BinaryOperator::StrictInequality => {
                        self.value(&binary.left)?;
                        self.value(&binary.right)?;
                    }
                    _ => {
                        self.primitive(&binary.left)?;
                        self.primitive(&binary.right)?;
                    }
                }
                Some(ValueKind::Primitive)
            }
            Expression::LogicalExpression(logical) => self.either(&logical.left, &logical.right),
            Expression::ConditionalExpression(choice) => {
                self.value(&choice.test)?;
                self.either(&choice.consequent, &choice.alternate)
            }
            Expression::StaticMemberExpression(member) => self.constant_member(member),
            Expression::CallExpression(call) => self.call(call),
            Expression::NewExpression(new) => self.collection(new),
            _ => None,
        }
    }

    fn primitive(&self, value: &Expression<'_>) -> Option<()> {
        (self.value(value)? == ValueKind::Primitive).then_some(())
    }

    fn either(&self, one: &Expression<'_>, other: &Expression<'_>) -> Option<ValueKind> {
        let kinds = [self.value(one)?, self.value(other)?];
        Some(if kinds == [ValueKind::Primitive; 2] { ValueKind::Primitive } else { ValueKind::Any })
    }

    /// A name of the module: `None` if it is a global one.
    pub(super) fn symbol(&self, name: &IdentifierReference<'_>) -> Option<SymbolId> {
        self.scoping.get_reference(name.reference_id()).symbol_id()
    }

    fn name(&self, name: &IdentifierReference<'_>) -> Option<ValueKind> {
        match self.symbol(name) {
            Some(symbol) if self.primitives.contains(&symbol) => Some(ValueKind::Primitive),
            Some(_) => Some(ValueKind::Any),
            None if matches!(name.name.as_str(), "undefined" | "NaN" | "Infinity") => {
                Some(ValueKind::Primitive)
            }
            None => None,
        }
    }

    fn object(&self, object: &ObjectExpression<'_>) -> Option<ValueKind> {
        for property in &object.properties {
            let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
            let sets_prototype = !property.computed
                && !property.shorthand
                && !property.method
                && property.key.static_name().is_some_and(|name| name == "__proto__");
            if sets_prototype || !self.is_key(&property.key) {
                return None;
            }
            if property.kind == PropertyKind::Init {
                self.value(&property.value)?;
            }
        }
        Some(ValueKind::Any)
    }

    /// A name, or an expression whose value is no object.
    pub(super) fn is_key(&self, key: &PropertyKey<'_>) -> bool {
        match key {
            PropertyKey::StaticIdentifier(_) | PropertyKey::PrivateIdentifier(_) => true,
            key => key.as_expression().is_some_and(|key| self.primitive(key).is_some()),
        }
    }

    /// A global object that the module does not shadow.
    fn global<'t>(&self, name: &'t Expression<'_>) -> Option<&'t str> {
        let name = name.get_identifier_reference()?;
        self.symbol(name).is_none().then_some(name.name.as_str())
    }

    /// `Math.PI`, `Number.MAX_SAFE_INTEGER`, `Symbol.iterator`: these cannot be changed.
    fn constant_member(&self, member: &StaticMemberExpression<'_>) -> Option<ValueKind> {
        let name = member.property.name.as_str();
        let is_constant = match self.global(&member.object)? {
            "Math" => matches!(name, "E" | "LN10" | "LN2" | "LOG10E" | "LOG2E" | "PI" | "SQRT1_2" | "SQRT2"),
            "Number" => matches!(
                name,
                "EPSILON"
                    | "MAX_SAFE_INTEGER"
                    | "MAX_VALUE"
                    | "MIN_SAFE_INTEGER"
                    | "MIN_VALUE"
                    | "NaN"
                    | "NEGATIVE_INFINITY"
                    | "POSITIVE_INFINITY"
            ),
            "Symbol" => matches!(
                name,
                "asyncIterator"
                    | "hasInstance"
                    | "isConcatSpreadable"
                    | "iterator"
                    | "match"
                    | "matchAll"
                    | "replace"
                    | "search"
                    | "species"
                    | "split"
                    | "toPrimitive"
                    | "toStringTag"
                    | "unscopables"
            ),
            _ => false,
        };
        is_constant.then_some(ValueKind::Primitive)
    }

    fn call(&self, call: &CallExpression<'_>) -> Option<ValueKind> {
        if call.optional {
            return None;
        }
        let arguments = || call.arguments.iter().map(Argument::as_expression);
        let all_are_primitive = || arguments().try_for_each(|argument| self.primitive(argument?));
        match call.callee.without_parentheses() {
            Expression::Identifier(_) if self.global(&call.callee) == Some("Symbol") => {
                all_are_primitive()?;
                Some(ValueKind::Primitive)
            }
            Expression::StaticMemberExpression(member) => {
                match (self.global(&member.object)?, member.property.name.as_str()) {
                    ("Object", "freeze") => {
                        arguments().try_for_each(|argument| self.value(argument?).map(|_| ()))?;
                        Some(ValueKind::Any)
                    }
                    ("Symbol", "for")
                    | ("Math", "abs" | "ceil" | "floor" | "max" | "min" | "pow" | "round" | "sqrt") => {
                        all_are_primitive()?;
                        Some(ValueKind::Primitive)
                    }
                    _ => None,
                }
            }
            Expression::FunctionExpression(function) => {
                let [parameter] = &function.params.items[..] else { return None };
                let parameter = parameter.pattern.get_binding_identifier()?;
                let [Some(argument)] = arguments().collect::<Vec<_>>()[..] else { return None };
                self.is_empty_enum(argument).then_some(())?;
                self.enum_body(function.body.as_ref()?, parameter.symbol_id())
            }
            _ => None,
        }
    }

    /// `{}`, or `A || {}` where `A` is the variable of the enum, which is undefined until then.
    fn is_empty_enum(&self, argument: &Expression<'_>) -> bool {
        let empty = |value: &Expression<'_>| matches!(value, Expression::ObjectExpression(object) if object.properties.is_empty());
        match argument {
            Expression::LogicalExpression(either) => {
                let Some(name) = either.left.get_identifier_reference() else { return false };
                let is_own = self.symbol(name).is_some_and(|own| {
                    !self.scoping.symbol_is_mutated(own) && !self.scoping.symbol_flags(own).is_import()
                });
                let has_value = self.names.iter().any(|known| name.name == known.as_str());
                is_own && !has_value && empty(&either.right)
            }
            argument => empty(argument),
        }
    }

    /// What an enum of TypeScript is compiled to: assignments to members of `own`, and its return.
    fn enum_body(&self, body: &FunctionBody<'_>, own: SymbolId) -> Option<ValueKind> {
        let (last, assignments) = body.statements.split_last()?;
        let Statement::ReturnStatement(last) = last else { return None };
        self.is_symbol(last.argument.as_ref()?, own).then_some(())?;
        for statement in assignments {
            let Statement::ExpressionStatement(statement) = statement else { return None };
            self.enum_member(&statement.expression, own)?;
        }
        Some(ValueKind::Any)
    }

    /// `A["X"] = 1`, or `A[A["X"] = 1] = "X"`.
    fn enum_member(&self, assignment: &Expression<'_>, own: SymbolId) -> Option<()> {
        let Expression::AssignmentExpression(assignment) = assignment else { return None };
        let target = assignment.left.as_simple_assignment_target()?.as_member_expression()?;
        if !assignment.operator.is_assign() || !self.is_symbol(target.object(), own) {
            return None;
        }
        self.primitive(&assignment.right)?;
        match target {
            MemberExpression::ComputedMemberExpression(target) => {
                self.primitive(&target.expression).or_else(|| self.enum_member(&target.expression, own))
            }
            MemberExpression::StaticMemberExpression(_) => Some(()),
            MemberExpression::PrivateFieldExpression(_) => None,
        }
    }

    fn is_symbol(&self, value: &Expression<'_>, wanted: SymbolId) -> bool {
        value.get_identifier_reference().and_then(|name| self.symbol(name)) == Some(wanted)
    }

    /// An empty `Map` or `Set`, whose size tells whether it is still empty.
    fn collection(&self, new: &NewExpression<'_>) -> Option<ValueKind> {
        let is_empty = matches!(self.global(&new.callee)?, "Map" | "Set") && new.arguments.is_empty();
        is_empty.then_some(ValueKind::Any)
    }
}
