//! Changes of a syntax tree before it is printed: statements that are not live are removed, module
//! syntax disappears, and `require` calls, dynamic imports and members of namespaces become what
//! they stand for. New references are identifiers whose name is their whole text.

mod choices;
mod default_export;
mod globs;
mod kept_names;
mod main_module;

use oxc::allocator::{Allocator, ArenaBox, TakeIn};
use oxc::ast::ast::{
    AssignmentTarget, AssignmentTargetMaybeDefault, AssignmentTargetProperty,
    AssignmentTargetPropertyIdentifier, AssignmentTargetPropertyProperty, BindingIdentifier, CallExpression,
    ClassBody, Expression, Function, IdentifierReference, NewExpression, PropertyKey, Statement,
    StringLiteral, TaggedTemplateExpression,
};
use oxc::ast::builder::AstBuilder;
use oxc::ast_visit::{VisitMut, walk_mut};
use oxc::semantic::Scoping;
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;
use rusk_transpile::HELPERS_OBJECT;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::chunk_files;
use crate::collect::{constant_text, function_name};
use crate::link::{Linked, member};
use crate::module::{ModuleIndex, ModuleKind, RecordKind, RecordTarget};
use crate::options::ModuleFormat;
use crate::piece;
use crate::print::{Plan, Tree};
use crate::render::{EXPORTED_OBJECT, REQUIRED_EXPORT, RuntimeFunctions};
use crate::symbols::{Binding, NAMESPACE, SymbolIndex, SymbolRef, WRAPPER};
use crate::wrap::Wrap;
use default_export::{default_statement, keep_name};

pub(crate) fn rewrite<'a>(
    allocator: &'a Allocator,
    tree: &mut Tree<'a>,
    plan: &Plan<'_>,
    linked: &Linked,
    helpers: &mut RuntimeFunctions,
) {
    keep_live(allocator, tree, plan, linked);
    let module = &linked.modules[plan.index];
    let is_member = |binding: &Binding| matches!(binding, Binding::Member(..));
    let features = module.features;
    let is_needed = linked.bindings[plan.index].values().any(is_member)
        || !linked.members[plan.index].is_empty()
        || module.records.iter().any(|record| record.kind != RecordKind::Statement)
        || features.uses_require
        || features.uses_paths
        || features.has_top_level_this
        || features.uses_import_meta
        || !module.helpers.is_empty()
        || linked.is_minified;
    if !is_needed {
        return;
    }
    let records = module.records.iter().enumerate();
    let records = records.filter(|(_, record)| record.kind != RecordKind::Statement);
    let mut rewriter = Rewriter {
        allocator,
        ast: AstBuilder::new(allocator),
        scoping: &tree.scoping,
        plan,
        linked,
        helpers,
        records: records
            .map(|(index, record)| ((record.span.start, record.specifier.as_str()), index))
            .collect(),
        objects: linked.members[plan.index].keys().map(|(object, _)| *object).collect(),
        in_callee_of_new: false,
        this_scopes: 0,
    };
    rewriter.visit_program(&mut tree.program);
}

/// Removes statements that are not live, and module syntax.
fn keep_live<'a>(allocator: &'a Allocator, tree: &mut Tree<'a>, plan: &Plan<'_>, linked: &Linked) {
    let live = &linked.live.parts[plan.index];
    let is_whole = linked.wraps[plan.index] != Wrap::None;
    let body = tree.program.body.take_in(&allocator);
    let ast = AstBuilder::new(allocator);
    for (index, statement) in body.into_iter().enumerate() {
        if !is_whole && !live.get(index).copied().unwrap_or(true)
            || is_unused(plan, linked, index, &statement)
        {
            continue;
        }
        match statement {
            Statement::ImportDeclaration(_)
            | Statement::ExportAllDeclaration(_)
            | Statement::ExportFromDeclaration(_)
            | Statement::ExportNamedDeclaration(_) => {}
            Statement::ExportDeclaration(export) => {
                tree.program.body.push(Statement::from(export.unbox().declaration));
            }
            Statement::ExportDefaultDeclaration(export) => {
                let export = export.unbox();
                let name: &'a str = allocator.alloc_str(&plan.default_name);
                let (span, mut declaration) = (export.span, export.declaration);
                let call = linked.keep_names.then(|| keep_name(allocator, &mut declaration, name, linked));
                tree.program.body.push(default_statement(declaration, span, name, &ast));
                let call = call.flatten().map(|call| Statement::new_expression_statement(span, call, &ast));
                tree.program.body.extend(call);
            }
            statement => tree.program.body.push(statement),
        }
    }
    if linked.keep_names {
        kept_names::keep(allocator, &mut tree.program, &tree.scoping, linked);
    }
    if linked.modules[plan.index].kind == ModuleKind::Esm {
        // Those of the entry point are at the top of its chunk.
        tree.program.directives.clear();
    }
}

/// Whether a statement only sets members of the module's object that nothing reads.
fn is_unused(plan: &Plan<'_>, linked: &Linked, index: usize, statement: &Statement<'_>) -> bool {
    let Some(unused) = linked.unused_members.get(&plan.index) else { return false };
    let exports = linked.modules[plan.index].common_js.as_ref();
    let setters = exports.map(|exports| exports.setters.as_slice()).unwrap_or_default();
    let setter = setters.iter().find(|(setter, _)| *setter == index);
    matches!(statement, Statement::ExpressionStatement(_))
        && setter.is_some_and(|(_, names)| names.iter().all(|name| unused.contains(name)))
}

struct Rewriter<'r, 'a> {
    allocator: &'a Allocator,
    ast: AstBuilder<'a>,
    scoping: &'r Scoping,
    plan: &'r Plan<'r>,
    linked: &'r Linked,
    helpers: &'r mut RuntimeFunctions,
    records: FxHashMap<(u32, &'r str), usize>,
    /// Symbols with members that are known.
    objects: FxHashSet<SymbolIndex>,
    in_callee_of_new: bool,
    /// Functions and classes around the visited node that have their own `this`.
    this_scopes: usize,
}

impl<'a> Rewriter<'_, 'a> {
    /// An expression that is printed as this text. Where it is minified, it is a tree.
    fn text(&self, span: Span, text: &str) -> Expression<'a> {
        let tree = match self.linked.is_minified {
            true => piece::expression(self.allocator, text, span, self.linked),
            false => None,
        };
        tree.unwrap_or_else(|| Expression::new_identifier(span, self.allocator.alloc_str(text), &self.ast))
    }

    /// A call as a text, in parentheses where it would become the callee of `new`.
    fn call_text(&self, span: Span, text: &str) -> Expression<'a> {
        match self.in_callee_of_new {
            true => self.text(span, &format!("({text})")),
            false => self.text(span, text),
        }
    }

    fn symbol_of(&self, name: &IdentifierReference<'a>) -> Option<SymbolIndex> {
        let symbol = self.scoping.get_reference(name.reference_id.get()?).symbol_id()?;
        Some(symbol.index() as SymbolIndex)
    }

    /// What an imported name stands for, if that has another name.
    fn binding_of(&self, name: &IdentifierReference<'a>) -> Option<&Binding> {
        let symbol = self.scoping.get_reference(name.reference_id.get()?).symbol_id()?;
        // Most names are not imported, and a flag costs less than a look into a table.
        let is_other = self.plan.is_renamed(symbol);
        is_other.then(|| self.linked.bindings[self.plan.index].get(&(symbol.index() as SymbolIndex)))?
    }

    /// The file of a worker in the output.
    fn worker_url(&self, literal: &StringLiteral<'a>) -> Option<String> {
        let linked = self.linked;
        if linked.worker_paths.is_empty() {
            return None;
        }
        let record = self.record(literal.span, &literal.value)?;
        let record = &linked.modules[self.plan.index].records[record];
        let RecordTarget::Module(target) = record.target else { return None };
        let path = linked.worker_paths.get(&target).filter(|_| record.kind == RecordKind::Worker)?;
        Some(chunk_files::url(linked, linked.chunk_of[self.plan.index]?, path))
    }

    /// The final name of a reference, if it is another one and trees have to have it.
    fn new_name(&self, reference: &IdentifierReference<'a>) -> Option<&'a str> {
        let symbol = self.scoping.get_reference(reference.reference_id.get()?).symbol_id()?;
        let is_other = self.linked.is_minified && self.plan.is_renamed(symbol);
        is_other.then(|| self.allocator.alloc_str(self.scoping.symbol_name(symbol)))
    }

    /// `{ name: name }` in place of `{ name }`.
    fn with_key(&self, short: AssignmentTargetPropertyIdentifier<'a>) -> AssignmentTargetProperty<'a> {
        let key = PropertyKey::new_static_identifier(short.span, short.binding.name, &self.ast);
        let target =
            AssignmentTarget::AssignmentTargetIdentifier(ArenaBox::new_in(short.binding, &self.allocator));
        let binding = match short.init {
            Some(init) => AssignmentTargetMaybeDefault::new_assignment_target_with_default(
                short.span, target, init, &self.ast,
            ),
            None => AssignmentTargetMaybeDefault::from(target),
        };
        let property = AssignmentTargetPropertyProperty::boxed(short.span, key, binding, false, &self.ast);
        AssignmentTargetProperty::AssignmentTargetPropertyProperty(property)
    }

    fn is_global(&self, expression: &Expression<'a>, name: &str) -> bool {
        matches!(expression, Expression::Identifier(found) if found.name == name && self.symbol_of(found).is_none())
    }

    fn record(&self, span: Span, specifier: &str) -> Option<usize> {
        self.records.get(&(span.start, specifier)).copied()
    }

    /// What `require(specifier)` is replaced by.
    fn required(&mut self, record: usize) -> Option<String> {
        let linked = self.linked;
        let record = &linked.modules[self.plan.index].records[record];
        let target = match record.target {
            RecordTarget::Module(target) => target,
            RecordTarget::External(index) => {
                let mut specifier = String::new();
                rusk_npm::json::quote_into(&mut specifier, &linked.externals[index].specifier);
                return Some(format!("{}({specifier})", self.require_name()));
            }
            RecordTarget::Unresolved => {
                let mut specifier = String::new();
                rusk_npm::json::quote_into(&mut specifier, &record.specifier);
                return Some(format!("{}({specifier})", self.require_name()));
            }
        };
        let name = |symbol| linked.name(SymbolRef::new(target, symbol));
        match linked.wraps[target] {
            Wrap::CommonJs => Some(format!("{}()", name(WRAPPER))),
            Wrap::Esm if linked.modules[target].exports.contains_key(REQUIRED_EXPORT) => {
                Some(format!("({}(), {})", name(WRAPPER), member(name(NAMESPACE), REQUIRED_EXPORT)))
            }
            Wrap::Esm => {
                self.helpers.add(RuntimeFunctions::TO_COMMON_JS);
                Some(format!("({}(), __toCommonJS({}))", name(WRAPPER), name(NAMESPACE)))
            }
            Wrap::None => None,
        }
    }

    fn require_name(&mut self) -> &'static str {
        match self.linked.format {
            ModuleFormat::CommonJs => "require",
            ModuleFormat::Esm | ModuleFormat::Iife => {
                self.helpers.add(RuntimeFunctions::REQUIRE);
                "__require"
            }
        }
    }

    /// What `import(specifier)` is replaced by.
    fn imported(&mut self, record: usize) -> Option<String> {
        let linked = self.linked;
        let module = &linked.modules[self.plan.index];
        let record = &module.records[record];
        let RecordTarget::Module(target) = record.target else { return None };
        if linked.is_split(record) {
            return self.imported_chunk(target);
        }
        let name = |symbol| linked.name(SymbolRef::new(target, symbol));
        Some(match linked.wraps[target] {
            Wrap::CommonJs => {
                self.helpers.add(RuntimeFunctions::TO_ESM);
                let mode = if module.is_node_mode { ", 1" } else { "" };
                format!("Promise.resolve().then(() => __toESM({}(){mode}))", name(WRAPPER))
            }
            Wrap::Esm if linked.is_async[target] => {
                format!("Promise.resolve().then(() => {}()).then(() => {})", name(WRAPPER), name(NAMESPACE))
            }
            Wrap::Esm => {
                format!("Promise.resolve().then(() => ({}(), {}))", name(WRAPPER), name(NAMESPACE))
            }
            Wrap::None => format!("Promise.resolve().then(() => {})", name(NAMESPACE)),
        })
    }

    /// The import of a chunk. That of a CommonJS module exports `module.exports` alone.
    fn imported_chunk(&mut self, target: ModuleIndex) -> Option<String> {
        let linked = self.linked;
        let (from, to) = (linked.chunk_of[self.plan.index]?, linked.entry_chunk(target)?);
        let mut text = "import(".to_owned();
        rusk_npm::json::quote_into(&mut text, &chunk_files::specifier(linked, from, to));
        text.push(')');
        if linked.wraps[target] == Wrap::CommonJs {
            self.helpers.add(RuntimeFunctions::TO_ESM);
            let mode = if linked.modules[self.plan.index].is_node_mode { ", 1" } else { "" };
            text.push_str(&format!(".then((module) => __toESM(module.default{mode}))"));
        } else if linked.exports_object(target) {
            text.push_str(&format!(".then((module) => module.{EXPORTED_OBJECT})"));
        }
        Some(text)
    }

    /// The text of a member of a namespace, if it is known.
    fn namespace_member(&self, expression: &Expression<'a>) -> Option<&Binding> {
        let Expression::StaticMemberExpression(found) = expression else { return None };
        let Expression::Identifier(object) = &found.object else { return None };
        // Most objects have none, and a key is a copy of the name.
        let symbol = self.symbol_of(object).filter(|symbol| self.objects.contains(symbol))?;
        self.linked.members[self.plan.index].get(&(symbol, found.property.name.to_string()))
    }

    /// The replacement of a callee whose `this` would change.
    fn callee(&self, callee: &Expression<'a>) -> Option<String> {
        let binding = match callee {
            Expression::Identifier(name) => self.binding_of(name)?,
            Expression::StaticMemberExpression(_) => self.namespace_member(callee)?,
            _ => return None,
        };
        match binding {
            Binding::Member(object, name) => {
                Some(format!("(0, {})", member(self.linked.name(*object), name)))
            }
            Binding::Symbol(_) | Binding::Constant(_) | Binding::Undefined => None,
        }
    }

    fn replacement(&mut self, expression: &Expression<'a>) -> Option<Expression<'a>> {
        let span = expression.span();
        match expression {
            Expression::CallExpression(call) => {
                let specifier = self.required_specifier(call)?;
                let record = self.record(span, specifier)?;
                let text = self.required(record)?;
                Some(self.call_text(span, &text))
            }
            Expression::BinaryExpression(comparison) => self.main_comparison(comparison),
            Expression::ImportExpression(import) => {
                let record = self.record(span, constant_text(&import.source)?)?;
                let text = self.imported(record)?;
                Some(self.call_text(span, &text))
            }
            Expression::StaticMemberExpression(found) => {
                if let Some(binding) = self.namespace_member(expression) {
                    return Some(self.text(span, &self.linked.text(binding)));
                }
                if let Some(is_main) = self.meta_main(found) {
                    return Some(is_main);
                }
                let is_helper = self.is_global(&found.object, HELPERS_OBJECT);
                is_helper.then(|| self.text(span, &function_name(&found.property.name)))
            }
            Expression::Identifier(name) if self.symbol_of(name).is_none() => self.global(name),
            Expression::Identifier(name) if self.linked.is_minified => match self.binding_of(name)? {
                Binding::Symbol(_) => None,
                binding => Some(self.text(span, &self.linked.text(binding))),
            },
            // ES modules have no `this`; the output's format may.
            Expression::ThisExpression(_)
                if self.this_scopes == 0 && self.linked.modules[self.plan.index].kind == ModuleKind::Esm =>
            {
                Some(self.text(span, "undefined"))
            }
            Expression::ImportMeta(_) if self.linked.format != ModuleFormat::Esm => {
                self.helpers.add(RuntimeFunctions::IMPORT_META);
                Some(self.text(span, "__import_meta"))
            }
            _ => None,
        }
    }

    fn global(&mut self, name: &IdentifierReference<'a>) -> Option<Expression<'a>> {
        let path = &self.linked.modules[self.plan.index].path;
        match name.name.as_str() {
            "require" if self.linked.format != ModuleFormat::CommonJs => {
                let text = self.require_name();
                Some(self.text(name.span, text))
            }
            "__filename" | "__dirname" if self.linked.format != ModuleFormat::CommonJs => {
                let path = if name.name == "__filename" { Some(path.as_path()) } else { path.parent() };
                let path = path.unwrap_or(std::path::Path::new("/")).to_string_lossy();
                let text = self.allocator.alloc_str(&path);
                Some(Expression::new_string_literal(name.span, text, None, &self.ast))
            }
            _ => None,
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

    fn required_specifier<'e>(&self, call: &'e CallExpression<'a>) -> Option<&'e str> {
        let is_require = self.is_require(&call.callee);
        let [argument] = call.arguments.as_slice() else { return None };
        constant_text(argument.as_expression()?).filter(|_| is_require)
    }
}

impl<'a> VisitMut<'a> for Rewriter<'_, 'a> {
    fn visit_expression(&mut self, expression: &mut Expression<'a>) {
        if let Some(choice) = self.split_choice(expression) {
            *expression = choice;
        }
        if let Some(lookup) = self.glob(expression) {
            *expression = lookup;
            return;
        }
        match self.replacement(expression) {
            Some(replacement) => *expression = replacement,
            None => walk_mut::walk_expression(self, expression),
        }
    }

    fn visit_function(&mut self, function: &mut Function<'a>, flags: ScopeFlags) {
        self.this_scopes += 1;
        walk_mut::walk_function(self, function, flags);
        self.this_scopes -= 1;
    }

    fn visit_class_body(&mut self, body: &mut ClassBody<'a>) {
        self.this_scopes += 1;
        walk_mut::walk_class_body(self, body);
        self.this_scopes -= 1;
    }

    fn visit_identifier_reference(&mut self, reference: &mut IdentifierReference<'a>) {
        if let Some(name) = self.new_name(reference) {
            reference.name = name.into();
        }
    }

    fn visit_binding_identifier(&mut self, binding: &mut BindingIdentifier<'a>) {
        let Some(symbol) = binding.symbol_id.get().filter(|_| self.linked.is_minified) else { return };
        if self.plan.is_renamed(symbol) {
            binding.name = self.allocator.alloc_str(self.scoping.symbol_name(symbol)).into();
        }
    }

    fn visit_string_literal(&mut self, literal: &mut StringLiteral<'a>) {
        if let Some(text) = self.worker_url(literal) {
            literal.value = self.allocator.alloc_str(&text).into();
            literal.raw = None;
        }
    }

    fn visit_assignment_target_property(&mut self, property: &mut AssignmentTargetProperty<'a>) {
        if let AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(short) = property
            && self.new_name(&short.binding).is_some()
        {
            *property = self.with_key(short.take_in(&self.allocator));
        }
        walk_mut::walk_assignment_target_property(self, property);
    }

    fn visit_call_expression(&mut self, call: &mut CallExpression<'a>) {
        let outer = std::mem::replace(&mut self.in_callee_of_new, false);
        if let Some(text) = self.callee(&call.callee) {
            call.callee = self.text(call.callee.span(), &text);
            self.visit_arguments(&mut call.arguments);
        } else {
            walk_mut::walk_call_expression(self, call);
        }
        self.in_callee_of_new = outer;
    }

    fn visit_tagged_template_expression(&mut self, template: &mut TaggedTemplateExpression<'a>) {
        if let Some(text) = self.callee(&template.tag) {
            template.tag = self.text(template.tag.span(), &text);
            self.visit_template_literal(&mut template.quasi);
        } else {
            walk_mut::walk_tagged_template_expression(self, template);
        }
    }

    fn visit_new_expression(&mut self, new: &mut NewExpression<'a>) {
        let outer = std::mem::replace(&mut self.in_callee_of_new, true);
        self.visit_expression(&mut new.callee);
        self.in_callee_of_new = false;
        self.visit_arguments(&mut new.arguments);
        self.in_callee_of_new = outer;
    }
}
