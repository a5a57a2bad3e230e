//! Transfer of a buffer's memory to the VM of another thread. In: an `ArrayBuffer`, which is
//! detached, or a `SharedArrayBuffer`. Out: a buffer of the same kind over the same memory in the
//! other VM; `Atomics` and growing work.
//!
//! Uses the engine's unstable ABI, because the public functions only make plain buffers over memory
//! that we own. It is used in releases whose source was reviewed and where a probe matches the
//! expected layout. Otherwise the functions return `None`, and the caller copies or refuses.
//!
//! The cell of a buffer has the address of a C++ `ArrayBuffer` after its header and properties.
//! After its reference counts that has the `ArrayBufferContents`: address, destructor, shared data,
//! handle, length, maximum length and whether there is one. Then come the pin count and the flags
//! for WebAssembly memory and for a locked buffer (WebKit's `JSArrayBuffer.h`, `ArrayBuffer.h`).

use std::ffi::{CStr, c_void};
use std::ptr;

use crate::engine::{engine, symbols};
use crate::object::Object;
use crate::scope::Scope;
use crate::string::fast::peek;
use crate::symbols::{Opaque, RawContext, RawGroup, RawObject};
use crate::value::Value;

const TYPE_OFFSET: usize = 5;
const BUFFER_OFFSET: usize = 16;
const CONTENTS_OFFSET: usize = 16;
const SHARED_OFFSET: usize = CONTENTS_OFFSET + 16;
const LENGTH_OFFSET: usize = CONTENTS_OFFSET + 32;
const PINS_OFFSET: usize = 0x58;
const IS_WASM_OFFSET: usize = 0x5c;
const IS_LOCKED_OFFSET: usize = 0x5d;
/// `sizeof(ArrayBuffer)`.
const BUFFER_BYTES: usize = 0x60;
/// `sizeof(ArrayBufferContents)` is 56.
const CONTENTS_WORDS: usize = 8;
const PROBE: &[u8] = b"the memory of a buffer";

/// `JSC::ArrayBuffer::transferTo(JSC::VM&, JSC::ArrayBufferContents&)`.
const TRANSFER: &CStr = c"_ZN3JSC11ArrayBuffer10transferToERNS_2VMERNS_19ArrayBufferContentsE";
/// `JSC::ArrayBufferContents::shareWith(JSC::ArrayBufferContents&)`.
const SHARE: &CStr = c"_ZN3JSC19ArrayBufferContents9shareWithERS0_";
/// `JSC::ArrayBuffer::create(JSC::ArrayBufferContents&&)`.
const CREATE: &CStr = c"_ZN3JSC11ArrayBuffer6createEONS_19ArrayBufferContentsE";
/// `JSC::DataView::create(WTF::RefPtr<JSC::ArrayBuffer>&&, size_t, std::optional<size_t>)`.
const VIEW: &CStr = c"_ZN3JSC8DataView6createEON3WTF6RefPtrINS_11ArrayBufferENS1_12RawPtrTraitsIS3_EENS1_21DefaultRefDerefTraitsIS3_EEEEmSt8optionalImE";
/// `JSC::ArrayBufferView::wrap(JSC::JSGlobalObject*, JSC::JSGlobalObject*)`.
const WRAP: &CStr = c"_ZN3JSC15ArrayBufferView4wrapEPNS_14JSGlobalObjectES2_";
/// `JSC::ArrayBufferView::operator delete(JSC::ArrayBufferView*, std::destroying_delete_t)`.
const DELETE: &CStr = c"_ZN3JSC15ArrayBufferViewdlEPS0_St19destroying_delete_t";

type Contents = [u64; CONTENTS_WORDS];

/// Functions of the unstable ABI, looked up by their mangled names.
#[derive(Clone, Copy)]
pub(crate) struct BufferAbi {
    transfer: unsafe extern "C" fn(*mut Opaque, RawGroup, *mut Contents) -> bool,
    share: unsafe extern "C" fn(*const Contents, *mut Contents),
    create: unsafe extern "C" fn(*mut *mut Opaque, *mut Contents) -> *mut c_void,
    view: unsafe extern "C" fn(*mut *mut Opaque, *mut *mut Opaque, usize, usize, bool) -> *mut c_void,
    wrap: unsafe extern "C" fn(*mut Opaque, RawContext, RawContext) -> RawObject,
    delete: unsafe extern "C" fn(*mut Opaque),
}

/// The cell type of a buffer; the rest of the layout is constant and was verified.
#[derive(Clone, Copy)]
pub(crate) struct BufferLayout {
    abi: BufferAbi,
    class: u8,
}

/// Memory in transit between two VMs. Dropping it frees the memory unless another VM shares it.
pub struct BufferContents {
    words: Contents,
    abi: BufferAbi,
}

// SAFETY: its parts are reference counted with atomics, and memory that is not shared is only
// reachable from here (WebKit itself posts `ArrayBufferContents` to workers).
unsafe impl Send for BufferContents {}
// SAFETY: a shared reference only reads it, except for the atomic counts.
unsafe impl Sync for BufferContents {}

impl BufferAbi {
    /// Looks the functions up, in a release whose source was reviewed.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<BufferAbi> {
        let found = [TRANSFER, SHARE, CREATE, VIEW, WRAP, DELETE].map(find);
        if found.iter().any(|address| address.is_null()) || !cfg!(target_arch = "x86_64") {
            return None;
        }
        // SAFETY: the mangled names contain the argument types. A result with a destructor is
        // returned through memory of the caller, whose address is the first argument, and an
        // optional number is two words in registers (System V ABI).
        unsafe {
            Some(BufferAbi {
                transfer: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(_, _, _) -> bool>(found[0]),
                share: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(_, _)>(found[1]),
                create: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(_, _) -> _>(found[2]),
                view: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(_, _, _, _, _) -> _>(found[3]),
                wrap: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(_, _, _) -> _>(found[4]),
                delete: std::mem::transmute::<*mut c_void, unsafe extern "C" fn(_)>(found[5]),
            })
        }
    }
}

impl BufferLayout {
    /// Reads a buffer of our own with process_vm_readv(2). `None`: the layout is not the expected
    /// one.
    pub fn probe(scope: &Scope) -> Option<BufferLayout> {
        let abi = engine().contents?;
        scope.shared().layout()?;
        let sample = crate::ArrayBuffer::new(scope, PROBE.to_vec()).ok()?;
        let cell = sample.object().raw().cast::<u8>();
        let [class] = peek::<1>(cell.wrapping_add(TYPE_OFFSET))?;
        let address = peek::<8>(cell.wrapping_add(BUFFER_OFFSET)).map(usize::from_ne_bytes)?;
        let buffer: [u8; BUFFER_BYTES] = peek(address as *const u8)?;
        let word = |at: usize| usize::from_ne_bytes(buffer[at..at + 8].try_into().expect("eight bytes"));
        let memory: [u8; PROBE.len()] = peek(word(CONTENTS_OFFSET) as *const u8)?;
        let is_as_expected = memory == *PROBE
            && word(LENGTH_OFFSET) == PROBE.len()
            && word(SHARED_OFFSET) == 0
            && buffer[PINS_OFFSET..=IS_LOCKED_OFFSET] == [0; IS_LOCKED_OFFSET - PINS_OFFSET + 1];
        is_as_expected.then_some(BufferLayout { abi, class })
    }

    /// The C++ half of a buffer.
    fn buffer(self, value: Value<'_>) -> Option<*mut Opaque> {
        let word = value.raw().addr() as u64;
        // The address of a cell has none of these bits set (layout.rs).
        if word == 0 || word & (0xfffe << 48 | 2) != 0 {
            return None;
        }
        let cell = value.raw().cast::<u8>();
        // SAFETY: a cell, rooted by a scope; `probe` verified the offsets.
        unsafe {
            (*cell.add(TYPE_OFFSET) == self.class).then(|| *cell.add(BUFFER_OFFSET).cast::<*mut Opaque>())
        }
    }
}

impl BufferContents {
    /// Detaches an `ArrayBuffer` and takes its memory. `None`: the value is not one; its memory
    /// cannot be transferred because it is pinned, locked, WebAssembly's or already detached; or
    /// the ABI is not available.
    pub fn of_array_buffer(scope: &Scope, value: Value<'_>) -> Option<BufferContents> {
        let layout = scope.buffers()?;
        let buffer = layout.buffer(value)?;
        // SAFETY: `probe` verified the offsets.
        let is_free = unsafe {
            let at = |offset: usize| buffer.cast::<u8>().add(offset);
            *at(SHARED_OFFSET).cast::<usize>() == 0
                && *at(PINS_OFFSET).cast::<u32>() == 0
                && *at(IS_WASM_OFFSET) == 0
                && *at(IS_LOCKED_OFFSET) == 0
        };
        if is_free { layout.taken(scope, buffer) } else { None }
    }

    /// Takes another reference to the memory of a `SharedArrayBuffer`; `None` as above.
    pub fn of_shared(scope: &Scope, value: Value<'_>) -> Option<BufferContents> {
        let layout = scope.buffers()?;
        let buffer = layout.buffer(value)?;
        // SAFETY: as above.
        let is_shared = unsafe { *buffer.cast::<u8>().add(SHARED_OFFSET).cast::<usize>() != 0 };
        if is_shared { layout.taken(scope, buffer) } else { None }
    }

    /// Another reference to the same shared memory.
    pub fn clone_ref(&self) -> BufferContents {
        let mut words = [0; CONTENTS_WORDS];
        // SAFETY: both are contents, the new one empty.
        unsafe { (self.abi.share)(&self.words, &mut words) };
        BufferContents { words, abi: self.abi }
    }

    /// Makes a buffer of this scope's VM over the memory.
    pub fn into_buffer(mut self, scope: &Scope) -> Option<Object<'_>> {
        let view = self.view();
        let context = scope.context();
        let found = scope.check(|thrown| {
            // SAFETY: a C++ view that only we own and that is deleted below. This stack keeps its
            // wrapper alive until the buffer was read, under the lock.
            unsafe {
                let wrapper = (self.abi.wrap)(view, context, context);
                match wrapper.is_null() {
                    true => ptr::null_mut(),
                    false => (symbols().JSObjectGetTypedArrayBuffer)(context, wrapper, thrown),
                }
            }
        });
        let found = found.ok().filter(|buffer| !buffer.is_null());
        let object = found.map(|buffer| Object::from_raw(scope, buffer));
        // SAFETY: made by `view` and deleted once; the wrapper only keeps the buffer of it.
        unsafe { (self.abi.delete)(view) };
        object
    }

    /// The `SharedArrayBufferContents` that several VMs share, alive as long as `self`. `None`: the
    /// memory is not shared.
    pub(crate) fn shared(&self) -> Option<*mut Opaque> {
        let address = self.words[(SHARED_OFFSET - CONTENTS_OFFSET) / 8];
        (address != 0).then_some(address as usize as *mut Opaque)
    }

    /// Moves the contents into a C++ view; afterwards `self` is empty.
    fn view(&mut self) -> *mut Opaque {
        let (mut buffer, mut view) = (ptr::null_mut(), ptr::null_mut());
        // SAFETY: the contents are moved from; the only reference to the buffer goes into the view,
        // which has zero length.
        unsafe {
            (self.abi.create)(&mut buffer, &mut self.words);
            (self.abi.view)(&mut view, &mut buffer, 0, 0, true);
        }
        view
    }
}

impl BufferLayout {
    fn taken(self, scope: &Scope, buffer: *mut Opaque) -> Option<BufferContents> {
        let mut words = [0; CONTENTS_WORDS];
        // SAFETY: a buffer of this VM, under its lock, and empty contents. The context group of the
        // C API is the VM.
        let is_taken = unsafe { (self.abi.transfer)(buffer, scope.shared().group, &mut words) };
        is_taken.then_some(BufferContents { words, abi: self.abi })
    }
}

impl Drop for BufferContents {
    fn drop(&mut self) {
        // Contents that were moved from have no memory.
        if self.words[0] != 0 {
            let view = self.view();
            // SAFETY: made just now. The view holds the only reference to the buffer, and the
            // buffer the contents.
            unsafe { (self.abi.delete)(view) };
        }
    }
}

impl Scope {
    fn buffers(&self) -> Option<BufferLayout> {
        *self.shared().buffers.get_or_init(|| BufferLayout::probe(self))
    }
}
