//! Memory by address. In: addresses as numbers. Out: values in the result's slot, strings, buffers
//! over the memory.

use rusk_ffi::memory;
use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Kind, Outcome, Scope, Value};

use crate::state::{self, layout};

/// Argument: a view or a buffer. Out: the address of its first byte; `undefined`: it is neither.
pub fn address<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let bytes = Bytes::of(scope, call.argument(scope, 0));
    let address = bytes.map(|bytes| bytes.address(scope).0.expose_provenance());
    Ok(address.map_or_else(|| scope.undefined(), |address| scope.number(address as f64)))
}

/// Arguments: address, number of bytes, at most eight.
pub fn read<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let address = call.argument(scope, 0).to_number(scope)? as usize;
    let bytes = call.argument(scope, 1).to_number(scope)? as usize;
    state::get().write(layout::RESULT as usize, memory::read(address, bytes));
    Ok(scope.undefined())
}

/// Arguments: address, length in bytes. Out: the string of the UTF-8 there.
pub fn string<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let address = call.argument(scope, 0).to_number(scope)? as usize;
    let bytes = call.argument(scope, 1).to_number(scope)? as usize;
    Ok(scope.string_from_utf8_owned(memory::copy(address, bytes)))
}

/// `CString` of programs. Arguments: a pointer, an offset, a length. Out: a string, also with
/// `new`.
pub fn c_string<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let pointer = call.argument(scope, 0);
    if !pointer.is_truthy(scope) {
        return Ok(scope.string(""));
    }
    let length = call.argument(scope, 2);
    let address = pointer_of(scope, pointer)?.wrapping_add_signed(offset_of(scope, call.argument(scope, 1))?);
    if address < PAGE_BYTES {
        let message = "CString: the pointer is invalid";
        return Err(Exception::new(scope, ErrorKind::Type, message));
    }
    let bytes = match length.kind(scope) {
        Kind::Undefined | Kind::Null => memory::string_length(address),
        _ => length.to_number(scope)? as usize,
    };
    Ok(scope.string_from_utf8_owned(memory::copy(address, bytes)))
}

/// Size of page 0, which is never mapped.
const PAGE_BYTES: usize = 4096;

/// A number or a BigInt.
fn pointer_of<'r>(scope: &'r Scope, value: Value<'_>) -> Result<usize, Exception<'r>> {
    match value.kind(scope) {
        Kind::BigInt => Ok(value.to_rust_string(scope)?.parse().unwrap_or(0)),
        _ => Ok(value.to_number(scope)? as usize),
    }
}

fn offset_of<'r>(scope: &'r Scope, value: Value<'_>) -> Result<isize, Exception<'r>> {
    if value.is_undefined(scope) { Ok(0) } else { Ok(value.to_number(scope)? as isize) }
}

/// Argument: address of a string that ends with a NUL. Out: its length in bytes.
pub fn string_length<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let address = call.argument(scope, 0).to_number(scope)? as usize;
    Ok(scope.number(memory::string_length(address) as f64))
}

/// Arguments: address, length, address of a deallocator or 0, address of its context or 0. Out: an
/// `ArrayBuffer` over the memory.
pub fn buffer<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let number = |index: usize| call.argument(scope, index).to_number(scope).map(|number| number as usize);
    let (memory, deallocator) = ((number(0)?, number(1)?), (number(2)?, number(3)?));
    memory::array_buffer(scope, memory, deallocator).map(|buffer| buffer.object().value())
}
