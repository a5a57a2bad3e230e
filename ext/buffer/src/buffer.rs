//! Binding of `Buffer`: encodes and decodes long strings, compares and searches bytes. In: views,
//! strings, offsets that JavaScript has validated; offsets out of bounds are clamped. Out: numbers,
//! strings, bytes. Absent: short inputs, for which a JavaScript loop is faster than a call.

use rusk_jsc::{Bytes, Call, CodeUnits, ErrorKind, Exception, Object, Outcome, Scope, Value};

use crate::codecs::{self, base64, utf8};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add_fast, object};

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let binding = object(scope)?;
    add_fast(scope, binding, "encode", |scope, call| {
        let bytes = with_string(scope, call, 0, utf8::encode)?;
        Bytes::from_vec(scope, bytes).map(Value::from)
    })?;
    add_fast(scope, binding, "utf8Length", |scope, call| {
        Ok(scope.number(with_string(scope, call, 0, utf8::length)? as f64))
    })?;
    add_fast(scope, binding, "utf8Write", |scope, call| {
        write(scope, call, |to, from| utf8::write(to, from).0)
    })?;
    add_fast(scope, binding, "latin1Write", |scope, call| write(scope, call, codecs::write_latin1))?;
    add_fast(scope, binding, "ucs2Write", |scope, call| write(scope, call, codecs::write_utf16))?;
    add_fast(scope, binding, "hexWrite", |scope, call| write(scope, call, codecs::write_hex))?;
    add_fast(scope, binding, "base64Write", |scope, call| {
        write(scope, call, |to, from| match from {
            CodeUnits::Latin1(characters) => base64::write(to, characters),
            CodeUnits::Utf16(units) => base64::write(to, &codecs::narrow(units)),
        })
    })?;
    add_fast(scope, binding, "encodeInto", encode_into)?;
    add_slices(scope, binding)?;
    add_queries(scope, binding)?;
    Ok(binding)
}

fn add_slices<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, binding, "utf8Slice", utf8_slice)?;
    add_fast(scope, binding, "latin1Slice", |scope, call| {
        latin1_string(scope, call, |count| count, |bytes, characters| characters.copy_from_slice(bytes))
    })?;
    add_fast(scope, binding, "asciiSlice", |scope, call| {
        latin1_string(
            scope,
            call,
            |count| count,
            |bytes, characters| {
                characters.iter_mut().zip(bytes).for_each(|(character, byte)| *character = byte & 0x7f);
            },
        )
    })?;
    add_fast(scope, binding, "hexSlice", |scope, call| {
        latin1_string(scope, call, |count| count * 2, codecs::encode_hex_into)
    })?;
    add_fast(scope, binding, "base64urlSlice", |scope, call| {
        latin1_string(scope, call, base64::length, base64::encode_into)
    })?;
    add_fast(scope, binding, "ucs2Slice", |scope, call| {
        let units = with_range(scope, call, codecs::units)?;
        Ok(scope.string_from_utf16(&units))
    })?;
    add_fast(scope, binding, "atob", |scope, call| {
        let bytes = with_string(scope, call, 0, |text| match text {
            CodeUnits::Latin1(characters) => base64::forgiving(characters),
            CodeUnits::Utf16(units) => {
                let characters: Result<Vec<u8>, _> = units.iter().map(|unit| u8::try_from(*unit)).collect();
                characters.ok().and_then(|characters| base64::forgiving(&characters))
            }
        })?;
        Ok(bytes.map_or_else(|| scope.null(), |bytes| scope.string_from_latin1(&bytes)))
    })?;
    add_fast(scope, binding, "btoa", |scope, call| {
        let text = with_string(scope, call, 0, |text| match text {
            CodeUnits::Latin1(characters) => Some(base64::encode(characters)),
            CodeUnits::Utf16(units) => {
                let bytes: Result<Vec<u8>, _> = units.iter().map(|unit| u8::try_from(*unit)).collect();
                bytes.ok().map(|bytes| base64::encode(&bytes))
            }
        })?;
        Ok(text.map_or_else(|| scope.null(), |text| scope.string_from_latin1(text.as_bytes())))
    })
}

fn add_queries<'s>(scope: &'s Scope, binding: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, binding, "isUtf8", |scope, call| {
        let is_valid =
            bytes(scope, call, 0)?.with_bytes_mut(scope, |bytes| std::str::from_utf8(bytes).is_ok());
        Ok(scope.boolean(is_valid))
    })?;
    add_fast(scope, binding, "isAscii", |scope, call| {
        Ok(scope.boolean(bytes(scope, call, 0)?.with_bytes_mut(scope, |bytes| bytes.is_ascii())))
    })?;
    add_fast(scope, binding, "compare", |scope, call| {
        let (left, right) = (bytes(scope, call, 0)?, bytes(scope, call, 1)?);
        let ends =
            [index(scope, call, 2), index(scope, call, 3), index(scope, call, 4), index(scope, call, 5)];
        let order = left.with_both(scope, right, |left, right| {
            clamped(left, ends[0], ends[1]).cmp(clamped(right, ends[2], ends[3]))
        });
        Ok(scope.number(f64::from(order as i8)))
    })?;
    add_fast(scope, binding, "find", |scope, call| {
        let (hay, needle, from) = (bytes(scope, call, 0)?, bytes(scope, call, 1)?, index(scope, call, 2));
        let is_forward = call.argument(scope, 3).is_truthy(scope);
        let step = index(scope, call, 4).clamp(1, 2);
        let found =
            hay.with_both(scope, needle, |hay, needle| codecs::find(hay, needle, from, is_forward, step));
        Ok(scope.number(found.map_or(-1.0, |offset| offset as f64)))
    })?;
    add_fast(scope, binding, "swap", |scope, call| {
        let size = index(scope, call, 1);
        bytes(scope, call, 0)?.with_bytes_mut(scope, |bytes| match size {
            2 => swap_chunks(bytes, |two| u16::from_ne_bytes(two).swap_bytes().to_ne_bytes()),
            4 => swap_chunks(bytes, |four| u32::from_ne_bytes(four).swap_bytes().to_ne_bytes()),
            _ => swap_chunks(bytes, |eight| u64::from_ne_bytes(eight).swap_bytes().to_ne_bytes()),
        });
        Ok(scope.undefined())
    })
}

/// Swaps chunks of a constant size, which the compiler vectorizes.
fn swap_chunks<const SIZE: usize>(bytes: &mut [u8], swapped: impl Fn([u8; SIZE]) -> [u8; SIZE]) {
    bytes.as_chunks_mut().0.iter_mut().for_each(|chunk| *chunk = swapped(*chunk));
}

/// `(string, target, counts)`: writes UTF-8 of the characters that fit, and into `counts`, a
/// `Uint32Array`, the numbers of code units read and bytes written.
fn encode_into<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let target = bytes(scope, call, 1)?;
    let counts = target.with_bytes_and_string(scope, call.argument(scope, 0), utf8::write);
    let (written, read) = counts.ok_or_else(|| not_a_string(scope))?;
    let numbers = [read, written].map(|count| u32::try_from(count).unwrap_or(u32::MAX).to_ne_bytes());
    bytes(scope, call, 2)?.with_bytes_mut(scope, |counts| {
        counts.chunks_exact_mut(4).zip(&numbers).for_each(|(slot, number)| slot.copy_from_slice(number));
    });
    Ok(scope.undefined())
}

/// `(target, string, offset, length)`: the number of bytes written.
fn write<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    body: impl FnOnce(&mut [u8], CodeUnits<'_>) -> usize + Send,
) -> Outcome<'s> {
    let (offset, room) = (index(scope, call, 2), index(scope, call, 3));
    let written =
        bytes(scope, call, 0)?.with_bytes_and_string(scope, call.argument(scope, 1), |target, text| {
            let begin = offset.min(target.len());
            let end = begin.saturating_add(room).min(target.len());
            body(&mut target[begin..end], text)
        });
    written.map(|written| scope.number(written as f64)).ok_or_else(|| not_a_string(scope))
}

/// `(bytes, start, end)`: a string decoded from UTF-8.
fn utf8_slice<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let range = index(scope, call, 1)..index(scope, call, 2);
    if let Some(text) = bytes(scope, call, 0)?.ascii_string(scope, range) {
        return Ok(text);
    }
    let text = with_range(scope, call, |bytes| bytes.to_vec())?;
    Ok(scope.string_from_utf8_lossy(&text))
}

/// `(bytes, start, end)`: a Latin-1 string that `write` fills in place. `length` returns its length
/// for a number of bytes.
fn latin1_string<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    length: fn(usize) -> usize,
    write: fn(&[u8], &mut [u8]),
) -> Outcome<'s> {
    let bytes = bytes(scope, call, 0)?;
    let (start, end) = (index(scope, call, 1), index(scope, call, 2).min(bytes.len(scope)));
    let count = end.saturating_sub(start);
    Ok(scope.string_with(length(count), |characters| {
        bytes.with_bytes_mut(scope, |bytes| write(clamped(bytes, start, end), characters));
    }))
}

/// `(bytes, start, end)`: the result of `body` for that range.
fn with_range<'s, R>(
    scope: &'s Scope,
    call: &Call<'s>,
    body: impl FnOnce(&[u8]) -> R + Send,
) -> Result<R, Exception<'s>> {
    let (start, end) = (index(scope, call, 1), index(scope, call, 2));
    Ok(bytes(scope, call, 0)?.with_bytes_mut(scope, |bytes| body(clamped(bytes, start, end))))
}

fn clamped(bytes: &[u8], start: usize, end: usize) -> &[u8] {
    let end = end.min(bytes.len());
    &bytes[start.min(end)..end]
}

fn bytes<'s>(scope: &'s Scope, call: &Call<'s>, at: usize) -> Result<Bytes<'s>, Exception<'s>> {
    let found = Bytes::of(scope, call.argument(scope, at));
    found.ok_or_else(|| Exception::new(scope, ErrorKind::Type, "argument must be a buffer"))
}

fn with_string<'s, R>(
    scope: &'s Scope,
    call: &Call<'s>,
    at: usize,
    body: impl FnOnce(CodeUnits<'_>) -> R + Send,
) -> Result<R, Exception<'s>> {
    call.argument(scope, at).with_code_units(scope, body).ok_or_else(|| not_a_string(scope))
}

fn not_a_string(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Type, "argument must be a string")
}

/// An index that JavaScript has validated; 0 if it is no number.
fn index<'s>(scope: &'s Scope, call: &Call<'s>, at: usize) -> usize {
    call.argument(scope, at).to_number(scope).map_or(0, |number| number as usize)
}
