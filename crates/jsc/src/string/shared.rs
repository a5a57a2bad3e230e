//! Strings shared between threads. In: a value. Out: a handle that can be sent to another thread,
//! and a string of the VM there, which is a copy or an external string over the same memory. The
//! handle is a reference to the `StringImpl`, so it is made in constant time; only a rope is
//! flattened first.

use std::any::Any;

use crate::engine::{engine, symbols};
use crate::scope::Scope;
use crate::string::CodeUnits;
use crate::string::fast::{self, Fast};
use crate::symbols::{Opaque, RawString};
use crate::value::{Kind, Value};

/// A reference to the code units of a VM's string. Drop it in a turn of that VM, or after that VM
/// has ended: the string may have become an atom, which is in a table of the VM.
pub struct SharedString(Storage);

enum Storage {
    /// A `StringImpl`, of which we own a reference.
    Impl(*mut Opaque),
    /// An API string.
    Copy(RawString),
}

// SAFETY: the engine changes the reference counts of an API string and of its `StringImpl`
// atomically (`OpaqueJSString.h`, `StringImpl.h`), and code units never change. The owner takes
// care of where it is dropped, as documented above.
unsafe impl Send for SharedString {}

impl SharedString {
    /// `None` if the value is not a string, or if there is no memory to flatten it.
    pub fn of(scope: &Scope, value: Value<'_>) -> Option<SharedString> {
        let flat = scope.shared().layout().and_then(|layout| layout.flat_string(value));
        if let (Some(string), Some(fast)) = (flat, &engine().fast) {
            let string = string.cast_mut().cast::<Opaque>();
            // SAFETY: the value refers to it, and a scope roots the value.
            if !string.is_null() && unsafe { fast.ref_impl(string) } {
                return Some(SharedString(Storage::Impl(string)));
            }
        }
        if value.kind(scope) != Kind::String {
            return None;
        }
        // SAFETY: a string of this VM, under its lock.
        let raw =
            unsafe { (symbols().JSValueToStringCopy)(scope.context(), value.raw(), std::ptr::null_mut()) };
        (!raw.is_null()).then_some(SharedString(Storage::Copy(raw)))
    }

    /// The maximum size of its code units in bytes.
    pub fn bytes(&self) -> usize {
        // SAFETY: alive.
        unsafe {
            match self.0 {
                Storage::Impl(string) => match fast::code_units_of_impl(string.cast()) {
                    CodeUnits::Latin1(units) => units.len(),
                    CodeUnits::Utf16(units) => units.len() * 2,
                },
                Storage::Copy(raw) => (symbols().JSStringGetLength)(raw) * 2,
            }
        }
    }

    /// Another reference. It must be dropped before this one, on any thread.
    pub fn clone_ref(&self) -> Option<SharedString> {
        match (&self.0, &engine().fast) {
            // SAFETY: alive, by our reference.
            (Storage::Impl(string), Some(fast)) if unsafe { fast.ref_impl(*string) } => {
                Some(SharedString(Storage::Impl(*string)))
            }
            _ => None,
        }
    }

    /// An external string of this scope's VM. `keeper` is dropped after it, on the thread that
    /// released it last; or at once if the code units had to be copied.
    pub fn into_value<'s>(self, scope: &'s Scope, keeper: Box<dyn Any + Send>) -> Value<'s> {
        let external = engine().fast.as_ref().and_then(Fast::external_strings);
        let (Some(writer), Some(external), Storage::Impl(string)) = (&scope.shared().fast, external, &self.0)
        else {
            return self.value(scope);
        };
        // SAFETY: code units never change, and `self`, which is dropped first, keeps them alive.
        // The value takes over the reference.
        unsafe {
            let units = fast::code_units_of_impl(string.cast_const().cast());
            scope.retain(writer.value(external.make(units, Box::new((self, keeper)))))
        }
    }

    fn code_units(&self) -> Option<CodeUnits<'_>> {
        // SAFETY: alive as long as `self`; there is a `StringImpl` only if there is `fast`.
        unsafe {
            match self.0 {
                Storage::Impl(string) => Some(fast::code_units_of_impl(string.cast())),
                Storage::Copy(raw) if engine().fast.is_some() => Some(fast::code_units(raw)),
                Storage::Copy(_) => None,
            }
        }
    }

    /// Copies the string into this scope's VM.
    pub fn value<'s>(&self, scope: &'s Scope) -> Value<'s> {
        match (self.code_units(), &self.0) {
            (Some(CodeUnits::Latin1(units)), _) => scope.string_from_latin1(units),
            (Some(CodeUnits::Utf16(units)), _) => scope.string_from_utf16(units),
            // SAFETY: the string and the context are alive; the engine copies the code units.
            (None, Storage::Copy(raw)) => {
                scope.retain(unsafe { (symbols().JSValueMakeString)(scope.context(), *raw) })
            }
            (None, Storage::Impl(_)) => scope.undefined(),
        }
    }
}

impl Drop for SharedString {
    fn drop(&mut self) {
        // SAFETY: owned since `of`, released once; the owner takes care of where.
        unsafe {
            match (&self.0, &engine().fast) {
                (Storage::Impl(string), Some(fast)) => fast.deref_impl(*string),
                (Storage::Impl(_), None) => {}
                (Storage::Copy(raw), _) => (symbols().JSStringRelease)(*raw),
            }
        }
    }
}
