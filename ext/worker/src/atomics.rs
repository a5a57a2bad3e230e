//! `internalBinding('atomics')`: asynchronous waits on shared memory, for `Atomics.waitAsync`. In:
//! a typed array, an element, its expected value. Out: ids of waiters; how many were notified.
//! JavaScript has validated the array and the element.

use std::any::Any;

use rusk_jsc::{Bytes, Call, Exception, Object, Root, Scope, SharedInteger};

use crate::wait_async::WAITERS;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add_fast, object};
use rusk_runtime::values::u32_argument;

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_fast(scope, binding, "hasWaiters", |scope, _| Ok(scope.boolean(WAITERS.has_waiters())))?;
    // `(array, byte offset, is 64 bits, expected low, expected high, callback)`: the waiter's id,
    // or 0 if the value is another. The callback gets the id.
    add_fast(scope, binding, "addWaiter", |scope, call| {
        let Some(integer) = shared_integer(scope, call)? else { return Ok(scope.number(0.0)) };
        let (low, high) = (u32_argument(scope, call, 3)?, u32_argument(scope, call, 4)?);
        let expected = i64::from(high as i32) << 32 | i64::from(low);
        let (state, callback) = (RuntimeState::current(), call.argument(scope, 5));
        let pool = &state.handle.thread_pool();
        let id = WAITERS.add(
            integer.address(),
            || integer.load() == expected,
            |id| {
                let callback = Root::new(scope, callback);
                let (pending, completer) = pool.pending(Box::new(move |scope, _: Box<dyn Any + Send>| {
                    let callback = callback.value(scope).as_function(scope).expect("JavaScript passes one");
                    callback.call(scope, &[scope.number(id as f64)]).map(|_| ())
                }));
                // A waiter does not keep the event loop alive.
                pool.set_ref(&pending, false);
                (id, completer)
            },
        );
        Ok(scope.number(id.unwrap_or(0) as f64))
    })?;
    // `(array, byte offset, is 64 bits, count)`: how many waiters were notified.
    add_fast(scope, binding, "notify", |scope, call| {
        let Some(integer) = shared_integer(scope, call)? else { return Ok(scope.number(0.0)) };
        let count_max = call.argument(scope, 3).to_number(scope)? as usize;
        let notified =
            WAITERS.notify(RuntimeState::current().handle.thread_pool(), integer.address(), count_max);
        Ok(scope.number(notified as f64))
    })?;
    // `(array, byte offset, is 64 bits, id)`: whether it was still waiting.
    add_fast(scope, binding, "removeWaiter", |scope, call| {
        let Some(integer) = shared_integer(scope, call)? else { return Ok(scope.boolean(false)) };
        let id = call.argument(scope, 3).to_number(scope)? as usize;
        Ok(scope.boolean(WAITERS.remove(integer.address(), id)))
    })?;
    Ok(binding)
}

/// The first three arguments.
fn shared_integer<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<SharedInteger<'s>>, Exception<'s>> {
    let Some(array) = Bytes::of(scope, call.argument(scope, 0)) else { return Ok(None) };
    let offset = call.argument(scope, 1).to_number(scope)? as usize;
    Ok(array.shared_integer(scope, offset, call.argument(scope, 2).is_truthy(scope)))
}
