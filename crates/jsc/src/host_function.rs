//! Functions that the engine abi as its own. In: a body that captures nothing and is short. Out:
//! a function of JavaScript. Around a callback of the public interface the engine lets go of its
//! lock and takes it again, twice over: that takes several times as long as what most bodies do.
//! Its own functions get the frame of their call, and the lock stays held. Absent: bodies that wait
//! for something; meanwhile the collector could not go on.
//!
//! A frame begins with its caller, the place to return to, the code and the callee, a word each;
//! then the count of arguments, `this` among them, in four bytes of a word; `this`; the arguments
//! (WebKit's `CallFrame.h`, `JSFunction.h`, `NativeFunction.h`).

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
/// `JSC::callHostFunctionAsConstructor(JSC::JSGlobalObject*, JSC::CallFrame*)`, which says that it
/// is no constructor.
const REFUSE_NEW: &CStr = c"_ZN3JSC29callHostFunctionAsConstructorEPNS_14JSGlobalObjectEPNS_9CallFrameE";
/// `JSC::VM::throwException(JSC::JSGlobalObject*, JSC::JSValue)`.
const THROW: &CStr = c"_ZN3JSC2VM14throwExceptionEPNS_14JSGlobalObjectENS_7JSValueE";

/// The places of a frame's words.
const COUNT: usize = 4;
const THIS: usize = 5;
const ARGUMENTS: usize = 6;

/// `ImplementationVisibility::Public`: stacks show it.
const PUBLIC: u8 = 0;
/// `Intrinsic::NoIntrinsic`: the compilers know nothing of it.
const NO_INTRINSIC: u8 = 0;

type Called = unsafe extern "C" fn(RawContext, *const RawValue) -> RawValue;
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

/// The engine's functions, not yet believed.
#[derive(Clone, Copy)]
pub(crate) struct Host {
    create: Create,
    refuse_new: Called,
    throw: Throw,
}

impl Host {
    /// In a release whose source was read, where arguments of a call are as in the machine's C.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<Host> {
        let found = [CREATE, REFUSE_NEW, THROW].map(find);
        if found.iter().any(|address| address.is_null()) {
            return None;
        }
        // SAFETY: the mangled names say the types of the arguments; `verify` sees whether the rest
        // holds.
        unsafe {
            Some(Host {
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
        const { assert!(size_of::<F>() == 0, "it captures nothing") };
        // `call` makes the value from nothing again, so this one must not be dropped.
        mem::forget(body);
        let name = JsString::new(scope, name);
        let (group, none) = (scope.shared().group, ptr::null());
        // SAFETY: the lock is held, the context alive, the name through the call; the rest are
        // numbers that the engine knows.
        let object = unsafe {
            let name = fast::string_of(name.raw());
            let (called, refuse) = (call::<F> as Called, self.refuse_new);
            (self.create)(group, scope.context(), 0, name, called, PUBLIC, NO_INTRINSIC, refuse, none)
        };
        Function::of_object(Object::from_raw(scope, object))
    }
}

impl Scope {
    /// As [`Scope::function`], of a body that captures nothing: for one that is done in less than a
    /// microsecond and waits for nothing.
    pub fn fast_function<'s, F>(&'s self, name: &str, body: F) -> Function<'s>
    where
        F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
    {
        match self.shared().host.get().copied().flatten() {
            Some(host) => host.make(self, name, body),
            None => self.function(name, body),
        }
    }
}

/// The functions of this engine, if a function made by them is called with what it was given, gives
/// back and throws.
pub(crate) fn verify(scope: &Scope) -> Option<Host> {
    let host = engine().host?;
    scope.shared().layout()?;
    let probe = host.make(scope, "probe", |scope, call| match call.arguments {
        [thrown] => Err(Exception::from(*thrown)),
        _ => Ok(call.argument(scope, 1)),
    });
    let (first, second) = (scope.number(1.0), scope.string_from_latin1(b"second"));
    let is_given = probe.call(scope, &[first, second]).is_ok_and(|value| value.raw() == second.raw());
    let is_missed = probe.call(scope, &[]).is_ok_and(|value| value.is_undefined(scope));
    let is_thrown = probe.call(scope, &[second]).is_err_and(|thrown| thrown.value().raw() == second.raw());
    (is_given && is_missed && is_thrown).then_some(host)
}

/// The engine abi a function of ours.
unsafe extern "C" fn call<F>(context: RawContext, frame: *const RawValue) -> RawValue
where
    F: for<'b> Fn(&'b Scope, &Call<'b>) -> Outcome<'b> + 'static,
{
    // SAFETY: `F` has no bytes, and a value of it was forgotten by `Host::make`, so there is one at
    // any address.
    let body = unsafe { NonNull::<F>::dangling().as_ref() };
    // SAFETY: the engine abi within a turn.
    let Some(shared) = (unsafe { Shared::current() }) else { return ptr::null() };
    // SAFETY: a frame is laid out as said above, and stays until the function returns.
    let (count, this, first) = unsafe {
        let count = *frame.add(COUNT).cast::<u32>() as usize;
        (count.saturating_sub(1), *frame.add(THIS), frame.add(ARGUMENTS))
    };
    let (value, thrown) = shared.enter_held(context.cast_mut(), |scope| {
        // SAFETY: the engine keeps what is in the frame, which the scope does not outlive.
        let arguments = unsafe { Value::slice(first, count) };
        call_body(shared, scope, &Call { this: Value::from_raw(this), arguments }, body)
    });
    match (thrown.is_null(), engine().host) {
        (false, Some(host)) => {
            // SAFETY: a value of this VM, whose lock is held; nothing is behind it but the way
            // back.
            unsafe { (host.throw)(shared.group, context, thrown) };
            ptr::null()
        }
        _ => value,
    }
}
