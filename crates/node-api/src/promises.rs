//! Promises, scripts and versions (`napi_create_promise`, `napi_run_script`, `napi_get_version`
//! and others).

use std::ffi::{CStr, c_char};
use std::sync::OnceLock;

use rusk_jsc::{Exception, Kind, PromiseResolver, Value};

use crate::abi::{EnvPointer, Handle, Out, Status, VERSION};

/// `napi_deferred`, owned by the addon until it settles the promise.
type DeferredPointer = *mut PromiseResolver;

#[unsafe(no_mangle)]
extern "C" fn napi_create_promise(
    env: EnvPointer,
    deferred: Out<DeferredPointer>,
    promise: Out<Handle>,
) -> Status {
    env.run(|cx| {
        let (deferred, promise) = (deferred.check()?, promise.check()?);
        let made = cx.scope.promise()?;
        deferred.set(Box::into_raw(Box::new(made.into_resolver(cx.scope))));
        cx.give(promise, made.promise.value())
    })
}

fn settle(env: EnvPointer, deferred: DeferredPointer, value: Handle, is_rejected: bool) -> Status {
    env.run(|cx| {
        let value = value.value(cx.scope)?;
        if deferred.is_null() {
            return Err(Status::InvalidArg.into());
        }
        // SAFETY: of `napi_create_promise`; the addon settles a promise once.
        let resolver = unsafe { Box::from_raw(deferred) };
        let outcome: Result<Value<'_>, Exception<'_>> =
            if is_rejected { Err(Exception::from(value)) } else { Ok(value) };
        Ok(resolver.settle(cx.scope, outcome)?)
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_resolve_deferred(env: EnvPointer, deferred: DeferredPointer, value: Handle) -> Status {
    settle(env, deferred, value, false)
}

#[unsafe(no_mangle)]
extern "C" fn napi_reject_deferred(env: EnvPointer, deferred: DeferredPointer, value: Handle) -> Status {
    settle(env, deferred, value, true)
}

#[unsafe(no_mangle)]
extern "C" fn napi_run_script(env: EnvPointer, script: Handle, result: Out<Handle>) -> Status {
    env.run(|cx| {
        let script = script.value(cx.scope)?;
        let result = result.check()?;
        if script.kind(cx.scope) != Kind::String {
            return Err(Status::StringExpected.into());
        }
        let source = script.to_rust_string(cx.scope)?;
        match cx.scope.evaluate(&source, "", 1) {
            Ok(value) => cx.give(result, value),
            Err(thrown) => {
                // As in Node, the status is another one than that of a pending exception.
                cx.env.set_pending(cx.scope, thrown.value());
                Err(Status::GenericFailure.into())
            }
        }
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_version(env: EnvPointer, result: Out<u32>) -> Status {
    env.basic(|_| {
        result.check()?.set(VERSION);
        Ok(())
    })
}

/// `napi_node_version`.
#[repr(C)]
pub struct NodeVersion {
    major: u32,
    minor: u32,
    patch: u32,
    release: *const c_char,
}

// SAFETY: it refers to a constant.
unsafe impl Sync for NodeVersion {}
// SAFETY: as above.
unsafe impl Send for NodeVersion {}

const RELEASE: &CStr = c"node";

static NODE_VERSION: OnceLock<NodeVersion> = OnceLock::new();

/// Sets what `process.version` has, once per process.
pub fn set_node_version(version: &str) {
    let mut numbers = version.split('.').map(|number| number.parse().unwrap_or(0));
    let mut next = || numbers.next().unwrap_or(0);
    let (major, minor, patch) = (next(), next(), next());
    NODE_VERSION.get_or_init(|| NodeVersion { major, minor, patch, release: RELEASE.as_ptr() });
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_node_version(env: EnvPointer, result: Out<*const NodeVersion>) -> Status {
    env.basic(|_| {
        let version = NODE_VERSION.get().ok_or(Status::GenericFailure)?;
        result.check()?.set(std::ptr::from_ref(version));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn node_api_get_module_file_name(env: EnvPointer, result: Out<*const c_char>) -> Status {
    env.basic(|owner| {
        result.check()?.set(owner.file_url.as_ptr());
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_adjust_external_memory(env: EnvPointer, change: i64, result: Out<i64>) -> Status {
    env.plain(|cx| {
        let result = result.check()?;
        let total = cx.env.instance.adjust_external_memory(change);
        if let Ok(bytes @ 1..) = usize::try_from(change) {
            cx.scope.report_external_memory(bytes);
        }
        result.set(total);
        Ok(())
    })
}
