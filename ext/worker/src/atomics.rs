//! `internalBinding('atomics')`: words of shared memory that promises wait for. In: an array, which
//! of its elements, what it is to hold. Out: numbers of those who wait; how many were told.
//! JavaScript has checked the array and the element.

use std::any::Any;

use rusk_jsc::{Bytes, Call, Exception, Object, Root, Scope, SharedInteger};

use crate::wait_async::WAITERS;
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add_fast, object};
use rusk_runtime::values::u32_argument;

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add_fast(scope, natives, "isAny", |scope, _| Ok(scope.boolean(WAITERS.is_any())))?;
    // array, element's first byte, whether it has eight, what it is to hold (the lower half, the
    // upper), then. Out: a number, or 0 where it holds something else.
    add_fast(scope, natives, "wait", |scope, call| {
        let Some(word) = word(scope, call)? else { return Ok(scope.number(0.0)) };
        let (low, high) = (u32_argument(scope, call, 3)?, u32_argument(scope, call, 4)?);
        let expected = i64::from(high as i32) << 32 | i64::from(low);
        let (state, then) = (RuntimeState::current(), call.argument(scope, 5));
        let pool = &state.handle.thread_pool();
        let number = WAITERS.wait(
            word.address(),
            || word.load() == expected,
            |number| {
                let then = Root::new(scope, then);
                let (pending, completer) = pool.pending(Box::new(move |scope, _: Box<dyn Any + Send>| {
                    let then = then.value(scope).as_function(scope).expect("JavaScript passes one");
                    then.call(scope, &[scope.number(number as f64)]).map(|_| ())
                }));
                // Whoever waits so does not keep a program going.
                pool.set_ref(&pending, false);
                (number, completer)
            },
        );
        Ok(scope.number(number.unwrap_or(0) as f64))
    })?;
    // array, element's first byte, whether it has eight, how many. Out: how many there were.
    add_fast(scope, natives, "notify", |scope, call| {
        let Some(word) = word(scope, call)? else { return Ok(scope.number(0.0)) };
        let count_max = call.argument(scope, 3).to_number(scope)? as usize;
        let told = WAITERS.notify(RuntimeState::current().handle.thread_pool(), word.address(), count_max);
        Ok(scope.number(told as f64))
    })?;
    // array, element's first byte, whether it has eight, number. Out: whether it still waited.
    add_fast(scope, natives, "forget", |scope, call| {
        let Some(word) = word(scope, call)? else { return Ok(scope.boolean(false)) };
        let number = call.argument(scope, 3).to_number(scope)? as usize;
        Ok(scope.boolean(WAITERS.forget(word.address(), number)))
    })?;
    Ok(natives)
}

/// The first three arguments.
fn word<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<SharedInteger<'s>>, Exception<'s>> {
    let Some(array) = Bytes::of(scope, call.argument(scope, 0)) else { return Ok(None) };
    let offset = call.argument(scope, 1).to_number(scope)? as usize;
    Ok(array.shared_integer(scope, offset, call.argument(scope, 2).is_truthy(scope)))
}
