//! Where values live: a scope keeps every value that is made in it until it ends. In: a turn or a
//! callback. Out: values that borrow the scope. Absent: what a value can do.
//!
//! The engine reads the stacks of its threads and keeps alive what it finds there, by its public
//! contract (`JSValueProtect`: for what is stored "in a global or on the heap"). A scope stands on
//! the stack of the function that opens it, and writes each value into itself before anybody has
//! it; so a `Value` may then be put anywhere, a box included.

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

/// Values kept on the stack, a quarter of a kibibyte. Further ones cost an entry in the engine's
/// table of protected values each; more room costs every callback the time to clear it.
const SLOTS: usize = 32;

/// What the collector reads. Every access is volatile: the compiler does not know that reader.
struct Slots(UnsafeCell<MaybeUninit<[RawValue; SLOTS]>>);

/// The life of values. Get one from [`crate::Vm::turn`], in a callback, or from [`Scope::within`].
pub struct Scope {
    shared: *const Shared,
    context: RawGlobal,
    used: Cell<usize>,
    slots: Slots,
    more: RefCell<Vec<RawValue>>,
}

impl Scope {
    /// The caller leaves it on its stack, holds the lock of `shared` and keeps both until the scope
    /// is dropped.
    pub(crate) fn new(shared: &Shared, context: RawGlobal) -> Scope {
        let scope = Scope {
            shared,
            context,
            used: Cell::new(0),
            slots: Slots(UnsafeCell::new(MaybeUninit::uninit())),
            more: RefCell::default(),
        };
        (0..SLOTS).for_each(|slot| scope.slots.write(slot, ptr::null()));
        scope
    }

    /// Collects garbage; what Rust and the stack hold stays.
    pub fn collect(&self, when: Gc) {
        let collect = match when {
            Gc::Soon => symbols().JSGarbageCollect,
            Gc::Now => symbols().JSSynchronousGarbageCollectForDebugging,
        };
        // SAFETY: the scope's context is alive and its lock held; what Rust holds is rooted.
        unsafe { collect(self.context) };
    }

    /// A scope for a step of a loop, so that its values can go before those of this one.
    pub fn within<R>(&self, body: impl for<'s> FnOnce(&'s Scope) -> R) -> R {
        let scope = Scope::new(self.shared(), self.context);
        body(&scope)
    }

    /// Runs a script; `url` and `line` (from 1) are what errors say of its first line.
    pub fn evaluate<'s>(&'s self, source: &str, url: &str, line: u32) -> Result<Value<'s>, Exception<'s>> {
        let (source, url) = (JsString::of_source(self, source), JsString::new(self, url));
        let line = c_int::try_from(line).unwrap_or(c_int::MAX);
        self.check(|thrown| {
            // SAFETY: the texts live through the call, `this` may be null: the global object.
            unsafe {
                let (source, url) = (source.raw(), url.raw());
                (symbols().JSEvaluateScript)(self.context, source, ptr::null_mut(), url, line, thrown)
            }
        })
        .map(|value| self.keep(value))
    }

    /// Whether a text parses as a script; what is thrown says where it does not.
    pub fn check_syntax(&self, source: &str, url: &str, line: u32) -> Result<(), Exception<'_>> {
        let (source, url) = (JsString::of_source(self, source), JsString::new(self, url));
        let line = c_int::try_from(line).unwrap_or(c_int::MAX);
        // The engine shows the error to its inspector, which has its own text: whoever asks has to
        // say where the text stands first.
        self.shared().stacks.plain(|| {
            // SAFETY: the texts live through the call.
            self.check(|thrown| unsafe {
                (symbols().JSCheckScriptSyntax)(self.context, source.raw(), url.raw(), line, thrown);
            })
        })
    }

    /// Runs a script of our own. By the public way the engine reads it where it is, which spares a
    /// wide copy and costs a second look at the whole of it; text that is not ASCII is copied.
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
            // SAFETY: `source` is ASCII and lives as long as the program; nobody asks for the
            // error.
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
            // The ordinary way says what is wrong with it.
            return self.evaluate(source, url, 1);
        }
        let result = self.check(|thrown| {
            // SAFETY: the script is of this VM's group; `this` may be null.
            unsafe { (symbols().JSScriptEvaluate)(self.context, script, ptr::null(), thrown) }
        });
        // SAFETY: made above, released once; the engine keeps what it needs of it.
        unsafe { (symbols().JSScriptRelease)(script) };
        result.map(|value| self.keep(value))
    }

    pub fn global(&self) -> Object<'_> {
        // SAFETY: the context is alive.
        Object::from_raw(self, unsafe { (symbols().JSContextGetGlobalObject)(self.context) })
    }

    pub fn undefined(&self) -> Value<'_> {
        if let Some(layout) = self.shared().layout() {
            return Value::from_raw(layout.undefined());
        }
        // SAFETY: the context is alive.
        self.keep(unsafe { (symbols().JSValueMakeUndefined)(self.context) })
    }

    pub fn null(&self) -> Value<'_> {
        if let Some(layout) = self.shared().layout() {
            return Value::from_raw(layout.null());
        }
        // SAFETY: the context is alive.
        self.keep(unsafe { (symbols().JSValueMakeNull)(self.context) })
    }

    pub fn boolean(&self, value: bool) -> Value<'_> {
        if let Some(layout) = self.shared().layout() {
            return Value::from_raw(layout.boolean(value));
        }
        // SAFETY: the context is alive.
        self.keep(unsafe { (symbols().JSValueMakeBoolean)(self.context, value) })
    }

    pub fn number(&self, value: f64) -> Value<'_> {
        if let Some(layout) = self.shared().layout() {
            return Value::from_raw(layout.number(value));
        }
        // SAFETY: the context is alive.
        self.keep(unsafe { (symbols().JSValueMakeNumber)(self.context, value) })
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

    /// Keeps what the engine gave until this scope ends.
    pub(crate) fn keep(&self, value: RawValue) -> Value<'_> {
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

    /// EntryPoints the engine, and tells what was thrown from what was returned.
    pub(crate) fn check<T>(&self, call: impl FnOnce(Thrown) -> T) -> Result<T, Exception<'_>> {
        let mut thrown: RawValue = ptr::null();
        let result = call(&raw mut thrown);
        if thrown.is_null() {
            return Ok(result);
        }
        // The end of all scripts may have ended this one alone: whoever is told of it abi others.
        if let Some(termination) = self.shared().termination.get() {
            termination.reassert();
        }
        Err(Exception::from(self.keep(thrown)))
    }

    pub(crate) fn context(&self) -> RawContext {
        self.context
    }

    pub(crate) fn shared(&self) -> &Shared {
        // SAFETY: outlives the scope, by the contract of `new`.
        unsafe { &*self.shared }
    }
}

impl Slots {
    fn write(&self, slot: usize, value: RawValue) {
        assert!(slot < SLOTS, "the caller counts");
        // SAFETY: within the array, to which nobody holds a reference.
        unsafe { ptr::write_volatile(self.0.get().cast::<RawValue>().add(slot), value) };
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        // What stays on a stack that waits, in a loop for example, is kept alive.
        (0..self.used.get()).for_each(|slot| self.slots.write(slot, ptr::null()));
        for value in self.more.take() {
            // SAFETY: protected by `keep`, once for each entry.
            unsafe { (symbols().JSValueUnprotect)(self.context, value) };
        }
    }
}
