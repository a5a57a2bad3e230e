//! Fast path for strings (unstable ABI). In: a loaded engine. Out: code units in place, and strings
//! that are written once. Both are only used in releases whose source was reviewed, and if [`find`]
//! and [`Fast::writer`] verified the layout. `UnstableAbi::Never` disables them.
//!
//! `OpaqueJSString` has its `StringImpl` after its own reference count. `StringImpl` begins with a
//! count (32 bits, in steps of two), a length (32 bits), a pointer to its code units, and flags, of
//! which bit 2 means Latin-1 (WebKit's `OpaqueJSString.h`, `StringImpl.h`).

use std::ffi::{CStr, c_void};
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::engine::{Version, engine};
use crate::string::CodeUnits;
use crate::string::ascii::{copy_ascii_to, copy_short};
use crate::string::external;
use crate::symbols::{Opaque, RawContext, RawGroup, RawString, RawValue, Symbols};

/// The releases whose source was reviewed, first and last. Review a new one before it is added.
const READ: [Version; 2] =
    [Version { major: 2, minor: 50, micro: 0 }, Version { major: 2, minor: 52, micro: u32::MAX }];

const IMPL_OFFSET: usize = 8;
const LENGTH_OFFSET: usize = 4;
const UNITS_OFFSET: usize = 8;
const FLAGS_OFFSET: usize = 16;
const LATIN1_FLAG: u32 = 1 << 2;
const IMPL_BYTES: usize = 24;
const REFERENCE: u32 = 2;

/// `WTF::StringImpl::createUninitialized(unsigned long, std::span<unsigned char>&)`.
const CREATE_LATIN1: &CStr = c"_ZN3WTF10StringImpl19createUninitializedEmRSt4spanIhLm18446744073709551615EE";
/// The same with a span of `char16_t`.
const CREATE_UTF16: &CStr = c"_ZN3WTF10StringImpl19createUninitializedEmRSt4spanIDsLm18446744073709551615EE";
/// `JSC::jsStringWithCacheSlowCase(JSC::VM&, WTF::StringImpl&)`.
const TO_VALUE: &CStr = c"_ZN3JSC25jsStringWithCacheSlowCaseERNS_2VMERN3WTF10StringImplE";

/// `WTF::StringImpl::destroy(WTF::StringImpl*)`.
const DESTROY: &CStr = c"_ZN3WTF10StringImpl7destroyEPS0_";

const PROBE: &[u8] = b"a text to look at: \x01\x7f~\xff";

type Create = unsafe extern "C" fn(usize, *mut CodeUnitSpan) -> Returned;
type Destroy = unsafe extern "C" fn(*mut Opaque);
type ToValue = unsafe extern "C" fn(RawGroup, *mut Opaque) -> RawValue;

/// Proof that the layout of strings was verified.
pub struct Fast {
    abi: Option<StringAbi>,
    destroy: Option<Destroy>,
    external: Option<external::ExternalStringAbi>,
}

/// Functions for writing strings.
#[derive(Clone, Copy)]
struct StringAbi {
    latin1: Create,
    utf16: Create,
    to_value: ToValue,
}

/// Writes strings of one VM.
pub struct Writer {
    abi: StringAbi,
    group: RawGroup,
}

/// A `std::span` of code units.
#[repr(C)]
struct CodeUnitSpan {
    first: *mut c_void,
    count: usize,
}

/// A `Ref<StringImpl>`. C++ returns a type with a destructor through memory of the caller on every
/// platform; Rust does so for types larger than two words, so this one is declared larger.
#[repr(C)]
pub(super) struct Returned {
    pub string: *mut Opaque,
    _rest: [MaybeUninit<usize>; 3],
}

/// Whether the source of a release was reviewed.
pub fn is_read(version: Version) -> bool {
    (READ[0]..=READ[1]).contains(&version)
}

/// Checks strings of both widths, with process_vm_readv(2), which fails instead of crashing on a
/// bad pointer.
pub fn find(symbols: &Symbols, version: Version, find: impl Fn(&CStr) -> *mut c_void) -> Option<Fast> {
    if !is_read(version) || !cfg!(target_pointer_width = "64") {
        return None;
    }
    // SAFETY: the string ends in NUL; the count of units is right.
    let (latin1, utf16) = unsafe {
        let units: Vec<u16> = "\u{20ac}uro".encode_utf16().collect();
        let latin1 = (symbols.JSStringCreateWithUTF8CString)(c"rusk".as_ptr());
        (latin1, (symbols.JSStringCreateWithCharacters)(units.as_ptr(), units.len()))
    };
    let utf16_bytes: Vec<u8> = "\u{20ac}uro".encode_utf16().flat_map(u16::to_ne_bytes).collect();
    let is_as_expected =
        has_expected_layout(latin1, 4, true, b"rusk") && has_expected_layout(utf16, 4, false, &utf16_bytes);
    // SAFETY: made above, released once.
    unsafe {
        (symbols.JSStringRelease)(latin1);
        (symbols.JSStringRelease)(utf16);
    }
    is_as_expected.then(|| Fast {
        destroy: destroy(&find),
        abi: StringAbi::find(&find),
        external: external::ExternalStringAbi::find(&find),
    })
}

fn destroy(find: impl Fn(&CStr) -> *mut c_void) -> Option<Destroy> {
    let address = find(DESTROY);
    // SAFETY: the mangled name contains the argument type; there is no result.
    (!address.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, Destroy>(address) })
}

impl StringAbi {
    fn find(find: impl Fn(&CStr) -> *mut c_void) -> Option<StringAbi> {
        let found = [CREATE_LATIN1, CREATE_UTF16, TO_VALUE].map(find);
        if found.iter().any(|address| address.is_null()) {
            return None;
        }
        // SAFETY: the mangled names contain the argument types; `Fast::writer` checks the rest.
        unsafe {
            Some(StringAbi {
                latin1: std::mem::transmute::<*mut c_void, Create>(found[0]),
                utf16: std::mem::transmute::<*mut c_void, Create>(found[1]),
                to_value: std::mem::transmute::<*mut c_void, ToValue>(found[2]),
            })
        }
    }
}

fn has_expected_layout(string: RawString, length: u32, is_latin1: bool, units: &[u8]) -> bool {
    let look = || {
        let holder: [u8; 8] = peek(string.cast_const().cast::<u8>().wrapping_add(IMPL_OFFSET))?;
        let address = usize::from_ne_bytes(holder) as *const u8;
        let fields: [u8; IMPL_BYTES] = peek(address)?;
        let word = |at: usize| u32::from_ne_bytes(fields[at..at + 4].try_into().expect("four bytes"));
        let first = usize::from_ne_bytes(fields[UNITS_OFFSET..UNITS_OFFSET + 8].try_into().expect("eight"));
        let mut found = vec![0; units.len()];
        peek_into(first as *const u8, &mut found)?;
        let has_expected_header = word(0) == REFERENCE
            && word(LENGTH_OFFSET) == length
            && (word(FLAGS_OFFSET) & LATIN1_FLAG != 0) == is_latin1;
        Some(has_expected_header && found == units)
    };
    look().unwrap_or(false)
}

pub(crate) fn peek<const COUNT: usize>(address: *const u8) -> Option<[u8; COUNT]> {
    let mut bytes = [0; COUNT];
    peek_into(address, &mut bytes).map(|()| bytes)
}

/// Reads our own memory at an address that may be invalid: `process_vm_readv(2)`.
pub(crate) fn peek_into(address: *const u8, target: &mut [u8]) -> Option<()> {
    let local = libc::iovec { iov_base: target.as_mut_ptr().cast(), iov_len: target.len() };
    let remote = libc::iovec { iov_base: address.cast_mut().cast(), iov_len: target.len() };
    // SAFETY: the kernel only writes to `target`, and fails with EFAULT for an address that cannot
    // be read.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &local, 1, &remote, 1, 0) };
    (read == isize::try_from(target.len()).ok()?).then_some(())
}

/// The code units of an API string.
///
/// # Safety
/// `string` is alive for `'a`, and [`find`] returned a `Fast`.
pub unsafe fn code_units<'a>(string: RawString) -> CodeUnits<'a> {
    // SAFETY: `find` verified this layout.
    unsafe { code_units_of_impl(*string.cast::<u8>().add(IMPL_OFFSET).cast::<*const u8>()) }
}

/// The `WTF::String` in an API string.
///
/// # Safety
/// `string` is alive, and [`find`] returned a `Fast`.
pub unsafe fn string_of(string: RawString) -> *const *mut Opaque {
    // SAFETY: `find` verified this layout.
    unsafe { string.cast::<u8>().add(IMPL_OFFSET).cast() }
}

/// The code units of a `StringImpl`.
///
/// # Safety
/// `place` is a `StringImpl` that is alive for `'a`, or null, and [`find`] returned a `Fast`.
#[inline]
pub unsafe fn code_units_of_impl<'a>(address: *const u8) -> CodeUnits<'a> {
    if address.is_null() {
        return CodeUnits::Latin1(&[]);
    }
    // SAFETY: `find` verified this layout.
    unsafe {
        let length = *address.add(LENGTH_OFFSET).cast::<u32>() as usize;
        let first = *address.add(UNITS_OFFSET).cast::<*const u8>();
        let flags = *address.add(FLAGS_OFFSET).cast::<u32>();
        match (length, flags & LATIN1_FLAG) {
            (0, _) => CodeUnits::Latin1(&[]),
            (_, 0) => CodeUnits::Utf16(std::slice::from_raw_parts(first.cast(), length)),
            (_, _) => CodeUnits::Latin1(std::slice::from_raw_parts(first, length)),
        }
    }
}

impl Fast {
    /// Takes a reference to a `StringImpl`, for [`Fast::deref_impl`]; `false`: it could not be
    /// released.
    ///
    /// # Safety
    /// `string` is alive.
    pub unsafe fn ref_impl(&self, string: *mut Opaque) -> bool {
        if self.destroy.is_some() {
            // SAFETY: it begins with its reference count, which the engine changes atomically, too.
            unsafe { AtomicU32::from_ptr(string.cast()).fetch_add(REFERENCE, Ordering::Relaxed) };
        }
        self.destroy.is_some()
    }

    /// Releases a reference, and destroys the string with the last one, as the engine's `deref`
    /// does. Static strings have an odd count and are never destroyed.
    ///
    /// # Safety
    /// The caller owns a reference and does not use the string any more, and this is a thread on
    /// which it may be destroyed.
    pub unsafe fn deref_impl(&self, string: *mut Opaque) {
        // SAFETY: guaranteed by the caller.
        let before = unsafe { AtomicU32::from_ptr(string.cast()).fetch_sub(REFERENCE, Ordering::AcqRel) };
        if let (REFERENCE, Some(destroy)) = (before, self.destroy) {
            // SAFETY: that was the last reference.
            unsafe { destroy(string) };
        }
    }

    /// Functions for external strings, if those are verified and can be destroyed.
    pub fn external_strings(&self) -> Option<&external::ExternalStringAbi> {
        self.external.as_ref().filter(|external| self.destroy.is_some() && external.are_verified(self))
    }

    /// `None`: strings of this VM do not read back as they were written.
    pub fn writer(&self, symbols: &Symbols, group: RawGroup, context: RawContext) -> Option<Writer> {
        let writer = Writer { abi: self.abi?, group };
        // SAFETY: the context is alive; the lock is held while strings are made and read.
        let is_verified = unsafe {
            (symbols.JSLock)(context);
            let utf16: Vec<u16> = PROBE.iter().map(|byte| 0x2000 + u16::from(*byte)).collect();
            let latin1 = PROBE.iter().map(|byte| u16::from(*byte)).collect::<Vec<u16>>();
            let is_verified = reads_back(symbols, context, writer.make_latin1(PROBE), &latin1)
                && reads_back(symbols, context, writer.make_utf16(&utf16), &utf16);
            (symbols.JSUnlock)(context);
            is_verified
        };
        is_verified.then_some(writer)
    }
}

impl Writer {
    /// A Latin-1 string, made with one copy; `None` if it is shorter than two characters, because
    /// the engine shares those. The lock of the VM is held.
    #[inline]
    pub fn latin1(&self, units: &[u8]) -> Option<RawValue> {
        if units.len() < 2 { None } else { self.make_latin1(units).map(release_extra) }
    }

    /// The same, of bytes that may be ASCII; `None`: they are not.
    pub fn ascii(&self, bytes: &[u8]) -> Option<RawValue> {
        let destroy = engine().fast.as_ref()?.destroy?;
        let (string, first) = self.new_impl(self.abi.latin1, bytes.len())?;
        // SAFETY: the engine allocated that many bytes.
        if !unsafe { copy_ascii_to(bytes, first.cast()) } {
            // SAFETY: nothing else refers to the new string.
            unsafe { destroy(string) };
            return None;
        }
        // SAFETY: our reference keeps the string alive.
        Some(release_extra(unsafe { self.new_string(string) }))
    }

    /// The same, of `count` characters that `write` stores in a zeroed buffer.
    pub fn latin1_with(&self, count: usize, write: impl FnOnce(&mut [u8])) -> Option<RawValue> {
        if count < 2 {
            return None;
        }
        let made = self.allocate(self.abi.latin1, count, |first| {
            let first = first.cast::<u8>();
            // SAFETY: the engine allocated that many bytes, to which nothing else refers yet.
            unsafe {
                first.write_bytes(0, count);
                write(std::slice::from_raw_parts_mut(first, count));
            }
        });
        made.map(release_extra)
    }

    /// The same for UTF-16.
    pub fn utf16(&self, units: &[u16]) -> Option<RawValue> {
        if units.len() < 2 { None } else { self.make_utf16(units).map(release_extra) }
    }

    /// The same, of `count` units that `write` stores in a zeroed buffer.
    pub fn utf16_with(&self, count: usize, write: impl FnOnce(&mut [u16])) -> Option<RawValue> {
        if count < 2 {
            return None;
        }
        let made = self.allocate(self.abi.utf16, count, |first| {
            let first = first.cast::<u16>();
            // SAFETY: the engine allocated that many units, to which nothing else refers yet; zeros
            // are valid units.
            unsafe {
                first.write_bytes(0, count);
                write(std::slice::from_raw_parts_mut(first, count));
            }
        });
        made.map(release_extra)
    }

    #[inline]
    fn make_latin1(&self, units: &[u8]) -> Option<NewString> {
        self.allocate(self.abi.latin1, units.len(), |first| {
            // SAFETY: the engine allocated that many bytes.
            unsafe { copy_short(units, first.cast()) };
        })
    }

    fn make_utf16(&self, units: &[u16]) -> Option<NewString> {
        self.allocate(self.abi.utf16, units.len(), |first| {
            // SAFETY: the engine allocated that many units.
            unsafe { std::ptr::copy_nonoverlapping(units.as_ptr(), first.cast(), units.len()) };
        })
    }

    #[inline]
    fn allocate(&self, create: Create, count: usize, write: impl FnOnce(*mut c_void)) -> Option<NewString> {
        let (string, first) = self.new_impl(create, count)?;
        write(first);
        // SAFETY: our reference keeps the string alive.
        Some(unsafe { self.new_string(string) })
    }

    /// A `StringImpl` that nothing else refers to, and its code units, which are not initialized.
    #[inline]
    fn new_impl(&self, create: Create, count: usize) -> Option<(*mut Opaque, *mut c_void)> {
        let mut span = CodeUnitSpan { first: std::ptr::null_mut(), count: 0 };
        // SAFETY: the VM's lock is held, so its thread is this one; `span` is a `std::span` of code
        // units of the width of `create`.
        let string = unsafe { create(count, &mut span) }.string;
        let is_made = !string.is_null() && !span.first.is_null() && span.count == count;
        is_made.then_some((string, span.first))
    }

    /// A value that takes over a reference to a string. The lock of the VM is held.
    ///
    /// # Safety
    /// The caller owns that reference.
    #[inline]
    pub unsafe fn value(&self, string: *mut Opaque) -> RawValue {
        // SAFETY: guaranteed by the caller.
        release_extra(unsafe { self.new_string(string) })
    }

    #[inline]
    unsafe fn new_string(&self, string: *mut Opaque) -> NewString {
        // SAFETY: the context group of the C API is the VM; the caller guarantees that the string
        // is alive.
        (unsafe { (self.abi.to_value)(self.group, string) }, string)
    }
}

/// A value, and its `StringImpl` with a reference of ours beside the value's own.
type NewString = (RawValue, *mut Opaque);

#[inline]
fn release_extra((value, string): NewString) -> RawValue {
    // SAFETY: a `StringImpl` begins with its reference count, and ours is one of two.
    let references = unsafe { AtomicU32::from_ptr(string.cast()) };
    // Only this thread knows the new string, so the cheaper two accesses are as good as one.
    references.store(references.load(Ordering::Relaxed) - REFERENCE, Ordering::Relaxed);
    value
}

/// Whether a string reads back as it was written.
///
/// # Safety
/// The context is alive and its lock held.
unsafe fn reads_back(
    symbols: &Symbols,
    context: RawContext,
    made: Option<NewString>,
    expected: &[u16],
) -> bool {
    /// `kJSTypeString`.
    const STRING: i32 = 4;
    let Some((value, string)) = made else { return false };
    // SAFETY: under the lock; the value is on this stack. The count is at the offset that
    // `looks_right` verified.
    unsafe {
        let references = AtomicU32::from_ptr(string.cast());
        if references.load(Ordering::Relaxed) != 2 * REFERENCE
            || (symbols.JSValueGetType)(context, value) != STRING
        {
            return false;
        }
        references.fetch_sub(REFERENCE, Ordering::Relaxed);
        let copy = (symbols.JSValueToStringCopy)(context, value, std::ptr::null_mut());
        let count = (symbols.JSStringGetLength)(copy);
        let found = std::slice::from_raw_parts((symbols.JSStringGetCharactersPtr)(copy), count);
        let is_same = found == expected;
        (symbols.JSStringRelease)(copy);
        is_same
    }
}
