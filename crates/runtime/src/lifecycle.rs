//! Lifecycle hooks: functions that `node:process` registers for 'beforeExit', 'exit', uncaught
//! exceptions and unhandled rejections. In: what happened. Out: what the hook returned; nothing if
//! `process` was never loaded, because then it has no listeners.

use std::cell::RefCell;

use rusk_jsc::{Exception, Object, Root, Scope, Value};

#[derive(Default)]
pub struct LifecycleHooks(RefCell<Option<Root>>);

/// Outcome of an uncaught error.
pub enum Verdict<'s> {
    /// A listener handled it: the program runs on.
    Handled,
    /// The program ends with this error and exit code.
    Fatal { error: Exception<'s>, code: i32 },
}

impl LifecycleHooks {
    /// Registers an object of functions.
    pub fn set(&self, scope: &Scope, functions: Object<'_>) {
        *self.0.borrow_mut() = Some(Root::new(scope, functions.value()));
    }

    pub fn is_set(&self) -> bool {
        self.0.borrow().is_some()
    }

    pub fn clear(&self) {
        drop(self.0.take());
    }

    /// Emits 'beforeExit': nothing keeps the loop alive.
    pub fn before_exit<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        self.call(scope, "beforeExit", &[]).map(|_| ())
    }

    /// Emits 'exit'. Out: the exit code.
    pub fn exit<'s>(&self, scope: &'s Scope) -> Result<i32, Exception<'s>> {
        self.code_of(scope, "exit")
    }

    /// The current exit code (`process.exitCode`).
    pub fn code<'s>(&self, scope: &'s Scope) -> Result<i32, Exception<'s>> {
        self.code_of(scope, "code")
    }

    fn code_of<'s>(&self, scope: &'s Scope, name: &str) -> Result<i32, Exception<'s>> {
        match self.call(scope, name, &[])? {
            Some(code) => code.to_number(scope).map(|code| code as i32),
            None => Ok(0),
        }
    }

    /// Emits 'uncaughtException'. The exit code is 1, and 7 if a listener threw, as in Node.
    pub fn uncaught<'s>(&self, scope: &'s Scope, error: Exception<'s>, is_rejection: bool) -> Verdict<'s> {
        let answer = self.call(scope, "uncaught", &[error.value(), scope.boolean(is_rejection)]);
        match answer {
            Ok(None) => Verdict::Fatal { error, code: 1 },
            Ok(Some(answer)) if answer.is_same(scope.boolean(true), scope) => Verdict::Handled,
            Ok(Some(code)) => {
                Verdict::Fatal { error, code: code.to_number(scope).map_or(1, |code| code as i32) }
            }
            Err(thrown) => Verdict::Fatal { error: thrown, code: 7 },
        }
    }

    /// Reports unhandled rejections: a list of promise, reason, promise, reason.
    pub fn rejections<'s>(&self, scope: &'s Scope, list: &[Value<'_>]) -> Result<Verdict<'s>, Exception<'s>> {
        let list = scope.array(list)?;
        let Some(end) = self.call(scope, "rejections", &[list.value()])? else { return Ok(Verdict::Handled) };
        let Some(end) = end.as_object(scope) else { return Ok(Verdict::Handled) };
        let code = end.property(scope, "code")?.to_number(scope)? as i32;
        Ok(Verdict::Fatal { error: end.property(scope, "error")?.into(), code })
    }

    /// Reports promises that got a handler after they were reported ('rejectionHandled').
    pub fn handled<'s>(&self, scope: &'s Scope, list: &[Value<'_>]) -> Result<(), Exception<'s>> {
        let list = scope.array(list)?;
        self.call(scope, "handled", &[list.value()]).map(|_| ())
    }

    fn call<'s>(
        &self,
        scope: &'s Scope,
        name: &str,
        arguments: &[Value<'_>],
    ) -> Result<Option<Value<'s>>, Exception<'s>> {
        let functions = self.0.borrow().as_ref().map(|functions| functions.value(scope));
        let Some(functions) = functions.and_then(|functions| functions.as_object(scope)) else {
            return Ok(None);
        };
        let function = functions.property(scope, name)?.as_function(scope).expect("process registers it");
        function.call(scope, arguments).map(Some)
    }
}
