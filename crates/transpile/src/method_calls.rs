//! Calls of methods by name, `value.name(…)`, for tools that edit sources. In: the source text, its
//! language, names. Out: where each call and its arguments are, in source order. Absent: what the
//! value is.

use std::ops::Range;

use oxc::allocator::Allocator;
use oxc::ast::ast::{Argument, CallExpression, Expression};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};

use crate::depth;
use crate::options::Language;
use crate::parse;
use crate::syntax_error::SyntaxErrors;

/// A call; all ranges are bytes of the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MethodCall {
    /// Where the call begins: its object.
    pub start: usize,
    pub name: String,
    pub name_range: Range<usize>,
    pub arguments: Vec<CallArgument>,
    /// The index of the closing parenthesis.
    pub close: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallArgument {
    pub range: Range<usize>,
    /// A string, or a template without substitutions.
    pub is_text: bool,
}

/// The calls of methods with one of these names.
pub fn method_calls(
    source: &str,
    language: Language,
    names: &[&str],
) -> Result<Vec<MethodCall>, SyntaxErrors> {
    depth::with_deep_stack(source, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, source, language, None)?;
        let mut finder = CallFinder { names, calls: Vec::new() };
        finder.visit_program(&parsed.program);
        finder.calls.sort_by_key(|call| call.name_range.start);
        Ok(finder.calls)
    })
}

struct CallFinder<'n> {
    names: &'n [&'n str],
    calls: Vec<MethodCall>,
}

impl<'a> Visit<'a> for CallFinder<'_> {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if let Expression::StaticMemberExpression(member) = &call.callee
            && self.names.contains(&member.property.name.as_str())
        {
            self.calls.push(MethodCall {
                start: call.span.start as usize,
                name: member.property.name.to_string(),
                name_range: range(member.property.span),
                arguments: call.arguments.iter().map(argument).collect(),
                close: call.span.end as usize - 1,
            });
        }
        walk::walk_call_expression(self, call);
    }
}

fn argument(argument: &Argument<'_>) -> CallArgument {
    let is_text = match argument {
        Argument::StringLiteral(_) => true,
        Argument::TemplateLiteral(template) => template.expressions.is_empty(),
        _ => false,
    };
    CallArgument { range: range(argument.span()), is_text }
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

#[cfg(test)]
mod tests;
