//! Fast path of property writes (unstable ABI): the engine's own functions for plain objects and
//! arrays. The public ones take the lock, which this thread has, and look the name up in the table
//! of names, which together cost more than the write. In: an object, a name that the engine has in
//! that table already, or an index; a value. Out: the write, or nothing where the fast path does
//! not apply. Absent: reads.
//!
//! A name is in the table of names (an atom string) once it was used as a key (WebKit's
//! `JSObject.h`, `PutPropertySlot.h`, `StringImpl.h`). An exception is in the VM until somebody
//! takes it; `verify` finds the place by throwing one.

use std::ffi::{CStr, c_void};
use std::mem;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::engine::{engine, symbols};
use crate::exception::Exception;
use crate::object::Object;
use crate::scope::Scope;
use crate::string::CodeUnits;
use crate::string::fast::{self, peek};
use crate::symbols::{RawContext, RawObject, RawValue};
use crate::value::Value;

/// `JSC::JSObject::put(JSC::JSCell*, JSC::JSGlobalObject*, JSC::PropertyName, JSC::JSValue,
/// JSC::PutPropertySlot&)`.
const PUT: &CStr = c"_ZN3JSC8JSObject3putEPNS_6JSCellEPNS_14JSGlobalObjectENS_12PropertyNameENS_7JSValueERNS_15PutPropertySlotE";
/// `JSC::JSObject::putByIndex(JSC::JSCell*, JSC::JSGlobalObject*, unsigned int, JSC::JSValue,
/// bool)`.
const PUT_BY_INDEX: &CStr = c"_ZN3JSC8JSObject10putByIndexEPNS_6JSCellEPNS_14JSGlobalObjectEjNS_7JSValueEb";

type Put = unsafe extern "C" fn(RawObject, RawContext, *const u8, RawValue, *mut PutPropertySlot) -> bool;
type PutByIndex = unsafe extern "C" fn(RawObject, RawContext, u32, RawValue, bool) -> bool;

/// `StringImpl::m_hashAndFlags`, and the flags of an atom string and of a symbol in it.
const FLAGS_OFFSET: usize = 16;
const ATOM: u8 = 1 << 4;
const SYMBOL: u8 = 1 << 5;

/// Bytes of a VM at most in which the place of exceptions is searched.
const VM_BYTES_MAX: usize = 256 * 1024;
const PAGE_BYTES: usize = 4096;
/// Words of an exception's cell in which its value is.
const EXCEPTION_WORDS: usize = 4;

/// `PutPropertySlot` of an assignment in sloppy mode, with room behind it.
#[repr(C)]
struct PutPropertySlot {
    base: RawObject,
    this: RawValue,
    offset: i32,
    flags: [u8; 4],
    rest: [usize; 4],
}

/// `invalidOffset`.
const NOWHERE: i32 = -1;

/// The engine's functions, not yet verified.
#[derive(Clone, Copy)]
pub(crate) struct PropertyAbi {
    put: Put,
    put_by_index: PutByIndex,
}

/// The verified functions, and the cell types of objects to which they apply.
pub(crate) struct PropertyWriter {
    abi: PropertyAbi,
    plain: u8,
    array: u8,
    /// Where the VM has a pending exception.
    exception: *const AtomicUsize,
}

impl PropertyAbi {
    /// Looks them up, in a release whose source was reviewed.
    pub fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<PropertyAbi> {
        let (put, put_by_index) = (find(PUT), find(PUT_BY_INDEX));
        if put.is_null() || put_by_index.is_null() {
            return None;
        }
        // SAFETY: the mangled names contain the argument types; `verify` checks the rest.
        unsafe {
            Some(PropertyAbi {
                put: mem::transmute::<*mut c_void, Put>(put),
                put_by_index: mem::transmute::<*mut c_void, PutByIndex>(put_by_index),
            })
        }
    }

    /// # Safety
    /// A plain object, and a name of [`atom`], under the VM's lock.
    #[inline]
    unsafe fn put(self, scope: &Scope, object: Object<'_>, name: *const u8, value: Value<'_>) {
        let mut slot = PutPropertySlot {
            base: ptr::null_mut(),
            this: object.value().raw(),
            offset: NOWHERE,
            flags: [0; 4],
            rest: [0; 4],
        };
        // SAFETY: guaranteed by the caller; the slot is one, with room behind it.
        unsafe { (self.put)(object.raw(), scope.context(), name, value.raw(), &raw mut slot) };
    }
}

impl PropertyWriter {
    /// `None`: not applicable.
    #[inline]
    pub fn set<'r>(
        &self,
        scope: &'r Scope,
        object: Object<'_>,
        key: Value<'_>,
        value: Value<'_>,
    ) -> Option<Result<(), Exception<'r>>> {
        let layout = scope.shared().layout()?;
        if layout.cell_type(object.value().raw()) != Some(self.plain) {
            return None;
        }
        let name = atom(scope, key)?;
        // SAFETY: a plain object by its cell type, and an atom string that its value keeps alive.
        unsafe { self.abi.put(scope, object, name, value) };
        Some(self.take_exception(scope))
    }

    /// The same for an index, of an array, too.
    #[inline]
    pub fn set_element<'r>(
        &self,
        scope: &'r Scope,
        object: Object<'_>,
        index: u32,
        value: Value<'_>,
    ) -> Option<Result<(), Exception<'r>>> {
        let layout = scope.shared().layout()?;
        let kind = layout.cell_type(object.value().raw())?;
        if (kind != self.plain && kind != self.array) || index == u32::MAX {
            return None;
        }
        // SAFETY: an object of these cell types has the method of `JSObject`; the lock is held.
        unsafe { (self.abi.put_by_index)(object.raw(), scope.context(), index, value.raw(), false) };
        Some(self.take_exception(scope))
    }

    /// Whether the value is an array; `None`: something else may be one, a proxy for example.
    pub fn is_array(&self, scope: &Scope, value: Value<'_>) -> Option<bool> {
        let kind = scope.shared().layout()?.cell_type(value.raw())?;
        if kind == self.array {
            return Some(true);
        }
        (kind == self.plain).then_some(false)
    }

    #[inline]
    fn take_exception<'r>(&self, scope: &'r Scope) -> Result<(), Exception<'r>> {
        // SAFETY: the place was found in this VM, which is alive.
        if unsafe { (*self.exception).load(Ordering::Relaxed) } == 0 {
            return Ok(());
        }
        take_pending(scope)
    }
}

impl Scope {
    /// Verifies the fast path of property writes, which is not used before. It takes some hundred
    /// microseconds.
    pub fn enable_fast_properties(&self) {
        self.shared().property_writer.get_or_init(|| verify(self));
    }

    #[inline]
    pub(crate) fn property_writer(&self) -> Option<&PropertyWriter> {
        self.shared().property_writer.get()?.as_ref()
    }
}

/// The name of a key that is an atom string and no index.
#[inline]
fn atom(scope: &Scope, key: Value<'_>) -> Option<*const u8> {
    let name = scope.shared().layout()?.flat_string(key)?;
    // SAFETY: a string of the engine, whose layout was verified; a scope or root keeps it alive.
    let (flags, units) = unsafe { (*name.add(FLAGS_OFFSET), fast::code_units_of_impl(name)) };
    let is_index = match units {
        CodeUnits::Latin1(units) => units.first().is_none_or(u8::is_ascii_digit),
        CodeUnits::Utf16(units) => units.first().is_none_or(|unit| (0x30..0x3a).contains(unit)),
    };
    (flags & ATOM != 0 && flags & SYMBOL == 0 && !is_index).then_some(name)
}

/// Throws what the VM has pending; the public function takes it before it looks at the number.
fn take_pending(scope: &Scope) -> Result<(), Exception<'_>> {
    let number = scope.number(0.0);
    scope.check(|thrown| {
        // SAFETY: a value of this VM, under its lock.
        unsafe { (symbols().JSValueToNumber)(scope.context(), number.raw(), thrown) };
    })
}

/// The functions, if what they write is read back, and what a setter throws is found.
fn verify(scope: &Scope) -> Option<PropertyWriter> {
    const PROBE: &str = "(() => { const own = { set setter(value) { throw value; } }; const names = Object.getOwnPropertyNames({ setter: 1, name: 2 }); return [own, {}, [], names[0], names[1]]; })()";
    let abi = engine().properties?;
    let layout = scope.shared().layout()?;
    let probe = scope.evaluate_static(PROBE, "property_writer.js").ok()?.as_object(scope)?;
    let part = |index| probe.element(scope, index).ok();
    let (throwing, plain, array) = (part(0)?.as_object(scope)?, part(1)?.as_object(scope)?, part(2)?);
    let (setter, name) = (atom(scope, part(3)?)?, atom(scope, part(4)?)?);
    let types = [plain.value(), array].map(|value| layout.cell_type(value.raw()));
    let [Some(plain_type), Some(array_type)] = types else { return None };
    if plain_type == array_type || layout.cell_type(throwing.value().raw()) != Some(plain_type) {
        return None;
    }
    let value = scope.string_from_latin1(b"a value");
    // SAFETY: plain objects by their cell type, and atom strings.
    unsafe {
        abi.put(scope, plain, name, value);
        (abi.put_by_index)(array.raw().cast_mut(), scope.context(), 1, value.raw(), false);
    }
    let is_written = plain.property(scope, "name").ok()?.raw() == value.raw()
        && array.as_object(scope)?.element(scope, 1).ok()?.raw() == value.raw();
    let group = scope.shared().group.cast::<u8>();
    let before = vm_words(group);
    // SAFETY: as above.
    unsafe { abi.put(scope, throwing, setter, value) };
    let during = vm_words(group);
    let thrown = take_pending(scope).err()?;
    let after = vm_words(group);
    let mut places = during.iter().zip(&after).enumerate().filter(|(index, (during, after))| {
        **after == 0 && before.get(*index) == Some(&0) && has_value(**during, value)
    });
    let place = places.next()?.0;
    if places.next().is_some() || !is_written || thrown.value().raw() != value.raw() {
        return None;
    }
    let exception = group.wrapping_add(place * 8).cast::<AtomicUsize>();
    Some(PropertyWriter { abi, plain: plain_type, array: array_type, exception })
}

/// Whether a word is the address of a cell that holds the value.
fn has_value(word: u64, value: Value<'_>) -> bool {
    let Some(cell) = peek::<{ EXCEPTION_WORDS * 8 }>(word as usize as *const u8) else { return false };
    word != 0 && crate::structures::words(&cell).any(|word| word == value.raw().addr() as u64)
}

/// The words of a VM, as far as they can be read.
fn vm_words(group: *const u8) -> Vec<u64> {
    let pages = (0..VM_BYTES_MAX / PAGE_BYTES).map_while(|page| peek(group.wrapping_add(page * PAGE_BYTES)));
    pages.flat_map(|page: [u8; PAGE_BYTES]| crate::structures::words(&page).collect::<Vec<u64>>()).collect()
}
