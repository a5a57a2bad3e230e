//! TypeScript modules that are JavaScript as they are: no types, and no import that is left out, as
//! in many files of tests. In: a syntax tree, its scopes, its source text. Out: whether the module
//! needs no transform, which takes longer than all else: it prints the text, which is parsed again.

use oxc::ast::AstKind;
use oxc::ast::ast::{ImportDeclaration, ImportDeclarationSpecifier, Program, Statement};
use oxc::ast_visit::Visit;
use oxc::semantic::Scoping;

use crate::options::{ClassFields, Imports, Options};
use crate::syntax_features::SyntaxFeatures;

/// Whether a module has no syntax that JavaScript does not have, or gives another meaning.
pub(crate) fn has_no_types(program: &Program<'_>, source: &str, options: &Options) -> bool {
    let mut types = TypeSyntax { is_found: false, assigns_fields: options.fields == ClassFields::Assign };
    types.visit_program(program);
    !types.is_found && SyntaxFeatures::of(program, source).are_plain()
}

/// Whether no name of an import is left out because only types use it, or nothing.
pub(crate) fn keeps_imports(program: &Program<'_>, scoping: &Scoping, options: &Options) -> bool {
    let is_kept = |statement: &Statement<'_>| match statement {
        Statement::ImportDeclaration(import) => are_all_used(import, scoping),
        _ => true,
    };
    options.imports == Imports::Verbatim || program.body.iter().all(is_kept)
}

fn are_all_used(import: &ImportDeclaration<'_>, scoping: &Scoping) -> bool {
    let is_used = |specifier: &ImportDeclarationSpecifier<'_>| {
        let symbol = specifier.local().symbol_id();
        scoping.get_resolved_references(symbol).any(|reference| !reference.is_type())
    };
    import.specifiers.as_ref().is_none_or(|names| !names.is_empty() && names.iter().all(is_used))
}

/// Looks for such syntax.
struct TypeSyntax {
    is_found: bool,
    /// Fields of classes become assignments.
    assigns_fields: bool,
}

impl<'a> Visit<'a> for TypeSyntax {
    fn enter_node(&mut self, kind: AstKind<'a>) {
        self.is_found |= match kind {
            AstKind::TSTypeAnnotation(_)
            | AstKind::TSTypeParameterInstantiation(_)
            | AstKind::TSTypeParameterDeclaration(_)
            | AstKind::TSAsExpression(_)
            | AstKind::TSSatisfiesExpression(_)
            | AstKind::TSTypeAssertion(_)
            | AstKind::TSNonNullExpression(_)
            | AstKind::TSInstantiationExpression(_)
            | AstKind::TSEnumDeclaration(_)
            | AstKind::TSExternalModuleDeclaration(_)
            | AstKind::TSNamespaceDeclaration(_)
            | AstKind::TSGlobalDeclaration(_)
            | AstKind::TSImportEqualsDeclaration(_)
            | AstKind::TSInterfaceDeclaration(_)
            | AstKind::TSTypeAliasDeclaration(_)
            | AstKind::TSExportAssignment(_)
            | AstKind::TSNamespaceExportDeclaration(_)
            | AstKind::TSIndexSignature(_)
            | AstKind::TSClassImplements(_)
            | AstKind::TSThisParameter(_)
            | AstKind::Decorator(_)
            | AstKind::AccessorProperty(_) => true,
            AstKind::ImportDeclaration(import) => import.import_kind.is_type(),
            AstKind::ImportSpecifier(specifier) => specifier.import_kind.is_type(),
            AstKind::ExportSpecifier(specifier) => specifier.export_kind.is_type(),
            AstKind::ExportNamedDeclaration(export) => export.is_typescript_syntax(),
            AstKind::ExportFromDeclaration(export) => export.is_typescript_syntax(),
            AstKind::ExportAllDeclaration(export) => export.is_typescript_syntax(),
            AstKind::VariableDeclaration(declaration) => declaration.declare || declaration.kind.is_using(),
            AstKind::VariableDeclarator(declarator) => declarator.definite,
            AstKind::Function(function) => function.is_typescript_syntax(),
            AstKind::FormalParameter(parameter) => {
                parameter.optional
                    || parameter.accessibility.is_some()
                    || parameter.readonly
                    || parameter.r#override
            }
            AstKind::Class(class) => class.is_typescript_syntax() || !class.implements.is_empty(),
            AstKind::MethodDefinition(method) => {
                method.optional
                    || method.r#override
                    || method.accessibility.is_some()
                    || method.r#type.is_abstract()
            }
            AstKind::PropertyDefinition(property) => {
                self.assigns_fields
                    || property.declare
                    || property.optional
                    || property.definite
                    || property.readonly
                    || property.r#override
                    || property.accessibility.is_some()
                    || property.r#type.is_abstract()
            }
            _ => false,
        };
    }
}

#[cfg(test)]
mod tests;
