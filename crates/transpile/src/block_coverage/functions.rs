//! Counters of functions. In: functions, methods, the program. Out: their names and ranges, those
//! of V8's parser, with a counter at the beginning of each body. Absent: constructors that are not
//! written.

use oxc::ast::ast::{
    ArrowFunctionBody, ArrowFunctionExpression, Expression, Function, FunctionBody, MethodDefinition,
    MethodDefinitionKind, ObjectProperty, Program, PropertyKey, PropertyKind,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;

use super::positions::next_token;
use super::{BlockCounter, CountedFunction};

/// Words before the name of a member that V8's range is without, or that are gone where types are.
const MODIFIERS: [&str; 7] = ["static", "public", "private", "protected", "override", "readonly", "abstract"];

/// Whether an expression gets the name of what it is assigned to.
pub(super) fn is_named(expression: &Expression<'_>) -> bool {
    expression.is_function() || matches!(expression, Expression::ClassExpression(_))
}

impl<'a> BlockCounter<'_> {
    /// Begins a function; the expression that counts its calls.
    pub(super) fn open_function(&mut self, span: Span) -> String {
        let counter = self.new_counter();
        let name = self.name.take().unwrap_or_default();
        let start = self.function_start.take().unwrap_or(span.start);
        self.open.push(self.functions.len());
        self.functions.push(CountedFunction {
            name,
            start,
            end: span.end,
            counter,
            is_initializer: false,
            blocks: Vec::new(),
        });
        self.increment(counter)
    }

    pub(super) fn close_function(&mut self) {
        self.open.pop();
    }

    /// The program itself is a function without a name.
    pub(super) fn program(&mut self, program: &Program<'a>) {
        let count = self.open_function(Span::new(0, self.source.len() as u32));
        let hashbang = program.hashbang.as_ref().map_or(0, |hashbang| hashbang.span.end);
        match (program.directives.last(), program.body.first()) {
            (Some(directive), _) => self.insert(directive.span.end, format!(";{count};")),
            (None, Some(first)) => self.insert(first.span().start, format!("{count};")),
            (None, None) if hashbang == 0 => self.insert(0, format!("{count};")),
            (None, None) => {}
        }
        self.statements(&program.body);
        self.close_function();
    }

    pub(super) fn function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        let Some(body) = function.body.as_ref().filter(|_| !function.declare) else {
            (self.name, self.function_start) = (None, None);
            return;
        };
        if let Some(name) = &function.id {
            self.name = Some(name.name.to_string());
        }
        let count = self.open_function(function.span);
        self.count_body(body, &count);
        walk::walk_function(self, function, flags);
        self.close_function();
    }

    /// After the brace or the directives.
    fn count_body(&mut self, body: &FunctionBody<'a>, count: &str) {
        match body.directives.last() {
            Some(directive) => self.insert(directive.span.end, format!(";{count};")),
            None => self.insert(body.span.start + 1, format!("{count};")),
        }
    }

    pub(super) fn arrow_function(&mut self, function: &ArrowFunctionExpression<'a>) {
        let count = self.open_function(function.span);
        match &function.body {
            ArrowFunctionBody::FunctionBody(body) => {
                self.count_body(body, &count);
                walk::walk_arrow_function_expression(self, function);
            }
            body => {
                let span = body.span();
                self.insert(span.start, format!("({count},"));
                walk::walk_arrow_function_expression(self, function);
                self.insert(span.end, ")");
            }
        }
        self.close_function();
    }

    pub(super) fn method(&mut self, method: &MethodDefinition<'a>) {
        let decorators = method.decorators.last().map_or(method.span.start, |decorator| decorator.span.end);
        for decorator in &method.decorators {
            self.visit_decorator(decorator);
        }
        self.visit_property_key(&method.key);
        self.name = match method.kind {
            MethodDefinitionKind::Get => self.key_name(&method.key, method.computed, "get "),
            MethodDefinitionKind::Set => self.key_name(&method.key, method.computed, "set "),
            MethodDefinitionKind::Method => self.key_name(&method.key, method.computed, ""),
            MethodDefinitionKind::Constructor => self.class_name.clone(),
        };
        self.function_start = Some(self.after_modifiers(decorators, true));
        self.visit_function(&method.value, ScopeFlags::Function);
    }

    pub(super) fn object_property(&mut self, property: &ObjectProperty<'a>) {
        self.visit_property_key(&property.key);
        if property.shorthand {
            return;
        }
        let prefix = match property.kind {
            PropertyKind::Get => "get ",
            PropertyKind::Set => "set ",
            PropertyKind::Init => "",
        };
        if is_named(&property.value) {
            self.name = self.key_name(&property.key, property.computed, prefix);
            if property.method || property.kind != PropertyKind::Init {
                self.function_start = Some(property.span.start);
            }
        }
        self.visit_expression(&property.value);
        self.name = None;
    }

    /// V8 has no names for computed keys, not even for constant ones.
    pub(super) fn key_name(&self, key: &PropertyKey<'a>, is_computed: bool, prefix: &str) -> Option<String> {
        match key {
            _ if is_computed => None,
            PropertyKey::PrivateIdentifier(key) => Some(format!("{prefix}#{}", key.name)),
            key => key.static_name().map(|name| format!("{prefix}{name}")),
        }
    }

    /// `with_static`: that is a modifier, too.
    pub(super) fn after_modifiers(&self, from: u32, with_static: bool) -> u32 {
        let mut at = next_token(self.source, from);
        while let Some(bytes) = modifier(&self.source[at as usize..], with_static) {
            at = next_token(self.source, at + bytes);
        }
        at
    }
}

/// Length of the word with which a text begins, if it is a modifier before the name of a member.
fn modifier(text: &str, with_static: bool) -> Option<u32> {
    let is_name = |character: char| character.is_alphanumeric() || "_$".contains(character);
    let word = MODIFIERS.iter().find(|word| {
        let rest = text.strip_prefix(**word).filter(|rest| !rest.starts_with(is_name));
        let next = rest.and_then(|rest| rest.trim_start().chars().next());
        next.is_some_and(|next| is_name(next) || "#[*'\"".contains(next))
    })?;
    (with_static || *word != "static").then_some(word.len() as u32)
}
