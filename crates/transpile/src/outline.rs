//! Imports and exports of a file, for tools. In: the source text, its language. Out: imports in
//! source order, and sorted export names; type-only ones are left out. Absent: exports of CommonJS.

use oxc::allocator::Allocator;
use oxc::ast::ast::{
    Argument, CallExpression, Declaration, ExportAllDeclaration, ExportDefaultDeclaration,
    ExportDefaultDeclarationKind, ExportFromDeclaration, ExportNamedDeclaration, Expression,
    ImportDeclaration, ImportDeclarationSpecifier, ImportExpression, TSImportEqualsDeclaration,
    TSModuleReference, TSNamespaceDeclaration,
};
use oxc::ast_visit::{Visit, walk};

use crate::depth;
use crate::names::name_of;
use crate::options::Language;
use crate::parse;
use crate::syntax_error::SyntaxErrors;

/// The kind of an import.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImportKind {
    Statement,
    RequireCall,
    RequireResolve,
    Dynamic,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outline {
    pub imports: Vec<(ImportKind, String)>,
    pub exports: Vec<String>,
}

pub fn outline(source: &str, language: Language) -> Result<Outline, SyntaxErrors> {
    depth::with_deep_stack(source, || parse_and_scan(source, language))
}

fn parse_and_scan(source: &str, language: Language) -> Result<Outline, SyntaxErrors> {
    let allocator = Allocator::default();
    let parsed = parse::parse(&allocator, source, language, None)?;
    let mut outline = Outline::default();
    outline.visit_program(&parsed.program);
    outline.exports.sort();
    outline.exports.dedup();
    Ok(outline)
}

impl Outline {
    fn add_import(&mut self, kind: ImportKind, specifier: &str) {
        self.imports.push((kind, specifier.to_owned()));
    }

    fn add_export(&mut self, name: &str) {
        self.exports.push(name.to_owned());
    }
}

/// A string, or a template without substitutions.
fn text<'t>(expression: &'t Expression<'_>) -> Option<&'t str> {
    match expression {
        Expression::StringLiteral(text) => Some(text.value.as_str()),
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            template.quasis.first()?.value.cooked.as_ref().map(|text| text.as_str())
        }
        _ => None,
    }
}

impl<'a> Visit<'a> for Outline {
    fn visit_import_declaration(&mut self, declaration: &ImportDeclaration<'a>) {
        let of_types = |specifier: &ImportDeclarationSpecifier<'_>| matches!(specifier, ImportDeclarationSpecifier::ImportSpecifier(one) if one.import_kind.is_type());
        let specifiers = || declaration.specifiers.iter().flatten();
        let is_of_types = specifiers().next().is_some() && specifiers().all(of_types);
        if !declaration.import_kind.is_type() && !is_of_types {
            self.add_import(ImportKind::Statement, declaration.source.value.as_str());
        }
    }

    fn visit_export_all_declaration(&mut self, declaration: &ExportAllDeclaration<'a>) {
        if declaration.export_kind.is_type() {
            return;
        }
        self.add_import(ImportKind::Statement, declaration.source.value.as_str());
        if let Some(exported) = &declaration.exported {
            self.add_export(name_of(exported));
        }
    }

    fn visit_export_from_declaration(&mut self, declaration: &ExportFromDeclaration<'a>) {
        let values = || declaration.specifiers.iter().filter(|specifier| !specifier.export_kind.is_type());
        if declaration.export_kind.is_type()
            || (values().next().is_none() && !declaration.specifiers.is_empty())
        {
            return;
        }
        self.add_import(ImportKind::Statement, declaration.source.value.as_str());
        values().for_each(|specifier| self.add_export(name_of(&specifier.exported)));
    }

    fn visit_export_named_declaration(&mut self, declaration: &ExportNamedDeclaration<'a>) {
        if declaration.export_kind.is_type() {
            return;
        }
        let values = declaration.specifiers.iter().filter(|specifier| !specifier.export_kind.is_type());
        values.for_each(|specifier| self.add_export(name_of(&specifier.exported)));
    }

    fn visit_export_declaration(&mut self, export: &oxc::ast::ast::ExportDeclaration<'a>) {
        let declaration = &export.declaration;
        if !declaration.declare() {
            match declaration {
                Declaration::VariableDeclaration(variables) => {
                    let names =
                        variables.declarations.iter().flat_map(|one| one.id.get_binding_identifiers());
                    names.for_each(|name| self.add_export(name.name.as_str()));
                }
                Declaration::FunctionDeclaration(_)
                | Declaration::ClassDeclaration(_)
                | Declaration::TSEnumDeclaration(_) => {
                    if let Some(id) = declaration.id() {
                        self.add_export(id.name.as_str());
                    }
                }
                Declaration::TSNamespaceDeclaration(namespace) => self.add_export(namespace.id.name.as_str()),
                _ => {}
            }
        }
        walk::walk_export_declaration(self, export);
    }

    fn visit_export_default_declaration(&mut self, declaration: &ExportDefaultDeclaration<'a>) {
        if !matches!(declaration.declaration, ExportDefaultDeclarationKind::TSInterfaceDeclaration(_)) {
            self.add_export("default");
        }
        walk::walk_export_default_declaration(self, declaration);
    }

    fn visit_ts_import_equals_declaration(&mut self, declaration: &TSImportEqualsDeclaration<'a>) {
        if let TSModuleReference::ExternalModuleReference(module) = &declaration.module_reference
            && !declaration.import_kind.is_type()
        {
            self.add_import(ImportKind::RequireCall, module.expression.value.as_str());
        }
    }

    /// Its exports are not the file's.
    fn visit_ts_namespace_declaration(&mut self, _: &TSNamespaceDeclaration<'a>) {}

    fn visit_import_expression(&mut self, expression: &ImportExpression<'a>) {
        if let Some(specifier) = text(&expression.source) {
            self.add_import(ImportKind::Dynamic, specifier);
        }
        walk::walk_import_expression(self, expression);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        let kind = match &call.callee {
            Expression::Identifier(name) if name.name == "require" => Some(ImportKind::RequireCall),
            Expression::StaticMemberExpression(member) if member.property.name == "resolve" => member
                .object
                .get_identifier_reference()
                .filter(|name| name.name == "require")
                .map(|_| ImportKind::RequireResolve),
            _ => None,
        };
        let specifier = call.arguments.first().and_then(Argument::as_expression).and_then(text);
        if let (Some(kind), Some(specifier)) = (kind, specifier) {
            self.add_import(kind, specifier);
        }
        walk::walk_call_expression(self, call);
    }
}

#[cfg(test)]
mod tests;
