//! A packet on the receiver's side. In: a packet, an arena with room for it. Out: its bytes there,
//! its text, and one after the other what came along. A long text that is a message alone is made a
//! string of when it is asked for.

use std::cell::RefCell;
use std::os::fd::OwnedFd;

use rusk_base::sys::fd;

use rusk_jsc::{
    ArrayBuffer, BufferContents, Bytes, Call, ErrorKind, Exception, Object, Outcome, Scope, SharedString,
    Value, WasmModule,
};
use rusk_messages::{Attachment, MessageString, Packet, RemoteRef};

use super::{no_arena, show_port, with_inbox};
use rusk_block_list::BlockList;
use rusk_ext_net::block_list::SharedBlockList;
use rusk_runtime::bindings::add_fast;
use rusk_runtime::values::i32_argument;

rusk_runtime::shared_constants! {
    /// What the buffer for a received packet holds.
    pub mod kind: usize {
        STRING = 1,
        /// The string is created by `heldText`.
        DEFERRED_STRING = 2,
        VALUE = 3,
        /// The buffer is too small; it holds the size that is needed.
        TOO_SMALL = 4,
    }
}

/// Kind, ints, numbers; eight bytes are a number's place.
const HEADER_BYTES: usize = 16;
/// Shorter strings are made at once: that costs less than an object that stands for them.
const HELD_BYTES_MIN: usize = 8192;

/// Characters of longer strings stay the sender's. Of shorter ones a copy costs less than what
/// brings them home one by one, when the engine collects.
const OVER_BYTES_MIN: usize = 32 << 10;

/// A text that nobody has read yet.
struct Held(RefCell<Option<MessageString>>);

pub(super) fn add_all<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, natives, "again", |scope, call| match with_inbox(|inbox| inbox.oversized.take()) {
        Some(packet) => open(scope, packet, call.argument(scope, 0)),
        None => Ok(scope.undefined()),
    })?;
    add_fast(scope, natives, "heldText", |scope, call| {
        let held = call.argument(scope, 0).as_object(scope).and_then(|held| held.as_native::<Held>(scope));
        let text = held.and_then(|held| held.0.take());
        Ok(text.map_or_else(|| scope.undefined(), |text| value(scope, text)))
    })?;
    add_fast(scope, natives, "attachment", |scope, call| {
        let taken = take(scope, call)?;
        taken.map_or_else(|| Ok(scope.undefined()), |attachment| show(scope, attachment))
    })?;
    // Of compiled WebAssembly: another object like the second argument, which is one.
    add_fast(scope, natives, "module", |scope, call| {
        let Some(Attachment::Native(native)) = take(scope, call)? else { return Err(unknown(scope)) };
        let module = native.downcast::<WasmModule>().map_err(|_| unknown(scope))?;
        let object = module.object(scope, call.argument(scope, 1));
        object.map(Object::value).ok_or_else(|| unknown(scope))
    })?;
    // The same of a memory of WebAssembly's, which is shared.
    add_fast(scope, natives, "wasmMemory", |scope, call| {
        let Some(Attachment::Shared(memory)) = take(scope, call)? else { return Err(unknown(scope)) };
        let contents = memory.downcast::<BufferContents>().map_err(|_| unknown(scope))?;
        let object = contents.wasm_memory(scope, call.argument(scope, 1));
        object.map(Object::value).ok_or_else(|| unknown(scope))
    })
}

fn take<'s>(scope: &'s Scope, call: &Call<'s>) -> Result<Option<Attachment>, Exception<'s>> {
    let index = usize::try_from(i32_argument(scope, call, 0)?).unwrap_or(usize::MAX);
    Ok(with_inbox(|inbox| inbox.received.borrow_mut().get_mut(index).and_then(Option::take)))
}

/// A string, what holds a string, or the arena's text where there is one: the arena says which.
pub(super) fn open<'s>(scope: &'s Scope, packet: Packet, arena: Value<'_>) -> Outcome<'s> {
    let arena = Bytes::of(scope, arena).ok_or_else(|| no_arena(scope))?;
    let packet = match packet {
        Packet { bytes, string: Some(text), .. } if bytes.is_empty() => return open_text(scope, text, arena),
        packet => packet,
    };
    let (ints, numbers) = packet.bytes.split_at(packet.split.min(packet.bytes.len()));
    let needed = HEADER_BYTES + packet.bytes.len();
    let is_written = arena.with_bytes_mut(scope, |room| {
        if room.len() < needed {
            return false;
        }
        write_header(room, [kind::VALUE, ints.len() / 4, numbers.len() / 8]);
        room[HEADER_BYTES..HEADER_BYTES + ints.len()].copy_from_slice(ints);
        let end = room.len() - numbers.len();
        room[end..].copy_from_slice(numbers);
        true
    });
    if !is_written {
        arena.with_bytes_mut(scope, |room| write_header(room, [kind::TOO_SMALL, needed, 0]));
        with_inbox(|inbox| inbox.oversized.set(Some(packet)));
        return Ok(scope.undefined());
    }
    let text = packet.string.map_or(scope.undefined(), |text| value(scope, text));
    with_inbox(|inbox| {
        let is_any = !packet.attachments.is_empty() || !inbox.received.borrow().is_empty();
        is_any.then(|| inbox.received.replace(packet.attachments.into_iter().map(Some).collect()))
    });
    Ok(text)
}

fn open_text<'s>(scope: &'s Scope, text: MessageString, arena: Bytes<'_>) -> Outcome<'s> {
    let is_held = matches!(&text, MessageString::Remote(lent) if lent.bytes() >= HELD_BYTES_MIN);
    arena.with_bytes_mut(scope, |room| {
        write_header(room, [if is_held { kind::DEFERRED_STRING } else { kind::STRING }, 0, 0])
    });
    Ok(match is_held {
        true => scope.native(Held(RefCell::new(Some(text)))).value(),
        false => value(scope, text),
    })
}

fn write_header(room: &mut [u8], words: [usize; 3]) {
    for (place, word) in room.chunks_exact_mut(4).zip(words) {
        place.copy_from_slice(&u32::try_from(word).unwrap_or(u32::MAX).to_ne_bytes());
    }
}

fn value<'s>(scope: &'s Scope, text: MessageString) -> Value<'s> {
    match text {
        MessageString::Inline(inline) => scope.string_from_latin1(inline.units()),
        MessageString::Latin1(letters) => scope.string_from_latin1(&letters),
        MessageString::Utf16(units) => scope.string_from_utf16(&units),
        MessageString::Remote(lent) => value_of_lent(scope, lent),
    }
}

fn value_of_lent(scope: &Scope, lent: RemoteRef) -> Value<'_> {
    let Some(text) = lent.value().downcast_ref::<SharedString>() else { return scope.undefined() };
    let over = if lent.bytes() >= OVER_BYTES_MIN { text.clone_ref() } else { None };
    match over {
        Some(text) => text.into_value(scope, Box::new(lent)),
        None => text.value(scope),
    }
}

fn show<'s>(scope: &'s Scope, attachment: Attachment) -> Outcome<'s> {
    match attachment {
        Attachment::String(text) => Ok(value(scope, text)),
        Attachment::Port(port) => Ok(show_port(scope, port).value()),
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
            Err(_) => Err(unknown(scope)),
        },
    }
}

fn buffer<'s>(scope: &'s Scope, contents: Option<BufferContents>) -> Outcome<'s> {
    let buffer = contents.and_then(|contents| contents.into_buffer(scope));
    buffer.map(Object::value).ok_or_else(|| unknown(scope))
}

fn unknown(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Error, "what came with the message is unknown here")
}
