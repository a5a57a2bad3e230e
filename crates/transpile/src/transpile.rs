//! Transpiles a file: parse, transform what is no JavaScript, lower modules. In: the source text.
//! Out: a `Script`.

use std::mem::replace;
use std::ops::Range;

use oxc::allocator::Allocator;
use oxc::semantic::Scoping;
use oxc::span::SourceType;

use crate::async_context;
use crate::bun_wrapper;
use crate::decorators;
use crate::defines;
use crate::depth;
use crate::edits::{Edits, is_line_end};
use crate::module::items;
use crate::module::uses::{self, UsesContext};
use crate::module_state;
use crate::options::{AsyncContext, Language, ModuleState, Options, PREFIX};
use crate::parse::{self, Parsed};
use crate::plain_typescript;
use crate::position_map::PositionMap;
use crate::scan;
use crate::script::{Script, SourceKind};
use crate::source_map::SourceMap;
use crate::syntax_error::{SyntaxErrors, fail_if_any};
use crate::transform;

/// Prepares a file for the engine. `path` is the file name in development builds of JSX.
///
/// A CommonJS file that needs no changes is not parsed. If the engine rejects it,
/// `transpile_parsed` returns the error, or a module.
pub fn transpile(source: &str, path: &str, options: &Options) -> Result<Script, SyntaxErrors> {
    if let Some(text) = bun_wrapper::with_call(source) {
        let mut script = transpile_text(&text, path, options)?;
        script.text.get_or_insert(text);
        return Ok(script);
    }
    transpile_text(source, path, options)
}

fn transpile_text(source: &str, path: &str, options: &Options) -> Result<Script, SyntaxErrors> {
    if is_passthrough(source, options) {
        return Ok(passthrough(source));
    }
    transpile_parsed(source, path, options)
}

/// Whether the engine takes the file unchanged.
pub(crate) fn is_passthrough(source: &str, options: &Options) -> bool {
    let is_script =
        options.language == Language::JavaScript && matches!(options.kind, None | Some(SourceKind::CommonJs));
    let tracks_context =
        options.async_context == AsyncContext::Propagated && async_context::may_await(source);
    is_script && !tracks_context && !options.defines.may_match(source) && scan::is_plain_script(source)
}

/// Like `transpile`, but always parses.
pub fn transpile_parsed(source: &str, path: &str, options: &Options) -> Result<Script, SyntaxErrors> {
    depth::with_deep_stack(source, || parse_and_lower(source, path, options))
}

fn parse_and_lower(source: &str, path: &str, options: &Options) -> Result<Script, SyntaxErrors> {
    let allocator = Allocator::default();
    let mut parsed = parse::parse(&allocator, source, options.language, options.kind)?;
    if parsed.kind == SourceKind::CommonJs {
        fail_if_any(parse::shadowed_wrapper_parameter(&parsed.program).into_iter().collect(), source)?;
    }
    let is_plain =
        || !scan::may_need_transform(source) || !transform::is_needed(&parsed.program, source, options);
    if options.language == Language::JavaScript && is_plain() {
        let scoping = parse::scopes(&parsed.program, source)?;
        return lower(source, &parsed, scoping, &SourceMap::default(), options);
    }
    if let Some(script) = lower_plain_typescript(source, &mut parsed, options)? {
        return Ok(script);
    }
    let scoping = parse::scopes(&parsed.program, source)?;
    let (text, map) = transform::transform(&allocator, &mut parsed, scoping, path, source, options)?;
    let plain = Allocator::default();
    let lowered = parse::parse(&plain, &text, Language::JavaScript, Some(parsed.kind)).and_then(|again| {
        let scoping = parse::scopes(&again.program, &text)?;
        lower(&text, &again, scoping, &map, options)
    });
    match lowered {
        Ok(mut script) => {
            script.positions.generated = map;
            Ok(script)
        }
        Err(errors) => Err(errors.of_generated(&map, source)),
    }
}

/// Lowers a module of TypeScript that is one of JavaScript; `None`: it is not.
fn lower_plain_typescript<'a>(
    source: &str,
    parsed: &mut Parsed<'a>,
    options: &Options,
) -> Result<Option<Script>, SyntaxErrors> {
    let may_be_plain = options.language == Language::TypeScript && parsed.kind == SourceKind::Module;
    if !may_be_plain || !plain_typescript::has_no_types(&parsed.program, source, options) {
        return Ok(None);
    }
    // The rules of scopes are those of JavaScript.
    let typed = replace(&mut parsed.program.source_type, SourceType::mjs());
    let scoping = parse::scopes(&parsed.program, source)?;
    if !plain_typescript::keeps_imports(&parsed.program, &scoping, options) {
        parsed.program.source_type = typed;
        return Ok(None);
    }
    lower(source, parsed, scoping, &SourceMap::default(), options).map(Some)
}

/// An unchanged script; a hashbang becomes a comment.
fn passthrough(source: &str) -> Script {
    let text = first_line_comment(source).map(|marker| {
        let mut text = source.to_owned();
        text.replace_range(marker.start as usize..marker.end as usize, "//");
        text
    });
    Script {
        kind: SourceKind::CommonJs,
        is_parsed: false,
        text,
        prefix: PREFIX.to_owned(),
        ..Script::empty()
    }
}

/// Lowers JavaScript modules by edits. `map`: the source map if the code was generated.
fn lower(
    source: &str,
    parsed: &Parsed<'_>,
    scoping: Scoping,
    map: &SourceMap,
    options: &Options,
) -> Result<Script, SyntaxErrors> {
    let Parsed { program, kind } = parsed;
    let prefix = unused_prefix(&options.prefix, &scoping, source);
    let mut edits = Edits::new(source);
    if let Some(marker) = first_line_comment(source) {
        edits.replace(marker, "//");
    }
    let mut items = match kind {
        SourceKind::Module => items::lower(program, &scoping, &prefix, &mut edits),
        SourceKind::CommonJs | SourceKind::Script => items::Items::default(),
    };
    if *kind == SourceKind::Module && options.module_state == ModuleState::Reported {
        items.prologue.extend(module_state::code(program, &scoping, &prefix));
    }
    fail_if_any(items.diagnostics, source)?;
    let is_generated = map.is_generated();
    let cjs_globals = options.cjs_globals;
    let context = UsesContext {
        kind: *kind,
        scoping: &scoping,
        prefix: &prefix,
        reads: &items.reads,
        cjs_globals,
        is_generated,
    };
    let has_top_level_await = uses::rewrite(program, context, &mut edits);
    defines::replace_names(program, &scoping, &options.defines, &mut edits);
    if options.async_context == AsyncContext::Propagated && async_context::may_await(source) {
        async_context::propagate(program, &prefix, &mut edits);
    }
    if decorators::may_contain_decorators(program, source) {
        let decoration = format!("{prefix}.helpers.Decoration");
        let context = decorators::LoweringContext {
            scoping: &scoping,
            prefix: &prefix,
            decoration: &decoration,
            modules: decorators::Modules::Lowered,
        };
        fail_if_any(decorators::lower(program, context, &mut edits).1, source)?;
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
        positions: PositionMap::new(segments, SourceMap::default()),
    })
}

/// The two bytes of `#!` or `-->` at the start of a file, which are replaced by `//`: within a
/// function they would not be comments.
fn first_line_comment(source: &str) -> Option<Range<u32>> {
    if source.starts_with("#!") {
        return Some(0..2);
    }
    let mut rest = source;
    loop {
        let is_gap =
            |character: char| character == '\u{feff}' || character.is_whitespace() && !is_line_end(character);
        rest = rest.trim_start_matches(is_gap);
        let Some(comment) = rest.strip_prefix("/*") else { break };
        let (comment, after) = comment.split_once("*/")?;
        if comment.contains(is_line_end) {
            return None;
        }
        rest = after;
    }
    let at = (source.len() - rest.len()) as u32;
    rest.starts_with("-->").then_some(at..at + 2)
}

/// A prefix that no name of the file has.
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
