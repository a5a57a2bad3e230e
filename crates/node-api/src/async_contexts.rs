//! Async contexts and callback scopes (`napi_async_init`, `napi_make_callback`,
//! `napi_open_callback_scope`). In: a resource. Out: calls in its context, with the hooks of
//! `async_hooks`. Ticks and microtasks run after the job of the loop that a call is part of.

use rusk_jsc::{Kind, Root, Value};

use crate::abi::{EnvPointer, Handle, List, Out, Status};
use crate::env::{Cx, Outcome};
use crate::functions::{call_by, function, values};
use crate::instance::Operation;
use crate::objects::to_object;

/// `napi_async_context`: an `AsyncResource` of JavaScript.
pub struct AsyncContext {
    resource: Root,
}

type ContextPointer = *mut AsyncContext;

/// `napi_callback_scope`.
pub struct CallbackScope {
    /// What the operation needs to leave the context.
    entered: Option<Root>,
}

type ScopePointer = *mut CallbackScope;

#[unsafe(no_mangle)]
extern "C" fn napi_async_init(
    env: EnvPointer,
    resource: Handle,
    name: Handle,
    result: Out<ContextPointer>,
) -> Status {
    env.plain(|cx| {
        name.value(cx.scope)?;
        let result = result.check()?;
        let made = init(cx, resource, name)?;
        let context = AsyncContext { resource: Root::new(cx.scope, made) };
        result.set(Box::into_raw(Box::new(context)));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_async_destroy(env: EnvPointer, context: ContextPointer) -> Status {
    env.plain(|cx| {
        if context.is_null() {
            return Err(Status::InvalidArg.into());
        }
        // SAFETY: of `napi_async_init`; the addon destroys a context once.
        let context = unsafe { Box::from_raw(context) };
        let resource = context.resource.value(cx.scope);
        cx.env.instance.call_js(cx.scope, Operation::AsyncDestroy, &[resource])?;
        Ok(())
    })
}

/// Makes a context of an optional resource.
pub fn init<'s>(cx: Cx<'s>, resource: Handle, name: Handle) -> Outcome<'s, Value<'s>> {
    let (resource, name) = resource_and_name(cx, resource, name)?;
    Ok(cx.env.instance.call_js(cx.scope, Operation::AsyncInit, &[resource, name])?)
}

/// The object of an optional resource, and the string of its name. What conversions throw is not
/// passed on.
pub fn resource_and_name<'s>(
    cx: Cx<'s>,
    resource: Handle,
    name: Handle,
) -> Outcome<'s, (Value<'s>, Value<'s>)> {
    let convert = |operation, value| cx.env.instance.call_js(cx.scope, operation, &[value]);
    let resource = match resource.value(cx.scope) {
        Err(_) => cx.scope.new_object().value(),
        Ok(resource) => match resource.kind(cx.scope) {
            Kind::Undefined | Kind::Null => return Err(Status::ObjectExpected.into()),
            Kind::Object => resource,
            _ => convert(Operation::ToObject, resource)?,
        },
    };
    let name = convert(Operation::ToText, name.value(cx.scope)?).map_err(|_| Status::StringExpected)?;
    Ok((resource, name))
}

/// Enters a context; what leaves it again.
fn enter<'s>(cx: Cx<'s>, context: ContextPointer) -> Outcome<'s, Option<Value<'s>>> {
    // SAFETY: of `napi_async_init`, and not destroyed, or null.
    let Some(context) = (unsafe { context.as_ref() }) else { return Ok(None) };
    let resource = context.resource.value(cx.scope);
    Ok(Some(cx.env.instance.call_js(cx.scope, Operation::AsyncEnter, &[resource])?))
}

fn leave<'s>(cx: Cx<'s>, entered: Option<Value<'_>>) -> Outcome<'s> {
    if let Some(entered) = entered {
        cx.env.instance.call_js(cx.scope, Operation::AsyncLeave, &[entered])?;
    }
    Ok(())
}

#[unsafe(no_mangle)]
extern "C" fn napi_make_callback(
    env: EnvPointer,
    context: ContextPointer,
    this: Handle,
    callee: Handle,
    count: usize,
    arguments: List<'_, Handle>,
    result: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let this = this.value(cx.scope)?;
        let arguments = values(cx, arguments, count)?;
        let this = to_object(cx, this)?.value();
        let callee = function(cx, callee, Status::InvalidArg)?;
        let entered = enter(cx, context)?;
        let returned = call_by(Operation::CallInDomain, cx, this, callee, &arguments);
        leave(cx, entered)?;
        let returned = returned?;
        cx.give(result, returned)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_open_callback_scope(
    env: EnvPointer,
    _: Handle,
    context: ContextPointer,
    result: Out<ScopePointer>,
) -> Status {
    env.plain(|cx| {
        let result = result.check()?;
        let entered = enter(cx, context)?.map(|entered| Root::new(cx.scope, entered));
        cx.env.open_callback_scopes.set(cx.env.open_callback_scopes.get() + 1);
        result.set(Box::into_raw(Box::new(CallbackScope { entered })));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_close_callback_scope(env: EnvPointer, scope: ScopePointer) -> Status {
    env.plain(|cx| {
        if scope.is_null() {
            return Err(Status::InvalidArg.into());
        }
        let open = cx.env.open_callback_scopes.get();
        if open == 0 {
            return Err(Status::CallbackScopeMismatch.into());
        }
        cx.env.open_callback_scopes.set(open - 1);
        // SAFETY: of `napi_open_callback_scope`; the addon closes a scope once.
        let closed = unsafe { Box::from_raw(scope) };
        leave(cx, closed.entered.as_ref().map(|entered| entered.value(cx.scope)))
    })
}
