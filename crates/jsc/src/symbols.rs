//! C API of the engine, declared by hand and loaded by name. In: an open library. Out: a table of
//! function pointers, or the name that is missing.
//!
//! Sources: JavaScriptCore's headers (`JSBase.h`, `JSObjectRef.h`, `JSValueRef.h`, `JSStringRef.h`,
//! `JSContextRef.h`); its private headers, whose functions every build exports
//! (`JSLockRefPrivate.h`, `JSWeakPrivate.h`, `JSContextRefPrivate.h`, `JSScriptRefPrivate.h`,
//! `JSBasePrivate.h`); JavaScriptCoreGTK's `jsc.h`; GLib's `gmain.h`.
#![allow(non_snake_case)]

use std::ffi::{CStr, c_char, c_double, c_int, c_uint, c_void};

/// An opaque type of the engine.
#[repr(C)]
pub struct Opaque {
    _private: [u8; 0],
}

pub type RawContext = *const Opaque;
pub type RawGlobal = *mut Opaque;
pub type RawGroup = *const Opaque;
pub type RawValue = *const Opaque;
pub type RawObject = *mut Opaque;
pub type RawString = *mut Opaque;
pub type RawClass = *mut Opaque;
pub type RawWeak = *mut Opaque;
pub type RawScript = *mut Opaque;
pub type RawNames = *mut Opaque;
pub type RawMain = *mut Opaque;
/// Where a call stores an exception; it must hold null before.
pub type Thrown = *mut RawValue;

/// `JSShouldTerminateCallback` of `JSContextRefPrivate.h`.
pub type ShouldTerminate = unsafe extern "C" fn(RawContext, *mut c_void) -> bool;

pub type CallAsFunction =
    unsafe extern "C" fn(RawContext, RawObject, RawObject, usize, *const RawValue, Thrown) -> RawValue;
pub type Finalize = unsafe extern "C" fn(RawObject);
/// `JSHeapFinalizer` of `JSHeapFinalizerPrivate.h`.
pub type HeapFinalizer = unsafe extern "C" fn(*const c_void, *mut c_void);
pub type Deallocate = unsafe extern "C" fn(*mut c_void, *mut c_void);

/// `JSClassDefinition`, version 0. Only the members that are used have a type.
#[repr(C)]
pub struct ClassDefinition {
    pub version: c_int,
    pub attributes: c_uint,
    pub class_name: *const c_char,
    pub parent: RawClass,
    pub static_values: *const c_void,
    pub static_functions: *const c_void,
    pub initialize: *const c_void,
    pub finalize: Option<Finalize>,
    pub has_property: *const c_void,
    pub find_property: *const c_void,
    pub set_property: *const c_void,
    pub delete_property: *const c_void,
    pub property_names: *const c_void,
    pub call_as_function: Option<CallAsFunction>,
    pub call_as_constructor: *const c_void,
    pub has_instance: *const c_void,
    pub convert: *const c_void,
}

/// `GPollFD`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PollEntry {
    pub fd: c_int,
    pub events: u16,
    pub revents: u16,
}

/// One row per function: its name in the library and its type. Each row becomes a field, filled by
/// `load`.
macro_rules! table {
    ($($name:ident($($argument:ty),*) $(-> $result:ty)?;)*) => {
        pub struct Symbols {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Symbols {
            /// The first name for which `find` returns null is the error.
            ///
            /// # Safety
            /// The address that `find` returns for a name is that function of JavaScriptCore or
            /// GLib, and stays loaded.
            pub unsafe fn load(find: impl Fn(&CStr) -> *mut c_void) -> Result<Symbols, &'static str> {
                Ok(Symbols {
                    $($name: {
                        let name = concat!(stringify!($name), "\0");
                        let name = CStr::from_bytes_with_nul(name.as_bytes()).expect("one NUL, at the end");
                        let address = find(name);
                        if address.is_null() {
                            return Err(stringify!($name));
                        }
                        // SAFETY: the caller guarantees the address, the row the type.
                        unsafe { std::mem::transmute::<*mut c_void, unsafe extern "C" fn($($argument),*) $(-> $result)?>(address) }
                    },)*
                })
            }
        }
    };
}

table! {
    jsc_get_major_version() -> c_uint;
    jsc_get_minor_version() -> c_uint;
    jsc_get_micro_version() -> c_uint;
    jsc_options_set_boolean(*const c_char, c_int) -> c_int;
    jsc_options_set_int(*const c_char, c_int) -> c_int;
    jsc_options_set_uint(*const c_char, c_uint) -> c_int;
    jsc_options_set_size(*const c_char, usize) -> c_int;
    JSConfigureSignalForGC(c_int) -> bool;

    JSContextGroupCreate() -> RawGroup;
    JSContextGroupRelease(RawGroup);
    JSContextGroupSetExecutionTimeLimit(RawGroup, c_double, Option<ShouldTerminate>, *mut c_void);
    JSGlobalContextCreateInGroup(RawGroup, RawClass) -> RawGlobal;
    JSGlobalContextRelease(RawGlobal);
    JSGlobalContextSetIncludesNativeCallStackWhenReportingExceptions(RawGlobal, bool);
    JSGlobalContextSetUnhandledRejectionCallback(RawGlobal, RawObject, Thrown);
    JSContextGetGlobalObject(RawContext) -> RawObject;
    JSContextGetGroup(RawContext) -> RawGroup;
    JSLock(RawContext);
    JSUnlock(RawContext);
    JSGarbageCollect(RawContext);
    JSSynchronousGarbageCollectForDebugging(RawContext);
    JSGetMemoryUsageStatistics(RawContext) -> RawObject;
    JSContextGroupEnableSamplingProfiler(RawGroup) -> bool;
    JSContextGroupDisableSamplingProfiler(RawGroup);
    JSContextGroupTakeSamplesFromSamplingProfiler(RawGroup) -> RawString;
    JSCheckScriptSyntax(RawContext, RawString, RawString, c_int, Thrown) -> bool;
    JSEvaluateScript(RawContext, RawString, RawObject, RawString, c_int, Thrown) -> RawValue;
    JSScriptCreateReferencingImmortalASCIIText(RawGroup, RawString, c_int, *const c_char, usize, *mut RawString, *mut c_int) -> RawScript;
    JSScriptEvaluate(RawContext, RawScript, RawValue, Thrown) -> RawValue;
    JSScriptRetain(RawScript);
    JSScriptRelease(RawScript);

    JSValueGetType(RawContext, RawValue) -> c_int;
    JSValueIsStrictEqual(RawContext, RawValue, RawValue) -> bool;
    JSValueIsInstanceOfConstructor(RawContext, RawValue, RawObject, Thrown) -> bool;
    JSValueIsArray(RawContext, RawValue) -> bool;
    JSValueGetTypedArrayType(RawContext, RawValue, Thrown) -> c_int;
    JSValueMakeUndefined(RawContext) -> RawValue;
    JSValueMakeNull(RawContext) -> RawValue;
    JSValueMakeBoolean(RawContext, bool) -> RawValue;
    JSValueMakeNumber(RawContext, c_double) -> RawValue;
    JSValueMakeString(RawContext, RawString) -> RawValue;
    JSValueMakeSymbol(RawContext, RawString) -> RawValue;
    JSValueToBoolean(RawContext, RawValue) -> bool;
    JSValueToNumber(RawContext, RawValue, Thrown) -> c_double;
    JSValueToStringCopy(RawContext, RawValue, Thrown) -> RawString;
    JSValueProtect(RawContext, RawValue);
    JSValueUnprotect(RawContext, RawValue);
    JSObjectSetPrivateProperty(RawContext, RawObject, RawString, RawValue) -> bool;
    JSContextGroupAddHeapFinalizer(RawGroup, HeapFinalizer, *mut c_void);
    JSReportExtraMemoryCost(RawContext, usize);
    JSWeakCreate(RawGroup, RawObject) -> RawWeak;
    JSWeakGetObject(RawWeak) -> RawObject;
    JSWeakRelease(RawGroup, RawWeak);

    JSClassCreate(*const ClassDefinition) -> RawClass;
    JSClassRelease(RawClass);
    JSObjectMake(RawContext, RawClass, *mut c_void) -> RawObject;
    JSObjectMakeFunctionWithCallback(RawContext, RawString, Option<CallAsFunction>) -> RawObject;
    JSObjectMakeArray(RawContext, usize, *const RawValue, Thrown) -> RawObject;
    JSObjectMakeError(RawContext, usize, *const RawValue, Thrown) -> RawObject;
    JSObjectMakeDeferredPromise(RawContext, *mut RawObject, *mut RawObject, Thrown) -> RawObject;
    JSObjectMakeArrayBufferWithBytesNoCopy(RawContext, *mut c_void, usize, Option<Deallocate>, *mut c_void, Thrown) -> RawObject;
    JSObjectMakeTypedArrayWithBytesNoCopy(RawContext, c_int, *mut c_void, usize, Option<Deallocate>, *mut c_void, Thrown) -> RawObject;
    JSObjectMakeTypedArrayWithArrayBuffer(RawContext, c_int, RawObject, Thrown) -> RawObject;
    JSObjectGetTypedArrayBytesPtr(RawContext, RawObject, Thrown) -> *mut c_void;
    JSObjectGetTypedArrayBuffer(RawContext, RawObject, Thrown) -> RawObject;
    JSObjectGetTypedArrayByteLength(RawContext, RawObject, Thrown) -> usize;
    JSObjectGetTypedArrayByteOffset(RawContext, RawObject, Thrown) -> usize;
    JSObjectGetArrayBufferBytesPtr(RawContext, RawObject, Thrown) -> *mut c_void;
    JSObjectGetArrayBufferByteLength(RawContext, RawObject, Thrown) -> usize;
    JSObjectGetProperty(RawContext, RawObject, RawString, Thrown) -> RawValue;
    JSObjectSetProperty(RawContext, RawObject, RawString, RawValue, c_uint, Thrown);
    JSObjectDeleteProperty(RawContext, RawObject, RawString, Thrown) -> bool;
    JSObjectHasProperty(RawContext, RawObject, RawString) -> bool;
    JSObjectGetPropertyAtIndex(RawContext, RawObject, c_uint, Thrown) -> RawValue;
    JSObjectSetPropertyAtIndex(RawContext, RawObject, c_uint, RawValue, Thrown);
    JSObjectGetPropertyForKey(RawContext, RawObject, RawValue, Thrown) -> RawValue;
    JSObjectSetPropertyForKey(RawContext, RawObject, RawValue, RawValue, c_uint, Thrown);
    JSObjectHasPropertyForKey(RawContext, RawObject, RawValue, Thrown) -> bool;
    JSObjectDeletePropertyForKey(RawContext, RawObject, RawValue, Thrown) -> bool;
    JSObjectGetPrototype(RawContext, RawObject) -> RawValue;
    JSObjectCopyPropertyNames(RawContext, RawObject) -> RawNames;
    JSPropertyNameArrayGetCount(RawNames) -> usize;
    JSPropertyNameArrayGetNameAtIndex(RawNames, usize) -> RawString;
    JSPropertyNameArrayRelease(RawNames);
    JSPropertyNameAccumulatorAddName(*mut Opaque, RawString);
    JSObjectSetPrivate(RawObject, *mut c_void) -> bool;
    JSObjectGetPrivate(RawObject) -> *mut c_void;
    JSObjectIsFunction(RawContext, RawObject) -> bool;
    JSObjectCallAsFunction(RawContext, RawObject, RawObject, usize, *const RawValue, Thrown) -> RawValue;
    JSObjectCallAsConstructor(RawContext, RawObject, usize, *const RawValue, Thrown) -> RawObject;

    JSStringCreateWithCharacters(*const u16, usize) -> RawString;
    JSStringCreateWithUTF8CString(*const c_char) -> RawString;
    JSStringRelease(RawString);
    JSStringGetLength(RawString) -> usize;
    JSStringGetCharactersPtr(RawString) -> *const u16;

    g_main_context_new() -> RawMain;
    g_main_context_unref(RawMain);
    g_main_context_push_thread_default(RawMain);
    g_main_context_prepare(RawMain, *mut c_int) -> c_int;
    g_main_context_query(RawMain, c_int, *mut c_int, *mut PollEntry, c_int) -> c_int;
    g_main_context_check(RawMain, c_int, *mut PollEntry, c_int) -> c_int;
    g_main_context_dispatch(RawMain);
}
