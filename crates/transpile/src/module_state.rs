//! State of a module, for a process that evaluates the same modules for one program after another
//! (docs/contributing/module-reuse.md). In: the syntax tree of an ES module. Out: code that tells
//! the loader all values that the module's own bindings have, if evaluating the module does nothing
//! but make these: functions, classes, literals and objects of literals. Then the module need not
//! be evaluated again while none of them has changed. Absent: comparing the values.

use std::collections::HashSet;

use oxc::ast::ast::{
    Class, Declaration, ExportDefaultDeclarationKind, Function, ImportMeta, Program, Statement,
    VariableDeclaration,
};
use oxc::ast_visit::Visit;
use oxc::semantic::{Scoping, SymbolId};

mod classes;
mod values;

/// Names by which code could reach state that the module's bindings do not lead to.
const HIDDEN_STATE: [&str; 4] = ["eval", "require", "module", "exports"];

/// Code for the start of the module's function; `None`: the module does more.
pub(crate) fn code(program: &Program<'_>, scoping: &Scoping, prefix: &str) -> Option<String> {
    let unresolved = scoping.root_unresolved_references();
    if HIDDEN_STATE.iter().any(|name| unresolved.contains_key(*name)) {
        return None;
    }
    let mut reader =
        StateReader { scoping, prefix, primitives: HashSet::new(), names: Vec::new(), variables: Vec::new() };
    program.body.iter().try_for_each(|statement| reader.statement(statement))?;
    if has_import_meta(program) {
        return None;
    }
    let StateReader { names, variables, .. } = reader;
    let [names, values] = [&names, &variables].map(|names| names.join(","));
    Some(format!("{}[{names}],()=>[{values}]{});", call(prefix), restore(&variables, prefix)))
}

/// A function that gives variables the values of an array; empty without any. A pattern would call
/// the array's iterator.
fn restore(variables: &[String], prefix: &str) -> String {
    if variables.is_empty() {
        return String::new();
    }
    let values = format!("{prefix}values");
    let assign = |(index, name): (usize, &String)| format!("{name}={values}[{index}];");
    let assignments: String = variables.iter().enumerate().map(assign).collect();
    format!(",{values}=>{{{assignments}}}")
}

/// Its beginning. No name of the file has the prefix.
pub(crate) fn call(prefix: &str) -> String {
    format!("{prefix}.state(()=>")
}

struct StateReader<'r> {
    scoping: &'r Scoping,
    prefix: &'r str,
    /// Constants of the module whose values are no objects.
    primitives: HashSet<SymbolId>,
    /// The module's own bindings.
    names: Vec<String>,
    /// Those that are assigned somewhere.
    variables: Vec<String>,
}

/// Each method returns `None` for what is more than making values.
impl StateReader<'_> {
    fn statement(&mut self, statement: &Statement<'_>) -> Option<()> {
        match statement {
            Statement::ImportDeclaration(_)
            | Statement::ExportAllDeclaration(_)
            | Statement::ExportFromDeclaration(_)
            | Statement::ExportNamedDeclaration(_)
            | Statement::EmptyStatement(_) => Some(()),
            Statement::ExportDeclaration(export) => self.declaration(&export.declaration),
            Statement::ExportDefaultDeclaration(export) => self.default_export(&export.declaration),
            Statement::FunctionDeclaration(function) => self.function_declaration(function),
            Statement::ClassDeclaration(class) => self.class_declaration(class),
            Statement::VariableDeclaration(variables) => self.variables(variables),
            _ => None,
        }
    }

    fn declaration(&mut self, declaration: &Declaration<'_>) -> Option<()> {
        match declaration {
            Declaration::FunctionDeclaration(function) => self.function_declaration(function),
            Declaration::ClassDeclaration(class) => self.class_declaration(class),
            Declaration::VariableDeclaration(variables) => self.variables(variables),
            _ => None,
        }
    }

    fn default_export(&mut self, value: &ExportDefaultDeclarationKind<'_>) -> Option<()> {
        match value {
            ExportDefaultDeclarationKind::FunctionDeclaration(function) => match &function.id {
                Some(id) => self.binding(id.name.as_str(), id.symbol_id()),
                None => self.own_default(),
            },
            ExportDefaultDeclarationKind::ClassDeclaration(class) => match &class.id {
                Some(_) => self.class_declaration(class)?,
                None => {
                    self.class(class)?;
                    self.own_default();
                }
            },
            value => {
                self.value(value.as_expression()?)?;
                self.own_default();
            }
        }
        Some(())
    }

    /// The name that `module/items.rs` gives a default export.
    fn own_default(&mut self) {
        self.names.push(format!("{}default", self.prefix));
    }

    fn function_declaration(&mut self, function: &Function<'_>) -> Option<()> {
        let id = function.id.as_ref()?;
        self.binding(id.name.as_str(), id.symbol_id());
        Some(())
    }

    fn class_declaration(&mut self, class: &Class<'_>) -> Option<()> {
        self.class(class)?;
        let id = class.id.as_ref()?;
        self.binding(id.name.as_str(), id.symbol_id());
        Some(())
    }

    fn variables(&mut self, declaration: &VariableDeclaration<'_>) -> Option<()> {
        if declaration.kind.is_using() {
            return None;
        }
        for declarator in &declaration.declarations {
            let id = declarator.id.get_binding_identifier()?;
            let value = match &declarator.init {
                Some(value) => self.value(value)?,
                None => values::ValueKind::Primitive,
            };
            let symbol = id.symbol_id();
            if value == values::ValueKind::Primitive && !self.scoping.symbol_is_mutated(symbol) {
                self.primitives.insert(symbol);
            }
            self.binding(id.name.as_str(), symbol);
        }
        Some(())
    }

    fn binding(&mut self, name: &str, symbol: SymbolId) {
        let is_constant = self.scoping.symbol_flags(symbol).is_const_variable();
        if self.scoping.symbol_is_mutated(symbol) && !is_constant {
            self.variables.push(name.to_owned());
        }
        self.names.push(name.to_owned());
    }
}

/// `import.meta` is an object that programs may change.
fn has_import_meta(program: &Program<'_>) -> bool {
    struct Finder(bool);
    impl<'a> Visit<'a> for Finder {
        fn visit_import_meta(&mut self, _: &ImportMeta) {
            self.0 = true;
        }
    }
    let mut finder = Finder(false);
    finder.visit_program(program);
    finder.0
}

#[cfg(test)]
mod tests;
