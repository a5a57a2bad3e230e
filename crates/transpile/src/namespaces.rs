//! Lowering of TypeScript namespaces to functions, which are called with one object for all blocks
//! of a namespace. In: a syntax tree with its scopes. Out: the tree without namespaces that have
//! values; its scopes must be rebuilt. Absent: enums (`transform`), and namespaces of types only,
//! which type stripping removes.
//!
//! ```text
//! namespace A { export let x = 1, y; export function f() {} }    var A; (function (A) { A.x = 1; function f() {} A.f = f })(A || (A = {}));
//! namespace A { x = f() }                                        (function (A) { A.x = A.f() })(A || (A = {}));
//! namespace A.B { }                                              … let B; (function (B) { })(B = A.B || (A.B = {})); …
//! export enum E { a }                                            let E = A.E || (A.E = {}); enum E { a }
//! ```
//!
//! A block's parameter has the name of the namespace, unless the block declares or uses that name
//! otherwise.

mod blocks;
mod enums;
mod merging;
mod node_builder;
mod uses;

use std::collections::HashSet;

use oxc::allocator::{Allocator, ArenaBox, ArenaVec, TakeIn};
use oxc::ast::ast::{
    Declaration, ExportDeclaration, Expression, Program, Statement, TSEnumDeclaration,
    TSImportEqualsDeclaration, TSModuleReference, TSNamespaceDeclaration, TSNamespaceDeclarationBody,
    VariableDeclaration, VariableDeclarationKind,
};
use oxc::ast_visit::VisitMut;
use oxc::semantic::{Scoping, SymbolFlags, SymbolId};
use oxc::span::{GetSpan, Span};

use crate::syntax_error::Diagnostic;
use blocks::{Block, ParameterNames};
use enums::Enumeration;
use merging::{MergedNamespaces, is_instantiated};
use node_builder::NodeBuilder;
use uses::Uses;

/// Nested namespaces: each reference is looked up in all enclosing ones.
const NESTING_MAX: usize = 200;

/// Whether `import a = A.b` that is used only as a type is removed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Aliases {
    Removed,
    Kept,
}

/// Returns whether the tree was changed.
pub(crate) fn lower<'a>(
    allocator: &'a Allocator,
    program: &mut Program<'a>,
    scoping: &Scoping,
    aliases: Aliases,
) -> Result<bool, Diagnostic> {
    if !program.body.iter().any(is_lowered) {
        return Ok(false);
    }
    let ast = NodeBuilder(allocator);
    let mut lowering = Lowering {
        ast,
        uses: Uses {
            ast,
            scoping,
            merged: MergedNamespaces::of(&program.body, scoping)?,
            names: ParameterNames::of(scoping),
            open: Vec::new(),
            enumeration: None,
        },
        declared: HashSet::new(),
        aliases,
        diagnostic: None,
    };
    let mut statements = ArenaVec::with_capacity_in(program.body.len(), &allocator);
    for statement in program.body.take_in(&allocator) {
        lowering.top_level(statement, &mut statements);
    }
    program.body = statements;
    lowering.diagnostic.map_or(Ok(true), Err)
}

/// Whether a top-level statement is a namespace with values.
fn is_lowered(statement: &Statement<'_>) -> bool {
    match statement {
        Statement::TSNamespaceDeclaration(namespace) => has_values(namespace),
        Statement::ExportDeclaration(export) => is_lowered_export(export),
        _ => false,
    }
}

fn is_lowered_export(export: &ExportDeclaration<'_>) -> bool {
    matches!(&export.declaration, Declaration::TSNamespaceDeclaration(namespace) if has_values(namespace))
}

fn has_values(namespace: &TSNamespaceDeclaration<'_>) -> bool {
    !namespace.declare && is_instantiated(&namespace.body)
}

struct Lowering<'a, 's> {
    ast: NodeBuilder<'a>,
    uses: Uses<'a, 's>,
    /// Namespaces and enums that are declared already.
    declared: HashSet<SymbolId>,
    aliases: Aliases,
    diagnostic: Option<Diagnostic>,
}

/// What a namespace is exported by.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exporter {
    None,
    Module(Span),
    Namespace,
}

type Statements<'a> = ArenaVec<'a, Statement<'a>>;

impl<'a> Lowering<'a, '_> {
    fn top_level(&mut self, statement: Statement<'a>, target: &mut Statements<'a>) {
        match statement {
            Statement::TSNamespaceDeclaration(namespace) if has_values(&namespace) => {
                self.namespace(namespace, Exporter::None, target);
            }
            Statement::ExportDeclaration(export) if is_lowered_export(&export) => {
                let ExportDeclaration { span, declaration, .. } = export.unbox();
                if let Declaration::TSNamespaceDeclaration(namespace) = declaration {
                    self.namespace(namespace, Exporter::Module(span), target);
                }
            }
            statement => {
                self.note_enum(&statement);
                target.push(statement);
            }
        }
    }

    /// A namespace after an enum of the same name need not declare it.
    fn note_enum(&mut self, statement: &Statement<'a>) {
        let declaration = match statement {
            Statement::TSEnumDeclaration(declaration) => declaration,
            Statement::ExportDeclaration(export) => match &export.declaration {
                Declaration::TSEnumDeclaration(declaration) => declaration,
                _ => return,
            },
            _ => return,
        };
        self.declared.insert(declaration.id.symbol_id());
    }

    fn namespace(
        &mut self,
        namespace: ArenaBox<'a, TSNamespaceDeclaration<'a>>,
        by: Exporter,
        target: &mut Statements<'a>,
    ) {
        let TSNamespaceDeclaration { span, id, body, scope_id, .. } = namespace.unbox();
        let Some(scope) = scope_id.get() else { return };
        let symbol = id.symbol_id();
        let outer = self.uses.open.last().map(|block| (block.namespace, block.parameter));
        let exporter = outer.filter(|_| by == Exporter::Namespace);
        let index = self.uses.merged.index(symbol, exporter.map(|outer| outer.0), id.name.as_str());
        if self.declares(symbol) {
            let kind = match outer {
                Some(_) => VariableDeclarationKind::Let,
                None => VariableDeclarationKind::Var,
            };
            let declaration = self.ast.variable(kind, span, &id, None);
            target.push(match by {
                Exporter::Module(span) => self.ast.export(span, declaration),
                Exporter::None | Exporter::Namespace => declaration.into(),
            });
        }
        let parameter = self.ast.text(self.uses.names.parameter(&id.name, scope));
        let variables = merging::own_variables(&body);
        self.uses.open.push(Block { namespace: index, scope, parameter, variables });
        let body = self.body(body);
        self.uses.open.pop();
        let object = self.ast.object_of(&id, exporter.map(|outer| outer.1));
        target.push(self.ast.call(span, parameter, body, object));
    }

    /// Whether the name needs a declaration: classes and functions have one.
    fn declares(&mut self, symbol: SymbolId) -> bool {
        let others = SymbolFlags::Class | SymbolFlags::Function | SymbolFlags::Import;
        self.declared.insert(symbol) && !self.uses.scoping.symbol_flags(symbol).intersects(others)
    }

    fn body(&mut self, body: TSNamespaceDeclarationBody<'a>) -> node_builder::Body<'a> {
        let allocator = self.ast.0;
        let mut statements = ArenaVec::new_in(&allocator);
        match body {
            TSNamespaceDeclarationBody::TSModuleBlock(block) => {
                let block = block.unbox();
                for statement in block.body {
                    self.block_statement(statement, &mut statements);
                }
                node_builder::Body { directives: block.directives, statements }
            }
            TSNamespaceDeclarationBody::TSNamespaceDeclaration(namespace) => {
                self.namespace(namespace, Exporter::Namespace, &mut statements);
                node_builder::Body { directives: ArenaVec::new_in(&allocator), statements }
            }
        }
    }

    /// A statement of a block. Types and ambient declarations are removed.
    fn block_statement(&mut self, mut statement: Statement<'a>, target: &mut Statements<'a>) {
        match statement {
            Statement::TSInterfaceDeclaration(_)
            | Statement::TSTypeAliasDeclaration(_)
            | Statement::TSGlobalDeclaration(_)
            | Statement::TSExternalModuleDeclaration(_) => {}
            Statement::TSNamespaceDeclaration(namespace) => {
                if has_values(&namespace) {
                    self.namespace(namespace, Exporter::None, target);
                }
            }
            Statement::TSImportEqualsDeclaration(alias) => self.alias(alias, target),
            Statement::ExportDeclaration(export) => self.exported(export.unbox().declaration, target),
            _ if statement.is_module_declaration() => {
                let message = "An import or export can only be used at the top level of a module";
                let start = statement.span().start;
                self.diagnostic.get_or_insert_with(|| Diagnostic::new(message, Span::new(start, start)));
            }
            _ => {
                self.note_enum(&statement);
                self.uses.visit_statement(&mut statement);
                target.push(statement);
            }
        }
    }

    fn exported(&mut self, mut declaration: Declaration<'a>, target: &mut Statements<'a>) {
        if declaration.declare() {
            return;
        }
        match declaration {
            Declaration::VariableDeclaration(variables) => self.exported_variables(variables, target),
            Declaration::TSNamespaceDeclaration(namespace) if has_values(&namespace) => {
                self.namespace(namespace, Exporter::Namespace, target);
            }
            Declaration::TSEnumDeclaration(declaration) => self.exported_enum(declaration, target),
            Declaration::TSImportEqualsDeclaration(alias) => self.exported_alias(alias, target),
            Declaration::ClassDeclaration(_) | Declaration::FunctionDeclaration(_) => {
                self.uses.visit_declaration(&mut declaration);
                let is_signature = matches!(&declaration, Declaration::FunctionDeclaration(function) if function.body.is_none());
                let id = declaration.id().filter(|_| !is_signature).map(|id| (id.span, id.name));
                target.push(declaration.into());
                target.extend(id.map(|(span, name)| {
                    let value = self.ast.name(span, name.as_str());
                    self.ast.assign_member(span, self.parameter(), name.as_str(), value)
                }));
            }
            // Types.
            _ => {}
        }
    }

    /// An exported variable is only a property of the namespace's object.
    fn exported_variables(
        &mut self,
        variables: ArenaBox<'a, VariableDeclaration<'a>>,
        target: &mut Statements<'a>,
    ) {
        for declarator in variables.unbox().declarations {
            let Some(value) = declarator.init else { continue };
            let members = self.ast.targets(declarator.id, self.parameter());
            let mut assignment = self.ast.assign(declarator.span, members, value);
            self.uses.visit_statement(&mut assignment);
            target.push(assignment);
        }
    }

    /// The members are added to the object that an earlier block may have created.
    fn exported_enum(
        &mut self,
        mut declaration: ArenaBox<'a, TSEnumDeclaration<'a>>,
        target: &mut Statements<'a>,
    ) {
        if self.declared.insert(declaration.id.symbol_id()) {
            // Its span differs from the enum's: by that the transformer recognizes an earlier
            // declaration.
            let span = Span::empty(declaration.id.span.start);
            let id = self.ast.id(span, declaration.id.name.as_str());
            let object = self.ast.member_or_object(span, self.parameter(), id.name.as_str());
            target.push(self.ast.variable(VariableDeclarationKind::Let, span, &id, Some(object)).into());
        }
        let scope = declaration.body.scope_id();
        let name = declaration.id.name.as_str();
        self.uses.enumeration =
            self.uses.open.last().map(|block| Enumeration { namespace: block.namespace, name, scope });
        self.uses.visit_ts_enum_declaration(&mut declaration);
        self.uses.enumeration = None;
        target.push(Statement::TSEnumDeclaration(declaration));
    }

    fn alias(&mut self, alias: ArenaBox<'a, TSImportEqualsDeclaration<'a>>, target: &mut Statements<'a>) {
        let alias = alias.unbox();
        let mut references = self.uses.scoping.get_resolved_references(alias.id.symbol_id());
        let is_used = self.aliases == Aliases::Kept || references.any(|one| one.is_read());
        if alias.import_kind.is_type() || !is_used || !self.may_be_value(&alias.module_reference) {
            return;
        }
        let value = self.aliased(alias.module_reference);
        target
            .push(self.ast.variable(VariableDeclarationKind::Var, alias.span, &alias.id, Some(value)).into());
    }

    fn exported_alias(
        &mut self,
        alias: ArenaBox<'a, TSImportEqualsDeclaration<'a>>,
        target: &mut Statements<'a>,
    ) {
        let TSImportEqualsDeclaration { span, id, module_reference, import_kind, .. } = alias.unbox();
        if import_kind.is_value() && self.may_be_value(&module_reference) {
            let value = self.aliased(module_reference);
            target.push(self.ast.assign_member(span, self.parameter(), id.name.as_str(), value));
        }
    }

    fn aliased(&mut self, reference: TSModuleReference<'a>) -> Expression<'a> {
        let mut value = self.ast.entity(reference);
        self.uses.visit_expression(&mut value);
        value
    }

    /// False if the alias is known to name a type.
    fn may_be_value(&self, reference: &TSModuleReference<'a>) -> bool {
        let Some(mut path) = node_builder::path_of(reference) else { return true };
        let Some(first) = path.pop() else { return true };
        let scoping = self.uses.scoping;
        let symbol = first.reference.and_then(|id| scoping.get_reference(id).symbol_id());
        let found = match (self.uses.block_of(first.name, symbol), symbol) {
            (Some(block), _) => self.uses.merged.nested(block.namespace, first.name),
            (None, Some(symbol)) => {
                if !scoping.symbol_flags(symbol).intersects(SymbolFlags::Value | SymbolFlags::Import) {
                    return false;
                }
                self.uses.merged.find(symbol)
            }
            (None, None) => None,
        };
        let Some(mut namespace) = found else { return true };
        while let Some(next) = path.pop() {
            if !self.uses.merged.has_value(namespace, next.name) {
                return false;
            }
            match self.uses.merged.nested(namespace, next.name) {
                Some(inner) => namespace = inner,
                None => return true,
            }
        }
        true
    }

    /// The parameter of the current block.
    fn parameter(&self) -> &'a str {
        self.uses.open.last().map_or("", |block| block.parameter)
    }
}

#[cfg(test)]
mod tests;
