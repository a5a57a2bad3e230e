//! Direct calls: C functions as the code of WebAssembly functions. In: functions that
//! `js/internal/ffi/direct.js` exports from modules. Out: whether calls of one go to C directly.
//! Absent: the code ([`rusk_ffi::DirectEntries`]).

use rusk_ffi::DirectEntries;
use rusk_jsc::{Call, Outcome, Scope};

use crate::state;

/// Arguments: two functions of one instance, which return 7. Out: whether this engine has direct
/// calls.
pub fn verify<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let probes = [call.argument(scope, 0), call.argument(scope, 1)];
    let entries = DirectEntries::verify(scope, probes);
    state::get().direct_entries.set(entries);
    Ok(scope.boolean(entries.is_some()))
}

/// Arguments: an exported function, index and address of the C function, whether its result is an
/// integer. Out: whether calls of the first call the second from now on.
pub fn make<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let index = call.argument(scope, 1).to_number(scope)? as u32;
    let address = call.argument(scope, 2).to_number(scope)? as usize;
    let returns_integer = call.argument(scope, 3).is_truthy(scope);
    let state = state::get();
    let Some(entries) = state.direct_entries.get() else { return Ok(scope.boolean(false)) };
    let entry = entries.make(call.argument(scope, 0), address, returns_integer);
    if let Some(entry) = entry {
        state.open_entries.borrow_mut().insert(index, entry);
    }
    Ok(scope.boolean(entry.is_some()))
}

/// Throws what a callback has thrown during a direct call.
pub fn rethrow<'s>(scope: &'s Scope, _: &Call<'s>) -> Outcome<'s> {
    state::get().rethrow(scope)?;
    Ok(scope.undefined())
}
