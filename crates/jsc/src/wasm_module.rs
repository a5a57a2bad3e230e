//! Shares a compiled WebAssembly module with the VM of another thread. In: a `WebAssembly.Module`.
//! Out: another object over the same module in the other VM. Uses the unstable ABI, because the
//! public functions do not cover WebAssembly, in releases whose source was reviewed and where a
//! module has the expected layout. Otherwise the functions return `None`, and the caller refuses.
//!
//! The object has the address of a C++ `Wasm::Module` after its header and properties, which begins
//! with its reference count (WebKit's `JSWebAssemblyModule.h`).

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
/// No module is referenced by more objects when it is first shared; a larger count means that the
/// layout is wrong.
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

/// Functions and addresses of the unstable ABI, looked up by their mangled names.
#[derive(Clone, Copy)]
pub(crate) struct WasmModuleAbi {
    create: unsafe extern "C" fn(RawGroup, *mut Opaque, *mut *mut Opaque) -> RawObject,
    module: unsafe extern "C" fn(RawObject) -> *mut Opaque,
    end: unsafe extern "C" fn(*mut Opaque),
    free: unsafe extern "C" fn(*mut Opaque),
    class: u64,
    configuration: usize,
}

/// Proof that the layout of a module was verified.
#[derive(Clone, Copy)]
pub(crate) struct ModuleLayout {
    abi: WasmModuleAbi,
    structures: Structures,
}

/// An immutable module in transit between two VMs.
pub struct WasmModule {
    module: *mut Opaque,
    abi: WasmModuleAbi,
}

// SAFETY: it is reference counted with atomics, and only changed under locks of its own (WebKit
// itself posts `Wasm::Module` to workers).
unsafe impl Send for WasmModule {}
// SAFETY: as above.
unsafe impl Sync for WasmModule {}

impl WasmModuleAbi {
    /// Looks them up, in a release whose source was reviewed.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<WasmModuleAbi> {
        let found = [CREATE, MODULE, END, FREE, CLASS, CONFIGURATION].map(find);
        if found.iter().any(|address| address.is_null()) || !cfg!(target_arch = "x86_64") {
            return None;
        }
        // SAFETY: the mangled names contain the argument types; a reference is an address.
        unsafe {
            Some(WasmModuleAbi {
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
    /// Reads an object that may be a module, with process_vm_readv(2). `None`: it is not, or the
    /// layout is not the expected one.
    fn probe(scope: &Scope, sample: Value<'_>) -> Option<ModuleLayout> {
        let abi = engine().modules?;
        let structures = Structures::probe(scope, sample, abi.class, abi.configuration)?;
        let address = peek::<8>(sample.raw().cast::<u8>().wrapping_add(MODULE_OFFSET))?;
        let address = usize::from_ne_bytes(address) as *const u8;
        let count = peek::<4>(address).map(u32::from_ne_bytes)?;
        // SAFETY: an object of that class, rooted by a scope.
        let is_named = unsafe { (abi.module)(sample.raw().cast_mut()) }.cast_const().cast() == address;
        (is_named && (1..=COUNT_MAX).contains(&count)).then_some(ModuleLayout { abi, structures })
    }

    fn structure(self, scope: &Scope, value: Value<'_>) -> Option<*mut Opaque> {
        self.structures.of(scope, value, self.abi.class)
    }
}

impl WasmModule {
    /// Takes a reference to a module. `None`: the value is not one, or the ABI is not available.
    pub fn of(scope: &Scope, value: Value<'_>) -> Option<WasmModule> {
        let layout = scope.modules(value)?;
        layout.structure(scope, value)?;
        // SAFETY: an object of that class, rooted by a scope; it keeps the module alive while the
        // count is raised.
        let module = unsafe { (layout.abi.module)(value.raw().cast_mut()) };
        let module = WasmModule { module, abi: layout.abi };
        module.count().fetch_add(1, Ordering::Relaxed);
        Some(module)
    }

    /// An object of this scope's VM over the module. `sample`: any module's object of the global
    /// object that the new one is to belong to.
    pub fn object<'s>(&self, scope: &'s Scope, sample: Value<'_>) -> Option<Object<'s>> {
        let structure = scope.modules(sample)?.structure(scope, sample)?;
        self.count().fetch_add(1, Ordering::Relaxed);
        let mut counted = self.module;
        // SAFETY: under the VM's lock; the context group of the C API is the VM. The sample keeps
        // the structure of that class alive, and the reference that was just counted moves into the
        // object.
        let object = unsafe { (self.abi.create)(scope.shared().group, structure, &mut counted) };
        Some(Object::from_raw(scope, object))
    }

    fn count(&self) -> &AtomicU32 {
        // SAFETY: a module begins with its reference count, and our reference keeps it alive.
        unsafe { AtomicU32::from_ptr(self.module.cast()) }
    }
}

impl Drop for WasmModule {
    fn drop(&mut self) {
        if self.count().fetch_sub(1, Ordering::Release) != 1 {
            return;
        }
        fence(Ordering::Acquire);
        // The destructors of the engine expect a count of one (`ThreadSafeRefCounted::deref`).
        self.count().store(1, Ordering::Relaxed);
        // SAFETY: this was the last reference; the engine's allocator made it.
        unsafe {
            (self.abi.end)(self.module);
            (self.abi.free)(self.module);
        }
    }
}

impl Scope {
    /// The layout, once one module was probed.
    fn modules(&self, sample: Value<'_>) -> Option<ModuleLayout> {
        let cell = &self.shared().modules;
        if let Some(layout) = cell.get() {
            return Some(*layout);
        }
        let layout = ModuleLayout::probe(self, sample)?;
        Some(*cell.get_or_init(|| layout))
    }
}
