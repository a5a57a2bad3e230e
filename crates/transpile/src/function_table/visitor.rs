//! Visit of a syntax tree for its functions: expressions and their names in the order in which V8's
//! parser sees them. In: the tree. Out: the table. Absent: classes and object literals.

use std::collections::{HashMap, HashSet};

use oxc::ast::ast::{
    Argument, ArrayExpressionElement, ArrowFunctionExpression, AssignmentExpression, AssignmentPattern,
    AssignmentTarget, AssignmentTargetPattern, AssignmentTargetPropertyIdentifier,
    AssignmentTargetPropertyProperty, AssignmentTargetWithDefault, AwaitExpression, BinaryExpression,
    BindingIdentifier, BindingPattern, BindingProperty, CallExpression, Class, ComputedMemberExpression,
    ConditionalExpression, Expression, Function, FunctionType, IdentifierReference, ImportNamespaceSpecifier,
    LogicalExpression, MethodDefinition, NewExpression, ObjectExpression, ObjectProperty,
    ParenthesizedExpression, PrivateFieldExpression, Program, PropertyDefinition, StaticBlock,
    StaticMemberExpression, TSAsExpression, TSInterfaceDeclaration, TSNonNullExpression,
    TSSatisfiesExpression, TSTypeAliasDeclaration, TSTypeAnnotation, TSTypeParameterInstantiation,
    TaggedTemplateExpression, UnaryExpression, VariableDeclarator,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;

use super::inference::{COMPUTED, NameInference, UnnamedEntry};
use super::targets::{self, is_call, literal_key};
use super::{BindingType, FunctionKind, FunctionRecord, FunctionTable, ReceiverType};

pub(super) fn visit(program: &Program<'_>) -> FunctionTable {
    let mut visitor = TableVisitor::default();
    visitor.visit_program(program);
    let TableVisitor { mut table, .. } = visitor;
    table.bindings.retain(|_, binding| *binding != BindingType::Other);
    table.link();
    table
}

/// What is known of a function before it is visited.
#[derive(Clone, Debug, Default)]
pub(super) struct FunctionHint {
    pub(super) name: Option<String>,
    pub(super) receiver: Option<ReceiverType>,
    pub(super) kind: Option<FunctionKind>,
    pub(super) token: Option<u32>,
}

#[derive(Default)]
pub(super) struct TableVisitor<'a> {
    pub(super) table: FunctionTable,
    pub(super) inference: NameInference<'a>,
    /// By where functions, classes and literals begin.
    pub(super) hints: HashMap<u32, FunctionHint>,
    /// Where functions begin that V8 compiles at once: they are in parentheses.
    eager: HashSet<u32>,
    /// Indexes of the functions around the current node.
    pub(super) open: Vec<usize>,
    /// Indexes of the classes around the current node.
    pub(super) classes: Vec<usize>,
    /// What members of the literals around the current node are called on.
    pub(super) literals: Vec<ReceiverType>,
}

impl<'a> TableVisitor<'a> {
    /// Visits an expression of its own.
    pub(super) fn in_expression(&mut self, body: impl FnOnce(&mut Self)) {
        let opened = self.inference.open();
        body(self);
        self.inference.close(opened);
    }

    /// Visits a part of an expression.
    fn part(&mut self, expression: &Expression<'a>) {
        walk::walk_expression(self, expression);
    }

    /// The functions that were visited last get the names before them.
    pub(super) fn infer(&mut self) {
        let Some((name, unnamed)) = self.inference.infer() else { return };
        for unnamed in unnamed {
            let inferred = match unnamed {
                UnnamedEntry::Function(index) => &mut self.table.functions[index].inferred,
                UnnamedEntry::Class(index) => &mut self.table.classes[index].inferred,
                UnnamedEntry::Eager => continue,
            };
            *inferred = Some(name.as_str().into());
        }
    }

    /// After a value that is assigned.
    fn infer_unless_called(&mut self, value: &Expression<'a>) {
        if is_call(value) { self.inference.forget_last() } else { self.infer() }
    }

    /// Notes what the functions that an expression may result in are called on, and the name that
    /// the language gives to it.
    pub(super) fn hint(
        &mut self,
        value: &Expression<'a>,
        name: Option<&str>,
        receiver: Option<&ReceiverType>,
    ) {
        if value.is_anonymous_function_definition() {
            let start = value.get_inner_expression().span().start;
            self.hints.entry(start).or_default().name = name.map(str::to_owned);
        }
        let Some(receiver) = receiver else { return };
        let mut starts = Vec::new();
        targets::functions_of(value, &mut starts);
        for start in starts {
            self.hints.entry(start).or_default().receiver.get_or_insert_with(|| receiver.clone());
        }
    }

    pub(super) fn take_hint(&mut self, span: Span) -> FunctionHint {
        self.hints.remove(&span.start).unwrap_or_default()
    }

    pub(super) fn add_function(&mut self, span: Span, kind: FunctionKind, hint: FunctionHint) -> usize {
        self.table.functions.push(FunctionRecord {
            start: span.start,
            end: span.end,
            token: hint.token.unwrap_or(span.start),
            kind,
            is_async: false,
            name: hint.name.map(String::into_boxed_str),
            inferred: None,
            receiver: hint.receiver,
            parent: None,
        });
        self.table.functions.len() - 1
    }

    /// Visits the parameters and the body of a function. `is_unnamed`: a name is inferred for it.
    fn within(&mut self, index: usize, is_unnamed: bool, body: impl FnOnce(&mut Self)) {
        let is_eager = self.eager.remove(&self.table.functions[index].start);
        let function = &self.table.functions[index];
        let outer = (!is_eager).then(|| {
            std::mem::replace(&mut self.inference, NameInference::in_function(function.name.as_deref()))
        });
        self.open.push(index);
        body(self);
        self.open.pop();
        if let Some(outer) = outer {
            self.inference = outer;
        }
        if is_unnamed {
            let entry = if is_eager { UnnamedEntry::Eager } else { UnnamedEntry::Function(index) };
            self.inference.add(entry);
        }
    }

    fn bind(&mut self, name: &str, binding: BindingType) {
        let known = self.table.bindings.entry(name.into()).or_insert_with(|| binding.clone());
        if *known != binding {
            *known = BindingType::Other;
        }
    }

    /// What a variable is, by its only value.
    fn bind_variable(&mut self, name: &str, value: Option<&Expression<'a>>) {
        let binding = match value.map(Expression::get_inner_expression) {
            Some(Expression::ClassExpression(class)) => {
                BindingType::Class(class.id.as_ref().map(|name| name.name.as_str().into()))
            }
            Some(Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_)) => {
                BindingType::Function
            }
            Some(Expression::NewExpression(new)) => targets::path(&new.callee)
                .map_or(BindingType::Other, |class| BindingType::Instance(class.into())),
            _ => BindingType::Other,
        };
        self.bind(name, binding);
    }

    /// Type of the object that a member is assigned to.
    fn receiver_of(&self, object: &Expression<'a>) -> Option<ReceiverType> {
        match object.get_inner_expression() {
            Expression::ThisExpression(_) => self.this(),
            object => targets::receiver_of(object),
        }
    }

    /// Type of `this` in the function around the current node.
    fn this(&self) -> Option<ReceiverType> {
        let functions = self.open.iter().rev().map(|index| &self.table.functions[*index]);
        let function = functions.into_iter().find(|function| function.kind != FunctionKind::Arrow)?;
        let constructor =
            (function.kind == FunctionKind::Function).then_some(function.name.as_ref()).flatten();
        function.receiver.clone().or_else(|| constructor.cloned().map(ReceiverType::Instance))
    }

    /// `Object.defineProperty(X.prototype, 'name', { … })`, `Object.assign(X.prototype, { … })`.
    fn hint_definition(&mut self, call: &CallExpression<'a>) {
        let Expression::StaticMemberExpression(callee) = &call.callee else { return };
        let is_definition = matches!(callee.property.name.as_str(), "defineProperty" | "assign")
            && callee.object.is_specific_id("Object");
        let [first, .., last] = call.arguments.as_slice() else { return };
        let (Some(first), Some(Argument::ObjectExpression(literal))) =
            (first.as_expression(), is_definition.then_some(last))
        else {
            return;
        };
        if let Some(receiver) = self.receiver_of(first) {
            self.hints.entry(literal.span.start).or_default().receiver = Some(receiver);
        }
    }

    fn assign(&mut self, assignment: &AssignmentExpression<'a>) {
        let (left, right) = (&assignment.left, &assignment.right);
        match left {
            AssignmentTarget::AssignmentTargetIdentifier(name) => {
                self.bind(&name.name, BindingType::Other);
                self.hint(right, Some(&name.name), None);
            }
            AssignmentTarget::StaticMemberExpression(member) => {
                let receiver = self.receiver_of(&member.object);
                self.hint(right, None, receiver.as_ref());
                // `X.prototype = { … }`
                if let (Some(class), Expression::ObjectExpression(literal)) =
                    (targets::prototype_of(member), right.get_inner_expression())
                {
                    let hint = self.hints.entry(literal.span.start).or_default();
                    hint.receiver = Some(ReceiverType::Instance(class.into()));
                }
            }
            AssignmentTarget::ComputedMemberExpression(member) => {
                let receiver = self.receiver_of(&member.object);
                self.hint(right, None, receiver.as_ref());
            }
            AssignmentTarget::PrivateFieldExpression(member) => {
                let receiver = self.receiver_of(&member.object);
                self.hint(right, None, receiver.as_ref());
            }
            _ => {}
        }
    }
}

impl<'a> Visit<'a> for TableVisitor<'a> {
    fn visit_expression(&mut self, expression: &Expression<'a>) {
        self.in_expression(|visitor| visitor.part(expression));
    }

    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        self.inference.variable(name.name.as_str());
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        self.part(&member.object);
        self.inference.property(member.property.name.as_str());
    }

    fn visit_computed_member_expression(&mut self, member: &ComputedMemberExpression<'a>) {
        self.part(&member.object);
        self.visit_expression(&member.expression);
        self.inference.property(literal_key(&member.expression).unwrap_or(COMPUTED));
    }

    fn visit_private_field_expression(&mut self, member: &PrivateFieldExpression<'a>) {
        self.part(&member.object);
        self.inference.property(format!("#{}", member.field.name));
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if let Expression::FunctionExpression(function) = call.callee.without_parentheses() {
            self.eager.insert(function.span.start);
        }
        self.hint_definition(call);
        self.part(&call.callee);
        self.visit_arguments(&call.arguments);
        self.inference.forget_last();
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        self.part(&new.callee);
        self.visit_arguments(&new.arguments);
    }

    fn visit_tagged_template_expression(&mut self, template: &TaggedTemplateExpression<'a>) {
        self.part(&template.tag);
        self.visit_template_literal(&template.quasi);
    }

    fn visit_binary_expression(&mut self, binary: &BinaryExpression<'a>) {
        self.part(&binary.left);
        self.part(&binary.right);
    }

    fn visit_logical_expression(&mut self, logical: &LogicalExpression<'a>) {
        self.part(&logical.left);
        self.part(&logical.right);
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'a>) {
        self.part(&unary.argument);
    }

    fn visit_await_expression(&mut self, awaited: &AwaitExpression<'a>) {
        self.part(&awaited.argument);
    }

    fn visit_conditional_expression(&mut self, conditional: &ConditionalExpression<'a>) {
        self.part(&conditional.test);
        self.visit_expression(&conditional.consequent);
        self.visit_expression(&conditional.alternate);
    }

    fn visit_ts_as_expression(&mut self, cast: &TSAsExpression<'a>) {
        self.part(&cast.expression);
    }

    fn visit_ts_satisfies_expression(&mut self, cast: &TSSatisfiesExpression<'a>) {
        self.part(&cast.expression);
    }

    fn visit_ts_non_null_expression(&mut self, cast: &TSNonNullExpression<'a>) {
        self.part(&cast.expression);
    }

    fn visit_parenthesized_expression(&mut self, parenthesized: &ParenthesizedExpression<'a>) {
        let first = match parenthesized.expression.without_parentheses() {
            Expression::SequenceExpression(sequence) => sequence.expressions.first(),
            expression => Some(expression),
        };
        if let Some(function @ (Expression::FunctionExpression(_) | Expression::ArrowFunctionExpression(_))) =
            first
        {
            self.eager.insert(function.span().start);
        }
        self.visit_expression(&parenthesized.expression);
    }

    fn visit_array_expression_element(&mut self, element: &ArrayExpressionElement<'a>) {
        if let Some(value) = element.as_expression() {
            self.hint(value, None, Some(&ReceiverType::Array));
        }
        walk::walk_array_expression_element(self, element);
    }

    fn visit_object_expression(&mut self, literal: &ObjectExpression<'a>) {
        let receiver = self.take_hint(literal.span).receiver;
        self.literals.push(receiver.unwrap_or(ReceiverType::Literal));
        walk::walk_object_expression(self, literal);
        self.literals.pop();
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        self.in_expression(|visitor| visitor.literal_member(property));
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        self.assign(assignment);
        self.visit_assignment_target(&assignment.left);
        self.visit_expression(&assignment.right);
        if assignment.operator.is_assign() || assignment.operator.is_logical() {
            self.infer_unless_called(&assignment.right);
        } else {
            self.inference.forget_last();
        }
    }

    fn visit_assignment_target_pattern(&mut self, pattern: &AssignmentTargetPattern<'a>) {
        self.in_expression(|visitor| walk::walk_assignment_target_pattern(visitor, pattern));
    }

    fn visit_assignment_target_with_default(&mut self, target: &AssignmentTargetWithDefault<'a>) {
        self.in_expression(|visitor| {
            visitor.visit_assignment_target(&target.binding);
            visitor.visit_expression(&target.init);
            visitor.infer_unless_called(&target.init);
        });
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        target: &AssignmentTargetPropertyIdentifier<'a>,
    ) {
        self.in_expression(|visitor| {
            visitor.inference.property(target.binding.name.as_str());
            if let Some(value) = &target.init {
                visitor.hint(value, Some(&target.binding.name), None);
                visitor.visit_expression(value);
                visitor.infer();
            }
        });
    }

    fn visit_assignment_target_property_property(&mut self, target: &AssignmentTargetPropertyProperty<'a>) {
        self.in_expression(|visitor| {
            visitor.visit_property_key(&target.name);
            visitor.visit_assignment_target_maybe_default(&target.binding);
            visitor.infer();
        });
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        self.in_expression(|visitor| {
            let BindingPattern::BindingIdentifier(name) = &declarator.id else {
                visitor.visit_binding_pattern(&declarator.id);
                if let Some(value) = &declarator.init {
                    visitor.visit_expression(value);
                }
                return;
            };
            visitor.bind_variable(&name.name, declarator.init.as_ref());
            let Some(value) = &declarator.init else { return };
            visitor.inference.variable(name.name.as_str());
            visitor.hint(value, Some(&name.name), None);
            visitor.visit_expression(value);
            visitor.infer_unless_called(value);
        });
    }

    fn visit_assignment_pattern(&mut self, pattern: &AssignmentPattern<'a>) {
        self.in_expression(|visitor| {
            visitor.visit_binding_pattern(&pattern.left);
            let name = pattern.left.get_binding_identifier().map(|name| name.name.as_str());
            if let Some(name) = name {
                visitor.inference.variable(name);
            }
            visitor.hint(&pattern.right, name, None);
            visitor.visit_expression(&pattern.right);
            visitor.infer_unless_called(&pattern.right);
        });
    }

    fn visit_binding_property(&mut self, property: &BindingProperty<'a>) {
        self.in_expression(|visitor| {
            visitor.visit_property_key(&property.key);
            if let Some(name) = property.key.static_name().filter(|_| !property.computed) {
                visitor.inference.property(name);
            }
            visitor.visit_binding_pattern(&property.value);
            visitor.infer();
        });
    }

    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        self.bind(&name.name, BindingType::Other);
    }

    fn visit_import_namespace_specifier(&mut self, specifier: &ImportNamespaceSpecifier<'a>) {
        self.bind(&specifier.local.name, BindingType::Namespace);
    }

    fn visit_function(&mut self, function: &Function<'a>, _: ScopeFlags) {
        let Some(body) = function.body.as_ref().filter(|_| !function.declare) else { return };
        let mut hint = self.take_hint(function.span);
        let kind = hint.kind.unwrap_or(FunctionKind::Function);
        if let Some(name) = &function.id {
            hint.name = Some(name.name.to_string());
            if function.r#type == FunctionType::FunctionDeclaration {
                self.bind(&name.name, BindingType::Function);
            }
        }
        let is_unnamed = function.id.is_none() && kind == FunctionKind::Function;
        let index = self.add_function(function.span, kind, hint);
        self.table.functions[index].is_async = function.r#async;
        self.within(index, is_unnamed, |visitor| {
            visitor.visit_formal_parameters(&function.params);
            visitor.visit_function_body(body);
        });
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        let hint = self.take_hint(function.span);
        let index = self.add_function(function.span, FunctionKind::Arrow, hint);
        self.table.functions[index].is_async = function.r#async;
        self.within(index, true, |visitor| {
            visitor.visit_formal_parameters(&function.params);
            visitor.visit_arrow_function_body(&function.body);
        });
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        if let Some(name) = class.id.as_ref().filter(|_| class.is_declaration()) {
            self.bind(&name.name, BindingType::Class(None));
        }
        self.class(class);
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        self.class_method(method);
    }

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'a>) {
        self.visit_decorators(&property.decorators);
        self.class_field(property);
    }

    fn visit_static_block(&mut self, block: &StaticBlock<'a>) {
        self.static_block(block);
    }

    fn visit_ts_type_annotation(&mut self, _: &TSTypeAnnotation<'a>) {}
    fn visit_ts_type_parameter_instantiation(&mut self, _: &TSTypeParameterInstantiation<'a>) {}
    fn visit_ts_interface_declaration(&mut self, _: &TSInterfaceDeclaration<'a>) {}
    fn visit_ts_type_alias_declaration(&mut self, _: &TSTypeAliasDeclaration<'a>) {}
}
