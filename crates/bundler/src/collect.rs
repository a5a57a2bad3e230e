//! Imports, exports and statements of a module. In: its syntax tree and scopes. Out: the fields of
//! a [`Module`] that linking needs. Absent: resolving specifiers.

mod branches;
mod cjs;
mod declarations;
mod dynamic_imports;
mod enums;
mod globs;
mod kept_names;
mod values;

use std::ops::Range;

use oxc::ast::ast::{
    Argument, ArrowFunctionExpression, AssignmentExpression, AwaitExpression, BindingIdentifier,
    CallExpression, ClassBody, ConditionalExpression, ExportDefaultDeclarationKind, Expression,
    ExpressionStatement, ForOfStatement, Function, IdentifierReference, IfStatement, ImportDeclaration,
    ImportExpression, ImportMeta, LogicalExpression, ModuleExportName, NewExpression, Program,
    ReturnStatement, SimpleAssignmentTarget, Statement, StaticMemberExpression, TaggedTemplateExpression,
    ThisExpression, TryStatement, UnaryExpression, VariableDeclaration, WithClause,
};
use oxc::ast_visit::{Visit, walk};
use oxc::semantic::{Scoping, SymbolId};
use oxc::span::Span;
use oxc::syntax::operator::UnaryOperator;
use oxc::syntax::scope::ScopeFlags;
use oxc_ecmascript::GlobalContext;
use oxc_ecmascript::side_effects::{MayHaveSideEffects, MayHaveSideEffectsContext, PropertyReadSideEffects};
use rusk_transpile::HELPERS_OBJECT;
use rustc_hash::FxHashMap;

use crate::loader::Loader;
use crate::module::{ImportRecord, Module, Part, RecordKind, RecordTarget};
use crate::symbols::SymbolIndex;
use cjs::ObjectUses;
pub(crate) use kept_names::kept_names;

/// Fills the fields of `module` that come from its code.
pub(crate) fn collect<'a>(program: &Program<'a>, scoping: &'a Scoping, module: &mut Module) {
    let root = scoping.root_scope_id();
    let mut is_root = vec![false; scoping.symbols_len()];
    for (name, symbol) in scoping.get_bindings(root) {
        is_root[symbol.index()] = true;
        let index = symbol.index() as SymbolIndex;
        module.root_symbols.push((index, name.to_string()));
        module.root_uses.push((index, scoping.get_resolved_reference_ids(*symbol).len() as u32));
    }
    module.root_symbols.sort_unstable();
    module.root_uses.sort_unstable();
    module.globals = scoping.root_unresolved_references().keys().map(|name| name.to_string()).collect();
    module.globals.sort_unstable();
    module.features.uses_module = module.uses("module") || module.uses("exports");
    module.features.uses_require = module.uses("require");
    module.features.uses_paths = module.uses("__filename") || module.uses("__dirname");
    let mut collector = Collector {
        scoping,
        last_use: vec![u32::MAX; is_root.len()],
        is_root,
        module,
        part: Part::default(),
        index: 0,
        functions: 0,
        this_scopes: 0,
        tries: 0,
        handled_import: None,
        seen: FxHashMap::default(),
        objects: ObjectUses::default(),
    };
    // Imports are known before their uses are visited.
    for statement in &program.body {
        collector.add_imports(statement);
        collector.add_enums(statement);
    }
    collector.add_required(program);
    for (index, statement) in program.body.iter().enumerate() {
        collector.add_part(index, statement);
        collector.add_constants(statement, program.source_text);
    }
    // The code may refer to all names of the module, so all of it stays.
    if scoping.root_scope_flags().contains_direct_eval() {
        collector.module.features.has_direct_eval = true;
        collector.module.parts.iter_mut().for_each(|part| part.has_side_effects = true);
    }
    std::mem::take(&mut collector.objects).finish(scoping, collector.module);
    let imports = &collector.module.imports;
    let is_import = |symbol: &SymbolIndex| imports.contains_key(symbol);
    let own =
        collector.module.root_symbols.iter().filter(|(symbol, _)| !is_import(symbol)).cloned().collect();
    collector.module.root_symbols = own;
}

/// The name that an import or export specifier has.
pub(crate) fn export_name(name: &ModuleExportName<'_>) -> String {
    name.name().to_string()
}

struct Collector<'c, 'a> {
    scoping: &'a Scoping,
    is_root: Vec<bool>,
    /// The last part that used a symbol, so that it is added once.
    last_use: Vec<u32>,
    module: &'c mut Module,
    part: Part,
    index: usize,
    /// Functions around the visited node.
    functions: usize,
    /// Functions and classes around the visited node that have their own `this`.
    this_scopes: usize,
    tries: usize,
    /// Where a dynamic import begins whose rejection is handled.
    handled_import: Option<u32>,
    /// Records by specifier, so that import statements of one module share one.
    seen: FxHashMap<(String, Option<String>), usize>,
    objects: ObjectUses,
}

/// What `oxc_ecmascript` asks.
struct Effects<'s>(&'s Scoping);

impl<'a> GlobalContext<'a> for Effects<'_> {
    fn is_global_reference(&self, reference: &IdentifierReference<'a>) -> bool {
        reference.reference_id.get().is_none_or(|id| self.0.get_reference(id).symbol_id().is_none())
    }
}

impl<'a> MayHaveSideEffectsContext<'a> for Effects<'_> {
    fn annotations(&self) -> bool {
        true
    }

    fn manual_pure_functions(&self, callee: &Expression<'_>) -> bool {
        let Expression::Identifier(name) = callee else { return false };
        let symbol = name.reference_id.get().and_then(|id| self.0.get_reference(id).symbol_id());
        symbol.is_some_and(|symbol| self.0.no_side_effects().contains(&symbol))
    }

    fn property_read_side_effects(&self) -> PropertyReadSideEffects {
        PropertyReadSideEffects::All
    }

    fn unknown_global_side_effects(&self) -> bool {
        true
    }
}

fn range(span: Span) -> Range<u32> {
    span.start..span.end
}

/// The value of `type` in an import's attributes: the name of a loader.
pub(crate) fn attribute(clause: Option<&WithClause<'_>>) -> Option<String> {
    let entries = &clause?.with_entries;
    let value = |key: &str| {
        let entry = entries.iter().find(|entry| entry.key.as_arena_str() == key)?;
        Some(entry.value.value.as_str())
    };
    match (value("type")?, value("embed")) {
        ("sqlite", Some("true")) => Some(Loader::SqliteEmbedded.name().to_owned()),
        (name, _) => Some(name.to_owned()),
    }
}

impl<'a> Collector<'_, 'a> {
    fn statement_record(&mut self, specifier: &str, attribute: Option<String>, span: Span) -> usize {
        let key = (specifier.to_owned(), attribute.clone());
        if let Some(&record) = self.seen.get(&key) {
            return record;
        }
        let record = self.record(specifier, RecordKind::Statement, attribute, span);
        self.seen.insert(key, record);
        record
    }

    fn record(&mut self, specifier: &str, kind: RecordKind, attribute: Option<String>, span: Span) -> usize {
        self.module.records.push(ImportRecord {
            specifier: specifier.to_owned(),
            kind,
            span: range(span),
            attribute,
            target: RecordTarget::Unresolved,
            may_fail: self.tries > 0 && kind != RecordKind::Statement,
            require_use: None,
            required_instead: None,
        });
        self.module.records.len() - 1
    }

    fn add_part(&mut self, index: usize, statement: &Statement<'a>) {
        self.index = index;
        self.add_exports(statement);
        self.visit_statement(statement);
        let mut part = std::mem::take(&mut self.part);
        part.has_side_effects = self.has_side_effects(statement);
        self.module.parts.push(part);
    }

    /// An object one of whose members is changed.
    fn visit_changed(&mut self, object: &Expression<'a>) {
        if let Expression::Identifier(name) = object.get_inner_expression()
            && let Some(symbol) = self.symbol_of(name).map(|symbol| symbol.index() as SymbolIndex)
            && (self.module.enums.contains_key(&symbol) || self.module.imports.contains_key(&symbol))
        {
            self.module.changed_objects.insert(symbol);
        }
        self.visit_expression(object);
    }

    fn symbol_of(&self, reference: &IdentifierReference<'a>) -> Option<SymbolId> {
        self.scoping.get_reference(reference.reference_id.get()?).symbol_id()
    }

    fn has_side_effects(&self, statement: &Statement<'a>) -> bool {
        let effects = Effects(self.scoping);
        match statement {
            Statement::ImportDeclaration(_)
            | Statement::ExportAllDeclaration(_)
            | Statement::ExportFromDeclaration(_)
            | Statement::ExportNamedDeclaration(_) => false,
            Statement::ExportDeclaration(export) => export.declaration.may_have_side_effects(&effects),
            Statement::ExportDefaultDeclaration(export) => match &export.declaration {
                ExportDefaultDeclarationKind::FunctionDeclaration(_) => false,
                ExportDefaultDeclarationKind::ClassDeclaration(class) => {
                    class.may_have_side_effects(&effects)
                }
                other => other.as_expression().is_none_or(|value| value.may_have_side_effects(&effects)),
            },
            _ => statement.may_have_side_effects(&effects),
        }
    }

    fn is_global(&self, expression: &Expression<'a>, name: &str) -> bool {
        matches!(expression, Expression::Identifier(found) if found.name == name && self.symbol_of(found).is_none())
    }

    /// `require(test ? 'a' : 'b')`: each string is a record.
    fn add_choice(&mut self, choice: &ConditionalExpression<'a>, kind: RecordKind) {
        self.visit_expression(&choice.test);
        for branch in [&choice.consequent, &choice.alternate] {
            match branch.get_inner_expression() {
                Expression::StringLiteral(text) => {
                    let record = self.record(&text.value, kind, None, text.span);
                    self.part.records.push(record);
                }
                Expression::ConditionalExpression(choice) => self.add_choice(choice, kind),
                other => self.visit_expression(other),
            }
        }
    }

    fn is_require(&self, callee: &Expression<'a>) -> bool {
        match callee {
            Expression::StaticMemberExpression(member) => {
                member.property.name == "require"
                    && (matches!(member.object, Expression::ImportMeta(_))
                        || self.is_global(&member.object, "module"))
            }
            callee => self.is_global(callee, "require"),
        }
    }

    /// The specifier of `require('…')` and `import.meta.require('…')`.
    fn required<'e>(&self, call: &'e CallExpression<'a>) -> Option<(&'e str, Span)> {
        let is_require = self.is_require(&call.callee);
        match call.arguments.as_slice() {
            [Argument::StringLiteral(text)] if is_require => Some((text.value.as_str(), text.span)),
            _ => None,
        }
    }
}

impl<'a> Visit<'a> for Collector<'_, 'a> {
    fn visit_binding_identifier(&mut self, name: &BindingIdentifier<'a>) {
        let Some(symbol) = name.symbol_id.get().filter(|symbol| self.is_root[symbol.index()]) else { return };
        let parts = self.module.declared.entry(symbol.index() as SymbolIndex).or_default();
        if parts.last() != Some(&self.index) {
            parts.push(self.index);
        }
    }

    fn visit_identifier_reference(&mut self, reference: &IdentifierReference<'a>) {
        let Some(symbol) = self.symbol_of(reference) else { return };
        self.note_write(reference, symbol);
        if self.is_root[symbol.index()] && self.last_use[symbol.index()] != self.index as u32 {
            self.last_use[symbol.index()] = self.index as u32;
            self.part.uses.push(symbol.index() as SymbolIndex);
        }
    }

    fn visit_static_member_expression(&mut self, member: &StaticMemberExpression<'a>) {
        if let Expression::Identifier(object) = &member.object {
            match self.symbol_of(object) {
                Some(symbol) if !member.optional => {
                    let symbol = symbol.index() as SymbolIndex;
                    if self.module.imports.contains_key(&symbol) || self.module.enums.contains_key(&symbol) {
                        self.part.members.push((symbol, member.property.name.to_string()));
                        return;
                    }
                }
                None if object.name == HELPERS_OBJECT => {
                    let name = member.property.name.to_string();
                    let local = function_name(&name);
                    if !self.module.helpers.iter().any(|(_, known)| *known == local) {
                        self.module.helpers.push((name, local));
                    }
                    return;
                }
                _ => {}
            }
        }
        if !self.note_member(member) {
            walk::walk_static_member_expression(self, member);
        }
    }

    fn visit_unary_expression(&mut self, unary: &UnaryExpression<'a>) {
        // As what is assigned to.
        match &unary.argument {
            Expression::StaticMemberExpression(member) if unary.operator == UnaryOperator::Delete => {
                self.visit_changed(&member.object);
            }
            _ => walk::walk_unary_expression(self, unary),
        }
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        if self.note_assignment(assignment) {
            self.visit_expression(&assignment.right);
        } else {
            walk::walk_assignment_expression(self, assignment);
        }
    }

    fn visit_expression_statement(&mut self, statement: &ExpressionStatement<'a>) {
        self.note_statement(&statement.expression);
        walk::walk_expression_statement(self, statement);
    }

    fn visit_tagged_template_expression(&mut self, template: &TaggedTemplateExpression<'a>) {
        self.note_callee(&template.tag);
        walk::walk_tagged_template_expression(self, template);
    }

    fn visit_simple_assignment_target(&mut self, target: &SimpleAssignmentTarget<'a>) {
        // What is assigned to is no value: the object itself is used.
        match target {
            SimpleAssignmentTarget::StaticMemberExpression(member) => self.visit_changed(&member.object),
            target => walk::walk_simple_assignment_target(self, target),
        }
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        if let Some((specifier, _)) = self.required(call) {
            let record = self.record(specifier, RecordKind::Require, None, call.span);
            self.part.records.push(record);
            return;
        }
        if let [Argument::ConditionalExpression(choice)] = call.arguments.as_slice()
            && self.is_require(&call.callee)
        {
            self.add_choice(choice, RecordKind::Require);
            return;
        }
        if let [argument] = call.arguments.as_slice()
            && self.is_require(&call.callee)
            && let Some(source) = argument.as_expression()
        {
            self.add_glob(source, RecordKind::Require, call.span);
        }
        self.handled_import = dynamic_imports::handled(call).or(self.handled_import);
        self.note_callee(&call.callee);
        if self.note_definition(call) {
            call.arguments.iter().skip(1).for_each(|argument| self.visit_argument(argument));
            return;
        }
        walk::walk_call_expression(self, call);
    }

    fn visit_import_expression(&mut self, import: &ImportExpression<'a>) {
        if let Some(specifier) = constant_text(&import.source) {
            let attribute = dynamic_imports::attribute(import.options.as_ref());
            let record = self.record(specifier, RecordKind::Dynamic, attribute, import.span);
            self.module.records[record].may_fail |= self.handled_import == Some(import.span.start);
            self.part.records.push(record);
        } else if let Expression::ConditionalExpression(choice) = &import.source {
            self.add_choice(choice, RecordKind::Dynamic);
            import.options.iter().for_each(|options| self.visit_expression(options));
        } else {
            self.add_glob(&import.source, RecordKind::Dynamic, import.span);
            walk::walk_import_expression(self, import);
        }
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        if let Some(file) = self.worker_file(new) {
            let record = self.record(&file.value, RecordKind::Worker, None, file.span);
            self.module.records[record].may_fail = true;
        }
        walk::walk_new_expression(self, new);
    }

    fn visit_import_declaration(&mut self, _: &ImportDeclaration<'a>) {}

    fn visit_import_meta(&mut self, _: &ImportMeta) {
        self.module.features.uses_import_meta = true;
    }

    fn visit_this_expression(&mut self, _: &ThisExpression) {
        self.module.features.uses_module |= self.this_scopes == 0;
        self.module.features.has_top_level_this |= self.this_scopes == 0;
        self.objects.this();
    }

    fn visit_return_statement(&mut self, statement: &ReturnStatement<'a>) {
        self.module.features.uses_module |= self.functions == 0;
        walk::walk_return_statement(self, statement);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.functions += 1;
        self.this_scopes += 1;
        self.objects.enter_function();
        walk::walk_function(self, function, flags);
        self.objects.leave_function(function.span.start, function.id.as_ref());
        self.functions -= 1;
        self.this_scopes -= 1;
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.functions += 1;
        walk::walk_arrow_function_expression(self, arrow);
        self.functions -= 1;
    }

    fn visit_class_body(&mut self, body: &ClassBody<'a>) {
        self.this_scopes += 1;
        self.objects.enter_function();
        walk::walk_class_body(self, body);
        self.objects.leave_function(body.span.start, None);
        self.this_scopes -= 1;
    }

    fn visit_await_expression(&mut self, expression: &AwaitExpression<'a>) {
        self.module.features.has_top_level_await |= self.functions == 0;
        walk::walk_await_expression(self, expression);
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        self.module.features.has_top_level_await |= statement.r#await && self.functions == 0;
        walk::walk_for_of_statement(self, statement);
    }

    fn visit_variable_declaration(&mut self, variables: &VariableDeclaration<'a>) {
        self.module.features.has_top_level_await |= variables.kind.is_await() && self.functions == 0;
        walk::walk_variable_declaration(self, variables);
    }

    fn visit_if_statement(&mut self, statement: &IfStatement<'a>) {
        self.module.features.has_known_branch |= branches::is_known(&statement.test);
        walk::walk_if_statement(self, statement);
    }

    fn visit_conditional_expression(&mut self, choice: &ConditionalExpression<'a>) {
        self.module.features.has_known_branch |= branches::is_known(&choice.test);
        walk::walk_conditional_expression(self, choice);
    }

    fn visit_logical_expression(&mut self, logical: &LogicalExpression<'a>) {
        self.module.features.has_known_branch |= branches::is_known(&logical.left);
        walk::walk_logical_expression(self, logical);
    }

    fn visit_try_statement(&mut self, statement: &TryStatement<'a>) {
        self.tries += 1;
        self.visit_block_statement(&statement.block);
        self.tries -= 1;
        if let Some(handler) = &statement.handler {
            self.visit_catch_clause(handler);
        }
        if let Some(finalizer) = &statement.finalizer {
            self.visit_block_statement(finalizer);
        }
    }
}

/// The name of a helper function in the output.
pub(crate) fn function_name(name: &str) -> String {
    format!("__{name}")
}

/// A string, or a template without substitutions.
pub(crate) fn constant_text<'e>(expression: &'e Expression<'_>) -> Option<&'e str> {
    match expression {
        Expression::StringLiteral(text) => Some(text.value.as_str()),
        Expression::TemplateLiteral(template) if template.expressions.is_empty() => {
            template.quasis.first()?.value.cooked.as_ref().map(|text| text.as_str())
        }
        _ => None,
    }
}
