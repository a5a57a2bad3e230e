//! Hoisting of module mocks, as jest and vitest have it: `vi.mock(…)`, `jest.mock(…)` and
//! `vi.hoisted(…)` run before the imports of the file. In: the source text, its language. Out: the
//! source with each of these statements as an exported function, which is created before the
//! imports are evaluated; the lines stay. Absent: calling them (`internal/expect/hoisted_file`).

use oxc::allocator::Allocator;
use oxc::ast::ast::{Argument, CallExpression, Expression, Program, Statement, VariableDeclaration};
use oxc::span::{GetSpan, Span};

use crate::depth;
use crate::options::Language;
use crate::parse;
use crate::script::SourceKind;

/// Names of the functions begin so; a number follows.
pub const HOISTED_PREFIX: &str = "$hoisted";

const OBJECTS: [&str; 2] = ["jest", "vi"];
const METHODS: [&str; 4] = ["mock", "unmock", "deepUnmock", "hoisted"];

/// What replaces a part of the source.
type Edit = (Span, String);

/// The source with functions; None if there is nothing to hoist, or it does not parse as a module.
pub fn hoist_mocks(source: &str, language: Language) -> Option<String> {
    let edits = depth::with_deep_stack(source, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, source, language, Some(SourceKind::Module))?;
        Ok(edits(source, &parsed.program))
    });
    let edits = edits.ok().filter(|edits| !edits.is_empty())?;
    let mut edited = String::with_capacity(source.len() + 64 * edits.len());
    let mut end = 0;
    for (span, text) in edits {
        edited.push_str(&source[end..span.start as usize]);
        edited.push_str(&text);
        end = span.end as usize;
    }
    edited.push_str(&source[end..]);
    Some(edited)
}

/// Replacements, in order.
fn edits(source: &str, program: &Program<'_>) -> Vec<Edit> {
    // CommonJS runs its statements in their order.
    if !program.body.iter().any(|statement| statement.is_module_declaration()) {
        return Vec::new();
    }
    let (mut edits, mut count) = (Vec::new(), 0);
    for statement in &program.body {
        match statement {
            Statement::ExpressionStatement(statement) if is_hoisted(&statement.expression) => {
                let span = statement.expression.span();
                edits.push((at(span.start), format!("{}return ", function(count, &statement.expression))));
                edits.extend(specifier_edit(source, &statement.expression));
                edits.push((at(span.end), "}".to_owned()));
                count += 1;
            }
            Statement::VariableDeclaration(variables) => {
                if let Some(parts) = variable_edits(source, variables, count) {
                    edits.extend(parts);
                    count += 1;
                }
            }
            _ => {}
        }
    }
    edits
}

/// `vi.mock(import('a'))` names the module, and does not import it.
fn specifier_edit(source: &str, expression: &Expression<'_>) -> Option<Edit> {
    let Expression::CallExpression(call) = expression else { return None };
    let Some(Argument::ImportExpression(import)) = call.arguments.first() else { return None };
    Some((import.span, import.source.span().source_text(source).to_owned()))
}

fn function(count: usize, body: &Expression<'_>) -> String {
    let mark = if matches!(body, Expression::AwaitExpression(_)) { "async " } else { "" };
    format!("export {mark}function {HOISTED_PREFIX}{count}(){{")
}

/// `const { a } = vi.hoisted(f)` as `var a;export function $hoisted0(){({ a } = vi.hoisted(f))}`.
fn variable_edits(source: &str, variables: &VariableDeclaration<'_>, count: usize) -> Option<[Edit; 3]> {
    let [variable] = variables.declarations.as_slice() else { return None };
    let value = variable.init.as_ref().filter(|value| is_hoisted(value))?;
    let names: Vec<&str> =
        variable.id.get_binding_identifiers().into_iter().map(|name| name.name.as_str()).collect();
    let (pattern, value_span) = (variable.id.span(), value.span());
    let head = format!("var {};{}(", names.join(","), function(count, value));
    // What is left out may have line ends: a type.
    let lines = |start: u32, end: u32| {
        "\n".repeat(source[start as usize..end as usize].bytes().filter(|byte| *byte == b'\n').count())
    };
    let before = Span::new(variables.span.start, pattern.start);
    let between = Span::new(pattern.end, value_span.start);
    Some([
        (before, format!("{head}{}", lines(before.start, before.end))),
        (between, format!(" = {}", lines(between.start, between.end))),
        (at(value_span.end), ")}".to_owned()),
    ])
}

fn at(offset: u32) -> Span {
    Span::new(offset, offset)
}

/// Whether it is a call of `vi.mock` and similar methods, possibly a chain of them or awaited.
fn is_hoisted(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::AwaitExpression(awaited) => is_hoisted(&awaited.argument),
        Expression::CallExpression(call) => is_hoisted_call(call),
        _ => false,
    }
}

fn is_hoisted_call(call: &CallExpression<'_>) -> bool {
    let Expression::StaticMemberExpression(member) = &call.callee else { return false };
    METHODS.contains(&member.property.name.as_str())
        && match &member.object {
            Expression::Identifier(object) => OBJECTS.contains(&object.name.as_str()),
            Expression::CallExpression(inner) => is_hoisted_call(inner),
            _ => false,
        }
}

#[cfg(test)]
mod tests;
