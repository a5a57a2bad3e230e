//! A string on its way to another thread. In: a value. Out: a handle that may go there, and a string of the VM there with the same letters, copied
//! once when it is made. The letters stay where they are: the handle is one more reference to them, in constant time however many there are; only a
//! string that is still in pieces is put together.

use crate::engine::{engine, symbols};
use crate::scope::Scope;
use crate::symbols::RawString;
use crate::text::{Letters, fast};
use crate::value::{Kind, Value};

/// Letters of a VM's string. It is dropped in a turn of that VM, or when that is gone: the engine may have made an atom of it meanwhile, which
/// stands in a table of the VM's.
pub struct SharedText {
    raw: RawString,
}

// SAFETY: the engine counts references to a string of its interface, and to what that holds, with atomics (`OpaqueJSString.h`,
// `StringImpl.h`); letters never change. Where it is dropped is the owner's to see to, as said above.
unsafe impl Send for SharedText {}

impl SharedText {
    /// `None` if the value is no string, or there is no memory to put it together.
    pub fn of(scope: &Scope, value: Value<'_>) -> Option<SharedText> {
        if value.kind(scope) != Kind::String {
            return None;
        }
        // SAFETY: a string of this VM, under its lock.
        let raw =
            unsafe { (symbols().JSValueToStringCopy)(scope.context(), value.raw(), std::ptr::null_mut()) };
        (!raw.is_null()).then_some(SharedText { raw })
    }

    /// How many units of UTF-16 it has.
    pub fn units(&self) -> usize {
        // SAFETY: alive.
        unsafe { (symbols().JSStringGetLength)(self.raw) }
    }

    /// A string of this scope's VM.
    pub fn value<'s>(&self, scope: &'s Scope) -> Value<'s> {
        if engine().fast.is_some() {
            // SAFETY: alive while this is, which outlives the call.
            return match unsafe { fast::letters(self.raw) } {
                Letters::Narrow(letters) => scope.text_of_latin1(letters),
                Letters::Wide(units) => scope.text_of_utf16(units),
            };
        }
        // SAFETY: the text is alive, the context too; the engine copies the letters for it.
        scope.keep(unsafe { (symbols().JSValueMakeString)(scope.context(), self.raw) })
    }
}

impl Drop for SharedText {
    fn drop(&mut self) {
        // SAFETY: given to us by `of`, released once; where, its owner sees to.
        unsafe { (symbols().JSStringRelease)(self.raw) };
    }
}
