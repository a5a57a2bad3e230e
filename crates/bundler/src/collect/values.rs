//! Values that linking puts elsewhere: short constants, and files of workers. In: a syntax tree.
//! Out: their source.

use oxc::ast::ast::{
    Argument, BindingPattern, Declaration, Expression, IdentifierReference, NewExpression, Statement,
    StringLiteral, VariableDeclaration, VariableDeclarationKind,
};
use oxc::semantic::{SymbolFlags, SymbolId};
use oxc::span::GetSpan;
use oxc::syntax::operator::UnaryOperator;

use super::Collector;
use crate::module::ConstantWrite;
use crate::symbols::SymbolIndex;

/// Longer values are in the bundle once, and have a short name.
const CONSTANT_BYTES_MAX: usize = 8;

/// The declaration of variables that a statement is, or exports.
pub(super) fn declared_variables<'s, 'a>(
    statement: &'s Statement<'a>,
) -> Option<&'s VariableDeclaration<'a>> {
    match statement {
        Statement::VariableDeclaration(variables) => Some(variables),
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::VariableDeclaration(variables) => Some(variables),
            _ => None,
        },
        _ => None,
    }
}

impl<'a> Collector<'_, 'a> {
    /// Assignments to what cannot be assigned to.
    pub(super) fn note_write(&mut self, reference: &IdentifierReference<'a>, symbol: SymbolId) {
        let flags = self.scoping.symbol_flags(symbol);
        if !flags.intersects(SymbolFlags::ConstVariable | SymbolFlags::Import) {
            return;
        }
        if reference.reference_id.get().is_some_and(|id| self.scoping.get_reference(id).is_write()) {
            self.module.constant_writes.push(ConstantWrite {
                name: reference.name.to_string(),
                is_import: flags.contains(SymbolFlags::Import),
                span: super::range(reference.span),
            });
        }
    }

    /// `const name = 1;`
    pub(super) fn add_constants(&mut self, statement: &Statement<'a>, source: &str) {
        let Some(variables) = declared_variables(statement) else { return };
        if variables.kind != VariableDeclarationKind::Const {
            return;
        }
        for declarator in &variables.declarations {
            if let (BindingPattern::BindingIdentifier(id), Some(value)) = (&declarator.id, &declarator.init)
                && let Some(symbol) = id.symbol_id.get()
                && let Some(text) = self.short_value(value, source)
            {
                self.module.constants.insert(symbol.index() as SymbolIndex, text.to_owned());
            }
        }
    }

    /// The text of a value that is hardly longer than a name.
    fn short_value<'s>(&self, value: &Expression<'a>, source: &'s str) -> Option<&'s str> {
        let is_value = match value {
            Expression::NumericLiteral(_)
            | Expression::StringLiteral(_)
            | Expression::BooleanLiteral(_)
            | Expression::NullLiteral(_) => true,
            Expression::UnaryExpression(unary) => {
                unary.operator == UnaryOperator::UnaryNegation
                    && matches!(unary.argument, Expression::NumericLiteral(_))
            }
            _ => self.is_global(value, "undefined"),
        };
        let span = value.span();
        let text = source.get(span.start as usize..span.end as usize)?;
        (is_value && !text.is_empty() && text.len() <= CONSTANT_BYTES_MAX).then_some(text)
    }

    /// The file in `new Worker(new URL('./file', import.meta.url))`.
    pub(super) fn worker_file<'e>(&self, new: &'e NewExpression<'a>) -> Option<&'e StringLiteral<'a>> {
        let is_worker = ["Worker", "SharedWorker"].iter().any(|name| self.is_global(&new.callee, name));
        let file = new.arguments.first().filter(|_| is_worker)?.as_expression()?;
        // `new URL(…).href`
        let url = match file {
            Expression::StaticMemberExpression(member) if member.property.name == "href" => &member.object,
            file => file,
        };
        let Expression::NewExpression(url) = url else { return None };
        let [Argument::StringLiteral(file), Argument::StaticMemberExpression(base)] =
            url.arguments.as_slice()
        else {
            return None;
        };
        let is_url = self.is_global(&url.callee, "URL")
            && matches!(base.object, Expression::ImportMeta(_))
            && base.property.name == "url";
        (is_url && file.value.starts_with('.')).then_some(file)
    }
}
