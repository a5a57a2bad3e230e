//! The object that a CommonJS module exports, and what importers do with it. In: the syntax tree
//! while it is walked. Out: names whose values are known to stay when the module was evaluated, and
//! how `require` calls use their results. All that is not recognised counts as "may do anything".

use std::collections::BTreeSet;

use oxc::ast::ast::{
    Argument, AssignmentExpression, AssignmentTarget, BindingIdentifier, BindingPattern, CallExpression,
    Expression, Program, PropertyKind, Statement, StaticMemberExpression,
};
use oxc::semantic::{Scoping, SymbolId};
use oxc::syntax::operator::AssignmentOperator;
use oxc_ecmascript::side_effects::MayHaveSideEffects;

use super::{Collector, Effects};
use crate::module::{CjsExports, Module, RequireUse};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is seen during the walk.
#[derive(Default)]
pub(super) struct ObjectUses {
    /// References to `exports` and `module` that do nothing else than what is noted here.
    known: usize,
    /// The value of each assigned name, which decides whether it may be called as a method.
    values: Vec<(String, AssignedValue)>,
    /// Names that code after the evaluation may set.
    changed: FxHashSet<String>,
    /// Names that are called as methods of the module's own object.
    called: BTreeSet<String>,
    read: BTreeSet<String>,
    setters: Vec<(usize, Vec<String>)>,
    redirect: Option<u32>,
    /// `module.exports = { … }`
    has_literal: bool,
    is_es_module: bool,
    has_top_level_this: bool,
    /// For each function around the visited node: whether it has `this`.
    frames: Vec<bool>,
    functions_with_this: FxHashSet<u32>,
    declared_with_this: FxHashSet<SymbolId>,
    declared_functions: FxHashSet<SymbolId>,
    /// Variables of the module's scope whose value is that of a `require` call.
    required: FxHashMap<SymbolId, RequiredVariable>,
    /// `require` calls, by their place, whose result is used in known ways.
    uses: FxHashMap<u32, RequireUse>,
}

struct RequiredVariable {
    call: u32,
    known: usize,
    members: RequireUse,
}

enum AssignedValue {
    /// It is no function.
    Plain,
    Function(u32),
    Variable(SymbolId),
    Unknown,
}

impl ObjectUses {
    pub(super) fn enter_function(&mut self) {
        self.frames.push(false);
    }

    pub(super) fn leave_function(&mut self, start: u32, id: Option<&BindingIdentifier<'_>>) {
        let has_this = self.frames.pop().unwrap_or(false);
        let symbol = id.and_then(|id| id.symbol_id.get());
        self.declared_functions.extend(symbol);
        if has_this {
            self.functions_with_this.insert(start);
            self.declared_with_this.extend(symbol);
        }
    }

    pub(super) fn this(&mut self) {
        match self.frames.last_mut() {
            Some(has_this) => *has_this = true,
            None => self.has_top_level_this = true,
        }
    }

    fn may_use_this(&self, value: &AssignedValue) -> bool {
        match value {
            AssignedValue::Plain => false,
            AssignedValue::Function(start) => self.functions_with_this.contains(start),
            AssignedValue::Variable(symbol) => {
                !self.declared_functions.contains(symbol) || self.declared_with_this.contains(symbol)
            }
            AssignedValue::Unknown => true,
        }
    }

    /// Notes what was seen in the module.
    pub(super) fn finish(self, scoping: &Scoping, module: &mut Module) {
        self.finish_records(scoping, module);
        let references =
            |name: &str| scoping.root_unresolved_references().get(name).map_or(0, |all| all.len());
        let count = references("exports") + references("module");
        let is_opaque = count == 0
            || self.known != count
            || self.has_top_level_this
            || module.uses("eval")
            || (self.has_literal || self.redirect.is_some()) && count > 1;
        if is_opaque {
            return;
        }
        let mut exports = CjsExports { is_es_module: self.is_es_module, ..CjsExports::default() };
        exports.redirect = self
            .redirect
            .and_then(|start| module.records.iter().position(|record| record.span.start == start));
        let with_this = self.values.iter().filter(|(_, value)| self.may_use_this(value));
        exports.with_this = with_this.map(|(name, _)| name.clone()).collect();
        if self.called.intersection(&exports.with_this).next().is_some() {
            return;
        }
        (exports.read, exports.setters) = (self.read, self.setters);
        exports.names = self.values.into_iter().map(|(name, _)| name).collect();
        exports.names.retain(|name| !self.changed.contains(name) && name != "__proto__" && name != "default");
        module.common_js = Some(exports);
    }

    fn finish_records(&self, scoping: &Scoping, module: &mut Module) {
        let variables = self.required.iter().filter(|(symbol, variable)| {
            scoping.get_resolved_reference_ids(**symbol).len() == variable.known
        });
        let variables = variables.map(|(_, variable)| (variable.call, &variable.members));
        let uses: FxHashMap<u32, &RequireUse> =
            self.uses.iter().map(|(start, uses)| (*start, uses)).chain(variables).collect();
        for record in &mut module.records {
            if let Some(&uses) = uses.get(&record.span.start) {
                record.require_use = Some(uses.clone());
            }
        }
    }
}

impl<'a> Collector<'_, 'a> {
    /// Variables that are declared with the result of `require`, before their uses are visited.
    pub(super) fn add_required(&mut self, program: &Program<'a>) {
        for statement in &program.body {
            let Statement::VariableDeclaration(variables) = statement else { continue };
            for declarator in &variables.declarations {
                let Some(Expression::CallExpression(call)) = &declarator.init else { continue };
                if self.required(call).is_none() {
                    continue;
                }
                let call = call.span.start;
                match &declarator.id {
                    BindingPattern::BindingIdentifier(id) => {
                        let Some(symbol) = id.symbol_id.get() else { continue };
                        if self.scoping.symbol_redeclarations(symbol).is_empty()
                            && !self.scoping.symbol_is_mutated(symbol)
                        {
                            let members = RequireUse::default();
                            let variable = RequiredVariable { call, known: 0, members };
                            self.objects.required.insert(symbol, variable);
                        }
                    }
                    BindingPattern::ObjectPattern(pattern) if pattern.rest.is_none() => {
                        let names = pattern.properties.iter().map(|property| {
                            let name = property.key.static_name().filter(|_| !property.computed);
                            name.map(|name| name.to_string())
                        });
                        let names: Option<BTreeSet<String>> = names.collect();
                        let uses = RequireUse {
                            reads_all: names.is_none(),
                            read: names.unwrap_or_default(),
                            ..RequireUse::default()
                        };
                        self.objects.uses.insert(call, uses);
                    }
                    _ => {}
                }
            }
        }
    }

    /// `require('…');`, or `exports.name = value;`
    pub(super) fn note_statement(&mut self, expression: &Expression<'a>) {
        match expression {
            Expression::CallExpression(call) if self.required(call).is_some() => {
                self.objects.uses.insert(call.span.start, RequireUse::default());
            }
            Expression::AssignmentExpression(assignment) if self.functions == 0 && self.this_scopes == 0 => {
                let index = self.index;
                let names = self.set_names(assignment);
                self.objects.setters.extend(names.map(|names| (index, names)));
            }
            _ => {}
        }
    }

    /// The names of the module's object that an assignment sets, if it does nothing else.
    fn set_names(&self, mut assignment: &AssignmentExpression<'a>) -> Option<Vec<String>> {
        let mut names = Vec::new();
        loop {
            let AssignmentTarget::StaticMemberExpression(member) = &assignment.left else { return None };
            if assignment.operator != AssignmentOperator::Assign || !self.is_own_object(&member.object) {
                return None;
            }
            names.push(member.property.name.to_string());
            match &assignment.right {
                Expression::AssignmentExpression(inner) => assignment = inner,
                value if value.may_have_side_effects(&Effects(self.scoping)) => return None,
                _ => return Some(names),
            }
        }
    }

    /// Whether an expression is `exports` or `module.exports`.
    fn is_own_object(&self, expression: &Expression<'a>) -> bool {
        match expression {
            Expression::StaticMemberExpression(member) => {
                member.property.name == "exports" && self.is_global(&member.object, "module")
            }
            expression => self.is_global(expression, "exports"),
        }
    }

    /// A member that is read. Whether its object is the module's own, which needs no visit.
    pub(super) fn note_member(&mut self, member: &StaticMemberExpression<'a>) -> bool {
        if member.optional {
            return false;
        }
        if self.is_own_object(&member.object) {
            self.objects.known += 1;
            self.objects.read.insert(member.property.name.to_string());
            return true;
        }
        match &member.object {
            Expression::Identifier(object) if !self.objects.required.is_empty() => {
                let symbol = self.symbol_of(object);
                if let Some(variable) = symbol.and_then(|symbol| self.objects.required.get_mut(&symbol)) {
                    variable.known += 1;
                    variable.members.read.insert(member.property.name.to_string());
                }
            }
            Expression::CallExpression(call) if self.required(call).is_some() => {
                let uses = self.objects.uses.entry(call.span.start).or_default();
                uses.read.insert(member.property.name.to_string());
            }
            _ => {}
        }
        false
    }

    /// Names that are called as methods, so that `this` is the object.
    pub(super) fn note_callee(&mut self, callee: &Expression<'a>) {
        let Expression::StaticMemberExpression(member) = callee else { return };
        let name = member.property.name.to_string();
        if self.is_own_object(&member.object) {
            self.objects.called.insert(name);
            return;
        }
        match &member.object {
            Expression::Identifier(object) => {
                let Some(symbol) = self.symbol_of(object) else { return };
                if let Some(variable) = self.objects.required.get_mut(&symbol) {
                    variable.members.called.insert(name);
                } else if self.module.imports.contains_key(&(symbol.index() as u32)) {
                    self.module.called_members.insert((symbol.index() as u32, name));
                }
            }
            Expression::CallExpression(call) if self.required(call).is_some() => {
                self.objects.uses.entry(call.span.start).or_default().called.insert(name);
            }
            _ => {}
        }
    }

    /// `Object.defineProperty(exports, 'name', …)`: a property that may be a getter. Whether the
    /// first argument needs no visit.
    pub(super) fn note_definition(&mut self, call: &CallExpression<'a>) -> bool {
        let Expression::StaticMemberExpression(callee) = &call.callee else { return false };
        let is_define = callee.property.name == "defineProperty" && self.is_global(&callee.object, "Object");
        let [first, Argument::StringLiteral(name), ..] = call.arguments.as_slice() else { return false };
        if !is_define || !first.as_expression().is_some_and(|object| self.is_own_object(object)) {
            return false;
        }
        self.objects.known += 1;
        self.objects.is_es_module |= name.value == "__esModule";
        self.objects.changed.insert(name.value.to_string());
        true
    }

    /// Assignments to the module's object. Whether the left side needs no visit.
    pub(super) fn note_assignment(&mut self, assignment: &AssignmentExpression<'a>) -> bool {
        let AssignmentTarget::StaticMemberExpression(member) = &assignment.left else { return false };
        let name = member.property.name.to_string();
        let is_set =
            assignment.operator == AssignmentOperator::Assign && self.functions == 0 && self.this_scopes == 0;
        if name == "exports" && self.is_global(&member.object, "module") {
            return is_set && self.note_whole(&assignment.right);
        }
        if !self.is_own_object(&member.object) {
            return false;
        }
        self.objects.known += 1;
        self.objects.is_es_module |= name == "__esModule";
        if is_set {
            let value = self.assigned_value(&assignment.right);
            self.objects.values.push((name, value));
        } else {
            self.objects.changed.insert(name);
        }
        true
    }

    /// `module.exports = require('…')`, or an object with names.
    fn note_whole(&mut self, value: &Expression<'a>) -> bool {
        match value {
            Expression::CallExpression(call) if self.required(call).is_some() => {
                self.objects.redirect = Some(call.span.start);
                self.objects
                    .uses
                    .insert(call.span.start, RequireUse { is_redirect: true, ..RequireUse::default() });
            }
            Expression::ObjectExpression(object) => {
                for property in &object.properties {
                    let Some(property) = property.as_property() else { return false };
                    let Some(name) = property.key.static_name().filter(|_| !property.computed) else {
                        return false;
                    };
                    let value = match property.kind {
                        PropertyKind::Init => self.assigned_value(&property.value),
                        _ => return false,
                    };
                    self.objects.values.push((name.to_string(), value));
                }
                self.objects.has_literal = true;
            }
            _ => return false,
        }
        self.objects.known += 1;
        true
    }

    fn assigned_value(&self, value: &Expression<'a>) -> AssignedValue {
        match value.get_inner_expression() {
            Expression::AssignmentExpression(assignment) => self.assigned_value(&assignment.right),
            Expression::FunctionExpression(function) => AssignedValue::Function(function.span.start),
            Expression::Identifier(name) => match self.symbol_of(name) {
                Some(symbol) if !self.scoping.symbol_is_mutated(symbol) => AssignedValue::Variable(symbol),
                _ => AssignedValue::Unknown,
            },
            // The `this` of arrow functions at the top level is looked for elsewhere.
            Expression::ArrowFunctionExpression(_)
            | Expression::ClassExpression(_)
            | Expression::ObjectExpression(_)
            | Expression::ArrayExpression(_)
            | Expression::UnaryExpression(_)
            | Expression::BinaryExpression(_)
            | Expression::TemplateLiteral(_)
            | Expression::RegExpLiteral(_) => AssignedValue::Plain,
            value if value.is_literal() => AssignedValue::Plain,
            _ => AssignedValue::Unknown,
        }
    }
}
