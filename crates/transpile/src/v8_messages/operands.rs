//! Errors of destructuring, iteration, spreading and calls. In: a program, the error's offset. Out:
//! V8's message. Absent: messages that depend on the value alone.

use oxc::ast::ast::{
    Argument, ArrayExpression, ArrowFunctionExpression, AssignmentExpression, AssignmentTarget,
    AssignmentTargetProperty, BindingPattern, CallExpression, ChainElement, Expression, ForOfStatement,
    FormalParameters, Function, FunctionBody, MemberExpression, NewExpression, ObjectAssignmentTarget,
    ObjectPattern, Program, PropertyKey, SimpleAssignmentTarget, TaggedTemplateExpression, UnaryOperator,
    VariableDeclarator,
};
use oxc::ast_visit::{Visit, walk};
use oxc::span::{GetSpan, Span};
use oxc::syntax::scope::ScopeFlags;

use super::{EngineErrorKind, NullishUse, call_printer, print};

/// The operation of a quoted expression.
pub(super) fn nullish_use(expression: &Expression<'_>) -> NullishUse {
    match expression {
        Expression::ParenthesizedExpression(inner) => nullish_use(&inner.expression),
        Expression::StaticMemberExpression(member) => NullishUse::Get(Some(member.property.name.to_string())),
        Expression::ComputedMemberExpression(member) => NullishUse::Get(literal(&member.expression)),
        Expression::ChainExpression(chain) => match &chain.expression {
            ChainElement::StaticMemberExpression(member) => {
                NullishUse::Get(Some(member.property.name.to_string()))
            }
            ChainElement::ComputedMemberExpression(member) => NullishUse::Get(literal(&member.expression)),
            _ => NullishUse::Call,
        },
        Expression::CallExpression(_) => NullishUse::Call,
        Expression::NewExpression(new) => nullish_use(&new.callee),
        Expression::UnaryExpression(unary) if unary.operator == UnaryOperator::Delete => NullishUse::Delete,
        Expression::AssignmentExpression(assignment) => match assignment.left.as_simple_assignment_target() {
            Some(SimpleAssignmentTarget::StaticMemberExpression(member)) => {
                NullishUse::Set(Some(member.property.name.to_string()))
            }
            Some(SimpleAssignmentTarget::ComputedMemberExpression(member)) => {
                NullishUse::Set(literal(&member.expression))
            }
            _ => NullishUse::Other,
        },
        _ => NullishUse::Other,
    }
}

fn literal(key: &Expression<'_>) -> Option<String> {
    match key {
        Expression::StringLiteral(text) => Some(text.value.to_string()),
        Expression::NumericLiteral(number) => Some(number.value.to_string()),
        _ => None,
    }
}

pub(super) fn find(program: &Program<'_>, source: &str, at: u32, kind: EngineErrorKind) -> Option<String> {
    let mut finder = OperandFinder {
        source,
        at,
        kind,
        found: None,
        is_parameter: false,
        functions: Vec::new(),
        inside: Vec::new(),
        local: Vec::new(),
        is_in_parameters: false,
        parameters: Vec::new(),
        destructuring: Vec::new(),
        recorded: Vec::new(),
    };
    finder.visit_program(program);
    finder.answer()
}

struct OperandFinder<'s> {
    source: &'s str,
    at: u32,
    kind: EngineErrorKind,
    /// The smallest matching node so far: its length, and its message.
    found: Option<(u32, Option<String>)>,
    /// That node is a parameter list: the offset may also be that of the whole function.
    is_parameter: bool,
    /// All functions, and the enclosing ones.
    functions: Vec<Span>,
    inside: Vec<Span>,
    /// Uses of local variables, which have no position in the engine: the function, the offset, the
    /// message.
    local: Vec<(Option<Span>, u32, Option<String>)>,
    /// The visitor is in a parameter list.
    is_in_parameters: bool,
    /// Arrow functions that destructure parameters, with the message.
    parameters: Vec<(Span, Option<String>)>,
    /// Functions that destructure other values.
    destructuring: Vec<Option<Span>>,
    /// Offsets of nodes that have a position in the engine, with their function.
    recorded: Vec<(Option<Span>, u32)>,
}

impl OperandFinder<'_> {
    /// The message for the offset; else for the only use after it, up to the engine's next
    /// position.
    fn answer(mut self) -> Option<String> {
        let around = self.functions.iter().filter(|span| span.start <= self.at && self.at < span.end);
        let here = around.min_by_key(|span| span.end - span.start).copied();
        let next = self.recorded.iter().filter(|(function, start)| *function == here && *start >= self.at);
        let next = next.map(|(_, start)| *start).min().unwrap_or(u32::MAX);
        let is_next =
            |function: &Option<Span>, start: u32| *function == here && (self.at..next).contains(&start);
        self.local.retain(|(function, start, _)| is_next(function, *start));
        // In an arrow function that destructures its parameters, the engine's position is the first
        // one of its body, whatever that is, or the end.
        let is_here = |arrow: &Span| Some(*arrow) == here || arrow.end == self.at;
        let of_here = self.parameters.iter_mut().rfind(|(arrow, _)| is_here(arrow));
        if let (Some((arrow, message)), false) = (of_here, self.is_parameter) {
            return message.take().filter(|_| !self.destructuring.contains(&Some(*arrow)));
        }
        match (self.found, self.local.as_mut_slice()) {
            (Some((_, message)), []) => message,
            (Some((_, message)), _) if !self.is_parameter => message,
            (None, [(_, _, message)]) => message.take(),
            _ => None,
        }
    }

    fn note_local(&mut self, value: &Expression<'_>, message: Option<String>) {
        let is_local =
            matches!(value.without_parentheses(), Expression::Identifier(_) | Expression::NullLiteral(_));
        if is_local {
            self.local.push((self.inside.last().copied(), value.span().start, message));
        }
    }

    fn record_position(&mut self, start: u32) {
        self.recorded.push((self.inside.last().copied(), start));
    }

    fn note(&mut self, span: Span, message: impl FnOnce() -> Option<String>) {
        let bytes = span.end - span.start;
        if self.found.as_ref().is_none_or(|(smallest, _)| bytes <= *smallest) {
            self.found = Some((bytes, message()));
        }
    }

    /// Whether the engine may report this offset for a value: within it, or right after it.
    fn is_in(&self, span: Span) -> bool {
        (span.start..=span.end).contains(&self.at)
    }

    fn destructured(&self, first: FirstBinding, value: Option<&Expression<'_>>) -> Option<String> {
        let (shown, kind) = match value.map(|value| value.without_parentheses()) {
            None => ("a parameter".to_owned(), UNDEFINED_OR_NULL),
            Some(Expression::NullLiteral(_)) => ("'null'".to_owned(), "null"),
            Some(value) => (format!("'{}'", print(value, self.source)?), UNDEFINED_OR_NULL),
        };
        match first {
            FirstBinding::Key(key) => {
                Some(format!("Cannot destructure property '{key}' of {shown} as it is {kind}."))
            }
            FirstBinding::None => Some(format!("Cannot destructure {shown} as it is {kind}.")),
            FirstBinding::Read(key) => Some(format!("Cannot read properties of {kind} (reading '{key}')")),
            FirstBinding::Open => None,
        }
    }

    /// The message for a destructured parameter, if there is only one.
    fn parameters_destructured(&self, parameters: &FormalParameters<'_>) -> Option<Option<String>> {
        let mut objects = parameters.items.iter().filter_map(|one| match &one.pattern {
            BindingPattern::ObjectPattern(pattern) => Some(pattern),
            _ => None,
        });
        let first = objects.next()?;
        let is_one = objects.next().is_none();
        Some(is_one.then(|| self.destructured(FirstBinding::of_pattern(first), None)).flatten())
    }

    /// V8's `X is not iterable`.
    fn not_iterable(&self, value: &Expression<'_>) -> Option<String> {
        match value.without_parentheses() {
            Expression::CallExpression(call) => {
                let callee = print(&call.callee, self.source)?;
                Some(format!("{callee} is not a function or its return value is not iterable"))
            }
            Expression::NewExpression(new) => {
                let callee = print(&new.callee, self.source)?;
                Some(format!("{callee} is not a function or its return value is not iterable"))
            }
            value => Some(format!("{} is not iterable", print(value, self.source)?)),
        }
    }

    fn spread(&mut self, value: &Expression<'_>, is_call: bool) {
        let EngineErrorKind::NotSpreadable { is_nullish } = self.kind else { return };
        let span = value.span();
        let message = match (is_call, is_nullish) {
            (false, _) => self.not_iterable(value),
            (true, false) => None,
            (true, true) => {
                let shown = print(value, self.source);
                let kind =
                    if matches!(value, Expression::NullLiteral(_)) { "null" } else { UNDEFINED_OR_NULL };
                shown.map(|shown| format!("{shown} is not iterable (cannot read property {kind})"))
            }
        };
        self.note_local(value, message.clone());
        if self.is_in(span) {
            self.note(span, || message);
        }
    }

    fn called(&mut self, callee: &Expression<'_>, span: Span, expected: &str) {
        if self.kind == EngineErrorKind::NotCallable
            && (callee.span().end == self.at || span.start == self.at)
        {
            let message = print(callee, self.source).map(|shown| format!("{shown} is not a {expected}"));
            self.note(span, || message);
        }
    }
}

/// The engine does not report which, nor does V8.
const UNDEFINED_OR_NULL: &str = "undefined or null";

/// The first property of a pattern.
enum FirstBinding {
    Key(String),
    /// A property whose value V8 reads before it checks the object.
    Read(String),
    /// No property with a static name.
    None,
    /// A nested pattern, which may be what failed.
    Open,
}

impl FirstBinding {
    fn of_pattern(pattern: &ObjectPattern<'_>) -> FirstBinding {
        let nests = pattern.properties.iter().any(|property| match &property.value {
            BindingPattern::ObjectPattern(_) => true,
            BindingPattern::AssignmentPattern(inner) => {
                matches!(inner.left, BindingPattern::ObjectPattern(_))
            }
            _ => false,
        });
        let Some(first) = pattern.properties.first() else { return FirstBinding::None };
        if nests {
            return FirstBinding::Open;
        }
        match key_of(&first.key, first.computed) {
            None => FirstBinding::None,
            Some(key) if matches!(first.value, BindingPattern::AssignmentPattern(_)) => {
                FirstBinding::Read(key)
            }
            Some(key) => FirstBinding::Key(key),
        }
    }

    fn of_target(target: &AssignmentTarget<'_>) -> Option<FirstBinding> {
        let AssignmentTarget::ObjectAssignmentTarget(target) = target else { return None };
        Some(match target.properties.first() {
            None => FirstBinding::None,
            Some(AssignmentTargetProperty::AssignmentTargetPropertyIdentifier(first)) => {
                let key = first.binding.name.to_string();
                if first.init.is_some() { FirstBinding::Read(key) } else { FirstBinding::Key(key) }
            }
            Some(AssignmentTargetProperty::AssignmentTargetPropertyProperty(_)) => FirstBinding::Open,
        })
    }
}

fn key_of(key: &PropertyKey<'_>, is_computed: bool) -> Option<String> {
    if is_computed { None } else { key.static_name().map(|name| name.into_owned()) }
}

impl<'a> Visit<'a> for OperandFinder<'_> {
    fn visit_variable_declarator(&mut self, declarator: &VariableDeclarator<'a>) {
        if let Some(init) = &declarator.init {
            if let (BindingPattern::ObjectPattern(pattern), EngineErrorKind::NotDestructurable) =
                (&declarator.id, self.kind)
            {
                let message = self.destructured(FirstBinding::of_pattern(pattern), Some(init));
                self.note_local(init, message);
            }
            match (&declarator.id, self.kind) {
                (BindingPattern::ObjectPattern(pattern), EngineErrorKind::NotDestructurable)
                    if self.is_in(init.span()) =>
                {
                    let message = self.destructured(FirstBinding::of_pattern(pattern), Some(init));
                    self.note(init.span(), || message);
                }
                (BindingPattern::ArrayPattern(pattern), EngineErrorKind::NotIterable(_))
                    if self.is_in(init.span()) || pattern.span.start == self.at =>
                {
                    let message = self.not_iterable(init);
                    self.note(init.span(), || message);
                }
                _ => {}
            }
        }
        walk::walk_variable_declarator(self, declarator);
    }

    fn visit_assignment_expression(&mut self, assignment: &AssignmentExpression<'a>) {
        let right = assignment.right.span();
        if let (EngineErrorKind::NotDestructurable, Some(first)) =
            (self.kind, FirstBinding::of_target(&assignment.left))
        {
            let message = self.destructured(first, Some(&assignment.right));
            self.note_local(&assignment.right, message);
        }
        if self.kind == EngineErrorKind::NotDestructurable
            && self.is_in(right)
            && let Some(first) = FirstBinding::of_target(&assignment.left)
        {
            let message = self.destructured(first, Some(&assignment.right));
            self.note(right, || message);
        }
        if let (AssignmentTarget::ArrayAssignmentTarget(target), EngineErrorKind::NotIterable(kind)) =
            (&assignment.left, self.kind)
            && (self.is_in(right) || target.span.start == self.at)
        {
            self.note(right, || kind.map(not_iterable_symbol));
        }
        walk::walk_assignment_expression(self, assignment);
    }

    fn visit_formal_parameters(&mut self, parameters: &FormalParameters<'a>) {
        let mut patterns = parameters.items.iter().map(|one| &one.pattern);
        match self.kind {
            // The engine's position is the start of the parameter list, or that of the arrow
            // function.
            EngineErrorKind::NotDestructurable if parameters.span.start == self.at => {
                if let Some(message) = self.parameters_destructured(parameters) {
                    self.is_parameter = true;
                    self.note(parameters.span, || message);
                }
            }
            EngineErrorKind::NotIterable(kind)
                if patterns.any(|pattern| {
                    matches!(pattern, BindingPattern::ArrayPattern(_)) && pattern.span().start == self.at
                }) =>
            {
                self.note(parameters.span, || kind.map(not_iterable_symbol));
            }
            _ => {}
        }
        let around = std::mem::replace(&mut self.is_in_parameters, true);
        walk::walk_formal_parameters(self, parameters);
        self.is_in_parameters = around;
    }

    fn visit_function_body(&mut self, body: &FunctionBody<'a>) {
        let around = std::mem::replace(&mut self.is_in_parameters, false);
        walk::walk_function_body(self, body);
        self.is_in_parameters = around;
    }

    fn visit_object_pattern(&mut self, pattern: &ObjectPattern<'a>) {
        if !self.is_in_parameters {
            self.destructuring.push(self.inside.last().copied());
        }
        walk::walk_object_pattern(self, pattern);
    }

    fn visit_object_assignment_target(&mut self, target: &ObjectAssignmentTarget<'a>) {
        self.destructuring.push(self.inside.last().copied());
        walk::walk_object_assignment_target(self, target);
    }

    fn visit_for_of_statement(&mut self, statement: &ForOfStatement<'a>) {
        let value = statement.right.span();
        self.record_position(statement.span.start);
        if matches!(self.kind, EngineErrorKind::NotIterable(_))
            && (statement.left.span().end..=value.end).contains(&self.at)
        {
            let message = self.not_iterable(&statement.right);
            let message = match statement.r#await {
                true => message.map(|message| message.replace(" is not iterable", " is not async iterable")),
                false => message,
            };
            self.note(Span::new(statement.left.span().end, value.end), || message);
        }
        walk::walk_for_of_statement(self, statement);
    }

    fn visit_yield_expression(&mut self, expression: &oxc::ast::ast::YieldExpression<'a>) {
        if let (true, Some(value), EngineErrorKind::NotIterable(kind)) =
            (expression.delegate, &expression.argument, self.kind)
            && self.is_in(value.span())
        {
            self.note(value.span(), || kind.map(not_iterable_symbol));
        }
        walk::walk_yield_expression(self, expression);
    }

    fn visit_array_expression(&mut self, array: &ArrayExpression<'a>) {
        for element in &array.elements {
            if let oxc::ast::ast::ArrayExpressionElement::SpreadElement(element) = element {
                self.spread(&element.argument, false);
            }
        }
        walk::walk_array_expression(self, array);
    }

    fn visit_arguments(&mut self, arguments: &oxc::allocator::Vec<'a, Argument<'a>>) {
        for value in arguments.iter().filter_map(call_printer::spread) {
            self.spread(value, true);
        }
        walk::walk_arguments(self, arguments);
    }

    fn visit_function(&mut self, function: &Function<'a>, flags: ScopeFlags) {
        let span = Span::new(function.params.span.start, function.span.end);
        self.functions.push(span);
        self.inside.push(span);
        walk::walk_function(self, function, flags);
        self.inside.pop();
    }

    fn visit_arrow_function_expression(&mut self, arrow: &ArrowFunctionExpression<'a>) {
        self.functions.push(arrow.span);
        if self.kind == EngineErrorKind::NotDestructurable
            && let Some(message) = self.parameters_destructured(&arrow.params)
        {
            self.parameters.push((arrow.span, message));
        }
        self.inside.push(arrow.span);
        walk::walk_arrow_function_expression(self, arrow);
        self.inside.pop();
    }

    fn visit_member_expression(&mut self, member: &MemberExpression<'a>) {
        self.record_position(member.span().start);
        walk::walk_member_expression(self, member);
    }

    fn visit_call_expression(&mut self, call: &CallExpression<'a>) {
        self.record_position(call.span.start);
        self.called(&call.callee, Span::new(call.callee.span().end, call.span.end), "function");
        walk::walk_call_expression(self, call);
    }

    fn visit_tagged_template_expression(&mut self, template: &TaggedTemplateExpression<'a>) {
        self.record_position(template.span.start);
        self.called(&template.tag, Span::new(template.tag.span().end, template.span.end), "function");
        walk::walk_tagged_template_expression(self, template);
    }

    fn visit_new_expression(&mut self, new: &NewExpression<'a>) {
        self.record_position(new.span.start);
        self.called(&new.callee, new.span, "constructor");
        walk::walk_new_expression(self, new);
    }
}

/// V8's message for a value that is not in the source text.
fn not_iterable_symbol(kind: &str) -> String {
    let shown = if kind == "null" { "object null" } else { kind };
    format!("{shown} is not iterable (cannot read property Symbol(Symbol.iterator))")
}
