//! Redirects the inner name binding of a decorated class to the class that its decorators returned.
//! In: a class. Out: edits of the references to its name. Static private members stay with the
//! original class, so in front of those the name refers to that one.

use std::collections::HashSet;

use oxc::ast::ast::{
    AssignmentTargetPropertyIdentifier, Class, Expression, IdentifierReference, ObjectProperty,
    PrivateFieldExpression, PrivateInExpression,
};
use oxc::ast_visit::{Visit, walk};
use oxc::semantic::{Scoping, SymbolId};

use super::member::ClassMember;
use crate::edits::Edits;

pub(super) fn redirect(
    class: &Class<'_>,
    members: &[ClassMember<'_, '_>],
    state: &str,
    scoping: &Scoping,
    edits: &mut Edits<'_>,
) {
    let Some(id) = &class.id else { return };
    let statics = members.iter().filter(|member| member.is_static).filter_map(|member| member.private_name());
    let mut reads = ClassNameReads {
        symbol: id.symbol_id(),
        scoping,
        state,
        statics: statics.collect(),
        edits,
        origin: None,
    };
    if let Some(heritage) = &class.heritage {
        reads.visit_class_heritage(heritage);
    }
    reads.visit_class_body(&class.body);
}

struct ClassNameReads<'r, 'e> {
    symbol: SymbolId,
    scoping: &'r Scoping,
    state: &'r str,
    statics: HashSet<&'r str>,
    edits: &'r mut Edits<'e>,
    /// Start of the class name in front of a static private member.
    origin: Option<u32>,
}

impl ClassNameReads<'_, '_> {
    fn is_own(&self, name: &IdentifierReference<'_>) -> bool {
        self.scoping.get_reference(name.reference_id()).symbol_id() == Some(self.symbol)
    }

    fn note_origin(&mut self, private: &str, object: &Expression<'_>) {
        if let Some(name) = object.get_inner_expression().get_identifier_reference()
            && self.statics.contains(private)
        {
            self.origin = Some(name.span.start);
        }
    }
}

impl<'a> Visit<'a> for ClassNameReads<'_, '_> {
    fn visit_identifier_reference(&mut self, name: &IdentifierReference<'a>) {
        if self.is_own(name) {
            let part = if self.origin == Some(name.span.start) { "origin" } else { "class" };
            self.edits.replace(name.span.start..name.span.end, format!("{}.{part}", self.state));
        }
    }

    fn visit_private_field_expression(&mut self, member: &PrivateFieldExpression<'a>) {
        self.note_origin(&member.field.name, &member.object);
        walk::walk_private_field_expression(self, member);
    }

    fn visit_private_in_expression(&mut self, test: &PrivateInExpression<'a>) {
        self.note_origin(&test.left.name, &test.right);
        walk::walk_private_in_expression(self, test);
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        let shorthand = property.value.get_identifier_reference().filter(|_| property.shorthand);
        match shorthand {
            Some(name) if self.is_own(name) => {
                let text = format!("{}: {}.class", name.name, self.state);
                self.edits.replace(name.span.start..name.span.end, text);
            }
            Some(_) => {}
            None => walk::walk_object_property(self, property),
        }
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        target: &AssignmentTargetPropertyIdentifier<'a>,
    ) {
        let name = &target.binding;
        if self.is_own(name) {
            let text = format!("{}: {}.class", name.name, self.state);
            self.edits.replace(name.span.start..name.span.end, text);
        }
        if let Some(init) = &target.init {
            self.visit_expression(init);
        }
    }
}
