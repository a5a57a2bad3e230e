//! Contextified sandbox: a global object backed by another object, as `vm.createContext` makes
//! (Node's `ContextifyContext`). In: the sandbox object. Out: a context in which names are looked
//! up and assigned on the sandbox first. The public callbacks only know string names and values;
//! [`method_table`] handles symbols, attributes, definitions and enumeration where the unstable ABI
//! is available. Absent: contexts without a sandbox.

mod method_table;

use std::cell::Cell;
use std::ptr;

use crate::engine::symbols;
use crate::object::Object;
use crate::root::Weak;
use crate::scope::Scope;
use crate::string::JsString;
use crate::symbols::{ClassDefinition, Opaque, RawContext, RawObject, RawString, RawValue, Thrown};
use crate::vm::Context;

/// Private property by which an object keeps another one alive; programs cannot see it.
const SANDBOX_KEY: &str = "retained";

impl Scope {
    /// Makes a new global object in this scope's VM that exposes the properties of `object`, and
    /// keeps that alive.
    pub fn contextify(&self, object: Object<'_>) -> Context {
        let definition = ClassDefinition {
            version: 0,
            // `kJSClassAttributeNoAutomaticPrototype`.
            attributes: 1 << 1,
            class_name: c"Object".as_ptr(),
            parent: ptr::null_mut(),
            static_values: ptr::null(),
            static_functions: ptr::null(),
            initialize: ptr::null(),
            finalize: Some(free),
            has_property: ptr::null(),
            find_property: find as *const _,
            set_property: set as *const _,
            delete_property: delete as *const _,
            property_names: names as *const _,
            call_as_function: None,
            call_as_constructor: ptr::null(),
            has_instance: ptr::null(),
            convert: ptr::null(),
        };
        // SAFETY: the call copies the definition; the context retains the class.
        let class = unsafe { (symbols().JSClassCreate)(&raw const definition) };
        let context = Context::of_class(self.shared(), class);
        let sandbox = Box::new(Sandbox { object: object.raw(), is_bypassed: Cell::new(false) });
        // SAFETY: the global object is of our class, so it can hold private data. The sandbox
        // pointer in it stays valid because a private property keeps the sandbox alive. `free`
        // drops the data after the global object was collected.
        unsafe {
            (symbols().JSClassRelease)(class);
            let global = (symbols().JSContextGetGlobalObject)(context.raw(self));
            (symbols().JSObjectSetPrivate)(global, Box::into_raw(sandbox).cast());
            let key = JsString::new(self, SANDBOX_KEY);
            (symbols().JSObjectSetPrivateProperty)(context.raw(self), global, key.raw(), object.raw());
        }
        method_table::install(self, &context);
        context
    }

    /// Returns a native object that owns the context. Once neither that object nor anything of the
    /// context is reachable, the engine collects both.
    pub fn context_into_object(&self, context: Context) -> Object<'_> {
        let raw = context.raw(self);
        // SAFETY: the context is alive; the scope roots its global object.
        let global = Object::from_raw(self, unsafe { (symbols().JSContextGetGlobalObject)(raw) });
        let weak_global = Weak::new(self, global);
        let object = self.native(context);
        let key = JsString::new(self, SANDBOX_KEY);
        // SAFETY: both are alive, and native objects are of a class of the C API, which supports
        // private properties.
        unsafe {
            (symbols().JSObjectSetPrivateProperty)(self.context(), object.raw(), key.raw(), global.raw())
        };
        let context = object.as_native::<Context>(self).expect("made above");
        context.make_collectable(weak_global);
        object
    }

    /// From now on the sandbox is bypassed, or is not: then the global object only shows its own
    /// properties. The context must come from [`Scope::contextify`].
    pub fn set_sandbox_bypassed(&self, context: &Context, is_bypassed: bool) {
        // SAFETY: the context is alive, its global object of our class.
        let sandbox = unsafe { sandbox((symbols().JSContextGetGlobalObject)(context.raw(self))) };
        if let Some(sandbox) = sandbox {
            sandbox.is_bypassed.set(is_bypassed);
        }
    }
}

/// Private data of the global object.
struct Sandbox {
    object: RawObject,
    is_bypassed: Cell<bool>,
}

impl Sandbox {
    fn object(&self) -> Option<RawObject> {
        (!self.is_bypassed.get()).then_some(self.object)
    }

    /// Bypasses the sandbox while `body` runs.
    fn bypassed<R>(&self, body: impl FnOnce() -> R) -> R {
        let before = self.is_bypassed.replace(true);
        let result = body();
        self.is_bypassed.set(before);
        result
    }
}

/// `None` before it is set.
///
/// # Safety
/// `global` is what the engine passes to a callback of the class above, or such a global object.
unsafe fn sandbox<'a>(global: RawObject) -> Option<&'a Sandbox> {
    // SAFETY: guaranteed by the caller; freed with the object.
    unsafe { (symbols().JSObjectGetPrivate)(global).cast::<Sandbox>().as_ref() }
}

/// The object that programs see as the global object (the global proxy).
///
/// # Safety
/// `global` is what the engine passes to a callback of the class above.
unsafe fn outer_global(global: RawObject) -> RawObject {
    // SAFETY: a global object is its own context.
    unsafe { (symbols().JSContextGetGlobalObject)(global) }
}

/// Called after the global object was collected, on any thread.
unsafe extern "C" fn free(global: RawObject) {
    // SAFETY: the private data is ours, and nothing uses it any more.
    unsafe {
        let sandbox = (symbols().JSObjectGetPrivate)(global).cast::<Sandbox>();
        if !sandbox.is_null() {
            drop(Box::from_raw(sandbox));
        }
    }
}

unsafe extern "C" fn find(
    context: RawContext,
    global: RawObject,
    name: RawString,
    thrown: Thrown,
) -> RawValue {
    // SAFETY: called by the engine, in a turn; the sandbox is alive, see `contextify`.
    unsafe {
        match sandbox(global).and_then(Sandbox::object) {
            Some(object) if (symbols().JSObjectHasProperty)(context, object, name) => {
                let found = (symbols().JSObjectGetProperty)(context, object, name, thrown);
                // A sandbox that refers to itself refers to the global object when seen from
                // inside.
                if found == object.cast_const() { outer_global(global).cast_const() } else { found }
            }
            _ => ptr::null(),
        }
    }
}

unsafe extern "C" fn set(
    context: RawContext,
    global: RawObject,
    name: RawString,
    value: RawValue,
    thrown: Thrown,
) -> bool {
    // SAFETY: as above.
    unsafe {
        let Some(object) = sandbox(global).and_then(Sandbox::object) else { return false };
        let had = (symbols().JSObjectHasProperty)(context, object, name);
        (symbols().JSObjectSetProperty)(context, object, name, value, 0, thrown);
        // A property that the sandbox does not accept is set on the global object.
        had || !(*thrown).is_null() || (symbols().JSObjectHasProperty)(context, object, name)
    }
}

unsafe extern "C" fn delete(context: RawContext, global: RawObject, name: RawString, thrown: Thrown) -> bool {
    // SAFETY: as above.
    unsafe {
        let Some((sandbox, object)) = sandbox(global).and_then(|sandbox| Some((sandbox, sandbox.object()?)))
        else {
            return false;
        };
        if !(symbols().JSObjectHasProperty)(context, object, name) {
            return false;
        }
        let delete = symbols().JSObjectDeleteProperty;
        let is_gone = sandbox.bypassed(|| delete(context, global, name, ptr::null_mut()));
        // A declared variable is not deletable and stays, with its value.
        let last = match is_gone {
            true => ptr::null(),
            false => (symbols().JSObjectGetProperty)(context, object, name, thrown),
        };
        let is_deleted = delete(context, object, name, thrown);
        if is_deleted && !last.is_null() {
            sandbox.bypassed(|| {
                (symbols().JSObjectSetProperty)(context, global, name, last, 0, ptr::null_mut());
            });
        }
        is_deleted
    }
}

unsafe extern "C" fn names(context: RawContext, global: RawObject, accumulator: *mut Opaque) {
    // SAFETY: as above; we own and release the array of names, and `taker` is alive during the
    // call.
    unsafe {
        let Some(object) = sandbox(global).and_then(Sandbox::object) else { return };
        let names = (symbols().JSObjectCopyPropertyNames)(context, object);
        for index in 0..(symbols().JSPropertyNameArrayGetCount)(names) {
            let name = (symbols().JSPropertyNameArrayGetNameAtIndex)(names, index);
            (symbols().JSPropertyNameAccumulatorAddName)(accumulator, name);
        }
        (symbols().JSPropertyNameArrayRelease)(names);
    }
}
