//! The job: parse, transform what is no JavaScript, lower modules. In: a text. Out: a `Script`.

use oxc::allocator::Allocator;
use oxc::semantic::Scoping;

use crate::async_context;
use crate::decorators;
use crate::defines;
use crate::depth;
use crate::edits::Edits;
use crate::module::items;
use crate::module::uses::{self, Scene};
use crate::options::{AsyncContext, Language, Options, PREFIX};
use crate::parse::{self, Parsed};
use crate::positions::Positions;
use crate::scan;
use crate::script::{Kind, Script};
use crate::source_map::SourceMap;
use crate::syntax_error::{SyntaxErrors, refuse};
use crate::transform;

/// Makes a file ready for the engine. `path` is what development builds of JSX call the file.
///
/// A CommonJS file that needs nothing is not even parsed. Should the engine refuse it, `transpile_parsed` says why, or makes a
/// module of it.
pub fn transpile(source: &str, path: &str, options: &Options) -> Result<Script, SyntaxErrors> {
    if needs_nothing(source, options) {
        return Ok(unparsed(source));
    }
    transpile_parsed(source, path, options)
}

/// Whether the engine takes it as it is.
pub(crate) fn needs_nothing(source: &str, options: &Options) -> bool {
    let is_script =
        options.language == Language::JavaScript && matches!(options.kind, None | Some(Kind::CommonJs));
    let keeps = options.async_context == AsyncContext::Kept && async_context::may_await(source);
    is_script && !keeps && !options.defines.may_stand_in(source) && scan::is_plain_script(source)
}

/// As `transpile`, whatever the text looks like.
pub fn transpile_parsed(source: &str, path: &str, options: &Options) -> Result<Script, SyntaxErrors> {
    depth::guarded(source, || parse_and_lower(source, path, options))
}

fn parse_and_lower(source: &str, path: &str, options: &Options) -> Result<Script, SyntaxErrors> {
    let allocator = Allocator::default();
    let mut parsed = parse::parse(&allocator, source, options.language, options.kind)?;
    if parsed.kind == Kind::CommonJs {
        refuse(parse::hidden_argument(&parsed.program).into_iter().collect(), source)?;
    }
    let is_plain = || !scan::may_need_transform(source) || !transform::is_needed(&parsed.program, options);
    if options.language == Language::JavaScript && is_plain() {
        return lower(source, &parsed, SourceMap::default(), options);
    }
    let scoping = parse::scopes(&parsed.program, source)?;
    let (text, map) = transform::transform(&allocator, &mut parsed, scoping, path, source, options)?;
    let plain = Allocator::default();
    let again = parse::parse(&plain, &text, Language::JavaScript, Some(parsed.kind))?;
    lower(&text, &again, map, options)
}

/// A script that stays as it is; a line for the kernel becomes a comment.
fn unparsed(source: &str) -> Script {
    let text = source.strip_prefix("#!").map(|rest| format!("//{rest}"));
    Script { kind: Kind::CommonJs, is_parsed: false, text, prefix: PREFIX.to_owned(), ..Script::empty() }
}

/// JavaScript, but for modules: the text changed in place.
fn lower(
    source: &str,
    parsed: &Parsed<'_>,
    map: SourceMap,
    options: &Options,
) -> Result<Script, SyntaxErrors> {
    let Parsed { program, kind } = parsed;
    let scoping = parse::scopes(program, source)?;
    let prefix = unused_prefix(&options.prefix, &scoping, source);
    let mut edits = Edits::new(source);
    if let Some(hashbang) = &program.hashbang {
        edits.replace(hashbang.span.start..hashbang.span.start + 2, "//");
    }
    let items = match kind {
        Kind::Module => items::lower(program, &scoping, &prefix, &mut edits),
        Kind::CommonJs | Kind::Script => items::Items::default(),
    };
    refuse(items.faults, source)?;
    let is_generated = map.is_generated();
    let names = options.names;
    let scene =
        Scene { kind: *kind, scoping: &scoping, prefix: &prefix, reads: &items.reads, names, is_generated };
    let has_top_level_await = uses::rewrite(program, scene, &mut edits);
    defines::put(program, &scoping, &options.defines, &mut edits);
    if options.async_context == AsyncContext::Kept && async_context::may_await(source) {
        async_context::keep(program, &prefix, &mut edits);
    }
    if decorators::may_stand_in(program, source) {
        let decoration = format!("{prefix}.helpers.Decoration");
        let scene = decorators::Scene {
            scoping: &scoping,
            prefix: &prefix,
            decoration: &decoration,
            modules: decorators::Modules::Lowered,
        };
        refuse(decorators::lower(program, scene, &mut edits).1, source)?;
    }
    let is_same = edits.is_empty() && !is_generated;
    let (text, segments) = edits.apply();
    Ok(Script {
        kind: *kind,
        is_parsed: true,
        text: (!is_same).then_some(text),
        prefix,
        tables: items.tables,
        has_top_level_await,
        parameters: items.parameters,
        prologue: items.prologue,
        positions: Positions::new(segments, map),
    })
}

/// Letters with which no name of the file begins.
pub(crate) fn unused_prefix(wanted: &str, scoping: &Scoping, source: &str) -> String {
    let mut prefix = wanted.to_owned();
    let is_used = |prefix: &str| {
        scoping.symbol_names().any(|name| name.starts_with(prefix))
            || scoping.root_unresolved_references().keys().any(|name| name.as_str().starts_with(prefix))
            || source.contains(&format!("#{prefix}"))
    };
    while is_used(&prefix) {
        prefix.push('_');
    }
    prefix
}

#[cfg(test)]
mod tests;
