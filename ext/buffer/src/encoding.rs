//! Binding of `TextDecoder`: the legacy encodings of the Encoding Standard. In: labels, chunks of
//! bytes. Out: names, strings. Absent: `TextEncoder`, whose UTF-8 is in the binding of `Buffer`;
//! validation of arguments.

use std::cell::RefCell;

use encoding_rs::{CoderResult, Decoder, DecoderResult, Encoding, REPLACEMENT, UTF_8};
use rusk_jsc::{Bytes, Call, ErrorKind, Exception, Object, Outcome, Scope, Value};

use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add_fast, object};

/// A decoder of a stream, with its state between two chunks.
struct StreamDecoder {
    encoding: &'static Encoding,
    is_fatal: bool,
    keeps_bom: bool,
    decoder: RefCell<Option<Decoder>>,
}

/// The bytes are invalid in the encoding.
struct Malformed;

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_fast(scope, binding, "name", |scope, call| {
        let label = call.argument(scope, 0).to_rust_string(scope)?;
        let known = Encoding::for_label(label.as_bytes()).filter(|encoding| *encoding != REPLACEMENT);
        Ok(known.map_or_else(
            || scope.undefined(),
            |encoding| scope.string(&encoding.name().to_ascii_lowercase()),
        ))
    })?;
    add_fast(scope, binding, "decoder", |scope, call| {
        let name = call.argument(scope, 0).to_rust_string(scope)?;
        let state = StreamDecoder {
            encoding: Encoding::for_label(name.as_bytes()).unwrap_or(UTF_8),
            is_fatal: call.argument(scope, 1).is_truthy(scope),
            keeps_bom: call.argument(scope, 2).is_truthy(scope),
            decoder: RefCell::default(),
        };
        Ok(scope.native(state).value())
    })?;
    add_fast(scope, binding, "decode", decode)?;
    add_fast(scope, binding, "decodeUtf8", decode_utf8)?;
    Ok(binding)
}

/// `(bytes, isFatal, ignoreBOM)`: decodes complete UTF-8; null: it is malformed.
fn decode_utf8<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let is_fatal = call.argument(scope, 1).is_truthy(scope);
    let keeps_bom = call.argument(scope, 2).is_truthy(scope);
    let bytes = bytes(scope, call, 0)?;
    if let Some(text) = bytes.ascii_string(scope, 0..usize::MAX) {
        return Ok(text);
    }
    let text = bytes.with_bytes_mut(scope, |bytes| {
        let text = match bytes.strip_prefix(b"\xef\xbb\xbf") {
            Some(text) if !keeps_bom => text,
            _ => bytes,
        };
        match std::str::from_utf8(text) {
            Ok(text) => Some(text.to_owned()),
            Err(_) if is_fatal => None,
            Err(_) => Some(String::from_utf8_lossy(text).into_owned()),
        }
    });
    Ok(text.map_or_else(|| scope.null(), |text| scope.string(&text)))
}

/// `(decoder, bytes, isLast)`: decodes a chunk; null: it is malformed.
fn decode<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let state =
        call.argument(scope, 0).as_object(scope).and_then(|object| object.as_native::<StreamDecoder>(scope));
    let state = state.ok_or_else(|| Exception::new(scope, ErrorKind::Type, "argument must be a decoder"))?;
    let is_last = call.argument(scope, 2).is_truthy(scope);
    let mut decoder = state.decoder.borrow_mut().take().unwrap_or_else(|| match state.keeps_bom {
        true => state.encoding.new_decoder_without_bom_handling(),
        false => state.encoding.new_decoder_with_bom_removal(),
    });
    let is_fatal = state.is_fatal;
    let bytes = bytes(scope, call, 1)?;
    let text = match latin1_string(scope, &decoder, bytes) {
        Some(text) => Ok(text),
        None => bytes
            .with_bytes_mut(scope, |bytes| units(&mut decoder, bytes, is_last, is_fatal))
            .map(|units| shortest(scope, &units)),
    };
    if !is_last && text.is_ok() {
        *state.decoder.borrow_mut() = Some(decoder);
    }
    Ok(text.unwrap_or_else(|Malformed| scope.null()))
}

/// The string of a chunk that is compatible with Latin-1, if the decoder is at a character boundary
/// and past the byte order mark. The decoder is unchanged.
fn latin1_string<'s>(scope: &'s Scope, decoder: &Decoder, bytes: Bytes<'s>) -> Option<Value<'s>> {
    let count = bytes.with_bytes_mut(scope, |bytes| {
        let count = decoder.latin1_byte_compatible_up_to(bytes)?;
        (count == bytes.len()).then_some(count)
    })?;
    Some(scope.string_with(count, |characters| {
        bytes.with_bytes_mut(scope, |bytes| characters.copy_from_slice(&bytes[..count]))
    }))
}

fn shortest<'s>(scope: &'s Scope, units: &[u16]) -> Value<'s> {
    if units.iter().all(|unit| *unit <= 0xff) {
        return scope.string_with(units.len(), |characters| {
            characters.iter_mut().zip(units).for_each(|(character, unit)| *character = *unit as u8);
        });
    }
    scope.string_from_utf16(units)
}

fn units(decoder: &mut Decoder, bytes: &[u8], is_last: bool, is_fatal: bool) -> Result<Vec<u16>, Malformed> {
    let room = decoder.max_utf16_buffer_length(bytes.len()).ok_or(Malformed)?;
    let mut units = vec![0; room];
    let written = if is_fatal {
        let (result, _, written) = decoder.decode_to_utf16_without_replacement(bytes, &mut units, is_last);
        match result {
            DecoderResult::InputEmpty => written,
            DecoderResult::OutputFull | DecoderResult::Malformed(..) => return Err(Malformed),
        }
    } else {
        let (result, _, written, _) = decoder.decode_to_utf16(bytes, &mut units, is_last);
        match result {
            CoderResult::InputEmpty => written,
            CoderResult::OutputFull => return Err(Malformed),
        }
    };
    units.truncate(written);
    Ok(units)
}

fn bytes<'s>(scope: &'s Scope, call: &Call<'s>, at: usize) -> Result<Bytes<'s>, Exception<'s>> {
    let view: Option<Bytes<'_>> = Bytes::of(scope, call.argument(scope, at));
    view.ok_or_else(|| Exception::new(scope, ErrorKind::Type, "argument must be a buffer"))
}
