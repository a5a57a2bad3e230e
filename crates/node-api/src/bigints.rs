//! BigInts (`napi_create_bigint_words`, `napi_get_value_bigint_int64` and others). In: sign and
//! words of 64 bits, the lowest first. Out: handles, and back. The words pass in an `ArrayBuffer`.

use rusk_jsc::{ArrayBuffer, Bytes, Kind, Value};

use crate::abi::{EnvPointer, Handle, List, Out, Space, Status};
use crate::env::{Cx, Outcome};
use crate::instance::Operation;

/// V8's limit, `v8::BigInt` of 2 to the 30th bits; a longer one is refused with a `RangeError`.
const WORDS_MAX: usize = 1 << 24;

fn create<'s>(cx: Cx<'s>, is_negative: bool, words: &[u64]) -> Outcome<'s, Value<'s>> {
    let bytes = words.iter().flat_map(|word| word.to_ne_bytes()).collect();
    let buffer = ArrayBuffer::new(cx.scope, bytes)?.object().value();
    let arguments = [cx.scope.boolean(is_negative), buffer];
    Ok(cx.env.instance.call_js(cx.scope, Operation::BigintFromWords, &arguments)?)
}

/// Sign and words.
fn words<'s>(cx: Cx<'s>, value: Handle) -> Outcome<'s, (bool, Vec<u64>)> {
    let value = value.value(cx.scope)?;
    if value.kind(cx.scope) != Kind::BigInt {
        return Err(Status::BigintExpected.into());
    }
    let parts = cx.env.instance.call_js(cx.scope, Operation::BigintToWords, &[value])?;
    let parts = parts.as_object(cx.scope).ok_or(Status::GenericFailure)?;
    let is_negative = parts.element(cx.scope, 0)?.is_truthy(cx.scope);
    let view = parts.element(cx.scope, 1)?;
    let bytes = Bytes::of(cx.scope, view).ok_or(Status::GenericFailure)?.copy(cx.scope);
    let word = |chunk: &[u8]| u64::from_ne_bytes(chunk.try_into().expect("eight bytes"));
    Ok((is_negative, bytes.chunks_exact(8).map(word).collect()))
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_bigint_int64(env: EnvPointer, value: i64, result: Out<Handle>) -> Status {
    env.plain(|cx| {
        let result = result.check()?;
        let made = create(cx, value < 0, &[value.unsigned_abs()])?;
        cx.give(result, made)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_bigint_uint64(env: EnvPointer, value: u64, result: Out<Handle>) -> Status {
    env.plain(|cx| {
        let result = result.check()?;
        let made = create(cx, false, &[value])?;
        cx.give(result, made)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_bigint_words(
    env: EnvPointer,
    sign: i32,
    count: usize,
    list: List<'_, u64>,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        if list.is_null() || count > i32::MAX as usize {
            return Err(Status::InvalidArg.into());
        }
        let result = result.check()?;
        if count > WORDS_MAX {
            let text = "Maximum BigInt size exceeded";
            let error = rusk_jsc::Exception::new(cx.scope, rusk_jsc::ErrorKind::Range, text);
            return Err(error.into());
        }
        let made = create(cx, sign != 0, list.read(count)?)?;
        cx.give(result, made)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_value_bigint_int64(
    env: EnvPointer,
    value: Handle,
    result: Out<i64>,
    lossless: Out<bool>,
) -> Status {
    env.plain(|cx| {
        let (result, lossless) = (result.check()?, lossless.check()?);
        let (is_negative, words) = words(cx, value)?;
        let low = words.first().copied().unwrap_or(0);
        let number = if is_negative { low.wrapping_neg() } else { low } as i64;
        result.set(number);
        lossless.set(words.len() <= 1 && (number < 0) == (is_negative && low != 0));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_value_bigint_uint64(
    env: EnvPointer,
    value: Handle,
    result: Out<u64>,
    lossless: Out<bool>,
) -> Status {
    env.plain(|cx| {
        let (result, lossless) = (result.check()?, lossless.check()?);
        let (is_negative, words) = words(cx, value)?;
        let low = words.first().copied().unwrap_or(0);
        result.set(if is_negative { low.wrapping_neg() } else { low });
        lossless.set(words.len() <= 1 && !is_negative);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_value_bigint_words(
    env: EnvPointer,
    value: Handle,
    sign: Out<i32>,
    count: Out<usize>,
    list: Space<'_, u64>,
) -> Status {
    env.plain(|cx| {
        let count = count.check()?;
        let room = count.read().unwrap_or(0);
        let (is_negative, words) = words(cx, value)?;
        match list.write(room) {
            None if sign.is_null() => count.set(words.len()),
            None => return Err(Status::InvalidArg.into()),
            Some(space) => {
                sign.check()?.set(i32::from(is_negative));
                let copied = words.len().min(space.len());
                space[..copied].copy_from_slice(&words[..copied]);
                // The number of words that the value needs, as V8 returns it.
                count.set(words.len());
            }
        }
        Ok(())
    })
}
