//! Minification: its settings; and that of a whole text. In: code and its map. Out: the same,
//! smaller.

use std::path::PathBuf;

use oxc::allocator::Allocator;
use oxc::ast::ast::{BindingPattern, Expression, Program, Statement, VariableDeclarator};
use oxc::codegen::{Codegen, CodegenOptions};
use oxc::mangler::{MangleOptions, MangleOptionsKeepNames, Mangler, ManglerReturn};
use oxc::parser::Parser;
use oxc::semantic::{Scoping, SemanticBuilder, Stats};
use oxc::span::SourceType;
use oxc_minifier::{CompressOptions, CompressOptionsKeepNames, CompressOptionsUnused, Compressor};
use oxc_sourcemap::SourceMap;

use crate::diagnostic::Diagnostic;
use crate::options::BundleOptions;
use crate::print::codegen_settings;
use crate::problem;
use crate::source_map;

/// Larger modules are compressed in one pass, and constants that it made unused are removed:
/// further walks of the whole tree make a bundle of react-dom smaller by 45 bytes of 220,886.
const ONE_PASS_BYTES_MIN: u32 = 256 << 10;

/// What declarations at the top level are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TopLevel {
    Module,
    /// Of a function, or of no other script.
    Private,
    /// Global.
    Script,
}

/// What is minified, and how.
#[derive(Clone, Copy)]
pub(crate) struct MinifySettings<'o> {
    pub(crate) options: &'o BundleOptions,
    /// Names in the outermost scope are made short too.
    pub(crate) top_level: bool,
    pub(crate) unused: CompressOptionsUnused,
    /// The size of the scopes, where it is known: else they are counted in a walk of their own.
    pub(crate) counts: Option<Stats>,
}

impl MinifySettings<'_> {
    /// The passes of oxc's minifier, which takes no counts. Out: short names, if there are some.
    pub(crate) fn minify<'a>(
        self,
        allocator: &'a Allocator,
        program: &mut Program<'a>,
    ) -> Option<ManglerReturn> {
        let mut counts = self.counts;
        let is_large = program.span.size() > ONE_PASS_BYTES_MIN;
        if let Some(compress) = self.compress(is_large) {
            let builder = match counts {
                Some(counts) => SemanticBuilder::new().with_stats(counts),
                None => SemanticBuilder::new(),
            };
            let semantic = builder.build(program).semantic;
            counts = Some(semantic.stats());
            let scoping = semantic.into_scoping();
            Compressor::new(allocator).build_with_scoping(program, scoping, compress);
        }
        let mangler = Mangler::default().with_options(self.mangle()?);
        let mangler = match counts {
            Some(counts) => mangler.with_stats(counts),
            None => mangler,
        };
        let names = mangler.build(program);
        let removes_unused = self.unused == CompressOptionsUnused::Remove && program.source_type.is_module();
        if is_large && self.options.minify.syntax && removes_unused {
            remove_unused_constants(program, &names.scoping);
        }
        Some(names)
    }

    fn compress(self, is_large: bool) -> Option<CompressOptions> {
        // Names are wanted too where identifiers are not minified.
        let keeps_names = self.options.keep_names || !self.options.minify.identifiers;
        let keep_names = match keeps_names {
            true => CompressOptionsKeepNames::all_true(),
            false => CompressOptionsKeepNames::all_false(),
        };
        let compress = || CompressOptions {
            keep_names,
            unused: self.unused,
            // `--drop=debugger` has removed them.
            drop_debugger: false,
            max_iterations: is_large.then_some(0),
            ..CompressOptions::smallest()
        };
        self.options.minify.syntax.then(compress)
    }

    fn mangle(self) -> Option<MangleOptions> {
        let keep_names = match self.options.keep_names {
            true => MangleOptionsKeepNames::all_true(),
            false => MangleOptionsKeepNames::all_false(),
        };
        let mangle =
            || MangleOptions { top_level: Some(self.top_level), keep_names, ..MangleOptions::default() };
        self.options.minify.identifiers.then(mangle)
    }
}

/// Removes variables that nothing refers to, because their value stands where they were used.
fn remove_unused_constants(program: &mut Program<'_>, scoping: &Scoping) {
    let is_unused = |declarator: &VariableDeclarator<'_>| {
        let BindingPattern::BindingIdentifier(name) = &declarator.id else { return false };
        let is_constant = |value: &Expression<'_>| match value {
            Expression::TemplateLiteral(template) => template.expressions.is_empty(),
            value => value.is_literal(),
        };
        declarator.init.as_ref().is_some_and(is_constant)
            && name.symbol_id.get().is_some_and(|symbol| scoping.symbol_is_unused(symbol))
    };
    for statement in &mut program.body {
        if let Statement::VariableDeclaration(variables) = statement {
            variables.declarations.retain(|declarator| !is_unused(declarator));
        }
    }
    let is_empty = |statement: &Statement<'_>| matches!(statement, Statement::VariableDeclaration(variables) if variables.declarations.is_empty());
    program.body.retain(|statement| !is_empty(statement));
}

/// Prints with the names that minification chose.
pub(crate) fn with_names(codegen: Codegen<'_>, names: Option<ManglerReturn>) -> Codegen<'_> {
    let Some(names) = names else { return codegen };
    codegen.with_scoping(Some(names.scoping)).with_private_member_mappings(Some(names.class_private_mappings))
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
    let settings = MinifySettings {
        options,
        top_level: top_level != TopLevel::Script,
        unused: CompressOptionsUnused::Remove,
        counts: None,
    };
    let minified = settings.minify(&allocator, &mut program);
    let settings = CodegenOptions {
        minify: options.minify.whitespace,
        ..codegen_settings(options.keeps_annotations, map.map(|_| PathBuf::from("bundle")))
    };
    let printed = with_names(Codegen::new().with_options(settings), minified).build(&program);
    let map = match (map, printed.map) {
        (Some(inner), Some(outer)) => Some(source_map::compose(&outer, inner)),
        _ => None,
    };
    Ok((printed.code, map))
}

#[cfg(test)]
mod tests;
