//! Strings and symbols (`napi_create_string_utf8`, `napi_get_value_string_utf16` and others). In:
//! Latin-1, UTF-8, UTF-16. Out: handles, and back into buffers of the addon, which are never
//! overrun and end in NUL. External strings refer to the
//! addon's memory where the engine can, and are copies elsewhere, which the API allows.

use rusk_jsc::{CodeUnits, Kind, Scope, Value, copy_ascii};

use crate::abi::{EnvPointer, Finalize, Foreign, Handle, List, Out, Space, Status, Unit, text};
use crate::env::{Cx, Outcome};
use crate::finalizers::{Finalizer, ForeignOwner};
use crate::instance::Operation;

fn create<T: Unit>(
    env: EnvPointer,
    string: List<'_, T>,
    length: usize,
    result: Out<Handle>,
    make: impl for<'s> FnOnce(&'s Scope, &[T]) -> Value<'s>,
) -> Status {
    let units = text(string, length);
    env.plain(|cx| {
        let result = result.check()?;
        cx.give(result, make(cx.scope, units?))
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_string_latin1(
    env: EnvPointer,
    string: List<'_, u8>,
    length: usize,
    result: Out<Handle>,
) -> Status {
    create(env, string, length, result, |scope, units| scope.string_from_latin1(units))
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_string_utf8(
    env: EnvPointer,
    string: List<'_, u8>,
    length: usize,
    result: Out<Handle>,
) -> Status {
    create(env, string, length, result, |scope, units| scope.string_from_utf8_lossy(units))
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_string_utf16(
    env: EnvPointer,
    string: List<'_, u16>,
    length: usize,
    result: Out<Handle>,
) -> Status {
    create(env, string, length, result, |scope, units| scope.string_from_utf16(units))
}

#[unsafe(no_mangle)]
extern "C" fn node_api_create_property_key_latin1(
    env: EnvPointer,
    string: List<'_, u8>,
    length: usize,
    result: Out<Handle>,
) -> Status {
    napi_create_string_latin1(env, string, length, result)
}

#[unsafe(no_mangle)]
extern "C" fn node_api_create_property_key_utf8(
    env: EnvPointer,
    string: List<'_, u8>,
    length: usize,
    result: Out<Handle>,
) -> Status {
    napi_create_string_utf8(env, string, length, result)
}

#[unsafe(no_mangle)]
extern "C" fn node_api_create_property_key_utf16(
    env: EnvPointer,
    string: List<'_, u16>,
    length: usize,
    result: Out<Handle>,
) -> Status {
    napi_create_string_utf16(env, string, length, result)
}

/// Makes a string over the addon's memory, or a copy, which is freed at once.
fn over<'s>(
    cx: Cx<'s>,
    units: CodeUnits<'_>,
    finalizer: Finalizer,
    copied: Out<bool>,
    copy: impl FnOnce(&'s Scope) -> Value<'s>,
) -> Value<'s> {
    let owner = Box::new(ForeignOwner::new(&cx.env.instance, finalizer));
    // SAFETY: the addon keeps the memory until its finalizer runs, which the owner causes. If the
    // string was copied, it is due now.
    let made = unsafe { cx.scope.string_over(units, owner) };
    copied.set(made.is_none());
    made.unwrap_or_else(|| copy(cx.scope))
}

#[unsafe(no_mangle)]
extern "C" fn node_api_create_external_string_latin1(
    env: EnvPointer,
    string: List<'_, u8>,
    length: usize,
    finalize: Option<Finalize>,
    hint: Foreign,
    result: Out<Handle>,
    copied: Out<bool>,
) -> Status {
    let units = text(string, length);
    env.plain(|cx| {
        let (result, units) = (result.check()?, units?);
        let finalizer = Finalizer { env, finalize, data: string.foreign(), hint };
        let made =
            over(cx, CodeUnits::Latin1(units), finalizer, copied, |scope| scope.string_from_latin1(units));
        cx.give(result, made)
    })
}

#[unsafe(no_mangle)]
extern "C" fn node_api_create_external_string_utf16(
    env: EnvPointer,
    string: List<'_, u16>,
    length: usize,
    finalize: Option<Finalize>,
    hint: Foreign,
    result: Out<Handle>,
    copied: Out<bool>,
) -> Status {
    let units = text(string, length);
    env.plain(|cx| {
        let (result, units) = (result.check()?, units?);
        let finalizer = Finalizer { env, finalize, data: string.foreign(), hint };
        let made =
            over(cx, CodeUnits::Utf16(units), finalizer, copied, |scope| scope.string_from_utf16(units));
        cx.give(result, made)
    })
}

/// Copies a string into the addon's buffer, or counts its units if there is no buffer.
#[inline]
fn read<T: Unit + Send>(
    env: EnvPointer,
    value: Handle,
    (buffer, size): (Space<'_, T>, usize),
    result: Out<usize>,
    count: impl Fn(CodeUnits<'_>) -> usize + Sync,
    copy: impl Fn(CodeUnits<'_>, &mut [T]) -> usize + Sync,
) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        let space = buffer.write(size);
        let is_counted = space.is_none();
        let units = value.with_code_units(cx.scope, |units| match space {
            None => count(units),
            Some([]) => 0,
            Some(space) => {
                let room = space.len() - 1;
                let copied = copy(units, &mut space[..room]);
                space[copied] = T::NUL;
                copied
            }
        });
        let units = units.ok_or_else(|| no_string(cx, value))?;
        (if is_counted { result.check()? } else { result }).set(units);
        Ok(())
    })
}

/// Why a value has no code units.
#[cold]
fn no_string(cx: Cx<'_>, value: Value<'_>) -> Status {
    if value.kind(cx.scope) == Kind::String { Status::GenericFailure } else { Status::StringExpected }
}

fn unit_count(units: CodeUnits<'_>) -> usize {
    match units {
        CodeUnits::Latin1(units) => units.len(),
        CodeUnits::Utf16(units) => units.len(),
    }
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_value_string_latin1(
    env: EnvPointer,
    value: Handle,
    buffer: Space<'_, u8>,
    size: usize,
    result: Out<usize>,
) -> Status {
    read(env, value, (buffer, size), result, unit_count, |units, space| match units {
        CodeUnits::Latin1(units) => {
            let count = units.len().min(space.len());
            space[..count].copy_from_slice(&units[..count]);
            count
        }
        CodeUnits::Utf16(units) => {
            let pairs = space.iter_mut().zip(units);
            pairs.map(|(target, unit)| *target = *unit as u8).count()
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_value_string_utf16(
    env: EnvPointer,
    value: Handle,
    buffer: Space<'_, u16>,
    size: usize,
    result: Out<usize>,
) -> Status {
    read(env, value, (buffer, size), result, unit_count, |units, space| match units {
        CodeUnits::Latin1(units) => {
            let pairs = space.iter_mut().zip(units);
            pairs.map(|(target, unit)| *target = u16::from(*unit)).count()
        }
        CodeUnits::Utf16(units) => {
            let count = units.len().min(space.len());
            space[..count].copy_from_slice(&units[..count]);
            count
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_value_string_utf8(
    env: EnvPointer,
    value: Handle,
    buffer: Space<'_, u8>,
    size: usize,
    result: Out<usize>,
) -> Status {
    read(env, value, (buffer, size), result, utf8_count, utf8_copy)
}

fn utf8_count(units: CodeUnits<'_>) -> usize {
    match units {
        CodeUnits::Latin1(units) => units.len() + units.iter().filter(|unit| **unit >= 0x80).count(),
        CodeUnits::Utf16(units) => characters(units).map(char::len_utf8).sum(),
    }
}

/// Whole characters only; an unpaired surrogate becomes U+FFFD.
#[inline]
fn utf8_copy(units: CodeUnits<'_>, space: &mut [u8]) -> usize {
    match units {
        CodeUnits::Latin1(units) => {
            let count = units.len().min(space.len());
            match copy_ascii(&units[..count], &mut space[..count]) {
                true => count,
                false => encode(units.iter().map(|unit| char::from(*unit)), space),
            }
        }
        CodeUnits::Utf16(units) => encode(characters(units), space),
    }
}

fn characters(units: &[u16]) -> impl Iterator<Item = char> {
    char::decode_utf16(units.iter().copied()).map(|one| one.unwrap_or(char::REPLACEMENT_CHARACTER))
}

fn encode(characters: impl Iterator<Item = char>, space: &mut [u8]) -> usize {
    let mut used = 0;
    for character in characters {
        let length = character.len_utf8();
        if length > space.len() - used {
            break;
        }
        character.encode_utf8(&mut space[used..used + length]);
        used += length;
    }
    used
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_symbol(env: EnvPointer, description: Handle, result: Out<Handle>) -> Status {
    env.plain(|cx| {
        let result = result.check()?;
        if description.is_null() {
            return cx.give(result, cx.scope.symbol(None));
        }
        let description = description.value(cx.scope)?;
        if description.kind(cx.scope) != Kind::String {
            return Err(Status::StringExpected.into());
        }
        let description = description.to_rust_string(cx.scope)?;
        cx.give(result, cx.scope.symbol(Some(&description)))
    })
}

#[unsafe(no_mangle)]
extern "C" fn node_api_symbol_for(
    env: EnvPointer,
    description: List<'_, u8>,
    length: usize,
    result: Out<Handle>,
) -> Status {
    let units = text(description, length);
    env.plain(|cx| -> Outcome<'_> {
        let result = result.check()?;
        let description = cx.scope.string_from_utf8_lossy(units?);
        let symbol = cx.env.instance.call_js(cx.scope, Operation::SymbolFor, &[description])?;
        cx.give(result, symbol)
    })
}
