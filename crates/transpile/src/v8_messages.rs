//! V8's error messages for errors of JavaScriptCore. In: the source text, the error's position and
//! kind; or an expression that the engine quoted. Out: V8's message, if the source text determines
//! it. Absent: messages that depend on values; the engine's own messages.

mod byte_offset;
mod call_printer;
mod operands;
mod properties;
mod regexps;
#[cfg(test)]
mod tests;
mod variables;

use oxc::allocator::Allocator;
use oxc::ast::ast::{Expression, Program, Statement};

use crate::depth;
use crate::options::Language;
use crate::parse;
use crate::position_map::SourcePosition;
use crate::script::SourceKind;

use byte_offset::byte_offset;
pub(crate) use call_printer::print;
pub use regexps::RegExpSource;

/// The kind of an engine error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineErrorKind {
    /// A variable is read before its declaration has run.
    Uninitialized,
    /// Assignment to a constant, or to a read-only property.
    ReadOnly,
    /// A property cannot be added to an object.
    NotExtensible,
    NotDeletable,
    /// `Object.defineProperty` cannot redefine a property.
    NotRedefinable,
    /// `undefined` or `null` cannot be destructured; the engine does not report which.
    NotDestructurable,
    /// A value is not iterable; the string is set if it is `undefined` or `null`.
    NotIterable(Option<&'static str>),
    /// The operand of a spread is not iterable, or is `undefined` or `null`.
    NotSpreadable {
        is_nullish: bool,
    },
    /// The callee is no function.
    NotCallable,
    /// A call of the RegExp constructor failed: the result is the expression as V8 prints it,
    /// `/PATTERN/FLAGS`, instead of a message.
    InvalidRegExp,
    /// The same call failed for its flags.
    InvalidRegExpFlags,
}

/// A longer source is not parsed for a message.
const TEXT_BYTES_MAX: usize = 4 << 20;

/// The regular expression literals on a line (from 0), in order.
pub fn regexps_on_line(source: &str, language: Language, line: u32) -> Vec<RegExpSource> {
    let start = byte_offset(source, SourcePosition { line, column: 0 });
    let found = start.and_then(|start| {
        in_program(source, language, |program| Some(regexps::on_line(program, source, start)))
    });
    found.unwrap_or_default()
}

/// V8's message for an error at a position; None if the source text does not determine it.
pub fn v8_message(
    source: &str,
    language: Language,
    position: SourcePosition,
    kind: EngineErrorKind,
) -> Option<String> {
    let at = byte_offset(source, position)?;
    in_program(source, language, |program| find(program, source, at, kind))
}

fn in_program<R: Send>(
    source: &str,
    language: Language,
    find: impl FnOnce(&Program<'_>) -> Option<R> + Send,
) -> Option<R> {
    if source.len() > TEXT_BYTES_MAX {
        return None;
    }
    let found = depth::with_deep_stack(source, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, source, language, None)?;
        Ok(find(&parsed.program))
    });
    found.ok().flatten()
}

fn find(program: &Program<'_>, source: &str, at: u32, kind: EngineErrorKind) -> Option<String> {
    match kind {
        EngineErrorKind::Uninitialized => variables::uninitialized(program, source, at),
        EngineErrorKind::ReadOnly => {
            properties::find(program, source, at, kind).or_else(|| variables::constant(program, source, at))
        }
        EngineErrorKind::InvalidRegExp | EngineErrorKind::InvalidRegExpFlags => {
            regexps::find(program, at, kind)
        }
        EngineErrorKind::NotExtensible | EngineErrorKind::NotDeletable | EngineErrorKind::NotRedefinable => {
            properties::find(program, source, at, kind)
        }
        EngineErrorKind::NotDestructurable
        | EngineErrorKind::NotIterable(_)
        | EngineErrorKind::NotSpreadable { .. }
        | EngineErrorKind::NotCallable => operands::find(program, source, at, kind),
    }
}

/// The operation that failed on `undefined` or `null`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NullishUse {
    /// A property was read; its name, if the source text has it.
    Get(Option<String>),
    Set(Option<String>),
    Delete,
    /// A function was called, perhaps a builtin.
    Call,
    Other,
}

/// Parses the source text of an expression as the engine quotes it.
pub fn nullish_use(text: &str) -> Option<NullishUse> {
    expression(text, |expression, _| Some(operands::nullish_use(expression)))
}

/// An expression as V8 prints a callee.
pub fn print_callee(text: &str) -> Option<String> {
    expression(text, print)
}

/// The same for the operand of `new`.
pub fn print_constructor(text: &str) -> Option<String> {
    expression(text, |expression, source| match expression {
        Expression::NewExpression(new) => print(&new.callee, source),
        _ => None,
    })
}

/// Private names are valid only within classes.
fn expression<R: Send>(
    text: &str,
    body: impl FnOnce(&Expression<'_>, &str) -> Option<R> + Send,
) -> Option<R> {
    if text.contains('#') {
        return None;
    }
    // Without parentheses a brace would begin a block, and a string would be a directive.
    let is_async = text.contains("await");
    let whole = if is_async { format!("async()=>({text}\n)") } else { format!("({text}\n)") };
    let found = depth::with_deep_stack(&whole, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, &whole, Language::JavaScript, Some(SourceKind::CommonJs))?;
        let [Statement::ExpressionStatement(statement)] = parsed.program.body.as_slice() else {
            return Ok(None);
        };
        let whole_expression = match &statement.expression {
            Expression::ArrowFunctionExpression(arrow) if is_async => arrow.get_expression(),
            expression => Some(expression),
        };
        let Some(Expression::ParenthesizedExpression(inner)) = whole_expression else { return Ok(None) };
        Ok(body(&inner.expression, &whole))
    });
    found.ok().flatten()
}
