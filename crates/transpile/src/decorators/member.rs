//! The members of a class in a uniform form. In: a class body. Out: members in source order.

use oxc::ast::ast::{
    ClassBody, ClassElement, Decorator, Expression, Function, MethodDefinitionKind, PropertyKey,
};
use oxc::span::{GetSpan, Span};

pub(super) struct ClassMember<'m, 'a> {
    pub(super) span: Span,
    pub(super) decorators: &'m [Decorator<'a>],
    /// None for a static block.
    pub(super) key: Option<&'m PropertyKey<'a>>,
    pub(super) is_computed: bool,
    pub(super) is_static: bool,
    pub(super) shape: Shape<'m, 'a>,
}

#[derive(Clone, Copy)]
pub(super) enum Shape<'m, 'a> {
    Constructor,
    Method(&'m Function<'a>),
    Getter,
    Setter,
    Field(Option<&'m Expression<'a>>),
    Accessor(Option<&'m Expression<'a>>),
    Block,
}

pub(super) fn read<'m, 'a>(body: &'m ClassBody<'a>) -> Vec<ClassMember<'m, 'a>> {
    body.body.iter().filter_map(of).collect()
}

fn of<'m, 'a>(element: &'m ClassElement<'a>) -> Option<ClassMember<'m, 'a>> {
    let span = element.span();
    Some(match element {
        ClassElement::MethodDefinition(method) => ClassMember {
            span,
            decorators: &method.decorators,
            key: Some(&method.key),
            is_computed: method.computed,
            is_static: method.r#static,
            shape: match method.kind {
                MethodDefinitionKind::Constructor => Shape::Constructor,
                MethodDefinitionKind::Method => Shape::Method(&method.value),
                MethodDefinitionKind::Get => Shape::Getter,
                MethodDefinitionKind::Set => Shape::Setter,
            },
        },
        ClassElement::PropertyDefinition(field) => ClassMember {
            span,
            decorators: &field.decorators,
            key: Some(&field.key),
            is_computed: field.computed,
            is_static: field.r#static,
            shape: Shape::Field(field.value.as_ref()),
        },
        ClassElement::AccessorProperty(accessor) => ClassMember {
            span,
            decorators: &accessor.decorators,
            key: Some(&accessor.key),
            is_computed: accessor.computed,
            is_static: accessor.r#static,
            shape: Shape::Accessor(accessor.value.as_ref()),
        },
        ClassElement::StaticBlock(_) => ClassMember {
            span,
            decorators: &[],
            key: None,
            is_computed: false,
            is_static: true,
            shape: Shape::Block,
        },
        ClassElement::TSIndexSignature(_) => return None,
    })
}

impl<'m> ClassMember<'m, '_> {
    pub(super) fn is_decorated(&self) -> bool {
        !self.decorators.is_empty()
    }

    /// Whether the engine does not support it.
    pub(super) fn is_lowered(&self) -> bool {
        self.is_decorated() || matches!(self.shape, Shape::Accessor(_))
    }

    /// Whether it needs the class's state: the computed key of an accessor is evaluated once and
    /// used twice.
    pub(super) fn needs_state(&self) -> bool {
        self.is_decorated() || self.is_computed && matches!(self.shape, Shape::Accessor(_))
    }

    /// Whether it is on the prototype, so that its initializers run before all fields.
    pub(super) fn is_of_prototype(&self) -> bool {
        !self.is_static && matches!(self.shape, Shape::Method(_) | Shape::Getter | Shape::Setter)
    }

    pub(super) fn private_name(&self) -> Option<&'m str> {
        match self.key {
            Some(PropertyKey::PrivateIdentifier(name)) => Some(name.name.as_str()),
            _ => None,
        }
    }

    pub(super) fn modifier(&self) -> &'static str {
        if self.is_static { "static " } else { "" }
    }
}
