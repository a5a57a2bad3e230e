//! Coverage: counters in a source. In: the source text, its language, the name of a global array.
//! Out: the source with `NAME[n]++` before statements, in functions and in branches, all on their
//! lines; and what each counter counts. Absent: the array, reports.

mod points;

use std::collections::HashSet;

use oxc::allocator::{Allocator, Vec as ArenaVec};
use oxc::ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, ConditionalExpression, Declaration, Expression, Function,
    FunctionBody, IfStatement, LogicalExpression, MethodDefinition, ObjectProperty, Program,
    PropertyDefinition, PropertyKey, Statement, SwitchCase, SwitchStatement, TSNamespaceDeclaration,
    VariableDeclarator,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;

use crate::depth;
use crate::options::Language;
use crate::parse;
use crate::syntax_error::SyntaxErrors;
pub(crate) use points::LineIndex;
pub use points::{CoveragePoint, Instrumentation};

/// Comments after which the next statement is not counted, without `next`.
const IGNORE: [&str; 3] = ["istanbul ignore", "v8 ignore", "c8 ignore"];

/// Adds counters. A source without anything to count is returned as it is.
pub fn instrument(source: &str, language: Language, counters: &str) -> Result<Instrumentation, SyntaxErrors> {
    depth::with_deep_stack(source, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, source, language, None)?;
        let ignored = match ignored_statements(source, &parsed.program) {
            Ignored::File => return Ok(Instrumentation::none(source)),
            Ignored::Statements(ignored) => ignored,
        };
        let mut counter = Counter {
            source,
            lines: LineIndex::new(source),
            counters,
            ignored,
            name: None,
            groups: 0,
            anonymous: 0,
            points: Vec::new(),
            insertions: Vec::new(),
        };
        counter.visit_program(&parsed.program);
        Ok(counter.finish())
    })
}

enum Ignored {
    File,
    /// Starts of statements.
    Statements(HashSet<u32>),
}

fn ignored_statements(source: &str, program: &Program<'_>) -> Ignored {
    let mut statements = HashSet::new();
    for comment in &program.comments {
        let text = comment.span.source_text(source).trim_start_matches(['/', '*', ' ']);
        let Some(rest) = IGNORE.iter().find_map(|mark| text.strip_prefix(mark)) else { continue };
        if rest.trim_start().starts_with("file") {
            return Ignored::File;
        }
        statements.insert(comment.attached_to);
    }
    Ignored::Statements(statements)
}

struct Counter<'s> {
    source: &'s str,
    lines: LineIndex,
    counters: &'s str,
    ignored: HashSet<u32>,
    /// The name of the next function that is visited.
    name: Option<String>,
    /// Number of branching statements and expressions.
    groups: u32,
    /// Number of functions without a name.
    anonymous: u32,
    points: Vec<CoveragePoint>,
    /// In the order of a walk, so that at one offset outer ones open first and close last.
    insertions: Vec<(u32, String)>,
}

impl Counter<'_> {
    fn finish(mut self) -> Instrumentation {
        self.insertions.sort_by_key(|(offset, _)| *offset);
        let mut text = String::with_capacity(self.source.len() + 24 * self.insertions.len());
        let mut end = 0;
        for (offset, insertion) in &self.insertions {
            text.push_str(&self.source[end..*offset as usize]);
            text.push_str(insertion);
            end = *offset as usize;
        }
        text.push_str(&self.source[end..]);
        Instrumentation { source: text, points: self.points }
    }

    fn insert(&mut self, offset: u32, text: impl Into<String>) {
        self.insertions.push((offset, text.into()));
    }

    /// `NAME[n]++`
    fn count(&mut self, point: CoveragePoint) -> String {
        self.points.push(point);
        format!("{}[{}]++", self.counters, self.points.len() - 1)
    }

    fn branch(&mut self, group: u32, at: Span) -> String {
        let line = self.lines.line(at.start);
        self.count(CoveragePoint::Branch { line, group })
    }

    fn group(&mut self) -> u32 {
        self.groups += 1;
        self.groups - 1
    }

    /// A statement that is the arm of a branch.
    fn arm(&mut self, statement: &Statement<'_>, group: u32) -> Arm {
        let count = self.branch(group, statement.span());
        match statement {
            Statement::BlockStatement(block) => {
                self.insert(block.span.start + 1, format!("{count};"));
                Arm::Block
            }
            _ => {
                self.insert(statement.span().start, format!("{{{count};"));
                self.count_statement(statement);
                Arm::Wrapped
            }
        }
    }

    fn count_statement(&mut self, statement: &Statement<'_>) {
        if is_counted(statement) {
            let line = self.lines.line(statement.span().start);
            let count = self.count(CoveragePoint::Statement { line });
            self.insert(statement.span().start, format!("{count};"));
        }
    }

    /// An expression that is the arm of a branch: `(NAME[n]++,expression)`.
    fn visit_arm(&mut self, expression: &Expression<'_>, group: u32) {
        let span = expression.span();
        let count = self.branch(group, span);
        self.insert(span.start, format!("({count},"));
        self.visit_any(expression);
        self.insert(span.end, ")");
    }

    fn visit_any(&mut self, expression: &Expression<'_>) {
        // The walk keeps nothing of the tree, so its lifetime does not matter.
        walk::walk_expression(self, expression);
    }

    fn function(&mut self, span: Span) -> String {
        let name = self.name.take().unwrap_or_else(|| {
            self.anonymous += 1;
            format!("(anonymous_{})", self.anonymous)
        });
        let line = self.lines.line(span.start);
        self.count(CoveragePoint::Function { name, line })
    }

    /// After the brace or the directives.
    fn count_body(&mut self, span: Span, body: &FunctionBody<'_>) {
        let start = body.directives.last().map_or(body.span.start + 1, |directive| directive.span.end);
        let count = self.function(span);
        let separator = if body.directives.is_empty() { "" } else { ";" };
        self.insert(start, format!("{separator}{count};"));
    }

    fn operands(&mut self, expression: &LogicalExpression<'_>, group: u32) {
        match &expression.left {
            Expression::LogicalExpression(left) if left.operator == expression.operator => {
                self.operands(left, group);
            }
            left => self.visit_arm(left, group),
        }
        self.visit_arm(&expression.right, group);
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Arm {
    Block,
    /// It needs a closing brace.
    Wrapped,
}

/// Whether a statement does something by itself: no types, no hoisted functions, no imports.
fn is_counted(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::FunctionDeclaration(_)
        | Statement::EmptyStatement(_)
        | Statement::BlockStatement(_)
        | Statement::ImportDeclaration(_) => false,
        Statement::VariableDeclaration(variables) => !variables.declare,
        Statement::ClassDeclaration(class) => !class.declare,
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::VariableDeclaration(variables) => !variables.declare,
            Declaration::ClassDeclaration(class) => !class.declare,
            _ => false,
        },
        Statement::ExportDefaultDeclaration(export) => export.declaration.is_expression(),
        other => !other.is_module_declaration() && !other.is_declaration(),
    }
}

impl<'a> Visit<'a> for Counter<'_> {
    fn visit_statements(&mut self, statements: &ArenaVec<'a, Statement<'a>>) {
        for statement in statements {
            if self.ignored.contains(&statement.span().start) {
                continue;
            }
            self.count_statement(statement);
            self.visit_statement(statement);
        }
    }

    fn visit_if_statement(&mut self, statement: &IfStatement<'a>) {
        let group = self.group();
        self.visit_expression(&statement.test);
        let arm = self.arm(&statement.consequent, group);
        self.visit_statement(&statement.consequent);
        if arm == Arm::Wrapped {
            self.insert(statement.consequent.span().end, "}");
        }
        match &statement.alternate {
            Some(alternate) => {
                let arm = self.arm(alternate, group);
                self.visit_statement(alternate);
                if arm == Arm::Wrapped {
                    self.insert(alternate.span().end, "}");
                }
            }
            None => {
                let count = self.branch(group, statement.span);
                self.insert(statement.consequent.span().end, format!("else{{{count}}}"));
            }
        }
    }

    fn visit_switch_statement(&mut self, statement: &SwitchStatement<'a>) {
        self.visit_expression(&statement.discriminant);
        let group = self.group();
        for case in &statement.cases {
            self.visit_case(case, group);
        }
    }

    fn visit_conditional_expression(&mut self, expression: &ConditionalExpression<'a>) {
        self.visit_expression(&expression.test);
        let group = self.group();
        self.visit_arm(&expression.consequent, group);
        self.visit_arm(&expression.alternate, group);
    }

    fn visit_logical_expression(&mut self, expression: &LogicalExpression<'a>) {
        let group = self.group();
        self.operands(expression, group);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        if let Some(name) = &function.id {
            self.name = Some(name.name.to_string());
        }
        match &function.body {
            Some(body) if !function.declare => self.count_body(function.span, body),
            _ => self.name = None,
        }
        walk::walk_function(self, function, flags);
    }

    fn visit_arrow_function_expression(&mut self, function: &ArrowFunctionExpression<'a>) {
        match &function.body {
            ArrowFunctionBody::FunctionBody(body) => {
                self.count_body(function.span, body);
                walk::walk_arrow_function_expression(self, function);
            }
            body => {
                let (span, count) = (body.span(), self.function(function.span));
                let line = self.lines.line(span.start);
                let statement = self.count(CoveragePoint::Statement { line });
                self.insert(span.start, format!("({count},{statement},"));
                walk::walk_arrow_function_expression(self, function);
                self.insert(span.end, ")");
            }
        }
    }

    fn visit_variable_declarator(&mut self, variable: &VariableDeclarator<'a>) {
        if variable.init.as_ref().is_some_and(is_function) {
            self.name = variable.id.get_binding_identifiers().first().map(|name| name.name.to_string());
        }
        walk::walk_variable_declarator(self, variable);
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        self.visit_property_key(&method.key);
        self.name = key_name(&method.key);
        self.visit_function(&method.value, ScopeFlags::Function);
    }

    fn visit_property_definition(&mut self, property: &PropertyDefinition<'a>) {
        if property.declare {
            return;
        }
        if property.value.as_ref().is_some_and(is_function) {
            self.name = key_name(&property.key);
        }
        walk::walk_property_definition(self, property);
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        self.visit_property_key(&property.key);
        if is_function(&property.value) {
            self.name = key_name(&property.key);
        }
        self.visit_expression(&property.value);
    }

    fn visit_ts_namespace_declaration(&mut self, namespace: &TSNamespaceDeclaration<'a>) {
        if !namespace.declare {
            walk::walk_ts_namespace_declaration(self, namespace);
        }
    }
}

impl Counter<'_> {
    /// An arm of `switch`; one without statements is a part of the next.
    fn visit_case(&mut self, case: &SwitchCase<'_>, group: u32) {
        if let Some(test) = &case.test {
            self.visit_any(test);
        }
        if let Some(first) = case.consequent.first() {
            let count = self.branch(group, case.span);
            self.insert(first.span().start, format!("{count};"));
        }
        for statement in &case.consequent {
            self.count_statement(statement);
            walk::walk_statement(self, statement);
        }
    }
}

fn is_function(expression: &Expression<'_>) -> bool {
    matches!(expression, Expression::ArrowFunctionExpression(_) | Expression::FunctionExpression(_))
}

fn key_name(key: &PropertyKey<'_>) -> Option<String> {
    key.static_name().map(|name| name.into_owned())
}

#[cfg(test)]
mod tests;
