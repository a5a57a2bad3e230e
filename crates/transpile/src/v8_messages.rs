//! What an error of the engine's is about, as V8 names it. In: a text, the place where the engine
//! saw the error, what went wrong there; or the text of an expression that it quoted. Out: V8's
//! message, where the text leaves one alone. Absent: values, which are in no text; the engine's own
//! words.

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

/// What the engine says went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineErrorKind {
    /// A variable is read before its declaration has run.
    Uninitialized,
    /// Something that cannot be written was written: a constant, or a property.
    ReadOnly,
    /// A property cannot be added to an object.
    NotExtensible,
    NotDeletable,
    /// `Object.defineProperty` cannot change what is there.
    NotRedefinable,
    /// Nothing cannot be taken apart: what it was is not told.
    NotDestructurable,
    /// A value has no iterator; where it is `undefined` or `null`, that.
    NotIterable(Option<&'static str>),
    /// What is spread has no iterator, or is nothing.
    NotSpreadable {
        is_nullish: bool,
    },
    /// What is called is no function.
    NotCallable,
    /// A call that makes a regular expression was refused: the expression as V8 shows it is found,
    /// `/PATTERN/FLAGS`, and no message.
    InvalidRegExp,
    /// The same call, for its flags.
    InvalidRegExpFlags,
}

/// Longer texts are not parsed for a message.
const TEXT_BYTES_MAX: usize = 4 << 20;

/// The regular expressions that stand on a line, from 0, in their order.
pub fn regexps_on_line(source: &str, language: Language, line: u32) -> Vec<RegExpSource> {
    let start = byte_offset(source, SourcePosition { line, column: 0 });
    let found = start.and_then(|start| {
        in_program(source, language, |program| Some(regexps::on_line(program, source, start)))
    });
    found.unwrap_or_default()
}

/// V8's message for what went wrong at a place; none where the text leaves open what it was.
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

/// What the engine was evaluating when it met `undefined` or `null`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NullishUse {
    /// A property was read, of this name where the text has it.
    Get(Option<String>),
    Set(Option<String>),
    Delete,
    /// A function was called, which may be the engine's.
    Call,
    Other,
}

/// Reads the text of an expression as engines quote it.
pub fn nullish_use(text: &str) -> Option<NullishUse> {
    expression(text, |expression, _| Some(operands::nullish_use(expression)))
}

/// An expression as V8 shows what is called.
pub fn print_callee(text: &str) -> Option<String> {
    expression(text, print)
}

/// The same of what `new` is to construct.
pub fn print_constructor(text: &str) -> Option<String> {
    expression(text, |expression, source| match expression {
        Expression::NewExpression(new) => print(&new.callee, source),
        _ => None,
    })
}

/// Names of private members stand in classes alone.
fn expression<R: Send>(
    text: &str,
    body: impl FnOnce(&Expression<'_>, &str) -> Option<R> + Send,
) -> Option<R> {
    if text.contains('#') {
        return None;
    }
    // A brace would begin a block, and a text alone is a directive.
    let whole = format!("({text}\n)");
    let found = depth::with_deep_stack(&whole, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, &whole, Language::JavaScript, Some(SourceKind::CommonJs))?;
        let [Statement::ExpressionStatement(statement)] = parsed.program.body.as_slice() else {
            return Ok(None);
        };
        let Expression::ParenthesizedExpression(inner) = &statement.expression else { return Ok(None) };
        Ok(body(&inner.expression, &whole))
    });
    found.ok().flatten()
}
