//! Replacement of global names by constants before linking, and of dropped calls. In: a syntax
//! tree. Out: the same tree, with branches removed that constants exclude, and its scopes. Only
//! files that contain one of the names are changed.

mod features;

use oxc::allocator::Allocator;
use oxc::ast::ast::{Expression, Program, Statement};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::parser::Parser;
use oxc::semantic::{Scoping, SemanticBuilder, Stats};
use oxc::span::{GetSpan, SourceType};
use oxc_minifier::{CompressOptions, CompressOptionsUnused, Compressor};

use rusk_transpile::SourceKind;

use crate::diagnostic::Diagnostic;
use crate::options::BundleOptions;
use crate::problem;

/// As the first part of a dotted name.
const IMPORT_META: &str = "import.meta";

/// Names and the source text of their values.
#[derive(Debug, Default)]
pub(crate) struct Constants {
    defines: Vec<(Vec<String>, String)>,
    /// Calls of these are removed.
    dropped: Vec<Vec<String>>,
    drops_debugger: bool,
    features: Vec<String>,
}

impl Constants {
    pub(crate) fn new(options: &BundleOptions) -> Result<Constants, Vec<Diagnostic>> {
        let mut constants = Constants { features: options.features.clone(), ..Constants::default() };
        let mut errors = Vec::new();
        if !options.keeps_hot_api {
            constants.remove_hot_api();
        }
        for (name, value) in &options.defines {
            match parse(name, value) {
                Ok(path) => {
                    constants.defines.retain(|(known, _)| *known != path);
                    constants.defines.push((path, value.trim().to_owned()));
                }
                Err(error) => errors.push(error),
            }
        }
        for name in &options.drop {
            match name.as_str() {
                "debugger" => constants.drops_debugger = true,
                name => constants.dropped.push(name.split('.').map(str::to_owned).collect()),
            }
        }
        if errors.is_empty() { Ok(constants) } else { Err(errors) }
    }

    /// Without a development server `import.meta.hot` is undefined, its data an empty object; calls
    /// of its methods go.
    fn remove_hot_api(&mut self) {
        let hot = [IMPORT_META.to_owned(), "hot".to_owned()];
        let data = hot.iter().cloned().chain(["data".to_owned()]).collect();
        self.dropped.push(hot.to_vec());
        self.defines.push((data, "{}".to_owned()));
        self.defines.push((hot.to_vec(), "undefined".to_owned()));
    }

    fn may_match(&self, source: &str) -> bool {
        let has = |name: &String| memchr::memmem::find(source.as_bytes(), name.as_bytes()).is_some();
        self.defines.iter().any(|(path, _)| path.iter().all(has))
            || self.dropped.iter().any(|path| path.iter().all(has))
            || self.drops_debugger && has(&"debugger".to_owned())
            || memchr::memmem::find(source.as_bytes(), features::MODULE.as_bytes()).is_some()
    }

    /// Replaces names; returns new scopes if the tree was changed.
    pub(crate) fn apply<'a>(
        &self,
        allocator: &'a Allocator,
        program: &mut Program<'a>,
        scoping: &Scoping,
        source: &str,
        kind: SourceKind,
    ) -> Option<Scoping> {
        if !self.may_match(source) {
            return None;
        }
        let mut replacer = Replacer {
            kind,
            constants: self,
            allocator,
            scoping,
            ast: AstBuilder::new(allocator),
            is_changed: false,
        };
        replacer.visit_program(program);
        let has_features = features::apply(AstBuilder::new(allocator), program, scoping, &self.features);
        if !replacer.is_changed && !has_features {
            return None;
        }
        Some(remove_dead_branches(allocator, program, scoping))
    }
}

/// Removes what cannot run; returns new scopes. `before`: the old ones, whose size is that of the
/// new ones.
pub(crate) fn remove_dead_branches<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    before: &Scoping,
) -> Scoping {
    let scoping = scopes(program, rusk_transpile::counts(before));
    let size = rusk_transpile::counts(&scoping);
    let options = CompressOptions { unused: CompressOptionsUnused::Keep, ..CompressOptions::dce() };
    Compressor::new(allocator).dead_code_elimination_with_scoping(program, scoping, options);
    scopes(program, size)
}

fn scopes(program: &Program<'_>, size: Stats) -> Scoping {
    SemanticBuilder::new().with_stats(size).build(program).semantic.into_scoping()
}

fn parse(name: &str, value: &str) -> Result<Vec<String>, Diagnostic> {
    let (first, rest) = match name.strip_prefix(IMPORT_META) {
        Some(rest) if rest.is_empty() || rest.starts_with('.') => (Some(IMPORT_META), rest.strip_prefix('.')),
        _ => (None, Some(name)),
    };
    let names = rest.into_iter().flat_map(|rest| rest.split('.')).map(str::to_owned);
    let names: Vec<String> = names.collect();
    let path: Vec<String> = first.map(str::to_owned).into_iter().chain(names.iter().cloned()).collect();
    if !names.iter().all(|part| crate::names::is_identifier(part)) {
        return Err(problem::define_name(name));
    }
    let allocator = Allocator::default();
    match Parser::new(&allocator, value.trim(), SourceType::mjs()).parse_expression() {
        Ok(expression) if expression.span().end as usize == value.trim().len() => Ok(path),
        _ => Err(problem::define_value(name, value)),
    }
}

struct Replacer<'r, 'a> {
    kind: SourceKind,
    constants: &'r Constants,
    allocator: &'a Allocator,
    scoping: &'r Scoping,
    ast: AstBuilder<'a>,
    is_changed: bool,
}

impl<'a> Replacer<'_, 'a> {
    /// Whether an expression is this dotted name, and its first part is global.
    fn is_path(&self, expression: &Expression<'a>, path: &[String]) -> bool {
        let Some((last, before)) = path.split_last() else { return false };
        match expression {
            Expression::ImportMeta(_) => before.is_empty() && last == IMPORT_META,
            Expression::Identifier(name) => {
                before.is_empty()
                    && name.name == last.as_str()
                    && !self.is_declared_by_wrapper(last)
                    && name
                        .reference_id
                        .get()
                        .is_none_or(|reference| self.scoping.get_reference(reference).symbol_id().is_none())
            }
            Expression::StaticMemberExpression(member) => {
                !before.is_empty()
                    && member.property.name == last.as_str()
                    && self.is_path(&member.object, before)
            }
            Expression::ComputedMemberExpression(member) => {
                !before.is_empty()
                    && matches!(&member.expression, Expression::StringLiteral(text) if text.value == last.as_str())
                    && self.is_path(&member.object, before)
            }
            _ => false,
        }
    }

    /// CommonJS modules have variables of their own.
    fn is_declared_by_wrapper(&self, name: &str) -> bool {
        self.kind != SourceKind::Module && matches!(name, "module" | "exports")
    }

    fn replacement(&self, expression: &Expression<'a>) -> Option<Expression<'a>> {
        if !matches!(
            expression,
            Expression::Identifier(_)
                | Expression::StaticMemberExpression(_)
                | Expression::ComputedMemberExpression(_)
                | Expression::ImportMeta(_)
        ) {
            return None;
        }
        let (_, value) = self.constants.defines.iter().find(|(path, _)| self.is_path(expression, path))?;
        let text = self.allocator.alloc_str(value);
        Parser::new(self.allocator, text, SourceType::mjs()).parse_expression().ok()
    }

    /// A call of a dropped name, or of one of its members.
    fn is_dropped(&self, expression: &Expression<'a>) -> bool {
        let Expression::CallExpression(call) = expression else { return false };
        self.constants.dropped.iter().any(|path| {
            let mut callee = &call.callee;
            loop {
                if self.is_path(callee, path) {
                    return true;
                }
                match callee {
                    Expression::StaticMemberExpression(member) => callee = &member.object,
                    _ => return false,
                }
            }
        })
    }
}

impl<'a> VisitMut<'a> for Replacer<'_, 'a> {
    fn visit_expression(&mut self, expression: &mut Expression<'a>) {
        if let Some(replacement) = self.replacement(expression) {
            *expression = replacement;
            self.is_changed = true;
        } else if self.is_dropped(expression) {
            *expression = Expression::new_identifier(expression.span(), "undefined", &self.ast);
            self.is_changed = true;
        } else {
            walk_mut::walk_expression(self, expression);
        }
    }

    fn visit_statement(&mut self, statement: &mut Statement<'a>) {
        if self.constants.drops_debugger && matches!(statement, Statement::DebuggerStatement(_)) {
            *statement = Statement::new_empty_statement(statement.span(), &self.ast);
            self.is_changed = true;
            return;
        }
        walk_mut::walk_statement(self, statement);
    }
}
