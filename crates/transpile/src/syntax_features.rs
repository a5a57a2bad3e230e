//! Syntax features of a tree that need lowering, and errors that neither the parser nor the scope
//! analysis reports. In: a tree and its source text. Out: flags, spans and errors. Absent:
//! lowering.

use std::collections::HashSet;
use std::mem::replace;

use oxc::ast::ast::{
    ArrowFunctionExpression, Declaration, Decorator, ExportDeclaration, FormalParameter, Function,
    MethodDefinition, Program, ReturnStatement, Statement, TSEnumDeclaration, TSExternalModuleReference,
    TSModuleBlock, TSModuleReference, TryStatement, VariableDeclaration,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;

use crate::decorators::CONSTRUCTOR;
use crate::lexer;
use crate::syntax_error::Diagnostic;
use crate::v8_syntax_errors::UNEXPECTED;

/// The features found.
#[derive(Default)]
pub(crate) struct SyntaxFeatures<'s> {
    source: &'s str,
    pub(crate) has_using: bool,
    pub(crate) has_decorators: bool,
    pub(crate) has_enums: bool,
    /// `super()` is called in a `try`.
    pub(crate) has_super_in_try: bool,
    /// It has imports or exports, also of types.
    pub(crate) has_module_items: bool,
    /// Decorators where standard ones are not allowed.
    pub(crate) misplaced_decorators: Vec<Diagnostic>,
    /// TypeScript errors that neither the parser nor the scope analysis reports.
    pub(crate) errors: Vec<Diagnostic>,
    /// Specifiers of `import a = require('b')`.
    pub(crate) import_equals: Vec<Span>,
    /// Start offsets of exported enums.
    pub(crate) exported_enums: HashSet<u32>,
    /// The current function is not async.
    is_in_sync: bool,
    /// The visitor is in a namespace, and in no function of it.
    is_in_namespace: bool,
    /// `await using` in functions that are not async, which the parser accepts.
    pub(crate) sync_await_using: Vec<Span>,
}

impl<'s> SyntaxFeatures<'s> {
    pub(crate) fn of(program: &Program<'_>, source: &'s str) -> SyntaxFeatures<'s> {
        let mut features = SyntaxFeatures { source, ..SyntaxFeatures::default() };
        features.visit_program(program);
        features
    }

    /// Whether nothing is lowered, and nothing is wrong.
    pub(crate) fn are_plain(&self) -> bool {
        let is_lowered = self.has_using || self.has_decorators || self.has_enums || self.has_super_in_try;
        !is_lowered
            && self.errors.is_empty()
            && self.misplaced_decorators.is_empty()
            && self.sync_await_using.is_empty()
            && self.import_equals.is_empty()
    }

    /// Visits a function.
    fn in_function(&mut self, is_in_sync: bool, walk: impl FnOnce(&mut Self)) {
        let outer = (self.is_in_sync, self.is_in_namespace);
        (self.is_in_sync, self.is_in_namespace) = (is_in_sync, false);
        walk(self);
        (self.is_in_sync, self.is_in_namespace) = outer;
    }

    /// `accessor a() {}`: the parser accepts the keyword before methods.
    fn check_accessor(&mut self, method: &MethodDefinition<'_>) {
        let start = method.decorators.last().map_or(method.span.start, |last| last.span.end) as usize;
        let key = method.key.span();
        let mut at = start;
        while at < key.start as usize {
            let word = lexer::next_identifier_range(self.source, at);
            if word.end <= key.start as usize && &self.source[word.clone()] == "accessor" {
                self.errors.push(Diagnostic::new(UNEXPECTED, key));
            }
            at = lexer::skip_past(self.source, &word);
        }
    }

    /// The statements of a module or namespace, where imports and exports are allowed.
    fn visit_module_items<'a>(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            match statement.is_module_declaration() {
                true => walk::walk_statement(self, statement),
                false => self.visit_statement(statement),
            }
        }
    }
}

impl<'a> Visit<'a> for SyntaxFeatures<'_> {
    fn visit_program(&mut self, program: &Program<'a>) {
        let is_export_assignment =
            |statement: &&Statement<'_>| matches!(statement, Statement::TSExportAssignment(_));
        let duplicates = program.body.iter().filter(is_export_assignment).skip(1);
        self.errors.extend(
            duplicates.map(|assignment| Diagnostic::new("Duplicate identifier 'export='", assignment.span())),
        );
        self.has_module_items = program.body.iter().any(is_module_item);
        self.visit_module_items(&program.body);
    }

    fn visit_ts_module_block(&mut self, block: &TSModuleBlock<'a>) {
        let outer = replace(&mut self.is_in_namespace, true);
        self.visit_module_items(&block.body);
        self.is_in_namespace = outer;
    }

    fn visit_return_statement(&mut self, statement: &ReturnStatement<'a>) {
        if self.is_in_namespace {
            let start = statement.span.start;
            let word = Span::new(start, start + "return".len() as u32);
            self.errors.push(Diagnostic::new("Illegal return statement", word));
        }
        walk::walk_return_statement(self, statement);
    }

    fn visit_try_statement(&mut self, try_statement: &TryStatement<'a>) {
        self.has_super_in_try |= try_statement.block.body.iter().any(is_super);
        walk::walk_try_statement(self, try_statement);
    }

    fn visit_ts_enum_declaration(&mut self, declaration: &TSEnumDeclaration<'a>) {
        self.has_enums = true;
        walk::walk_ts_enum_declaration(self, declaration);
    }

    fn visit_statement(&mut self, statement: &Statement<'a>) {
        if statement.is_module_declaration() {
            let start = statement.span().start;
            let message = "An import or export can only be used at the top level of a module";
            self.errors.push(Diagnostic::new(message, Span::new(start, start)));
        }
        walk::walk_statement(self, statement);
    }

    fn visit_decorator(&mut self, decorator: &Decorator<'a>) {
        self.has_decorators = true;
        walk::walk_decorator(self, decorator);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        if let Some(first) = parameter.decorators.first() {
            let message = "Parameter decorators need `experimentalDecorators` in tsconfig.json";
            self.misplaced_decorators.push(Diagnostic::new(message, first.span));
        }
        walk::walk_formal_parameter(self, parameter);
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        let first = method.decorators.first().filter(|_| method.kind.is_constructor());
        self.misplaced_decorators.extend(first.map(|first| Diagnostic::new(CONSTRUCTOR, first.span)));
        self.check_accessor(method);
        walk::walk_method_definition(self, method);
    }

    fn visit_ts_external_module_reference(&mut self, reference: &TSExternalModuleReference<'a>) {
        self.import_equals.push(reference.expression.span);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.in_function(!function.r#async, |features| walk::walk_function(features, function, flags));
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.in_function(!arrow.r#async, |features| walk::walk_arrow_function_expression(features, arrow));
    }

    fn visit_export_declaration(&mut self, export: &ExportDeclaration<'a>) {
        if matches!(export.declaration, Declaration::TSEnumDeclaration(_)) {
            self.exported_enums.insert(export.span.start);
        }
        walk::walk_export_declaration(self, export);
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        self.has_using |= declaration.kind.is_using();
        if self.is_in_sync && declaration.kind.is_await() {
            let start = declaration.span.start;
            self.sync_await_using.push(Span::new(start, start + "await".len() as u32));
        }
        walk::walk_variable_declaration(self, declaration);
    }
}

/// Whether TypeScript treats a file with this statement as a module.
fn is_module_item(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::TSImportEqualsDeclaration(import) => {
            matches!(import.module_reference, TSModuleReference::ExternalModuleReference(_))
        }
        _ => statement.is_module_declaration(),
    }
}

/// `super();`
pub(crate) fn is_super(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::ExpressionStatement(call) if call.expression.is_super_call_expression())
}

#[cfg(test)]
mod tests;
