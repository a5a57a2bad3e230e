//! A message that is written at once: the head and the body of an HTTP response in one call of the
//! kernel. In: a handle without queued writes, a head, a body. Out: what the kernel has not
//! accepted. Absent: queueing.

use std::cell::RefCell;
use std::os::fd::AsFd;

use rusk_base::sys::fd;
use rusk_jsc::{Bytes, Call, CodeUnits, Exception, Object, Outcome, Scope, Value};
use rusk_runtime::values::negative_errno;

use super::find_or_badf;

thread_local! {
    /// The message of `writeNow`: its memory is used again.
    static MESSAGE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// Memory of a message that is kept for the next one.
const MESSAGE_BYTES_KEPT: usize = 64 << 10;

pub fn write_now<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let handle = match find_or_badf(scope, call) {
        Ok(handle) => handle,
        Err(error) => return Ok(scope.number(negative_errno(error))),
    };
    let mut message = take_message(scope, call)?;
    let written = match handle.is_exclusive {
        true => handle.write_some(&message, 0),
        false => fd::write_all(handle.fd.as_fd(), &message).map(|()| message.len()),
    };
    let result = match written {
        Ok(count) if count == message.len() => Ok(scope.undefined()),
        Ok(count) => Bytes::from_vec(scope, message.split_off(count)).map(Object::value),
        Err(error) => Ok(scope.number(negative_errno(error))),
    };
    recycle_message(message);
    result
}

/// The head and the body, arguments 1 and 2, in a buffer for [`recycle_message`].
pub fn take_message<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Vec<u8>, Exception<'s>> {
    let mut message = MESSAGE.take();
    message.clear();
    append_latin1(scope, call.argument(scope, 1), &mut message);
    append_body(scope, call.argument(scope, 2), &mut message)?;
    Ok(message)
}

pub fn recycle_message(message: Vec<u8>) {
    if message.capacity() <= MESSAGE_BYTES_KEPT {
        MESSAGE.set(message);
    }
}

/// Characters above U+00FF become their last byte, as Node writes Latin-1.
fn append_latin1(scope: &Scope, text: Value<'_>, message: &mut Vec<u8>) {
    text.with_code_units(scope, |units| match units {
        CodeUnits::Latin1(units) => message.extend_from_slice(units),
        CodeUnits::Utf16(units) => message.extend(units.iter().map(|unit| *unit as u8)),
    });
}

fn append_body<'s>(scope: &'s Scope, body: Value<'s>, message: &mut Vec<u8>) -> Result<(), Exception<'s>> {
    if body.is_undefined(scope) {
        return Ok(());
    }
    let is_appended = body
        .with_code_units(scope, |units| match units {
            CodeUnits::Latin1(units) if units.is_ascii() => {
                message.extend_from_slice(units);
                true
            }
            _ => false,
        })
        .unwrap_or(false);
    if !is_appended {
        match Bytes::of(scope, body) {
            Some(bytes) => bytes.with_bytes_mut(scope, |bytes| message.extend_from_slice(bytes)),
            None => message.extend_from_slice(body.to_rust_string(scope)?.as_bytes()),
        }
    }
    Ok(())
}
