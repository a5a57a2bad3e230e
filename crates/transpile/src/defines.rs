//! Replacement of global names by constants: `--define`, and `define` of bunfig.toml. In: names,
//! also of properties (`process.env.NODE_ENV`), and their values. Out: edits of a program where the
//! name is global. Absent: constant folding.

use oxc::allocator::Allocator;
use oxc::ast::ast::{
    Expression, IdentifierReference, ObjectProperty, ObjectPropertyKind, Program, PropertyKey,
};
use oxc::ast_visit::{Visit, walk};
use oxc::parser::Parser;
use oxc::semantic::Scoping;
use oxc::span::{GetSpan, SourceType, Span};
use oxc::syntax::operator::UnaryOperator;

use crate::edits::Edits;

/// Names and their replacements.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Defines(Vec<Define>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Define {
    /// `process`, `env`, `NODE_ENV`.
    path: Vec<String>,
    /// The replacement's source text.
    text: String,
}

/// Which part of a definition is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DefineError {
    Name,
    Value,
}

impl Defines {
    /// Adds a name, and replaces its earlier value. A value is JSON, a string in single quotes,
    /// `undefined`, or another name.
    pub fn add(&mut self, name: &str, value: &str) -> Result<(), DefineError> {
        let path: Vec<String> = name.split('.').map(str::to_owned).collect();
        if !path.iter().all(|part| is_name(part)) {
            return Err(DefineError::Name);
        }
        let text = constant(value.trim()).ok_or(DefineError::Value)?;
        self.0.retain(|define| define.path != path);
        self.0.push(Define { path, text });
        Ok(())
    }

    /// Whether the source text may contain one of the names.
    pub(crate) fn may_match(&self, source: &str) -> bool {
        let is_contained = |name: &String| memchr::memmem::find(source.as_bytes(), name.as_bytes()).is_some();
        self.0.iter().any(|define| define.path.iter().all(is_contained))
    }

    fn find(&self, path: &[&str]) -> Option<&str> {
        self.0.iter().find(|define| define.path == path).map(|define| define.text.as_str())
    }
}

fn is_name(text: &str) -> bool {
    let is_part = |character: char| character.is_alphanumeric() || matches!(character, '_' | '$');
    text.chars().all(is_part) && text.chars().next().is_some_and(|first| !first.is_ascii_digit())
}

/// The replacement's source text; None if the value is no constant.
fn constant(value: &str) -> Option<String> {
    let allocator = Allocator::default();
    let expression = Parser::new(&allocator, value, SourceType::mjs()).parse_expression().ok()?;
    if expression.span() != Span::new(0, value.len() as u32) || !is_constant(&expression) {
        return None;
    }
    Some(match &expression {
        // So that a property can follow: `1 .x`.
        Expression::NumericLiteral(_) => format!("{value} "),
        Expression::ObjectExpression(_) | Expression::ArrayExpression(_) | Expression::UnaryExpression(_) => {
            format!("({value})")
        }
        _ => value.to_owned(),
    })
}

fn is_constant(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::BooleanLiteral(_)
        | Expression::NullLiteral(_)
        | Expression::NumericLiteral(_)
        | Expression::BigIntLiteral(_)
        | Expression::StringLiteral(_)
        | Expression::Identifier(_) => true,
        Expression::StaticMemberExpression(member) => !member.optional && is_path(&member.object),
        Expression::UnaryExpression(unary) => {
            unary.operator == UnaryOperator::UnaryNegation
                && matches!(unary.argument, Expression::NumericLiteral(_) | Expression::BigIntLiteral(_))
        }
        Expression::ArrayExpression(array) => {
            array.elements.iter().all(|element| element.as_expression().is_some_and(is_constant))
        }
        Expression::ObjectExpression(object) => object.properties.iter().all(|property| match property {
            ObjectPropertyKind::ObjectProperty(property) => {
                !property.computed
                    && !property.method
                    && matches!(
                        property.key,
                        PropertyKey::StaticIdentifier(_)
                            | PropertyKey::StringLiteral(_)
                            | PropertyKey::NumericLiteral(_)
                    )
                    && is_constant(&property.value)
            }
            ObjectPropertyKind::SpreadProperty(_) => false,
        }),
        _ => false,
    }
}

fn is_path(expression: &Expression<'_>) -> bool {
    match expression {
        Expression::Identifier(_) => true,
        Expression::StaticMemberExpression(member) => !member.optional && is_path(&member.object),
        _ => false,
    }
}

/// Replaces names that the program does not declare. Assignment targets stay.
pub(crate) fn replace_names(
    program: &Program<'_>,
    scoping: &Scoping,
    defines: &Defines,
    edits: &mut Edits<'_>,
) {
    if defines.may_match(edits.source()) {
        Replacement { scoping, defines, edits }.visit_program(program);
    }
}

struct Replacement<'r, 'e> {
    scoping: &'r Scoping,
    defines: &'r Defines,
    edits: &'r mut Edits<'e>,
}

impl Replacement<'_, '_> {
    fn is_global(&self, name: &IdentifierReference<'_>) -> bool {
        self.scoping.get_reference(name.reference_id()).symbol_id().is_none()
    }

    /// The parts of a dotted name, if its first part is global.
    fn path<'p>(&self, expression: &'p Expression<'_>) -> Option<Vec<&'p str>> {
        match expression {
            Expression::Identifier(name) if self.is_global(name) => Some(vec![name.name.as_str()]),
            Expression::StaticMemberExpression(member) if !member.optional => {
                let mut path = self.path(&member.object)?;
                path.push(member.property.name.as_str());
                Some(path)
            }
            Expression::ComputedMemberExpression(member) if !member.optional => {
                let Expression::StringLiteral(name) = &member.expression else { return None };
                let mut path = self.path(&member.object)?;
                path.push(name.value.as_str());
                Some(path)
            }
            _ => None,
        }
    }

    fn find(&self, expression: &Expression<'_>) -> Option<&str> {
        self.defines.find(&self.path(expression)?)
    }
}

impl<'a> Visit<'a> for Replacement<'_, '_> {
    fn visit_expression(&mut self, expression: &Expression<'a>) {
        match self.find(expression).map(str::to_owned) {
            Some(text) => {
                let span = expression.span();
                self.edits.replace(span.start..span.end, text);
            }
            None => walk::walk_expression(self, expression),
        }
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        if property.shorthand
            && let Some(name) = property.value.get_identifier_reference()
        {
            if let Some(text) = self.find(&property.value) {
                let text = format!("{}: {text}", name.name);
                self.edits.replace(name.span.start..name.span.end, text);
            }
            return;
        }
        walk::walk_object_property(self, property);
    }
}

#[cfg(test)]
mod tests;
