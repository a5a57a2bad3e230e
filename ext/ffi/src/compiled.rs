//! Programs that TinyCC has compiled, by number. In: lists of strings. Out: addresses of symbols;
//! the compiler's messages as an error.

use rusk_ffi::{CompileRequest, CompiledProgram};
use rusk_jsc::{Call, ErrorKind, Exception, Outcome, Scope, Value};

use crate::state;

/// A list of strings, as JavaScript passes it.
fn strings<'r>(scope: &'r Scope, list: Value<'_>) -> Result<Vec<String>, Exception<'r>> {
    let Some(list) = list.as_object(scope) else { return Ok(Vec::new()) };
    let count = list.property(scope, "length")?.to_number(scope)? as u32;
    (0..count).map(|index| list.element(scope, index)?.to_rust_string(scope)).collect()
}

/// Arguments: sources, directories of headers, libraries, names of macros, their values, flags.
/// Out: a number; `undefined`: there is no TinyCC.
pub fn compile<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let list = |index| strings(scope, call.argument(scope, index));
    let request = CompileRequest {
        sources: list(0)?,
        includes: list(1)?,
        libraries: list(2)?,
        defines: list(3)?.into_iter().zip(list(4)?).collect(),
        flags: list(5)?,
    };
    match CompiledProgram::compile(&request) {
        None => Ok(scope.undefined()),
        Some(Err(messages)) => Err(Exception::new(scope, ErrorKind::Error, messages.trim())),
        Some(Ok(program)) => {
            let state = state::get();
            let mut compiled = state.compiled.borrow_mut();
            compiled.push(Some(program));
            Ok(scope.number((compiled.len() - 1) as f64))
        }
    }
}

/// Arguments: a number, a name. Out: the address, or `undefined`.
pub fn symbol<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let index = call.argument(scope, 0).to_number(scope)? as usize;
    let name = call.argument(scope, 1).to_rust_string(scope)?;
    let state = state::get();
    let compiled = state.compiled.borrow();
    let address = compiled.get(index).and_then(Option::as_ref).and_then(|program| program.symbol(&name));
    Ok(address.map_or_else(|| scope.undefined(), |address| scope.number(address as f64)))
}

/// Argument: a number. Its functions were released.
pub fn close<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let index = call.argument(scope, 0).to_number(scope)? as usize;
    let program = state::get().compiled.borrow_mut().get_mut(index).and_then(Option::take);
    drop(program);
    Ok(scope.undefined())
}
