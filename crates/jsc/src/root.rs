//! Handles of values beyond a scope. In: a value. Out: a handle that keeps it alive ([`Root`]) or
//! does not ([`Weak`]), and that returns it in a later scope. Both may outlive their VM; then they
//! are empty. For very many values a JavaScript array or map in one root is cheaper.

use std::rc::Rc;

use crate::engine::symbols;
use crate::object::Object;
use crate::scope::Scope;
use crate::symbols::{RawValue, RawWeak};
use crate::value::Value;
use crate::vm::Shared;

/// A strong handle.
pub struct Root {
    shared: std::rc::Weak<Shared>,
    raw: RawValue,
}

/// A weak handle of an object.
pub struct Weak {
    shared: Rc<Shared>,
    raw: RawWeak,
}

impl Root {
    pub fn new(scope: &Scope, value: Value<'_>) -> Root {
        // SAFETY: a value of this VM, under its lock.
        unsafe { (symbols().JSValueProtect)(scope.context(), value.raw()) };
        Root { shared: Rc::downgrade(&scope.shared().share()), raw: value.raw() }
    }

    /// The value, in a scope of the same VM.
    ///
    /// # Panics
    /// In a scope of another VM.
    pub fn value<'s>(&self, scope: &'s Scope) -> Value<'s> {
        let is_same = std::ptr::eq(self.shared.as_ptr(), scope.shared());
        assert!(is_same, "a root is used with its own VM");
        scope.retain(self.raw)
    }

    /// The value, for as long as the root is there, which then keeps it alive alone.
    ///
    /// # Panics
    /// As [`Root::value`].
    pub fn borrow<'r>(&'r self, scope: &'r Scope) -> Value<'r> {
        let is_same = std::ptr::eq(self.shared.as_ptr(), scope.shared());
        assert!(is_same, "a root is used with its own VM");
        Value::from_raw(self.raw)
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let Some(shared) = self.shared.upgrade().filter(|shared| shared.is_alive()) else { return };
        // SAFETY: protected by `new`; the VM is alive, and so is its first context. The engine
        // takes its own lock.
        unsafe { (symbols().JSValueUnprotect)(shared.global(), self.raw) };
    }
}

impl Weak {
    pub fn new(scope: &Scope, object: Object<'_>) -> Weak {
        let shared = scope.shared().share();
        // SAFETY: an object of this VM, under its lock.
        let raw = unsafe { (symbols().JSWeakCreate)(shared.group, object.raw()) };
        Weak { shared, raw }
    }

    /// The object, if it was not collected.
    ///
    /// # Panics
    /// In a scope of another VM.
    pub fn object<'s>(&self, scope: &'s Scope) -> Option<Object<'s>> {
        assert!(
            std::ptr::eq(Rc::as_ptr(&self.shared), scope.shared()),
            "a weak handle is used with its own VM"
        );
        // SAFETY: the handle is of this VM, whose lock is held, so nothing is collected before the
        // scope roots the object.
        let object = unsafe { (symbols().JSWeakGetObject)(self.raw) };
        (!object.is_null()).then(|| Object::from_raw(scope, object))
    }
}

impl Weak {
    /// Whether the object was not collected.
    pub fn is_alive(&self, _: &Scope) -> bool {
        // SAFETY: the handle is of this thread's VM, whose lock is held.
        !unsafe { (symbols().JSWeakGetObject)(self.raw) }.is_null()
    }
}

impl Drop for Weak {
    fn drop(&mut self) {
        if self.shared.is_alive() {
            // SAFETY: made by `new`, released once, while its context group is alive.
            unsafe { (symbols().JSWeakRelease)(self.shared.group, self.raw) };
        }
    }
}
