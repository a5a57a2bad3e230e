//! TypeScript's `import fs = require('fs')` and `export = fs` in an ES module. In: the program
//! before and after type stripping. Out: the call uses `import.meta.require`, since a module has no
//! `require`; the exported value is the default export and the result of `require`. Absent:
//! CommonJS, where both are valid.

use oxc::allocator::Allocator;
use oxc::ast::ast::{
    Argument, BindingIdentifier, BindingPattern, CallExpression, Declaration, ExportNamedDeclaration,
    ExportSpecifier, Expression, IdentifierName, ImportOrExportKind, MemberExpression, ModuleExportName,
    Program, Statement, VariableDeclarationKind, VariableDeclarator,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::semantic::{Scoping, SymbolFlags};
use oxc::span::{SPAN, Span};

/// The export names of `export =`: for `import`, and for `require` as in Node.
const EXPORT_NAMES: [&str; 2] = ["default", "module.exports"];

/// `specifiers`: the spans of these imports' specifiers, which the generated calls keep.
pub(crate) fn use_meta_require<'a>(specifiers: &[Span], allocator: &'a Allocator, program: &mut Program<'a>) {
    if !specifiers.is_empty() {
        RequireCalls { specifiers, ast: AstBuilder::new(allocator) }.visit_program(program);
    }
}

/// Returns whether the tree was changed: then the scopes must be rebuilt.
pub(crate) fn lower_export_assignment<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: &Scoping,
) -> bool {
    let is_export_assignment =
        |statement: &Statement<'_>| matches!(statement, Statement::TSExportAssignment(_));
    let Some(at) = program.body.iter().position(is_export_assignment) else { return false };
    let Statement::TSExportAssignment(assignment) = program.body.remove(at) else { return false };
    let ast = AstBuilder::new(allocator);
    let assignment = assignment.unbox();
    match &assignment.expression {
        Expression::Identifier(name) => {
            let symbol = name.reference_id.get().and_then(|id| scoping.get_reference(id).symbol_id());
            let is_value =
                |symbol| scoping.symbol_flags(symbol).intersects(SymbolFlags::Value | SymbolFlags::Import);
            if symbol.is_none_or(is_value) {
                program.body.insert(at, exports(assignment.span, name.name.as_str(), &ast));
            }
        }
        _ => {
            let name = allocator.alloc_str(&unused_name(scoping));
            program.body.insert(at, constant(assignment.span, name, assignment.expression, &ast));
            program.body.insert(at + 1, exports(assignment.span, name, &ast));
        }
    }
    true
}

fn unused_name(scoping: &Scoping) -> String {
    let mut name = "exported".to_owned();
    while scoping.symbol_names().any(|known| known == name)
        || scoping.root_unresolved_references().keys().any(|known| known.as_str() == name)
    {
        name.push('_');
    }
    name
}

/// `const name = value;`
fn constant<'a>(span: Span, name: &'a str, value: Expression<'a>, ast: &AstBuilder<'a>) -> Statement<'a> {
    let id = BindingIdentifier::boxed(span, name, ast);
    let pattern = BindingPattern::BindingIdentifier(id);
    let declarator = VariableDeclarator::new(span, pattern, None, Some(value), false, ast);
    Declaration::new_variable_declaration(span, VariableDeclarationKind::Const, [declarator], false, ast)
        .into()
}

/// `export { name as default, name as 'module.exports' };`
fn exports<'a>(span: Span, name: &'a str, ast: &AstBuilder<'a>) -> Statement<'a> {
    let kind = ImportOrExportKind::Value;
    let specifiers = EXPORT_NAMES.map(|assignment| {
        let local = ModuleExportName::new_identifier_reference(span, name, ast);
        let exported = ModuleExportName::new_string_literal(span, assignment, None, ast);
        ExportSpecifier::new(span, local, exported, kind, ast)
    });
    Statement::ExportNamedDeclaration(ExportNamedDeclaration::boxed(span, specifiers, kind, ast))
}

struct RequireCalls<'a, 's> {
    specifiers: &'s [Span],
    ast: AstBuilder<'a>,
}

impl<'a> VisitMut<'a> for RequireCalls<'a, '_> {
    fn visit_call_expression(&mut self, call: &mut CallExpression<'a>) {
        if let [Argument::StringLiteral(specifier)] = call.arguments.as_slice()
            && self.specifiers.contains(&specifier.span)
        {
            call.callee = self.member();
        }
        walk_mut::walk_call_expression(self, call);
    }
}

impl<'a> RequireCalls<'a, '_> {
    /// `import.meta.require`
    fn member(&self) -> Expression<'a> {
        let meta = Expression::new_import_meta(SPAN, &self.ast);
        let name = IdentifierName::new(SPAN, "require", &self.ast);
        Expression::from(MemberExpression::new_static_member_expression(SPAN, meta, name, false, &self.ast))
    }
}
