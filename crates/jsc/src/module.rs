//! A compiled WebAssembly module on its way to another thread's VM: both have the same code. In: a `WebAssembly.Module`. Out: another object over the same module there. Past the
//! public functions, which know nothing of WebAssembly; only in releases whose source was read, and where a module is laid out as expected. Elsewhere there is no answer, and whoever asks
//! refuses.
//!
//! A module's object has behind its header and its properties the address of a `Wasm::Module` of C++, which begins with its count. What an object is says its structure: the
//! header begins with the low half of the structure's address, the high half is the same for all of a process and stands in the engine's configuration, and a structure holds the
//! address of its `ClassInfo` (WebKit's `JSWebAssemblyModule.h`, `StructureID.h`, `Structure.h`, `JSCConfig.h`).

use std::ffi::{CStr, c_void};
use std::mem;
use std::sync::atomic::{AtomicU32, Ordering, fence};

use crate::engine::engine;
use crate::object::Object;
use crate::scope::Scope;
use crate::symbols::{Opaque, RawGroup, RawObject};
use crate::text::fast::{peek, peek_into};
use crate::value::Value;

const MODULE_OFFSET: usize = 16;
/// `sizeof(Structure)` is 112.
const STRUCTURE_BYTES: usize = 112;
/// `ConfigSizeToProtect`.
const CONFIGURATION_BYTES: usize = 16 * 1024;
const LOW_HALF: u64 = 0xffff_ffff;
/// Addresses of programs have no more bits.
const ADDRESS_BITS: u32 = 47;
/// More objects do not share a module that somebody tries to send for the first time.
const COUNT_MAX: u32 = 1 << 20;

/// `JSC::JSWebAssemblyModule::create(JSC::VM&, JSC::Structure*, WTF::Ref<JSC::Wasm::Module>&&)`.
const CREATE: &CStr = c"_ZN3JSC19JSWebAssemblyModule6createERNS_2VMEPNS_9StructureEON3WTF3RefINS_4Wasm6ModuleENS5_12RawPtrTraitsIS8_EENS5_21DefaultRefDerefTraitsIS8_EEEE";
/// `JSC::JSWebAssemblyModule::module()`.
const MODULE: &CStr = c"_ZN3JSC19JSWebAssemblyModule6moduleEv";
/// `JSC::Wasm::Module::~Module()`.
const END: &CStr = c"_ZN3JSC4Wasm6ModuleD1Ev";
/// `WTF::fastFree(void*)`.
const FREE: &CStr = c"_ZN3WTF8fastFreeEPv";
/// `JSC::JSWebAssemblyModule::s_info`.
const CLASS: &CStr = c"_ZN3JSC19JSWebAssemblyModule6s_infoE";
/// The configuration, a page of its own.
const CONFIGURATION: &CStr = c"g_config";

/// The functions and what they are about, found by their names.
#[derive(Clone, Copy)]
pub(crate) struct Calls {
    create: unsafe extern "C" fn(RawGroup, *mut Opaque, *mut *mut Opaque) -> RawObject,
    module: unsafe extern "C" fn(RawObject) -> *mut Opaque,
    end: unsafe extern "C" fn(*mut Opaque),
    free: unsafe extern "C" fn(*mut Opaque),
    class: u64,
    configuration: usize,
}

/// Where structures lie, and where in one its class stands.
#[derive(Clone, Copy)]
pub(crate) struct Known {
    calls: Calls,
    structures: u64,
    class_offset: usize,
}

/// A module between two VMs; it is never changed.
pub struct WasmModule {
    module: *mut Opaque,
    calls: Calls,
}

// SAFETY: it is counted with atomics and never changed but under locks of its own (`Wasm::Module` is what WebKit itself posts to workers).
unsafe impl Send for WasmModule {}
// SAFETY: as above.
unsafe impl Sync for WasmModule {}

impl Calls {
    /// In a release whose source was read.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<Calls> {
        let found = [CREATE, MODULE, END, FREE, CLASS, CONFIGURATION].map(find);
        if found.iter().any(|address| address.is_null()) || !cfg!(target_arch = "x86_64") {
            return None;
        }
        // SAFETY: the mangled names say the types of the arguments; a reference is an address.
        unsafe {
            Some(Calls {
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

impl Known {
    /// Looks at what may be a module, through the kernel. `None`: it is none, or something is not as expected.
    fn learn(scope: &Scope, sample: Value<'_>) -> Option<Known> {
        let calls = engine().modules?;
        let id = scope.shared().layout()?.shape_of(sample.raw())?;
        let mut configuration = [0; CONFIGURATION_BYTES];
        peek_into(calls.configuration as *const u8, &mut configuration)?;
        let known = words(&configuration)
            .filter(|word| *word != 0 && word & LOW_HALF == 0 && word >> ADDRESS_BITS == 0)
            .find_map(|structures| {
                let class_offset = find_class(calls.class, structures, id)?;
                Some(Known { calls, structures, class_offset })
            })?;
        let place = peek::<8>(sample.raw().cast::<u8>().wrapping_add(MODULE_OFFSET))?;
        let place = usize::from_ne_bytes(place) as *const u8;
        let count = peek::<4>(place).map(u32::from_ne_bytes)?;
        // SAFETY: an object of that class, kept by a scope.
        let is_named = unsafe { (calls.module)(sample.raw().cast_mut()) }.cast_const().cast() == place;
        (is_named && (1..=COUNT_MAX).contains(&count)).then_some(known)
    }

    /// The structure of a module's object; `None`: it is something else.
    fn structure(self, scope: &Scope, value: Value<'_>) -> Option<*mut Opaque> {
        let id = scope.shared().layout()?.shape_of(value.raw())?;
        let structure = (self.structures | u64::from(id)) as *mut u8;
        // SAFETY: what a cell's header names is a structure, and lives as long as the cell, which a scope keeps; `learn` saw where its class stands.
        let class = unsafe { *structure.add(self.class_offset).cast::<u64>() };
        (class == self.calls.class).then_some(structure.cast())
    }
}

/// Where the class stands in the structure of that number, if structures begin there.
fn find_class(class: u64, structures: u64, id: u32) -> Option<usize> {
    let structure: [u8; STRUCTURE_BYTES] = peek((structures | u64::from(id)) as *const u8)?;
    let number = |bytes: &[u8]| u32::from_ne_bytes(bytes[..4].try_into().expect("four bytes"));
    // The structure of structures is its own.
    let own = number(&structure);
    let of_own = peek::<4>((structures | u64::from(own)) as *const u8)?;
    let place = words(&structure).position(|word| word == class)?;
    (number(&of_own) == own).then_some(place * 8)
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).map(|word| u64::from_ne_bytes(word.try_into().expect("eight bytes")))
}

impl WasmModule {
    /// One more hold of a module. `None`: the value is none, or this engine does not tell.
    pub fn of(scope: &Scope, value: Value<'_>) -> Option<WasmModule> {
        let known = scope.modules(value)?;
        known.structure(scope, value)?;
        // SAFETY: an object of that class, kept by a scope; it holds the module while its count is raised.
        let module = unsafe { (known.calls.module)(value.raw().cast_mut()) };
        let module = WasmModule { module, calls: known.calls };
        module.count().fetch_add(1, Ordering::Relaxed);
        Some(module)
    }

    /// An object of this scope's VM over the module. `sample`: any module's object of the global object that it is to belong to.
    pub fn object<'s>(&self, scope: &'s Scope, sample: Value<'_>) -> Option<Object<'s>> {
        let structure = scope.modules(sample)?.structure(scope, sample)?;
        self.count().fetch_add(1, Ordering::Relaxed);
        let mut counted = self.module;
        // SAFETY: under the VM's lock, which the group of the C interface is; a structure of that class, kept by the sample; the hold that was just counted goes into the object.
        let object = unsafe { (self.calls.create)(scope.shared().group, structure, &mut counted) };
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
        // The engine's own classes want one while they are taken apart (`ThreadSafeRefCounted::deref`).
        self.count().store(1, Ordering::Relaxed);
        // SAFETY: nobody else has it any more; it was made by the engine's allocator.
        unsafe {
            (self.calls.end)(self.module);
            (self.calls.free)(self.module);
        }
    }
}

impl Scope {
    /// What is known once one module was seen.
    fn modules(&self, sample: Value<'_>) -> Option<Known> {
        let kept = &self.shared().modules;
        if let Some(known) = kept.get() {
            return Some(*known);
        }
        let known = Known::learn(self, sample)?;
        Some(*kept.get_or_init(|| known))
    }
}
