//! Lowering of standard decorators and `accessor` fields, which the engine does not support, to
//! calls of helpers. In: a program. Out: edits. Every expression keeps its position, so that order,
//! scope and stack traces stay. The helpers are in `js/internal/decorators.js` of the runtime.
//! Absent: `experimentalDecorators` (`transform`).
//!
//! ```text
//! @a class C { b() { C } }   const $rd0=new $r.helpers.Decoration("C");$rd0.by([a]);
//!                            let C=({C:class {static{$rd0.define(this)} b() { $rd0.class } ;static{$rd0.finish()}}},$rd0.class);
//! x = @a class {}            x = ((($rd0=new $r.helpers.Decoration("x"),$rd0by=$rd0.by([a]))=>({x:class {…}},$rd0.class))())
//! @a static async b() {}     static[$rd0.named("static method",[a],"b")](){} static async b() {}
//! @a [b]() {}                [$rd0.key("method",[a],b)]() {}
//! @a x = 1                   [$rd0.key("field",[a],"x")]=$rd0.value(0,this,1);
//! @a #x = 1                  static[$rd0.hidden("field",[a],"#x",…)](){} #x=$rd0.value(0,this,1);
//! @a #b() {}                 static[$rd0.hidden("method",[a],"#b",…,"#b")](){} "#b"() {}get #b(){return $rd0.methods[0]}
//! accessor x = 1             get["x"](){return this.#$rs0_0}set["x"]($rv){this.#$rs0_0=$rv}#$rs0_0=1;
//! ```
//!
//! Static fields and blocks of a decorated class become methods that run after the class is
//! decorated, since `this` is then the class that the decorators returned.

mod binding;
mod body;
mod class;
mod keys;
mod member;
mod names;
mod suspends;

use std::collections::HashMap;

use oxc::allocator::ArenaVec;
use oxc::ast::ast::{
    AccessorProperty, ArrowFunctionExpression, AssignmentExpression, AssignmentPattern,
    AssignmentTargetPropertyIdentifier, AssignmentTargetWithDefault, Class, Declaration, Decorator,
    ExportDeclaration, ExportDefaultDeclaration, ExportDefaultDeclarationKind, FormalParameter, Function,
    ObjectProperty, Program, PropertyDefinition, Statement, VariableDeclarator,
};
use oxc::ast_visit::{Visit, walk};
use oxc::semantic::Scoping;
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;

use crate::edits::Edits;
use crate::syntax_error::Diagnostic;
use class::{Lowering, Site};

/// The settings for all classes of a program.
#[derive(Clone, Copy)]
pub(crate) struct LoweringContext<'s> {
    pub(crate) scoping: &'s Scoping,
    pub(crate) prefix: &'s str,
    /// The constructor of a class's state: `$r.helpers.Decoration`.
    pub(crate) decoration: &'s str,
    pub(crate) modules: Modules,
}

/// How `export` is handled.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Modules {
    /// `module::items` removes it.
    Lowered,
    Kept,
}

/// Error message for a decorated constructor.
pub(crate) const CONSTRUCTOR: &str = "A constructor cannot be decorated";

/// Whether a program contains decorators or accessors. In most sources each `@` is in a comment;
/// the tree is walked where it may be in a string.
pub(crate) fn may_contain_decorators(program: &Program<'_>, source: &str) -> bool {
    let comments = comments(program);
    let is_code = |at: usize| !is_within(&comments, at as u32);
    let bytes = source.as_bytes();
    let is_possible = memchr::memchr_iter(b'@', bytes).any(is_code)
        || memchr::memmem::find_iter(bytes, b"accessor").any(is_code);
    let mut found = DecoratorFinder(false);
    if is_possible {
        found.visit_program(program);
    }
    found.0
}

/// Whether a tree has what is lowered here.
struct DecoratorFinder(bool);

impl<'a> Visit<'a> for DecoratorFinder {
    fn visit_decorator(&mut self, _: &Decorator<'a>) {
        self.0 = true;
    }

    fn visit_accessor_property(&mut self, _: &AccessorProperty<'a>) {
        self.0 = true;
    }
}

fn comments(program: &Program<'_>) -> Vec<Span> {
    program.comments.iter().map(|comment| comment.span).collect()
}

fn is_within(comments: &[Span], at: u32) -> bool {
    let before = comments.partition_point(|comment| comment.start <= at);
    before.checked_sub(1).is_some_and(|comment| at < comments[comment].end)
}

/// Returns the number of classes that have a state, and syntax errors.
pub(crate) fn lower(
    program: &Program<'_>,
    context: LoweringContext<'_>,
    edits: &mut Edits<'_>,
) -> (usize, Vec<Diagnostic>) {
    let mut finder = ClassFinder {
        context,
        edits,
        comments: comments(program),
        names: HashMap::new(),
        export: None,
        statement: None,
        classes: 0,
        decorations: 0,
        diagnostics: Vec::new(),
    };
    finder.visit_program(program);
    (finder.decorations, finder.diagnostics)
}

/// Finds the classes and their names.
struct ClassFinder<'f, 'e> {
    context: LoweringContext<'f>,
    edits: &'f mut Edits<'e>,
    comments: Vec<Span>,
    /// Names of anonymous classes, by start offset: the variable or property that they are assigned
    /// to.
    names: HashMap<u32, String>,
    /// The export declaration of the next class declaration.
    export: Option<Site>,
    /// The enclosing statement of a statement list, within the same function.
    statement: Option<u32>,
    classes: usize,
    decorations: usize,
    diagnostics: Vec<Diagnostic>,
}

impl ClassFinder<'_, '_> {
    fn site(&mut self, class: &Class<'_>) -> Site {
        if class.is_declaration() {
            return self.export.take().unwrap_or(Site::Declaration);
        }
        Site::Expression { name: self.names.remove(&class.span.start), statement: self.statement }
    }

    /// Without the enclosing statement: the walked code is evaluated at another time.
    fn outside_statement(&mut self, walk: impl FnOnce(&mut Self)) {
        let statement = self.statement.take();
        walk(self);
        self.statement = statement;
    }
}

impl<'a> Visit<'a> for ClassFinder<'_, '_> {
    fn visit_class(&mut self, class: &Class<'a>) {
        let site = self.site(class);
        let members = member::read(&class.body);
        let is_plain = class.decorators.is_empty() && !members.iter().any(member::ClassMember::is_lowered);
        if !is_plain {
            let lowering = Lowering::new(self.context, self.edits, &self.comments, self.classes);
            self.decorations += usize::from(lowering.lower(class, &members, site, &mut self.diagnostics));
            self.classes += 1;
        }
        walk::walk_class(self, class);
    }

    fn visit_export_declaration(&mut self, export: &ExportDeclaration<'a>) {
        if let Declaration::ClassDeclaration(_) = &export.declaration {
            self.export = Some(Site::Export(export.span));
        }
        walk::walk_export_declaration(self, export);
    }

    fn visit_export_default_declaration(&mut self, export: &ExportDefaultDeclaration<'a>) {
        if let ExportDefaultDeclarationKind::ClassDeclaration(_) = &export.declaration {
            self.export = Some(Site::Default(export.span));
        }
        walk::walk_export_default_declaration(self, export);
    }

    fn visit_statements(&mut self, statements: &ArenaVec<'a, Statement<'a>>) {
        let outer = self.statement;
        for statement in statements {
            self.statement = Some(statement.span().start);
            self.visit_statement(statement);
        }
        self.statement = outer;
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        self.outside_statement(|finder| walk::walk_function(finder, function, flags));
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.outside_statement(|finder| walk::walk_arrow_function_expression(finder, arrow));
    }

    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        self.names.extend(names::of_declarator(declarator));
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_formal_parameter(&mut self, parameter: &FormalParameter<'a>) {
        self.names.extend(names::of_parameter(parameter));
        walk::walk_formal_parameter(self, parameter);
    }

    fn visit_assignment_pattern(&mut self, pattern: &AssignmentPattern<'a>) {
        self.names.extend(names::of_pattern(pattern));
        walk::walk_assignment_pattern(self, pattern);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        self.names.extend(names::of_assignment(assignment));
        walk::walk_assignment_expression(self, assignment);
    }

    fn visit_assignment_target_with_default(&mut self, target: &AssignmentTargetWithDefault<'a>) {
        self.names.extend(names::of_target(target));
        walk::walk_assignment_target_with_default(self, target);
    }

    fn visit_assignment_target_property_identifier(
        &mut self,
        target: &AssignmentTargetPropertyIdentifier<'a>,
    ) {
        self.names.extend(names::of_shorthand(target));
        walk::walk_assignment_target_property_identifier(self, target);
    }

    fn visit_object_property(&mut self, property: &ObjectProperty<'a>) {
        self.names.extend(names::of_property(property));
        walk::walk_object_property(self, property);
    }

    fn visit_property_definition(&mut self, field: &PropertyDefinition<'a>) {
        self.names.extend(names::of_field(&field.key, field.value.as_ref()));
        self.outside_statement(|finder| walk::walk_property_definition(finder, field));
    }

    fn visit_accessor_property(&mut self, accessor: &AccessorProperty<'a>) {
        self.names.extend(names::of_field(&accessor.key, accessor.value.as_ref()));
        self.outside_statement(|finder| walk::walk_accessor_property(finder, accessor));
    }
}

#[cfg(test)]
mod tests;
