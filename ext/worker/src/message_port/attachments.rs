//! Attachments of a packet at the sender: strings, memory, ports, native objects. In: JavaScript
//! values. Out: pending attachments, which the next packet takes; each has an index.

use std::sync::Arc;

use rusk_base::sys::fd;
use rusk_jsc::{
    BufferContents, Bytes, CodeUnits, ErrorKind, Exception, Object, Outcome, Scope, SharedString, Value,
    WasmModule,
};
use rusk_messages::{Attachment, Destination, MessageString, RemoteRef};

use super::{port_argument, with_inbox};
use rusk_ext_net::block_list::SharedBlockList;
use rusk_openssl::KeyHandle;
use rusk_runtime::bindings::add_fast;
use rusk_runtime::values::i32_argument;

/// Longer strings are sent by reference, shorter ones copied: returning a reference costs as much
/// as copying this many code units.
const COPIED_UNITS_MAX: usize = 16 * 1024;
/// The same limit for a message that is a string: the time of `postMessage` must not grow with the
/// length.
const MESSAGE_UNITS_MAX: usize = 256;

pub(super) fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, binding, "attachmentCount", |scope, _| {
        Ok(scope.number(with_inbox(|inbox| inbox.pending.borrow().len()) as f64))
    })?;
    add_fast(scope, binding, "truncateAttachments", |scope, call| {
        let base = usize::try_from(i32_argument(scope, call, 0)?).unwrap_or(0);
        drop(take_pending(base));
        Ok(scope.undefined())
    })?;
    add_fast(scope, binding, "attachString", |scope, call| {
        let string = remote_string(scope, call.argument(scope, 0)).ok_or_else(|| type_error(scope))?;
        attach(scope, Attachment::String(string))
    })?;
    add_fast(scope, binding, "attachStringCopy", |scope, call| {
        let string = copied_string(scope, call.argument(scope, 0)).ok_or_else(|| type_error(scope))?;
        attach(scope, Attachment::String(string))
    })?;
    add_fast(scope, binding, "attachBytes", |scope, call| {
        let bytes = Bytes::of(scope, call.argument(scope, 0)).ok_or_else(|| type_error(scope))?;
        attach(scope, Attachment::Bytes(bytes.copy(scope)))
    })?;
    // Undefined if the engine cannot release the memory.
    add_fast(scope, binding, "attachMemory", |scope, call| {
        match BufferContents::of_array_buffer(scope, call.argument(scope, 0)) {
            Some(contents) => attach(scope, Attachment::Memory(Box::new(contents))),
            None => Ok(scope.undefined()),
        }
    })?;
    add_fast(scope, binding, "attachShared", |scope, call| {
        match BufferContents::of_shared(scope, call.argument(scope, 0)) {
            Some(contents) => attach(scope, Attachment::Shared(Arc::new(contents))),
            None => Ok(scope.undefined()),
        }
    })?;
    add_fast(scope, binding, "attachNative", |scope, call| {
        let object = call.argument(scope, 0).as_object(scope).ok_or_else(|| type_error(scope))?;
        if let Some(key) = object.as_native::<KeyHandle>(scope) {
            return attach(scope, Attachment::Native(Arc::clone(&key.0) as _));
        }
        let list = object.as_native::<SharedBlockList>(scope);
        attach(scope, Attachment::Native(Arc::clone(&list.ok_or_else(|| type_error(scope))?.0) as _))
    })?;
    // Undefined if the value is not a WebAssembly.Module, or the engine cannot share it.
    add_fast(scope, binding, "attachModule", |scope, call| {
        match WasmModule::of(scope, call.argument(scope, 0)) {
            Some(module) => attach(scope, Attachment::Native(Arc::new(module))),
            None => Ok(scope.undefined()),
        }
    })?;
    // Takes ownership of a file descriptor.
    add_fast(scope, binding, "attachFd", |scope, call| {
        let fd = fd::take_ownership(i32_argument(scope, call, 0)?).map_err(|_| type_error(scope))?;
        attach(scope, Attachment::Memory(Box::new(fd)))
    })?;
    add_fast(scope, binding, "attachPort", |scope, call| {
        let port = port_argument(scope, call, 0).and_then(|port| port.0.take());
        attach(scope, Attachment::Port(port.ok_or_else(|| type_error(scope))?))
    })
}

/// Takes the pending attachments from `base` on.
pub(super) fn take_pending(base: usize) -> Vec<Attachment> {
    with_inbox(|inbox| match base {
        0 => inbox.pending.take(),
        _ => {
            let mut pending = inbox.pending.borrow_mut();
            let base = base.min(pending.len());
            pending.split_off(base)
        }
    })
}

fn attach<'s>(scope: &'s Scope, attachment: Attachment) -> Outcome<'s> {
    let index = with_inbox(|inbox| {
        let mut pending = inbox.pending.borrow_mut();
        pending.push(attachment);
        pending.len() - 1
    });
    Ok(scope.number(index as f64))
}

/// The string that all strings of a packet are parts of. A reference has only one receiver.
pub(super) fn string(scope: &Scope, value: Value<'_>, destination: Destination) -> Option<MessageString> {
    let units_max = if destination == Destination::Thread { COPIED_UNITS_MAX } else { usize::MAX };
    copy_string(scope, value, units_max)?.or_else(|| remote_string(scope, value))
}

/// A message that is a string.
pub(super) fn message<'s>(scope: &'s Scope, value: Value<'s>) -> Result<MessageString, Exception<'s>> {
    let string = copy_string(scope, value, MESSAGE_UNITS_MAX);
    string.and_then(|string| string.or_else(|| remote_string(scope, value))).ok_or_else(|| type_error(scope))
}

fn copied_string(scope: &Scope, value: Value<'_>) -> Option<MessageString> {
    copy_string(scope, value, usize::MAX)?
}

/// `None`: not a string. `Some(None)`: it has more units than `units_max`.
fn copy_string(scope: &Scope, value: Value<'_>, units_max: usize) -> Option<Option<MessageString>> {
    value.with_code_units(scope, |units| match units {
        _ if unit_count(units) > units_max => None,
        CodeUnits::Latin1(units) => Some(MessageString::from_latin1(units)),
        CodeUnits::Utf16(units) => Some(MessageString::Utf16(units.into())),
    })
}

/// A reference to a string of this thread; `None`: not a string.
fn remote_string(scope: &Scope, value: Value<'_>) -> Option<MessageString> {
    let string = SharedString::of(scope, value)?;
    let bytes = string.bytes();
    let owner = with_inbox(|inbox| {
        inbox.reclaim_if_large();
        inbox.notifier()
    });
    Some(MessageString::Remote(RemoteRef::new(Box::new(string), bytes, owner)))
}

fn unit_count(units: CodeUnits<'_>) -> usize {
    match units {
        CodeUnits::Latin1(units) => units.len(),
        CodeUnits::Utf16(units) => units.len(),
    }
}

fn type_error(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Type, "argument cannot be attached to a message")
}
