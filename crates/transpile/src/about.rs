//! What an error of the engine's is about, as V8 names it. In: a text, the place where the engine
//! saw the error, what went wrong there; or the text of an expression that it quoted. Out: V8's
//! message, where the text leaves one alone. Absent: values, which are in no text; the engine's own
//! words.

mod patterns;
mod places;
mod printed;
mod properties;
mod taken;
#[cfg(test)]
mod tests;
mod variables;

use oxc::allocator::Allocator;
use oxc::ast::ast::{Expression, Program, Statement};

use crate::depth;
use crate::options::Language;
use crate::parse;
use crate::positions::Place;
use crate::script::Kind;

pub use patterns::Pattern;
use places::offset;
pub(crate) use printed::print;

/// What the engine says went wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// A variable is read before its declaration has run.
    Uninitialized,
    /// Something that cannot be written was written: a constant, or a property.
    ReadOnly,
    /// A property cannot be added to an object.
    Added,
    Deleted,
    /// `Object.defineProperty` cannot change what is there.
    Redefined,
    /// Nothing cannot be taken apart: what it was is not told.
    Destructured,
    /// A value has no iterator; where it is `undefined` or `null`, that.
    Iterated(Option<&'static str>),
    /// What is spread has no iterator, or is nothing.
    Spread {
        is_nothing: bool,
    },
    /// What is called is no function.
    Called,
    /// A call that makes a regular expression was refused: the expression as V8 shows it is found,
    /// `/PATTERN/FLAGS`, and no message.
    Pattern,
    /// The same call, for its flags.
    PatternFlags,
}

/// Longer texts are not parsed for a message.
const TEXT_BYTES_MAX: usize = 4 << 20;

/// The regular expressions that stand on a line, from 0, in their order.
pub fn patterns_on_line(source: &str, language: Language, line: u32) -> Vec<Pattern> {
    let start = offset(source, Place { line, column: 0 });
    let found = start.and_then(|start| {
        in_program(source, language, |program| Some(patterns::on_line(program, source, start)))
    });
    found.unwrap_or_default()
}

/// V8's message for what went wrong at a place; none where the text leaves open what it was.
pub fn about(source: &str, language: Language, place: Place, wrong: Wrong) -> Option<String> {
    let at = offset(source, place)?;
    in_program(source, language, |program| find(program, source, at, wrong))
}

fn in_program<R: Send>(
    source: &str,
    language: Language,
    find: impl FnOnce(&Program<'_>) -> Option<R> + Send,
) -> Option<R> {
    if source.len() > TEXT_BYTES_MAX {
        return None;
    }
    let found = depth::guarded(source, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, source, language, None)?;
        Ok(find(&parsed.program))
    });
    found.ok().flatten()
}

fn find(program: &Program<'_>, source: &str, at: u32, wrong: Wrong) -> Option<String> {
    match wrong {
        Wrong::Uninitialized => variables::uninitialized(program, source, at),
        Wrong::ReadOnly => {
            properties::find(program, source, at, wrong).or_else(|| variables::constant(program, source, at))
        }
        Wrong::Pattern | Wrong::PatternFlags => patterns::find(program, at, wrong),
        Wrong::Added | Wrong::Deleted | Wrong::Redefined => properties::find(program, source, at, wrong),
        Wrong::Destructured | Wrong::Iterated(_) | Wrong::Spread { .. } | Wrong::Called => {
            taken::find(program, source, at, wrong)
        }
    }
}

/// What the engine was evaluating when it met `undefined` or `null`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evaluated {
    /// A property was read, of this name where the text has it.
    Read(Option<String>),
    Written(Option<String>),
    Deleted,
    /// A function was called, which may be the engine's.
    Called,
    Other,
}

/// Reads the text of an expression as engines quote it.
pub fn evaluated(text: &str) -> Option<Evaluated> {
    expression(text, |expression, _| Some(taken::evaluated(expression)))
}

/// An expression as V8 shows what is called.
pub fn shown(text: &str) -> Option<String> {
    expression(text, print)
}

/// The same of what `new` is to construct.
pub fn shown_of_new(text: &str) -> Option<String> {
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
    let found = depth::guarded(&whole, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, &whole, Language::JavaScript, Some(Kind::CommonJs))?;
        let [Statement::ExpressionStatement(statement)] = parsed.program.body.as_slice() else {
            return Ok(None);
        };
        let Expression::ParenthesizedExpression(inner) = &statement.expression else { return Ok(None) };
        Ok(body(&inner.expression, &whole))
    });
    found.ok().flatten()
}
