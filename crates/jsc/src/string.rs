//! Strings of the engine. In: UTF-8. Out: engine strings, and back. The public functions always
//! work; the fast path ([`fast`]) is used where the unstable ABI was verified. The code units of a
//! string can be borrowed in place, as bytes can, and shared with another VM ([`external`]).

mod ascii;
mod borrow;
mod create;
mod external;
pub mod fast;
mod shared;

use std::ffi::c_char;
use std::marker::PhantomData;

use crate::engine::{engine, symbols};
use crate::scope::Scope;
use crate::symbols::RawString;
use crate::value::Value;

pub use ascii::copy_ascii;
pub(crate) use borrow::StringHandle;
pub use shared::SharedString;

/// Length limit of the engine, which aborts the process on a longer string.
const UNITS_MAX: usize = i32::MAX as usize;

/// Length up to which ASCII is passed as UTF-8; longer strings are faster to widen here than by the
/// engine's decoder.
const ASCII_BYTES_MAX: usize = 256;

/// The code units of a string, as the engine stores them: usually Latin-1 if no character is above
/// U+00FF.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeUnits<'a> {
    /// Latin-1.
    Latin1(&'a [u8]),
    /// UTF-16, which may contain unpaired surrogates.
    Utf16(&'a [u16]),
}

/// An engine string that is used repeatedly: a property name, a file name. It is not a value, so it
/// needs no scope.
pub struct JsString {
    raw: RawString,
    /// The reference count of its `StringImpl` is not to be used from other threads.
    _one_thread: PhantomData<*const ()>,
}

impl JsString {
    /// # Panics
    /// On a string of 2 GiB.
    pub fn new(_: &Scope, string: &str) -> JsString {
        check_length(string.len());
        let bytes = string.as_bytes();
        let is_plain = bytes.len() < ASCII_BYTES_MAX && bytes.iter().all(|byte| (1..0x80).contains(byte));
        let raw = if is_plain {
            let mut terminated = [0_u8; ASCII_BYTES_MAX];
            terminated[..bytes.len()].copy_from_slice(bytes);
            // SAFETY: ASCII, terminated by NUL; copied by the call.
            unsafe { (symbols().JSStringCreateWithUTF8CString)(terminated.as_ptr().cast::<c_char>()) }
        } else {
            let units: Vec<u16> = match string.is_ascii() {
                true => bytes.iter().map(|byte| u16::from(*byte)).collect(),
                false => string.encode_utf16().collect(),
            };
            return JsString::from_units(&units);
        };
        JsString { raw, _one_thread: PhantomData }
    }

    /// The source of a script, as Latin-1 where possible: that takes half the memory and is parsed
    /// faster.
    pub(crate) fn of_source(scope: &Scope, source: &str) -> JsString {
        if scope.shared().fast.is_none() || source.len() < ASCII_BYTES_MAX {
            return JsString::new(scope, source);
        }
        // SAFETY: a string of this VM, under its lock; we own the result.
        let raw = unsafe {
            let value = scope.string(source).raw();
            (symbols().JSValueToStringCopy)(scope.context(), value, std::ptr::null_mut())
        };
        JsString { raw, _one_thread: PhantomData }
    }

    fn from_units(units: &[u16]) -> JsString {
        // SAFETY: the length is right; copied by the call.
        let raw = unsafe { (symbols().JSStringCreateWithCharacters)(units.as_ptr(), units.len()) };
        JsString { raw, _one_thread: PhantomData }
    }

    /// A JavaScript string value.
    pub fn value<'s>(&self, scope: &'s Scope) -> Value<'s> {
        // SAFETY: the string and the context are alive.
        scope.retain(unsafe { (symbols().JSValueMakeString)(scope.context(), self.raw) })
    }

    pub(crate) fn raw(&self) -> RawString {
        self.raw
    }
}

impl Drop for JsString {
    fn drop(&mut self) {
        // SAFETY: made by `new` and released once. The engine copies it when it makes a value or an
        // atom of it, so no lock is needed.
        unsafe { (symbols().JSStringRelease)(self.raw) };
    }
}

/// # Panics
/// On a string that is longer than the engine's limit.
pub(crate) fn check_length(units: usize) {
    assert!(units <= UNITS_MAX, "a string has at most {UNITS_MAX} units");
}

/// Converts a string and releases it.
///
/// # Safety
/// `raw` is alive and owned by the caller; if it came from a value, the VM's lock is held.
pub(crate) unsafe fn take(raw: RawString) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: guaranteed by the caller.
    unsafe {
        let string = read(raw);
        (symbols().JSStringRelease)(raw);
        string
    }
}

/// Converts a string.
///
/// # Safety
/// `raw` is alive during the call.
pub(crate) unsafe fn read(raw: RawString) -> String {
    if engine().fast.is_some() {
        // SAFETY: alive; `fast` is only set if the layout was verified.
        return match unsafe { fast::code_units(raw) } {
            CodeUnits::Latin1(bytes) if bytes.is_ascii() => {
                String::from_utf8(bytes.to_vec()).expect("ASCII is UTF-8")
            }
            CodeUnits::Latin1(bytes) => bytes.iter().map(|byte| char::from(*byte)).collect(),
            CodeUnits::Utf16(units) => String::from_utf16_lossy(units),
        };
    }
    // SAFETY: alive; the pointer is valid for that many units, as long as the string.
    let units = unsafe {
        let count = (symbols().JSStringGetLength)(raw);
        match count {
            0 => &[],
            _ => std::slice::from_raw_parts((symbols().JSStringGetCharactersPtr)(raw), count),
        }
    };
    match units.iter().all(|unit| *unit < 0x80) {
        true => {
            let bytes = units.iter().map(|unit| *unit as u8).collect();
            String::from_utf8(bytes).expect("ASCII is UTF-8")
        }
        false => String::from_utf16_lossy(units),
    }
}
