//! Environment (`napi_env`): what one addon has in one runtime. In: calls of the addon. Out: a
//! status, and the scope that values are made in. An environment lives until its runtime ends, on
//! the runtime's thread. Absent: what the functions do, and the list of environments
//! ([`crate::instance`]).

use std::cell::{Cell, RefCell, UnsafeCell};
use std::ffi::{CString, c_void};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};

use rusk_jsc::{Exception, Root, Scope, Value};

use crate::abi::{EXPERIMENTAL, EnvPointer, ExtendedError, Finalize, Foreign, Handle, Out, Status};
use crate::errors;
use crate::finalizers::Finalizer;
use crate::handle_scopes::HandleScopes;
use crate::instance::{Instance, Operation};

/// What an addon has in one runtime.
pub struct Env {
    /// Dropped by [`Env::end`].
    pub instance: ManuallyDrop<Rc<Instance>>,
    /// URL of the addon's file.
    pub file_url: CString,
    /// The version that the addon was built for.
    pub version: i32,
    pub scopes: HandleScopes,
    pub instance_data: RefCell<Option<Finalizer>>,
    last_error: UnsafeCell<ExtendedError>,
    pending: RefCell<Option<Root>>,
    /// Within a finalizer that the collector calls.
    pub in_basic_finalizer: Cell<bool>,
    pub open_callback_scopes: Cell<u32>,
    /// Asynchronous cleanup hooks that were not removed yet.
    pub async_hooks: Cell<u32>,
    /// The runtime ends: nothing of the program runs any more.
    pub is_closing: Cell<bool>,
    /// The runtime has ended. Threads of the addon may still have the pointer.
    has_ended: AtomicBool,
}

/// A call of an addon: its environment, and the scope of its values.
#[derive(Clone, Copy)]
pub struct Cx<'s> {
    pub env: &'s Env,
    pub scope: &'s Scope,
}

/// Why a call returns no result.
pub enum Failure<'s> {
    Status(Status),
    Thrown(Exception<'s>),
}

pub type Outcome<'s, T = ()> = Result<T, Failure<'s>>;

thread_local! {
    /// The scope of the call that runs now, on this thread.
    static SCOPE: Cell<*const Scope> = const { Cell::new(std::ptr::null()) };
}

/// Runs `body`, during which addons make their values in `scope`.
#[inline]
pub fn with_scope<R>(scope: &Scope, body: impl FnOnce() -> R) -> R {
    struct Restore(*const Scope);
    impl Drop for Restore {
        fn drop(&mut self) {
            SCOPE.set(self.0);
        }
    }
    let _restore = Restore(SCOPE.replace(scope));
    body()
}

impl Env {
    pub fn new(instance: Rc<Instance>, file_url: CString, version: i32) -> Env {
        Env {
            instance: ManuallyDrop::new(instance),
            file_url,
            version,
            scopes: HandleScopes::default(),
            instance_data: RefCell::default(),
            last_error: UnsafeCell::new(ExtendedError {
                message: std::ptr::null(),
                engine_reserved: std::ptr::null(),
                engine_error_code: 0,
                status: Status::Ok,
            }),
            pending: RefCell::default(),
            in_basic_finalizer: Cell::default(),
            open_callback_scopes: Cell::default(),
            async_hooks: Cell::default(),
            is_closing: Cell::default(),
            has_ended: AtomicBool::new(false),
        }
    }

    /// Gives up what belongs to the runtime, on its thread; the rest may be dropped on any.
    pub fn end(&mut self) {
        if !self.has_ended.swap(true, Ordering::Relaxed) {
            let owned = (self.pending.take(), self.instance_data.take());
            drop(owned);
            // SAFETY: once; nothing uses the instance of an environment that has ended.
            unsafe { ManuallyDrop::drop(&mut self.instance) };
        }
    }

    pub fn pointer(&self) -> EnvPointer {
        EnvPointer(Some(NonNull::from(self)))
    }

    pub fn is_experimental(&self) -> bool {
        self.version == EXPERIMENTAL
    }

    /// Calls a function of the addon. What it throws is the error.
    #[inline]
    pub fn call_out<'s, R>(&self, scope: &'s Scope, body: impl FnOnce() -> R) -> Result<R, Exception<'s>> {
        let mark = self.scopes.depth();
        let result = with_scope(scope, body);
        if self.scopes.depth() != mark {
            self.scopes.leave(mark);
        }
        if !self.has_pending() {
            return Ok(result);
        }
        match self.take_pending(scope) {
            Some(thrown) => Err(thrown),
            None => Ok(result),
        }
    }

    /// What a thread-safe function throws: addons that were built for an older
    /// version only cause a warning, unless a flag says otherwise.
    pub fn apply_policy<'s>(
        &self,
        scope: &'s Scope,
        result: Result<(), Exception<'s>>,
    ) -> Result<(), Exception<'s>> {
        const SINCE: i32 = 10;
        match result {
            Err(thrown) if self.version < SINCE => {
                self.instance.call_js(scope, Operation::UncaughtPolicy, &[thrown.value()]).map(|_| ())
            }
            result => result,
        }
    }

    #[inline]
    pub fn has_pending(&self) -> bool {
        self.pending.borrow().is_some()
    }

    pub fn set_pending(&self, scope: &Scope, thrown: Value<'_>) {
        *self.pending.borrow_mut() = Some(Root::new(scope, thrown));
    }

    pub fn take_pending<'s>(&self, scope: &'s Scope) -> Option<Exception<'s>> {
        // The borrow ends before the root is dropped.
        let root = self.pending.borrow_mut().take()?;
        Some(Exception::from(root.value(scope)))
    }

    /// Calls a finalizer of the addon.
    pub fn finalize(&self, scope: &Scope, finalize: Finalize, data: Foreign, hint: Foreign) {
        // SAFETY: the addon's own function, with what it was registered with.
        with_scope(scope, || unsafe { finalize(self.pointer(), data, hint) });
    }

    /// The last status, for `napi_get_last_error_info`.
    pub fn last_error(&self) -> *const ExtendedError {
        let error = self.last_error.get();
        // SAFETY: of this thread, and no reference to it is kept; the addon reads it before its
        // next call.
        unsafe { (*error).message = errors::message((*error).status) };
        error
    }

    #[inline]
    pub fn set_last(&self, status: Status) -> Status {
        // SAFETY: as above.
        unsafe {
            let error = &mut *self.last_error.get();
            (error.status, error.engine_error_code) = (status, 0);
            error.engine_reserved = std::ptr::null::<c_void>();
        }
        status
    }

    /// What a program's code may not run any more.
    #[inline]
    pub fn can_run_js(&self) -> bool {
        !self.is_closing.get() && self.instance.can_run_js()
    }
}

impl EnvPointer {
    /// Runs a function that does not run code of the program.
    #[inline]
    pub fn plain(self, body: impl for<'s> FnOnce(Cx<'s>) -> Outcome<'s>) -> Status {
        self.enter(|cx| cx.finish(body(cx)))
    }

    /// Runs a function that finalizers may call during a collection too; it makes no values.
    pub fn basic(self, body: impl FnOnce(&Env) -> Result<(), Status>) -> Status {
        let Some(env) = self.env() else { return Status::InvalidArg };
        if env.has_ended.load(Ordering::Relaxed) {
            return Status::GenericFailure;
        }
        let status = body(env).err().unwrap_or(Status::Ok);
        env.set_last(status)
    }

    /// Runs a function that may run code of the program, and throw (`NAPI_PREAMBLE`).
    #[inline]
    pub fn run(self, body: impl for<'s> FnOnce(Cx<'s>) -> Outcome<'s>) -> Status {
        self.enter(|cx| {
            if cx.env.has_pending() {
                return cx.env.set_last(Status::PendingException);
            }
            if !cx.env.can_run_js() {
                let is_new = cx.env.version >= 10;
                return cx.env.set_last(if is_new { Status::CannotRunJs } else { Status::PendingException });
            }
            cx.finish(body(cx))
        })
    }

    #[inline]
    pub fn env<'a>(self) -> Option<&'a Env> {
        // SAFETY: environments are kept after the end of their runtime, see `instance::end`.
        self.0.map(|env| unsafe { env.as_ref() })
    }

    #[inline]
    fn enter(self, body: impl for<'s> FnOnce(Cx<'s>) -> Status) -> Status {
        let Some(env) = self.env() else { return Status::InvalidArg };
        let scope = SCOPE.get();
        if scope.is_null() {
            // Another thread than that of the environment, which may have ended.
            return Status::GenericFailure;
        }
        if env.in_basic_finalizer.get() {
            errors::fatal_in_finalizer();
        }
        // SAFETY: set by `with_scope`, which is on the stack below.
        body(Cx { env, scope: unsafe { &*scope } })
    }
}

impl<'s> Cx<'s> {
    #[inline]
    fn finish(self, outcome: Outcome<'_>) -> Status {
        let status = match outcome {
            Ok(()) => Status::Ok,
            Err(Failure::Status(status)) => status,
            Err(Failure::Thrown(thrown)) => {
                self.env.set_pending(self.scope, thrown.value());
                Status::PendingException
            }
        };
        self.env.set_last(status)
    }

    /// As Node where a conversion throws: the exception is pending, and the status says what was
    /// expected.
    pub fn refuse(self, thrown: Exception<'_>, status: Status) -> Failure<'s> {
        self.env.set_pending(self.scope, thrown.value());
        status.into()
    }

    /// Returns a value to the addon.
    #[inline]
    pub fn give(self, result: Out<Handle>, value: Value<'_>) -> Outcome<'s> {
        result.set(Handle::of(value));
        Ok(())
    }
}

impl From<Status> for Failure<'_> {
    fn from(status: Status) -> Self {
        Failure::Status(status)
    }
}

impl<'s> From<Exception<'s>> for Failure<'s> {
    fn from(thrown: Exception<'s>) -> Self {
        Failure::Thrown(thrown)
    }
}
