//! `import fs = require('fs')` in a module. In: the program before and after types were taken away. Out: the call asks `import.meta.require`,
//! for a module has no `require`. Absent: CommonJS, where the call is right as it is.

use oxc::allocator::Allocator;
use oxc::ast::ast::{
    Argument, CallExpression, Expression, IdentifierName, MemberExpression, Program,
    TSExternalModuleReference,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{Visit, VisitMut, walk_mut};
use oxc::span::{SPAN, Span};

/// Where the specifiers of such imports stand; calls that are made of them keep that.
#[derive(Default)]
pub(crate) struct Required {
    specifiers: Vec<Span>,
}

impl Required {
    pub fn of(program: &Program<'_>) -> Required {
        let mut required = Required::default();
        required.visit_program(program);
        required
    }

    pub fn put<'a>(&self, allocator: &'a Allocator, program: &mut Program<'a>) {
        if !self.specifiers.is_empty() {
            Calls { specifiers: &self.specifiers, make: AstBuilder::new(allocator) }.visit_program(program);
        }
    }
}

impl<'a> Visit<'a> for Required {
    fn visit_ts_external_module_reference(&mut self, reference: &TSExternalModuleReference<'a>) {
        self.specifiers.push(reference.expression.span);
    }
}

struct Calls<'a, 's> {
    specifiers: &'s [Span],
    make: AstBuilder<'a>,
}

impl<'a> VisitMut<'a> for Calls<'a, '_> {
    fn visit_call_expression(&mut self, call: &mut CallExpression<'a>) {
        if let [Argument::StringLiteral(specifier)] = call.arguments.as_slice()
            && self.specifiers.contains(&specifier.span)
        {
            call.callee = self.member();
        }
        walk_mut::walk_call_expression(self, call);
    }
}

impl<'a> Calls<'a, '_> {
    /// `import.meta.require`
    fn member(&self) -> Expression<'a> {
        let meta = Expression::new_import_meta(SPAN, &self.make);
        let name = IdentifierName::new(SPAN, "require", &self.make);
        Expression::from(MemberExpression::new_static_member_expression(SPAN, meta, name, false, &self.make))
    }
}
