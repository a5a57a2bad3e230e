//! Imports and exports of a module. In: its top-level statements. Out: the tables of a `Script`,
//! edits that remove the declarations, and the expression that each imported name is replaced by.
//! Absent: the references to imported names (`uses`).

use std::collections::HashMap;

use oxc::ast::ast::{
    Declaration, ExportAllDeclaration, ExportDefaultDeclaration, ExportDefaultDeclarationKind,
    ExportFromDeclaration, ExportSpecifier, Expression, Function, ImportAttribute, ImportAttributeKey,
    ImportDeclaration, ImportDeclarationSpecifier, ImportPhase as SyntaxPhase, Program, Statement,
    StringLiteral, WithClause, WithClauseKeyword,
};
use oxc::semantic::{Scoping, SymbolFlags, SymbolId};
use oxc::span::{GetSpan, Span};

use crate::edits::Edits;
use crate::names::{self, NameTable, name_of};
use crate::script::{
    Export, ExportBinding, Import, ImportPhase, IndirectExport, ModuleArgument, ModuleRequest, Tables,
};
use crate::syntax_error::Diagnostic;

/// Modules of test runners. What they export is there before the importer begins and never changes,
/// so that its names can be constants of the importer: a test file calls `test` and `expect` in
/// thousands of places, and each would read a property for the first time.
const CONSTANT_MODULES: [&str; 3] = ["bun:test", "vitest", "@jest/globals"];

/// The imports and exports of a module.
#[derive(Default)]
pub(crate) struct Items {
    pub(crate) tables: Tables,
    /// Parameters of the module's function after the first.
    pub(crate) parameters: Vec<String>,
    /// Code before the body, which sets the exports.
    pub(crate) prologue: String,
    /// The expression that reads an imported name; None if the name stays.
    pub(crate) reads: HashMap<SymbolId, Option<String>>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

pub(crate) fn lower<'a>(
    program: &Program<'a>,
    scoping: &Scoping,
    prefix: &str,
    edits: &mut Edits<'_>,
) -> Items {
    let mut reader = ModuleReader {
        scoping,
        prefix,
        edits,
        names: NameTable::default(),
        tables: Tables::default(),
        parameters: Vec::new(),
        imported: HashMap::new(),
        bindings: HashMap::new(),
        properties: String::new(),
        constants: Vec::new(),
        epilogue: String::new(),
        diagnostics: Vec::new(),
    };
    // Imports first: an export may refer to a later import.
    program.body.iter().for_each(|statement| reader.imports(statement));
    program.body.iter().for_each(|statement| reader.exports(statement));
    reader.finish()
}

struct ModuleReader<'a, 'r, 'e> {
    scoping: &'r Scoping,
    prefix: &'r str,
    edits: &'r mut Edits<'e>,
    names: NameTable<'a>,
    tables: Tables,
    parameters: Vec<String>,
    imported: HashMap<SymbolId, Imported<'a>>,
    /// The parameter that holds the bindings of a request.
    bindings: HashMap<u32, String>,
    /// Properties of the exports object.
    properties: String,
    /// Imported names that are constants, with the code that reads them.
    constants: Vec<String>,
    epilogue: String,
    diagnostics: Vec<Diagnostic>,
}

#[derive(Clone, Copy)]
struct Imported<'a> {
    request: u32,
    /// None: the namespace, or the module source.
    name: Option<&'a str>,
    start: u32,
    is_constant: bool,
}

impl<'a> ModuleReader<'a, '_, '_> {
    fn imports(&mut self, statement: &Statement<'a>) {
        match statement {
            Statement::ImportDeclaration(declaration) => self.import(declaration),
            Statement::ExportAllDeclaration(declaration) => {
                self.request(
                    &declaration.source,
                    declaration.with_clause.as_deref(),
                    ImportPhase::Evaluation,
                );
            }
            Statement::ExportFromDeclaration(declaration) => {
                self.request(
                    &declaration.source,
                    declaration.with_clause.as_deref(),
                    ImportPhase::Evaluation,
                );
            }
            _ => {}
        }
    }

    fn import(&mut self, declaration: &ImportDeclaration<'a>) {
        let phase = match declaration.phase {
            None => ImportPhase::Evaluation,
            Some(SyntaxPhase::Source) => ImportPhase::Source,
            Some(SyntaxPhase::Defer) => ImportPhase::Defer,
        };
        let request = self.request(&declaration.source, declaration.with_clause.as_deref(), phase);
        let is_constant = CONSTANT_MODULES.contains(&declaration.source.value.as_str());
        for specifier in declaration.specifiers.iter().flatten() {
            let local = specifier.local();
            let name = match specifier {
                ImportDeclarationSpecifier::ImportSpecifier(specifier) => Some(name_of(&specifier.imported)),
                ImportDeclarationSpecifier::ImportDefaultSpecifier(_) if phase == ImportPhase::Source => None,
                ImportDeclarationSpecifier::ImportDefaultSpecifier(_) => Some("default"),
                ImportDeclarationSpecifier::ImportNamespaceSpecifier(_) => None,
            };
            let start = specifier.span().start;
            self.imported.insert(local.symbol_id(), Imported { request, name, start, is_constant });
            match name {
                Some(name) => {
                    let index = self.names.index(name);
                    self.tables.imports.push(Import { request, name: index, start });
                    self.bindings(request);
                    if is_constant {
                        let member = names::member(name);
                        self.constants.push(format!("{}={}{member}", local.name, self.bindings[&request]));
                    }
                }
                None => {
                    self.tables.arguments.push(ModuleArgument::Namespace { request });
                    self.parameters.push(local.name.to_string());
                }
            }
        }
        self.edits.blank_after(";", range(declaration.span));
    }

    /// Adds the parameter for the bindings of a request.
    fn bindings(&mut self, request: u32) {
        let arguments = &mut self.tables.arguments;
        if !self.bindings.contains_key(&request) {
            let parameter = format!("{}{}", self.prefix, arguments.len());
            arguments.push(ModuleArgument::Bindings { request });
            self.parameters.push(parameter.clone());
            self.bindings.insert(request, parameter);
        }
    }

    fn request(
        &mut self,
        source: &StringLiteral<'a>,
        with: Option<&WithClause<'a>>,
        phase: ImportPhase,
    ) -> u32 {
        let specifier = self.names.index(source.value.as_str());
        let mut attributes = Vec::new();
        if let Some(clause) = with {
            if clause.keyword == WithClauseKeyword::Assert {
                self.diagnostics
                    .push(Diagnostic::new("Unexpected identifier 'assert', expected 'with'", clause.span));
            }
            for ImportAttribute { key, value, .. } in &clause.with_entries {
                attributes.push((self.names.index(key_of(key)), self.names.index(value.value.as_str())));
            }
        }
        let requests = &mut self.tables.requests;
        let is_same = |request: &ModuleRequest| {
            request.specifier == specifier && request.attributes == attributes && request.phase == phase
        };
        let known = requests.iter().position(is_same);
        let index = known.unwrap_or(requests.len());
        if known.is_none() {
            requests.push(ModuleRequest { specifier, attributes, phase, start: source.span.start });
        }
        index as u32
    }

    fn exports(&mut self, statement: &Statement<'a>) {
        match statement {
            Statement::ExportAllDeclaration(declaration) => self.export_all(declaration),
            Statement::ExportDefaultDeclaration(declaration) => self.export_default(declaration),
            Statement::ExportFromDeclaration(declaration) => self.export_from(declaration),
            Statement::ExportDeclaration(declaration) => {
                self.edits.blank(declaration.span.start..declaration.declaration.span().start);
                self.export_declared(&declaration.declaration);
            }
            Statement::ExportNamedDeclaration(declaration) => {
                declaration.specifiers.iter().for_each(|specifier| self.export_local(specifier));
                self.edits.blank_after(";", range(declaration.span));
            }
            _ => {}
        }
    }

    fn export_all(&mut self, declaration: &ExportAllDeclaration<'a>) {
        let request =
            self.request(&declaration.source, declaration.with_clause.as_deref(), ImportPhase::Evaluation);
        match &declaration.exported {
            Some(exported) => {
                let (name, start) = (name_of(exported), exported.span().start);
                self.export_indirectly(name, Imported { request, name: None, start, is_constant: false });
            }
            None if self.tables.star_exports.contains(&request) => {}
            None => self.tables.star_exports.push(request),
        }
        self.edits.blank_after(";", range(declaration.span));
    }

    fn export_from(&mut self, declaration: &ExportFromDeclaration<'a>) {
        let request =
            self.request(&declaration.source, declaration.with_clause.as_deref(), ImportPhase::Evaluation);
        for ExportSpecifier { local, exported, .. } in &declaration.specifiers {
            let (name, start) = (Some(name_of(local)), local.span().start);
            let imported = Imported { request, name, start, is_constant: false };
            self.export_indirectly(name_of(exported), imported);
        }
        self.edits.blank_after(";", range(declaration.span));
    }

    fn export_declared(&mut self, declaration: &Declaration<'a>) {
        match declaration {
            Declaration::VariableDeclaration(variables) => {
                let kind = if variables.kind.is_var() { ExportBinding::Var } else { ExportBinding::Lexical };
                for declarator in &variables.declarations {
                    for identifier in declarator.id.get_binding_identifiers() {
                        let name = identifier.name.as_str();
                        self.export(name, kind, name);
                    }
                }
            }
            Declaration::FunctionDeclaration(function) => {
                if let Some(id) = &function.id {
                    self.export_symbol(id.name.as_str(), id.symbol_id(), id.name.as_str());
                }
            }
            Declaration::ClassDeclaration(class) => {
                if let Some(id) = &class.id {
                    self.export(id.name.as_str(), ExportBinding::Lexical, id.name.as_str());
                }
            }
            _ => {}
        }
    }

    fn export_local(&mut self, specifier: &ExportSpecifier<'a>) {
        let (local, exported) = (name_of(&specifier.local), name_of(&specifier.exported));
        let symbol = self.scoping.get_binding(self.scoping.root_scope_id(), local.into());
        // An undeclared name was rejected before.
        let Some(symbol) = symbol else { return };
        match self.imported.get(&symbol) {
            Some(imported) => self.export_indirectly(exported, *imported),
            None => self.export_symbol(exported, symbol, local),
        }
    }

    fn export_default(&mut self, declaration: &ExportDefaultDeclaration<'a>) {
        let (start, end) = (declaration.span.start, declaration.span.end);
        let own = format!("{}default", self.prefix);
        match &declaration.declaration {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => {
                self.edits.blank(start..function.span.start);
                match &function.id {
                    Some(id) => self.export_symbol("default", id.symbol_id(), id.name.as_str()),
                    None => {
                        let at = parameters_start(function);
                        self.edits.open(Span::new(at, at), format!(" {own}"));
                        self.epilogue.push_str(&format!("{}.named({own});", self.prefix));
                        self.export("default", ExportBinding::Hoisted, &own);
                    }
                }
            }
            ExportDefaultDeclarationKind::ClassDeclaration(class) if class.id.is_some() => {
                self.edits.blank(start..class.span.start);
                let local = class.id.as_ref().map_or("", |id| id.name.as_str());
                self.export("default", ExportBinding::Lexical, local);
            }
            ExportDefaultDeclarationKind::TSInterfaceDeclaration(_) => {}
            value => {
                let inner = value.span();
                let (before, after) = match is_anonymous(value) {
                    // The only form that gives an anonymous function the name `default`.
                    true => (format!("const {own}=({{default:"), "}).default"),
                    false => (format!("const {own}="), ""),
                };
                self.edits.replace(start..inner.start, before);
                if end == inner.end {
                    self.edits.close(declaration.span, ";");
                }
                if !after.is_empty() {
                    self.edits.close(Span::new(start, inner.end), after);
                }
                self.export("default", ExportBinding::Lexical, &own);
            }
        }
    }

    /// A local export. A function without assignments is initialized before the body runs and does
    /// not change: it needs no getter.
    fn export_symbol(&mut self, name: &'a str, symbol: SymbolId, local: &str) {
        let binding = binding(self.scoping.symbol_flags(symbol));
        // This key would set the prototype.
        let is_property =
            name != "__proto__" && binding == ExportBinding::Hoisted && self.is_constant(symbol);
        match is_property {
            true => self.export_as(name, binding, &format!("{}:{local}", names::key(name))),
            false => self.export(name, binding, local),
        }
    }

    /// A direct `eval` may assign to anything.
    fn is_constant(&self, symbol: SymbolId) -> bool {
        let has_eval = self.scoping.root_unresolved_references().contains_key("eval");
        !has_eval && !self.scoping.symbol_is_mutated(symbol)
    }

    /// A local binding that may change.
    fn export(&mut self, name: &'a str, binding: ExportBinding, local: &str) {
        self.export_as(name, binding, &format!("get {}(){{return {local}}}", names::key(name)));
    }

    fn export_as(&mut self, name: &'a str, binding: ExportBinding, property: &str) {
        self.properties.extend([",", property]);
        let name = self.names.index(name);
        self.tables.exports.push(Export { name, binding });
    }

    fn export_indirectly(&mut self, name: &'a str, imported: Imported<'a>) {
        let Imported { request, name: from, start, .. } = imported;
        let name = self.names.index(name);
        let imported = from.map(|from| self.names.index(from));
        self.tables.indirect_exports.push(IndirectExport { name, request, imported, start });
    }

    fn finish(mut self) -> Items {
        let mut prologue = String::new();
        if !self.properties.is_empty() {
            prologue = format!("{}.exports={{__proto__:null{}}};", self.prefix, self.properties);
        }
        prologue.push_str(&self.epilogue);
        if !self.constants.is_empty() {
            prologue.push_str(&format!("const {};", self.constants.join(",")));
        }
        let reads = self.imported.iter();
        let reads = reads.map(|(symbol, imported)| (*symbol, self.read(*symbol, imported))).collect();
        self.tables.names = self.names.into_names();
        Items {
            tables: self.tables,
            parameters: self.parameters,
            prologue,
            reads,
            diagnostics: self.diagnostics,
        }
    }

    /// The expression that reads an imported name. Where the exported name is another one, a
    /// comment has the program's: see util/function_source.js.
    fn read(&self, symbol: SymbolId, imported: &Imported<'_>) -> Option<String> {
        let name = imported.name.filter(|_| !imported.is_constant)?;
        let (local, member) = (self.scoping.symbol_name(symbol), names::member(name));
        let is_plain = local == name && member.starts_with('.');
        let member = if is_plain { member } else { names::member_of(self.prefix, name, local) };
        Some(format!("{}{member}", self.bindings[&imported.request]))
    }
}

fn range(span: Span) -> std::ops::Range<u32> {
    span.start..span.end
}

fn key_of<'a>(key: &ImportAttributeKey<'a>) -> &'a str {
    match key {
        ImportAttributeKey::Identifier(name) => name.name.as_str(),
        ImportAttributeKey::StringLiteral(name) => name.value.as_str(),
    }
}

fn binding(flags: SymbolFlags) -> ExportBinding {
    match flags {
        flags if flags.is_function() => ExportBinding::Hoisted,
        flags if flags.contains(SymbolFlags::FunctionScopedVariable) => ExportBinding::Var,
        _ => ExportBinding::Lexical,
    }
}

fn parameters_start(function: &Function<'_>) -> u32 {
    function.type_parameters.as_ref().map_or(function.params.span.start, |types| types.span.start)
}

/// A function or class that takes its name from its assignment.
fn is_anonymous(value: &ExportDefaultDeclarationKind<'_>) -> bool {
    if matches!(value, ExportDefaultDeclarationKind::ClassDeclaration(_)) {
        return true;
    }
    match value.as_expression().map(Expression::without_parentheses) {
        Some(Expression::ArrowFunctionExpression(_)) => true,
        Some(Expression::FunctionExpression(function)) => function.id.is_none(),
        Some(Expression::ClassExpression(class)) => class.id.is_none(),
        _ => false,
    }
}
