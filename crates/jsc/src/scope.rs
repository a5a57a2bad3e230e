//! Handle scope: roots every value that is made in it until it ends (V8: `HandleScope`). In: a turn
//! or a callback. Out: values that borrow the scope. Absent: operations on values.
//!
//! The engine scans the stacks of its threads conservatively and keeps alive what it finds there;
//! that is its public contract (`JSValueProtect`: for what is stored "in a global or on the heap").
//! A scope is on the stack of the function that opens it, and stores each value in itself before
//! returning it. So a `Value` may then be moved to the heap, too.

use std::cell::{Cell, RefCell, UnsafeCell};
use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;

use crate::engine::symbols;
use crate::exception::Exception;
use crate::object::Object;
use crate::string::JsString;
use crate::symbols::{RawContext, RawGlobal, RawScript, RawValue, Thrown};
use crate::value::Value;
use crate::vm::{Gc, Shared};

/// Values stored on the stack, a quarter of a kibibyte. Each further one costs an entry in the
/// engine's table of protected values; more slots cost every callback the time to clear them.
const SLOTS: usize = 32;

/// Slots that the collector reads. Every access is volatile, because the compiler does not know of
/// that reader.
struct Slots(UnsafeCell<MaybeUninit<[RawValue; SLOTS]>>);

/// The lifetime of values. [`crate::Vm::turn`], callbacks and [`Scope::with_nested_scope`] provide
/// one.
///
/// The slots are the last field: between fields that begin as zero, the compiler clears them, too.
#[repr(C)]
pub struct Scope {
    shared: *const Shared,
    context: RawGlobal,
    used: Cell<usize>,
    more: RefCell<Vec<RawValue>>,
    slots: Slots,
}

impl Scope {
    /// The caller must leave it on its stack, hold the lock of `shared`, and keep both until the
    /// scope is dropped.
    pub(crate) fn new(shared: &Shared, context: RawGlobal) -> Scope {
        let scope = Scope::of_short_call(shared, context);
        (0..SLOTS).for_each(|slot| scope.slots.write(slot, ptr::null()));
        scope
    }

    /// The same without clearing its slots, for a call that soon returns: what was on the stack
    /// before keeps garbage alive only until then.
    #[inline]
    pub(crate) fn of_short_call(shared: &Shared, context: RawGlobal) -> Scope {
        Scope {
            shared,
            context,
            used: Cell::new(0),
            slots: Slots(UnsafeCell::new(MaybeUninit::uninit())),
            more: RefCell::default(),
        }
    }

    /// Collects garbage; roots and values on the stack stay alive.
    pub fn collect(&self, when: Gc) {
        let collect = match when {
            Gc::Soon => symbols().JSGarbageCollect,
            Gc::Now => symbols().JSSynchronousGarbageCollectForDebugging,
        };
        // SAFETY: the scope's context is alive and its lock held; what Rust holds is rooted.
        unsafe { collect(self.context) };
    }

    /// Opens a nested scope, for example for one iteration of a loop, so that its values are
    /// released earlier.
    pub fn with_nested_scope<R>(&self, body: impl for<'s> FnOnce(&'s Scope) -> R) -> R {
        let scope = Scope::new(self.shared(), self.context);
        body(&scope)
    }

    /// Runs a script; `url` and `line` (from 1) are the source position of its first line in
    /// errors.
    pub fn evaluate<'s>(&'s self, source: &str, url: &str, line: u32) -> Result<Value<'s>, Exception<'s>> {
        let (source, url) = (JsString::of_source(self, source), JsString::new(self, url));
        let line = c_int::try_from(line).unwrap_or(c_int::MAX);
        self.check(|thrown| {
            // SAFETY: the strings are alive during the call; a null `this` is the global object.
            unsafe {
                let (source, url) = (source.raw(), url.raw());
                (symbols().JSEvaluateScript)(self.context, source, ptr::null_mut(), url, line, thrown)
            }
        })
        .map(|value| self.retain(value))
    }

    /// Whether the source parses as a script; the exception has the position of a syntax error.
    pub fn check_syntax(&self, source: &str, url: &str, line: u32) -> Result<(), Exception<'_>> {
        let (source, url) = (JsString::of_source(self, source), JsString::new(self, url));
        let line = c_int::try_from(line).unwrap_or(c_int::MAX);
        // The engine reports the error to its inspector, which reads its stack; a translated one
        // would hide the position of the error from our caller.
        self.shared().stacks.without_hook(|| {
            // SAFETY: the strings are alive during the call.
            self.check(|thrown| unsafe {
                (symbols().JSCheckScriptSyntax)(self.context, source.raw(), url.raw(), line, thrown);
            })
        })
    }

    /// Runs a builtin script. The public API can read the source in place, which saves a UTF-16
    /// copy and costs a second pass over it; source that is not ASCII is copied.
    pub fn evaluate_static<'s>(
        &'s self,
        source: &'static str,
        url: &str,
    ) -> Result<Value<'s>, Exception<'s>> {
        if self.shared().fast.is_some() {
            return self.evaluate(source, url, 1);
        }
        let name = JsString::new(self, url);
        let script: RawScript = match source.is_ascii() {
            // SAFETY: `source` is ASCII and static; no error is requested.
            true => unsafe {
                (symbols().JSScriptCreateReferencingImmortalASCIIText)(
                    self.shared().group,
                    name.raw(),
                    1,
                    source.as_ptr().cast(),
                    source.len(),
                    ptr::null_mut(),
                    ptr::null_mut(),
                )
            },
            false => ptr::null_mut(),
        };
        if script.is_null() {
            // The general function reports the error.
            return self.evaluate(source, url, 1);
        }
        let result = self.check(|thrown| {
            // SAFETY: the script is of this VM's group; `this` may be null.
            unsafe { (symbols().JSScriptEvaluate)(self.context, script, ptr::null(), thrown) }
        });
        // SAFETY: made above, released once; the engine retains what it needs of it.
        unsafe { (symbols().JSScriptRelease)(script) };
        result.map(|value| self.retain(value))
    }

    pub fn global(&self) -> Object<'_> {
        // SAFETY: the context is alive.
        Object::from_raw(self, unsafe { (symbols().JSContextGetGlobalObject)(self.context) })
    }

    #[inline]
    pub fn undefined(&self) -> Value<'_> {
        if let Some(layout) = self.shared().layout() {
            return Value::from_raw(layout.undefined());
        }
        // SAFETY: the context is alive.
        self.retain(unsafe { (symbols().JSValueMakeUndefined)(self.context) })
    }

    #[inline]
    pub fn null(&self) -> Value<'_> {
        if let Some(layout) = self.shared().layout() {
            return Value::from_raw(layout.null());
        }
        // SAFETY: the context is alive.
        self.retain(unsafe { (symbols().JSValueMakeNull)(self.context) })
    }

    #[inline]
    pub fn boolean(&self, value: bool) -> Value<'_> {
        if let Some(layout) = self.shared().layout() {
            return Value::from_raw(layout.boolean(value));
        }
        // SAFETY: the context is alive.
        self.retain(unsafe { (symbols().JSValueMakeBoolean)(self.context, value) })
    }

    #[inline]
    pub fn number(&self, value: f64) -> Value<'_> {
        if let Some(layout) = self.shared().layout() {
            return Value::from_raw(layout.number(value));
        }
        // SAFETY: the context is alive.
        self.retain(unsafe { (symbols().JSValueMakeNumber)(self.context, value) })
    }

    /// The same for a whole number.
    #[inline]
    pub fn integer(&self, value: i32) -> Value<'_> {
        match self.shared().layout() {
            Some(layout) => Value::from_raw(layout.integer(value)),
            None => self.number(f64::from(value)),
        }
    }

    pub fn array<'s>(&'s self, elements: &[Value<'_>]) -> Result<Object<'s>, Exception<'s>> {
        self.check(|thrown| {
            // SAFETY: the elements are values of this VM, alive through the call.
            unsafe {
                let elements = Value::raw_slice(elements);
                (symbols().JSObjectMakeArray)(self.context, elements.len(), elements.as_ptr(), thrown)
            }
        })
        .map(|array| Object::from_raw(self, array))
    }

    /// Roots a value that the engine returned until this scope ends. What is in the word itself
    /// needs no root.
    #[inline]
    pub(crate) fn retain(&self, value: RawValue) -> Value<'_> {
        match self.shared().layout() {
            Some(layout) if !layout.is_cell(value) => Value::from_raw(value),
            _ => self.store(value),
        }
    }

    /// Stores a value in the next slot.
    #[inline]
    pub(crate) fn store(&self, value: RawValue) -> Value<'_> {
        let used = self.used.get();
        if used < SLOTS {
            self.slots.write(used, value);
            self.used.set(used + 1);
        } else {
            // SAFETY: a value of this VM; unprotected when the scope is dropped.
            unsafe { (symbols().JSValueProtect)(self.context, value) };
            self.more.borrow_mut().push(value);
        }
        Value::from_raw(value)
    }

    /// The number of values rooted here.
    pub(crate) fn rooted(&self) -> usize {
        self.used.get() + self.more.borrow().len()
    }

    /// Roots another value in the place of one.
    pub(crate) fn replace(&self, place: usize, value: RawValue) {
        match place.checked_sub(SLOTS) {
            None => self.slots.write(place, value),
            Some(index) => {
                // SAFETY: a value of this VM; unprotected when the scope is dropped.
                unsafe { (symbols().JSValueProtect)(self.context, value) };
                let before = std::mem::replace(&mut self.more.borrow_mut()[index], value);
                // SAFETY: protected when it was rooted.
                unsafe { (symbols().JSValueUnprotect)(self.context, before) };
            }
        }
    }

    /// Releases all but the first `count` values.
    pub(crate) fn truncate(&self, count: usize) {
        let mut more = self.more.borrow_mut();
        let kept = count.saturating_sub(SLOTS).min(more.len());
        for value in more.drain(kept..) {
            // SAFETY: protected when it was rooted.
            unsafe { (symbols().JSValueUnprotect)(self.context, value) };
        }
        let used = self.used.get();
        (count.min(used)..used).for_each(|slot| self.slots.write(slot, ptr::null()));
        self.used.set(count.min(used));
    }

    /// Calls the engine; returns its result, or the exception if it has thrown.
    #[inline]
    pub(crate) fn check<T>(&self, call: impl FnOnce(Thrown) -> T) -> Result<T, Exception<'_>> {
        let mut thrown: RawValue = ptr::null();
        let result = call(&raw mut thrown);
        if thrown.is_null() {
            return Ok(result);
        }
        // A termination only ends one script: the caller may continue with another one, so it is
        // requested again.
        if let Some(termination) = self.shared().termination.get() {
            termination.reassert();
        }
        Err(Exception::from(self.retain(thrown)))
    }

    #[inline]
    pub(crate) fn context(&self) -> RawContext {
        self.context
    }

    #[inline]
    pub(crate) fn shared(&self) -> &Shared {
        // SAFETY: outlives the scope, by the contract of `new`.
        unsafe { &*self.shared }
    }
}

impl Slots {
    #[inline]
    fn write(&self, slot: usize, value: RawValue) {
        assert!(slot < SLOTS, "the caller counts");
        // SAFETY: within the array, to which there is no reference.
        unsafe { ptr::write_volatile(self.0.get().cast::<RawValue>().add(slot), value) };
    }
}

impl Drop for Scope {
    #[inline]
    fn drop(&mut self) {
        // A value that stays on the stack of a function that waits, in an event loop for example,
        // would be kept alive.
        (0..self.used.get()).for_each(|slot| self.slots.write(slot, ptr::null()));
        for value in self.more.get_mut().iter() {
            // SAFETY: protected by `store`, once for each entry.
            unsafe { (symbols().JSValueUnprotect)(self.context, *value) };
        }
    }
}
