//! What the natives of files share: the function that makes Node's errors, and the words of
//! `stat(2)`. Out: each of them, on the thread of the VM. They stand beside the thread as the state
//! does: functions that capture nothing are the cheap ones.

use std::cell::RefCell;

use rusk_base::sys::Errno;
use rusk_jsc::{Call, ErrorKind, Exception, Object, Outcome, Root, Scope, SharedU32Array, Value};

/// Fields of `stat(2)`, each of 64 bits: numbers, or integers where BigInts are wanted.
pub const FIELDS: usize = 18;

struct State {
    fail: Option<Root>,
    words: SharedU32Array<{ 2 * FIELDS }>,
}

thread_local! {
    static STATE: RefCell<Option<State>> = const { RefCell::new(None) };
}

/// Begins anew for the VM of this thread. The words, as a `Uint32Array`, whose buffer JavaScript
/// reads as it likes.
pub fn begin(scope: &Scope) -> Result<Object<'_>, Exception<'_>> {
    let (words, array) = SharedU32Array::new(scope)?;
    STATE.set(Some(State { fail: None, words }));
    Ok(array)
}

/// `begin(fail)`: what makes an error of a number, the name of a call, and up to two paths.
pub fn keep_fail<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let fail = Root::new(scope, call.argument(scope, 0));
    STATE.with_borrow_mut(|state| state.as_mut().map(|state| state.fail.replace(fail)));
    Ok(scope.undefined())
}

/// Writes fields where JavaScript reads them.
pub fn write_fields(fields: &[u64]) {
    STATE.with_borrow(|state| {
        let Some(state) = state else { return };
        for (index, field) in fields.iter().enumerate() {
            state.words.store(2 * index, *field as u32);
            state.words.store(2 * index + 1, (*field >> 32) as u32);
        }
    });
}

/// Node's error of a call that failed.
pub fn error<'s>(scope: &'s Scope, errno: Errno, arguments: &[Value<'_>]) -> Exception<'s> {
    let fail = STATE.with_borrow(|state| Some(state.as_ref()?.fail.as_ref()?.value(scope)));
    let Some(fail) = fail.and_then(|fail| fail.as_function(scope)) else {
        return Exception::new(scope, ErrorKind::Error, &errno.to_string());
    };
    fail.call(scope, arguments).map_or_else(|thrown| thrown, Exception::from)
}
