//! Property descriptors (`napi_define_properties`, `napi_define_class`). In: an array of C. Out:
//! properties with their attributes; methods and accessors become functions of JavaScript.

use std::sync::Arc;

use rusk_jsc::{Kind, Object, Value};

use crate::abi::{Callback, EnvPointer, Foreign, Handle, List, Out, PropertyDescriptor, Status, text};
use crate::classes::{Class, Signature};
use crate::env::{Cx, Outcome};
use crate::functions::{Role, make_function};
use crate::instance::Operation;
use crate::objects::to_object;

/// `napi_static`.
const STATIC: i32 = 1 << 10;

fn key<'s>(cx: Cx<'s>, property: &PropertyDescriptor) -> Result<Value<'s>, Status> {
    if let Some(bytes) = property.utf8_name.bytes() {
        return Ok(cx.scope.string_from_utf8_lossy(bytes));
    }
    let key = property.name.value(cx.scope)?;
    match key.kind(cx.scope) {
        Kind::String | Kind::Symbol => Ok(key),
        _ => Err(Status::NameExpected),
    }
}

/// A function for a callback, or `undefined`.
fn optional<'s>(
    cx: Cx<'s>,
    name: Value<'_>,
    callback: Option<Callback>,
    data: Foreign,
) -> Outcome<'s, Value<'s>> {
    match callback {
        Some(callback) => Ok(make_function(cx, name, callback, data, Role::Function)?.value()),
        None => Ok(cx.scope.undefined()),
    }
}

/// `class`: the object is its prototype.
fn define<'s>(
    cx: Cx<'s>,
    object: Object<'_>,
    property: &PropertyDescriptor,
    class: Option<&Arc<Class>>,
) -> Outcome<'s> {
    let key = key(cx, property)?;
    let name = if key.kind(cx.scope) == Kind::String { key } else { cx.scope.string("") };
    let attributes = cx.scope.number(f64::from(property.attributes));
    let instance = &cx.env.instance;
    if property.getter.is_some() || property.setter.is_some() {
        let getter = optional(cx, name, property.getter, property.data)?;
        let setter = optional(cx, name, property.setter, property.data)?;
        let arguments = [object.value(), key, getter, setter, attributes];
        let is_defined = instance.call_js(cx.scope, Operation::DefineAccessor, &arguments)?;
        return check(is_defined.is_truthy(cx.scope), Status::InvalidArg);
    }
    let value = match property.method {
        Some(callback) => {
            let role = class.map_or(Role::Function, |class| Role::Method(Signature::new(class)));
            make_function(cx, name, callback, property.data, role)?.value()
        }
        None => property.value.value(cx.scope).unwrap_or_else(|_| cx.scope.undefined()),
    };
    let arguments = [object.value(), key, value, attributes];
    let is_defined = instance.call_js(cx.scope, Operation::DefineValue, &arguments)?;
    let refused = if property.method.is_some() { Status::GenericFailure } else { Status::InvalidArg };
    check(is_defined.is_truthy(cx.scope), refused)
}

fn check<'s>(is_defined: bool, otherwise: Status) -> Outcome<'s> {
    if is_defined { Ok(()) } else { Err(otherwise.into()) }
}

#[unsafe(no_mangle)]
extern "C" fn napi_define_properties(
    env: EnvPointer,
    object: Handle,
    count: usize,
    properties: List<'_, PropertyDescriptor>,
) -> Status {
    env.run(|cx| {
        let properties = properties.read(count)?;
        let object = to_object(cx, object.value(cx.scope)?)?;
        for property in properties {
            define(cx, object, property, None)?;
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_define_class(
    env: EnvPointer,
    name: List<'_, u8>,
    length: usize,
    constructor: Option<Callback>,
    data: Foreign,
    count: usize,
    properties: List<'_, PropertyDescriptor>,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let constructor = constructor.ok_or(Status::InvalidArg)?;
        let properties = properties.read(count)?;
        if name.is_null() {
            return Err(Status::InvalidArg.into());
        }
        let name = text(name, length)?;
        let name = cx.scope.string_from_utf8_lossy(name);
        let instances = cx.env.instance.classes.add(&cx.env.instance, cx.scope)?;
        let class = make_function(cx, name, constructor, data, Role::Constructor(Arc::clone(&instances)))?;
        let prototype = class.object().property(cx.scope, "prototype")?;
        let prototype = prototype.as_object(cx.scope).ok_or(Status::GenericFailure)?;
        for property in properties {
            match property.attributes & STATIC {
                0 => define(cx, prototype, property, Some(&instances))?,
                _ => define(cx, class.object(), property, None)?,
            }
        }
        cx.give(result, class.value())
    })
}
