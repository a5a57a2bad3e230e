//! Messages of the engine's own errors, in V8's words, which programs look for. In: a message as the engine has it. Out: V8's, where it follows from the engine's alone. Absent: what V8 says by
//! values that the engine does not name (the key behind `a[key]`, the text that is no JSON): those stay in the engine's words.
//!
//! It is asked for every message that a program reads, and most are the program's own: what is in no table has to be seen soon.

mod expression;
mod same;
mod syntax;
mod templates;
#[cfg(test)]
mod tests;

/// V8's words for the engine's, where it has others.
pub(crate) fn in_v8(message: &str) -> Option<String> {
    same::find(message)
        .map(str::to_owned)
        .or_else(|| syntax::of_unexpected(message))
        .or_else(|| templates::fill(message))
        .or_else(|| expression::of_expression(message))
}
