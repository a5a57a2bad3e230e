//! Minification: its settings; and that of a whole text. In: code and its map. Out: the same,
//! smaller.

use std::path::PathBuf;

use oxc::allocator::Allocator;
use oxc::codegen::{Codegen, CodegenOptions};
use oxc::parser::Parser;
use oxc::span::SourceType;
use oxc_minifier::{
    CompressOptions, CompressOptionsKeepNames, CompressOptionsUnused, MangleOptions, MangleOptionsKeepNames,
    Minifier, MinifierOptions,
};
use oxc_sourcemap::SourceMap;

use crate::diagnostic::Diagnostic;
use crate::options::BundleOptions;
use crate::print::codegen_settings;
use crate::problem;
use crate::source_map;

/// What declarations at the top level are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TopLevel {
    Module,
    /// Of a function, or of no other script.
    Private,
    /// Global.
    Script,
}

/// `top_level`: names in the outermost scope are made short too.
pub(crate) fn minifier(options: &BundleOptions, top_level: bool, unused: CompressOptionsUnused) -> Minifier {
    Minifier::new(MinifierOptions {
        mangle: options.minify.identifiers.then(|| MangleOptions {
            top_level: Some(top_level),
            keep_names: match options.keep_names {
                true => MangleOptionsKeepNames::all_true(),
                false => MangleOptionsKeepNames::all_false(),
            },
            ..MangleOptions::default()
        }),
        mangle_properties: None,
        compress: options.minify.syntax.then(|| CompressOptions {
            keep_names: match options.keep_names {
                true => CompressOptionsKeepNames::all_true(),
                false => CompressOptionsKeepNames::all_false(),
            },
            unused,
            ..CompressOptions::smallest()
        }),
    })
}

pub(crate) fn minify(
    code: &str,
    map: Option<&SourceMap<'static>>,
    options: &BundleOptions,
    top_level: TopLevel,
) -> Result<(String, Option<SourceMap<'static>>), Diagnostic> {
    let allocator = Allocator::default();
    let source_type = match top_level {
        TopLevel::Module => SourceType::mjs(),
        TopLevel::Private | TopLevel::Script => SourceType::cjs(),
    };
    let parsed = Parser::new(&allocator, code, source_type).parse();
    if parsed.panicked || parsed.diagnostics.has_errors() {
        let error = parsed.diagnostics.errors().next();
        let message = error.map(|error| error.message.to_string()).unwrap_or_default();
        let at = error.and_then(|error| error.labels.first().map(|label| label.offset())).unwrap_or(0);
        return Err(problem::unparsable_bundle(&message).at("(bundle)", code, at..at));
    }
    let mut program = parsed.program;
    let minifier = minifier(options, top_level != TopLevel::Script, CompressOptionsUnused::Remove);
    let minified = minifier.minify(&allocator, &mut program);
    let keeps_annotations = !options.minify.whitespace && options.keeps_annotations;
    let settings = CodegenOptions {
        minify: options.minify.whitespace,
        ..codegen_settings(keeps_annotations, map.map(|_| PathBuf::from("bundle")))
    };
    let printed = Codegen::new()
        .with_options(settings)
        .with_scoping(minified.scoping)
        .with_private_member_mappings(minified.class_private_mappings)
        .build(&program);
    let map = match (map, printed.map) {
        (Some(inner), Some(outer)) => Some(source_map::compose(&outer, inner)),
        _ => None,
    };
    Ok((printed.code, map))
}
