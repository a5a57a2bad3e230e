//! Whether evaluating a class suspends: `await` or `yield` in its decorators, its heritage or its
//! computed keys. Such a class cannot be wrapped in a function. Absent: its methods and fields,
//! which run later.

use oxc::ast::ast::{
    AccessorProperty, ArrowFunctionExpression, AwaitExpression, Class, Function, MethodDefinition,
    PropertyDefinition, StaticBlock, YieldExpression,
};
use oxc::ast_visit::{Visit, walk};
use oxc::syntax::scope::ScopeFlags;

pub(super) fn suspends(class: &Class<'_>) -> bool {
    let mut suspends = Suspends { is_found: false };
    walk::walk_class(&mut suspends, class);
    suspends.is_found
}

struct Suspends {
    is_found: bool,
}

impl<'a> Visit<'a> for Suspends {
    fn visit_await_expression(&mut self, _: &AwaitExpression<'a>) {
        self.is_found = true;
    }

    fn visit_yield_expression(&mut self, _: &YieldExpression<'a>) {
        self.is_found = true;
    }

    fn visit_function(&mut self, _: &Function<'a>, _: ScopeFlags) {}

    fn visit_arrow_function_expression(&mut self, _: &ArrowFunctionExpression<'a>) {}

    fn visit_static_block(&mut self, _: &StaticBlock<'a>) {}

    fn visit_method_definition(&mut self, method: &MethodDefinition<'a>) {
        self.visit_decorators(&method.decorators);
        self.visit_property_key(&method.key);
    }

    fn visit_property_definition(&mut self, field: &PropertyDefinition<'a>) {
        self.visit_decorators(&field.decorators);
        self.visit_property_key(&field.key);
    }

    fn visit_accessor_property(&mut self, accessor: &AccessorProperty<'a>) {
        self.visit_decorators(&accessor.decorators);
        self.visit_property_key(&accessor.key);
    }
}
