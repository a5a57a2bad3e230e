//! What is not JavaScript becomes JavaScript: types, enums, namespaces, decorators of `experimentalDecorators`, JSX, `using`. In: a syntax
//! tree. Out: a new text and the map of its places. Absent: modules and decorators of the language, which stay as they are.

use std::collections::HashSet;
use std::mem::{replace, take};
use std::path::{Path, PathBuf};

use oxc::allocator::Allocator;
use oxc::ast::ast::{
    ArrowFunctionExpression, Declaration, Decorator, ExportDeclaration, FormalParameter, Function,
    MethodDefinition, Program, PropertyDefinition, Statement, TSExternalModuleReference, TSModuleBlock,
    VariableDeclaration,
};
use oxc::ast_visit::{Visit, VisitMut, walk, walk_mut};
use oxc::codegen::{Codegen, CodegenOptions};
use oxc::diagnostics::OxcDiagnostic;
use oxc::semantic::Scoping;
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;
use oxc_transformer::{HelperLoaderMode, JsxRuntime, TransformOptions, Transformer};

use crate::ahead;
use crate::amended;
use crate::decorators::CONSTRUCTOR;
use crate::metadata;
use crate::namespaces::{self, Aliases};
use crate::options::{Decorators, Fields, Imports, Jsx, Language, Nulls, Options};
use crate::parse::{self, Parsed};
use crate::required::{ask_of_module, give_of_module};
use crate::script::Kind;
use crate::source_map::SourceMap;
use crate::syntax_error::{Fault, SyntaxErrors, refuse};
use crate::syntax_words::IN_ASYNC;

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
    let mut unknown = Unknown::of(&parsed.program);
    refuse(take(&mut unknown.nested), source)?;
    let unawaited = take(&mut unknown.unawaited).into_iter();
    refuse(unawaited.map(|span| Fault::new(IN_ASYNC, span).in_kind(parsed.kind)).collect(), source)?;
    let is_standard = options.decorators == Decorators::Standard;
    if is_standard {
        refuse(take(&mut unknown.misplaced), source)?;
    }
    let mut settings = settings(options);
    if is_standard && unknown.has_decorators && options.fields == Fields::Assign {
        keep_fields(&mut parsed.program, &mut settings);
    }
    let is_typed = matches!(options.language, Language::TypeScript | Language::Tsx);
    if is_typed && options.imports == Imports::Used {
        parsed.program.body.retain(|statement| !imports_nothing(statement));
    }
    let scoping = lower_ahead(allocator, parsed, scoping, &unknown, source, options)?;
    let transformer = Transformer::new(allocator, Path::new(path), &settings);
    let returned = transformer.build_with_scoping(scoping, &mut parsed.program);
    match parsed.kind {
        Kind::Module => ask_of_module(&unknown.required, allocator, &mut parsed.program),
        // `export {}`, by which the transformer says that types were exported.
        Kind::CommonJs | Kind::Script => {
            let is_empty = |statement: &Statement<'_>| matches!(statement, Statement::ExportNamedDeclaration(export) if export.specifiers.is_empty());
            parsed.program.body.retain(|statement| !is_empty(statement));
        }
    }
    amended::declare_early(&unknown.enums, &mut parsed.program);
    if unknown.has_decorators && !is_standard {
        amended::order_decorations(&mut parsed.program);
    }
    let is_error = |diagnostic: &&OxcDiagnostic| diagnostic.severity == oxc::diagnostics::Severity::Error;
    refuse(returned.diagnostics.iter().filter(is_error).map(Fault::of).collect(), source)?;
    let settings = CodegenOptions { source_map_path: Some(PathBuf::from(path)), ..CodegenOptions::default() };
    let printed =
        Codegen::new().with_options(settings).with_scoping(Some(returned.scoping)).build(&parsed.program);
    let map = printed.map.as_ref().map(SourceMap::of_generated).unwrap_or_default();
    Ok((printed.code, map))
}

/// `import {} from 'a'`, which TypeScript takes for one of types.
fn imports_nothing(statement: &Statement<'_>) -> bool {
    matches!(statement, Statement::ImportDeclaration(import) if import.specifiers.as_ref().is_some_and(|names| names.is_empty()))
}

/// Namespaces go first, and what else the transformer does not know: what comes of them is for it like any other code.
fn lower_ahead<'a>(
    allocator: &'a Allocator,
    parsed: &mut Parsed<'a>,
    scoping: Scoping,
    unknown: &Unknown,
    source: &str,
    options: &Options,
) -> Result<Scoping, SyntaxErrors> {
    let aliases = match options.imports {
        Imports::Verbatim => Aliases::Kept,
        _ => Aliases::Removed,
    };
    let program = &mut parsed.program;
    let mut is_changed =
        (unknown.has_using || unknown.has_decorators) && ahead::lower(allocator, program, options);
    if let (true, Decorators::LegacyWithMetadata(nulls)) = (unknown.has_decorators, options.decorators) {
        is_changed |= metadata::write_out(allocator, program, &scoping, nulls);
    }
    is_changed |= parsed.kind == Kind::Module && give_of_module(allocator, program, &scoping);
    match namespaces::lower(allocator, program, &scoping, aliases) {
        Ok(false) if !is_changed => Ok(scoping),
        Ok(_) => Ok(parse::scopes_of_ours(program)),
        Err(fault) => refuse(vec![fault], source).map(|()| scoping),
    }
}

/// Whether JavaScript holds what the engine does not know and nothing else here lowers.
pub(crate) fn is_needed(program: &Program<'_>, options: &Options) -> bool {
    let unknown = Unknown::of(program);
    unknown.has_using || unknown.has_decorators && options.decorators != Decorators::Standard
}

/// What the engine does not know.
#[derive(Default)]
struct Unknown {
    has_using: bool,
    has_decorators: bool,
    /// Decorators where the language has none.
    misplaced: Vec<Fault>,
    /// Imports and exports within other statements. Scopes refuse them of JavaScript alone.
    nested: Vec<Fault>,
    /// Specifiers of `import a = require('b')`.
    required: Vec<Span>,
    /// Where exports of enums begin.
    enums: HashSet<u32>,
    /// Whether we are in a function that may not await.
    is_in_sync: bool,
    /// `await using` in such functions, which the parser lets pass.
    unawaited: Vec<Span>,
}

impl Unknown {
    fn of(program: &Program<'_>) -> Unknown {
        let mut unknown = Unknown::default();
        unknown.visit_program(program);
        unknown
    }

    /// The statements of a module or a namespace, where imports and exports may stand.
    fn visit_outermost<'a>(&mut self, statements: &[Statement<'a>]) {
        for statement in statements {
            match statement.is_module_declaration() {
                true => walk::walk_statement(self, statement),
                false => self.visit_statement(statement),
            }
        }
    }
}

impl<'a> Visit<'a> for Unknown {
    fn visit_program(&mut self, program: &Program<'a>) {
        self.visit_outermost(&program.body);
    }

    fn visit_ts_module_block(&mut self, block: &TSModuleBlock<'a>) {
        self.visit_outermost(&block.body);
    }

    fn visit_statement(&mut self, statement: &Statement<'a>) {
        if statement.is_module_declaration() {
            let start = statement.span().start;
            let message = "An import or export can only stand at the top level of a module";
            self.nested.push(Fault::new(message, Span::new(start, start)));
        }
        walk::walk_statement(self, statement);
    }

    fn visit_decorator(&mut self, decorator: &Decorator<'a>) {
        self.has_decorators = true;
        walk::walk_decorator(self, decorator);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        if let Some(first) = parameter.decorators.first() {
            let message = "Decorators of parameters want `experimentalDecorators` in tsconfig.json";
            self.misplaced.push(Fault::new(message, first.span));
        }
        walk::walk_formal_parameter(self, parameter);
    }

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        let first = method.decorators.first().filter(|_| method.kind.is_constructor());
        self.misplaced.extend(first.map(|first| Fault::new(CONSTRUCTOR, first.span)));
        walk::walk_method_definition(self, method);
    }

    fn visit_ts_external_module_reference(&mut self, reference: &TSExternalModuleReference<'a>) {
        self.required.push(reference.expression.span);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        let outer = replace(&mut self.is_in_sync, !function.r#async);
        walk::walk_function(self, function, flags);
        self.is_in_sync = outer;
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        let outer = replace(&mut self.is_in_sync, !arrow.r#async);
        walk::walk_arrow_function_expression(self, arrow);
        self.is_in_sync = outer;
    }

    fn visit_export_declaration(&mut self, export: &ExportDeclaration<'a>) {
        if matches!(export.declaration, Declaration::TSEnumDeclaration(_)) {
            self.enums.insert(export.span.start);
        }
        walk::walk_export_declaration(self, export);
    }

    fn visit_variable_declaration(&mut self, declaration: &VariableDeclaration<'a>) {
        self.has_using |= declaration.kind.is_using();
        if self.is_in_sync && declaration.kind.is_await() {
            let start = declaration.span.start;
            self.unawaited.push(Span::new(start, start + "await".len() as u32));
        }
        walk::walk_variable_declaration(self, declaration);
    }
}

/// Fields stay fields where decorators of the language may want them, but for those that `useDefineForClassFields: false` takes away.
fn keep_fields(program: &mut Program<'_>, settings: &mut TransformOptions) {
    settings.assumptions.set_public_class_fields = false;
    settings.typescript.remove_class_fields_without_initializer = false;
    Undeclared.visit_program(program);
}

/// Takes fields away that are neither decorated nor have a value.
struct Undeclared;

impl<'a> VisitMut<'a> for Undeclared {
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
    if let Decorators::LegacyWithMetadata(nulls) = options.decorators {
        settings.decorator.emit_decorator_metadata = true;
        settings.decorator.strict_null_checks = nulls == Nulls::Told;
    }
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
