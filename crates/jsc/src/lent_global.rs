//! A global object that has the properties of another object: what `node:vm` calls a context. In: an object. Out: a context in which
//! names are looked up there first, and assigned there. What a script declares (`var`, functions) is the engine's and stays on the
//! global object. Absent: contexts without such an object.

use std::cell::RefCell;
use std::ptr;

use crate::engine::symbols;
use crate::object::Object;
use crate::root::Root;
use crate::scope::Scope;
use crate::symbols::{ClassDefinition, Opaque, RawContext, RawObject, RawString, RawValue, Thrown};
use crate::text::Text;
use crate::vm::Context;

impl Scope {
    /// A new global object in this scope's VM that shows the properties of `object`, which it keeps.
    pub fn context_over(&self, object: Object<'_>) -> Context {
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
        let context = Context::of_class(self.shared(), class, Some(Root::new(self, object.value())));
        let behind = Box::new(Behind { object: object.raw(), own: RefCell::default() });
        // SAFETY: the global object is of our class, so it takes private data. What that holds of the object is kept by the root
        // above for as long as the context is there, and freed by `free` when the global object is no more.
        unsafe {
            (symbols().JSClassRelease)(class);
            let global = (symbols().JSContextGetGlobalObject)(context.raw());
            (symbols().JSObjectSetPrivate)(global, Box::into_raw(behind).cast());
        }
        context
    }

    /// Names that are looked up on the global object alone, from now on: those of functions that a script declares, which the
    /// engine puts there. The context is one of [`Scope::context_over`].
    pub fn set_own_names(&self, context: &Context, names: &[String]) {
        // SAFETY: the context is alive, its global object of our class.
        let behind = unsafe { behind((symbols().JSContextGetGlobalObject)(context.raw())) };
        if let Some(behind) = behind {
            *behind.own.borrow_mut() = names.iter().map(|name| Text::new(self, name)).collect();
        }
    }
}

/// What a global object stands before.
struct Behind {
    object: RawObject,
    own: RefCell<Vec<Text>>,
}

impl Behind {
    /// The object, if it may have the name.
    fn object_for(&self, name: RawString) -> Option<RawObject> {
        // SAFETY: both are alive through the call.
        let is_own = |own: &Text| unsafe { (symbols().JSStringIsEqual)(own.raw(), name) };
        (!self.own.borrow().iter().any(is_own)).then_some(self.object)
    }
}

/// `None` before it is set.
///
/// # Safety
/// `global` is what the engine passes to a callback of the class above, or such a global object.
unsafe fn behind<'a>(global: RawObject) -> Option<&'a Behind> {
    // SAFETY: as promised; freed with the object.
    unsafe { (symbols().JSObjectGetPrivate)(global).cast::<Behind>().as_ref() }
}

/// Called when the global object is collected, on any thread.
unsafe extern "C" fn free(global: RawObject) {
    // SAFETY: the private data is ours, and nobody uses it any more. The texts in it are released without a lock, as any.
    unsafe {
        let behind = (symbols().JSObjectGetPrivate)(global).cast::<Behind>();
        if !behind.is_null() {
            drop(Box::from_raw(behind));
        }
    }
}

unsafe extern "C" fn find(
    context: RawContext,
    global: RawObject,
    name: RawString,
    thrown: Thrown,
) -> RawValue {
    // SAFETY: called by the engine, in a turn; the object is alive, see `context_over`.
    unsafe {
        match behind(global).and_then(|behind| behind.object_for(name)) {
            Some(object) if (symbols().JSObjectHasProperty)(context, object, name) => {
                (symbols().JSObjectGetProperty)(context, object, name, thrown)
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
        let Some(object) = behind(global).and_then(|behind| behind.object_for(name)) else { return false };
        (symbols().JSObjectSetProperty)(context, object, name, value, 0, thrown);
        // What the object does not take, the global object has.
        !(*thrown).is_null() || (symbols().JSObjectHasProperty)(context, object, name)
    }
}

unsafe extern "C" fn delete(context: RawContext, global: RawObject, name: RawString, thrown: Thrown) -> bool {
    // SAFETY: as above.
    unsafe {
        behind(global).and_then(|behind| behind.object_for(name)).is_some_and(|object| {
            (symbols().JSObjectHasProperty)(context, object, name)
                && (symbols().JSObjectDeleteProperty)(context, object, name, thrown)
        })
    }
}

unsafe extern "C" fn names(context: RawContext, global: RawObject, taker: *mut Opaque) {
    // SAFETY: as above; the array of names is ours and released, `taker` lives through the call.
    unsafe {
        let Some(Behind { object, .. }) = behind(global) else { return };
        let names = (symbols().JSObjectCopyPropertyNames)(context, *object);
        for index in 0..(symbols().JSPropertyNameArrayGetCount)(names) {
            let name = (symbols().JSPropertyNameArrayGetNameAtIndex)(names, index);
            (symbols().JSPropertyNameAccumulatorAddName)(taker, name);
        }
        (symbols().JSPropertyNameArrayRelease)(names);
    }
}
