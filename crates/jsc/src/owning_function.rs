//! Host functions that own a value of Rust (WebKit's `JSNativeStdFunction`, unstable ABI). In: a
//! value, a body that captures nothing. Out: a JavaScript function, which `new` calls, too. A call
//! finds the value in its own cell, without a table or a lock. Absent: what a constructed object
//! is; the body makes it. Without a verified ABI there are no such functions.
//!
//! The engine owns the value by a `WTF::Function`, a pointer to an object with a C++ table of
//! methods: two destructors, then the call (`JSNativeStdFunction.h`, `wtf/Function.h`).

use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::mem;
use std::ptr::NonNull;

use crate::engine::engine;
use crate::exception::Exception;
use crate::host_function::{self, CALLEE, Called, NO_INTRINSIC, THIS};
use crate::native::{Call, Outcome};
use crate::object::{Function, Object};
use crate::scope::Scope;
use crate::string::JsString;
use crate::string::fast::{self, peek};
use crate::symbols::{Opaque, RawContext, RawGroup, RawObject, RawValue};
use crate::value::Value;

/// `JSC::JSNativeStdFunction::create(JSC::VM&, JSC::JSGlobalObject*, unsigned int, WTF::String
/// const&, WTF::Function<long (JSC::JSGlobalObject*, JSC::CallFrame*)>&&, JSC::Intrinsic,
/// JSC::NativeFunction)`.
const CREATE: &CStr = c"_ZN3JSC19JSNativeStdFunction6createERNS_2VMEPNS_14JSGlobalObjectEjRKN3WTF6StringEONS5_8FunctionIFlS4_PNS_9CallFrameEEEENS_9IntrinsicENS5_11FunctionPtrILNS5_6PtrTagE1ESC_LNS5_18FunctionAttributesE2EEE";

/// Where a function's cell has the pointer to its value.
const VALUE_OFFSET: usize = 32;

type Create = unsafe extern "C" fn(
    RawGroup,
    RawContext,
    u32,
    *const *mut Opaque,
    *mut *mut c_void,
    u8,
    Called,
) -> RawObject;

/// The engine's function, not yet verified.
#[derive(Clone, Copy)]
pub(crate) struct OwningFunctions(Create);

/// The methods of a `WTF::Function`'s object.
#[repr(C)]
struct Methods {
    destroy: unsafe extern "C" fn(*mut c_void),
    delete: unsafe extern "C" fn(*mut c_void),
    call: unsafe extern "C" fn(*const c_void, RawContext, *const RawValue) -> RawValue,
}

/// A `WTF::Function`'s object.
#[repr(C)]
struct Callable<T> {
    methods: *const Methods,
    value: T,
}

/// The methods for a type and a body.
struct MethodsOf<T, F>(PhantomData<(T, F)>);

impl OwningFunctions {
    /// Looks it up, in a release whose source was reviewed.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<OwningFunctions> {
        let address = find(CREATE);
        // SAFETY: the mangled name contains the argument types; `verify` checks the rest.
        (!address.is_null())
            .then(|| OwningFunctions(unsafe { mem::transmute::<*mut c_void, Create>(address) }))
    }

    fn make<'s, T, F>(self, scope: &'s Scope, name: &JsString, value: T, body: F) -> Function<'s>
    where
        T: Send + 'static,
        F: for<'b> Fn(&'b Scope, &Call<'b>, Option<Value<'b>>, &T) -> Outcome<'b> + 'static,
    {
        const { assert!(size_of::<F>() == 0, "it captures nothing") };
        // `called` and `constructed` recreate the zero-sized value, so this one is not dropped.
        mem::forget(body);
        let callable = Box::new(Callable { methods: &raw const *MethodsOf::<T, F>::METHODS, value });
        let mut owner = Box::into_raw(callable).cast::<c_void>();
        let (group, context) = (scope.shared().group, scope.context());
        // SAFETY: the lock is held, the context is alive, and so is the name during the call. The
        // engine takes over the object, and deletes it by its own table.
        let object = unsafe {
            let name = fast::string_of(name.raw());
            (self.0)(group, context, 0, name, &raw mut owner, NO_INTRINSIC, constructed::<T, F>)
        };
        Function::of_object(Object::from_raw(scope, object))
    }
}

impl<T, F> MethodsOf<T, F>
where
    T: Send + 'static,
    F: for<'b> Fn(&'b Scope, &Call<'b>, Option<Value<'b>>, &T) -> Outcome<'b> + 'static,
{
    const METHODS: &'static Methods = &Methods { destroy: keep, delete: delete::<T>, call: called::<T, F> };
}

impl Scope {
    /// A function that owns a value. `body` gets the call, `new.target` where `new` calls it, and
    /// the value; it takes less than a microsecond apart from code of the program, and captures
    /// nothing. The value is dropped when the function was collected, on any thread. `None`: this
    /// engine has no such functions; the value is lost.
    pub fn owning_function<'s, T, F>(&'s self, name: &JsString, value: T, body: F) -> Option<Function<'s>>
    where
        T: Send + 'static,
        F: for<'b> Fn(&'b Scope, &Call<'b>, Option<Value<'b>>, &T) -> Outcome<'b> + 'static,
    {
        let found = self.shared().owning_functions.get_or_init(|| verify(self)).as_ref()?;
        Some(found.make(self, name, value, body))
    }

    /// Whether [`Scope::owning_function`] makes functions here.
    pub fn has_owning_functions(&self) -> bool {
        self.shared().owning_functions.get_or_init(|| verify(self)).is_some()
    }
}

/// The engine's function, if what it makes gets its value and its arguments, returns, throws and
/// constructs.
fn verify(scope: &Scope) -> Option<OwningFunctions> {
    const VALUE: f64 = 7.0;
    scope.shared().host_functions.get().copied().flatten()?;
    let abi = engine().owning_functions?;
    let name = JsString::new(scope, "probe");
    let probe = abi.make(scope, &name, VALUE, |scope, call, new_target, value: &f64| {
        match (new_target, call.arguments) {
            (Some(target), [other, ..]) if !target.is_same(*other, scope) => Ok(*other),
            (Some(_), _) => Ok(scope.undefined()),
            (None, [thrown]) => Err(Exception::from(*thrown)),
            (None, _) => Ok(scope.number(*value)),
        }
    });
    let held: [u8; 8] = peek(probe.object().raw().cast::<u8>().wrapping_add(VALUE_OFFSET))?;
    let methods: [u8; 8] = peek(usize::from_ne_bytes(held) as *const u8)?;
    let delete: [u8; 8] = peek((usize::from_ne_bytes(methods) as *const u8).wrapping_add(8))?;
    if usize::from_ne_bytes(delete) != delete_address::<f64>() {
        return None;
    }
    let object = scope.new_object();
    let is_called = probe.call(scope, &[]).ok()?.to_number(scope).ok()? == VALUE;
    let thrown = probe.call(scope, &[object.value()]).err()?;
    let made = probe.construct(scope, &[object.value()]).ok()?;
    let is_right = is_called
        && thrown.value().raw() == object.value().raw()
        && made.value().raw() == object.value().raw();
    is_right.then_some(abi)
}

fn delete_address<T>() -> usize {
    let delete: unsafe extern "C" fn(*mut c_void) = delete::<T>;
    delete as usize
}

/// Would end the life of an object whose memory somebody else frees: the engine has none.
unsafe extern "C" fn keep(_: *mut c_void) {}

/// Called by the collector, on any thread.
unsafe extern "C" fn delete<T>(callable: *mut c_void) {
    // SAFETY: the box of `make`; its value is `Send`.
    drop(unsafe { Box::from_raw(callable.cast::<Callable<T>>()) });
}

/// Entry point of a call.
unsafe extern "C" fn called<T, F>(
    callable: *const c_void,
    context: RawContext,
    frame: *const RawValue,
) -> RawValue
where
    F: for<'b> Fn(&'b Scope, &Call<'b>, Option<Value<'b>>, &T) -> Outcome<'b> + 'static,
{
    // SAFETY: the object of `make`, which the function owns that is called.
    let value = unsafe { &(*callable.cast::<Callable<T>>()).value };
    // SAFETY: called by the engine. `F` is zero-sized, and `make` forgot a value of it.
    unsafe {
        let body = NonNull::<F>::dangling().as_ref();
        host_function::enter_frame(context, frame, |scope, call| body(scope, call, None, value))
    }
}

/// Entry point of `new`. The frame has `new.target` in the place of `this`.
unsafe extern "C" fn constructed<T, F>(context: RawContext, frame: *const RawValue) -> RawValue
where
    F: for<'b> Fn(&'b Scope, &Call<'b>, Option<Value<'b>>, &T) -> Outcome<'b> + 'static,
{
    // SAFETY: called by the engine for a function that `make` made, which the frame keeps alive;
    // `F` as above.
    unsafe {
        let callee = (*frame.add(CALLEE)).cast::<u8>();
        let callable = *callee.add(VALUE_OFFSET).cast::<*const Callable<T>>();
        let (value, new_target) = (&(*callable).value, Value::from_raw(*frame.add(THIS)));
        let body = NonNull::<F>::dangling().as_ref();
        host_function::enter_frame(context, frame, |scope, call| {
            body(scope, &Call { this: scope.undefined(), ..*call }, Some(new_target), value)
        })
    }
}
