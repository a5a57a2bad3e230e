//! Exceptions: values thrown by JavaScript, or by Rust into JavaScript. In: any value. Out:
//! message, stack and source position. Absent: how an uncaught one is printed.

use crate::engine::symbols;
use crate::object::Function;
use crate::root::Root;
use crate::scope::Scope;
use crate::value::Value;

/// A thrown value: usually an `Error`, but anything can be thrown. A callback that returns it
/// rethrows it.
#[derive(Clone, Copy, Debug)]
pub struct Exception<'s>(Value<'s>);

/// The source position in an error's own properties.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub url: String,
    /// From 1.
    pub line: u32,
    /// From 1, in UTF-16 units. A syntax error has none.
    pub column: Option<u32>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    Error,
    Type,
    Range,
    Syntax,
}

impl<'s> Exception<'s> {
    /// An error with a message, of the VM's first context.
    pub fn new(scope: &'s Scope, kind: ErrorKind, message: &str) -> Exception<'s> {
        let message = scope.string(message);
        let constructor = scope.shared().constructors.borrow().as_ref().and_then(|constructors| {
            let constructor = match kind {
                ErrorKind::Type => &constructors.type_error,
                ErrorKind::Range => &constructors.range_error,
                ErrorKind::Syntax => &constructors.syntax_error,
                ErrorKind::Error => return None,
            };
            constructor.value(scope).as_function(scope)
        });
        let made = match constructor {
            Some(constructor) => constructor.construct(scope, &[message]).map(Value::from),
            None => scope
                .check(|thrown| {
                    // SAFETY: one value of this VM, under its lock.
                    unsafe {
                        let message = message.raw();
                        (symbols().JSObjectMakeError)(scope.context(), 1, &raw const message, thrown)
                    }
                })
                .map(|error| scope.retain(error)),
        };
        // An exception during the construction (stack overflow) is thrown instead.
        made.map_or_else(|thrown| thrown, Exception)
    }

    pub fn value(self) -> Value<'s> {
        self.0
    }

    /// `String(value)`: name and message of an error. Empty if that throws.
    pub fn message(self, scope: &Scope) -> String {
        self.0.to_rust_string(scope).unwrap_or_default()
    }

    /// The stack: by default the engine's, a call per line, `name@url:line:column`.
    pub fn stack(self, scope: &Scope) -> Option<String> {
        scope.shared().stacks.without_hook(|| self.property(scope, "stack"))?.to_rust_string(scope).ok()
    }

    pub fn position(self, scope: &Scope) -> Option<Position> {
        let number = |name| {
            let number = self.property(scope, name)?.to_number(scope).ok()?;
            (1.0..=f64::from(u32::MAX)).contains(&number).then_some(number as u32)
        };
        let url = self.property(scope, "sourceURL")?.to_rust_string(scope).ok()?;
        Some(Position { url, line: number("line")?, column: number("column") })
    }

    /// The property, if it exists; exceptions of a getter are ignored.
    fn property<'r>(self, scope: &'r Scope, name: &str) -> Option<Value<'r>> {
        let value = self.0.as_object(scope)?.property(scope, name).ok()?;
        (!value.is_undefined(scope)).then_some(value)
    }
}

impl<'s> From<Value<'s>> for Exception<'s> {
    fn from(value: Value<'s>) -> Exception<'s> {
        Exception(value)
    }
}

/// The constructors of errors, as they were before any program ran.
pub(crate) struct Constructors {
    type_error: Root,
    range_error: Root,
    syntax_error: Root,
}

impl Constructors {
    pub fn of(scope: &Scope) -> Constructors {
        let find = |name| {
            let found = scope.global().property(scope, name).ok().and_then(|value| value.as_function(scope));
            let found: Function<'_> = found.expect("a new context has the language's errors");
            Root::new(scope, found.value())
        };
        Constructors {
            type_error: find("TypeError"),
            range_error: find("RangeError"),
            syntax_error: find("SyntaxError"),
        }
    }
}
