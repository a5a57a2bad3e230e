//! What Buffer asks of Rust: long strings to bytes and back, comparing, finding. In: views and
//! strings, offsets that JavaScript has checked; what is out of bounds all the same is cut off.
//! Out: numbers, strings, new bytes. Absent: what is short; loops of JavaScript are faster than a
//! call.

use rusk_jsc::{Bytes, Call, CodeUnits, ErrorKind, Exception, Object, Outcome, Scope, Value};

use crate::codecs::{self, base64, utf8};
use rusk_runtime::RuntimeState;
use rusk_runtime::bindings::{add_fast, object};

pub(crate) fn make<'s>(scope: &'s Scope, _: &RuntimeState) -> Result<Object<'s>, Exception<'s>> {
    let natives = object(scope)?;
    add_fast(scope, natives, "encode", |scope, call| {
        let bytes = letters(scope, call, 0, utf8::encode)?;
        Bytes::from_vec(scope, bytes).map(Value::from)
    })?;
    add_fast(scope, natives, "utf8Length", |scope, call| {
        Ok(scope.number(letters(scope, call, 0, utf8::length)? as f64))
    })?;
    add_fast(scope, natives, "writeUtf8", |scope, call| {
        write(scope, call, |to, from| utf8::write(to, from).0)
    })?;
    add_fast(scope, natives, "writeLatin1", |scope, call| write(scope, call, codecs::write_latin1))?;
    add_fast(scope, natives, "writeUtf16", |scope, call| write(scope, call, codecs::write_utf16))?;
    add_fast(scope, natives, "writeHex", |scope, call| write(scope, call, codecs::write_hex))?;
    add_fast(scope, natives, "writeBase64", |scope, call| {
        write(scope, call, |to, from| match from {
            CodeUnits::Latin1(letters) => base64::write(to, letters),
            CodeUnits::Utf16(units) => base64::write(to, &codecs::narrow(units)),
        })
    })?;
    add_fast(scope, natives, "encodeInto", encode_into)?;
    add_texts(scope, natives)?;
    add_looks(scope, natives)?;
    Ok(natives)
}

fn add_texts<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, natives, "textUtf8", text_utf8)?;
    add_fast(scope, natives, "textLatin1", |scope, call| {
        written(scope, call, |count| count, |bytes, letters| letters.copy_from_slice(bytes))
    })?;
    add_fast(scope, natives, "textAscii", |scope, call| {
        written(
            scope,
            call,
            |count| count,
            |bytes, letters| {
                letters.iter_mut().zip(bytes).for_each(|(letter, byte)| *letter = byte & 0x7f);
            },
        )
    })?;
    add_fast(scope, natives, "textHex", |scope, call| {
        written(scope, call, |count| count * 2, codecs::write_hex_of)
    })?;
    add_fast(scope, natives, "textBase64Url", |scope, call| {
        written(scope, call, base64::length, base64::encode_into)
    })?;
    add_fast(scope, natives, "textUtf16", |scope, call| {
        let units = part(scope, call, codecs::units)?;
        Ok(scope.string_from_utf16(&units))
    })?;
    add_fast(scope, natives, "atob", |scope, call| {
        let bytes = letters(scope, call, 0, |text| match text {
            CodeUnits::Latin1(letters) => base64::forgiving(letters),
            CodeUnits::Utf16(units) => {
                let letters: Result<Vec<u8>, _> = units.iter().map(|unit| u8::try_from(*unit)).collect();
                letters.ok().and_then(|letters| base64::forgiving(&letters))
            }
        })?;
        Ok(bytes.map_or_else(|| scope.null(), |bytes| scope.string_from_latin1(&bytes)))
    })?;
    add_fast(scope, natives, "btoa", |scope, call| {
        let text = letters(scope, call, 0, |text| match text {
            CodeUnits::Latin1(letters) => Some(base64::encode(letters)),
            CodeUnits::Utf16(units) => {
                let bytes: Result<Vec<u8>, _> = units.iter().map(|unit| u8::try_from(*unit)).collect();
                bytes.ok().map(|bytes| base64::encode(&bytes))
            }
        })?;
        Ok(text.map_or_else(|| scope.null(), |text| scope.string_from_latin1(text.as_bytes())))
    })
}

fn add_looks<'s>(scope: &'s Scope, natives: Object<'s>) -> Result<(), Exception<'s>> {
    add_fast(scope, natives, "isUtf8", |scope, call| {
        let is_valid =
            bytes(scope, call, 0)?.with_bytes_mut(scope, |bytes| std::str::from_utf8(bytes).is_ok());
        Ok(scope.boolean(is_valid))
    })?;
    add_fast(scope, natives, "isAscii", |scope, call| {
        Ok(scope.boolean(bytes(scope, call, 0)?.with_bytes_mut(scope, |bytes| bytes.is_ascii())))
    })?;
    add_fast(scope, natives, "compare", |scope, call| {
        let (left, right) = (bytes(scope, call, 0)?, bytes(scope, call, 1)?);
        let ends =
            [index(scope, call, 2), index(scope, call, 3), index(scope, call, 4), index(scope, call, 5)];
        let order = left.with_both(scope, right, |left, right| {
            cut(left, ends[0], ends[1]).cmp(cut(right, ends[2], ends[3]))
        });
        Ok(scope.number(f64::from(order as i8)))
    })?;
    add_fast(scope, natives, "find", |scope, call| {
        let (hay, needle, from) = (bytes(scope, call, 0)?, bytes(scope, call, 1)?, index(scope, call, 2));
        let is_forward = call.argument(scope, 3).is_truthy(scope);
        let step = index(scope, call, 4).clamp(1, 2);
        let found =
            hay.with_both(scope, needle, |hay, needle| codecs::find(hay, needle, from, is_forward, step));
        Ok(scope.number(found.map_or(-1.0, |place| place as f64)))
    })?;
    add_fast(scope, natives, "swap", |scope, call| {
        let size = index(scope, call, 1);
        bytes(scope, call, 0)?.with_bytes_mut(scope, |bytes| match size {
            2 => each(bytes, |two| u16::from_ne_bytes(two).swap_bytes().to_ne_bytes()),
            4 => each(bytes, |four| u32::from_ne_bytes(four).swap_bytes().to_ne_bytes()),
            _ => each(bytes, |eight| u64::from_ne_bytes(eight).swap_bytes().to_ne_bytes()),
        });
        Ok(scope.undefined())
    })
}

/// Of a size that the compiler knows, so that it takes many at once.
fn each<const SIZE: usize>(bytes: &mut [u8], swapped: impl Fn([u8; SIZE]) -> [u8; SIZE]) {
    bytes.as_chunks_mut().0.iter_mut().for_each(|chunk| *chunk = swapped(*chunk));
}

/// `(text, target, counts)`: UTF-8 of as many characters as there is room for; two numbers into
/// `counts`, a `Uint32Array`: units read, bytes written.
fn encode_into<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let target = bytes(scope, call, 1)?;
    let counts = target.with_bytes_and_string(scope, call.argument(scope, 0), utf8::write);
    let (written, read) = counts.ok_or_else(|| no_text(scope))?;
    let numbers = [read, written].map(|count| u32::try_from(count).unwrap_or(u32::MAX).to_ne_bytes());
    bytes(scope, call, 2)?.with_bytes_mut(scope, |counts| {
        counts.chunks_exact_mut(4).zip(&numbers).for_each(|(place, number)| place.copy_from_slice(number));
    });
    Ok(scope.undefined())
}

/// `(target, text, offset, room)`: how many bytes were written.
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
    written.map(|written| scope.number(written as f64)).ok_or_else(|| no_text(scope))
}

/// `(bytes, start, end)` as UTF-8.
fn text_utf8<'s>(scope: &'s Scope, call: &Call<'s>) -> Outcome<'s> {
    let range = index(scope, call, 1)..index(scope, call, 2);
    if let Some(text) = bytes(scope, call, 0)?.ascii_string(scope, range) {
        return Ok(text);
    }
    let text = part(scope, call, |bytes| bytes.to_vec())?;
    Ok(scope.string_from_utf8_lossy(&text))
}

/// `(bytes, start, end)`: a text that is written where it stays, with as many characters as
/// `length` says of so many bytes.
fn written<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    length: fn(usize) -> usize,
    write: fn(&[u8], &mut [u8]),
) -> Outcome<'s> {
    let bytes = bytes(scope, call, 0)?;
    let (start, end) = (index(scope, call, 1), index(scope, call, 2).min(bytes.len(scope)));
    let count = end.saturating_sub(start);
    Ok(scope.string_with(length(count), |letters| {
        bytes.with_bytes_mut(scope, |bytes| write(cut(bytes, start, end), letters));
    }))
}

/// `(bytes, start, end)`: what `body` makes of them.
fn part<'s, R>(
    scope: &'s Scope,
    call: &Call<'s>,
    body: impl FnOnce(&[u8]) -> R + Send,
) -> Result<R, Exception<'s>> {
    let (start, end) = (index(scope, call, 1), index(scope, call, 2));
    Ok(bytes(scope, call, 0)?.with_bytes_mut(scope, |bytes| body(cut(bytes, start, end))))
}

fn cut(bytes: &[u8], start: usize, end: usize) -> &[u8] {
    let end = end.min(bytes.len());
    &bytes[start.min(end)..end]
}

fn bytes<'s>(scope: &'s Scope, call: &Call<'s>, at: usize) -> Result<Bytes<'s>, Exception<'s>> {
    let found = Bytes::of(scope, call.argument(scope, at));
    found.ok_or_else(|| Exception::new(scope, ErrorKind::Type, "argument must be a buffer"))
}

fn letters<'s, R>(
    scope: &'s Scope,
    call: &Call<'s>,
    at: usize,
    body: impl FnOnce(CodeUnits<'_>) -> R + Send,
) -> Result<R, Exception<'s>> {
    call.argument(scope, at).with_code_units(scope, body).ok_or_else(|| no_text(scope))
}

fn no_text(scope: &Scope) -> Exception<'_> {
    Exception::new(scope, ErrorKind::Type, "argument must be a string")
}

/// A number that JavaScript has checked; others are zero.
fn index<'s>(scope: &'s Scope, call: &Call<'s>, at: usize) -> usize {
    call.argument(scope, at).to_number(scope).map_or(0, |number| number as usize)
}
