//! Async work (`napi_create_async_work`): a function of the addon on the thread pool, and one that
//! completes it on the loop. In: two functions. Out: the second one's call, with a status.

use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use rusk_jsc::Root;

use crate::abi::{EnvPointer, Foreign, Handle, Out, Status};
use crate::async_contexts;
use crate::instance::Operation;

type Execute = unsafe extern "C" fn(EnvPointer, Foreign);
type Complete = unsafe extern "C" fn(EnvPointer, Status, Foreign);

/// Work of an addon.
pub struct AsyncWork {
    env: EnvPointer,
    execute: Execute,
    complete: Option<Complete>,
    data: Foreign,
    state: AtomicU8,
}

// SAFETY: all but the state is constant, and the pointers are only handed back.
unsafe impl Sync for AsyncWork {}

/// Async contexts of the work of a runtime, by its address.
#[derive(Default)]
pub struct WorkContexts(RefCell<HashMap<usize, Root>>);

/// `napi_async_work`.
type WorkPointer = *const AsyncWork;

/// States; work that runs or has ended cannot be cancelled.
const IDLE: u8 = 0;
const QUEUED: u8 = 1;
const RUNNING: u8 = 2;
const CANCELLED: u8 = 3;

impl AsyncWork {
    fn change(&self, from: u8, to: u8) -> bool {
        self.state.compare_exchange(from, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// On a thread of the pool.
    fn run(&self) {
        if self.change(QUEUED, RUNNING) {
            // SAFETY: the addon's own function; it makes no calls that need the VM.
            unsafe { (self.execute)(self.env, self.data) };
        }
    }
}

#[unsafe(no_mangle)]
extern "C" fn napi_create_async_work(
    env: EnvPointer,
    resource: Handle,
    name: Handle,
    execute: Option<Execute>,
    complete: Option<Complete>,
    data: Foreign,
    result: Out<WorkPointer>,
) -> Status {
    env.plain(|cx| {
        let execute = execute.ok_or(Status::InvalidArg)?;
        let result = result.check()?;
        let context = Root::new(cx.scope, async_contexts::init(cx, resource, name)?);
        let work = AsyncWork { env, execute, complete, data, state: AtomicU8::new(IDLE) };
        let work = Arc::into_raw(Arc::new(work));
        cx.env.instance.work_contexts.0.borrow_mut().insert(work.addr(), context);
        result.set(work);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_delete_async_work(env: EnvPointer, work: WorkPointer) -> Status {
    env.plain(|cx| {
        if work.is_null() {
            return Err(Status::InvalidArg.into());
        }
        let instance = &cx.env.instance;
        // The borrow ends before the call.
        let context = instance.work_contexts.0.borrow_mut().remove(&work.addr());
        if let Some(context) = context {
            instance.call_js(cx.scope, Operation::AsyncDestroy, &[context.value(cx.scope)])?;
        }
        // SAFETY: of `napi_create_async_work`; the addon deletes work once.
        drop(unsafe { Arc::from_raw(work) });
        Ok(())
    })
}

/// Another reference to the addon's work.
fn share(work: WorkPointer) -> Result<Arc<AsyncWork>, Status> {
    if work.is_null() {
        return Err(Status::InvalidArg);
    }
    // SAFETY: of `napi_create_async_work`, and not deleted yet.
    unsafe {
        Arc::increment_strong_count(work);
        Ok(Arc::from_raw(work))
    }
}

#[unsafe(no_mangle)]
extern "C" fn napi_queue_async_work(env: EnvPointer, work: WorkPointer) -> Status {
    env.basic(|owner| {
        let work = share(work)?;
        let handle = owner.instance.handle().ok_or(Status::GenericFailure)?;
        work.state.store(QUEUED, Ordering::Release);
        let on_pool = Arc::clone(&work);
        handle.queue_work(
            move || on_pool.run(),
            move |scope, ()| {
                let Some(env) = work.env.env() else { return Ok(()) };
                let is_cancelled = work.state.swap(IDLE, Ordering::AcqRel) == CANCELLED;
                let status = if is_cancelled { Status::Cancelled } else { Status::Ok };
                let Some(complete) = work.complete else { return Ok(()) };
                let instance = &env.instance;
                let context = instance
                    .work_contexts
                    .0
                    .borrow()
                    .get(&Arc::as_ptr(&work).addr())
                    .map(|context| context.value(scope));
                let entered = match context {
                    Some(context) => Some(instance.call_js(scope, Operation::AsyncEnter, &[context])?),
                    None => None,
                };
                // SAFETY: the addon's own function.
                let result = env.call_out(scope, || unsafe { complete(work.env, status, work.data) });
                if let Some(entered) = entered {
                    instance.call_js(scope, Operation::AsyncLeave, &[entered])?;
                }
                result
            },
        );
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_cancel_async_work(env: EnvPointer, work: WorkPointer) -> Status {
    env.basic(|_| {
        match share(work)?.state.compare_exchange(QUEUED, CANCELLED, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => Ok(()),
            Err(IDLE) => Err(Status::InvalidArg),
            Err(_) => Err(Status::GenericFailure),
        }
    })
}
