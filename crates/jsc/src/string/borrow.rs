//! Borrows the code units of a string. In: a value. Out: its code units, while no JavaScript can
//! run. With the public functions the engine first makes an API string, and converts it to UTF-16.

use crate::engine::{engine, symbols};
use crate::scope::Scope;
use crate::string::{CodeUnits, fast};
use crate::symbols::RawString;
use crate::value::{Kind, Value};

impl Value<'_> {
    /// Borrows the code units, as [`crate::Bytes::with_bytes_mut`] borrows bytes; `None` if the
    /// value is not a string.
    ///
    /// # Panics
    /// If `body` enters the engine all the same, through a thread-local variable.
    #[inline]
    pub fn with_code_units<R>(
        self,
        scope: &Scope,
        body: impl FnOnce(CodeUnits<'_>) -> R + Send,
    ) -> Option<R> {
        if let Some(string) = scope.shared().layout().and_then(|layout| layout.flat_string(self)) {
            // SAFETY: as below; there is a layout only if there is `fast`.
            let units = unsafe { fast::code_units_of_impl(string) };
            return Some(scope.shared().forbid_entry(|| body(units)));
        }
        self.with_copied_code_units(scope, body)
    }

    #[inline(never)]
    fn with_copied_code_units<R>(
        self,
        scope: &Scope,
        body: impl FnOnce(CodeUnits<'_>) -> R + Send,
    ) -> Option<R> {
        let handle = StringHandle::of(scope, self)?;
        // SAFETY: a scope roots the value, and the engine is not entered.
        Some(scope.shared().forbid_entry(|| body(unsafe { handle.code_units() })))
    }
}

/// The owner of the code units.
pub(crate) enum StringHandle {
    /// The value's own `StringImpl`.
    Impl(*const u8),
    /// An API string, released when dropped.
    Copy(RawString),
}

impl StringHandle {
    /// `None` if the value is not a string.
    #[inline]
    pub fn of(scope: &Scope, value: Value<'_>) -> Option<StringHandle> {
        let layout = scope.shared().layout();
        if let Some(units) = layout.and_then(|layout| layout.flat_string(value)) {
            return Some(StringHandle::Impl(units));
        }
        if value.kind(scope) != Kind::String {
            return None;
        }
        // SAFETY: a string of this VM, under its lock.
        let copy =
            unsafe { (symbols().JSValueToStringCopy)(scope.context(), value.raw(), std::ptr::null_mut()) };
        // Out of memory: report no string instead of aborting the process.
        (!copy.is_null()).then_some(StringHandle::Copy(copy))
    }

    /// # Safety
    /// The value is alive, and the engine was not entered since `of` and is not during `'a`.
    #[inline]
    pub unsafe fn code_units<'a>(&self) -> CodeUnits<'a> {
        // SAFETY: guaranteed by the caller; there is a layout only if there is `fast`.
        unsafe {
            match *self {
                StringHandle::Impl(string) => fast::code_units_of_impl(string),
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
    #[inline]
    fn drop(&mut self) {
        if let StringHandle::Copy(string) = *self {
            // SAFETY: owned since `of`, released once, under the lock of the scope that is still
            // open.
            unsafe { (symbols().JSStringRelease)(string) };
        }
    }
}
