//! State of the `fs` binding: the function that creates Node's errors, and the array of stat
//! values. It is thread-local, so that binding functions capture nothing; those are cheaper to
//! call.

use std::cell::RefCell;

use rusk_base::sys::Errno;
use rusk_jsc::{Call, ErrorKind, Exception, Object, Outcome, Root, Scope, SharedU32Array, Value};

/// Fields of a stat result, 64 bits each: a double, or an integer for `{ bigint: true }`.
pub const STAT_FIELDS: usize = 18;

struct State {
    uv_exception: Option<Root>,
    words: SharedU32Array<{ 2 * STAT_FIELDS }>,
}

thread_local! {
    static STATE: RefCell<Option<State>> = const { RefCell::new(None) };
}

/// Resets the state for this thread's VM. Returns the stat values as a `Uint32Array`; JavaScript
/// makes other views of its buffer.
pub fn initialize(scope: &Scope) -> Result<Object<'_>, Exception<'_>> {
    let (words, array) = SharedU32Array::new(scope)?;
    STATE.set(Some(State { uv_exception: None, words }));
    Ok(array)
}

/// `setUVException(function)`: it creates an error from an errno, a system call and up to two
/// paths.
pub fn set_uv_exception<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let uv_exception = Root::new(scope, call.argument(scope, 0));
    STATE.with_borrow_mut(|state| state.as_mut().map(|state| state.uv_exception.replace(uv_exception)));
    Ok(scope.undefined())
}

/// Writes stat values for JavaScript.
pub fn write_stat_values(fields: &[u64]) {
    STATE.with_borrow(|state| {
        let Some(state) = state else { return };
        for (index, field) in fields.iter().enumerate() {
            state.words.store(2 * index, *field as u32);
            state.words.store(2 * index + 1, (*field >> 32) as u32);
        }
    });
}

/// Node's error for a failed system call.
pub fn error<'s>(scope: &'s Scope, errno: Errno, arguments: &[Value<'_>]) -> Exception<'s> {
    let uv_exception = STATE.with_borrow(|state| Some(state.as_ref()?.uv_exception.as_ref()?.value(scope)));
    let Some(uv_exception) = uv_exception.and_then(|uv_exception| uv_exception.as_function(scope)) else {
        return Exception::new(scope, ErrorKind::Error, &errno.to_string());
    };
    uv_exception.call(scope, arguments).map_or_else(|thrown| thrown, Exception::from)
}
