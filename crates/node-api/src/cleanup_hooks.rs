//! Cleanup hooks (`napi_add_env_cleanup_hook`, `napi_add_async_cleanup_hook`): what addons run when
//! the runtime ends. In: hooks. Out: calls in reverse order; the end of an environment is one of
//! them, in its place. Absent: waiting for asynchronous hooks. Nothing runs in the loop any more,
//! so such a hook is called and may end its work in time or not.

use std::cell::RefCell;
use std::rc::Rc;

use rusk_jsc::Scope;

use crate::abi::{EnvPointer, Foreign, Out, Status};
use crate::env::with_scope;
use crate::instance::Instance;
use crate::threadsafe_functions::{self, ThreadsafePointer};

type PlainHook = unsafe extern "C" fn(Foreign);
type AsyncHook = unsafe extern "C" fn(AsyncHookPointer, Foreign);

/// `napi_async_cleanup_hook_handle`.
type AsyncHookPointer = *mut AsyncHookHandle;

pub struct AsyncHookHandle {
    env: EnvPointer,
}

enum Hook {
    Env(EnvPointer),
    Plain(PlainHook, Foreign),
    Async(AsyncHookPointer, AsyncHook, Foreign),
    Threadsafe(ThreadsafePointer),
}

/// The hooks of a runtime, in the order in which they were added.
#[derive(Default)]
pub struct CleanupHooks(RefCell<Vec<Hook>>);

impl CleanupHooks {
    pub fn add_env(&self, env: EnvPointer) {
        self.0.borrow_mut().push(Hook::Env(env));
    }

    pub fn add_threadsafe(&self, function: ThreadsafePointer) {
        self.0.borrow_mut().push(Hook::Threadsafe(function));
    }

    pub fn remove_threadsafe(&self, function: ThreadsafePointer) {
        self.0.borrow_mut().retain(|hook| !matches!(hook, Hook::Threadsafe(own) if *own == function));
    }

    /// Runs all, the newest first.
    pub fn run(&self, instance: &Rc<Instance>, scope: &Scope) {
        loop {
            // The borrow ends before the call, which may add and remove hooks.
            let last = self.0.borrow_mut().pop();
            match last {
                None => return,
                Some(Hook::Env(env)) => {
                    if let Some(env) = env.env() {
                        instance.close_env(scope, env);
                    }
                }
                // SAFETY: the addon's own functions, with their arguments.
                Some(Hook::Plain(hook, argument)) => with_scope(scope, || unsafe { hook(argument) }),
                // SAFETY: as above.
                Some(Hook::Async(handle, hook, argument)) => {
                    with_scope(scope, || unsafe { hook(handle, argument) });
                }
                Some(Hook::Threadsafe(function)) => threadsafe_functions::close(scope, instance, function),
            }
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn napi_add_env_cleanup_hook(
    env: EnvPointer,
    hook: Option<PlainHook>,
    argument: Foreign,
) -> Status {
    env.basic(|owner| {
        let hook = hook.ok_or(Status::InvalidArg)?;
        owner.instance.hooks.0.borrow_mut().push(Hook::Plain(hook, argument));
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_remove_env_cleanup_hook(
    env: EnvPointer,
    hook: Option<PlainHook>,
    argument: Foreign,
) -> Status {
    env.basic(|owner| {
        let hook = hook.ok_or(Status::InvalidArg)?;
        let is_other = |one: &Hook| {
            !matches!(one, Hook::Plain(own, of) if std::ptr::fn_addr_eq(*own, hook) && *of == argument)
        };
        owner.instance.hooks.0.borrow_mut().retain(is_other);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_add_async_cleanup_hook(
    env: EnvPointer,
    hook: Option<AsyncHook>,
    argument: Foreign,
    handle: Out<AsyncHookPointer>,
) -> Status {
    env.basic(|owner| {
        let hook = hook.ok_or(Status::InvalidArg)?;
        let pointer = Box::into_raw(Box::new(AsyncHookHandle { env }));
        owner.instance.hooks.0.borrow_mut().push(Hook::Async(pointer, hook, argument));
        handle.set(pointer);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_remove_async_cleanup_hook(handle: AsyncHookPointer) -> Status {
    if handle.is_null() {
        return Status::InvalidArg;
    }
    // SAFETY: of `napi_add_async_cleanup_hook`; the addon removes a hook once.
    let removed = unsafe { Box::from_raw(handle) };
    let Some(env) = removed.env.env() else { return Status::Ok };
    let hooks = &env.instance.hooks.0;
    hooks.borrow_mut().retain(|hook| !matches!(hook, Hook::Async(own, ..) if *own == handle));
    Status::Ok
}
