//! External strings: strings over memory that the engine does not own. In: code units, and their
//! owner. Out: a `StringImpl`; when it is destroyed, the owner is dropped. Uses the unstable ABI,
//! because the public functions copy; verified at the first use of a process.
//!
//! A `WTF::Function` is the address of an object whose vtable has a destructor, a deleting
//! destructor and the call. An `ExternalStringImpl` has it after its flags (WebKit's `Function.h`,
//! `ExternalStringImpl.h`).

use std::any::Any;
use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::string::CodeUnits;
use crate::string::fast::{Fast, Returned, code_units_of_impl};
use crate::symbols::Opaque;

/// `WTF::ExternalStringImpl::create(std::span<const unsigned char>, WTF::Function<void
/// (ExternalStringImpl*, void*, unsigned)>&&)`.
const CREATE_LATIN1: &CStr =
    c"_ZN3WTF18ExternalStringImpl6createESt4spanIKhLm18446744073709551615EEONS_8FunctionIFvPS0_PvjEEE";
/// The same with a span of `char16_t`.
const CREATE_UTF16: &CStr =
    c"_ZN3WTF18ExternalStringImpl6createESt4spanIKDsLm18446744073709551615EEONS_8FunctionIFvPS0_PvjEEE";

type Create = unsafe extern "C" fn(ConstSpan, *mut *mut Release) -> Returned;

/// Owner of the memory, dropped on any thread.
pub(crate) type Owner = Box<dyn Any + Send>;

/// Functions of the unstable ABI.
pub(crate) struct ExternalStringAbi {
    latin1: Create,
    utf16: Create,
    is_verified: OnceLock<bool>,
}

/// A `std::span<const T>`.
#[repr(C)]
struct ConstSpan {
    first: *const c_void,
    count: usize,
}

/// The object of a `WTF::Function`.
#[repr(C)]
struct Release {
    vtable: *const VTable,
    owner: Option<Owner>,
}

#[repr(C)]
struct VTable {
    destroy: unsafe extern "C" fn(*mut Release),
    destroy_and_free: unsafe extern "C" fn(*mut Release),
    call: unsafe extern "C" fn(*mut Release, *mut Opaque, *mut c_void, u32),
}

static VTABLE: VTable = VTable { destroy, destroy_and_free, call };

/// Called when the string is destroyed. The engine destroys this object next, and the owner with
/// it.
unsafe extern "C" fn call(_: *mut Release, _: *mut Opaque, _: *mut c_void, _: u32) {}

unsafe extern "C" fn destroy(release: *mut Release) {
    // SAFETY: called once, by the engine, which owns the object.
    drop(unsafe { (*release).owner.take() });
}

unsafe extern "C" fn destroy_and_free(release: *mut Release) {
    // SAFETY: as above; it was allocated as a box.
    drop(unsafe { Box::from_raw(release) });
}

impl ExternalStringAbi {
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<ExternalStringAbi> {
        let [latin1, utf16] = [CREATE_LATIN1, CREATE_UTF16].map(find);
        if latin1.is_null() || utf16.is_null() {
            return None;
        }
        // SAFETY: the mangled names contain the argument types; `verify` checks the rest.
        let (latin1, utf16) = unsafe {
            (
                std::mem::transmute::<*mut c_void, Create>(latin1),
                std::mem::transmute::<*mut c_void, Create>(utf16),
            )
        };
        Some(ExternalStringAbi { latin1, utf16, is_verified: OnceLock::new() })
    }

    /// Whether such strings have the expected contents and drop their owner.
    pub fn are_verified(&self, fast: &Fast) -> bool {
        *self.is_verified.get_or_init(|| {
            self.verify(fast, CodeUnits::Latin1(b"kept"))
                && self.verify(fast, CodeUnits::Utf16(&[0x20ac, 0xd800]))
        })
    }

    fn verify(&self, fast: &Fast, sample: CodeUnits<'static>) -> bool {
        struct Ends(Arc<AtomicBool>);
        impl Drop for Ends {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let has_ended = Arc::new(AtomicBool::new(false));
        // SAFETY: the code units are static; `Fast` exists, so the layout of strings was verified,
        // and the reference is the only one.
        unsafe {
            let string = self.make(sample, Box::new(Ends(Arc::clone(&has_ended))));
            let is_same = code_units_of_impl(string.cast()) == sample && !has_ended.load(Ordering::Relaxed);
            fast.deref_impl(string);
            is_same && has_ended.load(Ordering::Relaxed) && Arc::strong_count(&has_ended) == 1
        }
    }

    /// A `StringImpl` with one reference, which the caller owns.
    ///
    /// # Safety
    /// The code units do not change and do not move until the owner is dropped.
    pub unsafe fn make(&self, units: CodeUnits<'_>, owner: Owner) -> *mut Opaque {
        let (create, span) = match units {
            CodeUnits::Latin1(units) => {
                (self.latin1, ConstSpan { first: units.as_ptr().cast(), count: units.len() })
            }
            CodeUnits::Utf16(units) => {
                (self.utf16, ConstSpan { first: units.as_ptr().cast(), count: units.len() })
            }
        };
        let mut release = Box::into_raw(Box::new(Release { vtable: &raw const VTABLE, owner: Some(owner) }));
        // SAFETY: the engine moves the function out of the pointer that it gets.
        unsafe { create(span, &raw mut release) }.string
    }
}
