//! What natives are called with, as Rust's own. In: arguments. Out: numbers, strings, lists, bytes;
//! errnos as libuv has them, less than 0. JavaScript has checked what a user may see; what is left
//! is taken as it comes.

use rusk_base::sys::{self, Errno};
use rusk_jsc::{Bytes, Call, Exception, Kind, Outcome, Scope, Value};

pub fn int<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<i32, Exception<'s>> {
    call.argument(scope, index).to_number(scope).map(|number| number as i32)
}

pub fn id<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<u32, Exception<'s>> {
    call.argument(scope, index).to_number(scope).map(|number| number as u32)
}

pub fn text<'s>(scope: &'s Scope, call: &Call<'s>, index: usize) -> Result<String, Exception<'s>> {
    call.argument(scope, index).to_rust_string(scope)
}

/// `None`: undefined or null.
pub fn text_if_any<'s>(
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

/// The elements of an array.
pub fn each<'s, T>(
    scope: &'s Scope,
    list: Value<'_>,
    mut read: impl for<'e> FnMut(&'e Scope, Value<'e>) -> Result<T, Exception<'e>>,
) -> Result<Vec<T>, Exception<'s>> {
    let Some(list) = list.as_object(scope) else { return Ok(Vec::new()) };
    let count = list.property(scope, "length")?.to_number(scope)? as u32;
    let mut found = Vec::with_capacity(count as usize);
    for index in 0..count {
        let element = list.element(scope, index)?;
        match read(scope, element) {
            Ok(element) => found.push(element),
            Err(thrown) => return Err(thrown),
        }
    }
    Ok(found)
}

pub fn texts<'s>(scope: &'s Scope, list: Value<'_>) -> Result<Vec<String>, Exception<'s>> {
    each(scope, list, |scope, element| element.to_rust_string(scope))
}

pub fn numbers<'s>(scope: &'s Scope, list: Value<'_>) -> Result<Vec<f64>, Exception<'s>> {
    each(scope, list, |scope, element| element.to_number(scope))
}

/// A copy of what is to be written: a view's bytes, or a text as UTF-8.
pub fn bytes<'s>(scope: &'s Scope, value: Value<'s>) -> Result<Vec<u8>, Exception<'s>> {
    match Bytes::of(scope, value) {
        Some(bytes) => Ok(bytes.copy(scope)),
        None => value.to_rust_string(scope).map(String::into_bytes),
    }
}

/// 0, or an errno less than 0.
pub fn errno<'s>(scope: &'s Scope, result: sys::Result<()>) -> Outcome<'s> {
    Ok(scope.number(result.map_or_else(negative, |()| 0.0)))
}

pub fn negative(error: Errno) -> f64 {
    f64::from(-error.raw_os_error())
}
