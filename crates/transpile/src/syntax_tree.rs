//! Syntax tree of a file as JavaScript with its module syntax unchanged, for the bundler. In: the
//! source text, options. Out: the tree in the caller's arena, and its scopes. Absent: printing,
//! defined constants.

use oxc::allocator::Allocator;
use oxc::ast::ast::Program;
use oxc::semantic::Scoping;

use crate::decorators;
use crate::depth;
use crate::options::{Language, Options};
use crate::parse::{self, Parsed};
use crate::script::SourceKind;
use crate::syntax_error::SyntaxErrors;
use crate::to_javascript::{self, HelperFunction};
use crate::transform;

/// A file as JavaScript.
pub struct SyntaxTree<'a> {
    pub program: Program<'a>,
    pub scoping: Scoping,
    pub kind: SourceKind,
    /// Functions that generated code calls by these local names. Other ones are members of
    /// [`HELPERS_OBJECT`].
    pub helpers: Vec<HelperFunction>,
}

/// The object whose members transformed code calls.
pub const HELPERS_OBJECT: &str = transform::HELPERS;

/// Parses a file, and lowers TypeScript, JSX and decorators. `stack_bytes`: the size of the
/// caller's stack.
pub fn syntax_tree<'a>(
    allocator: &'a Allocator,
    source: &'a str,
    path: &str,
    options: &Options,
    stack_bytes: usize,
) -> Result<SyntaxTree<'a>, SyntaxErrors> {
    depth::check(source, stack_bytes)?;
    let mut parsed = parse::parse(allocator, source, options.language, options.kind)?;
    let scoping = parse::scopes(&parsed.program, source)?;
    let is_standard = options.decorators == crate::options::Decorators::Standard;
    if is_standard && decorators::may_contain_decorators(&parsed.program, source) {
        return of_decorated(allocator, source, path, options);
    }
    if options.language == Language::JavaScript && !transform::is_needed(&parsed.program, source, options) {
        let Parsed { program, kind } = parsed;
        return Ok(SyntaxTree { program, scoping, kind, helpers: Vec::new() });
    }
    let counts = parse::counts(&scoping);
    transform::transform_tree(allocator, &mut parsed, scoping, path, source, options)?;
    let scoping = parse::rebuild_scopes(&parsed.program, counts);
    let Parsed { program, kind } = parsed;
    Ok(SyntaxTree { program, scoping, kind, helpers: Vec::new() })
}

/// Standard decorators are lowered in the text. Positions are those of the lowered text.
fn of_decorated<'a>(
    allocator: &'a Allocator,
    source: &'a str,
    path: &str,
    options: &Options,
) -> Result<SyntaxTree<'a>, SyntaxErrors> {
    let output = to_javascript::to_javascript(source, path, options)?;
    let text = allocator.alloc_str(&output.text);
    let parsed = parse::parse(allocator, text, Language::JavaScript, options.kind)?;
    let scoping = parse::scopes(&parsed.program, text)?;
    let Parsed { program, kind } = parsed;
    Ok(SyntaxTree { program, scoping, kind, helpers: output.helpers })
}
