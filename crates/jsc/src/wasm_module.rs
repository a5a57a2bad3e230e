//! A compiled WebAssembly module on its way to another thread's VM: both have the same code. In: a
//! `WebAssembly.Module`. Out: another object over the same module there. Past the public functions,
//! which know nothing of WebAssembly; only in releases whose source was read, and where a module is
//! laid out as expected. Elsewhere there is no answer, and whoever asks refuses.
//!
//! A module's object has behind its header and its properties the address of a `Wasm::Module` of
//! C++, which begins with its count (WebKit's `JSWebAssemblyModule.h`).

use std::ffi::{CStr, c_void};
use std::mem;
use std::sync::atomic::{AtomicU32, Ordering, fence};

use crate::engine::engine;
use crate::object::Object;
use crate::scope::Scope;
use crate::string::fast::peek;
use crate::structures::{CONFIGURATION, Structures};
use crate::symbols::{Opaque, RawGroup, RawObject};
use crate::value::Value;

const MODULE_OFFSET: usize = 16;
/// More objects do not share a module that somebody tries to send for the first time.
const COUNT_MAX: u32 = 1 << 20;

/// `JSC::JSWebAssemblyModule::create(JSC::VM&, JSC::Structure*, WTF::Ref<JSC::Wasm::Module>&&)`.
const CREATE: &CStr = c"_ZN3JSC19JSWebAssemblyModule6createERNS_2VMEPNS_9StructureEON3WTF3RefINS_4Wasm6ModuleENS5_12RawPtrTraitsIS8_EENS5_21DefaultRefDerefTraitsIS8_EEEE";
/// `JSC::JSWebAssemblyModule::module()`.
const MODULE: &CStr = c"_ZN3JSC19JSWebAssemblyModule6moduleEv";
/// `JSC::Wasm::Module::~Module()`.
const END: &CStr = c"_ZN3JSC4Wasm6ModuleD1Ev";
/// `WTF::fastFree(void*)`.
pub(crate) const FREE: &CStr = c"_ZN3WTF8fastFreeEPv";
/// `JSC::JSWebAssemblyModule::s_info`.
const CLASS: &CStr = c"_ZN3JSC19JSWebAssemblyModule6s_infoE";

/// The functions and what they are about, found by their names.
#[derive(Clone, Copy)]
pub(crate) struct EntryPoints {
    create: unsafe extern "C" fn(RawGroup, *mut Opaque, *mut *mut Opaque) -> RawObject,
    module: unsafe extern "C" fn(RawObject) -> *mut Opaque,
    end: unsafe extern "C" fn(*mut Opaque),
    free: unsafe extern "C" fn(*mut Opaque),
    class: u64,
    configuration: usize,
}

/// That a module lies as expected.
#[derive(Clone, Copy)]
pub(crate) struct ModuleLayout {
    abi: EntryPoints,
    structures: Structures,
}

/// A module between two VMs; it is never changed.
pub struct WasmModule {
    module: *mut Opaque,
    abi: EntryPoints,
}

// SAFETY: it is counted with atomics and never changed but under locks of its own (`Wasm::Module`
// is what WebKit itself posts to workers).
unsafe impl Send for WasmModule {}
// SAFETY: as above.
unsafe impl Sync for WasmModule {}

impl EntryPoints {
    /// In a release whose source was read.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<EntryPoints> {
        let found = [CREATE, MODULE, END, FREE, CLASS, CONFIGURATION].map(find);
        if found.iter().any(|address| address.is_null()) || !cfg!(target_arch = "x86_64") {
            return None;
        }
        // SAFETY: the mangled names say the types of the arguments; a reference is an address.
        unsafe {
            Some(EntryPoints {
                create: mem::transmute::<*mut c_void, unsafe extern "C" fn(_, _, _) -> _>(found[0]),
                module: mem::transmute::<*mut c_void, unsafe extern "C" fn(_) -> _>(found[1]),
                end: mem::transmute::<*mut c_void, unsafe extern "C" fn(_)>(found[2]),
                free: mem::transmute::<*mut c_void, unsafe extern "C" fn(_)>(found[3]),
                class: found[4].addr() as u64,
                configuration: found[5].addr(),
            })
        }
    }
}

impl ModuleLayout {
    /// Looks at what may be a module, through the kernel. `None`: it is none, or something is not
    /// as expected.
    fn probe(scope: &Scope, sample: Value<'_>) -> Option<ModuleLayout> {
        let abi = engine().modules?;
        let structures = Structures::probe(scope, sample, abi.class, abi.configuration)?;
        let place = peek::<8>(sample.raw().cast::<u8>().wrapping_add(MODULE_OFFSET))?;
        let place = usize::from_ne_bytes(place) as *const u8;
        let count = peek::<4>(place).map(u32::from_ne_bytes)?;
        // SAFETY: an object of that class, kept by a scope.
        let is_named = unsafe { (abi.module)(sample.raw().cast_mut()) }.cast_const().cast() == place;
        (is_named && (1..=COUNT_MAX).contains(&count)).then_some(ModuleLayout { abi, structures })
    }

    fn structure(self, scope: &Scope, value: Value<'_>) -> Option<*mut Opaque> {
        self.structures.of(scope, value, self.abi.class)
    }
}

impl WasmModule {
    /// One more hold of a module. `None`: the value is none, or this engine does not tell.
    pub fn of(scope: &Scope, value: Value<'_>) -> Option<WasmModule> {
        let known = scope.modules(value)?;
        known.structure(scope, value)?;
        // SAFETY: an object of that class, kept by a scope; it holds the module while its count is
        // raised.
        let module = unsafe { (known.abi.module)(value.raw().cast_mut()) };
        let module = WasmModule { module, abi: known.abi };
        module.count().fetch_add(1, Ordering::Relaxed);
        Some(module)
    }

    /// An object of this scope's VM over the module. `sample`: any module's object of the global
    /// object that it is to belong to.
    pub fn object<'s>(&self, scope: &'s Scope, sample: Value<'_>) -> Option<Object<'s>> {
        let structure = scope.modules(sample)?.structure(scope, sample)?;
        self.count().fetch_add(1, Ordering::Relaxed);
        let mut counted = self.module;
        // SAFETY: under the VM's lock, which the group of the C interface is; a structure of that
        // class, kept by the sample; the hold that was just counted goes into the object.
        let object = unsafe { (self.abi.create)(scope.shared().group, structure, &mut counted) };
        Some(Object::from_raw(scope, object))
    }

    fn count(&self) -> &AtomicU32 {
        // SAFETY: a module begins with its count, and is there as long as it is counted here.
        unsafe { AtomicU32::from_ptr(self.module.cast()) }
    }
}

impl Drop for WasmModule {
    fn drop(&mut self) {
        if self.count().fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        fence(Ordering::Acquire);
        // The engine's own classes want one while they are taken apart
        // (`ThreadSafeRefCounted::deref`).
        self.count().store(1, Ordering::Relaxed);
        // SAFETY: nobody else has it any more; it was made by the engine's allocator.
        unsafe {
            (self.abi.end)(self.module);
            (self.abi.free)(self.module);
        }
    }
}

impl Scope {
    /// What is known once one module was seen.
    fn modules(&self, sample: Value<'_>) -> Option<ModuleLayout> {
        let kept = &self.shared().modules;
        if let Some(known) = kept.get() {
            return Some(*known);
        }
        let known = ModuleLayout::probe(self, sample)?;
        Some(*kept.get_or_init(|| known))
    }
}
