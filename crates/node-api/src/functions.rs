//! Functions and classes of addons. In: a C function. Out: a function of JavaScript that calls it,
//! and can be constructed and extended. Where the engine has host functions that own a value, it is
//! one of those. Elsewhere it is a function of JavaScript, which passes `this`, `new.target` and
//! its arguments to one host function. Absent: its properties ([`crate::properties`]), and which
//! receivers a method takes ([`crate::classes`]).

use std::ffi::c_void;
use std::sync::Arc;

use rusk_jsc::{Call, Exception, Function, JsString, Kind, Outcome as CallOutcome, Scope, Value};

use crate::abi::{Callback, EnvPointer, Foreign, Handle, List, Out, Space, Status, text};
use crate::classes::{Class, Signature};
use crate::env::{Cx, Failure, Outcome};
use crate::errors;
use crate::instance::Operation;
use crate::objects::to_object;

/// The value of a function: what it calls.
struct CallTarget {
    env: EnvPointer,
    callback: Callback,
    data: Foreign,
    role: Role,
}

/// What a function is to a class.
pub enum Role {
    /// Nothing, or a static method, or an accessor.
    Function,
    Constructor(Arc<Class>),
    Method(Signature),
}

/// `napi_callback_info`: the call that runs now.
struct CallInfo<'s> {
    /// Not yet converted to an object.
    this: Value<'s>,
    new_target: Handle,
    arguments: &'s [Value<'s>],
    data: Foreign,
}

type InfoPointer = *const c_void;

/// Arguments before those of the call: the target, `new.target` and `this`.
const OWN_ARGUMENTS: usize = 3;

/// The host function that all functions of addons call.
pub fn dispatch<'s>(scope: &'s Scope, call: &Call<'s>) -> CallOutcome<'s> {
    let [target, new_target, this, arguments @ ..] = call.arguments else {
        return Ok(scope.undefined());
    };
    let target = target.as_object(scope).and_then(|target| target.as_native::<CallTarget>(scope));
    let Some(target) = target else { return Ok(scope.undefined()) };
    const { assert!(OWN_ARGUMENTS == 3, "as taken above") };
    let new_target = if new_target.is_undefined(scope) { Handle::NULL } else { Handle::of(*new_target) };
    call_target(scope, &target, new_target, *this, arguments)
}

/// A call of a function that owns its target.
fn call_owner<'s>(
    scope: &'s Scope,
    call: &Call<'s>,
    new_target: Option<Value<'s>>,
    target: &CallTarget,
) -> CallOutcome<'s> {
    match new_target {
        None => call_target(scope, target, Handle::NULL, call.this, call.arguments),
        Some(new_target) => construct(scope, target, new_target, call.arguments),
    }
}

/// As of any constructor, an object that it returns is the result.
fn construct<'s>(
    scope: &'s Scope,
    target: &CallTarget,
    new_target: Value<'s>,
    arguments: &'s [Value<'s>],
) -> CallOutcome<'s> {
    let Some(env) = target.env.env() else { return Ok(scope.undefined()) };
    let made = match &target.role {
        Role::Constructor(class) => class.create_instance(&env.instance, scope, new_target)?,
        _ => env.instance.call_js(scope, Operation::CreateInstance, &[new_target])?,
    };
    let returned = call_target(scope, target, Handle::of(new_target), made, arguments)?;
    Ok(if returned.as_object(scope).is_some() { returned } else { made })
}

fn call_target<'s>(
    scope: &'s Scope,
    target: &CallTarget,
    new_target: Handle,
    this: Value<'s>,
    arguments: &'s [Value<'s>],
) -> CallOutcome<'s> {
    let Some(env) = target.env.env() else { return Ok(scope.undefined()) };
    env.instance.sweep_if_collected(scope);
    if let Role::Method(signature) = &target.role
        && new_target.is_null()
        && !signature.accepts(&env.instance, scope, this)
    {
        return Err(errors::illegal_invocation(env, scope));
    }
    env.set_last(Status::Ok);
    let info = CallInfo { this, new_target, arguments, data: target.data };
    let pointer = (&raw const info).cast::<c_void>();
    // SAFETY: the addon's own function; the information lives through the call.
    let result = env.call_out(scope, || unsafe { (target.callback)(target.env, pointer) })?;
    Ok(result.value(scope).unwrap_or_else(|_| scope.undefined()))
}

/// Makes a function.
pub fn make_function<'s>(
    cx: Cx<'s>,
    name: Value<'_>,
    callback: Callback,
    data: Foreign,
    role: Role,
) -> Result<Function<'s>, Exception<'s>> {
    let brand = match &role {
        Role::Constructor(class) => class.brand(&cx.env.instance, cx.scope),
        Role::Function | Role::Method(_) => cx.scope.undefined(),
    };
    let target = CallTarget { env: cx.env.pointer(), callback, data, role };
    if cx.scope.has_owning_functions() {
        let name = JsString::new(cx.scope, &name.to_rust_string(cx.scope)?);
        let made = cx.scope.owning_function(&name, target, call_owner).expect("as asked above");
        cx.env.instance.call_js(cx.scope, Operation::AddPrototype, &[made.value()])?;
        return Ok(made);
    }
    let target = cx.scope.native(target);
    let arguments = [target.value(), cx.scope.root(name), brand];
    let made = cx.env.instance.call_js(cx.scope, Operation::MakeFunction, &arguments)?;
    Ok(made.as_function(cx.scope).expect("the operation returns a function"))
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_function(
    env: EnvPointer,
    name: List<'_, u8>,
    length: usize,
    callback: Option<Callback>,
    data: Foreign,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let result = result.check()?;
        let callback = callback.ok_or(Status::InvalidArg)?;
        let name = if name.is_null() { &[] } else { text(name, length)? };
        let name = cx.scope.string_from_utf8_lossy(name);
        let function = make_function(cx, name, callback, data, Role::Function)?;
        cx.give(result, function.value())
    })
}

/// The call that runs now.
fn info<'s>(pointer: InfoPointer) -> Result<&'s CallInfo<'s>, Status> {
    // SAFETY: the addon passes the pointer that it got for the call that it is in.
    unsafe { pointer.cast::<CallInfo<'s>>().as_ref() }.ok_or(Status::InvalidArg)
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_cb_info(
    env: EnvPointer,
    pointer: InfoPointer,
    count: Out<usize>,
    arguments: Space<'_, Handle>,
    this: Out<Handle>,
    data: Out<Foreign>,
) -> Status {
    env.plain(|cx| {
        let info = info(pointer)?;
        if let Some(room) = arguments.write(count.read().unwrap_or(0)) {
            if count.is_null() {
                return Err(Status::InvalidArg.into());
            }
            for (index, target) in room.iter_mut().enumerate() {
                let argument = info.arguments.get(index).copied();
                *target = Handle::of(argument.unwrap_or_else(|| cx.scope.undefined()));
            }
        }
        count.set(info.arguments.len());
        if !this.is_null() {
            this.set(Handle::of(receiver(cx, info.this)?));
        }
        data.set(info.data);
        Ok(())
    })
}

/// The receiver as a function in sloppy mode sees it.
fn receiver<'s>(cx: Cx<'s>, this: Value<'s>) -> Outcome<'s, Value<'s>> {
    match this.kind(cx.scope) {
        Kind::Object => Ok(this),
        Kind::Undefined | Kind::Null => Ok(cx.scope.global().value()),
        _ => Ok(cx.env.instance.call_js(cx.scope, Operation::ToObject, &[this])?),
    }
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_new_target(env: EnvPointer, pointer: InfoPointer, result: Out<Handle>) -> Status {
    env.plain(|_| {
        let info = info(pointer)?;
        result.check()?.set(info.new_target);
        Ok(())
    })
}

/// Reads a list of values.
pub fn values<'s>(cx: Cx<'s>, list: List<'_, Handle>, count: usize) -> Result<Vec<Value<'s>>, Status> {
    list.read(count)?.iter().map(|handle| handle.value(cx.scope)).collect()
}

pub fn function<'s>(cx: Cx<'s>, handle: Handle, otherwise: Status) -> Outcome<'s, Function<'s>> {
    handle.value(cx.scope)?.as_function(cx.scope).ok_or(Failure::Status(otherwise))
}

/// Calls a function with any `this`; null is `undefined`. The engine's function takes objects only,
/// and passes the global object for none.
pub fn call<'s>(
    cx: Cx<'s>,
    this: Handle,
    function: Function<'_>,
    arguments: &[Value<'_>],
) -> Result<Value<'s>, Exception<'s>> {
    let this = this.value(cx.scope).unwrap_or_else(|_| cx.scope.undefined());
    if let Some(this) = this.as_object(cx.scope) {
        return function.call_on(cx.scope, this, arguments);
    }
    call_by(Operation::CallOn, cx, this, function, arguments)
}

/// Calls a function by an operation.
pub fn call_by<'s>(
    operation: Operation,
    cx: Cx<'s>,
    this: Value<'_>,
    function: Function<'_>,
    arguments: &[Value<'_>],
) -> Result<Value<'s>, Exception<'s>> {
    let mut all = vec![function.value(), this];
    all.extend(arguments.iter().map(|argument| cx.scope.root(*argument)));
    cx.env.instance.call_js(cx.scope, operation, &all)
}

#[unsafe(no_mangle)]
extern "C" fn napi_call_function(
    env: EnvPointer,
    this: Handle,
    callee: Handle,
    count: usize,
    arguments: List<'_, Handle>,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        this.value(cx.scope)?;
        let arguments = values(cx, arguments, count)?;
        let callee = callee.value(cx.scope)?;
        let callee = callee.as_function(cx.scope).ok_or(Status::InvalidArg)?;
        let returned = call(cx, this, callee, &arguments)?;
        cx.give(result, returned)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_new_instance(
    env: EnvPointer,
    constructor: Handle,
    count: usize,
    arguments: List<'_, Handle>,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let constructor = constructor.value(cx.scope)?;
        let arguments = values(cx, arguments, count)?;
        let result = result.check()?;
        let constructor = constructor.as_function(cx.scope).ok_or(Status::InvalidArg)?;
        let made = constructor.construct(cx.scope, &arguments)?;
        cx.give(result, made.value())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_instanceof(
    env: EnvPointer,
    object: Handle,
    constructor: Handle,
    result: Out<bool>,
) -> Status {
    env.run(|cx| {
        let object = object.value(cx.scope)?;
        let result = result.check()?;
        result.set(false);
        let constructor = to_object(cx, constructor.value(cx.scope)?)?.value();
        if constructor.as_function(cx.scope).is_none() {
            // Node throws, and returns another status than that of a pending exception.
            let thrown = cx.env.instance.call_js(cx.scope, Operation::InstanceOf, &[object, constructor]);
            if let Err(thrown) = thrown {
                cx.env.set_pending(cx.scope, thrown.value());
            }
            return Err(Status::FunctionExpected.into());
        }
        let answer = cx.env.instance.call_js(cx.scope, Operation::InstanceOf, &[object, constructor]);
        let answer = answer.map_err(|thrown| cx.refuse(thrown, Status::GenericFailure))?;
        result.set(answer.is_truthy(cx.scope));
        Ok(())
    })
}
