//! A call, made at once or on another thread. In: a job that owns what it needs, and the function
//! that is told, if there is one. Out: the job's answer, or undefined where it is told later.
//! Absent: order among jobs; two calls that are begun together may end in either order.

use rusk_base::sys::{self, Errno};
use rusk_jsc::{Exception, Function, Outcome, Root, Scope, Value};

use super::answer::{Answer, Failure};
use rusk_runtime::RuntimeState;

pub fn perform<'s>(
    scope: &'s Scope,
    done: Option<Function<'s>>,
    job: impl FnOnce() -> Result<Answer, Failure> + Send + 'static,
) -> Outcome<'s> {
    let Some(done) = done else {
        return job().map_err(|failure| failure.exception(scope))?.give(scope);
    };
    later(scope, done, job, |scope, outcome| match outcome {
        Ok(answer) => answer.give(scope),
        Err(failure) => Err(failure.exception(scope)),
    });
    Ok(scope.undefined())
}

/// Does `job` on another thread; then `done` is called as Node calls it, with what `finish` makes
/// of the result in the loop.
pub fn later<'s, T: Send + 'static>(
    scope: &'s Scope,
    done: Function<'s>,
    job: impl FnOnce() -> T + Send + 'static,
    finish: impl for<'b> FnOnce(&'b Scope, T) -> Outcome<'b> + 'static,
) {
    let done = Root::new(scope, done.value());
    RuntimeState::current().handle.queue_work(job, move |scope, result| {
        let outcome = finish(scope, result);
        tell(scope, done.value(scope), outcome)
    });
}

fn tell<'s>(scope: &'s Scope, done: Value<'s>, outcome: Outcome<'s>) -> Result<(), Exception<'s>> {
    let done = done.as_function(scope).expect("it was one when it was kept");
    let told = match outcome {
        Ok(value) if value.is_undefined(scope) => done.call(scope, &[scope.null()]),
        Ok(value) => done.call(scope, &[scope.null(), value]),
        Err(thrown) => done.call(scope, &[thrown.value()]),
    };
    told.map(|_| ())
}

/// The outcome of a call that gives nothing.
pub fn nothing(outcome: sys::Result<()>, failure: impl FnOnce(Errno) -> Failure) -> Result<Answer, Failure> {
    outcome.map(|()| Answer::Nothing).map_err(failure)
}
