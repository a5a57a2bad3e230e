//! Lowering of one decorated class: the code before, around and after it. In: the class and its
//! context. Out: edits. Absent: its members (`body`).

use std::collections::HashSet;

use oxc::ast::ast::{BindingIdentifier, Class, Decorator, Expression};
use oxc::span::{GetSpan, Span};

use super::member::ClassMember;
use super::suspends::suspends;
use super::{LoweringContext, Modules, binding, is_within};
use crate::edits::Edits;
use crate::names;
use crate::syntax_error::Diagnostic;

/// The syntactic context of a class.
pub(super) enum Site {
    Declaration,
    /// Exported by this `export`.
    Export(Span),
    /// Exported by this `export default`.
    Default(Span),
    Expression {
        /// The variable or property that it is assigned to.
        name: Option<String>,
        /// Start of the enclosing statement.
        statement: Option<u32>,
    },
}

/// Lowers one class.
pub(super) struct Lowering<'l, 'e> {
    pub(super) context: LoweringContext<'l>,
    pub(super) edits: &'l mut Edits<'e>,
    comments: &'l [Span],
    /// Its index among the lowered classes of the file.
    pub(super) number: usize,
    /// The variable that holds the class's state.
    pub(super) state: String,
    pub(super) has_state: bool,
    /// The class itself has decorators, which may replace it.
    pub(super) is_decorated: bool,
    /// Number of members that were registered with the state.
    pub(super) registered: usize,
    /// Initializers to run for an instance before its next field.
    pub(super) pending: Option<String>,
    /// Number of generated private names.
    pub(super) hidden: usize,
    /// Keys of public members.
    pub(super) taken: HashSet<String>,
}

impl<'l, 'e> Lowering<'l, 'e> {
    pub(super) fn new(
        context: LoweringContext<'l>,
        edits: &'l mut Edits<'e>,
        comments: &'l [Span],
        number: usize,
    ) -> Self {
        let state = format!("{}d{number}", context.prefix);
        Lowering {
            context,
            edits,
            comments,
            number,
            state,
            has_state: false,
            is_decorated: false,
            registered: 0,
            pending: None,
            hidden: 0,
            taken: HashSet::new(),
        }
    }

    /// Returns whether the class has a state.
    pub(super) fn lower(
        mut self,
        class: &Class<'_>,
        members: &[ClassMember<'_, '_>],
        site: Site,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> bool {
        self.is_decorated = !class.decorators.is_empty();
        self.has_state = self.is_decorated || members.iter().any(ClassMember::needs_state);
        if self.has_state {
            match (site, &class.id) {
                (Site::Declaration, Some(id)) => self.declaration(class, id, class.span),
                (Site::Export(export), Some(id)) => self.exported(class, id, export),
                (Site::Default(export), Some(id)) => self.exported_as_default(class, id, export),
                (Site::Default(export), None) => self.anonymous_default(class, export, diagnostics),
                (Site::Expression { name, statement }, _) => {
                    self.expression(class, name, statement, diagnostics)
                }
                // A declared class has a name.
                (Site::Declaration | Site::Export(_), None) => {}
            }
        }
        if self.is_decorated {
            binding::redirect(class, members, &self.state, self.context.scoping, self.edits);
        }
        self.body(&class.body, members, diagnostics);
        self.has_state
    }

    /// Statements before a class: `around` is the class, or its export declaration.
    fn statements(&mut self, class: &Class<'_>, name: &str, around: Span) {
        let begin = format!("const {}={};", self.state, self.begin(name));
        match class.decorators.first() {
            Some(_) => {
                let by = format!("{begin}{}.by([", self.state);
                self.list(&class.decorators, &by, "]);");
            }
            None => self.edits.open(around, begin),
        }
    }

    fn declaration(&mut self, class: &Class<'_>, id: &BindingIdentifier<'_>, around: Span) {
        self.statements(class, &id.name, around);
        if self.is_decorated {
            self.bind(class, id, "");
        }
    }

    /// The class declaration becomes a variable declaration.
    fn bind(&mut self, class: &Class<'_>, id: &BindingIdentifier<'_>, export: &str) {
        self.edits.open(self.keyword(class), format!("{export}let {}=({{{}:", id.name, key(&id.name)));
        self.edits.blank(id.span.start..id.span.end);
        self.edits.close(class.span, format!("}},{}.class);", self.state));
    }

    fn exported(&mut self, class: &Class<'_>, id: &BindingIdentifier<'_>, export: Span) {
        self.statements(class, &id.name, export);
        if !self.is_decorated {
            return;
        }
        let is_kept = self.context.modules == Modules::Kept;
        self.bind(class, id, if is_kept { "export " } else { "" });
        if is_kept {
            self.edits.blank(export.start..export.start + "export".len() as u32);
        }
    }

    fn exported_as_default(&mut self, class: &Class<'_>, id: &BindingIdentifier<'_>, export: Span) {
        self.declaration(class, id, export);
        if self.is_decorated && self.context.modules == Modules::Kept {
            self.edits.blank(export.start..class.span.start);
            self.edits.close(export, format!("export{{{} as default}};", id.name));
        }
    }

    fn anonymous_default(&mut self, class: &Class<'_>, export: Span, diagnostics: &mut Vec<Diagnostic>) {
        if class.decorators.first().is_some_and(|first| first.span.start < export.start) {
            self.statements(class, "default", export);
            self.around(class, "default");
        } else {
            self.expression(class, Some("default".to_owned()), Some(export.start), diagnostics);
        }
        if self.context.modules == Modules::Kept {
            self.edits.close(export, ";");
        }
    }

    fn expression(
        &mut self,
        class: &Class<'_>,
        name: Option<String>,
        statement: Option<u32>,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        let name = class.id.as_ref().map(|id| id.name.to_string()).or(name).unwrap_or_default();
        let state = self.state.clone();
        let begin = self.begin(&name);
        let (open, by, after, close) = match (suspends(class), statement) {
            (false, _) => (format!("((({state}={begin}"), format!(",{state}by={state}.by(["), ")=>", ")())"),
            (true, Some(statement)) => {
                self.edits.open(Span::new(statement, class.span.end), format!("let {state};"));
                (format!("({state}={begin}"), format!(",{state}.by(["), ",", ")")
            }
            (true, None) => {
                let message = "A class with decorators that awaits or yields wants a block around it";
                diagnostics.push(Diagnostic::new(message, class.span));
                return;
            }
        };
        match class.decorators.first() {
            Some(_) => self.list(&class.decorators, &(open + &by), &format!("]){after}")),
            None => self.edits.open(class.span, open + after),
        }
        self.edits.close(class.span, close);
        self.around(class, &name);
    }

    /// Wraps a class so that it has its name, and evaluates to the decorated class.
    fn around(&mut self, class: &Class<'_>, name: &str) {
        let keyword = self.keyword(class);
        if self.is_decorated {
            self.edits.open(keyword, format!("({{{}:", key(name)));
            if let Some(id) = &class.id {
                self.edits.blank(id.span.start..id.span.end);
            }
            self.edits.close(class.span, format!("}},{}.class)", self.state));
        } else if class.id.is_none() && !name.is_empty() {
            self.edits.open(keyword, format!("({{{}:", key(name)));
            self.edits.close(class.span, format!("}}{})", read(name)));
        }
    }

    fn begin(&self, name: &str) -> String {
        format!("new {}({})", self.context.decoration, names::quoted(name))
    }

    /// From the keyword `class` to the end of the class.
    fn keyword(&self, class: &Class<'_>) -> Span {
        let last = class.decorators.last().map_or(0, |last| last.span.end);
        let from = class.span.start.max(last);
        let text = &self.edits.source().as_bytes()[from as usize..class.body.span.start as usize];
        let mut found = memchr::memmem::find_iter(text, b"class").map(|at| from + at as u32);
        let start = found.find(|at| !is_within(self.comments, *at)).unwrap_or(from);
        Span::new(start, class.span.end)
    }

    /// Decorators become an array: `before` is inserted before the first, `after` after the last.
    pub(super) fn list(&mut self, decorators: &[Decorator<'_>], before: &str, after: &str) {
        for (index, decorator) in decorators.iter().enumerate() {
            let Span { start, .. } = decorator.span;
            self.edits.replace(start..start + 1, if index == 0 { before } else { "," });
            self.keep_receiver(decorator.expression.without_parentheses());
        }
        if let Some(last) = decorators.last() {
            self.edits.close(last.span, after);
        }
    }

    /// A decorator that is a member expression is called as a method.
    fn keep_receiver(&mut self, decorator: &Expression<'_>) {
        let span = decorator.span();
        match decorator {
            Expression::StaticMemberExpression(member) if !is_super(&member.object) => {
                self.edits.open(span, format!("{}.of(", self.state));
                let name = names::quoted(&member.property.name);
                self.edits.replace(member.object.span().end..span.end, format!(",{name})"));
            }
            Expression::ComputedMemberExpression(member) if !is_super(&member.object) => {
                let inner = member.expression.span();
                self.edits.open(span, format!("{}.of(", self.state));
                self.edits.replace(member.object.span().end..inner.start, ",(");
                self.edits.replace(inner.end..span.end, "))");
            }
            Expression::PrivateFieldExpression(member) => {
                let state = &self.state;
                self.edits.open(span, format!("{state}.bound({state}.receiver=("));
                let name = &member.field.name;
                let end = format!("),{state}.receiver.#{name})");
                self.edits.replace(member.object.span().end..span.end, end);
            }
            _ => {}
        }
    }
}

fn is_super(object: &Expression<'_>) -> bool {
    matches!(object, Expression::Super(_))
}

/// The property key that names the class. The engine sets the name inside a class only if the key
/// is not computed.
pub(super) fn key(name: &str) -> String {
    if name == "__proto__" { format!("[{}]", names::quoted(name)) } else { names::key(name) }
}

/// The member access for such a key.
pub(super) fn read(name: &str) -> String {
    names::member(name)
}
