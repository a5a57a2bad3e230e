//! Values as words, for C code that holds them (Node-API's `napi_value`). In: a value of a scope.
//! Out: its word, and the value again; marks, to which a scope releases what it rooted since; the
//! scope of the thread's VM, for calls that come from C. Absent: a lifetime; C keeps the rules of
//! handle scopes by itself, as it does in Node.

use std::ffi::c_void;
use std::ptr;

use crate::engine::symbols;
use crate::exception::Exception;
use crate::object::{Function, Object};
use crate::scope::Scope;
use crate::symbols::RawValue;
use crate::value::Value;
use crate::vm::Shared;

/// How much a scope has rooted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScopeMark(usize);

/// A place of a scope that was taken before a mark and is filled after it (V8:
/// `EscapableHandleScope`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReservedSlot(usize);

/// Called by the collector at the end of each collection, with what was registered. It must not
/// use the engine.
pub type OnCollected = unsafe extern "C" fn(*const c_void, *mut c_void);

impl<'s> Value<'s> {
    /// The word by which C knows the value; never null.
    #[inline]
    pub fn word(self) -> *const c_void {
        self.raw().cast()
    }

    /// # Safety
    /// The word is of a value of this thread's VM that is alive for `'s`: a scope, the frame of a
    /// call, or a handle keeps it alive.
    #[inline]
    pub unsafe fn from_word(word: *const c_void) -> Value<'s> {
        Value::from_raw(word.cast())
    }
}

impl<'s> Function<'s> {
    /// # Safety
    /// As [`Value::from_word`], for a value that is a function.
    #[inline]
    pub unsafe fn from_word(word: *const c_void) -> Function<'s> {
        Function::of_object(Object::of_value(Value::from_raw(word.cast())))
    }
}

impl Scope {
    /// Roots a value here that another scope or the frame of a call keeps alive until now.
    #[inline]
    pub fn root<'s>(&'s self, value: Value<'_>) -> Value<'s> {
        self.retain(value.raw())
    }

    #[inline]
    pub fn mark(&self) -> ScopeMark {
        ScopeMark(self.rooted())
    }

    /// Takes a place for a value that is known later.
    pub fn reserve(&self) -> ReservedSlot {
        let slot = self.rooted();
        // SAFETY: the context is alive.
        self.store(unsafe { (symbols().JSValueMakeUndefined)(self.context()) });
        ReservedSlot(slot)
    }

    /// Fills a place, which outlives later marks; false: the scope has released it.
    pub fn fill(&self, slot: ReservedSlot, value: Value<'_>) -> bool {
        slot.0 < self.rooted() && {
            self.replace(slot.0, value.raw());
            true
        }
    }

    /// Releases what was rooted since the mark.
    ///
    /// # Safety
    /// No value that was made since is used again.
    #[inline]
    pub unsafe fn release_to(&self, mark: ScopeMark) {
        self.truncate(mark.0);
    }

    /// Has `callback` called at the end of each collection, until the VM ends.
    ///
    /// # Safety
    /// The callback may be called with `data` on any thread that collects for this VM, until the
    /// VM has ended, and does not use the engine.
    pub unsafe fn on_collected(&self, callback: OnCollected, data: *mut c_void) {
        // SAFETY: the group is alive; guaranteed by the caller.
        unsafe { (symbols().JSContextGroupAddHeapFinalizer)(self.shared().group, callback, data) };
    }

    /// A symbol that no other is the same as.
    pub fn symbol(&self, description: Option<&str>) -> Value<'_> {
        let description = description.map(|text| crate::JsString::new(self, text));
        let raw = description.as_ref().map_or(ptr::null_mut(), crate::JsString::raw);
        // SAFETY: the context is alive, and so is the string during the call.
        self.retain(unsafe { (symbols().JSValueMakeSymbol)(self.context(), raw) })
    }

    /// `{}`.
    pub fn new_object(&self) -> Object<'_> {
        // SAFETY: the context is alive; without a class it is a plain object.
        Object::from_raw(self, unsafe {
            (symbols().JSObjectMake)(self.context(), ptr::null_mut(), ptr::null_mut())
        })
    }

    /// Tells the collector of memory outside of its heap.
    pub fn report_external_memory(&self, bytes: usize) {
        // SAFETY: the context is alive.
        unsafe { (symbols().JSReportExtraMemoryCost)(self.context(), bytes) };
    }
}

/// Opens a scope in the VM of this thread, also where no turn runs; `None`: it has none. The
/// outermost one ends as a turn does.
pub fn with_vm_of_thread<R>(body: impl for<'s> FnOnce(&'s Scope) -> R) -> Option<R> {
    // SAFETY: the VM is on this thread, which does not drop it meanwhile.
    let shared = unsafe { Shared::current() }?;
    Some(shared.enter(shared.global(), body))
}

/// Access by keys that are values: symbols, and names that the caller has as strings.
impl Object<'_> {
    pub fn property_of<'r>(self, scope: &'r Scope, key: Value<'_>) -> Result<Value<'r>, Exception<'r>> {
        self.keyed(scope, |context, thrown| {
            // SAFETY: an object and a key of this VM, under its lock.
            unsafe { (symbols().JSObjectGetPropertyForKey)(context, self.raw(), key.raw(), thrown) }
        })
        .map(|found| scope.retain(found))
    }

    #[inline]
    pub fn set_property_of<'r>(
        self,
        scope: &'r Scope,
        key: Value<'_>,
        value: Value<'_>,
    ) -> Result<(), Exception<'r>> {
        let written = scope.property_writer().and_then(|writer| writer.set(scope, self, key, value));
        if let Some(written) = written {
            return written;
        }
        self.keyed(scope, |context, thrown| {
            let (object, key, value) = (self.raw(), key.raw(), value.raw());
            // SAFETY: an object, a key and a value of this VM, under its lock.
            unsafe { (symbols().JSObjectSetPropertyForKey)(context, object, key, value, 0, thrown) }
        })
    }

    /// `key in object`.
    pub fn has_property_of<'r>(self, scope: &'r Scope, key: Value<'_>) -> Result<bool, Exception<'r>> {
        self.keyed(scope, |context, thrown| {
            // SAFETY: an object and a key of this VM, under its lock.
            unsafe { (symbols().JSObjectHasPropertyForKey)(context, self.raw(), key.raw(), thrown) }
        })
    }

    /// Returns whether the property does not exist afterwards.
    pub fn delete_property_of<'r>(self, scope: &'r Scope, key: Value<'_>) -> Result<bool, Exception<'r>> {
        self.keyed(scope, |context, thrown| {
            // SAFETY: an object and a key of this VM, under its lock.
            unsafe { (symbols().JSObjectDeletePropertyForKey)(context, self.raw(), key.raw(), thrown) }
        })
    }

    #[inline]
    pub fn set_element<'r>(
        self,
        scope: &'r Scope,
        index: u32,
        value: Value<'_>,
    ) -> Result<(), Exception<'r>> {
        let written =
            scope.property_writer().and_then(|writer| writer.set_element(scope, self, index, value));
        if let Some(written) = written {
            return written;
        }
        self.keyed(scope, |context, thrown| {
            let (object, value) = (self.raw(), value.raw());
            // SAFETY: an object and a value of this VM, under its lock.
            unsafe { (symbols().JSObjectSetPropertyAtIndex)(context, object, index, value, thrown) }
        })
    }

    /// `Object.getPrototypeOf(object)`.
    pub fn prototype(self, scope: &Scope) -> Value<'_> {
        // SAFETY: an object of this VM, under its lock.
        scope.retain(unsafe { (symbols().JSObjectGetPrototype)(scope.context(), self.raw()) })
    }

    fn keyed<'r, T>(
        self,
        scope: &'r Scope,
        call: impl FnOnce(crate::symbols::RawContext, *mut RawValue) -> T,
    ) -> Result<T, Exception<'r>> {
        scope.check(|thrown| call(scope.context(), thrown))
    }
}
