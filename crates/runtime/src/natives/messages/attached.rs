//! What goes along with a packet, on the sender's side. In: values of JavaScript. Out: attachments that wait for the packet to be written, each with the number
//! that the packet says it by.

use std::sync::Arc;

use rusk_base::sys::descriptor;
use rusk_jsc::{BufferContents, Bytes, ErrorKind, Exception, Letters, Object, Outcome, Scope, Value};
use rusk_messages::{Attachment, Reach, Text};

use super::{lent_text, slot, with_mail};
use crate::natives::add;
use crate::natives::block_list::Shared;
use crate::natives::values::int;

/// Longer texts are lent, shorter ones copied: a reference that comes home costs as much as so many letters.
const COPIED_UNITS_MAX: usize = 16 * 1024;

pub(super) fn add_all<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add(scope, natives, "pendingCount", |scope, _| {
        Ok(scope.number(with_mail(|mail| mail.pending.borrow().len()) as f64))
    })?;
    add(scope, natives, "pendingCut", |scope, call| {
        let base = usize::try_from(int(scope, call, 0)?).unwrap_or(0);
        drop(pending_from(base));
        Ok(scope.undefined())
    })?;
    add(scope, natives, "attachText", |scope, call| {
        let text = lent_text(scope, call.argument(scope, 0))?;
        attach(scope, Attachment::Text(text))
    })?;
    add(scope, natives, "attachOwnText", |scope, call| {
        let text = own_text(scope, call.argument(scope, 0)).ok_or_else(|| refused(scope))?;
        attach(scope, Attachment::Text(text))
    })?;
    add(scope, natives, "attachBytes", |scope, call| {
        let bytes = Bytes::of(scope, call.argument(scope, 0)).ok_or_else(|| refused(scope))?;
        attach(scope, Attachment::Memory(Box::new(bytes.copy(scope))))
    })?;
    // Undefined where the engine does not give it away.
    add(scope, natives, "attachMemory", |scope, call| {
        match BufferContents::of_array_buffer(scope, call.argument(scope, 0)) {
            Some(contents) => attach(scope, Attachment::Memory(Box::new(contents))),
            None => Ok(scope.undefined()),
        }
    })?;
    add(scope, natives, "attachShared", |scope, call| {
        match BufferContents::of_shared(scope, call.argument(scope, 0)) {
            Some(contents) => attach(scope, Attachment::Shared(Arc::new(contents))),
            None => Ok(scope.undefined()),
        }
    })?;
    add(scope, natives, "attachNative", |scope, call| {
        let list = call.argument(scope, 0).as_object(scope).and_then(|list| list.as_native::<Shared>(scope));
        attach(scope, Attachment::Native(Arc::clone(&list.ok_or_else(|| refused(scope))?.0) as _))
    })?;
    // A descriptor that nobody else has any more.
    add(scope, natives, "attachFile", |scope, call| {
        let fd = descriptor::take(int(scope, call, 0)?).map_err(|_| refused(scope))?;
        attach(scope, Attachment::Memory(Box::new(fd)))
    })?;
    add(scope, natives, "attachPort", |scope, call| {
        let port = slot(scope, call, 0).and_then(|slot| slot.0.take());
        attach(scope, Attachment::Port(port.ok_or_else(|| refused(scope))?))
    })
}

/// What waits from `base` on, which waits no more.
pub(super) fn pending_from(base: usize) -> Vec<Attachment> {
    with_mail(|mail| match base {
        0 => mail.pending.take(),
        _ => {
            let mut pending = mail.pending.borrow_mut();
            let base = base.min(pending.len());
            pending.split_off(base)
        }
    })
}

fn attach<'s>(scope: &'s Scope, attachment: Attachment) -> Outcome<'s> {
    let index = with_mail(|mail| {
        let mut pending = mail.pending.borrow_mut();
        pending.push(attachment);
        pending.len() - 1
    });
    Ok(scope.number(index as f64))
}

/// The letters that the arena's strings are parts of. What is lent is of one receiver.
pub(super) fn text(scope: &Scope, value: Value<'_>, reach: Reach) -> Option<Text> {
    let is_long = value.letters(scope, |letters| count(letters) > COPIED_UNITS_MAX)?;
    if is_long && reach == Reach::Thread { lent_text(scope, value).ok() } else { own_text(scope, value) }
}

fn own_text(scope: &Scope, value: Value<'_>) -> Option<Text> {
    value.letters(scope, |letters| match letters {
        Letters::Narrow(letters) => Text::Narrow(letters.into()),
        Letters::Wide(units) => Text::Wide(units.into()),
    })
}

fn count(letters: Letters<'_>) -> usize {
    match letters {
        Letters::Narrow(letters) => letters.len(),
        Letters::Wide(units) => units.len(),
    }
}

fn refused(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Type, "argument cannot go along with a message")
}
