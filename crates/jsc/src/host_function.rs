//! Host functions, called without the C API's wrapper (V8: fast API calls). In: a short body that
//! captures nothing. Out: a JavaScript function. The public API releases and reacquires the lock
//! twice around a callback, which costs several times as much as most bodies. A host function gets
//! the call frame, and the lock stays held. Absent: bodies that block, because the collector cannot
//! run meanwhile.
//!
//! A frame begins with caller, return address, code block and callee, a word each. Then come the
//! argument count including `this`, in four bytes of a word; `this`; and the arguments (WebKit's
//! `CallFrame.h`, `JSFunction.h`, `NativeFunction.h`).

use std::ffi::{CStr, c_void};
use std::mem;
use std::ptr::{self, NonNull};

use crate::engine::engine;
use crate::exception::Exception;
use crate::native::{Call, Outcome, call_body};
use crate::object::{Function, Object};
use crate::scope::Scope;
use crate::string::{JsString, fast};
use crate::symbols::{Opaque, RawContext, RawGroup, RawObject, RawValue};
use crate::value::Value;
use crate::vm::Shared;

/// `JSC::JSFunction::create(JSC::VM&, JSC::JSGlobalObject*, unsigned int, WTF::String const&,
/// JSC::NativeFunction, JSC::ImplementationVisibility, JSC::Intrinsic, JSC::NativeFunction,
/// JSC::DOMJIT::Signature const*)`.
const CREATE: &CStr = c"_ZN3JSC10JSFunction6createERNS_2VMEPNS_14JSGlobalObjectEjRKN3WTF6StringENS5_11FunctionPtrILNS5_6PtrTagE1EFlS4_PNS_9CallFrameEELNS5_18FunctionAttributesE2EEENS_24ImplementationVisibilityENS_9IntrinsicESF_PKNS_6DOMJIT9SignatureE";
/// `JSC::callHostFunctionAsConstructor(JSC::JSGlobalObject*, JSC::CallFrame*)`, which throws that
/// it is not a constructor.
const REFUSE_NEW: &CStr = c"_ZN3JSC29callHostFunctionAsConstructorEPNS_14JSGlobalObjectEPNS_9CallFrameE";
/// `JSC::VM::throwException(JSC::JSGlobalObject*, JSC::JSValue)`.
const THROW: &CStr = c"_ZN3JSC2VM14throwExceptionEPNS_14JSGlobalObjectENS_7JSValueE";

/// Indices of a frame's words.
pub(crate) const CALLEE: usize = 3;
pub(crate) const COUNT: usize = 4;
pub(crate) const THIS: usize = 5;
pub(crate) const ARGUMENTS: usize = 6;

/// `ImplementationVisibility::Public`: visible in stack traces.
const PUBLIC: u8 = 0;
/// `Intrinsic::NoIntrinsic`: no special treatment by the compilers.
pub(crate) const NO_INTRINSIC: u8 = 0;

pub(crate) type Called = unsafe extern "C" fn(RawContext, *const RawValue) -> RawValue;
type Create = unsafe extern "C" fn(
    RawGroup,
    RawContext,
    u32,
    *const *mut Opaque,
    Called,
    u8,
    u8,
    Called,
    *const c_void,
) -> RawObject;
type Throw = unsafe extern "C" fn(RawGroup, RawContext, RawValue) -> *const Opaque;

/// The engine's functions, not yet verified.
#[derive(Clone, Copy)]
pub(crate) struct HostFunctions {
    create: Create,
    refuse_new: Called,
    throw: Throw,
}

impl HostFunctions {
    /// Looks them up, in a release whose source was reviewed, on platforms where host functions use
    /// the C calling convention.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<HostFunctions> {
        let found = [CREATE, REFUSE_NEW, THROW].map(find);
        if found.iter().any(|address| address.is_null()) {
            return None;
        }
        // SAFETY: the mangled names contain the argument types; `verify` checks the rest.
        unsafe {
            Some(HostFunctions {
                create: mem::transmute::<*mut c_void, Create>(found[0]),
                refuse_new: mem::transmute::<*mut c_void, Called>(found[1]),
                throw: mem::transmute::<*mut c_void, Throw>(found[2]),
            })
        }
    }

    fn make<'s, F>(self, scope: &'s Scope, name: &str, body: F) -> Function<'s>
    where
        F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
    {
        self.make_with(scope, name, body, self.refuse_new)
    }

    /// # Safety
    /// As [`Scope::function_of_code`].
    pub unsafe fn make_of_code<'s>(
        self,
        scope: &'s Scope,
        name_and_length: (&str, u32),
        code: Called,
    ) -> Function<'s> {
        // SAFETY: guaranteed by the caller.
        unsafe { self.make_raw(scope, name_and_length, code, self.refuse_new) }
    }

    /// `construct`: what `new` calls.
    fn make_with<'s, F>(self, scope: &'s Scope, name: &str, body: F, construct: Called) -> Function<'s>
    where
        F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
    {
        const { assert!(size_of::<F>() == 0, "it captures nothing") };
        // `call` recreates the zero-sized value, so this one must not be dropped.
        mem::forget(body);
        // SAFETY: entry points of host functions.
        unsafe { self.make_raw(scope, (name, 0), call::<F>, construct) }
    }

    /// # Safety
    /// Both are host functions that stay where they are.
    unsafe fn make_raw<'s>(
        self,
        scope: &'s Scope,
        (name, length): (&str, u32),
        called: Called,
        construct: Called,
    ) -> Function<'s> {
        let name = JsString::new(scope, name);
        let (group, none) = (scope.shared().group, ptr::null());
        // SAFETY: the lock is held, the context is alive, and so is the name during the call; the
        // rest are constants of the engine.
        let object = unsafe {
            let name = fast::string_of(name.raw());
            (self.create)(group, scope.context(), length, name, called, PUBLIC, NO_INTRINSIC, construct, none)
        };
        Function::of_object(Object::from_raw(scope, object))
    }
}

impl Scope {
    /// As [`Scope::fast_function`], and `new` calls it, too: the result is what `body` returns,
    /// also if that is no object. `None` where there are no host functions.
    pub fn fast_constructor<'s, F>(&'s self, name: &str, body: F) -> Option<Function<'s>>
    where
        F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
    {
        let host = self.shared().host_functions.get().copied().flatten()?;
        Some(host.make_with(self, name, body, call::<F>))
    }

    /// As [`Scope::function`], for a body that captures nothing, takes less than a microsecond and
    /// does not block.
    pub fn fast_function<'s, F>(&'s self, name: &str, body: F) -> Function<'s>
    where
        F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
    {
        match self.shared().host_functions.get().copied().flatten() {
            Some(host) => host.make(self, name, body),
            None => self.function(name, body),
        }
    }
}

/// The engine's functions, if a function made by them gets its arguments, returns and throws.
pub(crate) fn verify(scope: &Scope) -> Option<HostFunctions> {
    let host = engine().host_functions?;
    scope.shared().layout()?;
    let probe = host.make(scope, "probe", |scope, call| match call.arguments {
        [thrown] => Err(Exception::from(*thrown)),
        _ => Ok(call.argument(scope, 1)),
    });
    let (first, second) = (scope.number(1.0), scope.string_from_latin1(b"second"));
    let is_given = probe.call(scope, &[first, second]).is_ok_and(|value| value.raw() == second.raw());
    let is_missed = probe.call(scope, &[]).is_ok_and(|value| value.is_undefined(scope));
    let is_thrown = probe.call(scope, &[second]).is_err_and(|thrown| thrown.value().raw() == second.raw());
    if let (Some(layout), true) = (scope.shared().layout(), is_given && is_missed && is_thrown) {
        layout.set_function_type(probe.value());
    }
    (is_given && is_missed && is_thrown).then_some(host)
}

/// Entry point of a host function.
unsafe extern "C" fn call<F>(context: RawContext, frame: *const RawValue) -> RawValue
where
    F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
{
    // SAFETY: `F` is zero-sized, and `Host::make` forgot a value of it, so there is one at any
    // address. The engine calls.
    unsafe { enter_frame(context, frame, NonNull::<F>::dangling().as_ref()) }
}

/// Runs the body of a host function, whose result or exception is that of the call.
///
/// # Safety
/// Called by the engine, with the frame of a host function, in a VM whose host functions were
/// verified.
#[inline]
pub(crate) unsafe fn enter_frame(
    context: RawContext,
    frame: *const RawValue,
    body: impl for<'s> Fn(&'s Scope, &Call<'s>) -> Outcome<'s>,
) -> RawValue {
    // SAFETY: the engine calls within a turn.
    let Some(shared) = (unsafe { Shared::current() }) else { return ptr::null() };
    // SAFETY: the layout of a frame is as described above, and it stays until the function returns.
    let (count, this, first) = unsafe {
        let count = *frame.add(COUNT).cast::<u32>() as usize;
        (count.saturating_sub(1), *frame.add(THIS), frame.add(ARGUMENTS))
    };
    let (value, thrown) = shared.enter_held(context.cast_mut(), |scope| {
        // SAFETY: the engine keeps values in the frame alive, and the scope does not outlive it.
        let arguments = unsafe { Value::slice(first, count) };
        call_body(shared, scope, &Call { this: Value::from_raw(this), arguments }, body)
    });
    if thrown.is_null() {
        return value;
    }
    // SAFETY: as promised.
    unsafe { throw_in(shared, context, thrown) }
}

/// Throws from a host function, which must return the result.
///
/// # Safety
/// As [`enter_frame`].
unsafe fn throw_in(shared: &Shared, context: RawContext, thrown: RawValue) -> RawValue {
    if let Some(host) = engine().host_functions {
        // SAFETY: a value of this VM, whose lock is held; nothing runs after it but the return.
        unsafe { (host.throw)(shared.group, context, thrown) };
    }
    ptr::null()
}
