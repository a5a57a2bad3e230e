//! Counters of expressions: arms, right operands, links of optional chains, and what follows
//! `await` and `yield`. In: expressions. Out: counters with their ranges, those of V8's parser.
//! Absent: functions.

use oxc::allocator::Vec as ArenaVec;
use oxc::ast::ast::{
    ArrowFunctionExpression, AssignmentExpression, AwaitExpression, CallExpression, Class, ClassBody,
    ComputedMemberExpression, ConditionalExpression, Expression, Function, LogicalExpression,
    MethodDefinition, ObjectProperty, Statement, StaticMemberExpression, TSNamespaceDeclaration,
    VariableDeclarator, YieldExpression,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;

use super::BlockCounter;
use super::functions::is_named;
use super::positions::{after_semicolon, next_token};

impl<'a> BlockCounter<'_> {
    /// An expression that may not run: `(NAME[n]++,expression)`. The range is from the operator on.
    fn arm(&mut self, before: u32, expression: &Expression<'a>) {
        let span = expression.span();
        let count = self.count_range(next_token(self.source, before), span.end);
        self.insert(span.start, format!("({count},"));
        self.visit_expression(expression);
        self.insert(span.end, ")");
    }

    /// `NAME.after(n,expression)`
    fn count_suspended(&mut self, span: Span, walk: impl FnOnce(&mut Self)) {
        let position = after_semicolon(self.source, span.end);
        let Some(counter) = self.continuation(position, false) else { return walk(self) };
        self.insert(span.start, format!("{}.after({counter},", self.counters));
        walk(self);
        self.insert(span.end, ")");
    }

    /// The range of a link of an optional chain, from `?.` on.
    fn count_link(&mut self, object_end: u32, end: u32) -> String {
        self.count_range(next_token(self.source, object_end), end)
    }
}

impl<'a> Visit<'a> for BlockCounter<'_> {
    fn visit_statements(&mut self, statements: &ArenaVec<'a, Statement<'a>>) {
        self.statements(statements);
    }

    fn visit_statement(&mut self, statement: &Statement<'a>) {
        self.statement(statement);
    }

    fn visit_conditional_expression(&mut self, expression: &ConditionalExpression<'a>) {
        self.visit_expression(&expression.test);
        self.arm(expression.test.span().end, &expression.consequent);
        self.arm(expression.consequent.span().end, &expression.alternate);
    }

    fn visit_logical_expression(&mut self, expression: &LogicalExpression<'a>) {
        self.visit_expression(&expression.left);
        self.arm(expression.left.span().end, &expression.right);
    }

    fn visit_await_expression(&mut self, expression: &AwaitExpression<'a>) {
        self.count_suspended(expression.span, |this| walk::walk_await_expression(this, expression));
    }

    fn visit_yield_expression(&mut self, expression: &YieldExpression<'a>) {
        self.count_suspended(expression.span, |this| walk::walk_yield_expression(this, expression));
    }

    fn visit_static_member_expression(&mut self, expression: &StaticMemberExpression<'a>) {
        self.visit_expression(&expression.object);
        if expression.optional {
            let name = expression.property.span;
            let count = self.count_link(expression.object.span().end, expression.span.end);
            self.insert(name.start, format!("[({count},\""));
            self.insert(name.end, "\")]");
        }
    }

    fn visit_computed_member_expression(&mut self, expression: &ComputedMemberExpression<'a>) {
        self.visit_expression(&expression.object);
        if !expression.optional {
            return self.visit_expression(&expression.expression);
        }
        let key = expression.expression.span();
        let count = self.count_link(expression.object.span().end, expression.span.end);
        self.insert(key.start, format!("({count},"));
        self.visit_expression(&expression.expression);
        self.insert(key.end, ")");
    }

    fn visit_call_expression(&mut self, expression: &CallExpression<'a>) {
        self.visit_expression(&expression.callee);
        if expression.optional {
            let count = self.count_link(expression.callee.span().end, expression.span.end);
            let (start, separator) = match expression.arguments.first() {
                Some(first) => (first.span().start, ","),
                None => (expression.span.end - 1, ""),
            };
            self.insert(start, format!("...({count},[]){separator}"));
        }
        for argument in &expression.arguments {
            self.visit_argument(argument);
        }
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.function(function, flags);
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        self.arrow_function(function);
    }

    fn visit_variable_declarator(&mut self, variable: &VariableDeclarator<'a>) {
        if variable.init.as_ref().is_some_and(is_named) {
            self.name = variable.id.get_identifier_name().map(|name| name.to_string());
        }
        walk::walk_variable_declarator(self, variable);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        self.visit_assignment_target(&assignment.left);
        if is_named(&assignment.right) {
            self.name = Some(self.text(assignment.left.span()).to_owned());
        }
        self.visit_expression(&assignment.right);
        self.name = None;
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        self.method(method);
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        self.object_property(property);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        if !class.declare {
            self.class(class);
        }
    }

    fn visit_class_body(&mut self, body: &ClassBody<'a>) {
        self.class_body(body);
    }

    fn visit_ts_namespace_declaration(&mut self, _: &TSNamespaceDeclaration<'a>) {}
}
