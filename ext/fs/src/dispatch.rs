//! Dispatch of file system calls: synchronous, or on the thread pool. In: a closure that owns its
//! arguments, and a callback for an asynchronous call. Out: the result, or undefined if the
//! callback takes it. Absent: an order among calls; two asynchronous calls may end in either order.

use rusk_base::sys::{self, Errno};
use rusk_jsc::{Exception, Function, Outcome, Root, Scope, Value};

use super::result::{FsError, Output};
use rusk_runtime::RuntimeState;

pub fn dispatch<'s>(
    scope: &'s Scope,
    callback: Option<Function<'s>>,
    work: impl FnOnce() -> Result<Output, FsError> + Send + 'static,
) -> Outcome<'s> {
    let Some(callback) = callback else {
        return work().map_err(|failure| failure.exception(scope))?.into_value(scope);
    };
    dispatch_async(scope, callback, work, |scope, outcome| match outcome {
        Ok(output) => output.into_value(scope),
        Err(failure) => Err(failure.exception(scope)),
    });
    Ok(scope.undefined())
}

/// Runs `work` on the thread pool, then `finish` on the event loop, then calls `callback(error,
/// value)`.
pub fn dispatch_async<'s, T: Send + 'static>(
    scope: &'s Scope,
    callback: Function<'s>,
    work: impl FnOnce() -> T + Send + 'static,
    finish: impl for<'b> FnOnce(&'b Scope, T) -> Outcome<'b> + 'static,
) {
    let callback = Root::new(scope, callback.value());
    RuntimeState::current().handle.queue_work(work, move |scope, result| {
        let outcome = finish(scope, result);
        call_back(scope, callback.value(scope), outcome)
    });
}

fn call_back<'s>(scope: &'s Scope, callback: Value<'s>, outcome: Outcome<'s>) -> Result<(), Exception<'s>> {
    let callback = callback.as_function(scope).expect("a function when it was rooted");
    let returned = match outcome {
        Ok(value) if value.is_undefined(scope) => callback.call(scope, &[scope.null()]),
        Ok(value) => callback.call(scope, &[scope.null(), value]),
        Err(thrown) => callback.call(scope, &[thrown.value()]),
    };
    returned.map(|_| ())
}

/// The result of a call without a value.
pub fn undefined(
    outcome: sys::Result<()>,
    failure: impl FnOnce(Errno) -> FsError,
) -> Result<Output, FsError> {
    outcome.map(|()| Output::Undefined).map_err(failure)
}
