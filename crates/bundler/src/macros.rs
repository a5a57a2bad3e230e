//! Macros: functions of modules that are imported `with { type: 'macro' }` are called while the
//! bundle is made, and their values take the place of the calls. In: a syntax tree. Out: the same
//! without the imports, with values; new scopes. Absent: running JavaScript (`host`).

mod host;

use std::path::Path;

use oxc::allocator::Allocator;
use oxc::ast::ast::{
    Argument, CallExpression, Expression, ImportDeclarationSpecifier, ObjectPropertyKind, Program,
    PropertyKey, Statement, UnaryOperator,
};
use oxc::ast_visit::{Visit, VisitMut, walk, walk_mut};
use oxc::parser::Parser;
use oxc::semantic::{Scoping, SemanticBuilder, SymbolId};
use oxc::span::{GetSpan, SourceType, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::collect::{attribute, export_name};
use crate::diagnostic::Diagnostic;
use crate::problem;
pub(crate) use host::{MacroCall, MacroHost};

/// The value of the import attribute.
const MACRO: &str = "macro";

/// The module whose macros are called.
pub(crate) struct MacroModule<'m> {
    pub(crate) name: &'m str,
    pub(crate) path: &'m Path,
    pub(crate) source: &'m str,
}

impl MacroModule<'_> {
    fn error(&self, message: String, span: Span) -> Diagnostic {
        problem::macro_failed(&message).at(self.name, self.source, span.start..span.end)
    }
}

/// What an imported symbol is.
struct ImportedMacro {
    specifier: String,
    /// `None`: the namespace.
    name: Option<String>,
    span: Span,
}

/// Replaces all calls; returns new scopes if the tree was changed.
pub(crate) fn apply<'a>(
    host: Option<&MacroHost>,
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: &Scoping,
    module: &MacroModule<'_>,
) -> Result<Option<Scoping>, Vec<Diagnostic>> {
    if memchr::memmem::find(module.source.as_bytes(), MACRO.as_bytes()).is_none() {
        return Ok(None);
    }
    let imports = take_imports(program);
    if imports.is_empty() {
        return Ok(None);
    }
    let mut finder = Finder { scoping, module, imports: &imports, calls: Vec::new(), errors: Vec::new() };
    finder.visit_program(program);
    let Finder { calls, mut errors, .. } = finder;
    errors.extend(other_uses(scoping, &imports, &calls, module));
    if let Some(import) = imports.values().next()
        && module.path.components().any(|part| part.as_os_str() == "node_modules")
    {
        errors = vec![module.error("modules in node_modules cannot call macros".to_owned(), import.span)];
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let values = evaluate(host, &calls, module)?;
    let mut replacer = Replacer { allocator, values: &values, span: None };
    replacer.visit_program(program);
    Ok(Some(SemanticBuilder::new_compiler().build(program).semantic.into_scoping()))
}

/// Removes the import statements.
fn take_imports(program: &mut Program<'_>) -> FxHashMap<SymbolId, ImportedMacro> {
    let mut imports = FxHashMap::default();
    program.body.retain(|statement| {
        let Statement::ImportDeclaration(import) = statement else { return true };
        if attribute(import.with_clause.as_deref()).as_deref() != Some(MACRO) {
            return true;
        }
        for specifier in import.specifiers.iter().flatten() {
            let (local, name) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => {
                    (&one.local, Some(export_name(&one.imported)))
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
                    (&one.local, Some("default".to_owned()))
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => (&one.local, None),
            };
            if let Some(symbol) = local.symbol_id.get() {
                let specifier = import.source.value.to_string();
                imports.insert(symbol, ImportedMacro { specifier, name, span: local.span });
            }
        }
        false
    });
    imports
}

struct FoundCall {
    symbol: SymbolId,
    span: Span,
    call: MacroCall,
}

struct Finder<'f> {
    scoping: &'f Scoping,
    module: &'f MacroModule<'f>,
    imports: &'f FxHashMap<SymbolId, ImportedMacro>,
    calls: Vec<FoundCall>,
    errors: Vec<Diagnostic>,
}

impl Finder<'_> {
    /// The macro that is called: `name()` or `namespace.name()`.
    fn called(&self, callee: &Expression<'_>) -> Option<(SymbolId, String, String)> {
        let (object, property) = match callee {
            Expression::StaticMemberExpression(member) => {
                (&member.object, Some(member.property.name.to_string()))
            }
            callee => (callee, None),
        };
        let Expression::Identifier(name) = object else { return None };
        let symbol = self.scoping.get_reference(name.reference_id.get()?).symbol_id()?;
        let import = self.imports.get(&symbol)?;
        let name = match (&import.name, property) {
            (Some(name), None) => name.clone(),
            (None, Some(property)) => property,
            _ => return None,
        };
        Some((symbol, import.specifier.clone(), name))
    }
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let Some((symbol, specifier, name)) = self.called(&call.callee) else {
            return walk::walk_call_expression(self, call);
        };
        let mut values = Vec::new();
        for argument in &call.arguments {
            let span = argument.span();
            let is_constant = argument.as_expression().is_some_and(is_constant);
            match self.module.source.get(span.start as usize..span.end as usize) {
                Some(text) if is_constant => values.push(text.to_owned()),
                _ => {
                    let message = format!("an argument of the macro `{name}` is not a constant");
                    self.errors.push(self.module.error(message, span));
                }
            }
        }
        let call_of = MacroCall { specifier, name, values: values.join(", ") };
        self.calls.push(FoundCall { symbol, span: call.span, call: call_of });
    }
}

/// Whether an expression has the same value everywhere.
fn is_constant(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::StringLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::BigIntLiteral(_)
        | Expression::RegExpLiteral(_) => true,
        Expression::TemplateLiteral(template) => template.expressions.is_empty(),
        Expression::Identifier(name) => matches!(name.name.as_str(), "undefined" | "NaN" | "Infinity"),
        Expression::UnaryExpression(unary) => {
            matches!(unary.operator, UnaryOperator::UnaryNegation | UnaryOperator::LogicalNot)
                && is_constant(&unary.argument)
        }
        Expression::ParenthesizedExpression(inner) => is_constant(&inner.expression),
        Expression::ArrayExpression(array) => {
            array.elements.iter().all(|element| element.as_expression().is_some_and(is_constant))
        }
        Expression::ObjectExpression(object) => object.properties.iter().all(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) => {
                !property.computed
                    && !matches!(property.key, PropertyKey::PrivateIdentifier(_))
                    && is_constant(&property.value)
            }
            ObjectPropertyKind::SpreadProperty(_) => false,
        }),
        _ => false,
    }
}

/// Macros are no values.
fn other_uses(
    scoping: &Scoping,
    imports: &FxHashMap<SymbolId, ImportedMacro>,
    calls: &[FoundCall],
    module: &MacroModule<'_>,
) -> Vec<Diagnostic> {
    let mut found: Vec<&SymbolId> = imports.keys().collect();
    found.sort_unstable();
    let is_other = |symbol: &&SymbolId| {
        let called = calls.iter().filter(|call| call.symbol == **symbol).count();
        scoping.get_resolved_reference_ids(**symbol).len() > called
    };
    let error = |symbol: &SymbolId| {
        let name = scoping.symbol_name(*symbol);
        module.error(format!("`{name}` is a macro, which can only be called"), imports[symbol].span)
    };
    found.into_iter().filter(is_other).map(error).collect()
}

/// Values by where the calls begin and end.
fn evaluate(
    host: Option<&MacroHost>,
    calls: &[FoundCall],
    module: &MacroModule<'_>,
) -> Result<FxHashMap<(u32, u32), String>, Vec<Diagnostic>> {
    let Some(first) = calls.first() else { return Ok(FxHashMap::default()) };
    let Some(host) = host else {
        return Err(vec![module.error("macros are disabled".to_owned(), first.span)]);
    };
    let all: Vec<MacroCall> = calls.iter().map(|found| found.call.clone()).collect();
    let answers = host.evaluate(module.path, &all).map_err(|message| {
        let message = format!("the macro `{}` failed: {message}", first.call.name);
        vec![module.error(message, first.span)]
    })?;
    let (mut values, mut errors, mut seen) = (FxHashMap::default(), Vec::new(), FxHashSet::default());
    for (found, answer) in calls.iter().zip(answers) {
        match answer {
            Ok(text) => {
                values.insert((found.span.start, found.span.end), text);
            }
            Err(message) if seen.insert(message.clone()) => {
                let message = format!("the macro `{}` failed: {message}", found.call.name);
                errors.push(module.error(message, found.span));
            }
            Err(_) => {}
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(errors) }
}

struct Replacer<'r, 'a> {
    allocator: &'a Allocator,
    values: &'r FxHashMap<(u32, u32), String>,
    /// The place of what is in a value.
    span: Option<Span>,
}

impl<'a> VisitMut<'a> for Replacer<'_, 'a> {
    fn visit_span(&mut self, span: &mut Span) {
        if let Some(place) = self.span {
            *span = place;
        }
    }

    fn visit_expression(&mut self, expression: &mut Expression<'a>) {
        if let (Expression::CallExpression(call), None) = (&*expression, self.span)
            && let Some(text) = self.values.get(&(call.span.start, call.span.end))
        {
            let span = call.span;
            let text = self.allocator.alloc_str(text);
            if let Ok(value) = Parser::new(self.allocator, text, SourceType::mjs()).parse_expression() {
                *expression = value;
                self.span = Some(span);
                walk_mut::walk_expression(self, expression);
                self.span = None;
                return;
            }
        }
        walk_mut::walk_expression(self, expression);
    }

    fn visit_argument(&mut self, argument: &mut Argument<'a>) {
        if let Some(expression) = argument.as_expression_mut() {
            self.visit_expression(expression);
        } else {
            walk_mut::walk_argument(self, argument);
        }
    }
}
