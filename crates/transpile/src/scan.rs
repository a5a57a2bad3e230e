//! What a text cannot contain, told by its bytes alone. In: a text. Out: whether it is worth parsing. Absent: certainty: a word
//! in a comment counts.

/// Whether JavaScript may hold what the engine does not know: `using`, decorators.
pub(crate) fn may_need_transform(source: &str) -> bool {
    source.contains("using ") || source.contains('@')
}
