//! Texts on their way into and out of the engine. In: UTF-8. Out: the engine's strings, and back.
//! The public way is always whole; the short one ([`fast`]) is taken where the engine was found to
//! be as expected. A string's letters are lent where they lie, as bytes are, to another VM too
//! ([`over`]).

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

pub(crate) use borrow::StringHandle;
pub use shared::SharedString;

/// Units of the longest string that the engine makes; it ends the process over a longer one.
const UNITS_MAX: usize = i32::MAX as usize;

/// Bytes up to which ASCII is handed over as it is: from here on widening it ourselves is faster
/// than the engine's decoder.
const ASCII_BYTES_MAX: usize = 256;

/// The letters of a string, as the engine has them: it keeps what has none above U+00FF in bytes,
/// most often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodeUnits<'a> {
    /// Latin-1.
    Latin1(&'a [u8]),
    /// UTF-16, of which any unit may be a surrogate without its other half.
    Utf16(&'a [u16]),
}

/// A text that the engine holds, to be used often: the name of a property, of a file. No value, so
/// no scope is needed.
pub struct JsString {
    raw: RawString,
    /// Its letters are counted by the engine for one thread.
    _one_thread: PhantomData<*const ()>,
}

impl JsString {
    /// # Panics
    /// On a text of 2 GiB.
    pub fn new(_: &Scope, text: &str) -> JsString {
        check_length(text.len());
        let bytes = text.as_bytes();
        let is_plain = bytes.len() < ASCII_BYTES_MAX && bytes.iter().all(|byte| (1..0x80).contains(byte));
        let raw = if is_plain {
            let mut terminated = [0_u8; ASCII_BYTES_MAX];
            terminated[..bytes.len()].copy_from_slice(bytes);
            // SAFETY: ASCII that ends in the NUL behind it; copied by the call.
            unsafe { (symbols().JSStringCreateWithUTF8CString)(terminated.as_ptr().cast::<c_char>()) }
        } else {
            let units: Vec<u16> = match text.is_ascii() {
                true => bytes.iter().map(|byte| u16::from(*byte)).collect(),
                false => text.encode_utf16().collect(),
            };
            return JsString::from_units(&units);
        };
        JsString { raw, _one_thread: PhantomData }
    }

    /// The text of a script, in bytes where its letters allow it: half the memory, and what the
    /// engine reads faster.
    pub(crate) fn of_source(scope: &Scope, source: &str) -> JsString {
        if scope.shared().fast.is_none() || source.len() < ASCII_BYTES_MAX {
            return JsString::new(scope, source);
        }
        // SAFETY: a string of this VM, under its lock; what it gives is ours to release.
        let raw = unsafe {
            let value = scope.string(source).raw();
            (symbols().JSValueToStringCopy)(scope.context(), value, std::ptr::null_mut())
        };
        JsString { raw, _one_thread: PhantomData }
    }

    fn from_units(units: &[u16]) -> JsString {
        // SAFETY: as many units as said; copied by the call.
        let raw = unsafe { (symbols().JSStringCreateWithCharacters)(units.as_ptr(), units.len()) };
        JsString { raw, _one_thread: PhantomData }
    }

    /// A string of JavaScript with this text.
    pub fn value<'s>(&self, scope: &'s Scope) -> Value<'s> {
        // SAFETY: the text is alive, the context too.
        scope.keep(unsafe { (symbols().JSValueMakeString)(scope.context(), self.raw) })
    }

    pub(crate) fn raw(&self) -> RawString {
        self.raw
    }
}

impl Drop for JsString {
    fn drop(&mut self) {
        // SAFETY: made by `new` and released once. The engine copies it where it makes a value or
        // an atom of it, so no lock is needed.
        unsafe { (symbols().JSStringRelease)(self.raw) };
    }
}

/// # Panics
/// On a text that is longer than the engine takes.
pub(crate) fn check_length(units: usize) {
    assert!(units <= UNITS_MAX, "a string has at most {UNITS_MAX} units");
}

/// Reads a string and releases it.
///
/// # Safety
/// `raw` is alive and the caller's; if it came from a value, the VM's lock is handle.
pub(crate) unsafe fn take(raw: RawString) -> String {
    if raw.is_null() {
        return String::new();
    }
    // SAFETY: as promised.
    unsafe {
        let text = read(raw);
        (symbols().JSStringRelease)(raw);
        text
    }
}

/// Reads a string.
///
/// # Safety
/// `raw` is alive through the call.
pub(crate) unsafe fn read(raw: RawString) -> String {
    if engine().fast.is_some() {
        // SAFETY: alive; `fast` says that it is laid out as expected.
        return match unsafe { fast::code_units(raw) } {
            CodeUnits::Latin1(bytes) if bytes.is_ascii() => {
                String::from_utf8(bytes.to_vec()).expect("ASCII is UTF-8")
            }
            CodeUnits::Latin1(bytes) => bytes.iter().map(|byte| char::from(*byte)).collect(),
            CodeUnits::Utf16(units) => String::from_utf16_lossy(units),
        };
    }
    // SAFETY: alive; the pointer holds as many units as said, for as long as the string.
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
