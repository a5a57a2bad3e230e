//! What ended a program that nobody caught. In: the thrown value, in its scope. Out: a value with all that is to be said of it,
//! and its text as Node prints it: the place, the line of the source, a caret, the stack. Absent: printing; objects that are no
//! errors are shown by their text, for there is no inspector yet; remapping of places.

use std::fmt;

use rusk_jsc::{Exception, Position, Scope};

mod caret;

/// Why a program ended before its time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: FailureKind,
    /// For an error its name and message, for anything else its text.
    pub message: String,
    /// The engine's stack, a call a line.
    pub stack: Option<String>,
    pub position: Option<Position>,
    /// The line of the source at the position, where the source is known.
    pub line: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// Thrown, and caught by nobody.
    Exception,
    /// A promise was rejected, and had no handler when all ticks and microtasks had run.
    Rejection,
}

impl Failure {
    /// `source`: the script's address and text.
    pub(crate) fn new(
        scope: &Scope,
        kind: FailureKind,
        exception: Exception<'_>,
        source: Option<(&str, &str)>,
    ) -> Failure {
        let stack = exception.stack(scope);
        let class = class_name(scope, exception);
        // An error whose class is the program's was made in its constructor; it is thrown where that was called.
        let outside =
            stack.as_deref().zip(class.as_deref()).and_then(|(stack, class)| outside_of(stack, class));
        let position = outside.or_else(|| exception.position(scope));
        let line = position.as_ref().zip(source).and_then(|(position, (url, text))| {
            let index = usize::try_from(position.line).ok()?.checked_sub(1)?;
            (position.url == url).then(|| text.lines().nth(index).map(str::to_owned)).flatten()
        });
        Failure { kind, message: exception.message(scope), stack, position, line }
    }
}

/// As Node prints it, without the line that says which Node.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.stack.is_none() && self.position.is_none() {
            return self.fmt_value(f);
        }
        if let Some((position, line)) = self.position.as_ref().zip(self.line.as_ref()) {
            writeln!(f, "{}:{}\n{line}", position.url, position.line)?;
            if let Some(column) = position.column {
                writeln!(f, "{}^", caret::indent(line, column, self.kind))?;
            }
            writeln!(f)?;
        }
        f.write_str(&self.message)?;
        for call in self.stack.iter().flat_map(|stack| stack.lines()) {
            write!(f, "\n    at {}", Call(call))?;
        }
        Ok(())
    }
}

impl Failure {
    /// What was thrown is no error.
    fn fmt_value(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            FailureKind::Exception => write!(f, "Uncaught:\n{}", self.message),
            FailureKind::Rejection => write!(
                f,
                "UnhandledPromiseRejection: This error originated either by throwing inside of an async function \
                 without a catch block, or by rejecting a promise which was not handled with .catch(). The promise \
                 rejected with the reason \"{}\".",
                self.message
            ),
        }
    }
}

fn class_name(scope: &Scope, exception: Exception<'_>) -> Option<String> {
    let class = exception.value().as_object(scope)?.property(scope, "constructor").ok()?;
    class.as_object(scope)?.property(scope, "name").ok()?.to_text(scope).ok()
}

/// The first place of a stack that is in no function of this name, if the stack begins in one.
fn outside_of(stack: &str, name: &str) -> Option<Position> {
    let is_outside = |call: &&str| call.split_once('@').is_none_or(|(function, _)| function != name);
    let outside = stack.lines().find(is_outside)?;
    if stack.lines().next() == Some(outside) {
        return None;
    }
    let (_, place) = outside.split_once('@')?;
    let (place, column) = place.rsplit_once(':')?;
    let (url, line) = place.rsplit_once(':')?;
    Some(Position { url: url.to_owned(), line: line.parse().ok()?, column: column.parse().ok() })
}

/// A line of the engine's stack, `name@url:line:column`, as Node writes it.
struct Call<'a>(&'a str);

impl fmt::Display for Call<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.split_once('@') {
            Some((name, "")) => write!(f, "{name} (native)"),
            Some(("" | "global code" | "eval code" | "module code", place)) => f.write_str(place),
            Some((name, place)) => write!(f, "{name} ({place})"),
            None => write!(f, "{} (native)", self.0),
        }
    }
}
