//! Messages of the engine's own errors, in V8's words, which programs look for. In: a message as
//! the engine has it. Out: V8's, where it follows from the engine's alone; the engine's, where what
//! stands in the program's text tells more (crates/runtime/src/source_positions/error_messages.rs).
//! Absent: what V8 says by values that the engine does not name (the key behind `a[key]`, the text
//! that is no JSON).
//!
//! It is asked for every message that a program reads, and most are the program's own: what is in
//! no table has to be seen soon.

mod beginnings;
mod expression;
mod patterns;
mod same;
mod syntax;
mod templates;
#[cfg(test)]
mod tests;

/// V8's words for the engine's, where it has others, or the same ones.
pub fn in_v8(message: &str) -> Option<String> {
    if !beginnings::is_known(message) {
        return expression::of_expression(message);
    }
    same::find(message)
        .map(str::to_owned)
        .or_else(|| syntax::of_unexpected(message))
        .or_else(|| templates::fill(message))
        .or_else(|| expression::of_expression(message))
}
