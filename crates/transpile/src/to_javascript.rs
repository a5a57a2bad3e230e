//! Conversion to JavaScript with its module syntax unchanged, for tools. In: the source text,
//! options. Out: JavaScript, and the helper functions that it calls and does not define. Absent: a
//! source map.

use oxc::allocator::Allocator;
use oxc::ast::ast::{Program, StaticMemberExpression};
use oxc::ast_visit::{Visit, walk};

use crate::decorators::{self, Modules};
use crate::defines;
use crate::depth;
use crate::edits::Edits;
use crate::options::{Language, Options};
use crate::parse;
use crate::syntax_error::{SyntaxErrors, fail_if_any};
use crate::transform::{self, HELPERS};
use crate::transpile::unused_prefix;

/// The resulting JavaScript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JavaScriptOutput {
    pub text: String,
    pub helpers: Vec<HelperFunction>,
}

/// A helper function or class: its name, and its local name in the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HelperFunction {
    pub name: String,
    pub local: String,
}

/// Lowers TypeScript, JSX and decorators, and replaces defined constants.
pub fn to_javascript(source: &str, path: &str, options: &Options) -> Result<JavaScriptOutput, SyntaxErrors> {
    depth::with_deep_stack(source, || parse_and_lower(source, path, options))
}

fn parse_and_lower(source: &str, path: &str, options: &Options) -> Result<JavaScriptOutput, SyntaxErrors> {
    let allocator = Allocator::default();
    let mut parsed = parse::parse(&allocator, source, options.language, options.kind)?;
    let scoping = parse::scopes(&parsed.program, source)?;
    let kind = parsed.kind;
    let is_same =
        options.language == Language::JavaScript && !transform::is_needed(&parsed.program, source, options);
    let text = match is_same {
        true => source.to_owned(),
        false => transform::transform(&allocator, &mut parsed, scoping, path, source, options)?.0,
    };
    let plain = Allocator::default();
    let again = parse::parse(&plain, &text, Language::JavaScript, Some(kind))?;
    let scoping = parse::scopes(&again.program, &text)?;
    let prefix = unused_prefix(&options.prefix, &scoping, &text);
    let mut edits = Edits::new(&text);
    let mut helpers = if is_same { Vec::new() } else { called(&again.program, &prefix, &mut edits) };
    if decorators::may_contain_decorators(&again.program, &text) {
        let decoration = callee("Decoration", &prefix);
        let context = decorators::LoweringContext {
            scoping: &scoping,
            prefix: &prefix,
            decoration: &decoration.local,
            modules: Modules::Kept,
        };
        let (calls, diagnostics) = decorators::lower(&again.program, context, &mut edits);
        fail_if_any(diagnostics, &text)?;
        helpers.extend((calls > 0).then_some(decoration));
    }
    defines::replace_names(&again.program, &scoping, &options.defines, &mut edits);
    Ok(JavaScriptOutput { text: edits.apply().0, helpers })
}

/// Members of the helpers object become separate functions.
fn called(program: &Program<'_>, prefix: &str, edits: &mut Edits<'_>) -> Vec<HelperFunction> {
    let mut calls = Calls { prefix, edits, helpers: Vec::new() };
    calls.visit_program(program);
    calls.helpers
}

struct Calls<'c, 'e> {
    prefix: &'c str,
    edits: &'c mut Edits<'e>,
    helpers: Vec<HelperFunction>,
}

impl<'a> Visit<'a> for Calls<'_, '_> {
    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        if !member.object.is_specific_id(HELPERS) {
            return walk::walk_static_member_expression(self, member);
        }
        let callee = callee(&member.property.name, self.prefix);
        self.edits.replace(member.span.start..member.span.end, callee.local.clone());
        if !self.helpers.contains(&callee) {
            self.helpers.push(callee);
        }
    }
}

fn callee(name: &str, prefix: &str) -> HelperFunction {
    HelperFunction { name: name.to_owned(), local: format!("{prefix}{name}") }
}
