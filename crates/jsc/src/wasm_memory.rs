//! Shares a `WebAssembly.Memory` with the VM of another thread. In: the contents of its
//! `SharedArrayBuffer`. Out: an equivalent object in this VM; both grow together. Uses the unstable
//! ABI, because the public functions do not cover WebAssembly, in releases whose source was
//! reviewed and where a memory has the expected layout. Otherwise the functions return `None`, and
//! the caller refuses.
//!
//! The object has the address of a C++ `Wasm::Memory` after its header and properties: reference
//! count, memory handle, shared data, growth callback. The shared data begins with its own
//! reference count and has the handle (WebKit's `JSWebAssemblyMemory.h`, `WasmMemory.h`,
//! `ArrayBuffer.h`). The growth callback is an object with a vtable, of which the second entry is
//! the deleting destructor and the third the call (`WTF::Function`, by the Itanium C++ ABI).

use std::ffi::{CStr, c_void};
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::buffer_contents::BufferContents;
use crate::engine::engine;
use crate::object::Object;
use crate::scope::Scope;
use crate::string::fast::peek;
use crate::structures::{CONFIGURATION, Structures};
use crate::symbols::{Opaque, RawGroup, RawObject};
use crate::value::Value;
use crate::wasm_module::FREE;

const MEMORY_OFFSET: usize = 16;
const HANDLE_OFFSET: usize = 8;
/// Offset of the handle in the shared data.
const SHARED_HANDLE_OFFSET: usize = 0x18;

/// `JSC::JSWebAssemblyMemory::create(JSC::VM&, JSC::Structure*)`.
const CREATE: &CStr = c"_ZN3JSC19JSWebAssemblyMemory6createERNS_2VMEPNS_9StructureE";
/// `JSC::JSWebAssemblyMemory::adopt(WTF::Ref<JSC::Wasm::Memory>&&)`.
const ADOPT: &CStr = c"_ZN3JSC19JSWebAssemblyMemory5adoptEON3WTF3RefINS_4Wasm6MemoryENS1_12RawPtrTraitsIS4_EENS1_21DefaultRefDerefTraitsIS4_EEEE";
/// `JSC::JSWebAssemblyMemory::growSuccessCallback(JSC::VM&, JSC::PageCount, JSC::PageCount)`.
const GROWN: &CStr = c"_ZN3JSC19JSWebAssemblyMemory19growSuccessCallbackERNS_2VMENS_9PageCountES3_";
/// `JSC::Wasm::Memory::create(JSC::VM&, WTF::Ref<JSC::SharedArrayBufferContents>&&,
/// WTF::Function<void(JSC::Wasm::Memory::GrowSuccess, JSC::PageCount, JSC::PageCount)>&&)`.
const SHARE_IN_VM: &CStr = c"_ZN3JSC4Wasm6Memory6createERNS_2VMEON3WTF3RefINS_25SharedArrayBufferContentsENS4_12RawPtrTraitsIS6_EENS4_21DefaultRefDerefTraitsIS6_EEEEONS4_8FunctionIFvNS1_11GrowSuccessENS_9PageCountESF_EEE";
/// The same without the VM, from 2.52 on.
const SHARE: &CStr = c"_ZN3JSC4Wasm6Memory6createEON3WTF3RefINS_25SharedArrayBufferContentsENS2_12RawPtrTraitsIS4_EENS2_21DefaultRefDerefTraitsIS4_EEEEONS2_8FunctionIFvNS1_11GrowSuccessENS_9PageCountESD_EEE";
/// `JSC::Wasm::Memory::~Memory()`.
const END: &CStr = c"_ZN3JSC4Wasm6MemoryD1Ev";
/// `JSC::JSWebAssemblyMemory::s_info`.
const CLASS: &CStr = c"_ZN3JSC19JSWebAssemblyMemory6s_infoE";

/// Creates a memory over shared data.
#[derive(Clone, Copy)]
enum Share {
    InVm(
        unsafe extern "C" fn(*mut *mut Opaque, RawGroup, *mut *mut Opaque, *mut *mut Listener) -> *mut c_void,
    ),
    Anywhere(unsafe extern "C" fn(*mut *mut Opaque, *mut *mut Opaque, *mut *mut Listener) -> *mut c_void),
}

type Grown = unsafe extern "C" fn(RawObject, RawGroup, u32, u32);

/// Functions and addresses of the unstable ABI, looked up by their mangled names.
#[derive(Clone, Copy)]
pub(crate) struct WasmMemoryAbi {
    create: unsafe extern "C" fn(RawGroup, *mut Opaque) -> RawObject,
    adopt: unsafe extern "C" fn(RawObject, *mut *mut Opaque),
    grown: Grown,
    share: Share,
    end: unsafe extern "C" fn(*mut Opaque),
    free: unsafe extern "C" fn(*mut Opaque),
    class: u64,
    configuration: usize,
}

/// Proof that the layout of a memory was verified.
#[derive(Clone, Copy)]
pub(crate) struct MemoryLayout {
    abi: WasmMemoryAbi,
    structures: Structures,
}

/// Growth callback of a memory; its vtable pointer comes first.
#[repr(C)]
struct Listener {
    table: *const Table,
    grown: Grown,
    object: RawObject,
    group: RawGroup,
}

/// The vtable, in the order of the Itanium C++ ABI: destructor, deleting destructor, call.
#[repr(C)]
struct Table {
    end: unsafe extern "C" fn(*mut Listener),
    delete: unsafe extern "C" fn(*mut Listener),
    call: unsafe extern "C" fn(*mut Listener, u32, u32, u32),
}

static TABLE: Table = Table { end: Listener::end, delete: Listener::delete, call: Listener::call };

impl Listener {
    /// There is nothing to destroy.
    unsafe extern "C" fn end(_: *mut Listener) {}

    unsafe extern "C" fn delete(this: *mut Listener) {
        // SAFETY: allocated by `MemoryLayout::share` as a box; the engine deletes it once, with its
        // memory.
        drop(unsafe { Box::from_raw(this) });
    }

    /// Page counts before and after; the second argument is the success value.
    unsafe extern "C" fn call(this: *mut Listener, _: u32, before: u32, now: u32) {
        // SAFETY: the engine calls it for a memory that owns it, in the VM in which it was made;
        // the object lives as long as the memory can grow (WebKit's own constructor of
        // `JSWebAssemblyMemory` does the same).
        unsafe {
            let listener = &*this;
            (listener.grown)(listener.object, listener.group, before, now);
        }
    }
}

impl Share {
    fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<Share> {
        let [in_vm, anywhere] = [SHARE_IN_VM, SHARE].map(find);
        // SAFETY: the mangled names contain the argument types; a result with a destructor is
        // returned through memory of the caller, whose address is the first argument.
        unsafe {
            match (in_vm.is_null(), anywhere.is_null()) {
                (false, _) => Some(Share::InVm(mem::transmute::<
                    *mut c_void,
                    unsafe extern "C" fn(_, _, _, _) -> _,
                >(in_vm))),
                (true, false) => Some(Share::Anywhere(mem::transmute::<
                    *mut c_void,
                    unsafe extern "C" fn(_, _, _) -> _,
                >(anywhere))),
                (true, true) => None,
            }
        }
    }
}

impl WasmMemoryAbi {
    /// Looks them up, in a release whose source was reviewed.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<WasmMemoryAbi> {
        let found = [CREATE, ADOPT, GROWN, END, FREE, CLASS, CONFIGURATION].map(&find);
        let share = Share::find(find)?;
        if found.iter().any(|address| address.is_null()) || !cfg!(target_arch = "x86_64") {
            return None;
        }
        // SAFETY: the mangled names contain the argument types; a reference is an address, a page
        // count a word, and a result with a destructor is returned through memory of the caller,
        // whose address is the first argument (System V ABI).
        unsafe {
            Some(WasmMemoryAbi {
                create: mem::transmute::<*mut c_void, unsafe extern "C" fn(_, _) -> _>(found[0]),
                adopt: mem::transmute::<*mut c_void, unsafe extern "C" fn(_, _)>(found[1]),
                grown: mem::transmute::<*mut c_void, Grown>(found[2]),
                share,
                end: mem::transmute::<*mut c_void, unsafe extern "C" fn(_)>(found[3]),
                free: mem::transmute::<*mut c_void, unsafe extern "C" fn(_)>(found[4]),
                class: found[5].addr() as u64,
                configuration: found[6].addr(),
            })
        }
    }
}

impl MemoryLayout {
    /// Reads an object that may be an unused memory, with process_vm_readv(2). `None`: it is not,
    /// or the layout is not the expected one.
    fn probe(scope: &Scope, sample: Value<'_>) -> Option<MemoryLayout> {
        let abi = engine().wasm_memories?;
        let structures = Structures::probe(scope, sample, abi.class, abi.configuration)?;
        let memory = word(sample.raw().cast::<u8>().wrapping_add(MEMORY_OFFSET))?;
        let count = peek::<4>(memory as *const u8).map(u32::from_ne_bytes)?;
        let handle = word((memory + HANDLE_OFFSET) as *const u8)?;
        let is_as_expected = count == 1 && word(handle as *const u8).is_some();
        is_as_expected.then_some(MemoryLayout { abi, structures })
    }

    /// An object with a memory of no pages, of the same class as the sample.
    fn empty(self, scope: &Scope, sample: Value<'_>) -> Option<RawObject> {
        let structure = self.structures.of(scope, sample, self.abi.class)?;
        // SAFETY: under the VM's lock; the context group of the C API is the VM. The sample keeps
        // the structure of that class alive.
        Some(unsafe { (self.abi.create)(scope.shared().group, structure) })
    }

    /// Replaces the object's memory by the shared one, and drops the one it had.
    fn share(self, scope: &Scope, object: RawObject, shared: *mut Opaque) {
        let group = scope.shared().group;
        let listener = Listener { table: &TABLE, grown: self.abi.grown, object, group };
        let (mut memory, mut counted) = (ptr::null_mut(), shared);
        let mut listener = Box::into_raw(Box::new(listener));
        // SAFETY: the contents keep the shared data alive, which begins with its reference count;
        // one reference and the callback move into the memory, and the memory into the object. The
        // result is the previous memory, to which nothing else refers.
        unsafe {
            AtomicU32::from_ptr(shared.cast()).fetch_add(1, Ordering::Relaxed);
            match self.abi.share {
                Share::InVm(share) => share(&mut memory, group, &mut counted, &mut listener),
                Share::Anywhere(share) => share(&mut memory, &mut counted, &mut listener),
            };
            (self.abi.adopt)(object, &mut memory);
            (self.abi.end)(memory);
            (self.abi.free)(memory);
        }
    }
}

impl BufferContents {
    /// A `WebAssembly.Memory` of this scope's VM over the memory. `sample`: any unused object of
    /// that class in the global object that the new one is to belong to. `None`: the memory is not
    /// WebAssembly's, or the ABI is not available.
    pub fn wasm_memory<'s>(&self, scope: &'s Scope, sample: Value<'_>) -> Option<Object<'s>> {
        let shared = self.shared()?;
        // Memory that WebAssembly never used has no handle.
        let handle = word(shared.cast::<u8>().wrapping_add(SHARED_HANDLE_OFFSET))?;
        word(handle as *const u8)?;
        let layout = scope.wasm_memories(sample)?;
        let object = Object::from_raw(scope, layout.empty(scope, sample)?);
        layout.share(scope, object.raw(), shared);
        Some(object)
    }
}

fn word(address: *const u8) -> Option<usize> {
    peek::<8>(address).map(usize::from_ne_bytes)
}

impl Scope {
    /// The layout, once one memory was probed.
    fn wasm_memories(&self, sample: Value<'_>) -> Option<MemoryLayout> {
        let cell = &self.shared().wasm_memories;
        if let Some(layout) = cell.get() {
            return Some(*layout);
        }
        let layout = MemoryLayout::probe(self, sample)?;
        Some(*cell.get_or_init(|| layout))
    }
}
