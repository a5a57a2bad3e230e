//! Minification of one piece of a chunk: a module, or statements that bundling adds. Names of the
//! chunk's scope are short already (`short_names`), so pieces are independent of each other and are
//! minified by all threads. In: a syntax tree whose names are final. Out: code and its source map.

use std::collections::BTreeSet;
use std::path::PathBuf;

use oxc::allocator::{Allocator, ArenaVec};
use oxc::ast::ast::{
    Argument, ArrowFunctionBody, BindingIdentifier, Expression, FunctionBody, IdentifierReference, Program,
    Statement,
};
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::codegen::{Codegen, CodegenOptions};
use oxc::parser::Parser;
use oxc::semantic::Stats;
use oxc::span::{SPAN, SourceType, Span};
use oxc_minifier::CompressOptionsUnused;

use crate::link::Linked;
use crate::map_piece::MapPiece;
use crate::minify::{self, MinifySettings};
use crate::module::{Export, ModuleIndex, ModuleKind};
use crate::options::{BundleOptions, ModuleFormat};
use crate::print::codegen_settings;
use crate::symbols::{Binding, NAMESPACE, SymbolRef, WRAPPER};
use crate::wrap::Wrap;

/// A syntax tree, and what its names are for.
pub(crate) struct Piece<'a, 'l> {
    pub(crate) program: Program<'a>,
    /// Around the module's statements: a program that ends with a call whose only argument is a
    /// function without statements of its own at the end.
    pub(crate) wrapper: Option<String>,
    pub(crate) imports: BTreeSet<&'l str>,
    pub(crate) exports: BTreeSet<&'l str>,
    /// The size of its scopes, about.
    pub(crate) counts: Option<Stats>,
}

/// Code that can stand beside other pieces.
pub(crate) struct PieceCode {
    pub(crate) code: String,
    /// The semicolon at the end only separates it from what follows.
    pub(crate) is_separable: bool,
    pub(crate) map: Option<MapPiece>,
}

/// Names of other modules that a module refers to.
pub(crate) fn imported_names(linked: &Linked, module: ModuleIndex) -> BTreeSet<&str> {
    let is_own = |symbol: &SymbolRef| symbol.module == module && linked.wraps[module] == Wrap::None;
    let bindings = linked.bindings[module].values().chain(linked.members[module].values());
    let symbols = bindings.filter_map(|binding| match binding {
        Binding::Symbol(symbol) | Binding::Member(symbol, _) => Some(symbol),
        Binding::Constant(_) | Binding::Undefined => None,
    });
    let names = symbols.filter(|symbol| !is_own(symbol)).filter_map(|symbol| linked.names.get(symbol));
    names.map(String::as_str).collect()
}

/// Names of a module that others refer to.
pub(crate) fn exported_names(linked: &Linked, module: ModuleIndex) -> BTreeSet<&str> {
    if linked.wraps[module] != Wrap::None {
        let own = [WRAPPER, NAMESPACE].map(|symbol| SymbolRef::new(module, symbol));
        let declared =
            own.iter().filter(|symbol| symbol.symbol == WRAPPER || linked.wraps[module] == Wrap::Esm);
        return declared.filter_map(|symbol| linked.names.get(symbol)).map(String::as_str).collect();
    }
    let exports = linked.modules[module].exports.values();
    let symbols = exports.filter_map(|export| match export {
        Export::Local(symbol) => Some(SymbolRef::new(module, *symbol)),
        Export::From { .. } => None,
    });
    let used = symbols.filter(|symbol| linked.used_outside.contains(symbol));
    used.filter_map(|symbol| linked.names.get(&symbol)).map(String::as_str).collect()
}

/// How the statements of a module are understood in the output.
pub(crate) fn source_type(kind: ModuleKind, options: &BundleOptions) -> SourceType {
    match kind {
        ModuleKind::CommonJs if options.format != ModuleFormat::Esm => SourceType::cjs(),
        _ => SourceType::mjs(),
    }
}

/// Minifies and prints a module.
pub(crate) fn print<'a>(
    allocator: &'a Allocator,
    mut piece: Piece<'a, '_>,
    linked: &Linked,
    options: &BundleOptions,
    map_path: Option<PathBuf>,
) -> PieceCode {
    if let Some(wrapper) = piece.wrapper.take() {
        wrap(allocator, &mut piece.program, &wrapper, linked);
    }
    let mut ends = String::new();
    if !piece.imports.is_empty() {
        let names: Vec<&str> = piece.imports.iter().copied().collect();
        ends.push_str(&format!("import {{ {} }} from \"\";", names.join(", ")));
    }
    if !piece.exports.is_empty() {
        let names: Vec<&str> = piece.exports.iter().copied().collect();
        ends.push_str(&format!("export {{ {} }};", names.join(", ")));
    }
    let statements = parse_statements(allocator, &ends, linked);
    piece.program.body.extend(statements);
    shrink(allocator, piece.program, options, Ends::Module, piece.counts, map_path)
}

/// Minifies statements that bundling adds. All that they declare stays.
pub(crate) fn minify_text(text: &str, linked: &Linked, options: &BundleOptions) -> String {
    if text.trim().is_empty() {
        return String::new();
    }
    let allocator = Allocator::default();
    let source_type = source_type(ModuleKind::Esm, options);
    let parsed = Parser::new(&allocator, text, source_type).parse();
    if parsed.panicked || parsed.diagnostics.has_errors() {
        // Values of data modules that are no JavaScript in this place.
        return text.to_owned();
    }
    let mut program = parsed.program;
    Renamer { linked, allocator: &allocator, span: None }.visit_program(&mut program);
    // Other pieces refer to all that it declares.
    let declared = declared_names(&program);
    if !declared.is_empty() {
        let ends = format!("export {{ {} }};", declared.join(", "));
        program.body.extend(parse_statements(&allocator, &ends, linked));
    }
    let ends = if declared.is_empty() { Ends::None } else { Ends::Export };
    shrink(&allocator, program, options, ends, None, None).code
}

/// Names of variables.
fn declared_names(program: &Program<'_>) -> Vec<String> {
    let variables = program.body.iter().filter_map(|statement| match statement {
        Statement::VariableDeclaration(variables) => Some(variables),
        _ => None,
    });
    let declarators = variables.flat_map(|variables| &variables.declarations);
    let names = declarators.flat_map(|one| one.id.get_binding_identifiers());
    names.map(|name| name.name.to_string()).collect()
}

/// Statements that only say what other pieces refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    None,
    /// An export clause after all other statements.
    Export,
    /// That, and import statements; there are no others.
    Module,
}

fn shrink<'a>(
    allocator: &'a Allocator,
    mut program: Program<'a>,
    options: &BundleOptions,
    ends: Ends,
    counts: Option<Stats>,
    map_path: Option<PathBuf>,
) -> PieceCode {
    let unused =
        if ends == Ends::Module { CompressOptionsUnused::Remove } else { CompressOptionsUnused::Keep };
    let settings = MinifySettings { options, top_level: false, unused, counts };
    let minified = settings.minify(allocator, &mut program);
    let is_export = |statement: &Statement<'a>| matches!(statement, Statement::ExportNamedDeclaration(_));
    match ends {
        Ends::None => {}
        Ends::Export => {
            if let Some(last) = program.body.iter().rposition(is_export) {
                program.body.remove(last);
            }
        }
        Ends::Module => program.body.retain(|statement| {
            !is_export(statement) && !matches!(statement, Statement::ImportDeclaration(_))
        }),
    }
    let settings = CodegenOptions {
        minify: options.minify.whitespace,
        ..codegen_settings(options.keeps_annotations, map_path)
    };
    let printed = minify::with_names(Codegen::new().with_options(settings), minified).build(&program);
    let mut code = printed.code;
    let is_separable = options.minify.whitespace && ends_with_semicolon(&program) && code.ends_with(';');
    if !code.is_empty() && !code.ends_with('\n') {
        code.push('\n');
    }
    // The printer reserves as much as the source has.
    code.shrink_to_fit();
    PieceCode { code, is_separable, map: printed.map.as_ref().map(MapPiece::new) }
}

/// Whether the semicolon at the end only separates statements.
fn ends_with_semicolon(program: &Program<'_>) -> bool {
    matches!(program.body.last(), Some(Statement::VariableDeclaration(_) | Statement::ExpressionStatement(_)))
}

/// An expression of a text, at the place of another one.
pub(crate) fn expression<'a>(
    allocator: &'a Allocator,
    text: &str,
    span: Span,
    linked: &Linked,
) -> Option<Expression<'a>> {
    let text = allocator.alloc_str(text);
    let mut expression = Parser::new(allocator, text, SourceType::mjs()).parse_expression().ok()?;
    Renamer { linked, allocator, span: Some(span) }.visit_expression(&mut expression);
    Some(expression)
}

fn parse_statements<'a>(
    allocator: &'a Allocator,
    text: &str,
    linked: &Linked,
) -> ArenaVec<'a, Statement<'a>> {
    let text = allocator.alloc_str(text);
    let mut program = Parser::new(allocator, text, SourceType::mjs()).parse().program;
    Renamer { linked, allocator, span: Some(SPAN) }.visit_program(&mut program);
    program.body
}

/// Moves the statements of a module into the function of its wrapper.
fn wrap<'a>(allocator: &'a Allocator, program: &mut Program<'a>, wrapper: &str, linked: &Linked) {
    let outer = parse_statements(allocator, wrapper, linked);
    let inner = std::mem::replace(&mut program.body, outer);
    let directives = std::mem::replace(&mut program.directives, ArenaVec::new_in(&allocator));
    if let Some(body) = program.body.last_mut().and_then(function_body) {
        body.directives.extend(directives);
        body.statements.extend(inner);
    }
}

/// The body of the function in `var name = call(function)`.
fn function_body<'b, 'a>(statement: &'b mut Statement<'a>) -> Option<&'b mut FunctionBody<'a>> {
    let Statement::VariableDeclaration(variables) = statement else { return None };
    let Some(Expression::CallExpression(call)) = &mut variables.declarations.last_mut()?.init else {
        return None;
    };
    match call.arguments.first_mut()? {
        Argument::FunctionExpression(function) => function.body.as_deref_mut(),
        Argument::ArrowFunctionExpression(arrow) => match &mut arrow.body {
            ArrowFunctionBody::FunctionBody(body) => Some(body),
            _ => None,
        },
        _ => None,
    }
}

/// Gives functions of the bundler their short names. `span`: the place of what was parsed from a
/// text.
struct Renamer<'r, 'a> {
    linked: &'r Linked,
    allocator: &'a Allocator,
    span: Option<Span>,
}

impl<'a> Renamer<'_, 'a> {
    fn short(&self, name: &str) -> Option<&'a str> {
        if !name.starts_with("__") {
            return None;
        }
        self.linked.function_names.get(name).map(|short| self.allocator.alloc_str(short))
    }
}

impl<'a> VisitMut<'a> for Renamer<'_, 'a> {
    fn visit_span(&mut self, span: &mut Span) {
        if let Some(place) = self.span {
            *span = place;
        }
    }

    fn visit_identifier_reference(&mut self, reference: &mut IdentifierReference<'a>) {
        walk_mut::walk_identifier_reference(self, reference);
        if let Some(short) = self.short(&reference.name) {
            reference.name = short.into();
        }
    }

    fn visit_binding_identifier(&mut self, binding: &mut BindingIdentifier<'a>) {
        walk_mut::walk_binding_identifier(self, binding);
        if let Some(short) = self.short(&binding.name) {
            binding.name = short.into();
        }
    }
}
