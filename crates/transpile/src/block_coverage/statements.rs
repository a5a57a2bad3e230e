//! Counters of statements: arms, bodies, and what follows statements. In: statements. Out: counters
//! with their ranges, those of V8's parser. Absent: expressions.

use oxc::ast::ast::{
    BlockStatement, ForStatementInit, ForStatementLeft, IfStatement, Statement, SwitchStatement, TryStatement,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};

use super::BlockCounter;
use super::positions::next_token;

/// Whether V8 has a block around a loop, which then is not the last statement of its list.
fn has_scope(statement: &Statement<'_>) -> bool {
    let left = match statement {
        Statement::ForStatement(statement) => {
            return matches!(&statement.init, Some(ForStatementInit::VariableDeclaration(declaration))
                if declaration.kind.is_lexical());
        }
        Statement::ForInStatement(statement) => &statement.left,
        Statement::ForOfStatement(statement) => &statement.left,
        _ => return false,
    };
    matches!(left, ForStatementLeft::VariableDeclaration(declaration) if declaration.kind.is_lexical())
}

fn is_lexical(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::VariableDeclaration(declaration) => declaration.kind.is_lexical(),
        Statement::ClassDeclaration(_) => true,
        _ => false,
    }
}

fn is_no_statement(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::FunctionDeclaration(_)
        | Statement::EmptyStatement(_)
        | Statement::ImportDeclaration(_) => true,
        other => other.is_typescript_syntax(),
    }
}

impl<'a> BlockCounter<'_> {
    pub(super) fn statements(&mut self, statements: &[Statement<'a>]) {
        // Declarations of functions and types are no statements for V8.
        let last = statements.iter().rposition(|statement| !is_no_statement(statement));
        for (index, statement) in statements.iter().enumerate() {
            self.is_last = Some(index) == last;
            self.visit_statement(statement);
        }
        self.is_last = false;
    }

    pub(super) fn statement(&mut self, statement: &Statement<'a>) {
        let is_last = std::mem::take(&mut self.is_last);
        match statement {
            Statement::IfStatement(statement) => self.if_statement(statement, is_last),
            Statement::SwitchStatement(statement) => self.switch_statement(statement, is_last),
            Statement::TryStatement(statement) => self.try_statement(statement, is_last),
            Statement::BlockStatement(block) => {
                let counter = self.continuation(block.span.end, is_last);
                self.statements(&block.body);
                self.count_after(block.span.end, counter);
            }
            Statement::LabeledStatement(labeled) => {
                self.is_last = is_last;
                self.visit_statement(&labeled.body);
            }
            Statement::ReturnStatement(_)
            | Statement::ThrowStatement(_)
            | Statement::BreakStatement(_)
            | Statement::ContinueStatement(_) => {
                let end = statement.span().end;
                if self.claim(end, is_last) {
                    self.add_block(end, None, None);
                }
                walk::walk_statement(self, statement);
            }
            _ => self.loop_statement(statement, is_last),
        }
    }

    /// After a statement, which a line break may have ended.
    fn count_after(&mut self, end: u32, counter: Option<u32>) {
        if let Some(counter) = counter {
            let count = self.increment(counter);
            self.insert(end, format!(";{count};"));
        }
    }

    /// A statement below another one.
    fn body(&mut self, statement: &Statement<'a>, count: &str) {
        match statement {
            Statement::BlockStatement(block) => self.block(block, count),
            _ => {
                self.insert(statement.span().start, format!("{{{count};"));
                self.visit_statement(statement);
                self.insert(statement.span().end, "}");
            }
        }
    }

    /// What follows it is what follows the statement around it.
    fn block(&mut self, block: &BlockStatement<'a>, count: &str) {
        self.claimed.insert(block.span.end);
        self.insert(block.span.start + 1, format!("{count};"));
        self.statements(&block.body);
    }

    fn if_statement(&mut self, statement: &IfStatement<'a>, is_last: bool) {
        let after = self.continuation(statement.span.end, is_last);
        self.visit_expression(&statement.test);
        let then = statement.consequent.span();
        let count = self.count_range(then.start, then.end);
        self.body(&statement.consequent, &count);
        if let Some(alternate) = &statement.alternate {
            let count = self.count_range(then.end, alternate.span().end);
            self.body(alternate, &count);
        }
        self.count_after(statement.span.end, after);
    }

    fn switch_statement(&mut self, statement: &SwitchStatement<'a>, is_last: bool) {
        let has_scope = statement.cases.iter().flat_map(|case| &case.consequent).any(is_lexical);
        let after = self.continuation(statement.span.end, is_last && !has_scope);
        self.visit_expression(&statement.discriminant);
        for case in &statement.cases {
            if let Some(test) = &case.test {
                self.visit_expression(test);
            }
            let count = self.count_range(case.span.start, case.span.end);
            let start = case.consequent.first().map_or(case.span.end, |first| first.span().start);
            self.insert(start, format!("{count};"));
            self.statements(&case.consequent);
        }
        self.count_after(statement.span.end, after);
    }

    fn try_statement(&mut self, statement: &TryStatement<'a>, is_last: bool) {
        let after = self.continuation(statement.span.end, is_last);
        let between = match (&statement.handler, &statement.finalizer) {
            (Some(handler), Some(_)) => self.continuation(handler.span.end, false),
            _ => None,
        };
        self.claimed.insert(statement.block.span.end);
        self.statements(&statement.block.body);
        self.count_at_end(statement.block.span, between);
        if let Some(handler) = &statement.handler {
            if let Some(parameter) = &handler.param {
                self.visit_catch_parameter(parameter);
            }
            let count = self.count_range(handler.span.start, handler.span.end);
            self.block(&handler.body, &count);
            self.count_at_end(handler.body.span, between);
        }
        if let Some(finalizer) = &statement.finalizer {
            let before =
                statement.handler.as_ref().map_or(statement.block.span.end, |handler| handler.span.end);
            let count = self.count_range(next_token(self.source, before), finalizer.span.end);
            self.block(finalizer, &count);
        }
        self.count_after(statement.span.end, after);
    }

    /// Before the brace that ends a block.
    fn count_at_end(&mut self, block: Span, counter: Option<u32>) {
        if let Some(counter) = counter {
            let count = self.increment(counter);
            self.insert(block.end - 1, format!(";{count}"));
        }
    }

    fn loop_statement(&mut self, statement: &Statement<'a>, is_last: bool) {
        let body = match statement {
            Statement::WhileStatement(statement) => &statement.body,
            Statement::DoWhileStatement(statement) => &statement.body,
            Statement::ForStatement(statement) => &statement.body,
            Statement::ForInStatement(statement) => &statement.body,
            Statement::ForOfStatement(statement) => &statement.body,
            _ => return walk::walk_statement(self, statement),
        };
        let after = self.continuation(body.span().end, is_last && !has_scope(statement));
        self.loop_head(statement);
        let count = self.count_range(body.span().start, body.span().end);
        self.body(body, &count);
        if let Statement::DoWhileStatement(statement) = statement {
            self.visit_expression(&statement.test);
        }
        self.count_after(statement.span().end, after);
    }

    /// What is between the parentheses.
    fn loop_head(&mut self, statement: &Statement<'a>) {
        match statement {
            Statement::WhileStatement(statement) => self.visit_expression(&statement.test),
            Statement::ForStatement(statement) => {
                if let Some(init) = &statement.init {
                    self.visit_for_statement_init(init);
                }
                for expression in [&statement.test, &statement.update].into_iter().flatten() {
                    self.visit_expression(expression);
                }
            }
            Statement::ForInStatement(statement) => {
                self.visit_for_statement_left(&statement.left);
                self.visit_expression(&statement.right);
            }
            Statement::ForOfStatement(statement) => {
                self.visit_for_statement_left(&statement.left);
                self.visit_expression(&statement.right);
            }
            _ => {}
        }
    }
}
