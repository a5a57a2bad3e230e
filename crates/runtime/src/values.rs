//! Conversion of a binding's arguments and results. In: engine values. Out: Rust's numbers,
//! strings, lists and bytes; errnos as libuv returns them, negated. Absent: validation. The
//! JavaScript half of a binding has validated what a program passed; here a wrong type is converted
//! as by `Number()` or `String()`.

use rusk_base::sys::{self, Errno};
use rusk_jsc::{Bytes, Call, Exception, Kind, Outcome, Scope, Value};

pub fn i32_argument<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<i32, Exception<'s>> {
    call.argument(scope, index).to_number(scope).map(|number| number as i32)
}

pub fn u32_argument<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<u32, Exception<'s>> {
    call.argument(scope, index).to_number(scope).map(|number| number as u32)
}

pub fn string_argument<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<String, Exception<'s>> {
    call.argument(scope, index).to_rust_string(scope)
}

/// `None`: the argument is undefined or null.
pub fn optional_string_argument<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    index: usize,
) -> Result<Option<String>, Exception<'s>> {
    let value = call.argument(scope, index);
    match value.kind(scope) {
        Kind::Undefined | Kind::Null => Ok(None),
        _ => value.to_rust_string(scope).map(Some),
    }
}

/// The elements of an array, each converted by `read`. Empty: `list` is no object.
pub fn map_array<'s, T>(
    scope: &'s Scope,
    list: Value<'_>,
    mut read: impl for<'e> FnMut(&'e Scope, Value<'e>) -> Result<T, Exception<'e>>,
) -> Result<Vec<T>, Exception<'s>> {
    let Some(list) = list.as_object(scope) else { return Ok(Vec::new()) };
    let count = list.property(scope, "length")?.to_number(scope)? as u32;
    let mut elements = Vec::with_capacity(count as usize);
    for index in 0..count {
        let element = list.element(scope, index)?;
        match read(scope, element) {
            Ok(element) => elements.push(element),
            Err(thrown) => return Err(thrown),
        }
    }
    Ok(elements)
}

pub fn string_list<'s>(scope: &'s Scope, list: Value<'_>) -> Result<Vec<String>, Exception<'s>> {
    map_array(scope, list, |scope, element| element.to_rust_string(scope))
}

pub fn number_list<'s>(scope: &'s Scope, list: Value<'_>) -> Result<Vec<f64>, Exception<'s>> {
    map_array(scope, list, |scope, element| element.to_number(scope))
}

/// A copy of the bytes of a view or an ArrayBuffer; any other value as a string in UTF-8.
pub fn bytes_or_utf8<'s>(scope: &'s Scope, value: Value<'s>) -> Result<Vec<u8>, Exception<'s>> {
    match Bytes::of(scope, value) {
        Some(bytes) => Ok(bytes.copy(scope)),
        None => value.to_rust_string(scope).map(String::into_bytes),
    }
}

/// 0, or the negated errno.
pub fn errno_result<'s>(scope: &'s Scope, result: sys::Result<()>) -> Outcome<'s> {
    Ok(scope.number(result.map_or_else(negative_errno, |()| 0.0)))
}

pub fn negative_errno(error: Errno) -> f64 {
    f64::from(-error.raw_os_error())
}
