//! Declaration merging: the exports of each namespace over all its blocks. In: statements. Out:
//! namespaces by index, and their exported values. Absent: references.

use std::collections::{HashMap, HashSet};

use oxc::ast::ast::{
    Declaration, Statement, TSNamespaceDeclaration, TSNamespaceDeclarationBody, VariableDeclaration,
};
use oxc::semantic::{Scoping, SymbolId};

use super::enums::Enums;
use super::{NESTING_MAX, has_values};
use crate::syntax_error::Diagnostic;

#[derive(Default)]
pub(super) struct MergedNamespaces<'a> {
    /// The exported values of each.
    values: Vec<HashSet<&'a str>>,
    by_symbol: HashMap<SymbolId, usize>,
    /// Exported namespaces: each block of the exporter has another symbol for them.
    by_name: HashMap<(usize, &'a str), usize>,
    pub(super) enums: Enums<'a>,
}

impl<'a> MergedNamespaces<'a> {
    pub(super) fn of(
        statements: &[Statement<'a>],
        scoping: &Scoping,
    ) -> Result<MergedNamespaces<'a>, Diagnostic> {
        let mut merged = MergedNamespaces::default();
        NamespaceCollector { merged: &mut merged, scoping }.collect_statements(statements, None, 0)?;
        Ok(merged)
    }

    /// The index of a namespace; `exporter` is the index of the namespace that exports it.
    pub(super) fn index(&mut self, symbol: SymbolId, exporter: Option<usize>, name: &'a str) -> usize {
        let next = self.values.len();
        let index = match exporter {
            Some(exporter) => *self.by_name.entry((exporter, name)).or_insert(next),
            None => self.by_symbol.get(&symbol).copied().unwrap_or(next),
        };
        self.by_symbol.insert(symbol, index);
        if index == next {
            self.values.push(HashSet::new());
        }
        index
    }

    pub(super) fn find(&self, symbol: SymbolId) -> Option<usize> {
        self.by_symbol.get(&symbol).copied()
    }

    /// The namespace that another one exports.
    pub(super) fn nested(&self, namespace: usize, name: &str) -> Option<usize> {
        self.by_name.get(&(namespace, name)).copied()
    }

    pub(super) fn has_value(&self, namespace: usize, name: &str) -> bool {
        self.values[namespace].contains(name)
    }
}

struct NamespaceCollector<'a, 'm> {
    merged: &'m mut MergedNamespaces<'a>,
    scoping: &'m Scoping,
}

impl<'a> NamespaceCollector<'a, '_> {
    fn collect_statements(
        &mut self,
        statements: &[Statement<'a>],
        within: Option<usize>,
        depth: usize,
    ) -> Result<(), Diagnostic> {
        for statement in statements {
            match statement {
                Statement::TSNamespaceDeclaration(namespace) => {
                    self.collect_namespace(namespace, None, depth)?
                }
                Statement::ExportDeclaration(export) => {
                    if let Declaration::TSNamespaceDeclaration(namespace) = &export.declaration {
                        self.collect_namespace(namespace, within, depth)?;
                    } else if let Some(within) = within {
                        self.collect_values(within, &export.declaration);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn collect_values(&mut self, namespace: usize, declaration: &Declaration<'a>) {
        self.merged.values[namespace].extend(values_of(declaration));
        if let Declaration::TSEnumDeclaration(declared) = declaration {
            self.merged.enums.note(namespace, declared, self.scoping);
        }
    }

    fn collect_namespace(
        &mut self,
        namespace: &TSNamespaceDeclaration<'a>,
        exporter: Option<usize>,
        depth: usize,
    ) -> Result<(), Diagnostic> {
        if depth == NESTING_MAX {
            return Err(Diagnostic::new("Namespaces are nested too deeply", namespace.id.span));
        }
        if !has_values(namespace) {
            return Ok(());
        }
        let name = namespace.id.name.as_str();
        let index = self.merged.index(namespace.id.symbol_id(), exporter, name);
        if let Some(exporter) = exporter {
            self.merged.values[exporter].insert(name);
        }
        match &namespace.body {
            TSNamespaceDeclarationBody::TSModuleBlock(block) => {
                self.collect_statements(&block.body, Some(index), depth + 1)
            }
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => {
                self.collect_namespace(inner, Some(index), depth + 1)
            }
        }
    }
}

/// The values that a declaration declares, without namespaces.
fn values_of<'a>(declaration: &Declaration<'a>) -> Vec<&'a str> {
    match declaration {
        Declaration::VariableDeclaration(variables) => names_of(variables).collect(),
        Declaration::FunctionDeclaration(_)
        | Declaration::ClassDeclaration(_)
        | Declaration::TSEnumDeclaration(_) => {
            declaration.id().map(|id| id.name.as_str()).into_iter().collect()
        }
        Declaration::TSImportEqualsDeclaration(alias) if alias.import_kind.is_value() => {
            vec![alias.id.name.as_str()]
        }
        _ => Vec::new(),
    }
}

/// Exports of a block that have no binding in it: variables and aliases.
pub(super) fn own_variables<'a>(body: &TSNamespaceDeclarationBody<'a>) -> HashSet<&'a str> {
    let TSNamespaceDeclarationBody::TSModuleBlock(block) = body else { return HashSet::new() };
    let mut variables = HashSet::new();
    for statement in &block.body {
        let Statement::ExportDeclaration(export) = statement else { continue };
        match &export.declaration {
            Declaration::VariableDeclaration(_) | Declaration::TSImportEqualsDeclaration(_) => {
                variables.extend(values_of(&export.declaration));
            }
            _ => {}
        }
    }
    variables
}

fn names_of<'a>(variables: &VariableDeclaration<'a>) -> impl Iterator<Item = &'a str> {
    let names = variables.declarations.iter().flat_map(|one| one.id.get_binding_identifiers());
    names.map(|id| id.name.as_str())
}

/// Whether a namespace contains more than types.
pub(super) fn is_instantiated(body: &TSNamespaceDeclarationBody<'_>) -> bool {
    match body {
        TSNamespaceDeclarationBody::TSModuleBlock(block) => block.body.iter().any(is_more_than_type),
        TSNamespaceDeclarationBody::TSNamespaceDeclaration(inner) => is_instantiated(&inner.body),
    }
}

fn is_more_than_type(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::TSInterfaceDeclaration(_)
        | Statement::TSTypeAliasDeclaration(_)
        | Statement::TSImportEqualsDeclaration(_) => false,
        Statement::TSNamespaceDeclaration(namespace) => is_instantiated(&namespace.body),
        Statement::ExportDeclaration(export) => match &export.declaration {
            Declaration::TSInterfaceDeclaration(_) | Declaration::TSTypeAliasDeclaration(_) => false,
            Declaration::TSNamespaceDeclaration(namespace) => is_instantiated(&namespace.body),
            _ => true,
        },
        _ => true,
    }
}
