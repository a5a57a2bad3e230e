//! Strings over letters that stay where they are: an external string, as the engine calls it. In:
//! letters, what keeps them there. Out: a `StringImpl`, at whose end the keeper is dropped. Past
//! the public functions, which copy; tried at the first use of a process.
//!
//! A `WTF::Function` is the address of an object whose table has a destructor, one that frees the
//! object too, and the call; an `ExternalStringImpl` has it behind its flags (WebKit's
//! `Function.h`, `ExternalStringImpl.h`).

use std::any::Any;
use std::ffi::{CStr, c_void};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use crate::symbols::Opaque;
use crate::text::Letters;
use crate::text::fast::{Fast, Returned, letters_of_impl};

/// `WTF::ExternalStringImpl::create(std::span<const unsigned char>, WTF::Function<void
/// (ExternalStringImpl*, void*, unsigned)>&&)`.
const CREATE_NARROW: &CStr =
    c"_ZN3WTF18ExternalStringImpl6createESt4spanIKhLm18446744073709551615EEONS_8FunctionIFvPS0_PvjEEE";
/// The same with a span of `char16_t`.
const CREATE_WIDE: &CStr =
    c"_ZN3WTF18ExternalStringImpl6createESt4spanIKDsLm18446744073709551615EEONS_8FunctionIFvPS0_PvjEEE";

type Create = unsafe extern "C" fn(Span, *mut *mut Release) -> Returned;

/// What keeps letters where they are until it is dropped, on whichever thread.
pub(crate) type Keeper = Box<dyn Any + Send>;

/// The engine's functions that make such a string.
pub(crate) struct Calls {
    narrow: Create,
    wide: Create,
    is_right: OnceLock<bool>,
}

/// A `std::span<const T>`.
#[repr(C)]
struct Span {
    first: *const c_void,
    count: usize,
}

/// A `WTF::Function`'s object.
#[repr(C)]
struct Release {
    table: *const Table,
    keeper: Option<Keeper>,
}

#[repr(C)]
struct Table {
    end: unsafe extern "C" fn(*mut Release),
    end_and_free: unsafe extern "C" fn(*mut Release),
    call: unsafe extern "C" fn(*mut Release, *mut Opaque, *mut c_void, u32),
}

static TABLE: Table = Table { end, end_and_free, call };

/// The string is at its end. The engine ends the object right behind this; the keeper goes with it.
unsafe extern "C" fn call(_: *mut Release, _: *mut Opaque, _: *mut c_void, _: u32) {}

unsafe extern "C" fn end(release: *mut Release) {
    // SAFETY: the engine's one owner of it says so, once.
    drop(unsafe { (*release).keeper.take() });
}

unsafe extern "C" fn end_and_free(release: *mut Release) {
    // SAFETY: as above; it was a box of ours.
    drop(unsafe { Box::from_raw(release) });
}

impl Calls {
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<Calls> {
        let [narrow, wide] = [CREATE_NARROW, CREATE_WIDE].map(find);
        if narrow.is_null() || wide.is_null() {
            return None;
        }
        // SAFETY: the mangled names say the types of the arguments; `is_right` sees whether the
        // rest holds.
        let (narrow, wide) = unsafe {
            (
                std::mem::transmute::<*mut c_void, Create>(narrow),
                std::mem::transmute::<*mut c_void, Create>(wide),
            )
        };
        Some(Calls { narrow, wide, is_right: OnceLock::new() })
    }

    /// Whether such strings are as expected, and end as expected.
    pub fn are_right(&self, fast: &Fast) -> bool {
        *self.is_right.get_or_init(|| {
            self.is_right(fast, Letters::Narrow(b"kept"))
                && self.is_right(fast, Letters::Wide(&[0x20ac, 0xd800]))
        })
    }

    fn is_right(&self, fast: &Fast, sample: Letters<'static>) -> bool {
        struct Ends(Arc<AtomicBool>);
        impl Drop for Ends {
            fn drop(&mut self) {
                self.0.store(true, Ordering::Relaxed);
            }
        }
        let has_ended = Arc::new(AtomicBool::new(false));
        // SAFETY: the letters are there for ever; `Fast` is there, so strings are laid out as
        // expected, and the reference is the only one.
        unsafe {
            let string = self.make(sample, Box::new(Ends(Arc::clone(&has_ended))));
            let is_same = letters_of_impl(string.cast()) == sample && !has_ended.load(Ordering::Relaxed);
            fast.let_go(string);
            is_same && has_ended.load(Ordering::Relaxed) && Arc::strong_count(&has_ended) == 1
        }
    }

    /// A `StringImpl` with one reference, the caller's.
    ///
    /// # Safety
    /// The letters do not change and stay where they are until the keeper is dropped.
    pub unsafe fn make(&self, letters: Letters<'_>, keeper: Keeper) -> *mut Opaque {
        let (create, span) = match letters {
            Letters::Narrow(letters) => {
                (self.narrow, Span { first: letters.as_ptr().cast(), count: letters.len() })
            }
            Letters::Wide(units) => (self.wide, Span { first: units.as_ptr().cast(), count: units.len() }),
        };
        let mut release = Box::into_raw(Box::new(Release { table: &raw const TABLE, keeper: Some(keeper) }));
        // SAFETY: the engine takes the object out of the place it is given.
        unsafe { create(span, &raw mut release) }.string
    }
}
