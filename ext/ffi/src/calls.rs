//! Calls of C functions. In: an index of a prepared function, arguments in slots. Out: the result
//! in its slot; throws what a callback has thrown meanwhile.

use std::rc::Rc;

use rusk_ffi::{ARGUMENTS_MAX, Function};
use rusk_jsc::{Call, ErrorKind, Exception, Outcome, Scope};

use crate::signature;
use crate::state::{self, layout};
use crate::stubs;

/// Arguments that most functions have at most, without clearing more memory.
const FEW: usize = 8;

/// Arguments: address, codes of the arguments, code of the result. Out: its index.
pub fn prepare<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let address = call.argument(scope, 0).to_number(scope)? as usize;
    let arguments = signature::types(scope, call.argument(scope, 1))?;
    let returns = signature::of_code(scope, call.argument(scope, 2))?;
    let function = Function::new(address, &arguments, returns).map_err(|_| no_libffi(scope))?;
    let state = state::get();
    let mut functions = state.functions.borrow_mut();
    // An index is not used again: functions of a closed library still have theirs.
    let index = functions.len();
    functions.push(Some(Rc::new(function)));
    Ok(scope.number(index as f64))
}

pub fn no_libffi(scope: &Scope) -> Exception<'_> {
    let message = "libffi.so.8 is needed for this signature; install it (Debian: libffi8)";
    Exception::new(scope, ErrorKind::Error, message)
}

pub fn closed(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Type, "the function's library was closed")
}

/// Argument: an index. Its function cannot be called any more.
pub fn release<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let index = call.argument(scope, 0).to_number(scope)? as usize;
    let state = state::get();
    if let Some(function) = state.functions.borrow_mut().get_mut(index) {
        *function = None;
    }
    stubs::retire(&state, index as u32);
    Ok(scope.undefined())
}

/// Arguments: an index, and the objects that hold memory for the call, which the call keeps alive.
pub fn call<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let index = call.argument(scope, 0).to_number(scope)? as usize;
    let state = state::get();
    let function = state.functions.borrow().get(index).cloned().flatten();
    let Some(function) = function else { return Err(closed(scope)) };
    let run = |words: &mut [u64]| {
        for (slot, word) in words.iter_mut().enumerate() {
            *word = state.read(slot);
        }
        function.call(words)
    };
    let result = match function.arguments() {
        count if count <= FEW => run(&mut [0; FEW][..count]),
        count => run(&mut [0; ARGUMENTS_MAX][..count]),
    };
    state.write(layout::RESULT as usize, result);
    state.rethrow(scope)?;
    Ok(scope.undefined())
}
