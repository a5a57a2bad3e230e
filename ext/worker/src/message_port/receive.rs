//! Packets at the receiver. In: a packet, a buffer of JavaScript. Out: the packet's bytes in the
//! buffer, its string, and its attachments by index. A long string message is created when the
//! program first reads it.

use std::cell::RefCell;
use std::os::fd::OwnedFd;

use rusk_base::sys::fd;

use rusk_jsc::{
    ArrayBuffer, BufferContents, Bytes, Call, ErrorKind, Exception, Object, Outcome, Scope, SharedString,
    Value, WasmModule,
};
use rusk_messages::{Attachment, MessageString, Packet, RemoteRef};

use super::format::layout;
use super::{buffer_error, port_object, with_inbox};
use rusk_block_list::BlockList;
use rusk_ext_net::block_list::SharedBlockList;
use rusk_openssl::{KeyHandle, KeyMaterial};
use rusk_runtime::bindings::add_fast;
use rusk_runtime::values::i32_argument;

rusk_runtime::shared_constants! {
    /// Kind of a received packet, in the buffer's header.
    pub mod kind: usize {
        STRING = 1,
        /// The string is created by `deferredString`.
        DEFERRED_STRING = 2,
        VALUE = 3,
        /// The buffer is too small; it holds the size that is needed.
        TOO_SMALL = 4,
    }
}

const HEADER_BYTES: usize = layout::RECEIVE_HEADER_WORDS * 4;
/// Shorter strings are created at once: that costs less than an object for a deferred one.
const DEFERRED_BYTES_MIN: usize = 8192;

/// Longer strings are external strings over the sender's code units. Copying shorter ones costs
/// less than returning each reference when the collector finds it.
const EXTERNAL_BYTES_MIN: usize = 32 << 10;

/// JavaScript object of a string that was not read yet.
struct DeferredString(RefCell<Option<MessageString>>);

pub(super) fn add_all<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, binding, "receiveOversized", |scope, call| {
        match with_inbox(|inbox| inbox.oversized.take()) {
            Some(packet) => receive(scope, packet, call.argument(scope, 0)),
            None => Ok(scope.undefined()),
        }
    })?;
    add_fast(scope, binding, "deferredString", |scope, call| {
        let deferred = call
            .argument(scope, 0)
            .as_object(scope)
            .and_then(|deferred| deferred.as_native::<DeferredString>(scope));
        let string = deferred.and_then(|deferred| deferred.0.take());
        Ok(string.map_or_else(|| scope.undefined(), |string| string_value(scope, string)))
    })?;
    add_fast(scope, binding, "takeAttachment", |scope, call| {
        let attachment = take_attachment(scope, call)?;
        attachment.map_or_else(|| Ok(scope.undefined()), |attachment| attachment_value(scope, attachment))
    })?;
    // A WebAssembly.Module; the second argument is one of the receiving realm.
    add_fast(scope, binding, "takeModule", |scope, call| {
        let Some(Attachment::Native(native)) = take_attachment(scope, call)? else {
            return Err(unknown_attachment(scope));
        };
        let module = native.downcast::<WasmModule>().map_err(|_| unknown_attachment(scope))?;
        let object = module.object(scope, call.argument(scope, 1));
        object.map(Object::value).ok_or_else(|| unknown_attachment(scope))
    })?;
    // A shared WebAssembly.Memory; the second argument is one of the receiving realm.
    add_fast(scope, binding, "takeWasmMemory", |scope, call| {
        let Some(Attachment::Shared(memory)) = take_attachment(scope, call)? else {
            return Err(unknown_attachment(scope));
        };
        let contents = memory.downcast::<BufferContents>().map_err(|_| unknown_attachment(scope))?;
        let object = contents.wasm_memory(scope, call.argument(scope, 1));
        object.map(Object::value).ok_or_else(|| unknown_attachment(scope))
    })
}

fn take_attachment<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<Attachment>, Exception<'s>> {
    let index = usize::try_from(i32_argument(scope, call, 0)?).unwrap_or(usize::MAX);
    Ok(with_inbox(|inbox| inbox.received.borrow_mut().get_mut(index).and_then(Option::take)))
}

/// Returns a string, an object of a deferred string, or the packet's string. The buffer's header
/// has the kind.
pub(super) fn receive<'s>(scope: &'s Scope, packet: Packet, buffer: Value<'_>) -> Outcome<'s> {
    let buffer = Bytes::of(scope, buffer).ok_or_else(|| buffer_error(scope))?;
    let packet = match packet {
        Packet { bytes, string: Some(string), .. } if bytes.is_empty() => {
            return receive_string(scope, string, buffer);
        }
        packet => packet,
    };
    let (ints, numbers) = packet.bytes.split_at(packet.split.min(packet.bytes.len()));
    let needed = HEADER_BYTES + packet.bytes.len();
    let is_written = buffer.with_bytes_mut(scope, |buffer| {
        if buffer.len() < needed {
            return false;
        }
        write_header(buffer, [kind::VALUE, ints.len() / 4, numbers.len() / 8]);
        buffer[HEADER_BYTES..HEADER_BYTES + ints.len()].copy_from_slice(ints);
        let end = buffer.len() - numbers.len();
        buffer[end..].copy_from_slice(numbers);
        true
    });
    if !is_written {
        buffer.with_bytes_mut(scope, |buffer| write_header(buffer, [kind::TOO_SMALL, needed, 0]));
        with_inbox(|inbox| inbox.oversized.set(Some(packet)));
        return Ok(scope.undefined());
    }
    let string = packet.string.map_or(scope.undefined(), |string| string_value(scope, string));
    with_inbox(|inbox| {
        let is_any = !packet.attachments.is_empty() || !inbox.received.borrow().is_empty();
        is_any.then(|| inbox.received.replace(packet.attachments.into_iter().map(Some).collect()))
    });
    Ok(string)
}

fn receive_string<'s>(scope: &'s Scope, string: MessageString, buffer: Bytes<'_>) -> Outcome<'s> {
    let is_deferred =
        matches!(&string, MessageString::Remote(remote) if remote.bytes() >= DEFERRED_BYTES_MIN);
    buffer.with_bytes_mut(scope, |buffer| {
        write_header(buffer, [if is_deferred { kind::DEFERRED_STRING } else { kind::STRING }, 0, 0])
    });
    Ok(match is_deferred {
        true => scope.native(DeferredString(RefCell::new(Some(string)))).value(),
        false => string_value(scope, string),
    })
}

fn write_header(buffer: &mut [u8], words: [usize; 3]) {
    for (bytes, word) in buffer.chunks_exact_mut(4).zip(words) {
        bytes.copy_from_slice(&u32::try_from(word).unwrap_or(u32::MAX).to_ne_bytes());
    }
}

fn string_value<'s>(scope: &'s Scope, string: MessageString) -> Value<'s> {
    match string {
        MessageString::Inline(inline) => scope.string_from_latin1(inline.units()),
        MessageString::Latin1(units) => scope.string_from_latin1(&units),
        MessageString::Utf16(units) => scope.string_from_utf16(&units),
        MessageString::Remote(remote) => remote_string_value(scope, remote),
    }
}

fn remote_string_value(scope: &Scope, remote: RemoteRef) -> Value<'_> {
    let Some(string) = remote.value().downcast_ref::<SharedString>() else { return scope.undefined() };
    let external = if remote.bytes() >= EXTERNAL_BYTES_MIN { string.clone_ref() } else { None };
    match external {
        Some(string) => string.into_value(scope, Box::new(remote)),
        None => string.value(scope),
    }
}

fn attachment_value<'s>(scope: &'s Scope, attachment: Attachment) -> Outcome<'s> {
    match attachment {
        Attachment::String(string) => Ok(string_value(scope, string)),
        Attachment::Port(port) => Ok(port_object(scope, port).value()),
        Attachment::Bytes(bytes) => ArrayBuffer::new(scope, bytes).map(|buffer| buffer.object().value()),
        Attachment::Memory(memory) => match memory.downcast::<OwnedFd>() {
            Ok(fd) => Ok(scope.number(fd::into_raw(*fd).into())),
            Err(memory) => buffer(scope, memory.downcast::<BufferContents>().ok().map(|contents| *contents)),
        },
        Attachment::Shared(memory) => {
            buffer(scope, memory.downcast::<BufferContents>().ok().map(|contents| contents.clone_ref()))
        }
        Attachment::Native(native) => match native.downcast::<BlockList>() {
            Ok(list) => Ok(scope.native(SharedBlockList(list)).value()),
            Err(native) => match native.downcast::<KeyMaterial>() {
                Ok(key) => Ok(scope.native(KeyHandle(key)).value()),
                Err(_) => Err(unknown_attachment(scope)),
            },
        },
    }
}

fn buffer<'s>(scope: &'s Scope, contents: Option<BufferContents>) -> Outcome<'s> {
    let buffer = contents.and_then(|contents| contents.into_buffer(scope));
    buffer.map(Object::value).ok_or_else(|| unknown_attachment(scope))
}

fn unknown_attachment(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Error, "the message has an unknown attachment")
}
