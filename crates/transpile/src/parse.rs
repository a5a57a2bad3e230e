//! Parsing and scope analysis. In: the source text, its language, its kind. Out: the syntax tree
//! and its scopes, or errors; if no kind is given, whether it is a module. Absent: changes of the
//! source text.

use std::collections::HashSet;

use oxc::allocator::Allocator;
use oxc::ast::ast::{
    BindingIdentifier, ClassBody, ClassElement, Declaration, FormalParameters, Program, Statement,
};
use oxc::ast_visit::{Visit, walk};
use oxc::parser::{ParseOptions, Parser, ParserReturn};
use oxc::semantic::{Scoping, SemanticBuilder, Stats};
use oxc::span::{GetSpan, SourceType, Span};

use crate::lexer;
use crate::options::Language;
use crate::script::SourceKind;
use crate::syntax_error::{Diagnostic, SyntaxErrors, fail_if_any};
use crate::v8_syntax_errors::UNEXPECTED;

/// A parsed file.
pub(crate) struct Parsed<'a> {
    pub(crate) program: Program<'a>,
    pub(crate) kind: SourceKind,
}

/// `kind` is None if the syntax decides.
pub(crate) fn parse<'a>(
    allocator: &'a Allocator,
    source: &'a str,
    language: Language,
    kind: Option<SourceKind>,
) -> Result<Parsed<'a>, SyntaxErrors> {
    let attempt = |kind| {
        let returned = Parser::new(allocator, source, source_type(language, kind))
            .with_options(ParseOptions {
                allow_return_outside_function: kind == SourceKind::CommonJs,
                ..ParseOptions::default()
            })
            .parse();
        ParseAttempt { returned, kind }
    };
    if let Some(kind) = kind {
        return attempt(kind).finish(source);
    }
    let mut module = None;
    if may_have_module_syntax(source) {
        let attempted = attempt(SourceKind::Module);
        if has_module_syntax(&attempted.returned) {
            return attempted.finish(source);
        }
        module = Some(attempted);
    }
    let script = attempt(SourceKind::CommonJs);
    // A file that is valid only as a module is one: top-level await, `const require`.
    let is_no_script = script.is_broken() || shadowed_wrapper_parameter(&script.returned.program).is_some();
    if !is_no_script {
        return script.finish(source);
    }
    let module = module.unwrap_or_else(|| attempt(SourceKind::Module));
    if module.is_broken() { script.finish(source) } else { module.finish(source) }
}

/// Whether the words `import` or `export` are somewhere in the text, which is cheaper than to parse
/// it twice.
fn may_have_module_syntax(source: &str) -> bool {
    let bytes = source.as_bytes();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$');
    let is_word = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        let after = bytes.get(at + "import".len());
        !before.is_some_and(is_name) && !after.is_some_and(is_name)
    };
    ["import", "export"].iter().any(|word| memchr::memmem::find_iter(bytes, *word).any(is_word))
}

/// The parameters of the CommonJS wrapper function.
const WRAPPER_PARAMETERS: &[&str] = &["exports", "require", "module", "__filename", "__dirname"];

/// A `const`, `let` or class that shadows a parameter of the CommonJS wrapper, which the language
/// forbids.
pub(crate) fn shadowed_wrapper_parameter(program: &Program<'_>) -> Option<Diagnostic> {
    let is_wrapper_parameter =
        |name: &&BindingIdentifier<'_>| WRAPPER_PARAMETERS.contains(&name.name.as_str());
    let shadowed = program.body.iter().find_map(|statement| match statement {
        Statement::VariableDeclaration(variables) if !variables.kind.is_var() && !variables.declare => {
            let mut names = variables.declarations.iter().flat_map(|one| one.id.get_binding_identifiers());
            names.find(is_wrapper_parameter)
        }
        Statement::ClassDeclaration(class) if !class.declare => {
            class.id.as_ref().filter(is_wrapper_parameter)
        }
        _ => None,
    })?;
    Some(Diagnostic::new(format!("Identifier '{}' has already been declared", shadowed.name), shadowed.span))
}

/// Whether imports or exports remain after type stripping; TypeScript's `export = value` is
/// CommonJS.
fn has_module_syntax(returned: &ParserReturn<'_>) -> bool {
    let record = &returned.module_record;
    record.has_module_syntax
        && (!record.import_metas.is_empty() || first_module_item(&returned.program).is_some())
}

/// The error for an import or export outside a module.
fn outside_module_error(item: &Statement<'_>) -> Diagnostic {
    let start = item.span().start;
    let (message, word) = match item {
        Statement::ImportDeclaration(_) => ("Cannot use import statement outside a module", "import"),
        _ => ("Unexpected token 'export'", "export"),
    };
    Diagnostic::new(message, Span::new(start, start + word.len() as u32))
}

fn first_module_item<'p>(program: &'p Program<'_>) -> Option<&'p Statement<'p>> {
    program.body.iter().find(|statement| statement.is_module_declaration() && !is_type_only(statement))
}

/// `import type`, `export type`, `export interface`, and `export = value`.
fn is_type_only(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::TSExportAssignment(_) => true,
        Statement::ImportDeclaration(import) => import.import_kind.is_type(),
        Statement::ExportAllDeclaration(export) => export.export_kind.is_type(),
        Statement::ExportNamedDeclaration(export) => export.export_kind.is_type(),
        Statement::ExportDeclaration(export) => export.export_kind().is_type(),
        Statement::ExportFromDeclaration(export) => export.export_kind.is_type(),
        _ => false,
    }
}

struct ParseAttempt<'a> {
    returned: ParserReturn<'a>,
    kind: SourceKind,
}

impl<'a> ParseAttempt<'a> {
    fn is_broken(&self) -> bool {
        self.returned.panicked || self.returned.diagnostics.has_errors()
    }

    fn finish(self, source: &str) -> Result<Parsed<'a>, SyntaxErrors> {
        let diagnostic = |error| Diagnostic::of(error).for_kind(self.kind);
        let mut diagnostics: Vec<Diagnostic> = self.returned.diagnostics.errors().map(diagnostic).collect();
        if self.returned.panicked && diagnostics.is_empty() {
            diagnostics.push(Diagnostic::new("Invalid or unexpected token", self.returned.program.span));
        }
        diagnostics.extend(missing_class_keyword(&self.returned.program, source));
        diagnostics
            .extend(self.returned.program.body.iter().filter_map(|one| missing_from_specifier(one, source)));
        // The parser accepts them in scripts as well.
        let item = first_module_item(&self.returned.program).filter(|_| self.kind == SourceKind::Script);
        diagnostics.extend(item.filter(|_| diagnostics.is_empty()).map(outside_module_error));
        fail_if_any(diagnostics, source)?;
        Ok(Parsed { program: self.returned.program, kind: self.kind })
    }
}

/// A word in place of `class` after `export` and a decorator: the parser accepts any.
fn missing_class_keyword(program: &Program<'_>, source: &str) -> Option<Diagnostic> {
    let class = |statement: &Statement<'_>| match statement {
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::ClassDeclaration(class) => class.decorators.last().map(|last| last.span),
            _ => None,
        },
        _ => None,
    };
    let decorator = program.body.iter().filter_map(class);
    decorator.map(|decorator| lexer::next_identifier_range(source, decorator.end as usize)).find_map(
        |identifier| {
            let message = match &source[identifier.clone()] {
                "class" | "abstract" | "export" => return None,
                "" => {
                    let token =
                        source[identifier.start..].chars().next().map(String::from).unwrap_or_default();
                    let span = Span::new(identifier.start as u32, (identifier.start + token.len()) as u32);
                    return Some(Diagnostic::new(format!("Unexpected token '{token}'"), span));
                }
                name => format!("Unexpected identifier '{name}'"),
            };
            Some(Diagnostic::new(message, Span::new(identifier.start as u32, identifier.end as u32)))
        },
    )
}

/// `export { a } from;`: the parser accepts a missing specifier.
fn missing_from_specifier(statement: &Statement<'_>, source: &str) -> Option<Diagnostic> {
    let Statement::ExportNamedDeclaration(export) = statement else { return None };
    let mut at = export.specifiers.last().map_or(export.span.start, |last| last.span.end) as usize;
    // Up to the closing brace: an identifier after it can only be `from`.
    loop {
        let identifier = lexer::next_identifier_range(source, at);
        if identifier.is_empty() && source[identifier.start..].starts_with('}') {
            let from = lexer::next_identifier_range(source, identifier.start + 1);
            let is_from = from.end <= export.span.end as usize && &source[from.clone()] == "from";
            let after = lexer::next_identifier_range(source, from.end).start as u32;
            return is_from.then(|| Diagnostic::new(UNEXPECTED, Span::new(after, after)));
        }
        if at >= export.span.end as usize {
            return None;
        }
        at = lexer::skip_past(source, &identifier);
    }
}

/// The scopes of a tree, or the errors of the scope analysis.
pub(crate) fn scopes<'a>(program: &'a Program<'a>, source: &str) -> Result<Scoping, SyntaxErrors> {
    let builder = SemanticBuilder::new_compiler().with_enum_eval(true);
    let built = builder.with_stats(estimated_counts(source)).build(program);
    let diagnostics: Vec<Diagnostic> = built.diagnostics.errors().map(Diagnostic::of).collect();
    if !diagnostics.is_empty() {
        let names = NameSpans::of(program);
        fail_if_any(
            diagnostics.into_iter().filter_map(|diagnostic| names.filter(diagnostic)).collect(),
            source,
        )?;
    }
    Ok(built.semantic.into_scoping())
}

/// Space for the scopes of usual code of this size: counting would be a walk of the tree.
fn estimated_counts(source: &str) -> Stats {
    let bytes = u32::try_from(source.len()).unwrap_or(u32::MAX);
    Stats::new(bytes / 8, bytes / 128 + 4, bytes / 64 + 4, bytes / 24 + 4)
}

/// Spans of names that are not in a scope.
#[derive(Default)]
struct NameSpans {
    /// Parameters of each function.
    parameters: Vec<Vec<Span>>,
    /// Members of classes, except private ones and constructors.
    members: HashSet<Span>,
}

impl NameSpans {
    fn of(program: &Program<'_>) -> NameSpans {
        let mut names = NameSpans::default();
        names.visit_program(program);
        names
    }

    /// The final error; None for a duplicate member: only TypeScript's checker rejects it, the last
    /// one counts.
    fn filter(&self, diagnostic: Diagnostic) -> Option<Diagnostic> {
        match diagnostic.spans() {
            Some((one, other)) if self.members.contains(&one) && self.members.contains(&other) => None,
            _ => Some(diagnostic.into_duplicate_parameter(&self.parameters)),
        }
    }
}

impl<'a> Visit<'a> for NameSpans {
    fn visit_formal_parameters(&mut self, parameters: &FormalParameters<'a>) {
        let rest = parameters.rest.iter().map(|rest| &rest.rest.argument);
        let patterns = parameters.items.iter().map(|item| &item.pattern).chain(rest);
        let names = patterns.flat_map(|pattern| pattern.get_binding_identifiers());
        self.parameters.push(names.map(|name| name.span).collect());
        walk::walk_formal_parameters(self, parameters);
    }

    fn visit_class_body(&mut self, body: &ClassBody<'a>) {
        let constructor = |element: &&ClassElement<'_>| {
            element.method_definition_kind().is_some_and(|kind| kind.is_constructor())
        };
        let keys =
            body.body.iter().filter(|element| !constructor(element)).filter_map(ClassElement::property_key);
        let public = keys.filter(|key| !key.is_private_identifier());
        self.members.extend(public.map(GetSpan::span));
        walk::walk_class_body(self, body);
    }
}

/// The scopes of a changed tree, whose errors are reported already. `before`: the size of those
/// that the tree had.
pub(crate) fn rebuild_scopes<'a>(program: &'a Program<'a>, before: Stats) -> Scoping {
    let builder = SemanticBuilder::new().with_enum_eval(true);
    builder.with_stats(before).build(program).semantic.into_scoping()
}

/// The size of scopes, as the space for similar ones.
pub fn counts(scoping: &Scoping) -> Stats {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let references = count(scoping.references_len());
    Stats::new(references, count(scoping.scopes_len()), count(scoping.symbols_len()), references)
}

fn source_type(language: Language, kind: SourceKind) -> SourceType {
    let base = match language {
        Language::JavaScript => SourceType::mjs(),
        Language::Jsx => SourceType::jsx(),
        Language::TypeScript => SourceType::ts(),
        Language::Tsx => SourceType::tsx(),
    };
    match kind {
        SourceKind::Module => base.with_module(true),
        SourceKind::CommonJs => base.with_commonjs(true),
        SourceKind::Script => base.with_script(true),
    }
}
