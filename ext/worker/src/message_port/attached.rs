//! What goes along with a packet, on the sender's side. In: values of JavaScript. Out: attachments
//! that wait for the packet to be written, each with the number that the packet says it by.

use std::sync::Arc;

use rusk_base::sys::fd;
use rusk_jsc::{
    BufferContents, Bytes, CodeUnits, ErrorKind, Exception, Object, Outcome, Scope, SharedString, Value,
    WasmModule,
};
use rusk_messages::{Attachment, Destination, MessageString, RemoteRef};

use super::{slot, with_inbox};
use rusk_ext_net::block_list::SharedBlockList;
use rusk_runtime::bindings::add_fast;
use rusk_runtime::values::i32_argument;

/// Longer strings are lent, shorter ones copied: a reference that comes home costs as much as so
/// many characters.
const COPIED_UNITS_MAX: usize = 16 * 1024;
/// The same of a text that is the whole message: its sender is to wait no longer for 14,000
/// characters than for eleven.
const MESSAGE_UNITS_MAX: usize = 256;

pub(super) fn add_all<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, natives, "pendingCount", |scope, _| {
        Ok(scope.number(with_inbox(|inbox| inbox.pending.borrow().len()) as f64))
    })?;
    add_fast(scope, natives, "pendingCut", |scope, call| {
        let base = usize::try_from(i32_argument(scope, call, 0)?).unwrap_or(0);
        drop(pending_from(base));
        Ok(scope.undefined())
    })?;
    add_fast(scope, natives, "attachText", |scope, call| {
        let text = lent(scope, call.argument(scope, 0)).ok_or_else(|| refused(scope))?;
        attach(scope, Attachment::String(text))
    })?;
    add_fast(scope, natives, "attachOwnText", |scope, call| {
        let text = own_text(scope, call.argument(scope, 0)).ok_or_else(|| refused(scope))?;
        attach(scope, Attachment::String(text))
    })?;
    add_fast(scope, natives, "attachBytes", |scope, call| {
        let bytes = Bytes::of(scope, call.argument(scope, 0)).ok_or_else(|| refused(scope))?;
        attach(scope, Attachment::Bytes(bytes.copy(scope)))
    })?;
    // Undefined where the engine does not give it away.
    add_fast(scope, natives, "attachMemory", |scope, call| {
        match BufferContents::of_array_buffer(scope, call.argument(scope, 0)) {
            Some(contents) => attach(scope, Attachment::Memory(Box::new(contents))),
            None => Ok(scope.undefined()),
        }
    })?;
    add_fast(scope, natives, "attachShared", |scope, call| {
        match BufferContents::of_shared(scope, call.argument(scope, 0)) {
            Some(contents) => attach(scope, Attachment::Shared(Arc::new(contents))),
            None => Ok(scope.undefined()),
        }
    })?;
    add_fast(scope, natives, "attachNative", |scope, call| {
        let list = call
            .argument(scope, 0)
            .as_object(scope)
            .and_then(|list| list.as_native::<SharedBlockList>(scope));
        attach(scope, Attachment::Native(Arc::clone(&list.ok_or_else(|| refused(scope))?.0) as _))
    })?;
    // Undefined where the value is no compiled WebAssembly, or the engine does not give it.
    add_fast(scope, natives, "attachModule", |scope, call| {
        match WasmModule::of(scope, call.argument(scope, 0)) {
            Some(module) => attach(scope, Attachment::Native(Arc::new(module))),
            None => Ok(scope.undefined()),
        }
    })?;
    // A descriptor that nobody else has any more.
    add_fast(scope, natives, "attachFile", |scope, call| {
        let fd = fd::take_ownership(i32_argument(scope, call, 0)?).map_err(|_| refused(scope))?;
        attach(scope, Attachment::Memory(Box::new(fd)))
    })?;
    add_fast(scope, natives, "attachPort", |scope, call| {
        let port = slot(scope, call, 0).and_then(|slot| slot.0.take());
        attach(scope, Attachment::Port(port.ok_or_else(|| refused(scope))?))
    })
}

/// What waits from `base` on, which waits no more.
pub(super) fn pending_from(base: usize) -> Vec<Attachment> {
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

/// The characters that the arena's strings are parts of. What is lent is of one receiver.
pub(super) fn text(scope: &Scope, value: Value<'_>, destination: Destination) -> Option<MessageString> {
    let units_max = if destination == Destination::Thread { COPIED_UNITS_MAX } else { usize::MAX };
    copied(scope, value, units_max)?.or_else(|| lent(scope, value))
}

/// A string that is the whole message.
pub(super) fn message<'s>(scope: &'s Scope, value: Value<'s>) -> Result<MessageString, Exception<'s>> {
    let text = copied(scope, value, MESSAGE_UNITS_MAX);
    text.and_then(|text| text.or_else(|| lent(scope, value))).ok_or_else(|| refused(scope))
}

fn own_text(scope: &Scope, value: Value<'_>) -> Option<MessageString> {
    copied(scope, value, usize::MAX)?
}

/// `None`: it is no string. `Some(None)`: it has more units than `units_max`.
fn copied(scope: &Scope, value: Value<'_>, units_max: usize) -> Option<Option<MessageString>> {
    value.with_code_units(scope, |letters| match letters {
        _ if count(letters) > units_max => None,
        CodeUnits::Latin1(letters) => Some(MessageString::from_latin1(letters)),
        CodeUnits::Utf16(units) => Some(MessageString::Utf16(units.into())),
    })
}

/// A string of this thread's, lent to whoever reads it; `None`: it is no string.
fn lent(scope: &Scope, value: Value<'_>) -> Option<MessageString> {
    let text = SharedString::of(scope, value)?;
    let weight = text.bytes();
    let home = with_inbox(|inbox| {
        inbox.reclaim_if_large();
        inbox.notifier()
    });
    Some(MessageString::Remote(RemoteRef::new(Box::new(text), weight, home)))
}

fn count(letters: CodeUnits<'_>) -> usize {
    match letters {
        CodeUnits::Latin1(letters) => letters.len(),
        CodeUnits::Utf16(units) => units.len(),
    }
}

fn refused(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Type, "argument cannot go along with a message")
}
