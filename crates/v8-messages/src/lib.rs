//! V8's messages for JavaScriptCore's errors; programs match on V8's. In: the engine's message.
//! Out: V8's, where it follows from the engine's alone; the engine's, where the source text at the
//! error's position is needed (crates/runtime/src/source_positions/error_messages.rs). Absent:
//! messages with values that the engine does not name (the key of `a[key]`, the invalid JSON).
//!
//! Translation runs for every message that a program reads, and most are the program's own: so a
//! message that is in no table is rejected quickly.

mod exact;
mod expression;
mod prefixes;
mod regexp;
mod syntax;
mod templates;
#[cfg(test)]
mod tests;

/// V8's message for an engine's. The same message, where only the source text tells V8's. `None`:
/// it is not the engine's.
pub fn v8_message(message: &str) -> Option<String> {
    if !prefixes::may_be_known(message) {
        return expression::translate(message);
    }
    exact::find(message)
        .map(str::to_owned)
        .or_else(|| syntax::translate(message))
        .or_else(|| templates::translate(message))
        .or_else(|| expression::translate(message))
}
