//! Functions of references, wraps, externals and type tags (`napi_create_reference`, `napi_wrap`,
//! `napi_create_external`, `napi_type_tag_object` and others). In: handles. Out: what
//! [`crate::references`] keeps.

use rusk_jsc::{Kind, Object, Scope, Value};

use crate::abi::{EnvPointer, Finalize, Foreign, Handle, List, Out, Status, TypeTag};
use crate::deferred_references::ReferenceChange;
use crate::env::{Cx, Failure, Outcome};
use crate::finalizers::Finalizer;
use crate::objects::to_object;
use crate::references::{Reference, ReferenceOptions};

/// `napi_ref`.
type ReferencePointer = *const Reference;

/// The private value of an external.
struct External(Foreign);

/// Versions from this one on have references of any value.
const ANY_VALUE_VERSION: i32 = 10;

pub fn external_data(scope: &Scope, value: Value<'_>) -> Option<Foreign> {
    value.as_object(scope)?.as_native::<External>(scope).map(|external| external.0)
}

/// The address that an external is.
pub fn external_address(scope: &Scope, value: Value<'_>) -> Option<usize> {
    external_data(scope, value).map(|data| data.0.addr())
}

/// The object of a handle; a primitive value cannot be wrapped.
fn wrappable<'s>(cx: Cx<'s>, handle: Handle) -> Outcome<'s, Object<'s>> {
    handle.value(cx.scope)?.as_object(cx.scope).ok_or(Failure::Status(Status::InvalidArg))
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_reference(
    env: EnvPointer,
    value: Handle,
    count: u32,
    result: Out<ReferencePointer>,
) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        let result = result.check()?;
        let is_any = cx.env.version >= ANY_VALUE_VERSION;
        if !is_any && !matches!(value.kind(cx.scope), Kind::Object | Kind::Symbol) {
            return Err(Status::InvalidArg.into());
        }
        let options = ReferenceOptions { env, count, data: Foreign::NULL, finalizer: None, is_owned: false };
        let reference = cx.env.instance.references.create(cx.scope, value, options);
        result.set(std::rc::Rc::as_ptr(&reference));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_delete_reference(env: EnvPointer, reference: ReferencePointer) -> Status {
    if let Some(status) = deferred(env, ReferenceChange::Delete, reference) {
        return status;
    }
    env.basic(|owner| {
        let is_found = owner.instance.references.delete(&owner.instance, reference.addr());
        if is_found { Ok(()) } else { Err(Status::InvalidArg) }
    })
}

/// Hands a call on another thread to the runtime's; `None`: this is the runtime's thread.
fn deferred(env: EnvPointer, change: ReferenceChange, reference: ReferencePointer) -> Option<Status> {
    let instance = &env.env()?.instance;
    if instance.is_current() {
        return None;
    }
    instance.deferred.push(change, reference);
    Some(Status::Ok)
}

fn find(cx: Cx<'_>, reference: ReferencePointer) -> Result<std::rc::Rc<Reference>, Status> {
    cx.env.instance.references.find(reference.addr()).ok_or(Status::InvalidArg)
}

#[unsafe(no_mangle)]
extern "C" fn napi_reference_ref(env: EnvPointer, reference: ReferencePointer, result: Out<u32>) -> Status {
    env.plain(|cx| {
        result.set(find(cx, reference)?.add(cx.scope));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_reference_unref(env: EnvPointer, reference: ReferencePointer, result: Out<u32>) -> Status {
    if let Some(status) = deferred(env, ReferenceChange::Unref, reference) {
        // The count is known on the runtime's thread only.
        result.set(0);
        return status;
    }
    env.plain(|cx| {
        let reference = find(cx, reference)?;
        if reference.count() == 0 {
            return Err(Status::GenericFailure.into());
        }
        result.set(reference.subtract(cx.scope));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_reference_value(
    env: EnvPointer,
    reference: ReferencePointer,
    result: Out<Handle>,
) -> Status {
    env.plain(|cx| {
        let reference = find(cx, reference)?;
        result.check()?.set(reference.value(cx.scope).map_or(Handle::NULL, Handle::of));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_wrap(
    env: EnvPointer,
    object_handle: Handle,
    data: Foreign,
    finalize: Option<Finalize>,
    hint: Foreign,
    result: Out<ReferencePointer>,
) -> Status {
    env.run(|cx| {
        let object = wrappable(cx, object_handle)?;
        let references = &cx.env.instance.references;
        if references.has_wrap(cx.scope, object) {
            return Err(Status::InvalidArg.into());
        }
        if !result.is_null() && finalize.is_none() {
            return Err(Status::InvalidArg.into());
        }
        let finalizer = finalize.map(|finalize| Finalizer { env, finalize: Some(finalize), data, hint });
        let options = ReferenceOptions { env, count: 0, data, finalizer, is_owned: result.is_null() };
        let reference = references.create(cx.scope, object.value(), options);
        references.wrap(cx.scope, object, &reference);
        result.set(std::rc::Rc::as_ptr(&reference));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_unwrap(env: EnvPointer, object_handle: Handle, result: Out<Foreign>) -> Status {
    env.run(|cx| {
        let value = object_handle.value(cx.scope)?;
        let result = result.check()?;
        let object = value.as_object(cx.scope).ok_or(Status::InvalidArg)?;
        let found = cx.env.instance.references.unwrap(cx.scope, object);
        result.set(found.ok_or(Status::InvalidArg)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_remove_wrap(env: EnvPointer, object_handle: Handle, result: Out<Foreign>) -> Status {
    env.run(|cx| {
        let object = wrappable(cx, object_handle)?;
        let removed = cx.env.instance.references.remove_wrap(cx.scope, object);
        result.set(removed.ok_or(Status::InvalidArg)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_add_finalizer(
    env: EnvPointer,
    object_handle: Handle,
    data: Foreign,
    finalize: Option<Finalize>,
    hint: Foreign,
    result: Out<ReferencePointer>,
) -> Status {
    env.plain(|cx| {
        let value = object_handle.value(cx.scope)?;
        if finalize.is_none() {
            return Err(Status::InvalidArg.into());
        }
        let object = value.as_object(cx.scope).ok_or(Status::InvalidArg)?;
        let finalizer = Some(Finalizer { env, finalize, data, hint });
        let options = ReferenceOptions { env, count: 0, data, finalizer, is_owned: result.is_null() };
        let reference = cx.env.instance.references.create(cx.scope, object.value(), options);
        result.set(std::rc::Rc::as_ptr(&reference));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_external(
    env: EnvPointer,
    data: Foreign,
    finalize: Option<Finalize>,
    hint: Foreign,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let external = cx.scope.native(External(data));
        if finalize.is_some() {
            let finalizer = Some(Finalizer { env, finalize, data, hint });
            let options = ReferenceOptions { env, count: 0, data, finalizer, is_owned: true };
            cx.env.instance.references.create(cx.scope, external.value(), options);
        }
        cx.give(result, external.value())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_value_external(env: EnvPointer, value: Handle, result: Out<Foreign>) -> Status {
    env.plain(|cx| {
        let value = value.value(cx.scope)?;
        let result = result.check()?;
        result.set(external_data(cx.scope, value).ok_or(Status::InvalidArg)?);
        Ok(())
    })
}

/// The object that has a tag. Unlike that of other functions, the status is that of the exception.
fn tagged<'s>(cx: Cx<'s>, value: Value<'s>) -> Outcome<'s, Object<'s>> {
    to_object(cx, value).map_err(|failure| match cx.env.has_pending() {
        true => Status::PendingException.into(),
        false => failure,
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_type_tag_object(env: EnvPointer, value: Handle, tag: List<'_, TypeTag>) -> Status {
    let tag = tag.read(1);
    env.run(|cx| {
        let object = tagged(cx, value.value(cx.scope)?)?;
        let tag = tag?.first().copied().ok_or(Status::InvalidArg)?;
        match cx.env.instance.references.tag(cx.scope, object, tag) {
            true => Ok(()),
            false => Err(Status::InvalidArg.into()),
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_check_object_type_tag(
    env: EnvPointer,
    value: Handle,
    tag: List<'_, TypeTag>,
    result: Out<bool>,
) -> Status {
    let tag = tag.read(1);
    env.run(|cx| {
        let object = tagged(cx, value.value(cx.scope)?)?;
        let tag = tag?.first().copied().ok_or(Status::InvalidArg)?;
        let result = result.check()?;
        result.set(cx.env.instance.references.tag_of(cx.scope, object) == Some(tag));
        Ok(())
    })
}
