//! Variables that are read before initialization, and assignments to constants. In: a program, the
//! engine's offset: next to the name for a variable of an outer function, else only within the
//! right function. Out: V8's message. Absent: results that depend on control flow.

use std::collections::HashMap;

use oxc::ast::ast::{
    AssignmentExpression, BindingPattern, Class, ForInStatement, ForOfStatement, ForStatementLeft,
    FormalParameters, IdentifierReference, Program, VariableDeclaration,
};
use oxc::ast_visit::{Visit, walk};
use oxc::semantic::{Scoping, SemanticBuilder, SymbolId};
use oxc::span::{GetSpan, Span};

/// The variable that was accessed before its declaration has run.
pub(super) fn uninitialized(program: &Program<'_>, source: &str, at: u32) -> Option<String> {
    let found = VariableUses::of(program);
    let here = found.function_at(at);
    let declared = |use_: &Use| found.ready.get(&use_.symbol).copied();
    let is_beside = |use_: &Use| use_.is_beside(source, at);
    let is_early = |use_: &Use| {
        declared(use_).is_some_and(|(start, end)| {
            use_.span.start < end && found.function_at(start) == found.function_at(use_.span.start)
        })
    };
    let early =
        || found.uses.iter().filter(|use_| is_early(use_) && found.function_at(use_.span.start) == here);
    // The engine records a position for variables of outer functions.
    let outer = found.uses.iter().find(|use_| {
        is_beside(use_)
            && declared(use_)
                .is_some_and(|(start, _)| found.function_at(start) != found.function_at(use_.span.start))
    });
    let first = early().find(|use_| is_beside(use_)).or_else(|| early().next());
    let is_one = || early().all(|use_| Some(use_.symbol) == first.map(|first| first.symbol));
    let symbol = match (first, outer) {
        (Some(first), None) if is_beside(first) || is_one() => first.symbol,
        (None, Some(outer)) => outer.symbol,
        _ => return None,
    };
    Some(format!("Cannot access '{}' before initialization", found.scoping.symbol_name(symbol)))
}

/// V8's message for an assignment to a constant, or to a read-only global, whose object is not
/// known here; None for another property.
pub(super) fn constant(program: &Program<'_>, source: &str, at: u32) -> Option<String> {
    let found = VariableUses::of(program);
    let is_property = found.members.iter().any(|member| (member.start..=member.end).contains(&at));
    let here = found.function_at(at);
    let is_constant = found.uses.iter().any(|use_| {
        let is_here = use_.is_beside(source, at) || found.function_at(use_.span.start) == here;
        use_.is_written && is_here && found.scoping.symbol_flags(use_.symbol).is_const_variable()
    });
    if is_constant && !is_property {
        return Some("Assignment to constant variable.".to_owned());
    }
    let (name, _) = found.globals.iter().find(|(_, span)| is_beside(*span, true, source, at))?;
    Some(format!("Cannot assign to read only property '{name}'"))
}

struct Use {
    symbol: SymbolId,
    span: Span,
    is_written: bool,
}

impl Use {
    fn is_beside(&self, source: &str, at: u32) -> bool {
        is_beside(self.span, self.is_written, source, at)
    }
}

/// Whether the engine may report this offset for a name: before it, after it, or after the `=` that
/// follows.
fn is_beside(name: Span, is_written: bool, source: &str, at: u32) -> bool {
    let Span { start, end, .. } = name;
    if at == start || at == end {
        return true;
    }
    let between = source.get(end as usize..at as usize).unwrap_or("");
    is_written && between.len() < 8 && between.ends_with('=') && between.trim_start().len() <= 4
}

/// The variables and their uses in a program.
struct VariableUses {
    scoping: Scoping,
    uses: Vec<Use>,
    /// Variables with a temporal dead zone: the start of the declaration, and the offset from which
    /// they are initialized.
    ready: HashMap<SymbolId, (u32, u32)>,
    /// From their parameter lists on.
    functions: Vec<Span>,
    /// Assignments to properties, from the target to the operator.
    members: Vec<Span>,
    /// Assignments to undeclared names.
    globals: Vec<(String, Span)>,
}

impl VariableUses {
    fn of(program: &Program<'_>) -> VariableUses {
        let scoping = SemanticBuilder::new().build(program).semantic.into_scoping();
        let mut found = VariableUses {
            scoping,
            uses: Vec::new(),
            ready: HashMap::new(),
            functions: Vec::new(),
            members: Vec::new(),
            globals: Vec::new(),
        };
        found.visit_program(program);
        found
    }

    /// The innermost function at an offset; None for the program itself.
    fn function_at(&self, at: u32) -> Option<Span> {
        let around = self.functions.iter().filter(|span| span.start <= at && at < span.end);
        around.min_by_key(|span| span.end - span.start).copied()
    }

    fn note(&mut self, pattern: &BindingPattern<'_>, until: u32) {
        for name in pattern.get_binding_identifiers() {
            if let Some(symbol) = name.symbol_id.get() {
                self.ready.insert(symbol, (name.span.start, until));
            }
        }
    }

    fn note_left(&mut self, left: &ForStatementLeft<'_>, until: u32) {
        if let ForStatementLeft::VariableDeclaration(declaration) = left
            && !declaration.kind.is_var()
        {
            for declarator in &declaration.declarations {
                self.note(&declarator.id, until);
            }
        }
    }
}

impl<'a> Visit<'a> for VariableUses {
    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        let Some(reference) = name.reference_id.get() else { return };
        let reference = self.scoping.get_reference(reference);
        if reference.symbol_id().is_none() && reference.is_write() {
            self.globals.push((name.name.to_string(), name.span));
        } else if let Some(symbol) = reference.symbol_id() {
            self.uses.push(Use { symbol, span: name.span, is_written: reference.is_write() });
        }
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        if !declaration.kind.is_var() {
            for declarator in &declaration.declarations {
                self.note(&declarator.id, declarator.span.end);
            }
        }
        walk::walk_variable_declaration(self, declaration);
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        walk::walk_for_of_statement(self, statement);
        self.note_left(&statement.left, statement.right.span().end);
    }

    fn visit_for_in_statement(&mut self, statement: &ForInStatement<'a>) {
        walk::walk_for_in_statement(self, statement);
        self.note_left(&statement.left, statement.right.span().end);
    }

    fn visit_class(&mut self, class: &Class<'a>) {
        if let Some(name) = &class.id
            && let Some(symbol) = name.symbol_id.get()
        {
            self.ready.insert(symbol, (name.span.start, class.body.span.start));
        }
        walk::walk_class(self, class);
    }

    fn visit_function(
        &mut self,
        function: &oxc::ast::ast::Function<'a>,
        flags: oxc::syntax::scope::ScopeFlags,
    ) {
        self.functions.push(Span::new(function.params.span.start, function.span.end));
        walk::walk_function(self, function, flags);
    }

    fn visit_arrow_function_expression(&mut self, arrow: &oxc::ast::ast::ArrowFunctionExpression<'a>) {
        self.functions.push(arrow.span);
        walk::walk_arrow_function_expression(self, arrow);
    }

    fn visit_formal_parameters(&mut self, parameters: &FormalParameters<'a>) {
        for parameter in &parameters.items {
            self.note(&parameter.pattern, parameter.span.end);
        }
        walk::walk_formal_parameters(self, parameters);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        if assignment.left.is_member_expression() {
            self.members.push(Span::new(assignment.span.start, assignment.right.span().start));
        }
        walk::walk_assignment_expression(self, assignment);
    }
}
