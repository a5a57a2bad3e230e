//! Rewriting of module syntax within expressions: imported names, `import()`, `import.meta`,
//! top-level `arguments`, and `<!--`, which a script would parse as an HTML comment. In: a program,
//! and the replacement of each imported name. Out: edits; whether there is a top-level await.
//! Absent: declarations (`items`).

use std::collections::HashMap;

use oxc::ast::ast::{
    ArrowFunctionExpression, AssignmentTargetPropertyIdentifier, AwaitExpression, BinaryExpression,
    CallExpression, ExportNamedDeclaration, Expression, ForOfStatement, Function, IdentifierReference,
    ImportExpression, ImportMeta, ObjectProperty, Program, Statement, TaggedTemplateExpression,
    VariableDeclaration,
};
use oxc::ast_visit::{Visit, walk};
use oxc::semantic::{Scoping, SymbolId};
use oxc::span::{GetSpan, Span};
use oxc::syntax::operator::BinaryOperator;
use oxc::syntax::scope::ScopeFlags;

use crate::edits::Edits;
use crate::names;
use crate::options::CjsGlobals;
use crate::script::SourceKind;
use crate::transform::HELPERS;

/// What is known before the expressions are visited.
#[derive(Clone, Copy)]
pub(crate) struct UsesContext<'u> {
    pub(crate) kind: SourceKind,
    pub(crate) scoping: &'u Scoping,
    pub(crate) prefix: &'u str,
    pub(crate) reads: &'u HashMap<SymbolId, Option<String>>,
    pub(crate) cjs_globals: CjsGlobals,
    /// The code was printed by `transform`.
    pub(crate) is_generated: bool,
}

struct Uses<'u, 'e> {
    context: UsesContext<'u>,
    edits: &'u mut Edits<'e>,
    /// Enclosing functions, with arrow functions.
    functions: u32,
    /// Enclosing functions that have `arguments`.
    non_arrow_functions: u32,
    /// Start of the identifier that is called.
    called: Option<u32>,
    /// Start of an expression statement. The statement before it may lack a semicolon.
    statement_start: Option<u32>,
    has_html_comments: bool,
    has_top_level_await: bool,
}

/// Rewrites the expressions. Returns whether there is a top-level await.
pub(crate) fn rewrite(program: &Program<'_>, context: UsesContext<'_>, edits: &mut Edits<'_>) -> bool {
    let source = edits.source();
    let mut uses = Uses {
        context,
        functions: 0,
        non_arrow_functions: 0,
        called: None,
        statement_start: None,
        has_html_comments: source.contains("<!--"),
        has_top_level_await: false,
        edits,
    };
    uses.visit_program(program);
    uses.has_top_level_await
}

impl Uses<'_, '_> {
    /// The replacement of a reference; None if it stays.
    fn read(&self, name: &IdentifierReference<'_>) -> Option<String> {
        let UsesContext { scoping, reads, prefix, .. } = self.context;
        let reference = scoping.get_reference(name.reference_id());
        let Some(symbol) = reference.symbol_id() else { return self.read_global(name) };
        let read = reads.get(&symbol)?;
        match reference.is_write() {
            true => Some(format!("{prefix}{}", names::member_of(prefix, "readonly", &name.name))),
            false => read.clone(),
        }
    }

    fn read_global(&self, name: &IdentifierReference<'_>) -> Option<String> {
        let UsesContext { kind, prefix, cjs_globals, is_generated, .. } = self.context;
        let has_cjs_globals = kind == SourceKind::Module && cjs_globals == CjsGlobals::AllFiles;
        let of_meta = |member, name| format!("{prefix}.meta{}", names::member_of(prefix, member, name));
        match name.name.as_str() {
            name @ "require" if has_cjs_globals => Some(of_meta("require", name)),
            name @ "__filename" if has_cjs_globals => Some(of_meta("filename", name)),
            name @ "__dirname" if has_cjs_globals => Some(of_meta("dirname", name)),
            // The generated function around the module has `arguments`, a module has none.
            "arguments" if self.non_arrow_functions == 0 && kind == SourceKind::Module => {
                Some(format!("{prefix}arguments"))
            }
            HELPERS if is_generated => Some(format!("{prefix}.helpers")),
            _ => None,
        }
    }

    /// The replacement of `require.main === module`, in either order.
    fn main_module_check(&self, expression: &BinaryExpression<'_>) -> Option<String> {
        let not = match expression.operator {
            BinaryOperator::StrictEquality | BinaryOperator::Equality => "",
            BinaryOperator::StrictInequality | BinaryOperator::Inequality => "!",
            _ => return None,
        };
        let UsesContext { kind, prefix, cjs_globals, .. } = self.context;
        let is_main = |side: &Expression<'_>| {
            side.as_member_expression().is_some_and(|member| {
                member.static_property_name() == Some("main") && self.is_global(member.object(), "require")
            })
        };
        let (left, right) = (&expression.left, &expression.right);
        let is_check = kind == SourceKind::Module
            && cjs_globals == CjsGlobals::AllFiles
            && (is_main(left) && self.is_global(right, "module")
                || is_main(right) && self.is_global(left, "module"));
        is_check.then(|| format!("({not}{prefix}.meta.main)"))
    }

    fn is_global(&self, expression: &Expression<'_>, wanted: &str) -> bool {
        expression.get_identifier_reference().is_some_and(|name| {
            let reference = self.context.scoping.get_reference(name.reference_id());
            name.name == wanted && reference.symbol_id().is_none()
        })
    }

    fn called_name(&mut self, callee: &Expression<'_>) {
        if let Some(name) = callee.get_inner_expression().get_identifier_reference() {
            self.called = Some(name.span.start);
        }
    }
}

impl<'a> Visit<'a> for Uses<'_, '_> {
    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        let Some(mut read) = self.read(name) else { return };
        let start = name.span.start;
        // Called without a receiver.
        if self.called == Some(start) && read.contains(['.', '[']) {
            // The comment marks it as generated: see util/function_source.js.
            let semicolon = if self.statement_start == Some(start) {
                format!("/*{}*/;", self.context.prefix)
            } else {
                String::new()
            };
            read = format!("{semicolon}(0,{read})");
        }
        self.edits.replace(start..name.span.end, read);
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if property.shorthand
            && let Some(name) = property.value.get_identifier_reference()
        {
            if let Some(read) = self.read(name) {
                self.edits.replace(
                    name.span.start..name.span.end,
                    format!("{}/*{}*/: {read}", name.name, self.context.prefix),
                );
            }
            return;
        }
        walk::walk_object_property(self, property);
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        property: &AssignmentTargetPropertyIdentifier<'a>,
    ) {
        let name = &property.binding;
        if let Some(read) = self.read(name) {
            self.edits.replace(
                name.span.start..name.span.end,
                format!("{}/*{}*/: {read}", name.name, self.context.prefix),
            );
        }
        if let Some(init) = &property.init {
            self.visit_expression(init);
        }
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.called_name(&call.callee);
        walk::walk_call_expression(self, call);
    }

    fn visit_tagged_template_expression(&mut self, template: &TaggedTemplateExpression<'a>) {
        self.called_name(&template.tag);
        walk::walk_tagged_template_expression(self, template);
    }

    fn visit_statements(&mut self, statements: &oxc::allocator::ArenaVec<'a, Statement<'a>>) {
        for statement in statements {
            if matches!(statement, Statement::ExpressionStatement(_)) {
                self.statement_start = Some(statement.span().start);
            }
            self.visit_statement(statement);
        }
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        let start = import.span.start;
        let word = if import.phase.is_some() { "" } else { ".import" };
        self.edits.replace(start..start + 6, format!("{}{word}", self.context.prefix));
        walk::walk_import_expression(self, import);
    }

    fn visit_import_meta(&mut self, meta: &ImportMeta) {
        let start = meta.span.start;
        self.edits.replace(start..start + 6, self.context.prefix.to_owned());
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.functions += 1;
        self.non_arrow_functions += 1;
        walk::walk_function(self, function, flags);
        self.functions -= 1;
        self.non_arrow_functions -= 1;
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.functions += 1;
        walk::walk_arrow_function_expression(self, arrow);
        self.functions -= 1;
    }

    fn visit_await_expression(&mut self, expression: &AwaitExpression<'a>) {
        self.has_top_level_await |= self.functions == 0;
        walk::walk_await_expression(self, expression);
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        self.has_top_level_await |= statement.r#await && self.functions == 0;
        walk::walk_for_of_statement(self, statement);
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        self.has_top_level_await |= declaration.kind.is_await() && self.functions == 0;
        walk::walk_variable_declaration(self, declaration);
    }

    // Exported names are not read here.
    fn visit_export_named_declaration(&mut self, _: &ExportNamedDeclaration<'a>) {}

    fn visit_binary_expression(&mut self, expression: &BinaryExpression<'a>) {
        if let Some(is_main) = self.main_module_check(expression) {
            self.edits.replace(expression.span.start..expression.span.end, is_main);
            return;
        }
        if self.has_html_comments && expression.operator == BinaryOperator::LessThan {
            let (from, to) = (expression.left.span().end, expression.right.span().start);
            let between = &self.edits.source()[from as usize..to as usize];
            if between.ends_with('<') && self.edits.source()[to as usize..].starts_with("!--") {
                self.edits.close(Span::new(to, to), " ");
            }
        }
        walk::walk_binary_expression(self, expression);
    }
}
