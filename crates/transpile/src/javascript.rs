//! A text as JavaScript, its modules as they are: for tools that go on with it. In: a text, options. Out: a text; the same one where it is
//! JavaScript already. Absent: the places where its parts come from.

use oxc::allocator::Allocator;

use crate::defines;
use crate::edits::Edits;
use crate::options::{Language, Options};
use crate::parse;
use crate::syntax_error::SyntaxErrors;
use crate::transform;

/// TypeScript and JSX become JavaScript, constants stand for names.
pub fn javascript(source: &str, path: &str, options: &Options) -> Result<String, SyntaxErrors> {
    let allocator = Allocator::default();
    let mut parsed = parse::parse(&allocator, source, options.language, options.kind)?;
    let scoping = parse::scopes(&parsed.program, source)?;
    let kind = parsed.kind;
    let text = match options.language == Language::JavaScript && !transform::is_needed(&parsed.program) {
        true => source.to_owned(),
        false => transform::transform(&allocator, &mut parsed, scoping, path, source, options)?.0,
    };
    let plain = Allocator::default();
    let again = parse::parse(&plain, &text, Language::JavaScript, Some(kind))?;
    let scoping = parse::scopes(&again.program, &text)?;
    let mut edits = Edits::new(&text);
    defines::put(&again.program, &scoping, &options.defines, &mut edits);
    Ok(edits.apply().0)
}
