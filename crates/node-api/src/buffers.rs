//! Buffers, array buffers and views (`napi_create_buffer`, `napi_get_typedarray_info` and others).
//! In: sizes, memory of the addon. Out: handles, and the address of the bytes. An address stays
//! valid while the buffer is alive and not detached: a view's `buffer` is read before its address,
//! because the engine then moves the bytes of a small view for the last time.

use rusk_jsc::{ArrayBuffer, Bytes, Object, Value};

use crate::abi::{EnvPointer, Finalize, Foreign, Handle, List, Out, Status};
use crate::env::{Cx, Failure, Outcome};
use crate::finalizers::{Finalizer, free_foreign};
use crate::instance::Operation;

/// Node's limit, `v8::TypedArray::kMaxByteLength`.
const BYTES_MAX: usize = (1 << 53) - 1;

/// Buffers up to this size are allocated by the engine, in one call; larger ones are checked first
/// whether there is memory.
const POOLED_BYTES_MAX: usize = 1 << 20;

/// A zeroed buffer, and the address of its bytes.
fn create<'s>(cx: Cx<'s>, size: usize) -> Outcome<'s, (Value<'s>, Foreign)> {
    let mut bytes: Vec<u8> = Vec::new();
    // A size that the machine does not have must not end the process.
    if size > BYTES_MAX || bytes.try_reserve_exact(size).is_err() {
        return Err(Status::GenericFailure.into());
    }
    drop(bytes);
    let mut bytes = vec![0; size];
    let address = to_addon(bytes.as_mut_ptr());
    let buffer = ArrayBuffer::new(cx.scope, bytes)?;
    Ok((buffer.object().value(), address))
}

/// A `Buffer` over a part of an array buffer.
fn node_buffer<'s>(cx: Cx<'s>, buffer: Value<'_>, offset: usize, length: usize) -> Outcome<'s, Value<'s>> {
    let [offset, length] = [offset, length].map(|number| cx.scope.number(number as f64));
    Ok(cx.env.instance.call_js(cx.scope, Operation::CreateBuffer, &[buffer, offset, length])?)
}

/// A zeroed `Buffer`, and the address of its bytes, which stay where they are.
fn allocate<'s>(cx: Cx<'s>, size: usize) -> Outcome<'s, (Value<'s>, Foreign)> {
    if size > BYTES_MAX {
        let thrown = cx.env.instance.call_js(cx.scope, Operation::RefuseSize, &[]);
        return Err(match thrown {
            Err(thrown) => cx.refuse(thrown, Status::GenericFailure),
            Ok(_) => Status::GenericFailure.into(),
        });
    }
    if size > POOLED_BYTES_MAX {
        let (buffer, address) = create(cx, size)?;
        return Ok((node_buffer(cx, buffer, 0, size)?, address));
    }
    let instance = &cx.env.instance;
    let class = |operation| instance.js_function(cx.scope, operation);
    let (constructor, own) = (class(Operation::ByteArrayClass), class(Operation::BufferClass));
    let made = match cx.scope.construct_bytes(constructor, own, size as u32) {
        Some(made) => made,
        None => {
            let size = [cx.scope.number(size as f64)];
            instance.call_js(cx.scope, Operation::AllocateBuffer, &size)?
        }
    };
    let address = match Bytes::fixed(cx.scope, made) {
        Some((_, address, _)) => address,
        None => {
            cx.env.instance.call_js(cx.scope, Operation::FixBytes, &[made])?;
            Bytes::of(cx.scope, made).map_or(std::ptr::null_mut(), |view| view.address(cx.scope).0)
        }
    };
    Ok((made, Foreign(address.cast())))
}

/// An array buffer over memory of the addon.
fn over_foreign<'s>(cx: Cx<'s>, data: Foreign, size: usize, finalizer: Finalizer) -> Outcome<'s, Value<'s>> {
    if data == Foreign::NULL || size == 0 {
        // Nothing refers to the memory, so it is freed when the object is.
        let (buffer, _) = create(cx, 0)?;
        let options = crate::references::ReferenceOptions {
            env: finalizer.env,
            count: 0,
            data,
            finalizer: Some(finalizer),
            is_owned: true,
        };
        cx.env.instance.references.create(cx.scope, buffer, options);
        return Ok(buffer);
    }
    let token = cx.env.instance.foreign.add(finalizer);
    // SAFETY: the addon keeps the memory until its finalizer runs, which `free_foreign` causes.
    let buffer = unsafe { ArrayBuffer::over_foreign(cx.scope, (data.0, size), free_foreign, token) }?;
    Ok(buffer.object().value())
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_arraybuffer(
    env: EnvPointer,
    size: usize,
    data: Out<Foreign>,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let (buffer, address) = create(cx, size)?;
        data.set(address);
        cx.give(result, buffer)
    })
}

#[unsafe(no_mangle)]
extern "C" fn node_api_create_sharedarraybuffer(
    env: EnvPointer,
    size: usize,
    data: Out<Foreign>,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let arguments = [cx.scope.number(size as f64)];
        let buffer = cx.env.instance.call_js(cx.scope, Operation::CreateSharedArrayBuffer, &arguments)?;
        if let Some((address, _)) = bytes_of_buffer(cx, buffer)? {
            data.set(address);
        }
        cx.give(result, buffer)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_external_arraybuffer(
    env: EnvPointer,
    data: Foreign,
    size: usize,
    finalize: Option<Finalize>,
    hint: Foreign,
    result: Out<Handle>,
) -> Status {
    // As in Node, the result is optional here.
    env.run(|cx| {
        let buffer = over_foreign(cx, data, size, Finalizer { env, finalize, data, hint })?;
        cx.env.instance.call_js(cx.scope, Operation::MarkUntransferable, &[buffer])?;
        if data == Foreign::NULL {
            // As in V8, a buffer without memory counts as detached.
            cx.env.instance.call_js(cx.scope, Operation::Detach, &[buffer])?;
        }
        cx.give(result, buffer)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_buffer(
    env: EnvPointer,
    size: usize,
    data: Out<Foreign>,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let (made, address) = allocate(cx, size)?;
        data.set(address);
        cx.give(result, made)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_buffer_copy(
    env: EnvPointer,
    size: usize,
    source: List<'_, u8>,
    data: Out<Foreign>,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let (made, address) = allocate(cx, size)?;
        let bytes = source.read(size)?;
        if let Some(view) = Bytes::of(cx.scope, made).filter(|_| size > 0) {
            view.with_bytes_mut(cx.scope, |target| target.copy_from_slice(bytes));
        }
        data.set(address);
        cx.give(result, made)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_external_buffer(
    env: EnvPointer,
    size: usize,
    data: Foreign,
    finalize: Option<Finalize>,
    hint: Foreign,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let buffer = over_foreign(cx, data, size, Finalizer { env, finalize, data, hint })?;
        cx.env.instance.call_js(cx.scope, Operation::MarkUntransferable, &[buffer])?;
        let made = node_buffer(cx, buffer, 0, if data == Foreign::NULL { 0 } else { size })?;
        cx.give(result, made)
    })
}

#[unsafe(no_mangle)]
extern "C" fn node_api_create_buffer_from_arraybuffer(
    env: EnvPointer,
    buffer: Handle,
    offset: usize,
    length: usize,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let buffer = buffer.value(cx.scope)?;
        let result = result.check()?;
        let is_buffer = cx.env.instance.call_js(cx.scope, Operation::IsArrayBuffer, &[buffer])?;
        if !is_buffer.is_truthy(cx.scope) {
            return Err(Status::InvalidArg.into());
        }
        // Node throws its error if the range is outside, and returns the status of throwing.
        match node_buffer(cx, buffer, offset, length) {
            Err(Failure::Thrown(thrown)) => {
                cx.env.set_pending(cx.scope, thrown.value());
                Ok(())
            }
            made => cx.give(result, made?),
        }
    })
}

/// Address and size of an array buffer's bytes; `None`: it is none.
fn bytes_of_buffer<'s>(cx: Cx<'s>, buffer: Value<'s>) -> Outcome<'s, Option<(Foreign, usize)>> {
    let view = cx.env.instance.call_js(cx.scope, Operation::BytesOfBuffer, &[buffer])?;
    let Some(bytes) = Bytes::of(cx.scope, view) else { return Ok(None) };
    let (address, size) = bytes.address(cx.scope);
    // Those of a detached buffer are nowhere.
    Ok(Some((if size == 0 { Foreign::NULL } else { to_addon(address) }, size)))
}

/// The engine has this address for a buffer without bytes. In Node it is null, and packages pass it
/// on as a null pointer.
const EMPTY: usize = 1;

fn to_addon(address: *mut u8) -> Foreign {
    if address.addr() == EMPTY { Foreign::NULL } else { Foreign(address.cast()) }
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_arraybuffer_info(
    env: EnvPointer,
    buffer: Handle,
    data: Out<Foreign>,
    size: Out<usize>,
) -> Status {
    env.plain(|cx| {
        let buffer = buffer.value(cx.scope)?;
        let (address, count) = bytes_of_buffer(cx, buffer)?.ok_or(Status::InvalidArg)?;
        data.set(address);
        size.set(count);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_detach_arraybuffer(env: EnvPointer, buffer: Handle) -> Status {
    env.plain(|cx| {
        let buffer = buffer.value(cx.scope)?;
        let ask = |operation| cx.env.instance.call_js(cx.scope, operation, &[buffer]);
        if !ask(Operation::IsArrayBuffer)?.is_truthy(cx.scope) {
            return Err(Status::ArraybufferExpected.into());
        }
        if !ask(Operation::Detach)?.is_truthy(cx.scope) {
            return Err(Status::DetachableArraybufferExpected.into());
        }
        Ok(())
    })
}

/// What a view is of.
struct ViewInfo<'s> {
    /// `napi_typedarray_type`; -1: a `DataView`.
    kind: i32,
    /// In elements.
    length: usize,
    buffer: Value<'s>,
    offset: usize,
    address: Foreign,
    byte_length: usize,
}

/// `None`: the value is not a view.
fn view_info<'s>(cx: Cx<'s>, value: Value<'s>) -> Outcome<'s, Option<ViewInfo<'s>>> {
    let found = cx.env.instance.call_js(cx.scope, Operation::ViewInfo, &[value])?;
    let Some(list) = found.as_object(cx.scope) else { return Ok(None) };
    let number = |list: Object<'_>, index| list.element(cx.scope, index)?.to_number(cx.scope);
    let (kind, length, offset) = (number(list, 0)?, number(list, 1)?, number(list, 3)?);
    let buffer = list.element(cx.scope, 2)?;
    let (address, byte_length) =
        Bytes::of(cx.scope, value).map_or((std::ptr::null_mut(), 0), |bytes| bytes.address(cx.scope));
    // An empty view of a buffer that has bytes is somewhere, and one of an empty buffer nowhere.
    let is_nowhere = byte_length == 0 && bytes_of_buffer(cx, buffer)?.is_none_or(|(_, size)| size == 0);
    Ok(Some(ViewInfo {
        kind: kind as i32,
        length: length as usize,
        buffer,
        offset: offset as usize,
        address: if is_nowhere { Foreign::NULL } else { to_addon(address) },
        byte_length,
    }))
}

const DATA_VIEW: i32 = -1;

fn is_view(env: EnvPointer, value: Handle, result: Out<bool>, accepts: fn(i32) -> bool) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        let result = result.check()?;
        if Bytes::fixed(cx.scope, value).is_some() {
            // A typed array of some kind.
            result.set(accepts(0));
            return Ok(());
        }
        let found = match value.as_object(cx.scope) {
            Some(_) => view_info(cx, value)?,
            None => None,
        };
        result.set(found.is_some_and(|found| accepts(found.kind)));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_is_buffer(env: EnvPointer, value: Handle, result: Out<bool>) -> Status {
    is_view(env, value, result, |_| true)
}

#[unsafe(no_mangle)]
extern "C" fn napi_is_typedarray(env: EnvPointer, value: Handle, result: Out<bool>) -> Status {
    is_view(env, value, result, |kind| kind != DATA_VIEW)
}

#[unsafe(no_mangle)]
extern "C" fn napi_is_dataview(env: EnvPointer, value: Handle, result: Out<bool>) -> Status {
    is_view(env, value, result, |kind| kind == DATA_VIEW)
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_buffer_info(
    env: EnvPointer,
    value: Handle,
    data: Out<Foreign>,
    size: Out<usize>,
) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        if let Some((_, address, length)) = Bytes::fixed(cx.scope, value)
            && length > 0
        {
            data.set(to_addon(address));
            size.set(length);
            return Ok(());
        }
        let view = view_info(cx, value)?.ok_or(Status::InvalidArg)?;
        data.set(view.address);
        size.set(view.byte_length);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_typedarray_info(
    env: EnvPointer,
    value: Handle,
    kind: Out<i32>,
    length: Out<usize>,
    data: Out<Foreign>,
    buffer: Out<Handle>,
    offset: Out<usize>,
) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        let view = view_info(cx, value)?.filter(|view| view.kind != DATA_VIEW).ok_or(Status::InvalidArg)?;
        kind.set(view.kind);
        length.set(view.length);
        data.set(view.address);
        buffer.set(Handle::of(view.buffer));
        offset.set(view.offset);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_dataview_info(
    env: EnvPointer,
    value: Handle,
    length: Out<usize>,
    data: Out<Foreign>,
    buffer: Out<Handle>,
    offset: Out<usize>,
) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        let view = view_info(cx, value)?.filter(|view| view.kind == DATA_VIEW).ok_or(Status::InvalidArg)?;
        length.set(view.length);
        data.set(view.address);
        buffer.set(Handle::of(view.buffer));
        offset.set(view.offset);
        Ok(())
    })
}

/// Whether the value can be viewed.
fn is_buffer_kind<'s>(cx: Cx<'s>, buffer: Value<'s>) -> Outcome<'s, bool> {
    let ask = |operation| cx.env.instance.call_js(cx.scope, operation, &[buffer]);
    Ok(ask(Operation::IsArrayBuffer)?.is_truthy(cx.scope)
        || ask(Operation::IsSharedArrayBuffer)?.is_truthy(cx.scope))
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_typedarray(
    env: EnvPointer,
    kind: i32,
    length: usize,
    buffer: Handle,
    offset: usize,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let buffer = buffer.value(cx.scope)?;
        let result = result.check()?;
        if !is_buffer_kind(cx, buffer)? || !(0..=11).contains(&kind) {
            return Err(Status::InvalidArg.into());
        }
        let [kind, length, offset] =
            [f64::from(kind), length as f64, offset as f64].map(|number| cx.scope.number(number));
        let arguments = [kind, length, buffer, offset];
        let view = cx.env.instance.call_js(cx.scope, Operation::CreateTypedArray, &arguments);
        cx.give(result, view.map_err(|thrown| cx.refuse(thrown, Status::GenericFailure))?)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_dataview(
    env: EnvPointer,
    length: usize,
    buffer: Handle,
    offset: usize,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let buffer = buffer.value(cx.scope)?;
        let result = result.check()?;
        if !is_buffer_kind(cx, buffer)? {
            return Err(Status::InvalidArg.into());
        }
        let [length, offset] = [length, offset].map(|number| cx.scope.number(number as f64));
        let view = cx.env.instance.call_js(cx.scope, Operation::CreateDataView, &[length, buffer, offset])?;
        cx.give(result, view)
    })
}
