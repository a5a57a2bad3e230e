//! Objects, arrays and their properties (`napi_create_object`, `napi_set_property`,
//! `napi_get_element` and others). In: handles and keys. Out: handles. Absent: property
//! descriptors ([`crate::properties`]).

use rusk_jsc::{ErrorKind, Exception, Kind, Object, Value};

use crate::abi::{EnvPointer, Handle, List, Name, Out, Status};
use crate::env::{Cx, Failure, Outcome};
use crate::functions::values;
use crate::instance::Operation;

/// The object of a handle, or the wrapper of a primitive value, as Node converts it.
fn object<'s>(cx: Cx<'s>, handle: Handle) -> Outcome<'s, Object<'s>> {
    to_object(cx, handle.value(cx.scope)?)
}

/// The same of a value.
pub fn to_object<'s>(cx: Cx<'s>, value: Value<'s>) -> Outcome<'s, Object<'s>> {
    match value.kind(cx.scope) {
        Kind::Object => {}
        Kind::Undefined | Kind::Null => {
            let message = "Cannot convert undefined or null to object";
            return Err(cx.refuse(Exception::new(cx.scope, ErrorKind::Type, message), Status::ObjectExpected));
        }
        _ => {
            let made = cx.env.instance.call_js(cx.scope, Operation::ToObject, &[value])?;
            return made.as_object(cx.scope).ok_or(Failure::Status(Status::ObjectExpected));
        }
    }
    value.as_object(cx.scope).ok_or(Failure::Status(Status::ObjectExpected))
}

fn name<'s>(cx: Cx<'s>, name: Name<'_>) -> Result<Value<'s>, Status> {
    cx.env.instance.names.value(cx.scope, name)
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_object(env: EnvPointer, result: Out<Handle>) -> Status {
    env.plain(|cx| {
        let result = result.check()?;
        cx.give(result, cx.scope.new_object().value())
    })
}

#[unsafe(no_mangle)]
extern "C" fn node_api_create_object_with_properties(
    env: EnvPointer,
    prototype: Handle,
    names: List<'_, Handle>,
    contents: List<'_, Handle>,
    count: usize,
    result: Out<Handle>,
) -> Status {
    env.plain(|cx| {
        let result = result.check()?;
        let prototype = if prototype.is_null() { cx.scope.null() } else { prototype.value(cx.scope)? };
        let (names, contents) = (values(cx, names, count)?, values(cx, contents, count)?);
        if names.iter().any(|name| !matches!(name.kind(cx.scope), Kind::String | Kind::Symbol)) {
            return Err(Status::NameExpected.into());
        }
        let (names, contents) = (cx.scope.array(&names)?.value(), cx.scope.array(&contents)?.value());
        let arguments = [prototype, names, contents];
        let made = cx.env.instance.call_js(cx.scope, Operation::CreateWithProperties, &arguments)?;
        cx.give(result, made)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_array(env: EnvPointer, result: Out<Handle>) -> Status {
    env.plain(|cx| {
        let result = result.check()?;
        let array = cx.scope.array(&[])?;
        cx.give(result, array.value())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_array_with_length(env: EnvPointer, length: usize, result: Out<Handle>) -> Status {
    env.plain(|cx| {
        let result = result.check()?;
        // Node passes on the lower 32 bits as a signed integer, and V8 takes 0 for a negative one.
        let length = (length as i32).max(0);
        let arguments = [cx.scope.integer(length)];
        let array = cx.env.instance.call_js(cx.scope, Operation::CreateArray, &arguments)?;
        cx.give(result, array)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_array_length(env: EnvPointer, value: Handle, result: Out<u32>) -> Status {
    env.run(|cx| {
        let value = value.value(cx.scope)?;
        let result = result.check()?;
        if !value.is_array(cx.scope) {
            return Err(Status::ArrayExpected.into());
        }
        let array = value.as_object(cx.scope).ok_or(Status::ArrayExpected)?;
        result.set(array.property(cx.scope, "length")?.to_number(cx.scope)? as u32);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_prototype(env: EnvPointer, object: Handle, result: Out<Handle>) -> Status {
    env.run(|cx| {
        let value = object.value(cx.scope)?;
        let result = result.check()?;
        let object = to_object(cx, value)?;
        cx.give(result, object.prototype(cx.scope))
    })
}

#[unsafe(no_mangle)]
extern "C" fn node_api_set_prototype(env: EnvPointer, object: Handle, prototype: Handle) -> Status {
    env.run(|cx| {
        let (object, prototype) = (object.value(cx.scope)?, prototype.value(cx.scope)?);
        let object = to_object(cx, object)?;
        if !matches!(prototype.kind(cx.scope), Kind::Object | Kind::Null) {
            // V8 leaves the object as it is.
            return Ok(());
        }
        // What is thrown here is not passed on.
        let arguments = [object.value(), prototype];
        let answer = cx.env.instance.call_js(cx.scope, Operation::SetPrototype, &arguments);
        match answer {
            Ok(_) => Ok(()),
            Err(_) => Err(Status::GenericFailure.into()),
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_property_names(env: EnvPointer, object: Handle, result: Out<Handle>) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let object = self::object(cx, object)?;
        let names = cx.env.instance.call_js(cx.scope, Operation::PropertyNames, &[object.value()])?;
        cx.give(result, names)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_all_property_names(
    env: EnvPointer,
    object: Handle,
    mode: i32,
    filter: i32,
    conversion: i32,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let object = self::object(cx, object)?;
        if !(0..=1).contains(&mode) || !(0..=1).contains(&conversion) {
            return Err(Status::InvalidArg.into());
        }
        let [mode, filter, conversion] =
            [mode, filter, conversion].map(|number| cx.scope.number(f64::from(number)));
        let arguments = [object.value(), mode, filter, conversion];
        let names = cx.env.instance.call_js(cx.scope, Operation::AllPropertyNames, &arguments)?;
        cx.give(result, names)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_set_property(env: EnvPointer, object: Handle, key: Handle, value: Handle) -> Status {
    env.run(|cx| {
        let (key, value) = (key.value(cx.scope)?, value.value(cx.scope)?);
        Ok(self::object(cx, object)?.set_property_of(cx.scope, key, value)?)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_has_property(env: EnvPointer, object: Handle, key: Handle, result: Out<bool>) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let key = key.value(cx.scope)?;
        result.set(self::object(cx, object)?.has_property_of(cx.scope, key)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_property(env: EnvPointer, object: Handle, key: Handle, result: Out<Handle>) -> Status {
    env.run(|cx| {
        let key = key.value(cx.scope)?;
        let result = result.check()?;
        let found = self::object(cx, object)?.property_of(cx.scope, key)?;
        cx.give(result, found)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_delete_property(
    env: EnvPointer,
    object: Handle,
    key: Handle,
    result: Out<bool>,
) -> Status {
    env.run(|cx| {
        let key = key.value(cx.scope)?;
        result.set(self::object(cx, object)?.delete_property_of(cx.scope, key)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_has_own_property(
    env: EnvPointer,
    object: Handle,
    key: Handle,
    result: Out<bool>,
) -> Status {
    env.run(|cx| {
        let key = key.value(cx.scope)?;
        let result = result.check()?;
        let object = self::object(cx, object)?;
        if !matches!(key.kind(cx.scope), Kind::String | Kind::Symbol) {
            return Err(Status::NameExpected.into());
        }
        let arguments = [object.value(), key];
        let answer = cx.env.instance.call_js(cx.scope, Operation::HasOwn, &arguments)?;
        result.set(answer.is_truthy(cx.scope));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_set_named_property(
    env: EnvPointer,
    object: Handle,
    key: Name<'_>,
    value: Handle,
) -> Status {
    env.run(|cx| {
        let value = value.value(cx.scope)?;
        let object = self::object(cx, object)?;
        Ok(object.set_property_of(cx.scope, name(cx, key)?, value)?)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_has_named_property(
    env: EnvPointer,
    object: Handle,
    key: Name<'_>,
    result: Out<bool>,
) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let object = self::object(cx, object)?;
        result.set(object.has_property_of(cx.scope, name(cx, key)?)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_named_property(
    env: EnvPointer,
    object: Handle,
    key: Name<'_>,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let key = name(cx, key)?;
        let found = self::object(cx, object)?.property_of(cx.scope, key)?;
        cx.give(result, found)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_set_element(env: EnvPointer, object: Handle, index: u32, value: Handle) -> Status {
    env.run(|cx| {
        let value = value.value(cx.scope)?;
        Ok(self::object(cx, object)?.set_element(cx.scope, index, value)?)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_has_element(env: EnvPointer, object: Handle, index: u32, result: Out<bool>) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let key = cx.scope.number(f64::from(index));
        result.set(self::object(cx, object)?.has_property_of(cx.scope, key)?);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_element(env: EnvPointer, object: Handle, index: u32, result: Out<Handle>) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let found = self::object(cx, object)?.element(cx.scope, index)?;
        cx.give(result, found)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_delete_element(env: EnvPointer, object: Handle, index: u32, result: Out<bool>) -> Status {
    env.run(|cx| {
        let key = cx.scope.number(f64::from(index));
        result.set(self::object(cx, object)?.delete_property_of(cx.scope, key)?);
        Ok(())
    })
}

fn close(env: EnvPointer, object: Handle, operation: Operation) -> Status {
    env.run(|cx| {
        let object = self::object(cx, object)?;
        cx.env.instance.call_js(cx.scope, operation, &[object.value()])?;
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_object_freeze(env: EnvPointer, object: Handle) -> Status {
    close(env, object, Operation::Freeze)
}

#[unsafe(no_mangle)]
extern "C" fn napi_object_seal(env: EnvPointer, object: Handle) -> Status {
    close(env, object, Operation::Seal)
}
