//! What is not JavaScript becomes JavaScript: types, enums, namespaces, decorators, JSX, `using`. In: a syntax tree. Out: a new
//! text and the map of its places. Absent: modules, which stay as they are.

use std::path::{Path, PathBuf};

use oxc::allocator::Allocator;
use oxc::ast::ast::{Decorator, Program, VariableDeclaration};
use oxc::ast_visit::{Visit, walk};
use oxc::codegen::{Codegen, CodegenOptions};
use oxc::diagnostics::OxcDiagnostic;
use oxc::semantic::Scoping;
use oxc::span::Span;
use oxc_transformer::{HelperLoaderMode, JsxRuntime, TransformOptions, Transformer};

use crate::options::{Decorators, Fields, Imports, Jsx, Options};
use crate::parse::Parsed;
use crate::source_map::SourceMap;
use crate::syntax_error::{Fault, SyntaxErrors, refuse};

/// The name under which functions stand that transformed text calls.
pub(crate) const HELPERS: &str = "babelHelpers";

pub(crate) fn transform<'a>(
    allocator: &'a Allocator,
    parsed: &mut Parsed<'a>,
    scoping: Scoping,
    path: &str,
    source: &str,
    options: &Options,
) -> Result<(String, SourceMap), SyntaxErrors> {
    if options.decorators == Decorators::Standard {
        let message = "Decorators of the language are not supported, those of `experimentalDecorators` are";
        let fault = Unknown::of(&parsed.program).decorator.map(|span| Fault::new(message, span));
        refuse(fault.into_iter().collect(), source)?;
    }
    let transformer = Transformer::new(allocator, Path::new(path), &settings(options));
    let returned = transformer.build_with_scoping(scoping, &mut parsed.program);
    let is_error = |diagnostic: &&OxcDiagnostic| diagnostic.severity == oxc::diagnostics::Severity::Error;
    refuse(returned.diagnostics.iter().filter(is_error).map(Fault::of).collect(), source)?;
    let settings = CodegenOptions { source_map_path: Some(PathBuf::from(path)), ..CodegenOptions::default() };
    let printed =
        Codegen::new().with_options(settings).with_scoping(Some(returned.scoping)).build(&parsed.program);
    let map = printed.map.as_ref().map(SourceMap::of_generated).unwrap_or_default();
    Ok((printed.code, map))
}

/// Whether JavaScript holds what the engine does not know.
pub(crate) fn is_needed(program: &Program<'_>) -> bool {
    let unknown = Unknown::of(program);
    unknown.has_using || unknown.decorator.is_some()
}

/// What the engine does not know.
#[derive(Default)]
struct Unknown {
    has_using: bool,
    /// The first one.
    decorator: Option<Span>,
}

impl Unknown {
    fn of(program: &Program<'_>) -> Unknown {
        let mut unknown = Unknown::default();
        unknown.visit_program(program);
        unknown
    }
}

impl<'a> Visit<'a> for Unknown {
    fn visit_decorator(&mut self, decorator: &Decorator<'a>) {
        self.decorator.get_or_insert(decorator.span);
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        self.has_using |= declaration.kind.is_using();
        walk::walk_variable_declaration(self, declaration);
    }
}

fn settings(options: &Options) -> TransformOptions {
    let mut settings = TransformOptions::default();
    settings.helper_loader.mode = HelperLoaderMode::External;
    settings.env.es2026.explicit_resource_management = true;
    settings.typescript.only_remove_type_imports = options.imports == Imports::Verbatim;
    settings.decorator.legacy = options.decorators != Decorators::Standard;
    settings.decorator.emit_decorator_metadata = options.decorators == Decorators::LegacyWithMetadata;
    if options.fields == Fields::Assign {
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
