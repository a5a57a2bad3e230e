//! Promises that Rust settles. In: a scope. Out: a promise with its two functions; and as
//! [`PromiseResolver`] the functions alone, rooted beyond the scope, for work that ends later.
//! Absent: waiting; JavaScript does that.

pub(crate) mod enqueue;
pub(crate) mod handled;
pub(crate) mod microtasks;

use std::ptr;

use crate::engine::symbols;
use crate::exception::Exception;
use crate::object::{Function, Object};
use crate::root::Root;
use crate::scope::Scope;
use crate::value::Value;

/// A promise, and its resolving functions.
#[derive(Clone, Copy, Debug)]
pub struct Deferred<'s> {
    pub promise: Object<'s>,
    pub resolve: Function<'s>,
    pub reject: Function<'s>,
}

/// Rooted resolving functions of a promise. Dropping it leaves the promise pending.
pub struct PromiseResolver {
    resolve: Root,
    reject: Root,
}

/// A rejected promise, and its reason.
#[derive(Clone, Copy, Debug)]
pub struct Rejection<'s> {
    promise: Object<'s>,
    pub reason: Value<'s>,
}

/// The same, rooted beyond the scope.
pub struct RootedRejection {
    promise: Root,
    reason: Root,
}

impl Scope {
    pub fn promise(&self) -> Result<Deferred<'_>, Exception<'_>> {
        let (mut resolve, mut reject) = (ptr::null_mut(), ptr::null_mut());
        let promise = self.check(|thrown| {
            // SAFETY: the context is alive; the engine writes both functions where it succeeds.
            unsafe {
                (symbols().JSObjectMakeDeferredPromise)(self.context(), &mut resolve, &mut reject, thrown)
            }
        })?;
        let function = |raw| Function::of_object(Object::from_raw(self, raw));
        Ok(Deferred {
            promise: Object::from_raw(self, promise),
            resolve: function(resolve),
            reject: function(reject),
        })
    }

    /// Sets the callback for promises that were rejected and have no handler when the microtasks
    /// have run. Exceptions of the callback are lost. There is one per context; the last one set is
    /// called.
    pub fn on_unhandled_rejection(
        &self,
        callback: impl for<'b> Fn(&'b Scope, Rejection<'b>) + 'static,
    ) -> Result<(), Exception<'_>> {
        let function = self.function("unhandledRejection", move |scope, call| {
            if let Some(promise) = call.argument(scope, 0).as_object(scope) {
                callback(scope, Rejection { promise, reason: call.argument(scope, 1) });
            }
            Ok(scope.undefined())
        });
        self.set_rejection_function(function.object())
    }

    pub(crate) fn set_rejection_function(&self, function: Object<'_>) -> Result<(), Exception<'_>> {
        self.check(|thrown| {
            // SAFETY: a function of this VM, under its lock; all of our contexts are global ones.
            // The engine retains the function.
            unsafe {
                let context = self.context().cast_mut();
                (symbols().JSGlobalContextSetUnhandledRejectionCallback)(context, function.raw(), thrown);
            }
        })
    }
}

impl Rejection<'_> {
    pub fn root(self, scope: &Scope) -> RootedRejection {
        RootedRejection {
            promise: Root::new(scope, self.promise.value()),
            reason: Root::new(scope, self.reason),
        }
    }
}

impl RootedRejection {
    pub fn promise<'s>(&self, scope: &'s Scope) -> Value<'s> {
        self.promise.value(scope)
    }

    pub fn reason<'s>(&self, scope: &'s Scope) -> Value<'s> {
        self.reason.value(scope)
    }

    /// Whether it got a handler in the meantime. `None`: the ABI is not available; there is no
    /// public function for it.
    pub fn is_handled(&self, scope: &Scope) -> Option<bool> {
        let is_handled = *scope.shared().is_handled.get_or_init(|| handled::verify(scope));
        let promise = Object::of_value(self.promise.value(scope));
        is_handled.map(|is_handled| is_handled.query(scope, promise))
    }
}

impl Deferred<'_> {
    pub fn into_resolver(self, scope: &Scope) -> PromiseResolver {
        PromiseResolver {
            resolve: Root::new(scope, self.resolve.value()),
            reject: Root::new(scope, self.reject.value()),
        }
    }
}

impl PromiseResolver {
    /// Settles the promise; its handlers run as microtasks.
    pub fn settle<'s>(
        self,
        scope: &'s Scope,
        outcome: Result<Value<'_>, Exception<'_>>,
    ) -> Result<(), Exception<'s>> {
        let (function, value) = match outcome {
            Ok(value) => (&self.resolve, value),
            Err(exception) => (&self.reject, exception.value()),
        };
        let function = function.value(scope).as_function(scope).expect("the engine made it a function");
        function.call(scope, &[value]).map(|_| ())
    }
}
