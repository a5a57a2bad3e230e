//! Finalizers: functions of addons that run once a value is gone. In: what the collector found
//! dead, on any thread. Out: calls on the runtime's thread, outside of the collection, as jobs of
//! the event loop, so that they may run JavaScript and throw. Absent: how death is found
//! ([`crate::references`]).

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::ffi::c_void;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusk_jsc::{Exception, Scope};

use crate::abi::{EnvPointer, Finalize, Foreign, Status};
use crate::instance::Instance;
use crate::references::Reference;

/// A function of an addon with its arguments.
#[derive(Clone, Copy)]
pub struct Finalizer {
    pub env: EnvPointer,
    pub finalize: Option<Finalize>,
    pub data: Foreign,
    pub hint: Foreign,
}

impl Finalizer {
    /// Calls it. What it throws stays pending in the environment.
    pub fn run(self, scope: &Scope) {
        if let (Some(env), Some(finalize)) = (self.env.env(), self.finalize) {
            env.finalize(scope, finalize, self.data, self.hint);
        }
    }

    /// Calls it as a job of the loop.
    fn run_job<'s>(self, scope: &'s Scope) -> Result<(), Exception<'s>> {
        let Some(env) = self.env.env() else { return Ok(()) };
        env.call_out(scope, || self.run(scope))
    }

    /// Calls it where it may not run JavaScript.
    pub fn run_basic(self, scope: &Scope) {
        let Some(env) = self.env.env() else { return };
        let before = env.in_basic_finalizer.replace(true);
        self.run(scope);
        env.in_basic_finalizer.set(before);
    }
}

/// Finalizers that are due.
#[derive(Default)]
pub struct FinalizerQueue {
    due: RefCell<VecDeque<(Finalizer, Option<Rc<Reference>>)>>,
    is_scheduled: Cell<bool>,
}

impl FinalizerQueue {
    /// Queues a finalizer; `reference`: deleted after it, if it is the runtime's.
    pub fn push(&self, instance: &Rc<Instance>, finalizer: Finalizer, reference: Option<Rc<Reference>>) {
        self.due.borrow_mut().push_back((finalizer, reference));
        self.schedule(instance);
    }

    /// Has the loop run what is due, one in each job, so that each may throw.
    fn schedule(&self, instance: &Rc<Instance>) {
        if self.is_scheduled.replace(true) {
            return;
        }
        let owner = Rc::downgrade(instance);
        let Some(handle) = instance.handle() else { return };
        let (_, completer) = handle.thread_pool().pending(Box::new(move |scope, _| {
            let Some(instance) = owner.upgrade() else { return Ok(()) };
            instance.queue.is_scheduled.set(false);
            let count = instance.queue.due.borrow().len();
            for _ in 0..count {
                if let Err(thrown) = instance.queue.run_first(&instance, scope) {
                    if !instance.queue.due.borrow().is_empty() {
                        instance.queue.schedule(&instance);
                    }
                    return Err(thrown);
                }
            }
            Ok(())
        }));
        completer.send(Box::new(()));
    }

    fn run_first<'s>(&self, instance: &Instance, scope: &'s Scope) -> Result<(), Exception<'s>> {
        // The borrow ends before the call.
        let first = self.due.borrow_mut().pop_front();
        let Some((finalizer, reference)) = first else { return Ok(()) };
        let result = finalizer.run_job(scope);
        if let Some(reference) = reference {
            instance.references.forget_owned(&reference);
        }
        result
    }

    /// Runs all at the end of the runtime, when nothing is reported any more.
    pub fn run_all(&self, instance: &Instance, scope: &Scope) {
        while !self.due.borrow().is_empty() {
            let _ = self.run_first(instance, scope);
        }
    }

    /// Drops a finalizer whose reference the addon deletes.
    pub fn cancel(&self, reference: &Rc<Reference>) {
        let is_other = |entry: &(Finalizer, Option<Rc<Reference>>)| {
            entry.1.as_ref().is_none_or(|other| !Rc::ptr_eq(other, reference))
        };
        self.due.borrow_mut().retain(is_other);
    }

    pub fn clear(&self) {
        self.due.borrow_mut().clear();
    }
}

/// Finalizers of memory that buffers of the engine refer to. The engine frees such a buffer on any
/// thread.
#[derive(Default)]
pub struct ForeignFinalizers {
    state: Mutex<ForeignState>,
    has_dead: AtomicBool,
}

#[derive(Default)]
struct ForeignState {
    next_id: u64,
    alive: HashMap<u64, Finalizer>,
    dead: Vec<Finalizer>,
}

// SAFETY: functions and pointers of addons, which only the runtime's thread calls and hands back.
unsafe impl Send for Finalizer {}

/// What the engine passes when it frees a buffer.
struct FreeToken {
    finalizers: Arc<ForeignFinalizers>,
    id: u64,
}

impl ForeignFinalizers {
    fn lock(&self) -> MutexGuard<'_, ForeignState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a finalizer; the context for [`free_foreign`].
    pub fn add(self: &Arc<Self>, finalizer: Finalizer) -> *mut c_void {
        let mut state = self.lock();
        let id = state.next_id;
        state.next_id += 1;
        state.alive.insert(id, finalizer);
        Box::into_raw(Box::new(FreeToken { finalizers: Arc::clone(self), id })).cast()
    }

    #[inline]
    pub fn has_dead(&self) -> bool {
        self.has_dead.load(Ordering::Acquire)
    }

    pub fn take_dead(&self) -> Vec<Finalizer> {
        if !self.has_dead.swap(false, Ordering::AcqRel) {
            return Vec::new();
        }
        std::mem::take(&mut self.lock().dead)
    }

    /// Those of an environment that ends.
    pub fn take_of(&self, env: EnvPointer) -> Vec<Finalizer> {
        let mut state = self.lock();
        let is_its = |finalizer: &Finalizer| finalizer.env == env;
        let mut all: Vec<Finalizer> = state.dead.extract_if(.., |one| is_its(one)).collect();
        all.extend(state.alive.extract_if(|_, one| is_its(one)).map(|(_, finalizer)| finalizer));
        all
    }

    /// All of them, at the end of the runtime.
    pub fn take_all(&self) -> Vec<Finalizer> {
        let mut state = self.lock();
        let mut all = std::mem::take(&mut state.dead);
        all.extend(state.alive.drain().map(|(_, finalizer)| finalizer));
        all
    }
}

/// The owner of memory that the engine refers to: the finalizer is due when it is dropped.
pub struct ForeignOwner(*mut c_void);

impl ForeignOwner {
    pub fn new(instance: &Instance, finalizer: Finalizer) -> ForeignOwner {
        ForeignOwner(instance.foreign.add(finalizer))
    }
}

// SAFETY: it only frees a token, which any thread may do.
unsafe impl Send for ForeignOwner {}

impl Drop for ForeignOwner {
    fn drop(&mut self) {
        // SAFETY: the token was made by `new`, and is freed once.
        unsafe { free_foreign(std::ptr::null_mut(), self.0) };
    }
}

/// Called by the engine, once per buffer.
pub unsafe extern "C" fn free_foreign(_: *mut c_void, token: *mut c_void) {
    // SAFETY: made by `ForeignFinalizers::add`.
    let token = unsafe { Box::from_raw(token.cast::<FreeToken>()) };
    let mut state = token.finalizers.lock();
    if let Some(finalizer) = state.alive.remove(&token.id) {
        state.dead.push(finalizer);
        drop(state);
        token.finalizers.has_dead.store(true, Ordering::Release);
    }
}

#[unsafe(no_mangle)]
extern "C" fn node_api_post_finalizer(
    env: EnvPointer,
    finalize: Option<Finalize>,
    data: Foreign,
    hint: Foreign,
) -> Status {
    env.basic(|owner| {
        let finalizer = Finalizer { env, finalize, data, hint };
        owner.instance.queue.push(&owner.instance, finalizer, None);
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_set_instance_data(
    env: EnvPointer,
    data: Foreign,
    finalize: Option<Finalize>,
    hint: Foreign,
) -> Status {
    env.basic(|owner| {
        // Node drops earlier data without finalizing it.
        *owner.instance_data.borrow_mut() = Some(Finalizer { env, finalize, data, hint });
        Ok(())
    })
}

#[unsafe(no_mangle)]
extern "C" fn napi_get_instance_data(env: EnvPointer, data: crate::abi::Out<Foreign>) -> Status {
    env.basic(|owner| {
        let found = owner.instance_data.borrow().map_or(Foreign::NULL, |finalizer| finalizer.data);
        data.check()?.set(found);
        Ok(())
    })
}
