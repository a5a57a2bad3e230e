//! A string on its way to another thread. In: a value. Out: a handle that may go there, and a
//! string of the VM there with the same letters, copied once when it is made, or over them where
//! they lie. The letters stay where they are: the handle is one more reference to them, in constant
//! time however many there are; only a string that is still in pieces is put together.

use std::any::Any;

use crate::engine::{engine, symbols};
use crate::scope::Scope;
use crate::string::CodeUnits;
use crate::string::fast::{self, Fast};
use crate::symbols::{Opaque, RawString};
use crate::value::{Kind, Value};

/// CodeUnits of a VM's string. It is dropped in a turn of that VM, or when that is gone: the engine
/// may have made an atom of it meanwhile, which stands in a table of the VM's.
pub struct SharedString(Storage);

enum Storage {
    /// A `StringImpl`, one reference of which is ours.
    Impl(*mut Opaque),
    /// A string of the interface.
    Copy(RawString),
}

// SAFETY: the engine counts references to a string of its interface, and to what that holds, with
// atomics (`OpaqueJSString.h`, `StringImpl.h`); letters never change. Where it is dropped is the
// owner's to see to, as said above.
unsafe impl Send for SharedString {}

impl SharedString {
    /// `None` if the value is no string, or there is no memory to put it together.
    pub fn of(scope: &Scope, value: Value<'_>) -> Option<SharedString> {
        let whole = scope.shared().layout().and_then(|layout| layout.flat_string(value));
        if let (Some(letters), Some(fast)) = (whole, &engine().fast) {
            let letters = letters.cast_mut().cast::<Opaque>();
            // SAFETY: the value has it, and is kept by a scope.
            if !letters.is_null() && unsafe { fast.ref_impl(letters) } {
                return Some(SharedString(Storage::Impl(letters)));
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

    /// How many bytes its letters take, at most.
    pub fn bytes(&self) -> usize {
        // SAFETY: alive.
        unsafe {
            match self.0 {
                Storage::Impl(letters) => match fast::code_units_of_impl(letters.cast()) {
                    CodeUnits::Latin1(letters) => letters.len(),
                    CodeUnits::Utf16(units) => units.len() * 2,
                },
                Storage::Copy(raw) => (symbols().JSStringGetLength)(raw) * 2,
            }
        }
    }

    /// Another handle. It is dropped before this one, and may be so on any thread.
    pub fn clone_ref(&self) -> Option<SharedString> {
        match (&self.0, &engine().fast) {
            // SAFETY: alive, by our reference.
            (Storage::Impl(letters), Some(fast)) if unsafe { fast.ref_impl(*letters) } => {
                Some(SharedString(Storage::Impl(*letters)))
            }
            _ => None,
        }
    }

    /// A string of this scope's VM over the letters where they lie. Behind this, `keeper` is
    /// dropped on whichever thread is done with them last; at once where they had to be copied.
    pub fn into_value<'s>(self, scope: &'s Scope, keeper: Box<dyn Any + Send>) -> Value<'s> {
        let external = engine().fast.as_ref().and_then(Fast::external_strings);
        let (Some(writer), Some(external), Storage::Impl(letters)) =
            (&scope.shared().fast, external, &self.0)
        else {
            return self.value(scope);
        };
        // SAFETY: letters of a string never change, and it is there until this is dropped, the
        // first of the two. The value takes the reference over.
        unsafe {
            let letters = fast::code_units_of_impl(letters.cast_const().cast());
            scope.keep(writer.value(external.make(letters, Box::new((self, keeper)))))
        }
    }

    fn code_units(&self) -> Option<CodeUnits<'_>> {
        // SAFETY: alive while this is; such letters are held only where `fast` is.
        unsafe {
            match self.0 {
                Storage::Impl(letters) => Some(fast::code_units_of_impl(letters.cast())),
                Storage::Copy(raw) if engine().fast.is_some() => Some(fast::code_units(raw)),
                Storage::Copy(_) => None,
            }
        }
    }

    /// A string of this scope's VM.
    pub fn value<'s>(&self, scope: &'s Scope) -> Value<'s> {
        match (self.code_units(), &self.0) {
            (Some(CodeUnits::Latin1(letters)), _) => scope.string_from_latin1(letters),
            (Some(CodeUnits::Utf16(units)), _) => scope.string_from_utf16(units),
            // SAFETY: the text is alive, the context too; the engine copies the letters for it.
            (None, Storage::Copy(raw)) => {
                scope.keep(unsafe { (symbols().JSValueMakeString)(scope.context(), *raw) })
            }
            (None, Storage::Impl(_)) => scope.undefined(),
        }
    }
}

impl Drop for SharedString {
    fn drop(&mut self) {
        // SAFETY: ours since `of`, given back once; where, its owner sees to.
        unsafe {
            match (&self.0, &engine().fast) {
                (Storage::Impl(letters), Some(fast)) => fast.deref_impl(*letters),
                (Storage::Impl(_), None) => {}
                (Storage::Copy(raw), _) => (symbols().JSStringRelease)(*raw),
            }
        }
    }
}
