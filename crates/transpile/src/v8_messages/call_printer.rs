//! Expression printer like V8's CallPrinter: names, properties and literals as written, calls
//! without arguments, and `(intermediate value)` for temporary values. In: an expression. Out: a
//! string. Absent: assignments.

use oxc::ast::ast::{
    Argument, ArrayExpressionElement, CallExpression, ComputedMemberExpression, Expression,
    ObjectPropertyKind,
};
use oxc::span::GetSpan;

const INTERMEDIATE_VALUE: &str = "(intermediate value)";

/// None for expressions that V8 versions print differently.
pub(crate) fn print(expression: &Expression<'_>, source: &str) -> Option<String> {
    let mut printer = CallPrinter { source, text: String::new() };
    printer.expression(expression)?;
    Some(printer.text)
}

struct CallPrinter<'s> {
    source: &'s str,
    text: String,
}

impl CallPrinter<'_> {
    fn expression(&mut self, expression: &Expression<'_>) -> Option<()> {
        match expression {
            Expression::Identifier(name) => self.text += &name.name,
            Expression::ThisExpression(_) => self.text += "this",
            Expression::NullLiteral(_) => self.text += "null",
            Expression::BooleanLiteral(literal) => self.text += if literal.value { "true" } else { "false" },
            Expression::NumericLiteral(_) | Expression::RegExpLiteral(_) => {
                let span = expression.span();
                self.text += &self.source[span.start as usize..span.end as usize];
            }
            Expression::StringLiteral(literal) => self.text += &format!("\"{}\"", literal.value),
            Expression::TemplateLiteral(template) => {
                let cooked = template.quasis.first()?.value.cooked.as_ref()?;
                if !template.expressions.is_empty() {
                    return None;
                }
                self.text += &format!("\"{cooked}\"");
            }
            Expression::ParenthesizedExpression(inner) => self.expression(&inner.expression)?,
            Expression::StaticMemberExpression(member) => {
                self.expression(&member.object)?;
                self.text += if member.optional { "?." } else { "." };
                self.text += &member.property.name;
            }
            Expression::PrivateFieldExpression(member) => {
                self.expression(&member.object)?;
                self.text += if member.optional { "?." } else { "." };
                self.text += &format!("#{}", member.field.name);
            }
            Expression::ComputedMemberExpression(member) => self.computed(member)?,
            Expression::CallExpression(call) => self.call(call)?,
            Expression::ChainExpression(_) => return None,
            Expression::UnaryExpression(unary) => {
                self.text += &format!("({}", unary.operator.as_str());
                if unary.operator.is_keyword() {
                    self.text.push(' ');
                }
                self.expression(&unary.argument)?;
                self.text.push(')');
            }
            Expression::BinaryExpression(binary) => {
                self.pair(&binary.left, binary.operator.as_str(), &binary.right)?;
            }
            Expression::LogicalExpression(logical) => {
                self.pair(&logical.left, logical.operator.as_str(), &logical.right)?;
            }
            Expression::SequenceExpression(sequence) => {
                let [left, right] = sequence.expressions.as_slice() else { return None };
                self.pair(left, ",", right)?;
            }
            Expression::ArrayExpression(array) => self.array(&array.elements)?,
            Expression::ObjectExpression(object) => {
                self.text.push('{');
                for property in &object.properties {
                    let ObjectPropertyKind::ObjectProperty(property) = property else { return None };
                    self.expression(&property.value)?;
                }
                self.text.push('}');
            }
            Expression::NewExpression(_)
            | Expression::FunctionExpression(_)
            | Expression::ArrowFunctionExpression(_)
            | Expression::ClassExpression(_)
            | Expression::AwaitExpression(_)
            | Expression::YieldExpression(_)
            | Expression::Super(_) => self.text += INTERMEDIATE_VALUE,
            _ => return None,
        }
        Some(())
    }

    fn computed(&mut self, member: &ComputedMemberExpression<'_>) -> Option<()> {
        self.expression(&member.object)?;
        if let Expression::StringLiteral(key) = &member.expression {
            self.text += &format!(".{}", key.value);
            return Some(());
        }
        self.text.push('[');
        self.expression(&member.expression)?;
        self.text.push(']');
        Some(())
    }

    fn call(&mut self, call: &CallExpression<'_>) -> Option<()> {
        self.expression(&call.callee)?;
        self.text += "(...)";
        Some(())
    }

    fn pair(&mut self, left: &Expression<'_>, operator: &str, right: &Expression<'_>) -> Option<()> {
        self.text.push('(');
        self.expression(left)?;
        self.text += &format!(" {operator} ");
        self.expression(right)?;
        self.text.push(')');
        Some(())
    }

    fn array(&mut self, elements: &[ArrayExpressionElement<'_>]) -> Option<()> {
        self.text.push('[');
        for (index, element) in elements.iter().enumerate() {
            if index > 0 {
                self.text.push(',');
            }
            self.expression(element.as_expression()?)?;
        }
        self.text.push(']');
        Some(())
    }
}

/// The operand of a spread argument.
pub(super) fn spread<'e, 'a>(argument: &'e Argument<'a>) -> Option<&'e Expression<'a>> {
    match argument {
        Argument::SpreadElement(element) => Some(&element.argument),
        _ => None,
    }
}
