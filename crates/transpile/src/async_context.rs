//! What AsyncLocalStorage keeps, right across `await`, which the engine does not do. In: a program. Out: edits around each `await`:
//! what is current before it, is current again after it, whether it gives or throws. Absent: callbacks and `then`, which the
//! runtime binds; generators, which run in the context of who calls `next`, as in Node.
//!
//! ```text
//! await e        $r.after($r.note(e), await $r.noted())
//! try {…}        {let $rc0=$r;try {…} catch (e) {$rc0=$r.recover($rc0);…}}
//! in there       $r.after($rc0=$r.note(e), await $r.noted(), $rc0=$r)
//! return e       return $r.given(e)
//! ```
//!
//! `given` is for what has a `then` of its own, which is to be called in the context. `note` keeps a value for `noted`, and gives the context in which it is awaited: that behind `e`, not that before it.

use oxc::ast::ast::{
    ArrowFunctionExpression, AwaitExpression, Expression, ForOfStatement, Function, Program, ReturnStatement,
    TryStatement,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;

use crate::edits::Edits;
use crate::skim::is_name_byte;

/// Whether a text may await anything.
pub(crate) fn may_await(source: &str) -> bool {
    memchr::memmem::find(source.as_bytes(), b"await").is_some()
}

pub(crate) fn keep(program: &Program<'_>, prefix: &str, edits: &mut Edits<'_>) {
    let mut keeper =
        Keeper { prefix, edits, around: vec![Around { is_async: true, variable: None }], tries: 0 };
    keeper.visit_program(program);
}

struct Keeper<'k, 'e> {
    prefix: &'k str,
    edits: &'k mut Edits<'e>,
    around: Vec<Around>,
    tries: u32,
}

/// The function around, and the variable of the innermost `try` within it.
struct Around {
    is_async: bool,
    variable: Option<String>,
}

impl Keeper<'_, '_> {
    fn within(&mut self, is_async: bool, walk: impl FnOnce(&mut Self)) {
        self.around.push(Around { is_async, variable: None });
        walk(self);
        self.around.pop();
    }

    /// `given` is what an asynchronous function gives.
    fn give(&mut self, given: Option<&Expression<'_>>, walk: impl FnOnce(&mut Self)) {
        let Some(given) = given else { return walk(self) };
        self.hand_to("given", given.span());
        // Commas would part arguments.
        if matches!(given, Expression::SequenceExpression(_)) {
            self.edits.open(given.span(), "(");
            self.edits.close(given.span(), ")");
        }
        walk(self);
    }

    /// Hands what stands at `span` to a helper. Nothing need stand between a word and a bracket: `return{}`, `of[]`.
    fn hand_to(&mut self, helper: &str, span: Span) {
        let before = self.edits.source()[..span.start as usize].bytes().next_back();
        let gap = if before.is_some_and(is_name_byte) { " " } else { "" };
        self.edits.open(span, format!("{gap}{}.{helper}(", self.prefix));
        self.edits.close(span, ")");
    }

    fn variable(&mut self) -> &mut Option<String> {
        &mut self.around.last_mut().expect("a program is around").variable
    }
}

/// Not what is written down as it is, and not what was awaited.
fn may_be_thenable(given: &Expression<'_>) -> bool {
    !given.is_literal()
        && !matches!(
            given,
            Expression::AwaitExpression(_)
                | Expression::ArrayExpression(_)
                | Expression::ArrowFunctionExpression(_)
                | Expression::FunctionExpression(_)
                | Expression::TemplateLiteral(_)
                | Expression::UnaryExpression(_)
                | Expression::BinaryExpression(_)
        )
}

impl<'a> Visit<'a> for Keeper<'_, '_> {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.within(function.r#async, |keeper| walk::walk_function(keeper, function, flags));
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.within(arrow.r#async, |keeper| {
            let given = arrow.get_expression().filter(|given| arrow.r#async && may_be_thenable(given));
            keeper.give(given, |keeper| walk::walk_arrow_function_expression(keeper, arrow));
        });
    }

    fn visit_return_statement(&mut self, statement: &ReturnStatement<'a>) {
        let is_async = self.around.last().is_some_and(|around| around.is_async);
        let given = statement.argument.as_ref().filter(|given| is_async && may_be_thenable(given));
        self.give(given, |keeper| walk::walk_return_statement(keeper, statement));
    }

    fn visit_await_expression(&mut self, expression: &AwaitExpression<'a>) {
        let prefix = self.prefix;
        let (set, reset) = match self.variable() {
            Some(variable) => (format!("{variable}="), format!(",{variable}={prefix}")),
            None => (String::new(), String::new()),
        };
        let start = expression.span.start;
        self.edits
            .replace(start..expression.argument.span().start, format!("{prefix}.after({set}{prefix}.note("));
        walk::walk_await_expression(self, expression);
        self.edits.close(expression.span, format!("),await {prefix}.noted(){reset})"));
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        if statement.r#await {
            self.hand_to("each", statement.right.span());
        }
        walk::walk_for_of_statement(self, statement);
    }

    fn visit_try_statement(&mut self, statement: &TryStatement<'a>) {
        let (start, end) = (statement.span.start as usize, statement.span.end as usize);
        let is_async = self.around.last().is_some_and(|around| around.is_async);
        if !is_async || !may_await(&self.edits.source()[start..end]) {
            return walk::walk_try_statement(self, statement);
        }
        let prefix = self.prefix;
        let variable = format!("{prefix}c{}", self.tries);
        self.tries += 1;
        self.edits.open(statement.span, format!("{{let {variable}={prefix};"));
        let outer = self.variable().replace(variable.clone());
        let recover = format!("{variable}={prefix}.recover({variable});");
        let blocks = [statement.handler.as_ref().map(|handler| &handler.body), statement.finalizer.as_ref()];
        for block in blocks.into_iter().flatten() {
            let inner = Span::new(block.span.start + 1, block.span.end);
            self.edits.open(inner, recover.clone());
        }
        self.visit_block_statement(&statement.block);
        if let Some(handler) = &statement.handler {
            // With nothing to run behind it, what it awaits belongs to the `try` around.
            if statement.finalizer.is_none() {
                *self.variable() = outer.clone();
            }
            self.visit_catch_clause(handler);
        }
        *self.variable() = outer;
        if let Some(finalizer) = &statement.finalizer {
            self.visit_block_statement(finalizer);
        }
        self.edits.close(statement.span, "}");
    }
}

#[cfg(test)]
mod tests;
