//! `import fs = require('fs')` in a module. In: where its specifiers stood, the program after types were taken away. Out: the call asks
//! `import.meta.require`, for a module has no `require`. Absent: CommonJS, where the call is right as it is.

use oxc::allocator::Allocator;
use oxc::ast::ast::{Argument, CallExpression, Expression, IdentifierName, MemberExpression, Program};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::span::{SPAN, Span};

/// `specifiers`: where those of such imports stand; calls that are made of them keep that.
pub(crate) fn ask_of_module<'a>(specifiers: &[Span], allocator: &'a Allocator, program: &mut Program<'a>) {
    if !specifiers.is_empty() {
        Calls { specifiers, make: AstBuilder::new(allocator) }.visit_program(program);
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
