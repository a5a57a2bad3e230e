//! A global object that has the properties of another object: what `node:vm` abi a context. In:
//! an object. Out: a context in which names are looked up there first, and assigned there. The
//! public functions have words for names and values; for symbols, attributes, what is defined and
//! what is listed, [`table`] has its own, where the engine is as expected. Absent: contexts without
//! such an object.

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

/// What an object of ours keeps, under a name that programs do not see.
const SANDBOX_KEY: &str = "kept";

impl Scope {
    /// A new global object in this scope's VM that shows the properties of `object`, which it
    /// keeps.
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
        // SAFETY: the definition is read by the call; the context keeps the class.
        let class = unsafe { (symbols().JSClassCreate)(&raw const definition) };
        let context = Context::of_class(self.shared(), class);
        let sandbox = Box::new(Sandbox { object: object.raw(), is_bypassed: Cell::new(false) });
        // SAFETY: the global object is of our class, so it takes private data. What that holds of
        // the object is kept by the global object, and freed by `free` when that is no more.
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

    /// The context as an object that keeps it, and is a native of it. Once nobody has that object
    /// or anything of the context, the engine collects both.
    pub fn context_into_object(&self, context: Context) -> Object<'_> {
        let raw = context.raw(self);
        // SAFETY: the context is alive; the scope keeps its global object.
        let global = Object::from_raw(self, unsafe { (symbols().JSContextGetGlobalObject)(raw) });
        let watched = Weak::new(self, global);
        let object = self.native(context);
        let key = JsString::new(self, SANDBOX_KEY);
        // SAFETY: both are alive, and natives are of a class of the interface, which may keep
        // values.
        unsafe {
            (symbols().JSObjectSetPrivateProperty)(self.context(), object.raw(), key.raw(), global.raw())
        };
        let context = object.as_native::<Context>(self).expect("made above");
        context.let_go(watched);
        object
    }

    /// Whether the properties of its global object are that object's own alone, from now on. The
    /// context is one of [`Scope::contextify`].
    pub fn set_sandbox_bypassed(&self, context: &Context, is_bypassed: bool) {
        // SAFETY: the context is alive, its global object of our class.
        let sandbox = unsafe { sandbox((symbols().JSContextGetGlobalObject)(context.raw(self))) };
        if let Some(sandbox) = sandbox {
            sandbox.is_bypassed.set(is_bypassed);
        }
    }
}

/// What a global object stands before.
struct Sandbox {
    object: RawObject,
    is_bypassed: Cell<bool>,
}

impl Sandbox {
    fn object(&self) -> Option<RawObject> {
        (!self.is_bypassed.get()).then_some(self.object)
    }

    /// While `body` runs, the object is not asked.
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
    // SAFETY: as promised; freed with the object.
    unsafe { (symbols().JSObjectGetPrivate)(global).cast::<Sandbox>().as_ref() }
}

/// What programs know as the global object.
///
/// # Safety
/// `global` is what the engine passes to a callback of the class above.
unsafe fn outer_global(global: RawObject) -> RawObject {
    // SAFETY: a global object is its own context.
    unsafe { (symbols().JSContextGetGlobalObject)(global) }
}

/// Called when the global object is collected, on any thread.
unsafe extern "C" fn free(global: RawObject) {
    // SAFETY: the private data is ours, and nobody uses it any more.
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
    // SAFETY: called by the engine, in a turn; the object is alive, see `contextify`.
    unsafe {
        match sandbox(global).and_then(Sandbox::object) {
            Some(object) if (symbols().JSObjectHasProperty)(context, object, name) => {
                let found = (symbols().JSObjectGetProperty)(context, object, name, thrown);
                // Seen from within, the object is the global one.
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
        // What the object does not take, the global object has.
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
        // What a script has declared stays, with its value.
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

unsafe extern "C" fn names(context: RawContext, global: RawObject, taker: *mut Opaque) {
    // SAFETY: as above; the array of names is ours and released, `taker` lives through the call.
    unsafe {
        let Some(object) = sandbox(global).and_then(Sandbox::object) else { return };
        let names = (symbols().JSObjectCopyPropertyNames)(context, object);
        for index in 0..(symbols().JSPropertyNameArrayGetCount)(names) {
            let name = (symbols().JSPropertyNameArrayGetNameAtIndex)(names, index);
            (symbols().JSPropertyNameAccumulatorAddName)(taker, name);
        }
        (symbols().JSPropertyNameArrayRelease)(names);
    }
}
