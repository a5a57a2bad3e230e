//! Propagation of AsyncLocalStorage contexts across `await`, which the engine does not do. In: a
//! program. Out: edits around each `await`: the context that is current before it is current again
//! after it, whether it returns or throws. Absent: callbacks and `then`, which the runtime binds;
//! generators, which run in the context of the caller of `next`, as in Node.
//!
//! ```text
//! await e            $r.after($r.save( e),await $r.load())
//! try {…}            {let $rc0=$r;try {…} catch (e) {$rc0=$r.recover($rc0);…}/*$r*/}
//! in there           $r.after($rc0=$r.save( e),await $r.load(),$rc0=$r)
//! return e           return $r.bind(e/*$r*/)
//! for await (a of e) for await (a of $r.each(e/*$r*/))
//! ```
//!
//! In asynchronous generators, where yielded and returned values are awaited as well:
//!
//! ```text
//! yield e            yield $r.resolve(e/*$r*/)
//! yield              yield $r.resolve()
//! yield* e           yield* $r.each(e/*$r*/)
//! return e           return $r.resolve(e/*$r*/)
//! ```
//!
//! `bind` is for objects with a `then` method, which is called in the current context. `save`
//! stores a value for `load`, and returns the context in which the value is awaited: the one after
//! evaluating `e`, not before. The comments mark which part of a function's source text is the
//! program's own: see ext/util/js/internal/util/function_source.js.

use oxc::ast::ast::{
    ArrowFunctionExpression, AwaitExpression, Expression, ForOfStatement, Function, Program, ReturnStatement,
    TryStatement, YieldExpression,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;

use crate::edits::Edits;
use crate::lexer::is_identifier_byte;

/// Whether the source text may contain an `await`.
pub(crate) fn may_await(source: &str) -> bool {
    contains(source, "await") || contains(source, "yield") && contains(source, "async")
}

fn contains(source: &str, word: &str) -> bool {
    memchr::memmem::find(source.as_bytes(), word.as_bytes()).is_some()
}

pub(crate) fn propagate(program: &Program<'_>, prefix: &str, edits: &mut Edits<'_>) {
    let scopes = vec![FunctionScope { is_async: true, is_generator: false, variable: None }];
    ContextRewriter { prefix, edits, scopes, tries: 0 }.visit_program(program);
}

struct ContextRewriter<'k, 'e> {
    prefix: &'k str,
    edits: &'k mut Edits<'e>,
    scopes: Vec<FunctionScope>,
    tries: u32,
}

/// The enclosing function, and the variable of the innermost `try` within it.
struct FunctionScope {
    is_async: bool,
    is_generator: bool,
    variable: Option<String>,
}

impl ContextRewriter<'_, '_> {
    fn within(&mut self, is_async: bool, is_generator: bool, walk: impl FnOnce(&mut Self)) {
        self.scopes.push(FunctionScope { is_async, is_generator, variable: None });
        walk(self);
        self.scopes.pop();
    }

    /// `value` is the result of an asynchronous function.
    fn wrap_result(&mut self, helper: &str, value: Option<&Expression<'_>>, walk: impl FnOnce(&mut Self)) {
        let Some(value) = value else { return walk(self) };
        self.wrap_in_helper(helper, value.span());
        // Commas would separate arguments.
        if matches!(value, Expression::SequenceExpression(_)) {
            self.edits.open(value.span(), format!("/*{},*/(", self.prefix));
            self.edits.close(value.span(), format!("/*{},*/)", self.prefix));
        }
        walk(self);
    }

    /// Passes the expression at `span` to a helper. A space is not required between a keyword and a
    /// bracket: `return{}`, `of[]`.
    fn wrap_in_helper(&mut self, helper: &str, span: Span) {
        let prefix = self.prefix;
        let before = self.edits.source()[..span.start as usize].bytes().next_back();
        let gap = if before.is_some_and(is_identifier_byte) { self.marker() } else { String::new() };
        self.edits.open(span, format!("{gap}{prefix}.{helper}("));
        self.edits.close(span, format!("{})", self.marker()));
    }

    /// A comment that distinguishes an inserted bracket from the program's.
    fn marker(&self) -> String {
        format!("/*{}*/", self.prefix)
    }

    fn innermost(&mut self) -> &mut FunctionScope {
        self.scopes.last_mut().expect("the program itself is a scope")
    }

    fn variable(&mut self) -> &mut Option<String> {
        &mut self.innermost().variable
    }

    fn is_in_async_generator(&mut self) -> bool {
        let scope = self.innermost();
        scope.is_async && scope.is_generator
    }
}

/// False for literals, and for values that were awaited already.
fn may_be_thenable(value: &Expression<'_>) -> bool {
    !value.is_literal()
        && !matches!(
            value,
            Expression::AwaitExpression(_)
                | Expression::ArrayExpression(_)
                | Expression::ArrowFunctionExpression(_)
                | Expression::FunctionExpression(_)
                | Expression::TemplateLiteral(_)
                | Expression::UnaryExpression(_)
                | Expression::BinaryExpression(_)
        )
}

impl<'a> Visit<'a> for ContextRewriter<'_, '_> {
    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.within(function.r#async, function.generator, |rewriter| {
            walk::walk_function(rewriter, function, flags);
        });
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.within(arrow.r#async, false, |rewriter| {
            let value = arrow.get_expression().filter(|value| arrow.r#async && may_be_thenable(value));
            rewriter
                .wrap_result("bind", value, |rewriter| walk::walk_arrow_function_expression(rewriter, arrow));
        });
    }

    fn visit_return_statement(&mut self, statement: &ReturnStatement<'a>) {
        let FunctionScope { is_async, is_generator, .. } = *self.innermost();
        let helper = if is_generator { "resolve" } else { "bind" };
        let value = statement.argument.as_ref();
        let value = value.filter(|value| is_async && (is_generator || may_be_thenable(value)));
        self.wrap_result(helper, value, |rewriter| walk::walk_return_statement(rewriter, statement));
    }

    fn visit_yield_expression(&mut self, expression: &YieldExpression<'a>) {
        if self.is_in_async_generator() {
            match &expression.argument {
                Some(argument) => {
                    let helper = if expression.delegate { "each" } else { "resolve" };
                    self.wrap_in_helper(helper, argument.span());
                }
                None => self.edits.close(expression.span, format!(" {}.resolve()", self.prefix)),
            }
        }
        walk::walk_yield_expression(self, expression);
    }

    fn visit_await_expression(&mut self, expression: &AwaitExpression<'a>) {
        let prefix = self.prefix;
        let (set, reset) = match self.variable() {
            Some(variable) => (format!("{variable}="), format!(",{variable}={prefix}")),
            None => (String::new(), String::new()),
        };
        let start = expression.span.start;
        let word = start..start + "await".len() as u32;
        self.edits.replace(word, format!("{prefix}.after({set}{prefix}.save("));
        walk::walk_await_expression(self, expression);
        self.edits.close(expression.span, format!("),await {prefix}.load(){reset})"));
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        if statement.r#await {
            self.wrap_in_helper("each", statement.right.span());
        }
        walk::walk_for_of_statement(self, statement);
    }

    fn visit_try_statement(&mut self, statement: &TryStatement<'a>) {
        let (start, end) = (statement.span.start as usize, statement.span.end as usize);
        let is_async = self.scopes.last().is_some_and(|scope| scope.is_async);
        if !is_async || !contains(&self.edits.source()[start..end], "await") {
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
            // Without a `finally`, awaits in the handler belong to the enclosing `try`.
            if statement.finalizer.is_none() {
                *self.variable() = outer.clone();
            }
            self.visit_catch_clause(handler);
        }
        *self.variable() = outer;
        if let Some(finalizer) = &statement.finalizer {
            self.visit_block_statement(finalizer);
        }
        self.edits.close(statement.span, format!("{}}}", self.marker()));
    }
}

#[cfg(test)]
mod tests;
