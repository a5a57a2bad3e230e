//! Builder of syntax tree nodes. In: names and spans. Out: expressions for a namespace's object,
//! its properties, and assignments to them. Absent: scopes.

use oxc::allocator::{Allocator, ArenaBox, ArenaVec};
use oxc::ast::ast::{
    Argument, ArrayAssignmentTarget, AssignmentOperator, AssignmentTarget, AssignmentTargetMaybeDefault,
    AssignmentTargetProperty, AssignmentTargetPropertyProperty, AssignmentTargetRest,
    AssignmentTargetWithDefault, BindingIdentifier, BindingPattern, Declaration, Directive,
    ExportDeclaration, Expression, FormalParameter, FormalParameterKind, FormalParameters, FunctionBody,
    FunctionType, IdentifierName, IdentifierReference, JSXIdentifier, JSXMemberExpression,
    JSXMemberExpressionObject, LogicalOperator, MemberExpression, ObjectAssignmentTarget, PropertyKey,
    SimpleAssignmentTarget, Statement, TSModuleReference, TSTypeName, VariableDeclarationKind,
    VariableDeclarator,
};
use oxc::ast::builder::AstBuilder;
use oxc::semantic::ReferenceId;
use oxc::span::{GetSpan, Span};

/// Builds nodes. Each gets a span, so that errors have a source position.
#[derive(Clone, Copy)]
pub(super) struct NodeBuilder<'a>(pub(super) &'a Allocator);

pub(super) struct Body<'a> {
    pub(super) directives: ArenaVec<'a, Directive<'a>>,
    pub(super) statements: ArenaVec<'a, Statement<'a>>,
}

impl<'a> NodeBuilder<'a> {
    fn builder(self) -> AstBuilder<'a> {
        AstBuilder::new(self.0)
    }

    pub(super) fn text(self, text: String) -> &'a str {
        self.0.alloc_str(&text)
    }

    pub(super) fn key(self, span: Span, name: &'a str) -> PropertyKey<'a> {
        PropertyKey::new_static_identifier(span, name, &self.builder())
    }

    pub(super) fn name(self, span: Span, name: &'a str) -> Expression<'a> {
        Expression::new_identifier(span, name, &self.builder())
    }

    pub(super) fn string(self, span: Span, text: &str) -> Expression<'a> {
        let text = self.0.alloc_str(text);
        Expression::new_string_literal(span, text, None, &self.builder())
    }

    pub(super) fn id(self, span: Span, name: &'a str) -> BindingIdentifier<'a> {
        BindingIdentifier::new(span, name, &self.builder())
    }

    /// `object.name`
    pub(super) fn member(self, span: Span, object: &'a str, name: &'a str) -> MemberExpression<'a> {
        let ast = &self.builder();
        let property = IdentifierName::new(span, name, ast);
        MemberExpression::new_static_member_expression(span, self.name(span, object), property, false, ast)
    }

    pub(super) fn jsx_member(
        self,
        span: Span,
        object: &'a str,
        name: &'a str,
    ) -> ArenaBox<'a, JSXMemberExpression<'a>> {
        let ast = &self.builder();
        let object = IdentifierReference::boxed(span, object, ast);
        let property = JSXIdentifier::new(span, name, ast);
        JSXMemberExpression::boxed(
            span,
            JSXMemberExpressionObject::IdentifierReference(object),
            property,
            ast,
        )
    }

    /// `target = value`
    pub(super) fn assignment(
        self,
        span: Span,
        target: AssignmentTarget<'a>,
        value: Expression<'a>,
    ) -> Expression<'a> {
        Expression::new_assignment_expression(
            span,
            AssignmentOperator::Assign,
            target,
            value,
            &self.builder(),
        )
    }

    pub(super) fn assign(
        self,
        span: Span,
        target: AssignmentTarget<'a>,
        value: Expression<'a>,
    ) -> Statement<'a> {
        Statement::new_expression_statement(span, self.assignment(span, target, value), &self.builder())
    }

    /// `object.name = value`
    pub(super) fn assign_member(
        self,
        span: Span,
        object: &'a str,
        name: &'a str,
        value: Expression<'a>,
    ) -> Statement<'a> {
        self.assign(span, self.target(span, object, name), value)
    }

    fn target(self, span: Span, object: &'a str, name: &'a str) -> AssignmentTarget<'a> {
        SimpleAssignmentTarget::from(self.member(span, object, name)).into()
    }

    /// `let id = value`
    pub(super) fn variable(
        self,
        kind: VariableDeclarationKind,
        span: Span,
        id: &BindingIdentifier<'a>,
        value: Option<Expression<'a>>,
    ) -> Declaration<'a> {
        let ast = &self.builder();
        let pattern = BindingPattern::new_binding_identifier(id.span, id.name, ast);
        let declarator = VariableDeclarator::new(span, pattern, None, value, false, ast);
        Declaration::new_variable_declaration(span, kind, [declarator], false, ast)
    }

    pub(super) fn export(self, span: Span, declaration: Declaration<'a>) -> Statement<'a> {
        Statement::ExportDeclaration(ExportDeclaration::boxed(span, declaration, &self.builder()))
    }

    /// `object.name || (object.name = {})`
    pub(super) fn member_or_object(self, span: Span, object: &'a str, name: &'a str) -> Expression<'a> {
        let made = self.assign_empty_object(span, self.target(span, object, name));
        self.or(span, self.member(span, object, name).into(), made)
    }

    /// The argument of a block's call: `A || (A = {})`; if `exporter` exports it,
    /// `A = exporter.A || (exporter.A = {})`.
    pub(super) fn object_of(self, id: &BindingIdentifier<'a>, exporter: Option<&'a str>) -> Expression<'a> {
        let (span, name) = (id.span, id.name.as_str());
        let target = || {
            let reference = IdentifierReference::boxed(span, name, &self.builder());
            AssignmentTarget::from(SimpleAssignmentTarget::AssignmentTargetIdentifier(reference))
        };
        match exporter {
            Some(exporter) => self.assignment(span, target(), self.member_or_object(span, exporter, name)),
            None => self.or(span, self.name(span, name), self.assign_empty_object(span, target())),
        }
    }

    /// `(target = {})`
    fn assign_empty_object(self, span: Span, target: AssignmentTarget<'a>) -> Expression<'a> {
        let ast = &self.builder();
        let object = Expression::new_object_expression(span, [], ast);
        Expression::new_parenthesized_expression(span, self.assignment(span, target, object), ast)
    }

    fn or(self, span: Span, left: Expression<'a>, right: Expression<'a>) -> Expression<'a> {
        Expression::new_logical_expression(span, left, LogicalOperator::Or, right, &self.builder())
    }

    /// `(function (parameter) { body })(object);`
    pub(super) fn call(
        self,
        span: Span,
        parameter: &'a str,
        body: Body<'a>,
        object: Expression<'a>,
    ) -> Statement<'a> {
        let ast = &self.builder();
        let pattern = BindingPattern::new_binding_identifier(span, parameter, ast);
        let item = FormalParameter::new_plain(span, pattern, ast);
        let kind = FormalParameterKind::FormalParameter;
        let parameters = FormalParameters::boxed(span, kind, [item], None, ast);
        let body = FunctionBody::boxed(span, body.directives, body.statements, ast);
        let function = Expression::new_function_expression(
            span,
            FunctionType::FunctionExpression,
            None,
            false,
            false,
            false,
            None,
            None,
            parameters,
            None,
            Some(body),
            ast,
        );
        let callee = Expression::new_parenthesized_expression(span, function, ast);
        let call = Expression::new_call_expression(span, callee, None, [Argument::from(object)], false, ast);
        Statement::new_expression_statement(span, call, ast)
    }

    /// The entity of `import a = A.b`.
    pub(super) fn entity(self, reference: TSModuleReference<'a>) -> Expression<'a> {
        match reference {
            TSModuleReference::IdentifierReference(reference) => Expression::Identifier(reference),
            TSModuleReference::QualifiedName(name) => {
                let name = name.unbox();
                self.qualified(name.span, name.left, name.right)
            }
            TSModuleReference::ExternalModuleReference(module) => {
                let ast = &self.builder();
                let module = module.unbox();
                let callee = self.name(module.span, "require");
                let specifier = Argument::StringLiteral(ArenaBox::new_in(module.expression, &self.0));
                Expression::new_call_expression(module.span, callee, None, [specifier], false, ast)
            }
        }
    }

    fn qualified(self, span: Span, left: TSTypeName<'a>, right: IdentifierName<'a>) -> Expression<'a> {
        let ast = &self.builder();
        let object = match left {
            TSTypeName::IdentifierReference(reference) => Expression::Identifier(reference),
            TSTypeName::QualifiedName(name) => {
                let name = name.unbox();
                self.qualified(name.span, name.left, name.right)
            }
            TSTypeName::ThisExpression(this) => Expression::ThisExpression(this),
        };
        MemberExpression::new_static_member_expression(span, object, right, false, ast).into()
    }

    /// The names of a pattern, as properties of an object.
    pub(super) fn targets(self, pattern: BindingPattern<'a>, object: &'a str) -> AssignmentTarget<'a> {
        let ast = &self.builder();
        match pattern {
            BindingPattern::BindingIdentifier(id) => self.target(id.span, object, id.name.as_str()),
            BindingPattern::ObjectPattern(pattern) => {
                let pattern = pattern.unbox();
                let mut properties = ArenaVec::with_capacity_in(pattern.properties.len(), &self.0);
                for property in pattern.properties {
                    let target = self.target_or_default(property.value, object);
                    properties.push(self.target_property(
                        property.span,
                        property.key,
                        target,
                        property.computed,
                    ));
                }
                let rest = pattern.rest.map(|rest| self.rest(rest.unbox().argument, object));
                let target = ObjectAssignmentTarget::boxed(pattern.span, properties, rest, ast);
                AssignmentTarget::ObjectAssignmentTarget(target)
            }
            BindingPattern::ArrayPattern(pattern) => {
                let pattern = pattern.unbox();
                let mut elements = ArenaVec::with_capacity_in(pattern.elements.len(), &self.0);
                for element in pattern.elements {
                    elements.push(element.map(|element| self.target_or_default(element, object)));
                }
                let rest = pattern.rest.map(|rest| self.rest(rest.unbox().argument, object));
                let target = ArrayAssignmentTarget::boxed(pattern.span, elements, rest, ast);
                AssignmentTarget::ArrayAssignmentTarget(target)
            }
            // Defaults occur within patterns only.
            BindingPattern::AssignmentPattern(pattern) => self.targets(pattern.unbox().left, object),
        }
    }

    fn target_or_default(
        self,
        pattern: BindingPattern<'a>,
        object: &'a str,
    ) -> AssignmentTargetMaybeDefault<'a> {
        match pattern {
            BindingPattern::AssignmentPattern(pattern) => {
                let pattern = pattern.unbox();
                self.with_default(pattern.span, self.targets(pattern.left, object), pattern.right)
            }
            pattern => self.targets(pattern, object).into(),
        }
    }

    fn rest(self, pattern: BindingPattern<'a>, object: &'a str) -> ArenaBox<'a, AssignmentTargetRest<'a>> {
        AssignmentTargetRest::boxed(pattern.span(), self.targets(pattern, object), &self.builder())
    }

    /// `target = value` in a pattern.
    pub(super) fn with_default(
        self,
        span: Span,
        target: AssignmentTarget<'a>,
        value: Expression<'a>,
    ) -> AssignmentTargetMaybeDefault<'a> {
        let target = AssignmentTargetWithDefault::boxed(span, target, value, &self.builder());
        AssignmentTargetMaybeDefault::AssignmentTargetWithDefault(target)
    }

    /// `key: target` in a pattern.
    pub(super) fn target_property(
        self,
        span: Span,
        key: PropertyKey<'a>,
        target: AssignmentTargetMaybeDefault<'a>,
        is_computed: bool,
    ) -> AssignmentTargetProperty<'a> {
        let property =
            AssignmentTargetPropertyProperty::boxed(span, key, target, is_computed, &self.builder());
        AssignmentTargetProperty::AssignmentTargetPropertyProperty(property)
    }
}

/// A name in `A.b.c`.
#[derive(Clone, Copy)]
pub(super) struct PathStep<'a> {
    pub(super) name: &'a str,
    /// Set for the first name.
    pub(super) reference: Option<ReferenceId>,
}

/// The names of `A.b.c`, the last one first; None for `require()`.
pub(super) fn path_of<'a>(reference: &TSModuleReference<'a>) -> Option<Vec<PathStep<'a>>> {
    let mut path = Vec::new();
    let mut name = match reference {
        TSModuleReference::ExternalModuleReference(_) => return None,
        TSModuleReference::IdentifierReference(first) => {
            return Some(vec![PathStep { name: first.name.as_str(), reference: first.reference_id.get() }]);
        }
        TSModuleReference::QualifiedName(name) => name,
    };
    loop {
        path.push(PathStep { name: name.right.name.as_str(), reference: None });
        match &name.left {
            TSTypeName::QualifiedName(left) => name = left,
            TSTypeName::IdentifierReference(first) => {
                path.push(PathStep { name: first.name.as_str(), reference: first.reference_id.get() });
                return Some(path);
            }
            TSTypeName::ThisExpression(_) => return None,
        }
    }
}
