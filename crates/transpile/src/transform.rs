//! Lowering to JavaScript by the oxc transformer: types, enums, namespaces,
//! `experimentalDecorators`, JSX, `using`. In: a syntax tree. Out: JavaScript and its source map.
//! Absent: modules and standard decorators, which stay.

use std::mem::take;
use std::path::{Path, PathBuf};

use oxc::allocator::Allocator;
use oxc::ast::ast::{Directive, Program, PropertyDefinition, Statement, StringLiteral};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::codegen::{Codegen, CodegenOptions};
use oxc::diagnostics::OxcDiagnostic;
use oxc::semantic::Scoping;
use oxc::span::SPAN;
use oxc_transformer::{HelperLoaderMode, JsxRuntime, TransformOptions, Transformer};

use crate::fixups;
use crate::import_equals::{lower_export_assignment, use_meta_require};
use crate::metadata;
use crate::namespaces::{self, Aliases};
use crate::options::{
    ClassFields, Decorators, Imports, Jsx, Language, Options, StrictNullChecks, Strictness,
};
use crate::parse::{self, Parsed};
use crate::pre_transform::{self, PreTransformResult};
use crate::script::SourceKind;
use crate::source_map::SourceMap;
use crate::syntax_error::{Diagnostic, SyntaxErrors, fail_if_any};
use crate::syntax_features::SyntaxFeatures;
use crate::type_imports;
use crate::v8_syntax_errors::IN_ASYNC;

/// The object whose members are the helper functions of transformed code.
pub(crate) const HELPERS: &str = "babelHelpers";

pub(crate) fn transform<'a>(
    allocator: &'a Allocator,
    parsed: &mut Parsed<'a>,
    scoping: Scoping,
    path: &str,
    source: &'a str,
    options: &Options,
) -> Result<(String, SourceMap), SyntaxErrors> {
    let scoping = transform_tree(allocator, parsed, scoping, path, source, options)?;
    let settings = CodegenOptions { source_map_path: Some(PathBuf::from(path)), ..CodegenOptions::default() };
    let printed = Codegen::new().with_options(settings).with_scoping(Some(scoping)).build(&parsed.program);
    let map = printed.map.as_ref().map(SourceMap::of_generated).unwrap_or_default();
    Ok((printed.code, map))
}

/// As [`transform`], but leaves the tree unprinted. The scopes that it returns are those of the
/// printer: names are right, references of new nodes are incomplete.
pub(crate) fn transform_tree<'a>(
    allocator: &'a Allocator,
    parsed: &mut Parsed<'a>,
    scoping: Scoping,
    path: &str,
    source: &'a str,
    options: &Options,
) -> Result<Scoping, SyntaxErrors> {
    let mut features = SyntaxFeatures::of(&parsed.program, source);
    fail_if_any(take(&mut features.errors), source)?;
    let sync_await_using = take(&mut features.sync_await_using).into_iter();
    fail_if_any(
        sync_await_using.map(|span| Diagnostic::new(IN_ASYNC, span).for_kind(parsed.kind)).collect(),
        source,
    )?;
    let is_typed = matches!(options.language, Language::TypeScript | Language::Tsx);
    if options.language == Language::TypeScript
        && options.kind.is_none()
        && options.imports == Imports::Used
        && parsed.kind == SourceKind::Module
        && type_imports::is_commonjs_with_types(&parsed.program, &scoping, source)
    {
        parsed.kind = SourceKind::CommonJs;
    }
    let is_standard = options.decorators == Decorators::Standard;
    if is_standard {
        fail_if_any(take(&mut features.misplaced_decorators), source)?;
    }
    let mut settings = settings(options);
    if is_standard && features.has_decorators && options.fields == ClassFields::Assign {
        keep_decorated_fields(&mut parsed.program, &mut settings);
    }
    if is_typed && options.imports == Imports::Used {
        parsed.program.body.retain(|statement| !has_no_specifiers(statement));
    }
    if is_typed && parsed.kind == SourceKind::CommonJs && is_strict(&features, options) {
        add_use_strict(allocator, &mut parsed.program);
    }
    let (scoping, keys) = prepare(allocator, parsed, scoping, &features, source, options)?;
    let transformer = Transformer::new(allocator, Path::new(path), &settings);
    let returned = transformer.build_with_scoping(scoping, &mut parsed.program);
    match parsed.kind {
        SourceKind::Module => use_meta_require(&features.import_equals, allocator, &mut parsed.program),
        // `export {}`, which the transformer adds if types were exported.
        SourceKind::CommonJs | SourceKind::Script => {
            let is_empty = |statement: &Statement<'_>| matches!(statement, Statement::ExportNamedDeclaration(export) if export.specifiers.is_empty());
            parsed.program.body.retain(|statement| !is_empty(statement));
        }
    }
    fixups::hoist_exported_enums(&features.exported_enums, &mut parsed.program);
    fixups::normalize_negative_zero(&features, &mut parsed.program);
    fixups::assign_after_super(&features, &mut parsed.program);
    if features.has_decorators && !is_standard {
        fixups::order_decorations(allocator, &keys, &mut parsed.program);
    }
    let is_error = |diagnostic: &&OxcDiagnostic| diagnostic.severity == oxc::diagnostics::Severity::Error;
    fail_if_any(returned.diagnostics.iter().filter(is_error).map(Diagnostic::of).collect(), source)?;
    Ok(returned.scoping)
}

/// `import {} from 'a'`, which TypeScript treats as a type import.
fn has_no_specifiers(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::ImportDeclaration(import) if import.specifiers.as_ref().is_some_and(|names| names.is_empty()))
}

/// Where TypeScript adds `use strict`: in files that are modules to it, and everywhere with
/// `alwaysStrict`.
fn is_strict(features: &SyntaxFeatures<'_>, options: &Options) -> bool {
    options.strictness == Strictness::Always || features.has_module_items
}

fn add_use_strict<'a>(allocator: &'a Allocator, program: &mut Program<'a>) {
    const STRICT: &str = "use strict";
    if !program.directives.iter().any(|directive| directive.directive == STRICT) {
        let ast = AstBuilder::new(allocator);
        let text = StringLiteral::new(SPAN, STRICT, None, &ast);
        program.directives.insert(0, Directive::new(SPAN, text, STRICT, &ast));
    }
}

/// Lowers namespaces, and other syntax that the transformer does not handle, so that it sees plain
/// code.
fn prepare<'a>(
    allocator: &'a Allocator,
    parsed: &mut Parsed<'a>,
    scoping: Scoping,
    features: &SyntaxFeatures<'_>,
    source: &'a str,
    options: &Options,
) -> Result<(Scoping, Vec<&'a str>), SyntaxErrors> {
    let aliases = match options.imports {
        Imports::Verbatim => Aliases::Kept,
        _ => Aliases::Removed,
    };
    let program = &mut parsed.program;
    let PreTransformResult { mut is_changed, keys } = match features.has_using || features.has_decorators {
        true => pre_transform::lower(allocator, program, source, options),
        false => PreTransformResult::default(),
    };
    if let (true, Decorators::LegacyWithMetadata(strict_null_checks)) =
        (features.has_decorators, options.decorators)
    {
        is_changed |= metadata::resolve_types(allocator, program, &scoping, strict_null_checks);
    }
    is_changed |= parsed.kind == SourceKind::Module && lower_export_assignment(allocator, program, &scoping);
    match namespaces::lower(allocator, program, &scoping, aliases) {
        Ok(false) if !is_changed => Ok((scoping, keys)),
        Ok(_) => Ok((parse::rebuild_scopes(program, parse::counts(&scoping)), keys)),
        Err(diagnostic) => fail_if_any(vec![diagnostic], source).map(|()| (scoping, keys)),
    }
}

/// Whether JavaScript has syntax that the engine does not support and that is not lowered
/// elsewhere.
pub(crate) fn is_needed(program: &Program<'_>, source: &str, options: &Options) -> bool {
    let bytes = source.as_bytes();
    if memchr::memchr(b'@', bytes).is_none() && memchr::memmem::find(bytes, b"using").is_none() {
        return false;
    }
    let features = SyntaxFeatures::of(program, source);
    features.has_using || features.has_decorators && options.decorators != Decorators::Standard
}

/// Keeps class fields that standard decorators may need, except those that
/// `useDefineForClassFields: false` removes.
fn keep_decorated_fields(program: &mut Program<'_>, settings: &mut TransformOptions) {
    settings.assumptions.set_public_class_fields = false;
    settings.typescript.remove_class_fields_without_initializer = false;
    BareFieldRemover.visit_program(program);
}

/// Removes fields with neither a decorator nor a value.
struct BareFieldRemover;

impl<'a> VisitMut<'a> for BareFieldRemover {
    fn visit_property_definition(&mut self, field: &mut PropertyDefinition<'a>) {
        let is_bare = field.value.is_none() && field.decorators.is_empty();
        field.declare |= is_bare && !field.computed && !field.key.is_private_identifier();
        walk_mut::walk_property_definition(self, field);
    }
}

fn settings(options: &Options) -> TransformOptions {
    let mut settings = TransformOptions::default();
    settings.helper_loader.mode = HelperLoaderMode::External;
    settings.env.es2026.explicit_resource_management = true;
    settings.typescript.only_remove_type_imports = options.imports == Imports::Verbatim;
    settings.decorator.legacy = options.decorators != Decorators::Standard;
    if let Decorators::LegacyWithMetadata(strict_null_checks) = options.decorators {
        settings.decorator.emit_decorator_metadata = true;
        settings.decorator.strict_null_checks = strict_null_checks == StrictNullChecks::On;
    }
    if options.fields == ClassFields::Assign {
        settings.assumptions.set_public_class_fields = true;
        settings.typescript.remove_class_fields_without_initializer = true;
    }
    match &options.jsx {
        Jsx::Automatic { source, is_development } => {
            settings.jsx.runtime = JsxRuntime::Automatic;
            settings.jsx.import_source = Some(source.clone());
            settings.jsx.development = *is_development;
        }
        Jsx::Classic { factory, fragment } => {
            settings.jsx.runtime = JsxRuntime::Classic;
            settings.jsx.pragma = Some(factory.clone());
            settings.jsx.pragma_frag = Some(fragment.clone());
            settings.typescript.jsx_pragma = factory.clone().into();
            settings.typescript.jsx_pragma_frag = fragment.clone().into();
        }
    }
    settings
}
