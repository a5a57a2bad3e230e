//! Import and export declarations. In: a statement. Out: imports, exports, and records of the
//! modules that it names.

use oxc::ast::ast::{
    BindingIdentifier, Declaration, ExportDefaultDeclarationKind, ImportDeclaration,
    ImportDeclarationSpecifier, ModuleExportName, Statement,
};
use oxc::span::GetSpan;

use super::{Collector, attribute, export_name, range};
use crate::module::{Export, ImportBinding, ImportedName};
use crate::symbols::{DEFAULT, SymbolIndex};

impl<'a> Collector<'_, 'a> {
    pub(super) fn add_imports(&mut self, statement: &Statement<'a>) {
        match statement {
            Statement::ImportDeclaration(import) => self.add_import(import),
            Statement::ExportFromDeclaration(export) => {
                let clause = attribute(export.with_clause.as_deref());
                let record = self.statement_record(&export.source.value, clause, export.source.span);
                for specifier in &export.specifiers {
                    let imported = ImportedName::Name(export_name(&specifier.local));
                    let from = Export::From { record, imported, span: range(specifier.local.span()) };
                    self.module.exports.insert(export_name(&specifier.exported), from);
                }
            }
            Statement::ExportAllDeclaration(export) => {
                let clause = attribute(export.with_clause.as_deref());
                let record = self.statement_record(&export.source.value, clause, export.source.span);
                match &export.exported {
                    None => self.module.stars.push(record),
                    Some(name) => {
                        let imported = ImportedName::Namespace;
                        let from = Export::From { record, imported, span: range(export.span) };
                        self.module.exports.insert(export_name(name), from);
                    }
                }
            }
            _ => {}
        }
    }

    fn add_import(&mut self, import: &ImportDeclaration<'a>) {
        let clause = attribute(import.with_clause.as_deref());
        let record = self.statement_record(&import.source.value, clause, import.source.span);
        for specifier in import.specifiers.iter().flatten() {
            let (local, imported, span) = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(one) => {
                    (&one.local, ImportedName::Name(export_name(&one.imported)), one.span)
                }
                ImportDeclarationSpecifier::ImportDefaultSpecifier(one) => {
                    (&one.local, ImportedName::Name("default".to_owned()), one.span)
                }
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(one) => {
                    (&one.local, ImportedName::Namespace, one.span)
                }
            };
            let Some(symbol) = local.symbol_id.get() else { continue };
            let binding = ImportBinding { record, imported, span: range(span) };
            self.module.imports.insert(symbol.index() as SymbolIndex, binding);
        }
    }

    pub(super) fn add_exports(&mut self, statement: &Statement<'a>) {
        match statement {
            Statement::ExportDeclaration(export) => {
                let names: Vec<&BindingIdentifier<'a>> = match &export.declaration {
                    Declaration::VariableDeclaration(variables) => variables
                        .declarations
                        .iter()
                        .flat_map(|one| one.id.get_binding_identifiers())
                        .collect(),
                    Declaration::FunctionDeclaration(function) => function.id.iter().collect(),
                    Declaration::ClassDeclaration(class) => class.id.iter().collect(),
                    _ => Vec::new(),
                };
                for name in names {
                    if let Some(symbol) = name.symbol_id.get() {
                        self.export(name.name.to_string(), symbol.index() as SymbolIndex);
                    }
                }
            }
            Statement::ExportNamedDeclaration(export) => {
                for specifier in &export.specifiers {
                    let ModuleExportName::IdentifierReference(local) = &specifier.local else { continue };
                    if let Some(symbol) = self.symbol_of(local) {
                        self.export(export_name(&specifier.exported), symbol.index() as SymbolIndex);
                    }
                }
            }
            Statement::ExportDefaultDeclaration(export) => {
                let id = match &export.declaration {
                    ExportDefaultDeclarationKind::FunctionDeclaration(function) => function.id.as_ref(),
                    ExportDefaultDeclarationKind::ClassDeclaration(class) => class.id.as_ref(),
                    _ => None,
                };
                let symbol = id.and_then(|id| id.symbol_id.get()).map(|symbol| symbol.index() as SymbolIndex);
                if symbol.is_none() {
                    self.module.declared.insert(DEFAULT, vec![self.index]);
                }
                self.export("default".to_owned(), symbol.unwrap_or(DEFAULT));
            }
            _ => {}
        }
    }

    fn export(&mut self, name: String, symbol: SymbolIndex) {
        self.module.exports.insert(name, Export::Local(symbol));
    }
}
