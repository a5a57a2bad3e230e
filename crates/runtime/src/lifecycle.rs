//! What `process` has to say when a program ends or fails: functions that js/node/process.js leaves
//! here when it is loaded. In: what happened. Out: what JavaScript answered; nothing where nobody
//! has asked for `process`, for then nobody listens.

use std::cell::RefCell;

use rusk_jsc::{Exception, Object, Root, Scope, Value};

#[derive(Default)]
pub struct LifecycleHooks(RefCell<Option<Root>>);

/// What became of an error that nobody caught.
pub enum Verdict<'s> {
    /// Somebody took it: the program goes on.
    Taken,
    /// The program ends by this, with this code.
    Fatal { error: Exception<'s>, code: i32 },
}

impl LifecycleHooks {
    /// An object of functions.
    pub fn set(&self, scope: &Scope, functions: Object<'_>) {
        *self.0.borrow_mut() = Some(Root::new(scope, functions.value()));
    }

    pub fn is_set(&self) -> bool {
        self.0.borrow().is_some()
    }

    pub fn clear(&self) {
        drop(self.0.take());
    }

    /// Nothing keeps the loop going.
    pub fn before_exit<'s>(&self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        self.call(scope, "beforeExit", &[]).map(|_| ())
    }

    /// The loop is at its end. Out: the code to end with.
    pub fn exit<'s>(&self, scope: &'s Scope) -> Result<i32, Exception<'s>> {
        self.code_of(scope, "exit")
    }

    /// What the program wants to end with by now.
    pub fn code<'s>(&self, scope: &'s Scope) -> Result<i32, Exception<'s>> {
        self.code_of(scope, "code")
    }

    fn code_of<'s>(&self, scope: &'s Scope, name: &str) -> Result<i32, Exception<'s>> {
        match self.call(scope, name, &[])? {
            Some(code) => code.to_number(scope).map(|code| code as i32),
            None => Ok(0),
        }
    }

    /// Asks those who listen to 'uncaughtException'. Node's codes: 1, and 7 where a listener threw.
    pub fn uncaught<'s>(&self, scope: &'s Scope, error: Exception<'s>, is_rejection: bool) -> Verdict<'s> {
        let answer = self.call(scope, "uncaught", &[error.value(), scope.boolean(is_rejection)]);
        match answer {
            Ok(None) => Verdict::Fatal { error, code: 1 },
            Ok(Some(answer)) if answer.is_same(scope.boolean(true), scope) => Verdict::Taken,
            Ok(Some(code)) => {
                Verdict::Fatal { error, code: code.to_number(scope).map_or(1, |code| code as i32) }
            }
            Err(thrown) => Verdict::Fatal { error: thrown, code: 7 },
        }
    }

    /// Tells of promises that have no handler: a promise and its reason by turns.
    pub fn rejections<'s>(&self, scope: &'s Scope, list: &[Value<'_>]) -> Result<Verdict<'s>, Exception<'s>> {
        let list = scope.array(list)?;
        let Some(end) = self.call(scope, "rejections", &[list.value()])? else { return Ok(Verdict::Taken) };
        let Some(end) = end.as_object(scope) else { return Ok(Verdict::Taken) };
        let code = end.property(scope, "code")?.to_number(scope)? as i32;
        Ok(Verdict::Fatal { error: end.property(scope, "error")?.into(), code })
    }

    /// Tells of promises that were told of and have got a handler.
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
        let function = functions.property(scope, name)?.as_function(scope).expect("it was put there");
        function.call(scope, arguments).map(Some)
    }
}
