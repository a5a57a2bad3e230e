//! Offset of a script's first statement, after its hashbang and directives. In: the source text.
//! Out: the offset. Absent: which directives there are.

use oxc::allocator::Allocator;

use crate::depth;
use crate::options::Language;
use crate::parse;
use crate::script::SourceKind;

/// In bytes; None if the source text does not parse.
pub fn first_statement(source: &str) -> Option<usize> {
    let offset = depth::with_deep_stack(source, || {
        let allocator = Allocator::default();
        let parsed = parse::parse(&allocator, source, Language::JavaScript, Some(SourceKind::CommonJs))?;
        let directive = parsed.program.directives.last().map(|directive| directive.span.end);
        let hashbang = parsed.program.hashbang.as_ref().map(|line| line.span.end);
        Ok(directive.or(hashbang).unwrap_or(0) as usize)
    });
    offset.ok()
}

#[cfg(test)]
mod tests;
