//! Cleanup hooks (`napi_add_env_cleanup_hook`, `napi_add_async_cleanup_hook`): what addons run when
//! the runtime ends. In: hooks. Out: calls in reverse order; the end of an environment is one of
//! them, in its place. An environment does not end before its asynchronous hooks are removed, so
//! the handles of libuv that they use still run.

use std::cell::RefCell;
use std::collections::HashSet;
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

/// The hooks of a runtime.
#[derive(Default)]
pub struct CleanupHooks {
    /// In the order in which they were added.
    all: RefCell<Vec<Hook>>,
    /// Addresses of asynchronous hooks that were not removed yet.
    unfinished: RefCell<HashSet<usize>>,
}

impl CleanupHooks {
    pub fn add_env(&self, env: EnvPointer) {
        self.all.borrow_mut().push(Hook::Env(env));
    }

    pub fn add_threadsafe(&self, function: ThreadsafePointer) {
        self.all.borrow_mut().push(Hook::Threadsafe(function));
    }

    pub fn remove_threadsafe(&self, function: ThreadsafePointer) {
        self.all.borrow_mut().retain(|hook| !matches!(hook, Hook::Threadsafe(own) if *own == function));
    }

    /// Runs all, the newest first.
    pub fn run(&self, instance: &Rc<Instance>, scope: &Scope) {
        loop {
            // The borrow ends before the call, which may add and remove hooks.
            let last = self.all.borrow_mut().pop();
            match last {
                None => return,
                Some(Hook::Env(env)) => {
                    if let (Some(env), Some(handle)) = (env.env(), instance.handle()) {
                        let is_done = || env.async_hooks.get() == 0;
                        // Without an epoll instance the hooks may not end in time.
                        let _ = handle.wait_after_program(scope, is_done);
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
        owner.instance.hooks.all.borrow_mut().push(Hook::Plain(hook, argument));
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
        owner.instance.hooks.all.borrow_mut().retain(is_other);
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
        owner.async_hooks.set(owner.async_hooks.get() + 1);
        owner.instance.hooks.unfinished.borrow_mut().insert(pointer.addr());
        owner.instance.hooks.all.borrow_mut().push(Hook::Async(pointer, hook, argument));
        handle.set(pointer);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_remove_async_cleanup_hook(handle: AsyncHookPointer) -> Status {
    let Some(instance) = Instance::current() else { return Status::InvalidArg };
    // Null, and a handle that was removed, are not there.
    if !instance.hooks.unfinished.borrow_mut().remove(&handle.addr()) {
        return Status::InvalidArg;
    }
    instance.hooks.all.borrow_mut().retain(|hook| !matches!(hook, Hook::Async(own, ..) if *own == handle));
    // SAFETY: of `napi_add_async_cleanup_hook`, and not removed before.
    let removed = unsafe { Box::from_raw(handle) };
    if let Some(env) = removed.env.env() {
        env.async_hooks.set(env.async_hooks.get() - 1);
    }
    Status::Ok
}
