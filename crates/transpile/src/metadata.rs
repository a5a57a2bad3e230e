//! Resolution of types for `emitDecoratorMetadata`, as TypeScript does it. In: a syntax tree with
//! its scopes. Out: the types of decorated members, without references to other types of the file:
//!
//! ```text
//! type A = () => void; @b c: A                 @b c: () => void
//! enum A { d = 'd' }; @b c: A                  @b c: string           A.d likewise
//! class A<T extends string> { @b c: T }        @b c: string
//! @b c(...d: A[])                              @b c(...d: A)          TypeScript emits the element type
//! @b c: A | null                               @b c: A                unless `strictNullChecks`
//! ```
//!
//! Absent: types of other files; generic aliases.

use std::cell::Cell;
use std::collections::HashMap;

use oxc::allocator::{Allocator, ArenaVec, CloneIn};
use oxc::ast::ast::{
    Class, ClassElement, FormalParameter, Function, MethodDefinition, Program, TSType,
    TSTypeAliasDeclaration, TSTypeAnnotation, TSTypeName, TSTypeParameter,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{Visit, VisitMut, walk, walk_mut};
use oxc::semantic::{Scoping, SymbolId};
use oxc::span::Span;
use oxc::syntax::constant_value::ConstantValue;

use crate::options::StrictNullChecks;

/// Depth of aliases of aliases.
const DEPTH_MAX: usize = 32;

/// Returns whether the tree was changed: then the scopes must be rebuilt.
pub(crate) fn resolve_types<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: &Scoping,
    strict_null_checks: StrictNullChecks,
) -> bool {
    let mut aliases = TypeAliases { allocator, types: HashMap::new() };
    aliases.visit_program(program);
    let ast = AstBuilder::new(allocator);
    let mut metadata = Metadata {
        allocator,
        ast,
        scoping,
        strict_null_checks,
        types: aliases.types,
        is_changed: Cell::new(false),
    };
    metadata.visit_program(program);
    metadata.is_changed.get()
}

/// Type aliases and constraints of type parameters.
struct TypeAliases<'a> {
    allocator: &'a Allocator,
    types: HashMap<SymbolId, TSType<'a>>,
}

impl<'a> Visit<'a> for TypeAliases<'a> {
    fn visit_ts_type_alias_declaration(&mut self, alias: &TSTypeAliasDeclaration<'a>) {
        if alias.type_parameters.is_none() {
            let resolved = alias.type_annotation.clone_in_with_semantic_ids(self.allocator);
            self.types.insert(alias.id.symbol_id(), resolved);
        }
        walk::walk_ts_type_alias_declaration(self, alias);
    }

    fn visit_ts_type_parameter(&mut self, parameter: &TSTypeParameter<'a>) {
        if let Some(constraint) = &parameter.constraint {
            let resolved = constraint.clone_in_with_semantic_ids(self.allocator);
            self.types.insert(parameter.name.symbol_id(), resolved);
        }
        walk::walk_ts_type_parameter(self, parameter);
    }
}

struct Metadata<'a, 's> {
    allocator: &'a Allocator,
    ast: AstBuilder<'a>,
    scoping: &'s Scoping,
    strict_null_checks: StrictNullChecks,
    types: HashMap<SymbolId, TSType<'a>>,
    is_changed: Cell<bool>,
}

type Annotation<'t, 'a> = Option<&'t mut TSTypeAnnotation<'a>>;

impl<'a> VisitMut<'a> for Metadata<'a, '_> {
    fn visit_class(&mut self, class: &mut Class<'a>) {
        walk_mut::walk_class(self, class);
        let is_decorated = !class.decorators.is_empty();
        for element in &mut class.body.body {
            match element {
                ClassElement::PropertyDefinition(field) if !field.decorators.is_empty() => {
                    self.annotation(field.type_annotation.as_deref_mut());
                }
                ClassElement::AccessorProperty(accessor) if !accessor.decorators.is_empty() => {
                    self.annotation(accessor.type_annotation.as_deref_mut());
                }
                ClassElement::MethodDefinition(method) if emits_metadata(method, is_decorated) => {
                    self.function(&mut method.value);
                }
                _ => {}
            }
        }
    }
}

/// Whether metadata is emitted for a method.
fn emits_metadata(method: &MethodDefinition<'_>, is_class_decorated: bool) -> bool {
    let is_decorated = |parameter: &FormalParameter<'_>| !parameter.decorators.is_empty();
    let by_itself =
        if method.kind.is_constructor() { is_class_decorated } else { !method.decorators.is_empty() };
    by_itself || method.value.params.items.iter().any(is_decorated)
}

impl<'a> Metadata<'a, '_> {
    fn function(&self, function: &mut Function<'a>) {
        for parameter in &mut function.params.items {
            self.annotation(parameter.type_annotation.as_deref_mut());
        }
        let rest = function.params.rest.as_deref_mut();
        if let Some(annotation) = rest.and_then(|rest| rest.type_annotation.as_deref_mut()) {
            annotation.type_annotation = self.element(&annotation.type_annotation);
            self.is_changed.set(true);
            self.annotation(Some(annotation));
        }
        self.annotation(function.return_type.as_deref_mut());
    }

    fn annotation(&self, annotation: Annotation<'_, 'a>) {
        if let Some(annotation) = annotation
            && let Some(resolved) = self.resolved(&annotation.type_annotation, 0)
        {
            annotation.type_annotation = resolved;
            self.is_changed.set(true);
        }
    }

    /// The element type of a rest parameter.
    fn element(&self, rest: &TSType<'a>) -> TSType<'a> {
        let one = match rest {
            TSType::TSArrayType(array) => Some(&array.element_type),
            TSType::TSTypeReference(named) => {
                named.type_arguments.as_ref().and_then(|given| given.params.first())
            }
            _ => None,
        };
        one.map_or_else(|| self.object(), |one| one.clone_in_with_semantic_ids(self.allocator))
    }

    /// The type that a reference stands for; None if it stays.
    fn resolved(&self, written: &TSType<'a>, depth: usize) -> Option<TSType<'a>> {
        match written {
            _ if depth > DEPTH_MAX => None,
            TSType::TSParenthesizedType(inner) => self.resolved(&inner.type_annotation, depth + 1),
            TSType::TSUnionType(union) => self.union(union.span, &union.types, depth),
            TSType::TSTypeReference(named) => self.named(&named.type_name, depth),
            _ => None,
        }
    }

    fn named(&self, name: &TSTypeName<'a>, depth: usize) -> Option<TSType<'a>> {
        match name {
            TSTypeName::IdentifierReference(name) => {
                let symbol = self.scoping.get_reference(name.reference_id.get()?).symbol_id()?;
                if let Some(members) = self.members(symbol) {
                    return Some(self.of_members(&members));
                }
                if self.scoping.symbol_flags(symbol).is_value() {
                    return None;
                }
                let type_of_name = self.types.get(&symbol)?;
                let further = self.resolved(type_of_name, depth + 1);
                Some(further.unwrap_or_else(|| type_of_name.clone_in_with_semantic_ids(self.allocator)))
            }
            TSTypeName::QualifiedName(qualified) => {
                let TSTypeName::IdentifierReference(left) = &qualified.left else { return None };
                let symbol = self.scoping.get_reference(left.reference_id.get()?).symbol_id()?;
                let scopes = self.scoping.get_enum_body_scopes(symbol)?;
                let name = qualified.right.name;
                let member = scopes.iter().find_map(|scope| self.scoping.get_binding(*scope, name))?;
                Some(self.of_members(&[member]))
            }
            TSTypeName::ThisExpression(_) => None,
        }
    }

    /// The members of an enum.
    fn members(&self, symbol: SymbolId) -> Option<Vec<SymbolId>> {
        let scopes = self.scoping.get_enum_body_scopes(symbol)?;
        Some(scopes.iter().flat_map(|scope| self.scoping.iter_bindings_in(*scope)).collect())
    }

    /// `string` or `number`; `object` if the enum has members of both.
    fn of_members(&self, members: &[SymbolId]) -> TSType<'a> {
        let is_string = |member: &SymbolId| {
            matches!(self.scoping.get_enum_member_value(*member), Some(ConstantValue::String(_)))
        };
        let strings = members.iter().filter(|member| is_string(member)).count();
        match strings {
            0 => TSType::new_ts_number_keyword(Span::default(), &self.ast),
            _ if strings == members.len() => TSType::new_ts_string_keyword(Span::default(), &self.ast),
            _ => self.object(),
        }
    }

    fn union(&self, span: Span, types: &[TSType<'a>], depth: usize) -> Option<TSType<'a>> {
        let is_elided = |one: &TSType<'a>| match one {
            TSType::TSNullKeyword(_) | TSType::TSUndefinedKeyword(_) => {
                self.strict_null_checks == StrictNullChecks::Off
            }
            one => matches!(one, TSType::TSNeverKeyword(_)),
        };
        let mut resolved = ArenaVec::with_capacity_in(types.len(), &self.allocator);
        let mut is_changed = false;
        for one in types.iter().filter(|one| !is_elided(one)) {
            let other = self.resolved(one, depth + 1);
            is_changed |= other.is_some();
            resolved.push(other.unwrap_or_else(|| one.clone_in_with_semantic_ids(self.allocator)));
        }
        match resolved.len() {
            0 => None,
            1 => resolved.pop(),
            _ => is_changed.then(|| TSType::new_ts_union_type(span, resolved, &self.ast)),
        }
    }

    fn object(&self) -> TSType<'a> {
        TSType::new_ts_object_keyword(Span::default(), &self.ast)
    }
}

#[cfg(test)]
mod tests;
