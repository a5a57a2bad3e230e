//! Classes whose definition only makes a class: nothing of the program runs meanwhile.

use oxc::ast::ast::{Class, ClassElement, Expression, MethodDefinition, PropertyDefinition};

use super::StateReader;
use super::values::ValueKind;

/// Classes of the language that programs extend.
const BASES: [&str; 9] =
    ["Array", "Error", "EvalError", "Map", "RangeError", "ReferenceError", "Set", "SyntaxError", "TypeError"];

impl StateReader<'_> {
    pub(super) fn class(&self, class: &Class<'_>) -> Option<()> {
        let is_known_base = class.heritage.as_ref().is_none_or(|base| self.is_base(&base.expression));
        if !class.decorators.is_empty() || !is_known_base {
            return None;
        }
        class.body.body.iter().try_for_each(|element| match element {
            ClassElement::MethodDefinition(method) => self.method(method),
            ClassElement::PropertyDefinition(property) => self.property(property),
            ClassElement::AccessorProperty(_) | ClassElement::StaticBlock(_) => None,
            ClassElement::TSIndexSignature(_) => Some(()),
        })
    }

    /// A name of the module, which an import may be, too: its modules are looked at as well.
    fn is_base(&self, base: &Expression<'_>) -> bool {
        let Some(name) = base.get_identifier_reference() else { return false };
        match self.symbol(name) {
            Some(symbol) => !self.primitives.contains(&symbol),
            None => BASES.contains(&name.name.as_str()),
        }
    }

    fn method(&self, method: &MethodDefinition<'_>) -> Option<()> {
        (method.decorators.is_empty() && self.is_key(&method.key)).then_some(())
    }

    /// Values of fields are made with an instance, those of static ones with the class. Private
    /// static fields are state that no other code sees.
    fn property(&self, property: &PropertyDefinition<'_>) -> Option<()> {
        if !property.decorators.is_empty() || !self.is_key(&property.key) {
            return None;
        }
        match (property.r#static, &property.value) {
            (false, _) => Some(()),
            (true, _) if property.key.is_private_identifier() => None,
            (true, None) => Some(()),
            (true, Some(value)) => self.value(value).map(|_: ValueKind| ()),
        }
    }
}
