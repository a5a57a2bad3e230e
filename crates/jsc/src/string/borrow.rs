//! A string's letters, lent where they lie. In: a value. Out: its letters, while no JavaScript can
//! run. By the public way the engine makes a string of its interface first, and widens it.

use crate::engine::{engine, symbols};
use crate::scope::Scope;
use crate::string::{CodeUnits, fast};
use crate::symbols::RawString;
use crate::value::{Kind, Value};

impl Value<'_> {
    /// Lends the letters to Rust, as [`crate::Bytes::with_bytes_mut`] lends bytes; `None` if it is no string.
    ///
    /// # Panics
    /// When the engine is entered by `body` all the same, through a thread-local variable.
    pub fn with_code_units<R>(
        self,
        scope: &Scope,
        body: impl FnOnce(CodeUnits<'_>) -> R + Send,
    ) -> Option<R> {
        let handle = StringHandle::of(scope, self)?;
        // SAFETY: the value is kept by a scope, and the engine is not entered.
        Some(scope.shared().forbid_entry(|| body(unsafe { handle.code_units() })))
    }
}

/// What holds the letters of a string.
pub(crate) enum StringHandle {
    /// The value's own `StringImpl`.
    Impl(*const u8),
    /// A string of the interface, released when dropped.
    Copy(RawString),
}

impl StringHandle {
    /// `None` if the value is no string.
    pub fn of(scope: &Scope, value: Value<'_>) -> Option<StringHandle> {
        let layout = scope.shared().layout();
        if let Some(letters) = layout.and_then(|layout| layout.flat_string(value)) {
            return Some(StringHandle::Impl(letters));
        }
        if value.kind(scope) != Kind::String {
            return None;
        }
        // SAFETY: a string of this VM, under its lock.
        let copy =
            unsafe { (symbols().JSValueToStringCopy)(scope.context(), value.raw(), std::ptr::null_mut()) };
        // No memory for it: nothing is the honest answer that does not end the process.
        (!copy.is_null()).then_some(StringHandle::Copy(copy))
    }

    /// # Safety
    /// The value that it is of is alive, and the engine was not entered since `of` and is not for
    /// `'a`.
    pub unsafe fn code_units<'a>(&self) -> CodeUnits<'a> {
        // SAFETY: as promised; a layout was learned only where `fast` is.
        unsafe {
            match *self {
                StringHandle::Impl(place) => fast::code_units_of_impl(place),
                StringHandle::Copy(string) if engine().fast.is_some() => fast::code_units(string),
                StringHandle::Copy(string) => match (symbols().JSStringGetLength)(string) {
                    0 => CodeUnits::Utf16(&[]),
                    count => {
                        let first = (symbols().JSStringGetCharactersPtr)(string);
                        CodeUnits::Utf16(std::slice::from_raw_parts(first, count))
                    }
                },
            }
        }
    }
}

impl Drop for StringHandle {
    fn drop(&mut self) {
        if let StringHandle::Copy(string) = *self {
            // SAFETY: given to us by `of`, released once, under the lock of the scope that is still
            // open.
            unsafe { (symbols().JSStringRelease)(string) };
        }
    }
}
