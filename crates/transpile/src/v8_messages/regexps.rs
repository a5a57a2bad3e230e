//! Regular expressions that the engine rejected. In: a program, the error's offset. Out: the
//! pattern and flags in the source. Absent: patterns that are computed at run time.

use oxc::ast::ast::{Argument, CallExpression, Expression, NewExpression, Program, RegExpLiteral};
use oxc::ast_visit::{Visit, walk};
use oxc::span::GetSpan;

use super::EngineErrorKind;

/// A regular expression literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegExpSource {
    pub pattern: String,
    pub flags: String,
    /// Column in UTF-16 code units.
    pub column: u32,
}

/// The literals on the line that begins at `start`.
pub(super) fn on_line(program: &Program<'_>, source: &str, start: u32) -> Vec<RegExpSource> {
    let line = source[start as usize..].split('\n').next().unwrap_or_default();
    let mut literals = Literals { line, start, found: Vec::new() };
    literals.visit_program(program);
    literals.found
}

struct Literals<'s> {
    line: &'s str,
    start: u32,
    found: Vec<RegExpSource>,
}

impl<'a> Visit<'a> for Literals<'_> {
    fn visit_reg_exp_literal(&mut self, literal: &RegExpLiteral<'a>) {
        let bytes = |at: u32| at.checked_sub(self.start).map(|bytes| bytes as usize);
        let (Some(start), Some(end)) = (bytes(literal.span.start), bytes(literal.span.end)) else { return };
        let Some((pattern, flags)) = self.line.get(start + 1..end).and_then(|text| text.rsplit_once('/'))
        else {
            return;
        };
        let column = self.line[..start].encode_utf16().count() as u32;
        self.found.push(RegExpSource { pattern: pattern.to_owned(), flags: flags.to_owned(), column });
    }
}

/// The message for the call whose parenthesis is at `at`.
pub(super) fn find(program: &Program<'_>, at: u32, kind: EngineErrorKind) -> Option<String> {
    let mut finder = RegExpFinder { at, kind, found: None };
    finder.visit_program(program);
    finder.found
}

struct RegExpFinder {
    at: u32,
    kind: EngineErrorKind,
    found: Option<String>,
}

impl RegExpFinder {
    fn call(&mut self, callee: &Expression<'_>, arguments: &[Argument<'_>]) {
        if callee.span().end != self.at {
            return;
        }
        let method = callee.as_member_expression().and_then(|member| member.static_property_name());
        let flags = match (method, arguments.get(1)) {
            (Some("matchAll"), _) => Some("g".to_owned()),
            (Some("match" | "search"), _) | (_, None) => Some(String::new()),
            (_, Some(flags)) => text(flags),
        };
        let Some(flags) = flags else { return };
        self.found = match self.kind {
            EngineErrorKind::InvalidRegExpFlags => {
                Some(format!("Invalid flags supplied to RegExp constructor '{flags}'"))
            }
            _ => arguments.first().and_then(text).map(|pattern| format!("/{pattern}/{}", in_order(&flags))),
        };
    }
}

/// Flags in the order in which V8 prints them.
fn in_order(flags: &str) -> String {
    let mut flags: Vec<char> = flags.chars().collect();
    flags.sort_unstable();
    flags.into_iter().collect()
}

/// A constant string argument.
fn text(argument: &Argument<'_>) -> Option<String> {
    match argument {
        Argument::StringLiteral(text) if !text.lone_surrogates => Some(text.value.to_string()),
        Argument::TemplateLiteral(template) if template.expressions.is_empty() => {
            let only = template.quasis.first().filter(|only| !only.lone_surrogates)?;
            Some(only.value.cooked.as_ref()?.to_string())
        }
        _ => None,
    }
}

impl<'a> Visit<'a> for RegExpFinder {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.call(&call.callee, &call.arguments);
        walk::walk_call_expression(self, call);
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        self.call(&new.callee, &new.arguments);
        walk::walk_new_expression(self, new);
    }
}
