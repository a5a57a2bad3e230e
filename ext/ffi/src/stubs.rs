//! Stubs of C functions: machine code that the engine calls directly. In: a prepared function, the
//! types of its arguments, a function of JavaScript that does what a stub cannot. Out: a function.
//! Absent: the code ([`rusk_ffi::Stubs`]).

use rusk_ffi::{Stub, StubHandlers, StubTarget, StubType};
use rusk_jsc::{Call, Outcome, Root, Scope};
use rusk_runtime::values::string_argument;

use crate::calls;
use crate::state::{self, FfiState};

/// Functions of a thread that get a stub: its code is not freed before the thread ends.
const STUBS_MAX: u32 = 16_384;

/// A stub whose library is open.
pub struct OpenStub {
    stub: Stub,
    fallback: Root,
}

pub const HANDLERS: StubHandlers =
    StubHandlers { fallback: fall_back, rethrow: |scope| state::get().rethrow(scope) };

/// Codes of types, as `js/internal/ffi/stubs.js` has them.
const CODES: [(char, StubType); 15] = [
    ('v', StubType::Void),
    ('b', StubType::I8),
    ('B', StubType::U8),
    ('h', StubType::I16),
    ('H', StubType::U16),
    ('i', StubType::I32),
    ('I', StubType::U32),
    ('w', StubType::Wide),
    ('f', StubType::F32),
    ('d', StubType::F64),
    ('?', StubType::Bool),
    ('p', StubType::Pointer),
    ('F', StubType::Function),
    ('V', StubType::View),
    ('s', StubType::CString),
];

fn types(codes: &str) -> Option<Vec<StubType>> {
    let find = |code| CODES.iter().find(|(own, _)| *own == code).map(|(_, kind)| *kind);
    codes.chars().map(find).collect()
}

/// Arguments: index and address of a prepared function, codes of the arguments, code of the result,
/// name, fallback. Out: a function; `undefined`: there is no stub for it.
pub fn make<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let index = call.argument(scope, 0).to_number(scope)? as u32;
    let address = call.argument(scope, 1).to_number(scope)? as usize;
    let arguments = types(&string_argument(scope, call, 2)?);
    let returns = types(&string_argument(scope, call, 3)?).and_then(|types| types.first().copied());
    let name = string_argument(scope, call, 4)?;
    let state = state::get();
    let (Some(arguments), Some(returns)) = (arguments, returns) else { return Ok(scope.undefined()) };
    if index >= STUBS_MAX {
        return Ok(scope.undefined());
    }
    let target = StubTarget { address, arguments: &arguments, returns, index };
    let Some((function, stub)) = state.stubs.make(scope, &name, &target) else {
        return Ok(scope.undefined());
    };
    let fallback = Root::new(scope, call.argument(scope, 5));
    state.open_stubs.borrow_mut().insert(index, OpenStub { stub, fallback });
    Ok(function.value())
}

/// The library of a function is closed: its stub leads to the fallback, which throws, and a direct
/// call to the stub.
pub fn retire(state: &FfiState, index: u32) {
    if let Some(entry) = state.open_entries.borrow_mut().remove(&index) {
        entry.retire();
    }
    // The borrow ends before the root is dropped.
    let open = state.open_stubs.borrow_mut().remove(&index);
    if let Some(open) = open {
        open.stub.retire();
    }
}

fn fall_back<'s>(scope: &'s Scope, call: &Call<'s>, index: u32) -> Outcome<'s> {
    let state = state::get();
    let fallback = state.open_stubs.borrow().get(&index).map(|open| open.fallback.value(scope));
    match fallback.and_then(|fallback| fallback.as_function(scope)) {
        Some(fallback) => fallback.call(scope, call.arguments),
        None => Err(calls::closed(scope)),
    }
}
